// @ts-check
// A window on a ruler: from alpha to beta, where the best value stands, and how it got there. All is
// seen by whoever moves at the root. Values beyond the ruler stand at its ends.
import { h, svg } from "../lib/dom.js";

const WIDTH = 400;
const EDGE = 24;

export class WindowRuler {
  /** @param {[number, number]} scale the least and the greatest value on the ruler */
  constructor(scale) {
    const [low, high] = scale;
    this.low = low - Math.max(1, (high - low) * 0.05);
    this.high = high + Math.max(1, (high - low) * 0.05);
  }

  /** Where a value stands, from 0 to 1. @param {number} value */
  place(value) {
    return Math.max(0, Math.min(1, (value - this.low) / (this.high - this.low)));
  }

  /** A bar so small that it fits into a row. @param {{ low: number, high: number, value: number }} seen @param {boolean} isKnown */
  small(seen, isKnown) {
    const [from, to, at] = [seen.low, seen.high, seen.value].map((each) => Math.round(this.place(each) * 60));
    return svg(
      "svg",
      { class: "small-window", viewBox: "0 0 60 12", width: 60, height: 12, "aria-hidden": "true" },
      svg("rect", { class: "ground", x: 0, y: 5, width: 60, height: 2 }),
      svg("rect", { class: "open", x: from, y: 3, width: Math.max(1, to - from), height: 6 }),
      isKnown && svg("rect", { class: "at", x: Math.max(0, at - 1), y: 0, width: 2, height: 12 }),
    );
  }

  /**
   * The ruler of the inspector.
   * @param {{ low: number, high: number, value: number | null }} seen no value while nothing is known @param {[string, string]} texts of the ends
   * @param {string} worth @param {Array<{ number: number, best: string }>} course the best value after each child, seen the same way
   */
  large(seen, texts, worth, course) {
    const x = (value) => EDGE + this.place(value) * (WIDTH - 2 * EDGE);
    const [from, to, at] = [x(seen.low), x(seen.high), x(seen.value ?? 0)];
    const steps = course.map(({ number }, index) => svg("circle", { class: "step", cx: x(number), cy: 32 + (index % 3) * 4, r: 2.5 }));
    return h(
      "div",
      { class: "ruler", role: "img", "aria-label": `Window from ${texts[0]} to ${texts[1]}, value ${worth || "not known yet"}` },
      svg(
        "svg",
        { viewBox: `0 0 ${WIDTH} 76`, "aria-hidden": "true" },
        svg("line", { class: "ground", x1: EDGE, x2: WIDTH - EDGE, y1: 36, y2: 36 }),
        svg("rect", { class: "open", x: from, y: 28, width: Math.max(2, to - from), height: 16, rx: 3 }),
        to - from < 120
          ? svg("text", { class: "end", x: (from + to) / 2, y: 68, "text-anchor": anchor((from + to) / 2) }, `α ${texts[0]}   β ${texts[1]}`)
          : [svg("text", { class: "end", x: from, y: 68, "text-anchor": anchor(from) }, `α ${texts[0]}`), svg("text", { class: "end", x: to, y: 68, "text-anchor": anchor(to) }, `β ${texts[1]}`)],
        steps,
        seen.value !== null && svg("line", { class: "at", x1: at, x2: at, y1: 24, y2: 48 }),
        seen.value !== null && svg("text", { class: "value", x: at, y: 18, "text-anchor": anchor(at) }, worth),
      ),
    );
  }
}

function anchor(x) {
  return x < 60 ? "start" : x > WIDTH - 60 ? "end" : "middle";
}
