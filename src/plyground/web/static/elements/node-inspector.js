// @ts-check
// One node of a search: its position, the way to it, its window on a ruler, and why it ended.
import { breakable, fill, h } from "../lib/dom.js";
import { REASONS, seen } from "../lib/trace.js";
import { miniBoard } from "./mini-board.js";

export class NodeInspector {
  /** @param {{ goTo: (node: number) => void, prove: (row: any) => Promise<any>, analyse?: (view: any) => string }} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    this.body = h("div", {}, h("p", { class: "note" }, "Choose a node to see why it ended."));
    this.element = h("section", { class: "panel inspector", "aria-label": "Node" }, h("h2", {}, "Node"), this.body);
  }

  clear(text) {
    fill(this.body, h("p", { class: "note" }, text));
  }

  /** @param {any} details as the server tells them @param {any} summary of its search @param {any} ruler */
  show(details, summary, ruler) {
    const { us } = summary;
    const row = details.path[details.path.length - 1];
    const turned = row.side !== us;
    const course = details.course.map((step) => ({ ...step, number: turned ? -step.number : step.number }));
    const { known } = details;
    const now = seen(row, us);
    const worth = known ? row.worth : (course.at(-1)?.best ?? "");
    if (!known) now.value = course.at(-1)?.number ?? null;
    const proof = h("div", { class: "proof", role: "status" });
    const canProve = known && summary.equals_minimax && (row.parent < 0 || (row.reason === "cut" && row.unsearched > 0 && !row.shut));
    const prove = h("button", { type: "button", onclick: () => this.prove(row, proof) }, "Search the cut moves anyway");
    fill(
      this.body,
      h("div", { class: "way", role: "group", "aria-label": "Way to the node" }, details.path.map((each, index) => [index > 0 && " › ", h("button", { type: "button", class: "in-line", "aria-current": each === row ? "true" : null, onclick: () => this.hooks.goTo(each.node) }, each.move ?? "root")])),
      h("p", { class: "sentence", "data-testid": "sentence" }, details.sentence),
      ruler.large(now, row.window, worth, course),
      h("div", { class: "inspected" }, details.view.board.kind !== "text" && h("div", { class: "inspected-board" }, miniBoard(details.view)), h("dl", { class: "facts" }, facts(row, known))),
      course.length > 0 &&
        h(
          "details",
          {},
          h("summary", {}, `How the value came about (${course.length})`),
          h("table", { class: "by-ply" }, h("thead", {}, h("tr", {}, ["Move", "Worth", "Best so far"].map((each) => h("th", { scope: "col" }, each)))), h("tbody", {}, course.slice(0, 100).map((step) => h("tr", {}, h("td", {}, h("button", { type: "button", class: "in-line", onclick: () => this.hooks.goTo(step.node) }, step.move)), h("td", {}, step.worth), h("td", {}, step.best))))),
        ),
      h("div", { class: "row-of" }, canProve && prove, row.first !== null && h("button", { type: "button", onclick: () => this.hooks.goTo(row.first) }, "Where it was met first"), this.hooks.analyse && h("a", { class: "button", href: this.hooks.analyse(details.view) }, "Analyse")),
      proof,
    );
  }

  async prove(row, proof) {
    fill(proof, h("p", { class: "note" }, "Searching …"));
    try {
      const found = await this.hooks.prove(row);
      fill(proof, h("p", { class: found.unchanged ? "proven" : "wrong" }, found.text), found.moves.length > 0 && h("p", { class: "note" }, breakable(found.moves.map(({ move, worth }) => `${move} ${worth}`).join(", "))));
    } catch (error) {
      fill(proof, h("p", { class: "wrong" }, error.message));
    }
  }
}

/** @param {any} row @param {boolean} known whether the search has left it */
function facts(row, known) {
  const list = [
    ["worth", known ? row.worth : "not known yet"],
    ["window", `${row.window[0]} to ${row.window[1]}`],
    ["depth left", row.depth],
    ["visit", (row.order + 1).toLocaleString("en")],
  ];
  if (known) list.push(["ended", REASONS[row.reason]], ["nodes below", (row.nodes - 1).toLocaleString("en")]);
  if (known && row.cutting !== null) list.push(["cut by", row.cutting]);
  if (known && row.unsearched) list.push(["moves cut", row.unsearched]);
  if (known && row.hidden) list.push(["counted only", row.hidden.toLocaleString("en")]);
  return list.map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, text)));
}
