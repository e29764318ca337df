// @ts-check
// The board of any game, drawn from data: it shows a position and says which legal move is meant.
// It knows no rule. Each legal move comes with the cells that it changes, so what a move will do
// can be shown before it is made, and two positions are animated by their difference.
//
//   board.show(position as the server tells it)       board.addEventListener("play", e => e.detail.move)
//   board.marks = Map from cell to { text, kind, best, grade }    also: "refused" with { text }
//   board.picture = a factor of an evaluation, drawn over the cells (`cell-picture.js`)
import { fill, h, set } from "../lib/dom.js";
import { contentName, piece } from "./pieces.js";
import { CardChooser } from "./card-chooser.js";
import { CellPicture } from "./cell-picture.js";
import { animate } from "./motion.js";
import { PieceChooser } from "./piece-chooser.js";

const TURNED = { grid: [true, true], columns: [false, true], pits: [true, true] }; // rows, columns
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class GBoard extends HTMLElement {
  constructor() {
    super();
    /** @type {any} */ this._view = null;
    /** @type {HTMLElement[]} */ this._cells = [];
    this._marks = new Map();
    this._shape = "";
    this._focused = 0;
    this._interactive = false;
    this._flipped = false;
    this._guides = true;
    /** @type {any} */ this._chooser = null;
    this._picture = new CellPicture(this);
  }

  disconnectedCallback() {
    this._chooser?.leave?.();
  }

  get view() {
    return this._view;
  }

  /** Show a position; `quick` leaves out the animation. */
  show(view, { quick = false } = {}) {
    const before = this._view;
    this._view = view;
    const seen = view.last.length > 1 && view.board.kind !== "cards" ? this._cells[view.last[0]]?.firstElementChild?.getBoundingClientRect() : undefined;
    const shape = JSON.stringify([view.game, view.board.kind, view.board.rows, view.board.columns, this._flipped]);
    if (shape !== this._shape) {
      this._shape = shape;
      this._build();
    }
    this._chooser.update(view);
    this._draw();
    if (before && before.game === view.game && !quick) animate(this, before, view, seen);
  }

  set marks(marks) {
    this._marks = marks ?? new Map();
    this._drawMarks();
  }

  set picture(picture) {
    this._picture.show(picture);
    this._drawMarks();
  }

  set interactive(value) {
    this._interactive = value;
    this.toggleAttribute("interactive", value);
    if (this._view) this._draw();
  }

  set flipped(value) {
    this._flipped = value;
    if (this._view) {
      this._shape = "";
      this.show(this._view, { quick: true });
    }
  }

  /** Whether the board of this game has another side to be seen from. */
  get canFlip() {
    return this._view.board.kind in TURNED;
  }

  set guides(value) {
    this._guides = value;
    if (this._view) this._draw();
  }

  /** @returns {HTMLElement | undefined} */
  cell(index) {
    return this._cells[index];
  }

  // ---------------------------------------------------------------- building

  _build() {
    const { board, title } = this._view;
    this._chooser?.leave?.();
    this._chooser = board.kind === "cards" ? new CardChooser(this) : new PieceChooser(this);
    this.dataset.kind = board.kind;
    this._cells = [];
    if (board.kind === "text") return this._buildText();
    if (board.kind === "pits") return this._buildPits();
    this.style.setProperty("--rows", board.rows);
    this.style.setProperty("--columns", board.columns);
    const [rows, columns] = [board.rows, board.columns].map((count, axis) => this._order(count, axis));
    const grid = h("div", { class: "cells", role: "grid", "aria-label": `${title} board` });
    for (const row of rows) {
      const line = h("div", { role: "row", class: "row" });
      line.append(h("span", { class: "label", "aria-hidden": "true" }, board.row_labels[row] ?? ""));
      for (const column of columns) line.append(this._makeCell(row * board.columns + column));
      grid.append(line);
    }
    const names = h("div", { class: "row names", "aria-hidden": "true" }, h("span", { class: "label" }));
    for (const column of columns) names.append(h("span", { class: "label" }, board.column_labels[column] ?? ""));
    fill(this, board.kind === "columns" || board.kind === "cards" ? [grid, names] : [names, grid], this._chooser.element);
  }

  _order(count, axis) {
    const places = [...Array(count).keys()];
    return this._isTurned(axis) ? places.reverse() : places;
  }

  /** Whether rows or columns are shown the other way round: a rack keeps its bottom, seen from behind. */
  _isTurned(axis) {
    return this._flipped && Boolean(TURNED[/** @type {keyof typeof TURNED} */ (this._view.board.kind)]?.[axis]);
  }

  _buildText() {
    this._text = h("pre", { class: "position" });
    this._buttons = h("div", { class: "moves", role: "group", "aria-label": "Legal moves" });
    fill(this, this._text, this._buttons);
  }

  /** Two rows of pits between two stores: cells 0 and columns + 1 are the stores. */
  _buildPits() {
    const { columns } = this._view.board;
    this.style.setProperty("--columns", columns);
    const cells = [...Array(2 * columns + 2).keys()].map((index) => this._makeCell(index));
    const [left, right] = [cells[0], cells[columns + 1]];
    const rows = [cells.slice(1, columns + 1), cells.slice(columns + 2)];
    const ends = [left, right].map((store) => (store.classList.add("store"), h("div", { role: "row", class: "end" }, store)));
    if (this._flipped) {
      for (const row of rows) row.reverse();
      rows.reverse();
      ends.reverse();
    }
    const pits = h("div", { class: "pits", role: "grid", "aria-label": `${this._view.title} board` });
    pits.append(ends[0], h("div", { role: "rowgroup" }, rows.map((row) => h("div", { role: "row", class: "row" }, row))), ends[1]);
    fill(this, pits);
  }

  _makeCell(index) {
    const cell = h("div", { class: "cell", role: "gridcell", tabindex: "-1", "data-cell": index });
    cell.addEventListener("click", () => this._choose(index));
    cell.addEventListener("pointerdown", (event) => this._chooser.press?.(event, index));
    cell.addEventListener("keydown", (event) => this._key(event, index));
    cell.addEventListener("pointerenter", () => this._preview(index));
    cell.addEventListener("pointerleave", () => this._preview(-1));
    cell.addEventListener("focus", () => {
      this._focused = index;
      this._rove();
      this._preview(index);
    });
    cell.addEventListener("blur", () => this._preview(-1));
    this._cells[index] = cell;
    return cell;
  }

  // ---------------------------------------------------------------- drawing

  _draw() {
    const { board, legal, last } = this._view;
    if (board.kind === "text") {
      this._text.textContent = board.text;
      fill(
        this._buttons,
        legal.map(({ move }) => h("button", { type: "button", disabled: !this._interactive, onclick: () => this._emit(move) }, move)),
      );
      return;
    }
    const guides = new Set(this._interactive && this._guides ? this._chooser.places(legal) : []);
    this._cells.forEach((cell, index) => {
      const content = board.cells[index];
      if (cell.dataset.content !== String(content)) {
        cell.dataset.content = String(content);
        fill(cell, piece(content, board.kind, this._view.players));
      }
      cell.classList.toggle("last", last.includes(index));
      cell.classList.toggle("legal", guides.has(index));
      cell.classList.toggle("movable", Boolean(this._chooser.origins?.has(index)));
      cell.classList.toggle("won", board.line.includes(index));
      const parts = [this.nameOf(index), contentName(content, this._view)];
      if (last.includes(index)) parts.push("last move");
      if (board.line.includes(index)) parts.push("winning line");
      if (guides.has(index)) parts.push("legal");
      set(cell, { "aria-label": parts.join(", "), "aria-selected": this._chooser.picked === index || null });
    });
    for (const cell of this._cells) cell.classList.remove("link-right", "link-up");
    for (const [one, other] of board.links) this._link(Math.min(one, other), Math.max(one, other));
    this._rove();
    this._picture.redraw();
    this._drawMarks();
  }

  _link(low, high) {
    if (high - low === 1) this._cells[low].classList.add("link-right");
    else this._cells[high].classList.add("link-up");
  }

  _drawMarks() {
    this._cells.forEach((cell, index) => {
      const mark = this._marks.get(index);
      let label = cell.querySelector(".mark");
      if (!mark) label?.remove();
      else {
        if (!label) cell.append((label = h("span", { class: "mark", "aria-hidden": "true" })));
        label.textContent = mark.text;
        set(label, { "data-kind": mark.kind, "data-best": mark.best ? "yes" : null, "data-grade": mark.grade });
      }
      const words = [mark?.words ?? mark?.text, mark?.best && "best", this._picture.words(index)].filter(Boolean);
      set(cell, { "aria-description": words.join(", ") || null });
    });
  }

  /** What a cell is called. */
  nameOf(index) {
    const { board } = this._view;
    if (board.kind === "pits") {
      const { columns } = board;
      if (index === 0) return `${this._view.players[1]}'s store`;
      if (index === columns + 1) return `${this._view.players[0]}'s store`;
      const isUpper = index <= columns;
      return `${this._view.players[isUpper ? 1 : 0]}, pit ${isUpper ? columns + 1 - index : index - columns - 1}`;
    }
    const row = Math.floor(index / board.columns);
    const column = index % board.columns;
    const across = board.column_labels[column] ?? column + 1;
    if (board.kind === "columns") return `column ${across}, row ${board.rows - row}`;
    return `${across}${board.row_labels[row] ?? row + 1}`;
  }

  // ---------------------------------------------------------------- choosing

  /** The legal moves that a click on a cell makes; a column is one place, unless a piece moves. */
  meant(index) {
    const { board, legal } = this._view;
    const place = (cell, { cells }) => (board.kind === "columns" && cells.length === 1 ? cell % board.columns : cell);
    return this._chooser.moves(legal).filter((move) => place(move.target, move) === place(index, move));
  }

  _choose(index) {
    if (!this._view) return;
    if (!this._interactive) return this._refuse("it is not your turn");
    if (this._chooser.pickUp(index)) return;
    const moves = this.meant(index);
    if (moves.length === 1) this._emit(moves[0].move);
    else if (moves.length) this._ask(index, moves);
    else this._refuse(`${this.nameOf(index)} is not a legal move`);
  }

  _emit(move) {
    this._preview(-1);
    this.dispatchEvent(new CustomEvent("play", { detail: { move }, bubbles: true }));
  }

  _refuse(text) {
    this.dispatchEvent(new CustomEvent("refused", { detail: { text }, bubbles: true }));
  }

  /** Several moves end on this cell: let a person say which. */
  _ask(index, moves) {
    const menu = h("div", { class: "choice", role: "menu", "aria-label": "Which move?" });
    const close = () => {
      menu.remove();
      this._cells[index].focus();
    };
    for (const { move } of moves) {
      menu.append(h("button", { type: "button", role: "menuitem", onclick: () => (menu.remove(), this._emit(move)) }, move));
    }
    menu.addEventListener("keydown", (event) => event.key === "Escape" && (event.stopPropagation(), close()));
    this.querySelector(".choice")?.remove();
    this.append(menu);
    /** @type {HTMLElement} */ (menu.firstElementChild).focus();
  }

  _preview(index) {
    for (const cell of this.querySelectorAll(".ghost")) cell.remove();
    for (const cell of this.querySelectorAll(".will-change")) cell.classList.remove("will-change");
    if (index < 0 || !this._interactive || !this._view) return;
    const [move] = this.meant(index);
    if (!move) return;
    const { board, players } = this._view;
    for (const [place, content] of move.changes) {
      const cell = this._cells[place];
      if (board.kind === "pits") continue;
      if (board.cells[place] === "" && content !== "") {
        const ghost = piece(content, board.kind, players);
        ghost.classList.add("ghost");
        cell.append(ghost);
      } else cell.classList.add("will-change");
    }
  }

  // ---------------------------------------------------------------- keys

  _rove() {
    this._cells.forEach((cell, index) => cell.setAttribute("tabindex", index === this._focused ? "0" : "-1"));
    if (!this._cells[this._focused]) this._focused = 0;
  }

  _key(event, index) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      return this._choose(index);
    }
    if (event.key === "Escape") this._chooser.putBack();
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
    const isTurn = event.key === "r" && this._chooser.turn; // of this board's card, if there are several
    if (!step && !isTurn) return;
    event.preventDefault();
    if (isTurn) return this._chooser.turn();
    this._cells[this._neighbour(index, step)]?.focus();
  }

  _neighbour(index, step) {
    const { board } = this._view;
    const [down, right] = step.map((by, axis) => (this._isTurned(axis) ? -by : by));
    if (board.kind === "pits") return this._pitBeside(index, down, right);
    const row = Math.floor(index / board.columns) + down;
    const column = (index % board.columns) + right;
    const inside = row >= 0 && row < board.rows && column >= 0 && column < board.columns;
    return inside ? row * board.columns + column : index;
  }

  _pitBeside(index, down, right) {
    const { columns } = this._view.board;
    if (down) return index <= columns ? (down > 0 ? index + columns + 1 : index) : down < 0 ? index - columns - 1 : index;
    const next = index + right;
    return next >= 0 && next < this._cells.length ? next : index;
  }
}

customElements.define("g-board", GBoard);
