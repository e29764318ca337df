// @ts-check
// Settings: kept in this browser, in force at once.
import { fill, h } from "../lib/dom.js";
import { get } from "../lib/api.js";
import { listed } from "../lib/keys.js";
import { settings, THEMES } from "../lib/store.js";

export async function show(root) {
  const stats = await get("/api/store/stats").catch(() => null);
  const about = await get("/api/about").catch(() => ({ version: "?" }));
  fill(
    root,
    h("h1", {}, "Settings"),
    h(
      "div",
      { class: "cards-of" },
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "Look"),
        choice("Theme", Object.entries(THEMES), settings.theme),
        tick("Animations", settings.animations),
        tick("Show legal moves", settings.guides),
        tick("Sound", settings.sound),
        number("Volume, in percent", settings.volume, 0, 100),
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "Analysis"),
        number("Lines", settings.lines, 0, 5),
        number("Seconds for each position", settings.time, 1, 600),
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "Store"),
        stats ? h("dl", {}, Object.entries(stats.games).map(([name, count]) => [h("dt", {}, name), h("dd", {}, Number(count).toLocaleString("en"))])) : h("p", { class: "wrong" }, "The store cannot be read."),
        stats && h("p", { class: "note" }, `${stats.moves.toLocaleString("en")} moves, ${stats.positions.toLocaleString("en")} positions, ${stats.players} players`),
        stats && h("dl", { class: "places" }, [["Store", stats.store], ["Data folder", stats.folder]].map(([name, where]) => [h("dt", {}, name), h("dd", {}, where)])),
        h("p", { class: "note" }, `Plyground ${about.version}`),
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "Keys"),
        h("dl", { class: "facts" }, listed().map(({ key, what }) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])),
        h("p", { class: "note" }, "Each page has keys of its own; the sheet that ? opens there lists them."),
      ),
    ),
  );
}

function choice(name, pairs, signal) {
  const field = /** @type {any} */ (h("select", { onchange: () => (signal.value = field.value) }, pairs.map(([key, text]) => h("option", { value: key }, text))));
  signal.watch((value) => (field.value = value));
  return h("label", { class: "field" }, name, field);
}

function tick(name, signal) {
  const field = /** @type {any} */ (h("input", { type: "checkbox", onchange: () => (signal.value = field.checked) }));
  signal.watch((value) => (field.checked = value));
  return h("label", { class: "tick" }, field, ` ${name}`);
}

function number(name, signal, low, high) {
  const field = /** @type {any} */ (h("input", { type: "number", min: low, max: high, onchange: () => (signal.value = Math.max(low, Math.min(high, Number(field.value)))) }));
  signal.watch((value) => (field.value = value));
  return h("label", { class: "field" }, name, field);
}
