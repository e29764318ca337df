// @ts-check
// The moves so far, in their order; the last is marked and kept in view.
import { h } from "../lib/dom.js";

export function moveList(view) {
  if (!view.moves.length) return h("p", { class: "note" }, "No moves yet.");
  const last = view.moves.length - 1;
  const list = h(
    "ol",
    { class: "move-list" },
    view.moves.map((move, index) => h("li", { "aria-current": index === last ? "step" : null }, h("span", { class: "number" }, `${index + 1}.`), ` ${move}`)),
  );
  requestAnimationFrame(() => (list.scrollTop = list.scrollHeight));
  return list;
}
