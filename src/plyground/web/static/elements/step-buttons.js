// @ts-check
// Through a game: to its first position, back, forward, to its last.
import { h } from "../lib/dom.js";

/** @param {{ first: () => void, back: () => void, forward: () => void, last: () => void }} steps @param {...any} more what stands beside them */
export function stepButtons(steps, ...more) {
  const button = (sign, name, run) => h("button", { type: "button", "aria-label": name, onclick: run }, sign);
  return h("div", { class: "row-of steps" }, button("|‹", "First", steps.first), button("‹", "Back", steps.back), button("›", "Forward", steps.forward), button("›|", "Last", steps.last), more);
}
