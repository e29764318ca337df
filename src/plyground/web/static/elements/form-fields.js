// @ts-check
// What forms of long runs share: fields made from tables and from a game's parameters, complaints
// that stand beside their field, and what was chosen last.
import { h } from "../lib/dom.js";

export const inWords = (name) => name[0].toUpperCase() + name.slice(1).replaceAll("_", " ");

/** @param {any[]} pairs values and texts @returns {any} */
export const select = (pairs, value) => h("select", {}, pairs.map(([key, text]) => h("option", { value: key, selected: String(key) === String(value) }, text)));

/** @returns {any} */
export const number = (value, more = {}) => h("input", { type: "number", value: value ?? "", ...more });

/** @returns {any} */
export function tick(isTicked) {
  return Object.assign(h("input", { type: "checkbox" }), { checked: Boolean(isTicked) });
}

/** The field of a game's parameter. @returns {any} */
export function parameter({ default: usual, choices, low, high }, value = usual) {
  if (choices.length) return select(choices.map((each) => [each, String(each)]), value);
  if (typeof usual === "boolean") return select([["true", "yes"], ["false", "no"]], value);
  if (typeof usual === "number") return number(String(value), { min: low, max: high, step: Number.isInteger(usual) ? 1 : "any" });
  return h("input", { type: "text", value: String(value) });
}

export class CheckedForm {
  /** @param {any[]} games @param {(wanted: any) => Promise<any>} begin @param {any} kept what was chosen last */
  constructor(games, begin, kept) {
    this.games = games;
    this.begin = begin;
    this.kept = kept;
    /** @type {Record<string, any>} */ this.inputs = {};
    /** @type {Record<string, any>} */ this.settings = {};
    this.fields = h("div", { class: "fields contest-fields" });
    this.complaint = h("p", { class: "wrong", role: "alert" });
  }

  /** @param {string} name @param {string} verb on its button @param {...any} inside */
  form(name, verb, ...inside) {
    const form = h("form", { novalidate: true, class: "contest-form", "aria-label": name }, inside, this.complaint, h("div", { class: "row-of" }, h("button", { type: "submit", class: "main" }, verb)));
    form.addEventListener("submit", (event) => (event.preventDefault(), this._start()));
    form.addEventListener("change", () => this._keep());
    this.element = h("section", { class: "panel" }, form);
  }

  /** Fields: of each its name, its text, its input, and classes; a tick has its text beside it. @param {any[][]} table */
  made(table) {
    for (const [name, , input] of table) this.inputs[name] = input;
    return table.map(([name, text, input, more = ""]) => (input.type === "checkbox" ? h("label", { class: `tick of-${name}` }, input, text) : h("label", { class: `field of-${name} ${more}` }, text, input, h("span", { class: "field-wrong", "data-for": name }))));
  }

  /** The rules of a game, folded away, and room for what is wrong with them. */
  rules(spec, values) {
    this.settings = Object.fromEntries(spec.parameters.map((each) => [each.name, parameter(each, values?.[each.name])]));
    const fields = spec.parameters.map((each) => h("label", { class: "field", title: each.help }, inWords(each.name), this.settings[each.name]));
    return [fields.length > 0 && h("details", { class: "wide" }, h("summary", {}, "Rules"), h("div", { class: "fields" }, fields)), h("span", { class: "field-wrong wide", "data-for": "settings" })];
  }

  /** Show a field, or hide it. */
  show(name, isShown) {
    /** @type {any} */ (this.fields.querySelector(`.of-${name}`)).hidden = !isShown;
  }

  read(name) {
    return this.inputs[name].value === "" ? null : Number(this.inputs[name].value);
  }

  get chosenRules() {
    return Object.fromEntries(Object.entries(this.settings).map(([name, each]) => [name, each.value]));
  }

  /** What the form says, as the server takes it. @returns {any} */
  wanted() {}

  _keep() {
    this.kept.value = this.wanted();
  }

  /** A field and what is wrong with it, beyond what browsers check. @returns {[string, string] | null} */
  _problem() {
    return null;
  }

  _wrong(field, text) {
    const place = /** @type {any} */ (this.element).querySelector(`.field-wrong[data-for="${CSS.escape(field)}"]`);
    if (!place || place.closest("[hidden]")) return void (this.complaint.textContent = text);
    place.textContent = text;
    place.closest("details")?.setAttribute("open", "");
    const input = place.parentElement.querySelector("input, select");
    input?.setAttribute("aria-invalid", "true");
    input?.focus();
  }

  async _start() {
    const element = /** @type {any} */ (this.element);
    for (const each of element.querySelectorAll(".field-wrong, [role=alert]")) each.textContent = "";
    for (const each of element.querySelectorAll("[aria-invalid]")) each.removeAttribute("aria-invalid");
    const bad = Object.entries(this.inputs).find(([, input]) => !input.closest("[hidden]") && !input.checkValidity());
    const problem = bad ? [bad[0], bad[1].validationMessage] : this._problem();
    if (problem) return this._wrong(problem[0], problem[1]);
    this._keep();
    const button = element.querySelector("button[type=submit]");
    button.disabled = true;
    await this.begin(this.wanted()).catch((error) => this._wrong(error.field ?? "", error.message));
    button.disabled = false;
  }
}
