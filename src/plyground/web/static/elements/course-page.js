// @ts-check
// One course of learning: its curve, what the match said, games of its last round, what it has learned.
import { fill, h } from "../lib/dom.js";
import { get, remove } from "../lib/api.js";
import { addressWith, analysed, writeAbout } from "../lib/address.js";
import { counted, duration } from "../lib/amounts.js";
import { follow } from "../lib/poll.js";
import { confirmed, toast } from "../lib/say.js";
import { go } from "../main.js";
import { lastCourse } from "./course-form.js";
import { EvalGraph } from "./eval-graph.js";
import { GamePreview } from "./game-preview.js";
import { resultOf } from "./games-table.js";
import { JobPanel, titleOf } from "./job-panel.js";
import { signed } from "./sprt-gauge.js";

const NODES = "20k"; // of whoever is played against

export class CoursePage {
  constructor(id) {
    this.address = `/api/courses/${encodeURIComponent(id)}`;
    this.drawn = "";
    this.at = -1; // the point of the curve that is pointed at; the last one if none is
    const panel = (name, ...inside) => h("section", { class: "panel", "aria-label": name }, h("h2", {}, name), inside);
    this.title = h("h1", {}, "…");
    this.about = h("p", { class: "note" });
    this.problem = h("p", { class: "wrong", role: "alert" });
    this.jobPanel = new JobPanel(() => this.load());
    this.jobElement = panel("Progress", this.jobPanel.element);
    this.jobElement.hidden = true;
    this.graph = new EvalGraph((at) => ((this.at = at), this.drawCurve()), () => {}, "Learning curve");
    this.ends = [1, 2, 3, 4].map(() => h("span")); // of both axes
    this.facts = h("p", { class: "figures" });
    this.pointed = h("p", { class: "note", "data-testid": "point" });
    this.curve = panel("Learning curve", h("p", { class: "note" }, "The error on games that it had not learned from yet, in points; games on a logarithmic scale."), (this.chart = h("div", { class: "curve" }, h("p", { class: "up" }, this.ends.slice(0, 2)), this.graph.element, h("p", { class: "across" }, this.ends.slice(2)))), this.pointed, this.facts);
    this.verdict = h("div", { "data-testid": "verdict" });
    this.play = h("div", { class: "row-of" });
    this.checkpoints = h("div", { class: "row-of checkpoints" });
    this.playing = panel("Play", this.play, h("p", { class: "note" }, "Or against what it was after so many rounds:"), this.checkpoints);
    this.samples = h("div", { class: "row-of samples", role: "group", "aria-label": "Sample games" });
    this.preview = new GamePreview({ open: () => go(analysed(this.preview.game, this.preview.ply)), remove: () => {} });
    this.preview.actions.lastElementChild?.remove();
    this.gamesNote = h("p", { class: "note" });
    this.games = panel("Games of the last round", this.gamesNote, this.samples, this.preview.element);
    this.stage = /** @type {any} */ (h("select", { "aria-label": "Stage", onchange: () => this.loadPatterns() }, h("option", { value: "" }, "all stages of a game")));
    this.patterns = h("div", {});
    this.known = panel("What it has learned", h("div", { class: "row-of" }, h("p", { class: "note" }, "The patterns that count most, as the first player sees them when it is to move."), this.stage), this.patterns);
    this.actions = h("div", { class: "row-of" }, h("button", { type: "button", onclick: () => this.longer() }, "Learn longer …"), h("button", { type: "button", onclick: () => this.remove() }, "Forget …"));
    this.where = h("p", { class: "note where" });
    this.element = h("div", { class: "contest course" }, h("div", { class: "heading" }, h("p", { class: "over" }, h("a", { href: "/train" }, "Train"), " / ", (this.crumb = h("span"))), this.title, this.about, this.problem), this.jobElement, h("div", { class: "beside-each-other" }, this.curve, h("div", {}, panel("Is it better?", this.verdict), this.playing)), h("div", { class: "beside-each-other" }, this.games, this.known), this.actions, this.where);
  }

  async load() {
    this.draw(await get(this.address));
  }

  /** Ask again as long as the page is seen; returns what ends it. */
  watch() {
    return follow(() => this.load().catch((error) => error.status === 400 && (this.problem.textContent = error.message)), () => this.course?.state === "running");
  }

  draw(course) {
    const { job, recipe } = course;
    this.course = course;
    document.title = titleOf(job, course.name);
    this.title.textContent = this.crumb.textContent = course.name;
    const settings = Object.entries(course.settings).map(([name, value]) => `${name} ${value}`);
    const how = recipe.depth && [recipe.evaluator && `weights of ${recipe.evaluator}`, recipe.source && `from ${recipe.source}`, `${recipe.depth} ${recipe.depth === 1 ? "ply" : "plies"} ahead`, recipe.solve && `a solver for the last ${recipe.solve}`, `seed ${recipe.seed}`];
    this.about.textContent = [course.game_title, ...settings, ...(how || [])].filter(Boolean).join(" · ");
    this.problem.textContent = course.problem ?? "";
    this.jobElement.hidden = !job || (job.state === "done" && this.jobElement.hidden); // the end is told to who waits for it
    if (job) this.jobPanel.show(job);
    for (const button of this.actions.querySelectorAll("button")) button.disabled = course.state === "running";
    const state = JSON.stringify([course.rounds, course.state, course.match, course.checkpoints, course.evaluator]);
    if (state === this.drawn) return;
    this.drawn = state;
    this.drawCurve();
    fill(this.verdict, verdict(course));
    this.drawPlay();
    this.loadGames();
    this.loadPatterns();
    fill(this.where, course.command && ["The same on the command line: ", h("code", {}, course.command), ". "], "All of it is in ", h("code", {}, course.folder), course.weights && [", the evaluator in ", h("code", {}, course.weights)], ".");
  }

  drawCurve() {
    const { curve, games, positions, seconds, rounds } = /** @type {any} */ (this.course);
    this.chart.hidden = !curve.length;
    if (!curve.length) return void (this.pointed.textContent = "The first points come when some rounds were learned.");
    const errors = curve.map((step) => step.error);
    const [low, high, first] = [Math.min(...errors), Math.max(...errors), curve[0].games];
    // Most is learned at first: so the games are drawn as a logarithm.
    const points = curve.map((step) => ({ chance: high > low ? (step.error - low) / (high - low) : 0.5, kind: "heuristic", isTentative: false, text: told(step), at: games > first ? Math.log(step.games / first) / Math.log(games / first) : 0 }));
    const at = Math.min(this.at < 0 ? Infinity : this.at, curve.length - 1);
    this.graph.show(points, at, "", `round ${curve[at].round + 1}`);
    [high.toFixed(2), low.toFixed(2), `${counted(first)} games`, counted(games)].forEach((text, place) => (this.ends[place].textContent = text));
    this.pointed.textContent = `Round ${curve[at].round + 1}: ${told(curve[at])}`;
    const speed = Math.round(games / Math.max(seconds, 0.1));
    this.facts.textContent = `${counted(games)} games · ${counted(positions)} positions · ${duration(seconds)} · ${counted(rounds)} rounds · ${counted(speed)} games a second`;
  }

  drawPlay() {
    const { course } = this;
    const link = (evaluator, text, kind = "button") => h("a", { class: kind, href: addressWith("/play", { ...writeAbout({ game: course.game, settings: course.settings, position: null }), first: "human", second: `abmemory:nodes=${NODES},eval=${evaluator}` }) }, text);
    this.playing.hidden = !course.evaluator;
    fill(this.play, course.evaluator && link(course.evaluator, "Play against it", "button main"));
    fill(this.checkpoints, course.checkpoints.map((rounds) => link(`${course.name}-r${rounds}`, rounds === 1 ? "1 round" : `${counted(rounds)} rounds`)));
    /** @type {any} */ (this.checkpoints.previousElementSibling).hidden = !course.checkpoints.length;
  }

  /** Others come with the next round, unless somebody is replaying these. */
  async loadGames() {
    if (this.games.contains(document.activeElement)) return;
    const found = await get(`${this.address}/games`).catch((error) => ({ games: [], error: error.message }));
    this.games.hidden = !found.games.length && !found.error;
    this.gamesNote.textContent = found.error ?? `${counted(found.games.length)} of ${counted(found.played)} games of round ${found.round}, each from where chance has chosen the first moves.`;
    const press = (index) => {
      [...this.samples.children].forEach((each, at) => each.setAttribute("aria-pressed", String(at === index)));
      this.preview.show({ ...found.games[index], ply: found.games[index].random });
    };
    fill(this.samples, found.games.map((game, index) => h("button", { type: "button", title: `${game.moves.length} moves, the first ${game.random} at random`, onclick: () => press(index) }, `${index + 1}: ${resultOf(game)}`)));
    this.preview.element.hidden = !found.games.length;
    if (found.games.length) press(0);
  }

  async loadPatterns() {
    const turn = (this.asked = (this.asked ?? 0) + 1);
    this.known.hidden = !this.course.evaluator;
    if (this.known.hidden) return;
    const found = await get(`${this.address}/patterns${this.stage.value && `?stage=${this.stage.value}`}`).catch((error) => ({ error: error.message, patterns: [], stages: [] }));
    if (turn !== this.asked) return;
    if (found.error) return void fill(this.patterns, h("p", { class: "wrong" }, found.error));
    this.known.hidden = !found.stages.length;
    if (this.stage.length === 1) this.stage.append(...found.stages.map((name, stage) => h("option", { value: stage }, name)));
    this.stage.hidden = found.stages.length < 2;
    const group = (name, list) => list.length > 0 && [h("h3", {}, name), h("div", { class: "patterns" }, list.map(pattern))];
    fill(this.patterns, found.patterns.map((each) => [group(each.side ? `For ${each.side}, who is to move` : "For the side to move", each.for), group("Against", each.against)]), h("p", { class: "note" }, found.scale));
  }

  /** The form with what this course was begun with, and a longer time. */
  longer() {
    const { game, settings, name, recipe, seconds } = this.course;
    lastCourse.value = { ...lastCourse.value, ...Object.fromEntries(["stages", "depth", "evaluator", "opening", "noise", "trust", "seed"].map((key) => [key, recipe[key]])), solve: recipe.solve || null, game, settings, name, games: null, seconds: seconds + 1 };
    go("/train#new");
  }

  async remove() {
    const { name, weights } = this.course;
    const stays = weights ? ` The evaluator that was kept last stays: eval=${name} can still be played.` : "";
    if (!(await confirmed(`Forget ${name}?`, `Its curve, its games and its checkpoints go, and it cannot be resumed.${stays}`, "Forget"))) return;
    try {
      await remove(this.address);
      toast(weights ? `Forgotten, but for ${weights}` : "Forgotten");
      await go("/train");
    } catch (error) {
      toast(error.message, { isError: true });
    }
  }
}

const told = (step) => `${counted(step.games)} games, error ${step.error.toFixed(3)}`;

/** What the match said, in plain words. */
function verdict({ match, state, name }) {
  if (!match) return h("p", { class: "note" }, state === "running" ? "A match will tell when it has learned." : "No match was played, or not to its end.");
  const { elo } = match;
  const sure = `${signed(elo.low, "−∞", 0)} to ${signed(elo.high, "+∞", 0)}`;
  return [
    h("p", { class: match.is_better ? "result good" : "result" }, match.is_better ? `Better than ${match.against}.` : `Not proven better than ${match.against}.`),
    h("p", {}, `${name} won ${counted(match.wins)}, drew ${counted(match.draws)} and lost ${counted(match.losses)} of ${counted(match.games)} games with ${counted(match.nodes)} nodes a move on both sides: `, h("b", {}, `${signed(elo.value, elo.high === null ? "+∞" : "−∞", 0)} Elo`), ` (95 %: ${sure}).`),
    h("p", { class: "note" }, `A sequential test of 5 % says: ${match.verdict}.`),
  ];
}

/** A pattern drawn on a board, with what it is worth. */
function pattern({ weight, points, words, picture }) {
  const worth = points === null ? signed(weight, "", 0) : `${signed(points, "", 2)} points`;
  return h("figure", {}, h("img", { alt: words, src: `data:image/svg+xml,${encodeURIComponent(picture)}`, title: words }), h("figcaption", {}, worth));
}
