// @ts-check
// The dialog for a new game: which game, its settings, and who plays, if anybody does.
import { fill, h, openDialog } from "../lib/dom.js";
import { getOnce } from "../lib/api.js";
import { inWords, parameter, select } from "./form-fields.js";
import { PlayerForm } from "./player-form.js";

let isOpen = false;

/** Without players only the game is asked for.
 * @param {any[]} games @param {{ game: string, settings: any, players: string[] | null }} now @param {(chosen: any) => any} begin */
export async function openSetup(games, now, begin) {
  if (isOpen) return;
  isOpen = true;
  const opener = /** @type {HTMLElement} */ (document.activeElement);
  const kinds = await getOnce("/api/players").finally(() => (isOpen = false));
  if (document.querySelector("dialog[open]")) return;
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog", { class: "setup", "aria-labelledby": "setup-title" }));
  const game = select(games.map((each) => [each.name, each.title]), now.game);
  const about = h("p", { class: "note" });
  const options = h("div", { class: "fields" });
  const rules = h("details", { open: isChanged(games, now) }, h("summary", {}, "Rules"), options);
  const sides = h("div", { class: "sides" });
  const complaint = h("p", { class: "wrong", role: "alert" });
  let fields = /** @type {Record<string, any>} */ ({});
  let players = /** @type {PlayerForm[]} */ ([]);

  function draw() {
    const spec = games.find((each) => each.name === game.value) ?? games[0];
    about.textContent = spec.summary;
    rules.hidden = !spec.parameters.length;
    fields = Object.fromEntries(spec.parameters.map((each) => [each.name, parameter(each, game.value === now.game ? now.settings[each.name] : undefined)]));
    fill(options, spec.parameters.map((each) => h("label", { class: "field", title: each.help }, inWords(each.name), fields[each.name])));
    players = (now.players ?? []).map((player, side) => new PlayerForm(spec, kinds, spec.players[side], player));
    fill(sides, players.map((each) => each.element));
  }

  async function start() {
    const problem = players.map((each) => each.problem()).find(Boolean);
    complaint.textContent = problem?.text ?? "";
    if (problem) return problem.field.focus();
    const settings = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
    try {
      await begin({ game: game.value, settings, players: players.map((each) => each.text()) });
      dialog.close();
    } catch (error) {
      complaint.textContent = error.message;
    }
  }

  game.addEventListener("change", draw);
  draw();
  const choices = [h("label", { class: "field" }, "Game", game), about, rules, now.players && sides];
  const [title, go] = now.players ? ["New game", "Start"] : ["Another game", "Open"];
  const ends = h("div", { class: "row-of ends" }, h("button", { type: "submit", class: "main" }, go), h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"));
  const form = h("form", { novalidate: true }, h("h2", { id: "setup-title" }, title), choices, complaint, ends);
  form.addEventListener("submit", (event) => (event.preventDefault(), start()));
  fill(dialog, form);
  openDialog(dialog, opener);
}

/** Whether the rules are other than usual, and so worth seeing at once. */
function isChanged(games, now) {
  const spec = games.find((each) => each.name === now.game);
  return Boolean(spec?.parameters.some((each) => String(now.settings[each.name] ?? each.default) !== String(each.default)));
}
