// @ts-check
// Choosing among moves of pieces: first which piece, then where it goes, by two clicks or by dragging
// it there. A move of one cell needs no piece and is made by one click. Knows no rule.
import { say } from "../lib/say.js";

const DRAG_PX = 6; // a finger that taps moves a little

export class PieceChooser {
  /** @param {any} board the g-board it belongs to */
  constructor(board) {
    this.board = board;
  }

  update(view) {
    /** @type {number | null} the cell of the piece that was picked up */ this.picked = null;
    /** The cells of the pieces that can move. @type {Set<number>} */
    this.origins = new Set(view.legal.filter(({ cells }) => cells.length > 1).map(({ cells }) => cells[0]));
  }

  /** Those of the legal moves that one more click makes. */
  moves(legal) {
    return legal.filter(({ cells }) => (this.picked === null ? cells.length === 1 : cells[0] === this.picked));
  }

  /** The cells to point at: what can be picked up, or where it can go. */
  places(legal) {
    return this.picked === null ? legal.map(({ cells }) => cells[0]) : this.moves(legal).map(({ target }) => target);
  }

  /** Whether a click on this cell takes a piece up or puts it back; then nothing was played. */
  pickUp(index) {
    const isOther = this.origins.has(index) && index !== this.picked;
    if (this.picked === null ? !isOther : this.board.meant(index).length) return false;
    this._pick(isOther ? index : null);
    return true;
  }

  putBack() {
    if (this.picked !== null) this._pick(null);
  }

  _pick(index) {
    const name = this.board.nameOf(index ?? this.picked);
    this.picked = index;
    this.board._draw();
    say(index === null ? `${name} is back in its place.` : `${name} is picked up. Choose where it goes.`);
  }

  /** A piece that is pressed goes with the pointer; let go where it was, it was clicked. */
  press(event, index) {
    const { board } = this;
    if (event.button || !event.isPrimary || !board._interactive || !this.origins.has(index)) return;
    const piece = board.cell(index).firstElementChild;
    const isDragged = () => piece.style.translate !== "";
    const end = new AbortController();
    event.target.releasePointerCapture(event.pointerId); // of a finger: so that cells notice what is above them
    const drag = ({ clientX, clientY }) => {
      const [right, down] = [clientX - event.clientX, clientY - event.clientY];
      if (!isDragged() && Math.hypot(right, down) < DRAG_PX) return;
      if (!isDragged() && this.picked !== index) this._pick(index);
      piece.style.translate = `${right}px ${down}px`;
    };
    const drop = ({ type, clientX, clientY }) => {
      end.abort();
      const to = type === "pointerup" ? board._cells.indexOf(board.getRootNode().elementFromPoint(clientX, clientY)?.closest(".cell")) : -1;
      if (isDragged() && this.picked === index && to !== index) board.meant(to).length ? board._choose(to) : this.putBack();
      piece.style.translate = "";
    };
    for (const [name, hear] of Object.entries({ pointermove: drag, pointerup: drop, pointercancel: drop })) addEventListener(name, (now) => now.pointerId === event.pointerId && hear(now), { signal: end.signal });
  }
}
