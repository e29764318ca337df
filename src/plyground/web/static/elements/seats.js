// @ts-check
// Who plays, whose turn it is, and the score board.
import { h } from "../lib/dom.js";

const SWATCHES = { Black: "var(--disc-black)", White: "var(--disc-white)", Yellow: "var(--disc-yellow)", Red: "var(--disc-red)" };

export function seats(view, players, isOver) {
  return view.players.map((name, index) => {
    const isToMove = !isOver && (view.side === "first") === (index === 0);
    const swatch = h("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.setProperty("--swatch", SWATCHES[/** @type {keyof typeof SWATCHES} */ (name)] ?? (index ? "var(--disc-white)" : "var(--disc-black)"));
    const count = view.board.counts?.[index ? "second" : "first"];
    return h(
      "div",
      { class: isToMove ? "seat to-move" : "seat", "data-testid": index ? "second" : "first" },
      swatch,
      h("span", {}, h("strong", {}, name), ` · ${players[index] === "human" ? "person" : players[index]}`),
      isToMove && h("span", { class: "unseen" }, "to move"),
      count !== undefined && h("span", { class: "score" }, count),
    );
  });
}
