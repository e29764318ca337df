// @ts-check
// A game against a player of the kernel: what is clicked is sent there, and what it tells is shown.
import { fill, h } from "../web/static/lib/dom.js";
import { moveList } from "../web/static/elements/move-list.js";
import { seats } from "../web/static/elements/seats.js";
import "../web/static/elements/g-board.js";
import { drawn, frame } from "./frame.js";

export function render({ model, el, style }) {
  const { place, leave } = frame(el, style);
  const board = /** @type {any} */ (h("g-board"));
  const line = h("div", { class: "thinking", role: "status", "data-testid": "line" });
  const [seating, moves] = [h("div"), h("div")];
  const button = (text, does) => /** @type {any} */ (h("button", { type: "button", onclick: () => model.send({ do: does }) }, text));
  const [undo, again, pass] = [button("Take back", "undo"), button("New game", "restart"), button("Pass", "pass")];
  pass.classList.add("main");
  place.append(h("div", { class: "table" }, h("div", { class: "board-place" }, board, line), h("div", { class: "beside" }, seating, moves, h("div", { class: "row-of" }, undo, again))));
  // A click is meant for what was seen then, whatever has come since.
  board.addEventListener("play", ({ detail }) => model.send({ do: "play", move: detail.move, ply: board.view.moves.length }));
  board.addEventListener("refused", ({ detail }) => (line.textContent = `${detail.text}.`));
  const draw = () => {
    const { view, players, told, isMine, isThinking, canUndo } = model.get("shown");
    board.interactive = isMine;
    board.show(view);
    fill(seating, seats(view, players, view.over, []));
    fill(moves, moveList(view));
    fill(line, told, isMine && view.forced && pass);
    place.setAttribute("aria-busy", String(isThinking));
    undo.disabled = !canUndo;
    again.disabled = !view.moves.length;
  };
  const end = drawn(model, ["shown"], draw);
  return () => (end(), leave());
}
