// @ts-check
// The quiz: be the search. Node by node, in the order of visits, say with which window it is entered,
// what it is worth and how many of its moves are cut: by number, or by clicking the branches. What is
// wrong is said, not what is right; the score counts answers that were right at once. Knows no rule:
// one trace has the answers, and one that cuts nothing has the whole tree to look at.
import { fill, h } from "../lib/dom.js";
import { say } from "../lib/say.js";
import { TreePicture } from "./tree-picture.js";

const ENDLESS = { "∞": "∞", "+∞": "∞", inf: "∞", "+inf": "∞", infinity: "∞", "-∞": "-∞", "−∞": "-∞", "-inf": "-∞", "-infinity": "-∞" };
const HINTS = {
  alpha: "Alpha is the best that whoever maximises has already, on the way here.",
  beta: "Beta is the best that whoever minimises has already, on the way here.",
  value: "The value is the best of the moves that were searched: the largest for ▲, the smallest for ▼. A search that is cut returns its bound.",
  cut: "As soon as the value reaches the other side of the window, all remaining moves are cut.",
};

export class TreeQuiz {
  /** @param {{ done: () => void }} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    this.picture = new TreePicture({ chosen: (node) => this.strike(node), label: "The whole tree" });
    this.picture.element.classList.add("plain");
    this.place = h("div");
    this.element = h("section", { class: "panel quiz", "aria-label": "Quiz", hidden: true }, this.place, this.picture.element);
  }

  get isOn() {
    return !this.element.hidden;
  }

  /** @param {any[]} rows the nodes that the search visits @param {any[]} whole all nodes there are @param {number} us */
  start(rows, whole, us) {
    this.whole = whole;
    this.nodes = new Map(whole.map((row) => [way(whole, row), row.node]));
    this.questions = questionsOf(rows);
    this.at = 0;
    this.right = 0;
    this.isFirstTry = true;
    this.element.hidden = false;
    this.picture.answers = new Map();
    this.picture.show(whole, us);
    this.ask();
  }

  end() {
    this.element.hidden = true;
    this.hooks.done();
  }

  ask() {
    const question = this.questions[this.at];
    if (!question) return this.finish();
    this.picture.struck = new Set();
    this.picture.mark(this.nodes.get(question.way));
    this.feedback = h("p", { class: "feedback", role: "status" });
    this.inputs = question.fields.map(({ name, label }) => /** @type {any} */ (h("input", { type: "text", name, "aria-label": label, autocomplete: "off", size: 6 })));
    const form = h("form", { novalidate: true }, h("p", {}, question.text), h("div", { class: "row-of ends" }, question.fields.map(({ label }, index) => h("label", { class: "field" }, label, this.inputs[index])), h("button", { type: "submit", class: "main" }, "Check")), this.feedback);
    form.addEventListener("submit", (event) => (event.preventDefault(), this.check()));
    fill(this.place, h("div", { class: "row-of" }, h("h2", {}, `Quiz: question ${this.at + 1} of ${this.questions.length}`), h("span", { class: "grow" }), h("button", { type: "button", class: "quiet", onclick: () => this.end() }, "End the quiz")), form);
    this.inputs[0].focus();
  }

  /** A branch was clicked: it is to be cut, or not any more. */
  strike(node) {
    const question = this.questions[this.at];
    const field = this.inputs?.find((each) => each.name === "cut");
    if (!question || !field || this.whole[node].parent !== this.nodes.get(question.way)) return;
    if (!this.picture.struck.delete(node)) this.picture.struck.add(node);
    field.value = String(this.picture.struck.size);
    this.picture.draw();
  }

  check() {
    const question = this.questions[this.at];
    const wrong = question.fields.findIndex(({ answer }, index) => normal(this.inputs[index].value) !== normal(answer));
    if (wrong < 0) {
      if (this.isFirstTry) this.right += 1;
      if (question.worth) this.picture.answers?.set(this.nodes.get(question.way), question.worth);
      this.isFirstTry = true;
      this.at += 1;
      say("Right.");
      return this.ask();
    }
    this.isFirstTry = false;
    const { name, label } = question.fields[wrong];
    this.feedback.textContent = `${label}: not ${this.inputs[wrong].value.trim() || "nothing"}. ${HINTS[name]}`;
    this.inputs[wrong].setAttribute("aria-invalid", "true");
    this.inputs[wrong].focus();
    this.inputs[wrong].select();
  }

  finish() {
    const again = h("button", { type: "button", class: "main", onclick: () => this.end() }, "Look at the search");
    fill(this.place, h("h2", {}, "Quiz"), h("p", { class: "score-line", role: "status" }, `Done: ${this.right} of ${this.questions.length} right at once.`), again);
    this.picture.struck = new Set();
    this.picture.mark(-1);
    again.focus();
  }
}

/** What is asked of a trace: on entering an inner node its window, on leaving it its value and cuts. */
function questionsOf(rows) {
  const inner = rows.filter((row) => row.reason === "cut" || row.reason === "searched");
  const below = new Map();
  for (const row of rows) if (!below.has(row.parent)) below.set(row.parent, [row]); else below.get(row.parent).push(row);
  const last = (row) => Math.max(row.order, ...(below.get(row.node) ?? []).map(last));
  const questions = [];
  for (const row of inner) {
    const name = row.move === null ? "the root" : `the node after ${way(rows, row)}`;
    questions.push({
      row,
      way: way(rows, row),
      visit: row.order,
      text: `The search enters ${name}. With which window?`,
      fields: [
        { name: "alpha", label: "Alpha", answer: row.window[0] },
        { name: "beta", label: "Beta", answer: row.window[1] },
      ],
    });
    questions.push({
      row,
      way: way(rows, row),
      worth: row.worth.replace(" ", ""),
      visit: last(row) + 0.5,
      text: `All that was searched below ${name} is known now. What is it worth, and how many of its moves are cut?`,
      fields: [
        { name: "value", label: "Value", answer: row.worth.replace(/^[≤≥] /, "") },
        { name: "cut", label: "Moves cut", answer: String(row.unsearched) },
      ],
    });
  }
  return questions.sort((one, other) => one.visit - other.visit || other.row.ply - one.row.ply);
}

function way(rows, row) {
  const moves = [];
  for (let each = row; each.parent >= 0; each = rows[each.parent]) moves.unshift(each.move);
  return moves.join(" ");
}

function normal(text) {
  const word = text.trim().toLowerCase().replace("−", "-");
  if (ENDLESS[word]) return ENDLESS[word];
  const number = Number(word);
  return word !== "" && Number.isFinite(number) ? String(number) : word;
}
