// @ts-check
// Monte-Carlo tree search laid open: visits, means and bounds of every move, and single simulations,
// step by step: select, expand, evaluate, back up. Knows no game.
import { fill, h } from "../lib/dom.js";
import { paced } from "../lib/pace.js";
import { miniBoard } from "./mini-board.js";

const HEAD = ["Move", "Visits", "Mean", "Curiosity", "Bound"];

export class SimulationsView {
  /** @param {any} source a TraceSource @param {{ chosen: (node: number, simulation: number) => void }} hooks */
  constructor(source, hooks) {
    this.source = source;
    this.hooks = hooks;
    this.head = h("p", { class: "headline", role: "status" });
    this.body = h("tbody");
    this.board = h("div", { class: "inspected-board" });
    this.steps = h("ol", { class: "sim-steps" });
    this.slider = /** @type {any} */ (h("input", { type: "range", min: 1, max: 1, value: 1, "aria-label": "Simulation", oninput: paced(() => this.simulation(Number(this.slider.value))) }));
    this.figure = h("span", { class: "note figures", "data-testid": "simulation" });
    const button = (text, name, run) => h("button", { type: "button", "aria-label": name, title: name, onclick: run }, text);
    this.element = h(
      "div",
      { class: "tree-columns" },
      h("section", { class: "panel", "aria-label": "Monte-Carlo tree" }, h("h2", {}, "Tree"), this.head, h("div", { class: "scroll" }, h("table", { class: "sims" }, h("thead", {}, h("tr", {}, HEAD.map((each) => h("th", { scope: "col" }, each)))), this.body)), h("p", { class: "note" }, "Mean: the share of points for whoever makes the move. Curiosity: what the bound adds for moves that were tried seldom. A node's children have together one visit less than the node itself, since it was valued once before it had any; the root's have as many.")),
      h("section", { class: "panel", "aria-label": "One simulation" }, h("h2", {}, "One simulation"), h("div", { class: "row-of" }, button("‹", "Previous simulation", () => this.simulation(this.number - 1)), this.slider, button("›", "Next simulation", () => this.simulation(this.number + 1)), this.figure), this.steps, this.board),
    );
    this.number = 1;
    this.turn = 0;
  }

  /** @param {any} summary @param {{ simulation: number | null, node: number | null }} chosen */
  async show(summary, { simulation, node }) {
    this.summary = summary;
    this.slider.max = summary.simulations;
    this.head.textContent = `${summary.simulations.toLocaleString("en")} simulations: ${summary.move}, the most visited`;
    fill(this.body, this.row(summary.root, 0), summary.rows.map((row) => this.row(row, 1)));
    await this.simulation(simulation ?? summary.simulations);
    if (node !== null) await this.position(node);
  }

  row(row, level) {
    const open = row.children > 0 && level > 0;
    const name = row.move ?? "root";
    const toggle = open ? h("button", { type: "button", class: "in-line", "aria-expanded": "false", onclick: () => this.toggle(element, row, level) }, `▸ ${name}`) : h("span", {}, name);
    const first = h("td", {}, toggle);
    first.style.paddingLeft = `${8 + level * 16}px`;
    const share = (value) => (value === null ? "–" : value.toFixed(3));
    const element = h("tr", { "data-node": row.node, "data-parent": row.parent, "data-visits": row.visits, "data-level": level, onclick: () => this.position(row.node) }, first, h("td", {}, row.visits.toLocaleString("en")), h("td", {}, share(row.mean)), h("td", {}, share(row.bonus)), h("td", {}, share(row.bound)));
    return element;
  }

  async toggle(element, row, level) {
    const button = element.querySelector("button");
    if (button.getAttribute("aria-expanded") === "true") {
      while (Number(element.nextElementSibling?.dataset.level) > level) element.nextElementSibling.remove();
      button.setAttribute("aria-expanded", "false");
      button.textContent = `▸ ${row.move}`;
      return;
    }
    const found = await this.source.simulatedChildren(row.node);
    button.setAttribute("aria-expanded", "true");
    button.textContent = `▾ ${row.move}`;
    element.after(...found.rows.map((each) => this.row(each, level + 1)));
  }

  async position(node) {
    const turn = ++this.turn;
    const found = await this.source.simulatedNode(node);
    if (turn !== this.turn) return;
    this.hooks.chosen(node, this.number);
    fill(this.board, h("p", { class: "note" }, found.path.map((each) => each.move ?? "root").join(" › ")), found.view.board.kind !== "text" && miniBoard(found.view));
  }

  async simulation(number) {
    this.number = Math.max(1, Math.min(this.summary.simulations, number));
    this.slider.value = this.number;
    const wanted = this.number;
    const found = await this.source.simulation(wanted);
    if (wanted !== this.number) return;
    this.figure.textContent = `simulation ${wanted.toLocaleString("en")} of ${this.summary.simulations.toLocaleString("en")}`;
    fill(this.steps, found.steps.map((text) => h("li", {}, text)));
    const path = new Set(found.path.map((row) => String(row.node)));
    for (const each of this.body.children) each.classList.toggle("marked", path.has(/** @type {HTMLElement} */ (each).dataset.node ?? ""));
    await this.position(found.path[found.path.length - 1].node);
  }
}
