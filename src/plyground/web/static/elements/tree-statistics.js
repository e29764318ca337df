// @ts-check
// What a search did, ply by ply, and how far it was from the least that any proof needs.
import { fill, h } from "../lib/dom.js";

const number = (value) => value?.toLocaleString("en") ?? "–"; // of nodes that were counted only not all is known

export class TreeStatistics {
  constructor() {
    this.element = h("details", { class: "tree-statistics" });
  }

  /** @param {any} summary */
  show(summary) {
    const { statistics, counters, depth, least_leaves: least } = summary;
    const cuts = counters.cutoffs;
    const facts = [
      ["nodes", number(counters.nodes)],
      ["leaves", number(counters.leaves)],
      ["cut-offs", number(cuts)],
      ["at the first move", cuts ? `${Math.round((100 * counters.first_cutoffs) / cuts)} %` : "–"],
      ["branching that would need as many nodes", Math.pow(Math.max(1, counters.nodes), 1 / depth).toFixed(2)],
      ["leaves with the best order throughout", least === null ? "–" : number(Math.round(least))],
      ["table hits", counters.probes ? number(counters.hits) : "–"],
      ["searched again", number(counters.researches)],
      ["passes", counters.passes ? number(counters.passes) : "1"],
    ];
    const head = ["Ply", "Nodes", "Leaves", "Cuts", "First", "Cut moves", "Table"];
    fill(
      this.element,
      h("summary", {}, "Statistics by depth"),
      h("dl", { class: "facts" }, facts.map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", { "data-fact": name }, text)))),
      h(
        "table",
        { class: "by-ply" },
        h("thead", {}, h("tr", {}, head.map((each) => h("th", { scope: "col" }, each)))),
        h("tbody", {}, statistics.map((row) => h("tr", {}, [row.ply, row.nodes, row.leaves, row.cuts, row.first_cuts, row.unsearched, row.table].map((each) => h("td", {}, number(each)))))),
      ),
    );
  }
}
