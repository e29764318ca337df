// @ts-check
// The parameters of an experiment, made from what the server says each may be. Everything is checked
// here first; nothing is sent while a field is wrong, and what was typed survives a reload.
import { fill, h } from "../lib/dom.js";
import { post } from "../lib/api.js";
import { counted, duration } from "../lib/amounts.js";
import { kept } from "../lib/store.js";
import { inWords } from "./form-fields.js";

const WAIT_MS = 250;

export class LabForm {
  /** @param {any} experiment @param {(wanted: any) => Promise<any>} begin */
  constructor(experiment, begin) {
    this.experiment = experiment;
    this.begin = begin;
    this.kept = kept(`lab.${experiment.name}`, { quick: true, values: {}, workers: 1 });
    /** @type {Record<string, any>} */ this.inputs = {};
    /** @type {Record<string, HTMLElement>} */ this.wrongs = {};
    this.asked = 0;
    const size = (isQuick, text, title) => h("button", { type: "button", title, "data-size": isQuick ? "quick" : "full", onclick: () => this.preset(isQuick) }, text);
    this.sizes = [size(true, "Quick", "Seconds to minutes: what a report looks like"), size(false, "Full", "What conclusions need")];
    this.fields = h("div", { class: "fields lab-fields" });
    this.cost = h("p", { class: "cost", role: "status", "data-testid": "cells" });
    this.complaint = h("p", { class: "wrong", role: "alert" });
    this.start = /** @type {any} */ (h("button", { type: "submit", class: "main" }, "Start"));
    this.workers = /** @type {any} */ (h("input", { type: "number", min: 1, max: 256, value: this.kept.value.workers, "aria-label": "Cells at a time" }));
    const form = h(
      "form",
      { novalidate: true, class: "lab-form", "aria-label": "New run" },
      h("div", { class: "row-of" }, h("div", { class: "row-of joined", role: "group", "aria-label": "Size" }, this.sizes)),
      this.fields,
      this.cost,
      this.complaint,
      h("div", { class: "row-of" }, this.start, h("label", { class: "beside-field" }, "cells at a time", this.workers)),
    );
    form.addEventListener("submit", (event) => (event.preventDefault(), this._start()));
    form.addEventListener("input", () => this._changed());
    this.element = form;
    this._build(this.kept.value);
  }

  /** Fill in the quick or the full values. */
  preset(isQuick) {
    this._build({ quick: isQuick, values: {}, workers: Number(this.workers.value) });
  }

  _build({ quick, values }) {
    this.isQuick = quick;
    for (const each of this.sizes) each.setAttribute("aria-pressed", String(each.dataset.size === (quick ? "quick" : "full")));
    fill(this.fields, this.experiment.fields.map((field) => this._field(field, values[field.name] ?? (quick ? field.quick : field.default))));
    this._changed();
  }

  _field(field, value) {
    const options = field.kind === "yes-no" && !field.separator ? ["yes", "no"] : field.kind === "choice" && !field.separator ? field.choices : null;
    const id = `lab-${field.name}`;
    const input = /** @type {any} */ (options ? h("select", {}, options.map((each) => h("option", { value: each, selected: each === value }, each))) : h("input", { type: "text", maxlength: 2000, value, inputmode: field.separator ? null : { whole: "numeric", number: "decimal" }[field.kind] ?? null, spellcheck: "false", autocomplete: "off" }));
    const wrong = h("span", { class: "field-wrong", id: `${id}-wrong` });
    input.setAttribute("aria-describedby", `${id}-about ${id}-wrong`);
    this.inputs[field.name] = input;
    this.wrongs[field.name] = wrong;
    const isLong = Boolean(field.separator) && Math.max(field.default.length, field.quick.length) > 24;
    input.id = id;
    return h("div", { class: isLong ? "field wide-field" : "field" }, h("label", { for: id }, inWords(field.name)), input, wrong, h("small", { class: "about", id: `${id}-about`, title: field.allowed }, field.description));
  }

  /** What is wrong with a field, as far as this page can tell. */
  problem(field) {
    const text = this.inputs[field.name].value.trim();
    const parts = field.separator ? text.split(field.separator).map((each) => each.trim()).filter(Boolean) : [text];
    if (field.separator && text.startsWith("[")) return "";
    return parts.every((part) => fits(part, field)) ? "" : `Expected ${field.allowed}.`;
  }

  _tell(name, text) {
    this.wrongs[name].textContent = text;
    if (text) this.inputs[name].setAttribute("aria-invalid", "true");
    else this.inputs[name].removeAttribute("aria-invalid");
  }

  /** Mark what is wrong; whether nothing is. */
  check() {
    for (const field of this.experiment.fields) this._tell(field.name, this.problem(field));
    return this.experiment.fields.every((field) => !this.wrongs[field.name].textContent);
  }

  /** As the server takes it: only what differs from the chosen size. */
  wanted() {
    const values = Object.fromEntries(this.experiment.fields.map((field) => [field.name, this.inputs[field.name].value.trim()]).filter(([name, value]) => value !== this._usual(name)));
    return { quick: this.isQuick, values };
  }

  _usual(name) {
    const field = this.experiment.fields.find((each) => each.name === name);
    return this.isQuick ? field.quick : field.default;
  }

  _changed() {
    this.kept.value = { ...this.wanted(), workers: Number(this.workers.value) || 1 };
    this.complaint.textContent = "";
    const turn = ++this.asked;
    clearTimeout(this.timer);
    if (!this.check()) return void (this.cost.textContent = "");
    this.timer = setTimeout(() => this._plan(turn), WAIT_MS);
  }

  /** How much there is to measure. */
  async _plan(turn = ++this.asked) {
    try {
      const plan = await post(`/api/lab/experiments/${this.experiment.name}/plan`, this.wanted());
      if (turn !== this.asked) return;
      this.plan = plan;
      const time = plan.seconds ? `, about ${duration(plan.seconds)} of work` : "";
      this.cost.textContent = plan.is_finished ? `${counted(plan.cells)} cells, all measured in run ${plan.run}.` : plan.run ? `Run ${plan.run} goes on: ${counted(plan.measured)} of ${counted(plan.cells)} cells are measured${time}.` : `${counted(plan.cells)} cells to measure${time}.`;
      this.start.textContent = plan.is_finished ? "Measure again" : plan.run ? "Resume it" : "Start";
    } catch (error) {
      if (turn === this.asked) this._refused(error);
    }
  }

  _refused(error) {
    this.cost.textContent = "";
    if (error.field && this.wrongs[error.field]) this._tell(error.field, error.message);
    else this.complaint.textContent = error.message;
  }

  async _start() {
    const workers = Number(this.workers.value);
    if (!this.check() || !this.workers.checkValidity()) {
      const first = this.element.querySelector("[aria-invalid='true']") ?? this.workers;
      return /** @type {HTMLElement} */ (first).focus();
    }
    this.start.disabled = true;
    try {
      await this.begin({ ...this.wanted(), workers, again: Boolean(this.plan?.is_finished) });
    } catch (error) {
      this._refused(error);
    } finally {
      this.start.disabled = false;
    }
  }
}

function fits(text, field) {
  if (field.kind === "choice") return field.choices.includes(text);
  if (field.kind === "yes-no") return ["yes", "no", "true", "false"].includes(text.toLowerCase());
  if (field.kind === "text") return true;
  const isForm = field.kind === "whole" ? /^[+-]?\d+$/ : /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  if (!isForm.test(text)) return false;
  const number = Number(text);
  const holds = { ge: (bound) => number >= bound, gt: (bound) => number > bound, le: (bound) => number <= bound, lt: (bound) => number < bound };
  return Object.entries(holds).every(([name, isRight]) => field[name] === null || isRight(field[name]));
}
