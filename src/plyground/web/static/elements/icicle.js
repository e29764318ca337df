// @ts-check
// The whole tree at a glance: a bar for each node, as wide as what is below it, ply under ply. Drawn
// on a canvas, since there may be thousands. A click chooses a node and shows what is below it over the
// whole width; the bars above lead back. The outline says the same in words.
import { h } from "../lib/dom.js";

const ROW_PX = 14;
const COLOURS = ["--tree-pv", "--tree-cut", "--tree-all", "--tree-table"];
const FROM_TABLE = 2; // among the reasons why a node ended

export class Icicle {
  /** @param {{ overview: (first: number, last: number, width: number) => Promise<any>, chosen: (node: number) => void, label: string }} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    this.canvas = /** @type {HTMLCanvasElement} */ (h("canvas", { class: "icicle", role: "img", "aria-label": hooks.label, onclick: (event) => this.click(event) }));
    this.whole = h("button", { type: "button", class: "small", hidden: true, onclick: () => this.zoom(0, this.total - 1) }, "Whole tree");
    const key = [["pv", "on the best line"], ["cut", "refuted"], ["all", "not good enough"], ["table", "from the table"]];
    this.element = h("div", { class: "icicle-place" }, this.canvas, h("div", { class: "row-of key" }, key.map(([kind, text]) => h("span", { class: "note" }, h("span", { class: `swatch of-${kind}` }), text)), h("span", { class: "grow" }), this.whole));
    this.total = 0;
    /** @type {any} */ this.bars = null;
    this.chosen = -1;
    this.path = new Set();
    this.turn = 0;
    new ResizeObserver(() => this.bars && this.zoom(this.bars.first, this.bars.last)).observe(this.element);
  }

  /** @param {number} total nodes */
  show(total) {
    this.total = total;
    this.chosen = -1;
    this.path = new Set();
    return this.zoom(0, total - 1);
  }

  /** Show the nodes between two only. */
  async zoom(first, last) {
    const width = Math.max(100, Math.min(4000, this.element.clientWidth || 800));
    const turn = ++this.turn;
    const bars = await this.hooks.overview(first, last, width).catch(() => null);
    if (!bars || turn !== this.turn) return;
    this.bars = bars;
    this.whole.hidden = first === 0 && last >= this.total - 1;
    this.draw();
  }

  /** @param {number} node @param {any[]} path rows from the root */
  mark(node, path) {
    this.chosen = node;
    this.path = new Set(path.map((row) => row.node));
    if (this.bars) this.draw();
  }

  draw() {
    const { first, last, plies, node, end, ply, kind, reason } = this.bars;
    const width = this.element.clientWidth || 800;
    const ratio = devicePixelRatio || 1;
    const height = plies * ROW_PX;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    this.canvas.style.height = `${height}px`;
    const style = getComputedStyle(this.element);
    const colours = COLOURS.map((name) => style.getPropertyValue(name).trim());
    const ink = style.getPropertyValue("--ink").trim();
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    context.scale(ratio, ratio);
    const scale = width / (last - first + 1);
    for (let i = 0; i < node.length; i += 1) {
      const x = Math.max(0, (node[i] - first) * scale);
      const w = Math.min(width, (end[i] + 1 - first) * scale) - x;
      context.fillStyle = colours[reason[i] === FROM_TABLE ? 3 : kind[i]];
      context.globalAlpha = this.path.size === 0 || this.path.has(node[i]) ? 1 : 0.6;
      context.fillRect(x, ply[i] * ROW_PX, Math.max(0.5, w - (w > 3 ? 1 : 0)), ROW_PX - 1);
      if (node[i] === this.chosen) {
        context.globalAlpha = 1;
        context.strokeStyle = ink;
        context.lineWidth = 2;
        context.strokeRect(x + 1, ply[i] * ROW_PX + 1, Math.max(2, w - 2), ROW_PX - 3);
      }
    }
  }

  click(event) {
    if (!this.bars) return;
    const { first, last, node, end, ply } = this.bars;
    const at = first + (event.offsetX / this.canvas.clientWidth) * (last - first + 1);
    const row = Math.floor(event.offsetY / ROW_PX);
    // Where bars are too narrow to be drawn, the deepest one above is meant.
    const under = node.map((_, i) => i).filter((i) => ply[i] <= row && node[i] <= at && at < end[i] + 1);
    if (!under.length) return;
    const found = under.reduce((one, other) => (ply[other] > ply[one] ? other : one));
    this.hooks.chosen(node[found]);
    if (end[found] > node[found]) this.zoom(node[found], end[found]);
  }
}
