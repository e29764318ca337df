// @ts-check
// A factor of an evaluation drawn on a board: which cells count, for whom, and how much. What
// speaks for the first player is plain and says plus, for the second hatched and says minus, so
// that colour is never needed; cells that do not count step back. Knows no evaluator.
import { h, set } from "../lib/dom.js";

export class CellPicture {
  /** @param {any} board the g-board that is drawn on */
  constructor(board) {
    this.board = board;
    /** @type {Map<number, { first: number, second: number }>} */
    this._shares = new Map();
    this._picture = null;
  }

  /** @param {null | { name: string, cells: [number, number][], players: string[] }} picture cells with their shares: above zero for the first player, below for the second */
  show(picture) {
    for (const old of this.board.querySelectorAll(".amount")) old.parentElement.classList.remove("counts"), old.remove();
    this._picture = picture;
    this._shares = new Map();
    for (const [cell, share] of picture?.cells ?? []) {
      const sum = this._shares.get(cell) ?? { first: 0, second: 0 };
      sum[share > 0 ? "first" : "second"] += share;
      this._shares.set(cell, sum);
    }
    set(this.board, { "data-picture": picture?.name ?? null });
    const most = Math.max(...[...this._shares.values()].map(({ first, second }) => Math.max(first, -second)));
    for (const [cell, share] of this._shares) this._draw(cell, share, most);
  }

  /** The cells may be others now. */
  redraw() {
    if (this._picture) this.show(this._picture);
  }

  _draw(index, { first, second }, most) {
    const cell = this.board.cell(index);
    if (!cell) return;
    const whose = first && second ? "both" : first ? "first" : "second";
    const numbers = [first, second].filter(Boolean).map((share) => h("span", { class: "chip", "data-for": share > 0 ? "first" : "second" }, short(share)));
    const amount = h("span", { class: "amount", "data-for": whose, "aria-hidden": "true" }, numbers);
    amount.style.setProperty("--strength", String(Math.max(first, -second) / most));
    cell.classList.add("counts");
    cell.append(amount);
  }

  /** What the picture says of a cell. */
  words(index) {
    const share = this._shares.get(index);
    if (!share || !this._picture) return "";
    const [first, second] = this._picture.players;
    const parts = [share.first && `${short(share.first)} for ${first}`, share.second && `${short(-share.second)} for ${second}`];
    return `${this._picture.name}: ${parts.filter(Boolean).join(", ")}`;
  }
}

/** A share that fits into a cell: +30, −1.5, +10k. */
function short(share) {
  const size = Math.abs(share);
  const text = size >= 10_000 ? `${Math.round(size / 1000)}k` : String(size >= 100 ? Math.round(size) : Math.round(size * 10) / 10);
  return (share < 0 ? "−" : "+") + text;
}
