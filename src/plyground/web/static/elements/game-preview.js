// @ts-check
// One stored game on a board, at any of its moves.
import { fill, h } from "../lib/dom.js";
import { post } from "../lib/api.js";
import { resultOf } from "./games-table.js";
import { stepButtons } from "./step-buttons.js";
import "./g-board.js";

export class GamePreview {
  /** @param {{ open: () => void, remove: () => void }} hooks */
  constructor(hooks) {
    /** @type {any} */ this.game = null;
    this.ply = 0;
    this.turn = 0;
    this.board = /** @type {any} */ (h("g-board"));
    this.board.interactive = false;
    this.about = h("p", { class: "preview-about" });
    this.where = h("p", { class: "note", "data-testid": "preview-ply" });
    const button = (text, run, more = {}) => h("button", { type: "button", onclick: run, ...more }, text);
    this.actions = h("div", { class: "row-of" }, button("Open", () => hooks.open(), { class: "main" }), button("Delete", () => hooks.remove()));
    this.steps = stepButtons({ first: () => this.goTo(0), back: () => this.step(-1), forward: () => this.step(1), last: () => this.goTo(Infinity) });
    this.element = h("section", { class: "panel preview-panel", "aria-label": "Preview" });
  }

  /** A game: where it reached what was looked for, or at its end. */
  show(game) {
    this.game = game ?? null;
    if (!game) {
      this.turn += 1;
      fill(this.element, h("p", { class: "note" }, "Choose a game to see it here."));
      return;
    }
    if (this.board.parentNode !== this.element) fill(this.element, this.board, this.steps, this.about, this.where, this.actions);
    this.about.textContent = `${game.players[0] || "?"} – ${game.players[1] || "?"}, ${resultOf(game)}`;
    return this.goTo(game.ply ?? Infinity);
  }

  step(by) {
    return this.goTo(this.ply + by);
  }

  async goTo(ply) {
    const { game } = this;
    if (!game) return;
    this.ply = Math.max(0, Math.min(game.moves.length, ply));
    const turn = ++this.turn;
    try {
      const view = await post("/api/position", { game: game.game, settings: game.settings, position: game.position, moves: game.moves.slice(0, this.ply) });
      if (turn !== this.turn) return;
      this.board.show(view, { quick: true });
      this.where.textContent = [`move ${this.ply} of ${game.moves.length}`, view.opening ?? ""].filter(Boolean).join(" · ");
    } catch (error) {
      if (turn === this.turn) this.where.textContent = error.message;
    }
  }
}
