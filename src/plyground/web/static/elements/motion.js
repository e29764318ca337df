// @ts-check
// Movement between two positions, found by comparing them: what is new drops or appears, what
// changed its side turns over, spreading from the last move, what moved slides. Stops for people who want none.
import { settings } from "../lib/store.js";

const APPEAR_MS = 140;
const DROP_MS = 60;
const DROP_ROW_MS = 45;
const FLIP_MS = 260;
const RING_MS = 25;
const SLIDE_MS = 160;
let lastMs = -Infinity;

/** @param {any} board @param {any} before @param {any} after @param {DOMRect} [seen] where the piece was that moved */
export function animate(board, before, after, seen) {
  if (before.board.cells.every((content, index) => content === after.board.cells[index])) return; // drawn anew, not moved
  const now = performance.now();
  const isHeld = now - lastMs < 120; // somebody steps through a game with a held key
  lastMs = now;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches || !settings.animations.value;
  if (still || isHeld || before.board.cells.length !== after.board.cells.length) return;
  const { kind, columns } = after.board;
  const [origin, target] = after.last;
  after.board.cells.forEach((content, index) => {
    const old = before.board.cells[index];
    if (old === content || content === "") return;
    const piece = board.cell(index)?.querySelector(".piece");
    if (!piece) return;
    if (seen && index === target && content === before.board.cells[origin]) slide(piece, seen);
    else if (old !== "" && kind !== "pits") flip(piece, ring(index, origin, columns));
    else if (kind === "columns") drop(piece, Math.floor(index / columns) + 1);
    else piece.animate([{ transform: "scale(0.4)", opacity: 0.2 }, { transform: "none", opacity: 1 }], { duration: APPEAR_MS, easing: "ease-out" });
  });
}

function drop(piece, rows) {
  const from = `translateY(${-100 * rows}%)`;
  piece.animate([{ transform: from }, { transform: "none" }], { duration: DROP_MS + DROP_ROW_MS * rows, easing: "cubic-bezier(.4,0,.9,.6)" });
}

function slide(piece, seen) {
  const to = piece.getBoundingClientRect();
  piece.animate([{ transform: `translate(${seen.x - to.x}px, ${seen.y - to.y}px)`, zIndex: 3 }, { transform: "none", zIndex: 3 }], { duration: SLIDE_MS, easing: "ease-out" });
}

function flip(piece, distance) {
  piece.animate([{ transform: "rotateY(180deg)" }, { transform: "none" }], { duration: FLIP_MS, delay: RING_MS * distance, fill: "backwards", easing: "ease-in-out" });
}

function ring(index, origin, columns) {
  if (origin === undefined) return 0;
  const down = Math.abs(Math.floor(index / columns) - Math.floor(origin / columns));
  return Math.max(down, Math.abs((index % columns) - (origin % columns)));
}
