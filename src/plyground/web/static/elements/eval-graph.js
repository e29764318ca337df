// @ts-check
// The course of a game: the first player's chance after every move. Points that were barely looked
// at are hollow, proven ones square. Dragging, a click or arrow keys choose a move.
import { fill, set, svg } from "../lib/dom.js";
import { isProven } from "../lib/scores.js";

const [WIDTH, HEIGHT, EDGE] = [360, 120, 8];

export class EvalGraph {
  /** @param {(ply: number) => void} seek @param {() => void} released when it is held no longer @param {string} label */
  constructor(seek, released = () => {}, label = "Course of the game") {
    this.seek = seek;
    /** How far to the right each point is. @type {number[]} */ this.shares = [];
    this.isHeld = false;
    this.element = svg("svg", { class: "eval-graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, tabindex: "0", role: "slider", "aria-label": label });
    this.count = 0;
    this.ply = 0;
    set(this.element, {
      onpointerdown: (event) => this._hold(event),
      onpointermove: (event) => this.isHeld && this._follow(event),
      onlostpointercapture: () => ((this.isHeld = false), released()),
    });
    this.element.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[/** @type {KeyboardEvent} */ (event).key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      this.seek(Math.max(0, Math.min(this.count, this.ply + step)));
    });
  }

  _hold(event) {
    if (event.button) return;
    this.element.setPointerCapture(event.pointerId);
    this.isHeld = true;
    this._follow(event);
  }

  _follow(event) {
    const box = this.element.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    const inside = (share * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
    const distances = this.shares.map((each) => Math.abs(each - inside));
    const ply = distances.indexOf(Math.min(...distances));
    if (ply === this.ply) return;
    this.ply = ply;
    this.seek(ply);
  }

  /** @param {Array<null | { chance: number, kind: string, text: string, isTentative: boolean, at?: number }>} points one for each position, the first before any move; at even distances unless they say where @param {number} ply @param {string} [move] the one that led there */
  show(points, ply, move = "", where = `move ${ply}`) {
    this.count = points.length - 1;
    this.shares = points.map((point, index) => point?.at ?? (this.count ? index / this.count : 0));
    this.ply = ply;
    const x = (index) => EDGE + this.shares[index] * (WIDTH - 2 * EDGE);
    const y = (value) => EDGE + (1 - value) * (HEIGHT - 2 * EDGE);
    const known = points.flatMap((point, index) => (point ? [{ point, index, at: [x(index), y(point.chance)] }] : []));
    fill(
      this.element,
      svg("line", { class: "middle", x1: EDGE, x2: WIDTH - EDGE, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      svg("line", { class: "cursor", x1: x(ply), x2: x(ply), y1: 0, y2: HEIGHT }),
      svg("path", { class: "course", d: known.map(({ at }, i) => `${i ? "L" : "M"}${at.join(" ")}`).join("") || "M0 0" }),
      known.map(({ point, index, at }) => this._point(point, at, index)),
    );
    const here = points[ply];
    set(this.element, { "aria-valuemin": "0", "aria-valuemax": String(this.count), "aria-valuenow": String(ply), "aria-valuetext": [where, move, here?.text].filter(Boolean).join(", ") });
  }

  /** Make the points stand out at which most was lost. @param {number[]} plies */
  markDrops(plies) {
    for (const point of this.element.querySelectorAll(".point")) point.classList.toggle("drop", plies.includes(Number(/** @type {SVGElement} */ (point).dataset.ply)));
  }

  _point(point, [x, y], index) {
    const proven = isProven(point);
    const shape = proven ? svg("rect", { x: x - 3, y: y - 3, width: 6, height: 6 }) : svg("circle", { cx: x, cy: y, r: 3 });
    const classes = ["point", proven && "proven", point.isTentative && "tentative"].filter(Boolean);
    set(shape, { class: classes.join(" "), "data-ply": index });
    shape.append(svg("title", {}, `${index}: ${point.text}${proven ? ", proven" : ""}`));
    return shape;
  }
}
