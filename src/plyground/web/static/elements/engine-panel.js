// @ts-check
// The engine: a switch, what it searches with, and a row for each of the best lines. Rows have a
// fixed height and change their order only when a depth is finished, so nothing jumps; and while a
// move of a line is pointed at or has the focus they wait, or it would vanish under the finger.
import { fill, h } from "../lib/dom.js";
import { post } from "../lib/api.js";
import { toast } from "../lib/say.js";
import { isProven, scoreText } from "../lib/scores.js";
import { miniBoard } from "./mini-board.js";

const MOST_SHOWN = 12;

export class EnginePanel {
  /** @param {{ toggle: () => void, changed: () => void, judged: () => void, playLine: (moves: string[]) => void, line: () => any }} host */
  constructor(host, settings) {
    this.host = host;
    this.settings = settings;
    this.isOn = false;
    this.isHidden = false;
    this.switch = h("button", { type: "button", role: "switch", "aria-checked": "false", onclick: () => host.toggle() }, "Engine");
    this.figures = h("span", { class: "note figures", "data-testid": "engine-figures" }, "off");
    this.rows = h("ol", { class: "engine-lines" });
    this.preview = h("div", { class: "preview", hidden: true });
    this.count = /** @type {any} */ (h("input", { type: "number", min: 0, max: 5, value: settings.lines.value, "aria-label": "Lines" }));
    this.judge = /** @type {any} */ (h("select", { "aria-label": "Evaluator" }));
    this.time = /** @type {any} */ (h("input", { type: "number", min: 1, max: 600, value: settings.time.value, "aria-label": "Seconds" }));
    this.count.addEventListener("change", () => ((settings.lines.value = clamp(this.count.value, 0, 5)), this.draw()));
    this.time.addEventListener("change", () => ((settings.time.value = clamp(this.time.value, 1, 600)), host.changed()));
    this.judge.addEventListener("change", () => host.judged());
    this.copy = h("button", { type: "button", class: "quiet", onclick: () => this.copyLines() }, "Copy lines");
    this.element = h(
      "section",
      { class: "panel engine", "aria-label": "Engine" },
      h("div", { class: "row-of" }, this.switch, h("span", { class: "grow" }), this.copy),
      this.figures,
      this.rows,
      this.preview,
      h("details", {}, h("summary", {}, "Settings"), h("div", { class: "row-of" }, h("label", { class: "field" }, "Lines", this.count), h("label", { class: "field" }, "Seconds", this.time), h("label", { class: "field" }, "Evaluator", this.judge))),
    );
    this.info = null;
    this.previewed = null; // the moves of the line that is pointed at
    this.isBehind = false; // the rows show less than is known
  }

  /** What to judge by; null is the usual one. */
  get evaluator() {
    return this.judge.value || null;
  }

  get seconds() {
    return this.settings.time.value;
  }

  offer(evaluators) {
    const before = this.judge.value;
    fill(this.judge, evaluators.map((each) => h("option", { value: each.name, title: each.summary }, each.name)));
    if (evaluators.some((each) => each.name === before)) this.judge.value = before;
  }

  set on(value) {
    this.isOn = value;
    this.switch.setAttribute("aria-checked", String(value));
    if (!value) this.figures.textContent = "off";
  }

  clear(text = "") {
    this.info = null;
    this.figures.textContent = text;
    this._leave(this.previewed);
    this.draw();
  }

  show(info) {
    this.info = info;
    const speed = info.nps >= 1e6 ? `${(info.nps / 1e6).toFixed(1)} Mn/s` : `${Math.round(info.nps / 1000)} kn/s`;
    this.figures.textContent = info.complete ? `depth ${info.depth} · solved` : `depth ${info.depth} · ${info.nodes.toLocaleString("en")} nodes · ${speed}`;
    if (this.previewed) this.isBehind = true;
    else this.draw();
  }

  draw() {
    this.isBehind = false;
    const wanted = clamp(this.count.value, 0, 5);
    const lines = this.info?.moves.slice(0, wanted) ?? [];
    fill(
      this.rows,
      [...Array(wanted).keys()].map((index) => {
        const line = lines[index];
        if (!line || this.isHidden) return h("li", { class: "line empty" }, this.isHidden && line ? "hidden" : "");
        return h("li", { class: "line" }, score(line.score), h("span", { class: "moves" }, line.line.slice(0, MOST_SHOWN).map((move, at) => this._move(line.line, at))));
      }),
    );
  }

  _move(line, at) {
    const moves = line.slice(0, at + 1);
    return h(
      "button",
      { type: "button", class: "in-line", onclick: () => this.host.playLine(moves), onpointerenter: () => this._preview(moves), onfocus: () => this._preview(moves), onpointerleave: () => this._leave(moves), onblur: () => this._leave(moves) },
      line[at],
    );
  }

  /** Nothing is shown any more, unless another move is pointed at already. */
  _leave(moves) {
    if (this.previewed !== moves) return;
    this.previewed = null;
    this.preview.hidden = true;
    if (this.isBehind) this.draw();
  }

  async _preview(moves) {
    this.previewed = moves;
    const line = this.host.line();
    const view = await post("/api/position", { ...line, moves: [...line.moves, ...moves] }).catch(() => null);
    if (!view || this.previewed !== moves) return;
    fill(this.preview, miniBoard(view));
    this.preview.hidden = false;
  }

  /** The lines that are shown, one to a row: score, then moves. */
  text() {
    const lines = this.info?.moves.slice(0, clamp(this.count.value, 0, 5)) ?? [];
    return lines.map((line) => `${scoreText(line.score)}  ${line.line.join(" ")}`).join("\n");
  }

  async copyLines() {
    await navigator.clipboard?.writeText(this.text());
    toast("Copied: the lines.");
  }
}

function score(found) {
  const proven = isProven(found);
  return h("span", { class: "score", "data-kind": found.kind, title: proven ? "proven" : null }, scoreText(found), proven && h("span", { class: "unseen" }, ", proven"));
}

function clamp(value, low, high) {
  return Math.max(low, Math.min(high, Number(value) || 0));
}
