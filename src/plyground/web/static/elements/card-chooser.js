// @ts-check
// Choosing among moves that put something on several cells, such as a card on two: first which way
// it lies, then where. What ways there are follows from what the legal moves change; so does
// whether a card must be picked up first. Knows no rule.
import { fill, h } from "../lib/dom.js";
import { piece } from "./pieces.js";

export class CardChooser {
  /** @param {any} board the g-board it belongs to */
  constructor(board) {
    this.board = board;
    this.element = h("div", { class: "cards", role: "radiogroup", "aria-label": "How the card lies; R turns it" });
    this.element.hidden = true;
    /** @type {string | null} */ this.way = null;
    /** @type {string | null} */ this.picked = null;
    this.ways = new Map();
    this.view = null;
  }

  get isUsed() {
    return this.view?.board.kind === "cards";
  }

  update(view) {
    this.view = view;
    this.picked = null;
    this.element.hidden = !this.isUsed || !view.legal.length;
    if (this.isUsed) this._list();
  }

  /** Those of the legal moves that what was chosen so far leaves. */
  moves(legal) {
    if (!this.isUsed) return legal;
    const { columns } = this.view.board;
    const isLeft = (move) => takenFrom(move) === (this.picked ?? "");
    return legal.filter((move) => isLeft(move) && (this.way === null || wayOf(move, columns) === this.way));
  }

  /** Whether a click on this cell takes a card up or puts it back; then nothing was played. */
  pickUp(index) {
    if (!this.isUsed) return false;
    const mine = this.view.legal.find((move) => takenCells(move).includes(index));
    if (!mine) return false;
    const key = takenFrom(mine);
    this.picked = this.picked === key ? null : key;
    for (const cell of this.board.querySelectorAll(".lifted")) cell.classList.remove("lifted");
    if (this.picked) for (const place of takenCells(mine)) this.board.cell(place)?.classList.add("lifted");
    this._list();
    return true;
  }

  /** The next way to lie. */
  turn() {
    const keys = [...this.ways.keys()];
    if (!keys.length) return;
    const at = keys.indexOf(this.way ?? "");
    this._select(keys[(at + 1) % keys.length]);
  }

  _list() {
    const { legal, board } = this.view;
    this.ways = new Map();
    for (const move of legal) {
      if (takenFrom(move) !== (this.picked ?? "")) continue;
      const way = wayOf(move, board.columns);
      if (!this.ways.has(way)) this.ways.set(way, { name: move.move.split(" ")[1] ?? "", count: 0 });
      this.ways.get(way).count += 1;
    }
    this.ways = new Map([...this.ways].sort(([, a], [, b]) => a.name.localeCompare(b.name)));
    if (this.way === null || !this.ways.has(this.way)) this.way = this.ways.keys().next().value ?? null;
    this._drawAll();
  }

  _select(way) {
    this.way = way;
    this._drawAll();
    this.board._draw();
  }

  _drawAll() {
    const needsPick = this.ways.size === 0 && this.view.legal.length > 0;
    if (needsPick) {
      fill(this.element, h("p", { class: "note" }, "All cards are on the board: pick one up, then put it elsewhere."));
      return;
    }
    fill(
      this.element,
      [...this.ways].map(([way, { name }]) => {
        const isChosen = way === this.way;
        return h(
          "button",
          { type: "button", role: "radio", class: "card-way", "aria-checked": isChosen, "aria-label": `card ${name}`, tabindex: isChosen ? "0" : "-1", onclick: () => this._select(way) },
          drawing(way, this.view.players),
          h("span", { class: "caption" }, name),
        );
      }),
      h("button", { type: "button", class: "turn", onclick: () => this.turn(), title: "R" }, "Turn"),
    );
  }
}

const takenCells = (move) => move.changes.filter(([, content]) => content === "").map(([place]) => place);
const takenFrom = (move) => takenCells(move).sort((a, b) => a - b).join(" ");

/** The cells that a move fills, seen from its first cell: what makes two moves lie the same way. */
function wayOf(move, columns) {
  const [anchor] = move.cells.slice(-2);
  const filled = move.changes.filter(([, content]) => content !== "");
  return JSON.stringify(
    filled
      .map(([place, content]) => [Math.floor(place / columns) - Math.floor(anchor / columns), (place % columns) - (anchor % columns), content])
      .sort(),
  );
}

function drawing(way, players) {
  const cells = JSON.parse(way);
  const isFlat = cells.every(([down]) => down === cells[0][0]);
  const sorted = [...cells].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return h("span", { class: isFlat ? "mini-card flat" : "mini-card tall" }, sorted.map(([, , content]) => piece(content, "cards", players)));
}
