// @ts-check
// A stored game that is not over: its board follows the moves as they arrive, until the game ends.
// Whether somebody still plays it is not known here.
import { breakable, fill, h } from "../lib/dom.js";
import { get, post } from "../lib/api.js";
import { analysed } from "../lib/address.js";
import { poll } from "../lib/poll.js";
import { say } from "../lib/say.js";
import { resultOf } from "./games-table.js";
import { moveList } from "./move-list.js";
import "./g-board.js";

const EVERY_MS = 700;

/** How a game is called. @param {any} game */
const nameOf = (game) => `${game.players[0] || "?"} – ${game.players[1] || "?"}`;

export class LiveGame {
  constructor(game) {
    this.id = game.id;
    /** @type {any} what is shown */ this.game = null;
    this.board = /** @type {any} */ (h("g-board"));
    this.board.interactive = false;
    this.status = h("p", { class: "live-status", "data-testid": "live" });
    this.moves = h("div");
    this.analyse = h("a", { class: "button main" }, "Analyse");
    this.element = h(
      "div",
      { class: "live-game" },
      h("div", { class: "heading" }, h("h1", {}, breakable(nameOf(game))), h("p", { class: "note" }, [game.title, game.event].filter(Boolean).join(" · "))),
      h("div", { class: "table" }, h("section", { "aria-label": "Board" }, this.board), h("div", { class: "beside" }, h("section", { class: "panel", "aria-label": "Moves" }, this.status, this.moves, h("div", { class: "row-of" }, this.analyse)))),
    );
  }

  /** Ask again until it is over or the page is left; returns what ends it. */
  watch() {
    const end = poll(async () => {
      await this.load();
      if (this.game?.points !== null) end();
    }, EVERY_MS);
    return end;
  }

  /** Show how it stands now. */
  async load() {
    const before = this.game;
    const game = await get(`/api/store/games/${this.id}`);
    if (before && game.points === before.points && game.moves.join() === before.moves.join()) return;
    const view = await post("/api/position", { game: game.game, settings: game.settings, position: game.position, moves: game.moves });
    this.game = game;
    this.board.show(view, { quick: game.moves.length !== (before?.moves.length ?? 0) + 1 });
    const count = game.moves.length === 1 ? "1 move" : `${game.moves.length} moves`;
    this.status.textContent = game.points === null ? `Not over: ${count} so far. New moves appear here.` : `${resultOf(game)} after ${count}.`;
    if (before && game.points !== null) say(`${nameOf(game)}: ${this.status.textContent}`);
    fill(this.moves, moveList(view));
    this.analyse.setAttribute("href", analysed(game));
  }
}

/** Watch a game in a page; returns what ends it. @param {HTMLElement} root @param {any} game */
export async function watchGame(root, game) {
  const live = new LiveGame(game);
  await live.load();
  fill(root, live.element);
  document.title = `${nameOf(game)} · Plyground`;
  return live.watch();
}
