// @ts-check
// Replay of a search, visit by visit: step, play, scrub. It starts paused, at the end, where all is
// known. Knows only a number and how many there are.
import { h } from "../lib/dom.js";

const SPEEDS = [["1", "1 a second"], ["4", "4 a second"], ["20", "20 a second"], ["200", "200 a second"]];
const FRAMES_A_SECOND = 8; // faster than this, several visits are passed over at once

export class ReplayBar {
  /** @param {(position: number) => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.total = 0;
    this.position = 0;
    this.timer = 0;
    const button = (text, name, run) => h("button", { type: "button", "aria-label": name, title: name, onclick: run }, text);
    this.toggle = button("▶", "Play", () => this.flip());
    this.slider = /** @type {any} */ (h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Visit", oninput: () => this.goTo(Number(this.slider.value)) }));
    this.speed = /** @type {any} */ (h("select", { "aria-label": "Speed" }, SPEEDS.map(([value, text]) => h("option", { value }, text))));
    this.speed.value = "4";
    this.figure = h("span", { class: "note figures", "data-testid": "visit" });
    this.element = h(
      "section",
      { class: "panel replay", "aria-label": "Replay" },
      h("div", { class: "row-of" }, button("|‹", "To the start", () => this.goTo(0)), button("‹", "Step back", () => this.step(-1)), this.toggle, button("›", "Step", () => this.step(1)), button("›|", "To the end", () => this.goTo(this.total)), this.slider, this.speed, this.figure),
    );
  }

  /** @param {number} total how many visits there are @param {number | null} position of which the page knows */
  show(total, position = null) {
    this.pause();
    this.total = total;
    this.slider.max = total;
    this.goTo(position ?? total, { quietly: true });
  }

  get isPlaying() {
    return this.timer !== 0;
  }

  /** Stepping pauses. */
  step(by) {
    this.pause();
    const isAtEnd = this.position >= this.total;
    this.goTo(isAtEnd && by > 0 ? 0 : this.position + by);
  }

  goTo(position, { quietly = false } = {}) {
    this.position = Math.max(0, Math.min(this.total, position));
    this.slider.value = this.position;
    this.figure.textContent = this.position < this.total ? `visit ${(this.position + 1).toLocaleString("en")} of ${this.total.toLocaleString("en")}` : `finished: ${this.total.toLocaleString("en")} visits`;
    if (!quietly) this.changed(this.position);
    if (this.position >= this.total) this.pause();
  }

  flip() {
    if (this.isPlaying) return this.pause();
    if (this.position >= this.total) this.goTo(0);
    const speed = Number(this.speed.value);
    const by = Math.max(1, Math.round(speed / FRAMES_A_SECOND));
    this.timer = setInterval(() => this.goTo(this.position + by), (1000 * by) / speed);
    this.label("⏸", "Pause");
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.label("▶", "Play");
  }

  label(sign, name) {
    this.toggle.textContent = sign;
    this.toggle.setAttribute("aria-label", name);
    this.toggle.title = name;
  }
}
