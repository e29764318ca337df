// @ts-check
// One search laid open: what it found, its tree as a picture or as bars, and its outline.
import { fill, h } from "../../lib/dom.js";
import { TraceSource } from "../../lib/trace.js";
import { Icicle } from "../../elements/icicle.js";
import { TreeOutline } from "../../elements/tree-outline.js";
import { TreePicture } from "../../elements/tree-picture.js";
import { TreeStatistics } from "../../elements/tree-statistics.js";
import { WindowRuler } from "../../elements/window-ruler.js";

export class SearchPane {
  /** @param {string} title @param {string} algorithm @param {{ chosen: (pane: SearchPane, node: number) => void }} hooks @param {any} source what finds the tree and its nodes */
  constructor(title, algorithm, hooks, source = new TraceSource()) {
    this.title = title;
    this.algorithm = algorithm;
    this.hooks = hooks;
    this.source = source;
    /** @type {any} */ this.summary = null;
    this.ruler = new WindowRuler([-1, 1]);
    this.outline = new TreeOutline({ children: (node, start) => this.source.children(node, start), chosen: (row) => hooks.chosen(this, row.node), jump: (node) => this.goTo(node), label: `Tree of ${title}` });
    this.icicle = new Icicle({ overview: (first, last, width) => this.source.overview(first, last, width), chosen: (node) => this.goTo(node), label: `Overview of the tree of ${title}` });
    this.picture = new TreePicture({ chosen: (node) => this.goTo(node), label: `Picture of the tree of ${title}` });
    this.statistics = new TreeStatistics();
    this.headline = h("p", { class: "headline", role: "status", "data-testid": "headline" }, "Searching …");
    this.notes = h("p", { class: "note" });
    this.stop = h("button", { type: "button", class: "small", onclick: () => this.source.stop() }, "Stop");
    this.body = h("div", { hidden: true }, this.picture.element, this.icicle.element, this.statistics.element, this.outline.element);
    this.element = h("section", { class: "panel search-pane", "aria-label": title }, h("div", { class: "row-of" }, h("h2", {}, title), h("span", { class: "grow" }), this.stop), this.headline, this.notes, this.body);
    this.turn = 0; // of the replay
    this.going = 0; // to nodes that were asked for
  }

  async search(question) {
    try {
      this.summary = await this.source.search(question, (text) => (this.headline.textContent = text));
    } catch (error) {
      this.headline.textContent = error.message;
      this.headline.classList.add("wrong");
      throw error;
    } finally {
      this.stop.hidden = true;
    }
    this.draw();
  }

  get isSmall() {
    return this.summary?.all != null;
  }

  draw() {
    const { summary } = this;
    const { counters, dropped, all } = summary;
    this.ruler = new WindowRuler(summary.scale);
    this.headline.textContent = `${summary.value} with ${summary.line.join(" ") || "no move"}`;
    this.notes.textContent = `${counters.nodes.toLocaleString("en")} nodes, ${counters.leaves.toLocaleString("en")} leaves, ${cutText(summary)}` + (dropped ? `; ${dropped.toLocaleString("en")} nodes of the deepest plies were counted only` : "");
    this.body.hidden = false;
    this.picture.element.hidden = !all;
    this.icicle.element.hidden = Boolean(all);
    if (all) this.picture.show(all, summary.us);
    else this.icicle.show(summary.nodes);
    this.statistics.show(summary);
    this.outline.show(summary, this.ruler);
    if (summary.roots.rows.length === 1) this.outline.open(0);
  }

  /** Show a node everywhere. */
  async goTo(node) {
    const going = ++this.going;
    const details = await this.source.node(node);
    if (going !== this.going) return;
    await this.outline.reveal(details.path, { isWanted: () => going === this.going });
    if (going !== this.going) return;
    this.mark(node, details.path);
  }

  /** Go no further on the way to a node. */
  stay() {
    this.going += 1;
  }

  mark(node, path) {
    if (this.isSmall) this.picture.mark(node);
    else this.icicle.mark(node, path);
  }

  /** Show the search at a visit; beyond the last it is finished. @param {number} visit @param {() => boolean} follows whether the node that is entered is to be chosen @returns {Promise<number | null>} that node, if it was */
  async at(visit, follows) {
    const turn = ++this.turn;
    const total = this.summary.nodes;
    if (visit >= total) {
      this.showKnown(Infinity);
      return null;
    }
    const moment = await this.source.visit(visit);
    if (turn !== this.turn) return null;
    if (follows()) await this.outline.reveal(moment.path, { quietly: true, isWanted: () => turn === this.turn && follows() });
    if (turn !== this.turn) return null;
    this.showKnown(visit);
    if (!follows()) return null;
    this.mark(moment.node, moment.path);
    return moment.node;
  }

  showKnown(visit) {
    this.outline.atVisit(visit);
    if (this.isSmall) this.picture.at(visit);
  }

  close() {
    this.source.close();
  }
}

/** How much was cut. @param {any} summary */
function cutText({ cut_moves: moves, cut_leaves: leaves, dropped }) {
  const below = leaves ? ` (${leaves.toLocaleString("en")} ${leaves === 1 ? "leaf" : "leaves"})` : "";
  return `${dropped ? "at least " : ""}${moves.toLocaleString("en")} ${moves === 1 ? "move" : "moves"} cut${below}`;
}
