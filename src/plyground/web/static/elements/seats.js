// @ts-check
// Who plays, whose turn it is, the score board and the clocks.
import { breakable, h } from "../lib/dom.js";

const SWATCHES = { Black: "var(--disc-black)", White: "var(--disc-white)", Yellow: "var(--disc-yellow)", Red: "var(--disc-red)" };

/** @param {HTMLElement[]} clocks one for each side */
export function seats(view, players, isOver, clocks) {
  return view.players.map((name, index) => {
    const isToMove = !isOver && (view.side === "first") === (index === 0);
    const count = view.board.counts?.[index ? "second" : "first"];
    return h(
      "div",
      { class: isToMove ? "seat to-move" : "seat", "data-testid": index ? "second" : "first" },
      swatch(name, index, view.board.kind),
      h("span", { class: "who" }, h("strong", {}, name), h("span", { class: "note" }, players[index] === "human" ? "person" : breakable(players[index]))),
      isToMove && h("span", { class: "unseen" }, "to move"),
      clocks[index],
      count !== undefined && h("span", { class: "score" }, count),
    );
  });
}

/** The colour of a side's pieces, where pieces have one. */
function swatch(name, index, kind) {
  if (kind === "cards" || kind === "pits" || kind === "text" || name === "X" || name === "O") return null;
  const element = h("span", { class: "swatch", "aria-hidden": "true" });
  element.style.setProperty("--swatch", SWATCHES[/** @type {keyof typeof SWATCHES} */ (name)] ?? (index ? "var(--disc-white)" : "var(--disc-black)"));
  return element;
}
