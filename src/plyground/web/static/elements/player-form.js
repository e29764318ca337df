// @ts-check
// Who plays one side: a person, a level, or an algorithm with what it searches with. The text that
// the choice comes to is shown, since it is what commands and records call that player.
import { breakable, fill, h } from "../lib/dom.js";

const PERSON = "human";
const AS_TEXT = "as-text";
const NEED_A_COMMAND = ["gtp", "nboard"];
const FIELDS = ["depth", "time", "eval", "ponder", "perfect"];

export class PlayerForm {
  /** @param {any} game @param {any[]} kinds all kinds of players @param {string} side @param {string} text who it is at first */
  constructor(game, kinds, side, text) {
    this.kinds = kinds;
    this.levels = game.levels;
    const [base, given] = read(text);
    const isKnown = kinds.some((kind) => kind.name === base) && !NEED_A_COMMAND.includes(base) && Object.keys(given).every((name) => FIELDS.includes(name));
    this.who = /** @type {any} */ (h("select", { onchange: () => this.draw() }, this.groups()));
    this.depth = /** @type {any} */ (h("input", { type: "number", min: 1, max: 60, value: given.depth ?? "", placeholder: "no limit" }));
    this.time = /** @type {any} */ (h("input", { type: "number", min: 0.1, max: 600, step: 0.1, value: inSeconds(given.time), placeholder: "no limit" }));
    this.judge = /** @type {any} */ (h("select", {}, game.evaluators.map((each, index) => h("option", { value: index ? each.name : "", title: each.summary }, index ? each.name : `${each.name} (usual)`))));
    this.ponder = /** @type {any} */ (h("input", { type: "checkbox" }));
    this.perfect = /** @type {any} */ (h("input", { type: "number", min: 0, max: 30, value: given.perfect ?? "", placeholder: "never" }));
    this.own = /** @type {any} */ (h("input", { type: "text", maxlength: 300, value: text, spellcheck: "false", autocomplete: "off" }));
    this.about = h("p", { class: "note" });
    this.result = h("output", { class: "player-text" });
    this.fields = {
      depth: h("label", { class: "field" }, "Depth", this.depth),
      time: h("label", { class: "field" }, "Seconds a move", this.time),
      eval: h("label", { class: "field wide" }, "Evaluator", this.judge),
      ponder: h("label", { class: "tick wide" }, this.ponder, "Thinks while you do"),
      perfect: h("label", { class: "field wide" }, "Perfect from so few empty cells on", this.perfect),
      own: h("label", { class: "field wide" }, "Player as text", this.own),
    };
    this.who.value = isKnown ? base : AS_TEXT;
    this.judge.value = this.judge.querySelector(`option[value="${CSS.escape(given.eval ?? "")}"]`) ? (given.eval ?? "") : "";
    this.ponder.checked = given.ponder === "yes";
    this.element = h("fieldset", { class: "player-form" }, h("legend", {}, side), h("label", { class: "field" }, "Player", this.who), this.about, h("div", { class: "fields" }, Object.values(this.fields)), h("p", { class: "text-line" }, "As text: ", this.result));
    this.element.addEventListener("input", () => fill(this.result, breakable(this.text())));
    this.draw();
  }

  groups() {
    const rest = this.kinds.filter((kind) => kind.group !== "level" && ![PERSON, ...NEED_A_COMMAND].includes(kind.name));
    const searches = (kind) => ["depth", "simulations"].some((name) => hasOption(kind, name));
    const option = ({ name }) => h("option", { value: name }, name);
    const group = (label, list) => h("optgroup", { label }, list.map(option));
    return [h("option", { value: PERSON }, "Person"), group("Levels", this.levels), group("Search", rest.filter(searches)), group("Simple", rest.filter((kind) => !searches(kind))), h("option", { value: AS_TEXT }, "as text …")];
  }

  draw() {
    const kind = this.kinds.find((each) => each.name === this.who.value);
    for (const name of FIELDS) this.fields[name].hidden = !hasOption(kind, name) || (name === "perfect" && !this.levels.some((level) => level.name === "perfect"));
    this.fields.own.hidden = this.who.value !== AS_TEXT;
    const level = this.levels.find((each) => each.name === this.who.value);
    fill(this.about, level ? level.summary + (level.player === level.name ? "" : ` Here: ${level.player}`) : (kind?.summary ?? "Any player that commands know, with all its options."));
    fill(this.result, breakable(this.text()));
  }

  text() {
    if (this.who.value === AS_TEXT) return this.own.value.trim();
    const given = {
      depth: this.depth.value,
      time: this.time.value && `${this.time.value}s`,
      eval: this.judge.value,
      ponder: this.ponder.checked && "yes",
      perfect: this.perfect.value,
    };
    const parts = Object.entries(given).filter(([name, value]) => value && !this.fields[name].hidden);
    return [this.who.value, parts.map(([name, value]) => `${name}=${value}`).join(",")].filter(Boolean).join(":");
  }

  /** What is wrong with the numbers, if anything. */
  problem() {
    const wrong = [this.depth, this.time, this.perfect].find((field) => !field.parentElement.hidden && !field.checkValidity());
    if (!wrong) return this.text() ? null : { field: this.own, text: "Say who plays." };
    return { field: wrong, text: `${wrong.parentElement.firstChild.textContent}: ${wrong.validationMessage}` };
  }
}

function hasOption(kind, name) {
  return Boolean(kind?.options.some((each) => each.name === name));
}

/** @returns {[string, Record<string, string>]} */
function read(text) {
  const at = text.indexOf(":");
  if (at < 0) return [text, {}];
  return [text.slice(0, at), Object.fromEntries(text.slice(at + 1).split(",").map((part) => part.split("=")))];
}

function inSeconds(text = "") {
  const found = /^([0-9.]+)(ms|s)$/.exec(text);
  return found ? String(Number(found[1]) / (found[2] === "ms" ? 1000 : 1)) : "";
}
