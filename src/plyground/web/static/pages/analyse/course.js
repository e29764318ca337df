// @ts-check
// The course of a game: the graph of its positions, the moves that lost most, and the analysis of
// all positions one after the other. Knows neither the tree of moves nor the board.
import { fill, h } from "../../lib/dom.js";
import { kept } from "../../lib/store.js";
import { chance, seenByFirst } from "../../lib/scores.js";
import { EvalGraph } from "../../elements/eval-graph.js";

const MOST_WORST = 3;
const LOSS = 0.08; // of the chance to win: less is not worth a button
const wantedDepth = kept("course-depth", 8);

export class Course {
  /**
   * @param {import("./findings.js").Findings} findings
   * @param {import("./engine.js").EngineControl} engine
   * @param {{ line: () => any[], view: (node: any) => Promise<any>, seen: (node: any) => any, request: (node: any) => any, ply: () => number, swing: () => number, goTo: (node: any, options?: { isQuiet: boolean }) => void }} page
   */
  constructor(findings, engine, page) {
    this.findings = findings;
    this.engine = engine;
    this.page = page;
    this.isRunning = false;
    /** The positions that the graph shows. @type {any[]} */
    this.nodes = [];
    // The graph is a slider, which tells its value itself.
    this.graph = new EvalGraph((ply) => page.goTo(this.nodes[ply], { isQuiet: true }), () => this.draw());
    this.button = h("button", { type: "button", onclick: () => (this.isRunning ? this.stop() : this.run()) }, "Analyse game");
    this.depth = /** @type {any} */ (h("input", { type: "number", min: 1, max: 60, value: wantedDepth.value, "aria-label": "Depth of every position" }));
    this.depth.addEventListener("change", () => this._chooseDepth());
    this.progress = h("span", { class: "note", role: "status" });
    this.worst = h("div", { class: "row-of worst", role: "group", "aria-label": "Moves that lost most" });
    this.element = h(
      "section",
      { class: "panel", "aria-label": "Course" },
      h("h2", {}, "Course of the game"),
      this.graph.element,
      this.worst,
      h("div", { class: "row-of" }, this.button, h("label", { class: "beside-field" }, "to depth ", this.depth), this.progress),
    );
  }

  /** Draw what is known of the line. */
  draw() {
    this._choose(this.page.line());
    const points = this.nodes.map((node) => this._point(node, this.page.seen(node)));
    const ply = this.page.ply();
    this.graph.show(points, ply, this.nodes[ply]?.move);
    this._drawWorst(points);
  }

  /** Dragging back beyond a fork does not leave the line that is dragged along, unless it is gone. */
  _choose(line) {
    if (!this.graph.isHeld || this.nodes[0] !== line[0]) this.nodes = line;
  }

  _point(node, view) {
    const score = view && this.findings.score(view);
    if (!score) return null;
    return {
      move: node.move,
      chance: chance(score, view.side, this.page.swing()),
      kind: score.kind,
      text: seenByFirst(score, view.side),
      side: view.side,
      isTentative: !this.findings.isKnown(view, wantedDepth.value),
    };
  }

  /** The moves after which their player's chance fell most, as buttons that lead there. */
  _drawWorst(points) {
    const losses = [];
    for (let ply = 1; ply < points.length; ply++) {
      const [before, after] = [points[ply - 1], points[ply]];
      if (!before || !after) continue;
      const fall = before.chance - after.chance;
      losses.push({ ply, move: after.move, loss: before.side === "first" ? fall : -fall });
    }
    const worst = losses.filter(({ loss }) => loss >= LOSS).sort((one, other) => other.loss - one.loss).slice(0, MOST_WORST);
    fill(
      this.worst,
      worst.map(({ ply, move, loss }) => h("button", { type: "button", class: "quiet small", "aria-label": `Move ${ply}, ${move}, lost ${percent(loss)}`, onclick: () => this.page.goTo(this.nodes[ply]) }, `${ply}. ${move}`, h("span", { class: "wrong" }, ` −${percent(loss)}`))),
    );
    this.graph.markDrops(worst.map(({ ply }) => ply));
  }

  _chooseDepth() {
    wantedDepth.value = Math.max(1, Math.min(60, Number(this.depth.value) || 1));
    this.draw();
  }

  /** Every position of the line, one after the other; what is known deep enough is left out. */
  async run() {
    const nodes = this.page.line();
    const started = performance.now();
    this._set(true, "");
    let done = 0;
    for (const node of nodes) {
      const view = await this.page.view(node).catch(() => null);
      if (!view || !this.isRunning) break;
      if (!this.findings.isKnown(view, wantedDepth.value)) await this._lookAt(node, view);
      if (!this.isRunning) break;
      done += 1;
      this.draw();
      this.progress.textContent = `${done}/${nodes.length}, ${remaining(performance.now() - started, done, nodes.length)} left`;
    }
    this._set(false, done === nodes.length ? "" : `stopped after ${done} of ${nodes.length}`);
    this.engine.giveBack();
  }

  _lookAt(node, view) {
    const limits = { depth: wantedDepth.value, time_s: this.engine.panel.seconds };
    return this.engine.lookAt(view, this.page.request(node), limits, (text) => (this.progress.textContent = text));
  }

  stop() {
    this.isRunning = false;
    this.engine.stop();
  }

  _set(isRunning, text) {
    this.isRunning = isRunning;
    this.progress.textContent = text;
    this.button.textContent = isRunning ? "Stop" : text ? "Go on" : "Analyse game";
  }
}

const percent = (share) => `${Math.round(100 * share)} %`;

function remaining(spentMs, done, count) {
  return `${Math.ceil(((spentMs / done) * (count - done)) / 1000)} s`;
}
