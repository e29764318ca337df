// @ts-check
// The bar beside the board: how likely the first player is to win. It keeps its last value while
// the next is being found, hatched to say so.
import { h, set } from "../lib/dom.js";

/** A score for the side to move as the first player's chance to win, 0 to 1. */
export function chance(score, side, swing = 200) {
  if (!score) return 0.5;
  let value = 0.5;
  if (score.kind === "win") value = 1;
  else if (score.kind === "loss") value = 0;
  else if (score.kind === "proven") value = score.value > 0 ? 1 : score.value < 0 ? 0 : 0.5;
  else value = 0.5 + 0.45 * Math.tanh(score.value / swing);
  return side === "first" ? value : 1 - value;
}

/** The score as the first player sees it, in words. */
export function seenByFirst(score, side) {
  if (!score) return "?";
  if (side === "first") return score.text;
  if (score.kind === "win" || score.kind === "loss") return `${score.kind === "win" ? "loss" : "win"} in ${score.value}`;
  return score.value > 0 ? `-${score.value}` : `+${-score.value}`;
}

export class EvalBar {
  constructor() {
    this.fill = h("span", { class: "fill" });
    this.text = h("span", { class: "figure" });
    this.element = h("div", { class: "eval-bar", role: "img", "aria-label": "Evaluation: not known" }, this.fill, this.text);
  }

  show(score, side, swing, players) {
    const value = chance(score, side, swing);
    this.fill.style.setProperty("--share", String(value));
    this.text.textContent = seenByFirst(score, side);
    set(this.element, { "aria-label": `Evaluation for ${players[0]}: ${seenByFirst(score, side)}`, "data-stale": null });
  }

  /** The position has changed, and nothing is known of the new one yet. */
  markStale() {
    set(this.element, { "data-stale": "yes" });
  }
}
