// @ts-check
// The bar beside the board: how likely the first player is to win. It keeps its last value while
// the next is being found, hatched to say so; a proven result has a tick and no doubt about it.
import { h, set } from "../lib/dom.js";
import { chance, isProven, seenByFirst } from "../lib/scores.js";

export class EvalBar {
  constructor() {
    this.fill = h("span", { class: "fill" });
    this.text = h("span", { class: "figure" });
    this.element = h("div", { class: "eval-bar", role: "img", "aria-label": "Evaluation: not known" }, this.fill, this.text);
  }

  show(score, side, swing, players) {
    const words = seenByFirst(score, side);
    const value = chance(score, side, swing);
    this.fill.style.setProperty("--share", String(value));
    this.text.textContent = words;
    const proven = isProven(score);
    set(this.element, {
      "aria-label": `Evaluation for ${players[0]}: ${words}${proven ? ", proven" : ""}`,
      title: `${players[0]}: ${words}${proven ? ", proven" : ""}`,
      "data-proven": proven ? "yes" : null,
      "data-first": players[0].toLowerCase(),
      "data-stale": null,
    });
  }

  /** The position has changed, and nothing is known of the new one yet. */
  markStale(players) {
    set(this.element, { "data-stale": "yes", "data-first": players[0].toLowerCase() });
  }

  set flipped(value) {
    set(this.element, { "data-flipped": value ? "yes" : null });
  }
}
