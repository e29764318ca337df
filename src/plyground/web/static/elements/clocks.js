// @ts-check
// The time that each side has used. Knows no game: it is told who thinks, and since when.
import { h } from "../lib/dom.js";

const TICK_MS = 250;

export class Clocks {
  constructor() {
    this.faces = [0, 1].map(() => h("span", { class: "clock", role: "timer", "aria-label": "time used" }));
    this.spent = [0, 0];
    /** @type {null | number} whose clock runs */
    this.running = null;
    this.since = 0;
    this.ticking = setInterval(() => this.draw(), TICK_MS);
    this.draw();
  }

  /** So much was used in the moves so far; nobody's clock runs. */
  set(spent) {
    this.spent = [...spent];
    this.running = null;
    this.draw();
  }

  /** A side begins to think, and may have thought before. */
  run(side, already_s = 0) {
    this.running = side;
    this.since = performance.now() - already_s * 1000;
    this.draw();
  }

  /** How long the side whose clock runs has been thinking. */
  get turn_s() {
    return this.running === null ? 0 : (performance.now() - this.since) / 1000;
  }

  draw() {
    this.faces.forEach((face, side) => {
      const text = written(this.spent[side] + (this.running === side ? this.turn_s : 0));
      if (face.textContent !== text) face.textContent = text;
    });
  }

  close() {
    clearInterval(this.ticking);
  }
}

function written(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
