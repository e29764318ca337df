// @ts-check
// The engine: a switch, what it searches with, and a row for each of the best lines. Rows have a
// fixed height and change their order only when a depth is finished, so nothing jumps; and while a
// move of a line is pointed at or has the focus they wait, or it would vanish under the finger.
// Left, right and the wheel walk along a line; Enter plays it up to there.
import { fill, h } from "../lib/dom.js";
import { post } from "../lib/api.js";
import { isProven, scoreText } from "../lib/scores.js";
import { kept } from "../lib/store.js";
import { copyText } from "./copying.js";
import { miniBoard } from "./mini-board.js";

const MOST_SHOWN = 12;
/** What to judge by, for each game. @type {import("../lib/signal.js").Signal<Record<string, string>>} */
const evaluators = kept("evaluators", {});

export class EnginePanel {
  /** @param {{ toggle: () => void, changed: () => void, judged: () => void, playLine: (moves: string[]) => void, line: () => any }} host */
  constructor(host, settings) {
    this.host = host;
    this.settings = settings;
    this.isOn = false;
    this.isHidden = false;
    this.switch = h("button", { type: "button", role: "switch", "aria-checked": "false", onclick: () => host.toggle() }, "Engine");
    this.figures = h("span", { class: "note figures", "data-testid": "engine-figures" }, "off");
    this.rows = h("ol", { class: "engine-lines", onpointerleave: () => this._catchUp(), onfocusout: (event) => this.rows.contains(event.relatedTarget) || this._catchUp() });
    this.preview = h("div", { class: "preview", hidden: true });
    this.count = /** @type {any} */ (h("input", { type: "number", min: 0, max: 5, value: settings.lines.value, "aria-label": "Lines" }));
    this.judge = /** @type {any} */ (h("select", { "aria-label": "Evaluator" }));
    this.time = /** @type {any} */ (h("input", { type: "number", min: 1, max: 600, value: settings.time.value, "aria-label": "Seconds" }));
    this.count.addEventListener("change", () => ((settings.lines.value = clamp(this.count.value, 0, 5)), this.draw()));
    this.time.addEventListener("change", () => ((settings.time.value = clamp(this.time.value, 1, 600)), host.changed()));
    this.judge.addEventListener("change", () => ((evaluators.value = { ...evaluators.value, [this.game]: this.judge.value }), host.judged()));
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
    this.game = "";
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

  /** Let people choose what to judge this game by; it is judged as it was the last time. */
  offer(game, offered) {
    if (game === this.game) return;
    this.game = game;
    fill(this.judge, offered.map((each) => h("option", { value: each.name, title: each.summary }, each.name)));
    const before = evaluators.value[game];
    if (offered.some((each) => each.name === before)) this.judge.value = before;
  }

  set on(value) {
    this.isOn = value;
    this.switch.setAttribute("aria-checked", String(value));
    if (!value) this.tell("off");
  }

  /** Say what the engine is at, or what went wrong. */
  tell(text, isError = false) {
    this.figures.textContent = text;
    this.figures.classList.toggle("wrong", isError);
    this.figures.title = isError ? text : ""; // which may be longer than its line
  }

  clear(text = "") {
    this.info = null;
    this.tell(text);
    this._leave(this.previewed);
    this.draw();
  }

  show(info) {
    this.info = info;
    const speed = info.nps >= 1e6 ? `${(info.nps / 1e6).toFixed(1)} Mn/s` : `${Math.round(info.nps / 1000)} kn/s`;
    this.tell(info.complete ? `depth ${info.depth} · solved` : `depth ${info.depth} · ${info.nodes.toLocaleString("en")} nodes · ${speed}`);
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
        return this._row(line);
      }),
    );
  }

  _row({ score: found, line }) {
    const moves = h("span", { class: "moves" }, line.slice(0, MOST_SHOWN).map((move, at) => this._move(line, at)));
    return h("li", { class: "line", onkeydown: (event) => this._key(event, moves), onwheel: (event) => this._wheel(event, moves), onpointerleave: () => this._wheeled?.blur() }, score(found), moves);
  }

  _move(line, at) {
    const moves = line.slice(0, at + 1);
    return h(
      "button",
      { type: "button", class: "in-line", tabindex: at ? -1 : 0, onclick: () => this.host.playLine(moves), onpointerenter: () => this._preview(moves), onfocus: (event) => (rove(event.target), this._preview(moves)), onpointerleave: () => this._leave(moves), onblur: () => this._leave(moves) },
      line[at],
    );
  }

  _key(event, moves) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    this._walk(moves, step);
  }

  /** Beyond either end of the line the page scrolls as it always does. */
  _wheel(event, moves) {
    if (event.ctrlKey || !event.deltaY) return;
    const next = this._walk(moves, Math.sign(event.deltaY));
    if (!next) return;
    this._wheeled = next; // it has the focus for as long as the pointer stays
    event.preventDefault();
  }

  /** From the move that has the focus, or is pointed at, to one beside it; that one, if there is one. */
  _walk(moves, step) {
    const all = [...moves.children];
    const at = all.findIndex((each) => each === document.activeElement);
    const next = all[at < 0 ? all.findIndex((each) => each.matches(":hover")) + step : at + step];
    next?.focus();
    return next;
  }

  /** Nothing is shown any more, unless another move is pointed at already. */
  _leave(moves) {
    if (this.previewed !== moves) return;
    this.previewed = null;
    this.preview.hidden = true;
  }

  /** Nobody is at the rows any more: they show what is known, from its beginning. */
  _catchUp() {
    if (this.previewed) return;
    if (this.isBehind) this.draw();
    for (const moves of this.rows.querySelectorAll(".moves")) moves.scrollLeft = 0;
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

  copyLines() {
    return copyText(this.text(), "the lines");
  }
}

/** Of the moves of a line one is reached by Tab: that which had the focus last. */
function rove(move) {
  for (const each of move.parentElement.children) each.tabIndex = each === move ? 0 : -1;
}

function score(found) {
  const proven = isProven(found);
  return h("span", { class: "score", "data-kind": found.kind, title: proven ? "proven" : null }, scoreText(found), proven && h("span", { class: "unseen" }, ", proven"));
}

function clamp(value, low, high) {
  return Math.max(low, Math.min(high, Number(value) || 0));
}
