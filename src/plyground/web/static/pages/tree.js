// @ts-check
// Tree: look inside a real search. One algorithm, or two side by side on the same position and in
// step; Monte-Carlo tree search has a view of its own. All that is seen is in the address.
import { fill, h } from "../lib/dom.js";
import { getOnce, post } from "../lib/api.js";
import { bind } from "../lib/keys.js";
import { paced } from "../lib/pace.js";
import { say, toast } from "../lib/say.js";
import { params, setParams } from "../lib/store.js";
import { TraceSource } from "../lib/trace.js";
import { encoded } from "../lib/tree.js";
import { addressWith, readOwnLink, writeAbout } from "../lib/address.js";
import { NodeInspector } from "../elements/node-inspector.js";
import { ReplayBar } from "../elements/replay-bar.js";
import { SimulationsView } from "../elements/simulations-view.js";
import { TraceForm } from "../elements/trace-form.js";
import { TreeQuiz } from "../elements/tree-quiz.js";
import { SearchPane } from "./tree/search-pane.js";

const MOST_IN_A_QUIZ = 80; // nodes
const QUIZZED = ["alphabeta", "falphabeta", "abmemory", "minimax", "negamax"];

class TreePage {
  constructor(root) {
    this.root = root;
    /** @type {SearchPane[]} */ this.panes = [];
    /** @type {any} */ this.simulations = null;
    this.at = { pane: 0, node: /** @type {number | null} */ (null) };
    this.turn = 0;
    this.follows = true; // the replay, until a node is chosen
    this.inspector = new NodeInspector({ goTo: (node) => this.pane.goTo(node), prove: (row) => this.pane.source.prove(row.node), analyse: linkTo });
    const moved = paced(() => this.moment());
    this.replay = new ReplayBar(() => {
      this.follows = true; // whatever was on the way to be chosen
      for (const pane of this.panes) pane.stay();
      moved();
    });
    this.place = h("div");
    this.columns = h("div");
    this.quizButton = h("button", { type: "button", onclick: () => this.startQuiz() }, "Quiz");
  }

  get pane() {
    return this.panes[this.at.pane];
  }

  async start() {
    const [games, catalogue] = await Promise.all([getOnce("/api/games"), getOnce("/api/algorithms")]);
    this.form = new TraceForm(games, catalogue, () => this.search({ push: true }));
    const given = params();
    this.form.read(given);
    fill(this.root, h("div", { class: "row-of heading" }, h("h1", {}, "Tree"), h("span", { class: "note" }, "Look inside a search: windows, cut branches, reasons.")), this.form.element, this.place);
    this.at = { pane: given.pane === "1" ? 1 : 0, node: given.node === undefined ? null : Number(given.node) };
    await this.search({ node: this.at.node, visit: given.visit === undefined ? null : Number(given.visit), simulation: given.sim === undefined ? null : Number(given.sim) });
  }

  /** Search the position that a text holds, whatever it is written in. @returns {Promise<boolean>} whether it holds one */
  async paste(text) {
    const own = readOwnLink(text);
    try {
      const { view, what } = own ? { view: null, what: "a link of ours" } : await post("/api/recognise", { text, game: this.form.game.value });
      const about = own?.about ?? { game: view.game, settings: view.settings, position: view.start };
      this.form.read({ ...this.form.write(), ...writeAbout(about), moves: own?.moves ?? view.moves.map(encoded).join("_") });
      toast(`Recognised: ${what}.`);
      say(`Recognised: ${what}.`);
    } catch (error) {
      toast(error.message, { isError: true });
      return false;
    }
    await this.search({ push: true });
    return true;
  }

  /** Search what the form says. */
  async search({ push = false, node = null, visit = null, simulation = null } = {}) {
    if (!this.form.check()) return;
    const turn = ++this.turn;
    this.leave();
    this.root.setAttribute("aria-busy", "true");
    try {
      await this.find(turn, push, { node, visit, simulation });
    } finally {
      if (turn === this.turn) this.root.removeAttribute("aria-busy");
    }
  }

  /** @param {number} turn @param {boolean} push @param {{ node: number | null, visit: number | null, simulation: number | null }} wanted */
  async find(turn, push, wanted) {
    const { node, visit } = wanted;
    if (push) this.at = { pane: 0, node: null };
    const chosen = this.at.pane;
    setParams({ ...this.form.write(), pane: chosen || "", node: node ?? "", visit: visit ?? "", sim: wanted.simulation ?? "" }, { push });
    this.form.complaint.textContent = "";
    if (this.form.isSimulation) return this.simulate(turn, wanted);
    const searches = this.form.searches();
    this.panes = searches.map(({ title, algorithm }) => new SearchPane(title, algorithm, { chosen: (pane, chosen) => this.chosen(pane, chosen) }));
    this.quiz = new TreeQuiz({ done: () => this.endQuiz() });
    this.inspector.clear("Choose a node to see why it ended.");
    this.columns = h("div", { class: searches.length > 1 ? "tree-columns two" : "tree-columns" }, this.panes.map((pane) => pane.element), this.inspector.element);
    fill(this.place, this.replay.element, this.quiz.element, this.columns);
    try {
      await Promise.all(this.panes.map((pane, index) => pane.search(this.form.question(searches[index]))));
    } catch (error) {
      if (turn === this.turn) this.form.complaint.textContent = error.message;
      return;
    }
    if (turn !== this.turn) return;
    this.searched(visit);
    try {
      const pane = this.panes[chosen] ?? this.panes[0];
      if (visit !== null) await this.moment();
      if (node !== null || visit === null) await pane.goTo(node ?? pane.summary.roots.rows.at(-1).node);
    } catch (error) {
      this.form.complaint.textContent = error.message; // an address may name a node that is not there
    }
  }

  /** @param {number | null} visit where the replay stands */
  searched(visit) {
    this.replay.show(Math.max(...this.panes.map((pane) => pane.summary.nodes)), visit);
    const [one, other] = this.panes;
    this.quizButton.hidden = !(QUIZZED.includes(one.algorithm) && one.isSmall && one.summary.nodes <= MOST_IN_A_QUIZ);
    this.replay.element.querySelector(".row-of")?.append(this.quizButton);
    if (other) this.replay.element.append(comparison(one, other));
    say(`${one.title}: ${one.headline.textContent}`);
  }

  async simulate(turn, wanted) {
    const source = new TraceSource();
    const headline = h("p", { class: "headline", role: "status" }, "Simulating …");
    this.simulations = source;
    fill(this.place, headline);
    try {
      const summary = await source.simulate(this.form.simulation(), (text) => (headline.textContent = text));
      if (turn !== this.turn) return;
      const view = new SimulationsView(source, { chosen: (node, simulation) => setParams({ ...this.form.write(), node, sim: simulation }) });
      fill(this.place, view.element);
      await view.show(summary, wanted);
    } catch (error) {
      if (turn !== this.turn) return;
      fill(this.place);
      this.form.complaint.textContent = error.message;
    }
  }

  /** A node was chosen in a pane. */
  async chosen(pane, node) {
    this.at = { pane: this.panes.indexOf(pane), node };
    this.follows = false;
    const details = await pane.source.node(node, this.visit);
    if (this.at.node !== node) return;
    pane.mark(node, details.path);
    pane.outline.mark(details.path);
    this.inspector.show(details, pane.summary, pane.ruler);
    this.keep();
  }

  /** Where the replay stands; null at its end, where all is known. */
  get visit() {
    const { position, total } = this.replay;
    return position < total ? position : null;
  }

  keep() {
    setParams({ ...this.form.write(), pane: this.at.pane || "", node: this.at.node ?? "", visit: this.visit ?? "" });
  }

  /** The replay moved: all panes in step. A node that was chosen since stays chosen. */
  async moment() {
    const { position } = this.replay;
    const isNow = () => position === this.replay.position;
    const nodes = await Promise.all(this.panes.map((pane) => pane.at(position, () => this.follows && isNow())));
    if (!isNow()) return;
    const pane = nodes.findIndex((node) => node !== null);
    if (pane >= 0 && this.follows) this.at = { pane, node: nodes[pane] }; // at the end, what is looked at stays
    const { at } = this;
    if (at.node !== null) {
      const details = await this.pane.source.node(at.node, this.visit);
      if (!isNow() || at !== this.at) return; // the address tells of one moment
      this.inspector.show(details, this.pane.summary, this.pane.ruler);
    }
    this.keep();
  }

  /** What is asked is hidden, so the search is too; the whole tree is what minimax looks at. */
  async startQuiz() {
    this.replay.pause();
    const source = new TraceSource();
    const [pane] = this.panes;
    try {
      const whole = await source.search(this.form.question({ algorithm: "minimax" }));
      if (!whole.all) return void toast("This tree is too large for a quiz.");
      this.columns.hidden = true;
      this.quiz?.start(pane.summary.all, whole.all, whole.us);
    } catch (error) {
      toast(error.message, { isError: true });
    } finally {
      source.close();
    }
  }

  endQuiz() {
    this.columns.hidden = false;
    this.quizButton.focus();
  }

  leave() {
    this.replay.pause();
    for (const pane of this.panes) pane.close();
    this.panes = [];
    this.simulations?.close();
    this.simulations = null;
    this.replay.element.querySelector(".compared")?.remove();
  }
}

/** What two searches of the same position cost, in a sentence. @param {SearchPane} one @param {SearchPane} other */
function comparison(one, other) {
  const [a, b] = [one.summary.counters.nodes, other.summary.counters.nodes];
  const same = one.summary.number === other.summary.number ? `Both say ${one.summary.value}.` : `They differ: ${one.summary.value} and ${other.summary.value}.`;
  const counts = `${one.title} visits ${a.toLocaleString("en")} nodes, ${other.title} ${b.toLocaleString("en")}`;
  const ratio = a === b ? "as many" : `${(b / a).toFixed(b / a < 0.1 ? 4 : 2)} times as many`;
  return h("p", { class: "compared", role: "status" }, `${same} ${counts}: ${ratio}.`);
}

/** Where a position is analysed. */
function linkTo(view) {
  const about = writeAbout({ game: view.game, settings: view.settings, position: view.start });
  return addressWith("/analyse", { ...about, moves: view.moves.map(encoded).join("_") });
}

export async function show(root) {
  const page = new TreePage(root);
  const unbind = bind("Tree", [
    ["Space", "play or pause the replay", () => page.replay.flip()],
    ["n", "next visit", () => page.replay.step(1)],
    ["b", "visit before", () => page.replay.step(-1)],
    ["Home", "to the first visit", () => page.replay.goTo(0)],
    ["End", "to the end of the search", () => page.replay.goTo(page.replay.total)],
  ]);
  const paste = async (event) => {
    const field = event.target.closest?.("input, textarea, select");
    const text = event.clipboardData?.getData("text/plain").trim();
    const isOurs = !field || ((field === page.form?.position || field === page.form?.moves) && !field.value);
    if (!text || !isOurs) return;
    event.preventDefault();
    if (!(await page.paste(text)) && field) field.value = text; // to be mended by hand
  };
  document.addEventListener("paste", paste);
  await page.start();
  return () => {
    document.removeEventListener("paste", paste);
    page.turn += 1;
    page.leave();
    unbind();
  };
}
