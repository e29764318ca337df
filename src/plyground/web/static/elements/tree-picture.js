// @ts-check
// A small tree drawn as a tree: nodes with their values, edges with their moves, cut branches as
// dashed stubs. At a moment of a replay only what is known then is shown. Knows no search.
import { fill, h, svg } from "../lib/dom.js";
import { isEntered, isKnown } from "../lib/trace.js";

const STEP_X = 46;
const STEP_Y = 78;
const EDGE = 30;
const LABELLED = 1.65; // steps from an inner node to its neighbour, with its window written between

export class TreePicture {
  /** @param {{ chosen: (node: number) => void, label: string }} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    this.element = h("div", { class: "tree-picture", tabindex: "0", role: "img", "aria-label": hooks.label });
    /** @type {any[]} */ this.rows = [];
    this.chosen = -1;
    this.until = Infinity;
    /** In a quiz: what the learner has found out about inner nodes. @type {Map<number, string> | null} */
    this.answers = null;
    /** In a quiz: the nodes that the learner would cut. @type {Set<number>} */
    this.struck = new Set();
    this.us = 0;
  }

  /** @param {any[]} rows all nodes, parents before their children @param {number} us who moves at the root */
  show(rows, us) {
    this.rows = rows;
    this.us = us;
    this.layOut();
    this.until = Infinity;
    this.draw();
  }

  /** Leaves side by side, everybody else above the middle of what is below. */
  layOut() {
    const below = new Map();
    for (const row of this.rows) {
      if (!below.has(row.parent)) below.set(row.parent, []);
      below.get(row.parent).push(row);
    }
    let next = 0;
    this.places = new Map();
    this.stubs = [];
    const place = (row) => {
      const children = below.get(row.node) ?? [];
      const xs = children.map(place);
      for (const name of row.cut ?? []) {
        this.stubs.push({ parent: row, name, x: next });
        xs.push(next);
        next += 0.7;
      }
      const x = xs.length ? (xs[0] + xs[xs.length - 1]) / 2 : next++;
      if (xs.length) next = Math.max(next, x + LABELLED);
      this.places.set(row.node, { x: EDGE + x * STEP_X, y: EDGE + row.ply * STEP_Y });
      return x;
    };
    for (const root of below.get(-1) ?? []) {
      place(root);
      next += 0.5;
    }
    this.width = Math.ceil(2 * EDGE + Math.max(0, next - 0.5) * STEP_X);
    this.height = 2 * EDGE + Math.max(...this.rows.map((row) => row.ply)) * STEP_Y + 18;
  }

  mark(node) {
    this.chosen = node;
    this.draw();
  }

  /** Show what is known at a visit. @param {number} visit */
  at(visit) {
    this.until = visit;
    this.draw();
  }

  draw() {
    const shapes = [];
    for (const stub of this.stubs) if (isKnown(stub.parent, this.until)) shapes.push(this.drawStub(stub));
    for (const row of this.rows) if (row.parent >= 0) shapes.push(this.drawEdge(row));
    for (const row of this.rows) shapes.push(this.drawNode(row));
    fill(this.element, svg("svg", { "aria-hidden": "true", viewBox: `0 0 ${this.width} ${this.height}`, width: this.width, height: this.height }, shapes));
  }

  drawStub({ parent, name, x }) {
    const from = this.places.get(parent.node);
    const to = { x: EDGE + x * STEP_X, y: from.y + STEP_Y * 0.6 };
    return svg(
      "g",
      { class: "stub" },
      svg("title", {}, `${name}: cut, never searched`),
      svg("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y }),
      svg("line", { class: "stroke", x1: (from.x + to.x) / 2 - 6, y1: (from.y + to.y) / 2 + 4, x2: (from.x + to.x) / 2 + 6, y2: (from.y + to.y) / 2 - 4 }),
      svg("text", { x: to.x, y: to.y + 14 }, name),
    );
  }

  drawEdge(row) {
    const from = this.places.get(row.parent);
    const to = this.places.get(row.node);
    const kind = this.struck.has(row.node) ? " struck" : !isEntered(row, this.until) ? " later" : row.node === this.chosen ? " chosen" : "";
    return svg("g", { class: `edge${kind}` }, svg("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y }), svg("text", { x: (from.x + to.x) / 2 + (to.x < from.x ? -8 : 8), y: (from.y + to.y) / 2 }, row.move));
  }

  drawNode(row) {
    const { x, y } = this.places.get(row.node);
    const isOurs = row.side === this.us;
    const isLeaf = row.reason === "leaf" || row.reason === "over";
    const isHere = isEntered(row, this.until);
    const classes = ["node", isKnown(row, this.until) && `of-${row.kind}`, isOurs ? "max" : "min", !isHere && "later", row.node === this.chosen && "chosen", isLeaf && "leaf"].filter(Boolean).join(" ");
    const shape = isLeaf ? svg("rect", { x: x - 17, y: y - 12, width: 34, height: 24, rx: 4 }) : svg("path", { d: isOurs ? `M${x} ${y - 19} L${x + 21} ${y + 14} L${x - 21} ${y + 14} Z` : `M${x} ${y + 19} L${x + 21} ${y - 14} L${x - 21} ${y - 14} Z` });
    const text = this.answers && !isLeaf ? (this.answers.get(row.node) ?? "") : isKnown(row, this.until) ? row.worth.replace(" ", "") : "";
    return svg(
      "g",
      { class: classes, "data-node": row.node, onclick: () => this.hooks.chosen(row.node) },
      svg("title", {}, isHere ? `${row.move ?? "root"}: window ${row.window.join(" to ")}` : `${row.move}: later`),
      shape,
      svg("text", { class: "value", x, y: isLeaf ? y + 5 : isOurs ? y + 9 : y + 1 }, text),
      !isLeaf && isHere && !this.answers && svg("text", { class: "window-of", x: x + (isOurs ? 13 : 15), y: isOurs ? y - 8 : y + 14 }, `${row.window[0]} … ${row.window[1]}`),
    );
  }
}
