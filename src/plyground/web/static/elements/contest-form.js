// @ts-check
// The form for a new tournament or match. It is filled with what was played last, or by a preset;
// what is wrong is told beside the field that it is about.
import { fill, h } from "../lib/dom.js";
import { kept } from "../lib/store.js";
import { CheckedForm, number, select, tick } from "./form-fields.js";
import { PlayerForm } from "./player-form.js";

const USUAL = { name: "", game: "connect4", settings: {}, format: "round-robin", rounds: null, games: 20, openings: 4, time_s: null, seed: 1, jobs: 1, sprt: null, players: ["alphabeta:depth=1", "alphabeta:depth=2", "alphabeta:depth=3"].map((player) => ({ player, name: "" })) };
const FORMATS = [["round-robin", "Round robin: all against all"], ["gauntlet", "Gauntlet: first against the rest"], ["swiss", "Swiss: equals meet"], ["match", "Match of two"]];
const TEST = { elo0: 0, elo1: 10, alpha: 0.05, beta: 0.05 };
const MOST_PLAYERS = 24;

export const lastContest = kept("contest", USUAL);

export class ContestForm extends CheckedForm {
  /** @param {any[]} games @param {any[]} kinds @param {any[]} presets @param {(wanted: any) => Promise<any>} begin */
  constructor(games, kinds, presets, begin) {
    super(games, begin, lastContest);
    this.kinds = kinds;
    /** @type {PlayerForm[]} */ this.players = [];
    this.sides = h("div", { class: "sides" });
    this.add = h("button", { type: "button", onclick: () => this._add() }, "Add a player");
    const preset = /** @type {any} */ (h("select", { "aria-label": "Preset", onchange: () => this._preset(presets, preset) }, h("option", { value: "" }, "Presets …"), presets.map((each, index) => h("option", { value: String(index), title: each.summary }, each.name))));
    this.form("New tournament", "Start", h("div", { class: "row-of" }, h("h2", {}, "New tournament"), h("span", { class: "grow" }), preset), this.fields, h("h3", {}, "Players"), this.sides, h("div", { class: "row-of" }, this.add));
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
    const sprt = { ...TEST, ...(wanted.sprt ?? {}) };
    const elo = { min: -1000, max: 1000, step: "any", required: true };
    const share = { min: 0.001, max: 0.49, step: "any", required: true };
    const fields = this.made([
      ["game", "Game", select(this.games.map((each) => [each.name, each.title]), spec.name)],
      ["format", "Format", select(FORMATS, wanted.format), "wide-field"],
      ["name", "Name", h("input", { type: "text", maxlength: 80, value: wanted.name ?? "", placeholder: "as you like" }), "wide-field"],
      ["games", "Games for each two", number(wanted.games, { min: 2, max: 20000, required: true })],
      ["rounds", "Rounds", number(wanted.rounds, { min: 1, max: 100, placeholder: "enough" })],
      ["openings", "Random first moves", number(wanted.openings, { min: 0, max: 20, required: true })],
      ["time_s", "Seconds a move", number(wanted.time_s, { min: 0.01, max: 600, step: "any", placeholder: "no limit" })],
      ["seed", "Seed", number(wanted.seed, { min: 0, max: 2 ** 53 - 1, required: true })],
      ["jobs", "Games at a time", number(wanted.jobs, { min: 1, max: 256, required: true })],
      ["test", "Stop as soon as a test is decided", tick(wanted.sprt)],
      ["elo0", "No gain: Elo", number(sprt.elo0, elo)],
      ["elo1", "A gain: Elo", number(sprt.elo1, elo)],
      ["alpha", "Wrongly a gain", number(sprt.alpha, share)],
      ["beta", "Wrongly none", number(sprt.beta, share)],
    ]);
    fill(this.fields, fields, this.rules(spec, wanted.settings), h("span", { class: "field-wrong wide", "data-for": "sprt" }));
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
    this.show("rounds", this.inputs.format.value === "swiss");
    this.show("name", !isMatch);
    this.show("test", isMatch);
    for (const name of ["elo0", "elo1", "alpha", "beta"]) this.show(name, isMatch && this.inputs.test.checked);
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
    const isMatch = inputs.format.value === "match";
    const sprt = isMatch && inputs.test.checked ? Object.fromEntries(["elo0", "elo1", "alpha", "beta"].map((name) => [name, this.read(name)])) : null;
    return {
      name: isMatch ? "" : inputs.name.value.trim(),
      game: this.spec.name,
      settings: this.chosenRules,
      format: inputs.format.value,
      rounds: inputs.format.value === "swiss" ? this.read("rounds") : null,
      games: this.read("games"),
      openings: this.read("openings"),
      time_s: this.read("time_s"),
      seed: this.read("seed"),
      jobs: this.read("jobs"),
      sprt,
      players: this.players.map((each) => ({ player: each.text(), name: /** @type {any} */ (each).name.value.trim() })),
    };
  }

  _problem() {
    const problems = this.players.map((each) => each.problem()?.text);
    const at = problems.findIndex(Boolean);
    return at < 0 ? null : /** @type {[string, string]} */ ([`players.${at}`, problems[at]]);
  }
}
