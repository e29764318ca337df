// @ts-check
// Watching two machines: how fast they go, a pause, and one move at a time.
import { fill, h } from "../lib/dom.js";
import { kept } from "../lib/store.js";

const PACES = [
  [0, "as fast as they can"],
  [500, "half a second a move"],
  [1500, "a second and a half a move"],
  [4000, "four seconds a move"],
];
const pace = kept("pace", 500);

export class Watching {
  constructor() {
    this.isPaused = false;
    /** @type {null | (() => void)} what goes on when it is time */
    this.next = null;
    this.timer = 0;
    this.pause = h("button", { type: "button", class: "main", onclick: () => this.toggle() });
    this.step = /** @type {any} */ (h("button", { type: "button", onclick: () => this.one() }, "One move"));
    const speed = /** @type {any} */ (h("select", { onchange: () => this.setPace(Number(speed.value)) }, PACES.map(([ms, text]) => h("option", { value: ms }, text))));
    pace.watch((value) => (speed.value = String(value)));
    this.element = h("section", { class: "panel", "aria-label": "Watching" });
    fill(this.element, h("div", { class: "row-of" }, this.pause, this.step, h("label", { class: "field" }, "Speed", speed)));
    this.draw();
  }

  /** It is the next machine's turn: let it go when a person has had time to see the last move. */
  ready(run) {
    this.next = run;
    clearTimeout(this.timer);
    if (!this.isPaused) this.timer = setTimeout(() => this.release(), pace.value);
    this.draw();
  }

  release() {
    const run = this.next;
    this.next = null;
    this.draw();
    run?.();
  }

  toggle() {
    this.isPaused = !this.isPaused;
    clearTimeout(this.timer);
    this.draw();
    if (!this.isPaused) this.release();
  }

  /** One move, and pause after it. */
  one() {
    if (!this.isPaused) return this.toggle();
    this.release();
  }

  setPace(ms) {
    pace.value = ms;
    if (this.next && !this.isPaused) this.ready(this.next);
  }

  forget() {
    clearTimeout(this.timer);
    this.next = null;
  }

  draw() {
    this.pause.textContent = this.isPaused ? "Go on" : "Pause";
  }
}
