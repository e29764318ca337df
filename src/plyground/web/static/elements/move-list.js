// @ts-check
// The moves so far, in their order; the current one is marked, and each can be gone to.
import { h } from "../lib/dom.js";

export function moveList(view, current, goTo = null) {
  if (!view.moves.length) return h("p", { class: "note" }, "No moves yet.");
  const list = h(
    "ol",
    { class: "move-list" },
    view.moves.map((move, index) =>
      h("li", {}, h("button", { type: "button", "aria-current": index + 1 === current ? "step" : null, disabled: !goTo, onclick: () => goTo?.(index + 1) }, h("span", { class: "note" }, `${index + 1}. `), move)),
    ),
  );
  queueMicrotask(() => list.querySelector("[aria-current]")?.scrollIntoView?.({ block: "nearest" }));
  return list;
}
