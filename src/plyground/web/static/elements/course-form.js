// @ts-check
// The form for a course of learning: which game, how long, and for those who want it, how.
import { fill, h } from "../lib/dom.js";
import { kept } from "../lib/store.js";
import { CheckedForm, number, select, tick } from "./form-fields.js";

const USUAL = { game: "connect4", settings: {}, name: "learned", seconds: 900, games: null, jobs: null, seed: 0, stages: null, depth: null, evaluator: null, opening: null, noise: 50, trust: 0.8, solve: null, against: null, nodes: 2000, match: true };
const NUMBERS = ["jobs", "seed", "stages", "depth", "opening", "noise", "trust", "solve", "nodes"];
const BY_GAMES = "games";
const LONGEST = 28800;
const TIMES = [[300, "5 minutes"], [900, "15 minutes"], [3600, "1 hour"], [LONGEST, "8 hours"], [BY_GAMES, "a number of games"]];
const ABOUT = "The program plays against itself and learns from how the games end. A match then says whether what it has learned plays better.";

export const lastCourse = kept("course", USUAL);

export class CourseForm extends CheckedForm {
  /** @param {any[]} games @param {(wanted: any) => Promise<any>} begin */
  constructor(games, begin) {
    super(games, begin, lastCourse);
    this.form("New course", "Begin", h("h2", {}, "Learn an evaluator"), h("p", { class: "note" }, ABOUT), this.fields);
    this.fields.classList.add("course-fields");
    this.fill({ ...USUAL, ...lastCourse.value });
  }

  /** Show these settings. @param {any} wanted */
  fill(wanted) {
    const spec = this.games.find((each) => each.name === wanted.game) ?? this.games[0];
    const time = TIMES.find(([seconds]) => Number(seconds) >= wanted.seconds)?.[0] ?? LONGEST;
    const opponents = spec.evaluators.filter(({ name }) => name !== wanted.name).map(({ name }) => [name, name]);
    const whole = (name, min, max, placeholder = "") => number(wanted[name], { min, max, placeholder, required: !placeholder });
    const fields = this.made([
      ["game", "Game", select(this.games.map((each) => [each.name, each.title]), spec.name)],
      ["name", "Name", h("input", { type: "text", maxlength: 40, required: true, value: wanted.name, pattern: "[a-z][a-z0-9\\-]*", title: "small letters, digits and hyphens", autocomplete: "off", spellcheck: "false" })],
      ["seconds", "How long, in all", select(TIMES, wanted.games ? BY_GAMES : time)],
      ["games", "Games of self-play", number(wanted.games ?? 20000, { min: 1, max: 1e9, required: true })],
    ]);
    const more = this.made([
      ["evaluator", "What learns", select([["", "n-tuples, from nothing"], ...opponents.map(([name]) => [name, `the weights of ${name}`])], wanted.evaluator ?? "")],
      ["depth", "Plies looked ahead", whole("depth", 1, 12, "1 or 2")],
      ["opening", "Random first moves", whole("opening", 0, 100, "up to a third of a game")],
      ["noise", "Random later, of 1,000", whole("noise", 0, 1000)],
      ["trust", "Trust in results (lambda)", number(wanted.trust, { min: 0, max: 1, step: "any", required: true })],
      ["solve", "Last empty cells solved", whole("solve", 1, 24, "none")],
      ["stages", "Stages with own weights", whole("stages", 1, 64, "by the board")],
      ["match", "Play the match that judges it", tick(wanted.match)],
      ["against", "It has to beat", select([["", "the one used so far"], ...opponents], wanted.against ?? "")],
      ["nodes", "Nodes a move, in the match", whole("nodes", 10, 1e7)],
      ["jobs", "Processors", whole("jobs", 1, 256, "all")],
      ["seed", "Seed", whole("seed", 0, 2 ** 53 - 1)],
    ]);
    fill(this.fields, fields, this.rules(spec, wanted.settings), h("details", { class: "wide" }, h("summary", {}, "Advanced"), h("div", { class: "fields course-fields" }, more)));
    this.inputs.game.addEventListener("change", () => this.fill({ ...this.wanted(), settings: {}, evaluator: null, against: null }));
    for (const name of ["seconds", "match"]) this.inputs[name].addEventListener("change", () => this._fit());
    this._fit();
  }

  /** Show only what is asked for. */
  _fit() {
    this.show("games", this.inputs.seconds.value === BY_GAMES);
    for (const name of ["against", "nodes"]) this.show(name, this.inputs.match.checked);
  }

  wanted() {
    const { game, name, seconds, evaluator, against, match } = this.inputs;
    const length = seconds.value === BY_GAMES ? { seconds: null, games: this.read("games") } : { seconds: this.read("seconds"), games: null };
    const numbers = Object.fromEntries(NUMBERS.map((each) => [each, this.read(each)]));
    return { ...numbers, ...length, game: game.value, settings: this.chosenRules, name: name.value.trim(), evaluator: evaluator.value || null, against: against.value || null, match: match.checked };
  }
}
