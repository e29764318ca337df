// @ts-check
// The dialog for a new game: which game, its settings, who plays, and what a machine searches with.
import { fill, h } from "../lib/dom.js";
import { getOnce } from "../lib/api.js";

const OWN = "own";

export async function openSetup(games, now, begin) {
  const kinds = await getOnce("/api/players");
  const opener = /** @type {HTMLElement} */ (document.activeElement);
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog", { "aria-labelledby": "setup-title" }));
  const game = select(games.map((each) => [each.name, each.title]), now.game);
  const options = h("div", { class: "row-of" });
  const seats = h("div", { class: "row-of" });
  const complaint = h("p", { class: "wrong", role: "alert" });
  let fields = /** @type {Record<string, any>} */ ({});
  let chosen = /** @type {any[]} */ ([]);

  function draw() {
    const spec = games.find((each) => each.name === game.value);
    fields = {};
    fill(
      options,
      spec.parameters.map((each) => {
        const value = game.value === now.game ? (now.settings[each.name] ?? each.default) : each.default;
        const field = each.choices.length ? select(each.choices.map((c) => [String(c), String(c)]), String(value)) : h("input", { type: "text", value: String(value), size: 6 });
        fields[each.name] = field;
        return h("label", { class: "field", title: each.help }, each.name, field);
      }),
    );
    chosen = [0, 1].map((side) => seat(spec, kinds, spec.players[side], now.players[side]));
    fill(seats, chosen.map((each) => each.element));
  }

  game.addEventListener("change", draw);
  draw();
  fill(
    dialog,
    h("h2", { id: "setup-title" }, "New game"),
    h("label", { class: "field" }, "Game", game),
    options,
    seats,
    complaint,
    h(
      "div",
      { class: "row-of" },
      h("button", { type: "button", class: "main", onclick: start }, "Start"),
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
    ),
  );

  function start() {
    const settings = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
    Promise.resolve(begin({ game: game.value, settings, players: chosen.map((each) => each.text()) })).then(
      () => dialog.close(),
      (error) => (complaint.textContent = error.message),
    );
  }

  dialog.addEventListener("close", () => {
    dialog.remove();
    opener?.focus?.();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** Who sits on one side: a person, a level, or an algorithm with what it searches with. */
function seat(spec, kinds, name, text) {
  const levels = spec.levels.map((each) => [each.name, each.name]);
  const others = kinds.filter((kind) => !["human", "gtp", "nboard", ...spec.levels.map((l) => l.name)].includes(kind.name)).map((kind) => [kind.name, kind.name]);
  const base = text.split(":")[0];
  const known = ["human", ...levels.map(([n]) => n), ...others.map(([n]) => n)].includes(base);
  const who = select([["human", "Person"], ...levels, ...others, [OWN, "own text …"]], known ? base : OWN);
  const depth = h("input", { type: "number", min: 1, max: 20, size: 3, placeholder: "–" });
  const time = h("input", { type: "text", size: 5, placeholder: "–" });
  const judge = select([["", "usual"], ...spec.evaluators.map((each) => [each.name, each.name])], "");
  const own = h("input", { type: "text", value: text, size: 28, "aria-label": `${name}'s text` });
  const searching = h("div", { class: "row-of" }, h("label", { class: "field" }, "Depth", depth), h("label", { class: "field" }, "Time", time), h("label", { class: "field" }, "Evaluator", judge));
  const read = Object.fromEntries((text.split(":")[1] ?? "").split(",").map((part) => part.split("=")));
  if (known) {
    if (read.depth) depth.value = read.depth;
    if (read.time) time.value = read.time;
    if (read.eval) judge.value = read.eval;
  }

  function draw() {
    const kind = kinds.find((each) => each.name === who.value);
    const has = (option) => kind?.options.some((each) => each.name === option);
    searching.hidden = !has("depth") && !has("time") && !has("eval");
    depth.parentElement.hidden = !has("depth");
    time.parentElement.hidden = !has("time");
    judge.parentElement.hidden = !has("eval");
    own.hidden = who.value !== OWN;
  }

  who.addEventListener("change", draw);
  draw();
  return {
    element: h("fieldset", {}, h("legend", {}, name), h("label", { class: "field" }, "Player", who), own, searching),
    text() {
      if (who.value === OWN) return own.value.trim();
      const parts = [];
      if (!searching.hidden && depth.value) parts.push(`depth=${depth.value}`);
      if (!searching.hidden && time.value) parts.push(`time=${time.value}`);
      if (!searching.hidden && judge.value) parts.push(`eval=${judge.value}`);
      return who.value + (parts.length ? `:${parts.join(",")}` : "");
    },
  };
}

/** @returns {any} */
function select(pairs, value) {
  const element = h("select", {}, pairs.map(([key, text]) => h("option", { value: key }, text)));
  /** @type {any} */ (element).value = value;
  return element;
}
