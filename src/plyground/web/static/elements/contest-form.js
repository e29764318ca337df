// @ts-check
// The form for a new tournament or match. It is filled with what was played last, or by a preset;
// what is wrong is told beside the field that it is about.
import { fill, h } from "../lib/dom.js";
import { kept } from "../lib/store.js";
import { PlayerForm } from "./player-form.js";

const USUAL = { name: "", game: "connect4", settings: {}, format: "round-robin", rounds: null, games: 20, openings: 4, time_s: null, seed: 1, jobs: 1, sprt: null, players: ["alphabeta:depth=1", "alphabeta:depth=2", "alphabeta:depth=3"].map((player) => ({ player, name: "" })) };
const FORMATS = [["round-robin", "Round robin: all against all"], ["gauntlet", "Gauntlet: first against the rest"], ["swiss", "Swiss: equals meet"], ["match", "Match of two"]];
const TEST = { elo0: 0, elo1: 10, alpha: 0.05, beta: 0.05 };
const MOST_PLAYERS = 24;

export const lastContest = kept("contest", USUAL);

export class ContestForm {
  /** @param {any[]} games @param {any[]} kinds @param {any[]} presets @param {(wanted: any) => Promise<any>} begin */
  constructor(games, kinds, presets, begin) {
    this.games = games;
    this.kinds = kinds;
    this.begin = begin;
    /** @type {PlayerForm[]} */ this.players = [];
    this.fields = h("div", { class: "fields contest-fields" });
    this.sides = h("div", { class: "sides" });
    this.complaint = h("p", { class: "wrong", role: "alert" });
    this.add = h("button", { type: "button", onclick: () => this._add() }, "Add a player");
    const preset = /** @type {any} */ (h("select", { "aria-label": "Preset", onchange: () => this._preset(presets, preset) }, h("option", { value: "" }, "Presets …"), presets.map((each, index) => h("option", { value: String(index), title: each.summary }, each.name))));
    const form = h("form", { novalidate: true, class: "contest-form", "aria-label": "New tournament" }, h("div", { class: "row-of" }, h("h2", {}, "New tournament"), h("span", { class: "grow" }), preset), this.fields, h("h3", {}, "Players"), this.sides, h("div", { class: "row-of" }, this.add), this.complaint, h("div", { class: "row-of" }, h("button", { type: "submit", class: "main" }, "Start")));
    form.addEventListener("submit", (event) => (event.preventDefault(), this._start()));
    form.addEventListener("change", () => this._keep());
    this.element = h("section", { class: "panel" }, form);
    this.fill({ ...USUAL, ...lastContest.value });
  }

  _preset(presets, select) {
    if (select.value !== "") this.fill({ ...USUAL, ...presets[Number(select.value)].contest });
    select.value = "";
    this._keep();
  }

  /** Show these settings. @param {any} wanted */
  fill(wanted) {
    const spec = this.games.find((each) => each.name === wanted.game) ?? this.games[0];
    this.spec = spec;
    const number = (value, more) => h("input", { type: "number", value: value ?? "", ...more });
    const select = (pairs, value) => /** @type {any} */ (h("select", { value }, pairs.map(([key, text]) => h("option", { value: key, selected: key === value }, text))));
    const sprt = { ...TEST, ...(wanted.sprt ?? {}) };
    this.inputs = /** @type {Record<string, any>} */ ({
      name: h("input", { type: "text", maxlength: 80, value: wanted.name ?? "", placeholder: "as you like" }),
      game: select(this.games.map((each) => [each.name, each.title]), spec.name),
      format: select(FORMATS, wanted.format),
      games: number(wanted.games, { min: 2, max: 20000, required: true }),
      rounds: number(wanted.rounds, { min: 1, max: 100, placeholder: "enough" }),
      openings: number(wanted.openings, { min: 0, max: 20, required: true }),
      time_s: number(wanted.time_s, { min: 0.01, max: 600, step: "any", placeholder: "no limit" }),
      seed: number(wanted.seed, { min: 0, max: 2 ** 53 - 1, required: true }),
      jobs: number(wanted.jobs, { min: 1, max: 256, required: true }),
      test: h("input", { type: "checkbox" }),
      elo0: number(sprt.elo0, { min: -1000, max: 1000, step: "any", required: true }),
      elo1: number(sprt.elo1, { min: -1000, max: 1000, step: "any", required: true }),
      alpha: number(sprt.alpha, { min: 0.001, max: 0.49, step: "any", required: true }),
      beta: number(sprt.beta, { min: 0.001, max: 0.49, step: "any", required: true }),
    });
    this.inputs.test.checked = Boolean(wanted.sprt);
    this.settings = Object.fromEntries(spec.parameters.map((each) => [each.name, setting(each, wanted.settings?.[each.name])]));
    const field = (name, text, more = "") => h("label", { class: `field of-${name} ${more}` }, text, this.inputs[name], h("span", { class: "field-wrong", "data-for": name }));
    fill(
      this.fields,
      field("game", "Game"),
      field("format", "Format", "wide-field"),
      field("name", "Name", "wide-field"),
      field("games", "Games for each two"),
      field("rounds", "Rounds"),
      field("openings", "Random first moves"),
      field("time_s", "Seconds a move"),
      field("seed", "Seed"),
      field("jobs", "Games at a time"),
      h("label", { class: "tick of-test" }, this.inputs.test, "Stop as soon as a test is decided"),
      field("elo0", "No gain: Elo"),
      field("elo1", "A gain: Elo"),
      field("alpha", "Wrongly a gain"),
      field("beta", "Wrongly none"),
      spec.parameters.length ? h("details", { class: "wide" }, h("summary", {}, "Rules"), h("div", { class: "fields" }, spec.parameters.map((each) => h("label", { class: "field", title: each.help }, inWords(each.name), this.settings[each.name])))) : null,
      h("span", { class: "field-wrong wide", "data-for": "settings" }),
      h("span", { class: "field-wrong wide", "data-for": "sprt" }),
    );
    this.players = [];
    fill(this.sides);
    for (const each of wanted.players) this._addPlayer(each);
    this.inputs.game.addEventListener("change", () => this.fill({ ...this.wanted(), game: this.inputs.game.value, settings: {} }));
    for (const name of ["format", "test"]) this.inputs[name].addEventListener("change", () => this._fit());
    this._fit();
  }

  /** Show only what the format asks for. */
  _fit() {
    const isMatch = this.inputs.format.value === "match";
    const show = (name, isShown) => (/** @type {any} */ (this.fields.querySelector(`.of-${name}`)).hidden = !isShown);
    show("rounds", this.inputs.format.value === "swiss");
    show("name", !isMatch);
    show("test", isMatch);
    for (const name of ["elo0", "elo1", "alpha", "beta"]) show(name, isMatch && this.inputs.test.checked);
    while (isMatch && this.players.length > 2) this._drop(this.players[2]);
    this.add.hidden = isMatch || this.players.length >= MOST_PLAYERS;
    this.players.forEach((each, index) => {
      /** @type {any} */ (each.element.querySelector("legend")).textContent = `Player ${index + 1}`;
      /** @type {any} */ (each).remove.hidden = this.players.length <= 2;
      /** @type {any} */ (each).remove.setAttribute("aria-label", `Remove player ${index + 1}`);
      /** @type {any} */ (each).wrong.dataset.for = `players.${index}`;
    });
  }

  _add() {
    this._addPlayer(this.players.at(-1)?.text() ? { player: "random", name: "" } : { player: "random" });
    this._fit();
    this._keep();
    this.players.at(-1)?.who.focus();
  }

  _addPlayer({ player, name = "" }) {
    const form = /** @type {any} */ (new PlayerForm(this.spec, this.kinds, "Player", player));
    form.who.querySelector("option[value='human']")?.remove();
    form.fields.ponder.lastChild.textContent = "Thinks while the other does";
    form.name = h("input", { type: "text", maxlength: 60, value: name, placeholder: "its text" });
    form.wrong = h("span", { class: "field-wrong" });
    form.remove = h("button", { type: "button", class: "quiet small", onclick: () => (this._drop(form), this._fit(), this._keep()) }, "Remove");
    form.element.append(h("label", { class: "field" }, "Called", form.name), form.wrong, form.remove);
    this.players.push(form);
    this.sides.append(form.element);
  }

  _drop(form) {
    this.players = this.players.filter((each) => each !== form);
    form.element.remove();
  }

  /** What the form says, as the server takes it. */
  wanted() {
    const { inputs } = this;
    const number = (name) => (inputs[name].value === "" ? null : Number(inputs[name].value));
    const isMatch = inputs.format.value === "match";
    const sprt = isMatch && inputs.test.checked ? Object.fromEntries(["elo0", "elo1", "alpha", "beta"].map((name) => [name, number(name)])) : null;
    return {
      name: isMatch ? "" : inputs.name.value.trim(),
      game: this.spec.name,
      settings: Object.fromEntries(Object.entries(this.settings).map(([name, each]) => [name, each.value])),
      format: inputs.format.value,
      rounds: inputs.format.value === "swiss" ? number("rounds") : null,
      games: number("games"),
      openings: number("openings"),
      time_s: number("time_s"),
      seed: number("seed"),
      jobs: number("jobs"),
      sprt,
      players: this.players.map((each) => ({ player: each.text(), name: /** @type {any} */ (each).name.value.trim() })),
    };
  }

  _keep() {
    lastContest.value = this.wanted();
  }

  _wrong(field, text) {
    const place = /** @type {any} */ (this.element.querySelector(`.field-wrong[data-for="${CSS.escape(field)}"]`));
    if (!place || place.closest("[hidden]")) return void (this.complaint.textContent = text);
    place.textContent = text;
    const input = place.parentElement?.querySelector("input, select");
    input?.setAttribute("aria-invalid", "true");
    input?.focus();
  }

  async _start() {
    this.complaint.textContent = "";
    for (const each of this.element.querySelectorAll(".field-wrong")) each.textContent = "";
    for (const each of this.element.querySelectorAll("[aria-invalid]")) each.removeAttribute("aria-invalid");
    const bad = Object.entries(this.inputs).find(([, input]) => !input.closest("[hidden]") && !input.checkValidity());
    if (bad) return this._wrong(bad[0], bad[1].validationMessage);
    const problems = this.players.map((each, index) => ({ index, problem: each.problem() })).filter(({ problem }) => problem);
    if (problems.length) return this._wrong(`players.${problems[0].index}`, problems[0].problem?.text);
    this._keep();
    const button = /** @type {any} */ (this.element.querySelector("button[type=submit]"));
    button.disabled = true;
    try {
      await this.begin(this.wanted());
    } catch (error) {
      this._wrong(error.field ?? "", error.message);
    } finally {
      button.disabled = false;
    }
  }
}

const inWords = (name) => name[0].toUpperCase() + name.slice(1).replaceAll("_", " ");

function setting({ default: usual, choices, low, high }, value = usual) {
  const options = choices.length ? choices.map(String) : typeof usual === "boolean" ? ["true", "false"] : null;
  if (options) return h("select", {}, options.map((each) => h("option", { value: each, selected: each === String(value) }, each)));
  if (typeof usual === "number") return h("input", { type: "number", min: low, max: high, step: Number.isInteger(usual) ? 1 : "any", value: String(value) });
  return h("input", { type: "text", value: String(value) });
}
