// @ts-check
// The filters above a list of games, and the position that is looked for. What is chosen is told as
// the parameters of an address; knows no list and no server.
import { fill, h } from "../lib/dom.js";
import { miniBoard } from "./mini-board.js";

const RESULTS = [["", "all"], ["first", "first player won"], ["second", "second player won"], ["draw", "draw"], ["unfinished", "unfinished"]];
const FIELDS = ["game", "player", "result", "since", "until", "event"];
const POSITION = ["set", "position", "moves", "symmetric"];
export const WANTED = [...FIELDS, ...POSITION];

export class GamesFilters {
  /** @param {any[]} kinds games @param {Record<string, string>} given @param {(wanted: Record<string, string>) => void} changed */
  constructor(kinds, given, changed) {
    this.given = given;
    this.changed = changed;
    this.inputs = {
      game: pick("Game", [["", "all"], ...kinds.map((each) => [each.name, each.title])], given.game),
      player: type("Player", given.player, "part of a name"),
      result: pick("Result", RESULTS, given.result),
      since: type("Since", given.since, "2020-01-31"),
      until: type("Until", given.until, "2026"),
      event: type("Event", given.event, "part of its name"),
    };
    for (const [name, { input }] of Object.entries(this.inputs)) input.addEventListener("change", () => this._changed(name));
    this.element = h("div", { class: "row-of filters", role: "search", "aria-label": "Filters" }, Object.values(this.inputs).map((field) => field.element));
    this.looked = h("section", { class: "panel looked-for", "aria-label": "Position looked for", hidden: true });
  }

  /** The parameters of the address, without what is empty. */
  get wanted() {
    const typed = FIELDS.map((name) => [name, this.inputs[name].input.value.trim()]);
    const position = POSITION.map((name) => [name, this.given[name] ?? ""]);
    return Object.fromEntries([...typed, ...position].filter(([, value]) => value));
  }

  get isEmpty() {
    return Object.keys(this.wanted).length === 0;
  }

  /** Show the position that games were looked for by, if one was. */
  lookedFor(view) {
    this.looked.hidden = !view;
    if (!view) return fill(this.looked);
    const tick = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", onchange: () => this._mirror(tick.checked) }));
    tick.checked = Boolean(this.given.symmetric);
    fill(
      this.looked,
      h("div", { class: "looked-board" }, miniBoard(view)),
      h(
        "div",
        {},
        h("h2", {}, "Games through this position"),
        h("p", { class: "note" }, view.moves.length ? view.moves.join(" ") : view.position),
        h("div", { class: "row-of" }, h("label", { class: "tick" }, tick, "turned and mirrored as well"), h("button", { type: "button", onclick: () => this.clearPosition() }, "All positions")),
      ),
    );
  }

  clear() {
    for (const { input } of Object.values(this.inputs)) input.value = "";
    this.given = {};
    this.changed(this.wanted);
  }

  clearPosition() {
    this.given = {};
    this.changed(this.wanted);
  }

  _mirror(isWanted) {
    this.given = { ...this.given, symmetric: isWanted ? "1" : "" };
    this.changed(this.wanted);
  }

  _changed(name) {
    if (name === "game") this.given = {}; // a position belongs to its game
    this.changed(this.wanted);
  }
}

function pick(name, pairs, value = "") {
  const input = /** @type {any} */ (h("select", { "aria-label": name }, pairs.map(([key, text]) => h("option", { value: key }, text))));
  input.value = value;
  return { input, element: h("label", { class: "field" }, name, input) };
}

function type(name, value = "", placeholder = "") {
  const input = /** @type {any} */ (h("input", { type: "text", "aria-label": name, value, placeholder, size: 12 }));
  return { input, element: h("label", { class: "field" }, name, input) };
}
