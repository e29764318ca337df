// @ts-check
// Choosing among moves that put something on several cells, such as a card on two: first which way
// it lies, then where. What ways there are follows from what the legal moves change; so does
// whether a card must be picked up first. Knows no rule.
import { fill, h } from "../lib/dom.js";
import { bind } from "../lib/keys.js";
import { say } from "../lib/say.js";
import { contentName, piece } from "./pieces.js";

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export class CardChooser {
  /** @param {any} board the g-board it belongs to */
  constructor(board) {
    this.board = board;
    this.prompt = h("p", { class: "prompt" });
    this.group = h("div", { class: "ways", role: "radiogroup", "aria-label": "How the card lies" });
    this.group.addEventListener("keydown", (event) => this._key(event));
    this.turning = h("button", { type: "button", title: "r", onclick: () => this.turn() }, "Turn ↻");
    this.back = h("button", { type: "button", title: "Escape", onclick: () => this.putBack() }, "Put back");
    this.element = h("div", { class: "cards" }, this.prompt, this.group, h("div", { class: "row-of" }, this.turning, this.back));
    /** @type {string | null} */ this.way = null;
    /** @type {string | null} the cells of the card that was picked up */ this.picked = null;
    /** Ways to lie, with what each is called. @type {Map<string, string>} */
    this.ways = new Map();
  }

  update(view) {
    this.view = view;
    this.picked = null;
    this.element.hidden = view.over;
    this._bind();
    if (view.legal.length) this._list();
  }

  leave() {
    this.unbind?.();
    this.unbind = null;
  }

  /** R turns the card wherever the focus is, as long as there is one. */
  _bind() {
    if (!this.board.isConnected || this.board.inert) this.leave();
    else this.unbind ??= bind("Card", [["r", "turn the card", () => this.turn()]]);
  }

  /** Those of the legal moves that what was chosen so far leaves. */
  moves(legal) {
    const { board } = this.view;
    return legal.filter((move) => takenBy(move, board) === (this.picked ?? "") && (this.way === null || wayOf(move, board) === this.way));
  }

  /** The cells to point at: where it can go, or what can be picked up. */
  places(legal) {
    const targets = this.moves(legal).map((move) => move.target);
    if (this.picked) return targets;
    return [...targets, ...legal.flatMap((move) => cellsOf(takenBy(move, this.view.board)))];
  }

  /** Whether a click on this cell takes a card up or puts it back; then nothing was played. */
  pickUp(index) {
    const { legal, board } = this.view;
    if (this.picked && this.moves(legal).some((move) => move.target === index)) return false;
    const key = legal.map((move) => takenBy(move, board)).find((cells) => cellsOf(cells).includes(index));
    if (!key) return false;
    this._pick(this.picked === key ? null : key);
    return true;
  }

  putBack() {
    if (this.picked) this._pick(null);
  }

  _pick(key) {
    this.picked = key;
    this._list();
    this.board._draw();
    say(key ? "The card is picked up. Turn it, then choose where it goes." : "The card is back in its place.");
  }

  /** The next way to lie. */
  turn(step = 1) {
    const keys = [...this.ways.keys()];
    if (!keys.length) return say(this.prompt.textContent ?? "");
    const at = keys.indexOf(this.way ?? "");
    this._select(keys[(at + step + keys.length) % keys.length]);
    say(`Card ${this.ways.get(this.way ?? "")}`);
  }

  _key(event) {
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
    if (!step) return;
    event.preventDefault();
    this.turn(step);
    /** @type {HTMLElement | null} */ (this.group.querySelector("[aria-checked='true']"))?.focus();
  }

  _list() {
    const { legal, board } = this.view;
    const found = legal.filter((move) => takenBy(move, board) === (this.picked ?? "")).map((move) => [wayOf(move, board), move.move.split(" ").at(-3) ?? ""]);
    this.ways = new Map(found.sort(([, a], [, b]) => a.localeCompare(b)));
    if (this.way === null || !this.ways.has(this.way)) this.way = this.ways.keys().next().value ?? null;
    this._drawAll();
  }

  _select(way) {
    this.way = way;
    this._drawAll();
    this.board._draw();
  }

  _drawAll() {
    const lifted = cellsOf(this.picked ?? "");
    this.board._cells.forEach((cell, index) => cell.classList.toggle("lifted", lifted.includes(index)));
    const mustPick = this.ways.size === 0;
    this.prompt.textContent = mustPick ? "All cards are on the board: pick one up." : "Turn the card, then choose a marked place.";
    this.turning.hidden = mustPick;
    this.back.hidden = !this.picked;
    fill(
      this.group,
      [...this.ways].map(([way, name]) =>
        h(
          "button",
          { type: "button", role: "radio", class: "card-way", "aria-checked": way === this.way, "aria-label": `card ${name}: ${inWords(way, this.view)}`, tabindex: way === this.way ? "0" : "-1", onclick: () => this._select(way) },
          drawing(way, this.view.players),
          h("span", { class: "caption", "aria-hidden": "true" }, name),
        ),
      ),
    );
  }
}

const cellsOf = (key) => key.split(" ").filter(Boolean).map(Number);

/** The cells of the card that a move takes from the board, as text; none if it lays a new one. A
 * move touches no other card than the one it takes, so any full cell that it touches tells which. */
function takenBy(move, board) {
  const touched = [...move.changes.map(([place]) => place), ...move.cells].find((place) => board.cells[place] !== "");
  const link = board.links.find((cells) => cells.includes(touched));
  return link ? [...link].sort((a, b) => a - b).join(" ") : "";
}

/** The cells that a move fills, seen from its first cell: what makes two moves lie the same way. */
function wayOf(move, { columns, cells }) {
  const after = new Map(move.changes);
  const [anchor] = move.cells;
  const halves = move.cells.map((place) => [Math.floor(place / columns) - Math.floor(anchor / columns), (place % columns) - (anchor % columns), after.get(place) ?? cells[place]]);
  return JSON.stringify(halves.sort((a, b) => a[0] - b[0] || a[1] - b[1]));
}

function isFlat(halves) {
  return halves.every(([down]) => down === halves[0][0]);
}

function inWords(way, view) {
  const halves = JSON.parse(way);
  const [one, other] = halves.map(([, , content]) => contentName(content, view));
  return isFlat(halves) ? `${one} left; ${other} right` : `${one} above; ${other} below`;
}

function drawing(way, players) {
  const halves = JSON.parse(way);
  return h("span", { class: isFlat(halves) ? "mini-card flat" : "mini-card tall" }, halves.map(([, , content]) => piece(content, "cards", players)));
}
