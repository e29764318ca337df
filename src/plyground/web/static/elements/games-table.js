// @ts-check
// A page of stored games: one row is chosen and has the focus, headings sort. Knows no server.
import { fill, h } from "../lib/dom.js";

/** What is shown of a game, by the name under which the server sorts it. */
const COLUMNS = [
  { name: "date", title: "Date", text: (game) => game.date.slice(0, 10) },
  { name: "game", title: "Game", text: (game) => game.title },
  { name: "first", title: "First", text: (game) => game.players[0] || "?" },
  { name: "second", title: "Second", text: (game) => game.players[1] || "?" },
  { name: "result", title: "Result", text: resultOf },
  { name: "moves", title: "Moves", text: (game) => game.moves.length, isNumber: true },
  { name: "", title: "Opening", text: (game) => game.opening ?? "" },
  { name: "event", title: "Event", text: (game) => game.event },
];
const HIGHEST_FIRST = new Set(["date", "moves", "result"]);

/** @param {any} game */
export function resultOf(game) {
  if (game.points === null) return "unfinished";
  const score = game.points === 1 ? "1–0" : game.points === 0 ? "0–1" : "½–½";
  return game.outcome && Math.abs(game.outcome) > 1 ? `${score} (${game.outcome > 0 ? "+" : ""}${game.outcome})` : score;
}

export class GamesTable {
  /** @param {{ chosen: (game: any) => void, open: () => void, sort: (order: string) => void }} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    /** @type {any[]} */ this.games = [];
    this.at = 0;
    this.head = h("tr");
    this.body = h("tbody");
    this.element = h("table", { class: "games", role: "grid", "aria-label": "Games" }, h("thead", {}, this.head), this.body);
  }

  get game() {
    return this.games[this.at];
  }

  /** @param {any[]} games @param {string} order as the server takes it @param {number} at */
  show(games, order, at = 0) {
    this.games = games;
    this.at = Math.max(0, Math.min(at, games.length - 1));
    fill(this.head, COLUMNS.map((column) => this._heading(column, order)));
    fill(this.body, games.map((game, index) => this._row(game, index)));
    this.hooks.chosen(this.game);
  }

  /** Go to a row; the focus goes with it. */
  select(index) {
    if (!this.games.length) return;
    this._choose(Math.max(0, Math.min(this.games.length - 1, index)));
    this.focus();
  }

  focus() {
    /** @type {HTMLElement | undefined} */ (this.body.children[this.at])?.focus();
  }

  _choose(index) {
    const before = this.body.children[this.at];
    this.at = index;
    const now = this.body.children[index];
    before?.setAttribute("aria-selected", "false");
    before?.setAttribute("tabindex", "-1");
    now.setAttribute("aria-selected", "true");
    now.setAttribute("tabindex", "0");
    this.hooks.chosen(this.game);
  }

  _heading({ name, title, isNumber }, order) {
    const attributes = { scope: "col", class: `${isNumber ? "number " : ""}of-${title.toLowerCase()}` };
    if (!name) return h("th", attributes, title);
    const isChosen = order.replace("-", "") === name;
    const isDown = order.startsWith("-");
    const next = isChosen ? (isDown ? name : `-${name}`) : HIGHEST_FIRST.has(name) ? `-${name}` : name;
    const sorted = isChosen ? (isDown ? "descending" : "ascending") : null;
    const arrow = h("span", { class: "arrow", "aria-hidden": "true" }, isChosen ? (isDown ? "↓" : "↑") : "");
    return h("th", { ...attributes, "aria-sort": sorted }, h("button", { type: "button", class: "quiet", onclick: () => this.hooks.sort(next) }, title, arrow));
  }

  _row(game, index) {
    const isChosen = index === this.at;
    return h(
      "tr",
      {
        tabindex: isChosen ? "0" : "-1",
        "aria-selected": isChosen,
        "data-id": game.id,
        draggable: "true",
        onclick: () => this.select(index),
        ondblclick: () => this.hooks.open(),
        onfocus: () => this.at !== index && this._choose(index),
        ondragstart: (event) => carry(event, game),
      },
      COLUMNS.map(({ title, text, isNumber }) => h("td", { class: `${isNumber ? "number " : ""}of-${title.toLowerCase()}` }, text(game))),
    );
  }
}

/** A row that is dragged out of the window becomes a file; dropped on a text, its moves. */
function carry(event, game) {
  const address = new URL(`/api/store/export?number=${game.id}`, location.href);
  event.dataTransfer?.setData("text/plain", game.moves.join(" "));
  event.dataTransfer?.setData("DownloadURL", `application/octet-stream:game-${game.id}.json:${address}`);
}
