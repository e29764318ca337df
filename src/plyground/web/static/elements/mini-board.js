// @ts-check
// A small board that shows a position and takes no clicks.
import { h } from "../lib/dom.js";
import "./g-board.js";

export function miniBoard(view) {
  const board = /** @type {any} */ (h("g-board", { class: "mini", "aria-hidden": "true", inert: true }));
  board.interactive = false;
  board.show(view, { quick: true });
  return board;
}
