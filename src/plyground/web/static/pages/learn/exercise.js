// @ts-check
// An exercise: a question, fields, and a check against what the searches of the page have found. What
// is wrong is said with a hint, never the answer; its numbers come from runs as those of the text.
import { fill, h } from "../../lib/dom.js";
import { miniBoard } from "../../elements/mini-board.js";
import { TreePicture } from "../../elements/tree-picture.js";
import { spans } from "./numbers.js";

export class Exercise {
  /** @param {any} exercise @param {any} chapter with its runs, and ways to search @param {() => void} done */
  constructor(exercise, chapter, done) {
    this.exercise = exercise;
    this.chapter = chapter;
    this.done = done;
    this.inputs = exercise.fields.map(({ start = "", wide }) => /** @type {any} */ (h("input", { type: "text", autocomplete: "off", spellcheck: "false", value: start, size: wide ? 32 : 8 })));
    this.button = /** @type {any} */ (h("button", { type: "submit", class: "main", disabled: true }, "Check"));
    this.verdict = h("p", { class: "verdict", role: "status" });
    this.picture = h("div");
    const labels = exercise.fields.map(({ label, wide }, index) => h("label", { class: wide ? "field wide" : "field" }, label, this.inputs[index]));
    const form = h("form", { novalidate: true }, h("div", { class: "row-of answers" }, labels, this.button), this.verdict);
    form.addEventListener("submit", (event) => (event.preventDefault(), this.check()));
    this.element = h("section", { class: "panel exercise", "aria-label": "Exercise" }, h("h2", {}, "Exercise"), chapter.filled(h("p"), exercise.question), this.picture, form, exercise.more && h("p", {}, h("a", { href: exercise.more.href }, exercise.more.text)));
  }

  /** The searches are made: it can be answered now. */
  ready() {
    this.button.disabled = false;
    const { whole: run, board } = this.exercise.show ?? {};
    if (board) fill(this.picture, h("div", { class: "inspected-board" }, miniBoard(this.chapter.runs[board].view)));
    if (!run) return;
    const { summary } = this.chapter.runs[run];
    const picture = new TreePicture({ chosen: () => {}, label: "The tree of the exercise" });
    picture.element.classList.add("plain");
    picture.answers = new Map(); // leaves only
    picture.show(summary.all, summary.us);
    fill(this.picture, picture.element);
  }

  /** What a check of its own may use. */
  get tools() {
    const { chapter } = this;
    return { runs: chapter.runs, search: (question) => chapter.search(question), position: (game, moves) => chapter.position(game, moves) };
  }

  async check() {
    const given = this.inputs.map((each) => each.value.trim());
    this.say("", "");
    try {
      const found = this.exercise.check ? await this.exercise.check(given, this.tools) : this.compare(given);
      if (found === true) {
        this.say("right", "Right.");
        this.done();
      } else this.say("wrong", `${found} ${this.exercise.hint}`);
    } catch (error) {
      this.say("wrong", error.message);
    }
  }

  compare(given) {
    const wrong = this.exercise.fields.findIndex(({ answer }, index) => normal(given[index]) !== normal(String(answer(this.chapter.runs))));
    if (wrong < 0) return true;
    this.inputs[wrong].focus();
    return given[wrong] ? `Not ${given[wrong]}.` : `${this.exercise.fields[wrong].label}: nothing yet.`;
  }

  say(kind, text) {
    this.verdict.className = `verdict ${kind}`;
    spans(this.verdict, text, this.chapter.runs)();
  }
}

const normal = (text) => text.toLowerCase().replace("−", "-").replace(/^\+/, "").replaceAll(/[\s,]/g, "");
