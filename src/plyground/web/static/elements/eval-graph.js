// @ts-check
// The course of a game: the first player's chance after every move. Points that were barely looked
// at are hollow, proven ones square. Click or arrow keys choose a move.
import { fill, svg } from "../lib/dom.js";

const [WIDTH, HEIGHT, EDGE] = [360, 120, 8];

export class EvalGraph {
  /** @param {(ply: number) => void} seek */
  constructor(seek) {
    this.seek = seek;
    this.element = svg("svg", { class: "eval-graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, tabindex: "0", role: "slider", "aria-label": "Course of the game" });
    this.count = 0;
    this.ply = 0;
    this.element.addEventListener("click", (event) => {
      const box = this.element.getBoundingClientRect();
      const share = (/** @type {MouseEvent} */ (event).clientX - box.left) / box.width;
      const inside = (share * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
      this.seek(Math.max(0, Math.min(this.count, Math.round(inside * this.count))));
    });
    this.element.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[/** @type {KeyboardEvent} */ (event).key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      this.seek(Math.max(0, Math.min(this.count, this.ply + step)));
    });
  }

  /** @param {Array<null | { chance: number, kind: string, text: string, isTentative: boolean }>} points */
  show(points, ply, count) {
    this.count = count;
    this.ply = ply;
    const x = (index) => EDGE + (count ? (index / count) * (WIDTH - 2 * EDGE) : 0);
    const y = (value) => EDGE + (1 - value) * (HEIGHT - 2 * EDGE);
    const known = points.map((point, index) => ({ point, index })).filter(({ point }) => point);
    const path = known.map(({ point, index }, i) => `${i ? "L" : "M"}${x(index)} ${y(/** @type {any} */ (point).chance)}`).join("");
    fill(
      this.element,
      svg("line", { class: "middle", x1: EDGE, x2: WIDTH - EDGE, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      svg("line", { class: "cursor", x1: x(ply), x2: x(ply), y1: 0, y2: HEIGHT }),
      svg("path", { class: "course", d: path || "M0 0" }),
      known.map(({ point, index }) => this._point(point, x(index), y(/** @type {any} */ (point).chance), index)),
    );
    const here = points[ply];
    this.element.setAttribute("aria-valuemin", "0");
    this.element.setAttribute("aria-valuemax", String(count));
    this.element.setAttribute("aria-valuenow", String(ply));
    this.element.setAttribute("aria-valuetext", `move ${ply}${here ? `, ${here.text}` : ""}`);
  }

  _point(point, x, y, index) {
    const isProven = point.kind !== "heuristic";
    const shape = isProven ? svg("rect", { x: x - 3, y: y - 3, width: 6, height: 6 }) : svg("circle", { cx: x, cy: y, r: 3 });
    shape.setAttribute("class", ["point", isProven ? "proven" : "", point.isTentative ? "tentative" : ""].join(" ").trim());
    shape.append(svg("title", {}, `${index}: ${point.text}`));
    return shape;
  }
}
