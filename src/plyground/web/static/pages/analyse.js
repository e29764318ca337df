// @ts-check
// Analyse: a free board with an engine, variations, and the course of the whole game.
import { fill, h } from "../lib/dom.js";
import { getOnce, post } from "../lib/api.js";
import { bind } from "../lib/keys.js";
import { kept, params, setParams, settings } from "../lib/store.js";
import { say, toast } from "../lib/say.js";
import { Engine } from "../lib/socket.js";
import { GameTree } from "../lib/tree.js";
import { EnginePanel } from "../elements/engine-panel.js";
import { EvalBar, chance, seenByFirst } from "../elements/eval-bar.js";
import { EvalGraph } from "../elements/eval-graph.js";
import { MoveTree } from "../elements/move-tree.js";
import { FactorPanel } from "../elements/factor-panel.js";
import { openSetup } from "../elements/new-game.js";
import "../elements/g-board.js";

const SHALLOW = 6; // points of the graph looked at less deep than this are tentative
const GAME_S = 1; // for each position when a whole game is analysed
const engineOn = kept("engine-on", false);

class Analyse {
  constructor(root) {
    this.root = root;
    this.engine = new Engine();
    this.board = /** @type {any} */ (h("g-board"));
    this.bar = new EvalBar();
    this.graph = new EvalGraph((ply) => this.seek(ply));
    this.panel = new EnginePanel({ toggle: () => this.toggle(), changed: () => this.restart(), playLine: (moves) => this.playLine(moves), line: () => this.line() }, settings);
    this.moves = new MoveTree({ goTo: (node) => this.goTo(node), promote: (node) => this.promote(node), remove: (node) => this.remove(node) });
    this.factors = new FactorPanel();
    /** What was found, by position. @type {Map<string, any>} */
    this.known = new Map();
    /** Positions of this game, by their moves. @type {Map<string, any>} */
    this.views = new Map();
    this.isHidden = false;
    this.turn = 0;
    this.tabs = new BroadcastChannel("plyground-engine");
    this.tabs.onmessage = () => this.yieldToOtherTab();
  }

  async start() {
    const given = params();
    this.games = await getOnce("/api/games");
    this.game = given.game ?? "othello";
    this.settings = Object.fromEntries((given.set ?? "").split(",").filter(Boolean).map((part) => part.split("=")));
    this.position = given.position ?? null;
    this.tree = new GameTree(given.moves ?? "", given.path ?? "");
    if (given.ply !== undefined && !given.path) this.tree.goTo(this.tree.line()[Number(given.ply) - 1] ?? this.tree.root);
    this.board.flipped = this.isFlipped = given.flip === "1";
    this.build();
    await this.show({ quick: true });
    if (engineOn.value) this.toggle(true);
  }

  build() {
    const action = (text, run, more = {}) => h("button", { type: "button", onclick: run, ...more }, text);
    this.title = h("h1", {}, "Analyse");
    this.status = h("p", { class: "thinking" });
    this.analyseButton = action("Analyse game", () => this.analyseGame());
    this.progress = h("p", { class: "note", role: "status" });
    fill(
      this.root,
      this.title,
      h(
        "div",
        { class: "table" },
        h(
          "section",
          { class: "board-place", "aria-label": "Board" },
          h("div", { class: "board-and-bar" }, this.bar.element, this.board),
          h("div", { class: "row-of steps" }, action("|‹", () => this.first(), { "aria-label": "First" }), action("‹", () => this.back(), { "aria-label": "Back" }), action("›", () => this.forward(), { "aria-label": "Forward" }), action("›|", () => this.last(), { "aria-label": "Last" }), action("Flip", () => this.flip())),
          this.status,
        ),
        h(
          "div",
          { class: "beside" },
          this.panel.element,
          h("section", { class: "panel", "aria-label": "Moves" }, h("h2", {}, "Moves"), this.moves.element, h("div", { class: "row-of" }, action("Main line", () => this.promote()), action("Delete from here", () => this.remove()), action("Only main line", () => this.keepMain()))),
          h("section", { class: "panel", "aria-label": "Course" }, h("h2", {}, "Course of the game"), this.graph.element, h("div", { class: "row-of" }, this.analyseButton), this.progress),
          this.factors.element,
          h("section", { class: "panel", "aria-label": "Position" }, h("h2", {}, "Position"), h("p", { class: "note" }, "Paste a game or a position anywhere on this page."), h("div", { class: "row-of" }, action("Share", () => this.share()), action("Copy moves", () => this.copyMoves()), action("Copy position", () => this.copyPosition()), action("Another game …", () => this.setup()))),
        ),
      ),
    );
    this.board.interactive = true;
    this.board.addEventListener("play", (event) => this.play(event.detail.move));
    this.board.addEventListener("refused", (event) => say(event.detail.text));
    settings.guides.watch((value) => (this.board.guides = value));
  }

  // ---------------------------------------------------------------- the position

  line(node = this.tree.current) {
    return { game: this.game, settings: this.settings, position: this.position, moves: this.tree.moves(node) };
  }

  async view(node = this.tree.current) {
    const key = this.tree.moves(node).join(" ");
    if (!this.views.has(key)) this.views.set(key, await post("/api/position", this.line(node)));
    return this.views.get(key);
  }

  async show({ quick = false, push = false } = {}) {
    const turn = ++this.turn;
    let view;
    try {
      view = await this.view();
    } catch (error) {
      toast(error.message, { isError: true });
      if (!this.tree.back()) return;
      if (this.tree.current === this.tree.root && !this.tree.undo()) this.position = null;
      return this.show({ quick: true });
    }
    if (turn !== this.turn) return;
    this.now = view;
    this.settings = view.settings;
    this.board.show(view, { quick });
    this.title.textContent = `${view.title}: analysis`;
    const spec = this.games.find((each) => each.name === view.game);
    if (spec) this.panel.offer(spec.evaluators);
    this.moves.show(this.tree);
    this.status.textContent = view.over ? this.resultText(view) : `${view.players[view.side === "first" ? 0 : 1]} to move`;
    setParams(this.address(), { push });
    this.drawFound();
    this.factors.show(this.line(), this.panel.judge.value, view);
    if (this.panel.isOn) this.restart();
  }

  resultText(view) {
    return view.winner === "draw" ? "A draw." : `${view.players[view.winner === "first" ? 0 : 1]} wins.`;
  }

  address() {
    const set = Object.entries(this.settings).map(([name, value]) => `${name}=${value}`).join(",");
    return { game: this.game, set, position: this.position, moves: this.tree.toString(), path: this.tree.path(), flip: this.isFlipped ? "1" : "" };
  }

  play(move) {
    const before = this.now;
    this.tree.play(move);
    say(`${before.players[before.side === "first" ? 0 : 1]} plays ${move}.`);
    return this.show({ push: true });
  }

  playLine(moves) {
    this.tree.play(...moves);
    return this.show({ push: true, quick: true });
  }

  // ---------------------------------------------------------------- going

  goTo(node) {
    this.tree.goTo(node);
    return this.show({ quick: true });
  }

  seek(ply) {
    this.goTo(ply ? (this.tree.line()[ply - 1] ?? this.tree.current) : this.tree.root);
  }

  back() {
    this.tree.back();
    return this.show({ quick: true });
  }

  forward() {
    this.tree.forward(Math.min(this.fork ?? 0, this.tree.current.children.length - 1));
    this.fork = 0;
    return this.show();
  }

  first() {
    return this.goTo(this.tree.root);
  }

  last() {
    return this.goTo(this.tree.end(this.tree.current));
  }

  /** Which of several children Right will enter. */
  chooseFork(step) {
    const { children } = this.tree.current;
    if (children.length < 2) return step > 0 ? this.last() : this.first();
    this.fork = ((this.fork ?? 0) + step + children.length) % children.length;
    this.status.textContent = `next: ${children[this.fork].move} (${this.fork + 1} of ${children.length})`;
    say(this.status.textContent ?? "");
  }

  flip() {
    this.isFlipped = !this.isFlipped;
    this.board.flipped = this.isFlipped;
    setParams(this.address());
  }

  // ---------------------------------------------------------------- changing

  promote(node = this.tree.current) {
    this.tree.promote(node);
    this.show({ quick: true });
  }

  remove(node = this.tree.current) {
    if (!node.parent) return;
    this.tree.remove(node);
    this.show({ quick: true });
    toast("Deleted.", { action: "Undo", run: () => this.undo() });
  }

  keepMain() {
    this.tree.keepMainLine();
    this.show({ quick: true });
    toast("Variations deleted.", { action: "Undo", run: () => this.undo() });
  }

  undo() {
    const before = this.before;
    if (before && this.tree._past.length === before.depth) {
      Object.assign(this, before.state);
      this.before = null;
      this.views.clear();
      this.known.clear();
    }
    if (this.tree.undo()) this.show({ quick: true });
  }

  /** Whatever was pasted takes the place of the game; Ctrl+Z brings it back. */
  async paste(text) {
    const own = readOwnAddress(text);
    if (own) return this.load(own.line, own.tree, "a link of ours", own.path);
    try {
      const found = await post("/api/recognise", { text, game: this.game });
      const moves = found.view.moves.map(encodeURIComponent).join("_");
      return this.load({ game: found.view.game, settings: found.view.settings, position: found.view.start }, moves, found.what);
    } catch (error) {
      toast(error.message, { isError: true });
    }
  }

  async load(line, moves, what, path = "") {
    const state = { game: this.game, settings: this.settings, position: this.position };
    this.tree.replaceWith(moves, path);
    this.before = { state, depth: this.tree._past.length };
    this.game = line.game;
    this.settings = line.settings ?? {};
    this.position = line.position ?? null;
    this.views.clear();
    this.known.clear();
    await this.show({ push: true, quick: true });
    toast(`Recognised: ${what}.`, { action: "Undo", run: () => this.undo() });
    say(`Recognised: ${what}.`);
  }

  setup() {
    openSetup(this.games, { game: this.game, settings: this.settings, players: ["human", "human"] }, ({ game, settings: chosen }) => this.load({ game, settings: chosen }, "", `a new game of ${game}`));
  }

  // ---------------------------------------------------------------- the engine

  toggle(on = !this.panel.isOn) {
    this.panel.on = on;
    engineOn.value = on;
    if (on) this.restart();
    else {
      this.engine.forget();
      this.panel.clear("off");
    }
  }

  yieldToOtherTab() {
    if (!this.panel.isOn) return;
    this.panel.on = false;
    this.engine.forget();
    this.panel.clear("stopped: another tab is analysing");
  }

  restart() {
    if (!this.panel.isOn || !this.now) return;
    this.bar.markStale();
    if (this.now.over) {
      this.engine.forget();
      this.panel.clear("the game is over");
      return;
    }
    this.tabs.postMessage("mine");
    const at = { key: this.now.position, view: this.now };
    const known = this.known.get(at.key);
    if (known?.complete) return this.drawFound();
    const evaluator = this.panel.judge.value || null;
    this.engine.start({ kind: "analysis", line: this.line(), evaluator, time_s: settings.time.value }, (told) => {
      if (told.type === "compiling") this.panel.figures.textContent = `${told.text} …`;
      if (told.type === "waiting") this.panel.figures.textContent = "waiting for a free processor …";
      if (told.type === "error") this.panel.figures.textContent = told.text;
      if (told.type === "info" && told.moves.length) {
        const before = this.known.get(at.key);
        if (before && before.depth > told.depth) return;
        this.known.set(at.key, { ...told, side: at.view.side });
        if (this.now.position === at.key) this.drawFound();
      }
    });
  }

  get swing() {
    return this.game === "othello" ? 300 : 100;
  }

  /** All that is shown of an analysis reads the one that is known for the position. */
  drawFound() {
    const found = this.known.get(this.now.position);
    if (found && this.panel.isOn) this.panel.show(found);
    else if (this.panel.isOn) this.panel.clear("…");
    if (found) this.bar.show(found.moves[0]?.score, this.now.side, this.swing, this.now.players);
    else this.bar.markStale();
    this.board.marks = this.isHidden || !this.panel.isOn ? new Map() : this.marks(found);
    this.drawGraph();
  }

  marks(found) {
    const marks = new Map();
    const scores = new Map((found?.moves ?? []).map((each, index) => [each.move, { ...each, best: index === 0 }]));
    for (const legal of this.now.legal) {
      const [cell] = legal.cells;
      if (cell === undefined || marks.has(cell)) continue;
      const known = scores.get(legal.move);
      marks.set(cell, known ? { text: shortScore(known.score), kind: known.score.kind, best: known.best } : { text: "?" });
    }
    return marks;
  }

  async drawGraph() {
    const nodes = this.tree.line();
    const points = [];
    for (const node of [this.tree.root, ...nodes]) {
      const view = this.views.get(this.tree.moves(node).join(" "));
      const found = view && this.known.get(view.position);
      const score = found?.moves[0]?.score;
      points.push(score ? { chance: chance(score, view.side, this.swing), kind: score.kind, text: seenByFirst(score, view.side), isTentative: found.depth < SHALLOW && !found.complete } : null);
    }
    this.graph.show(points, this.tree.ply, nodes.length);
  }

  hide() {
    this.isHidden = !this.isHidden;
    this.panel.isHidden = this.isHidden;
    this.panel.draw();
    this.drawFound();
    say(this.isHidden ? "Scores hidden." : "Scores shown.");
  }

  bestMove() {
    const best = this.known.get(this.now.position)?.moves[0];
    if (best) this.play(best.move);
  }

  /** Every position of the line, one after the other; stopping keeps what was found. */
  async analyseGame() {
    if (this.running) {
      this.running = false;
      this.engine.forget();
      return;
    }
    this.running = true;
    this.analyseButton.textContent = "Stop";
    const nodes = [this.tree.root, ...this.tree.line()];
    const started = performance.now();
    let done = 0;
    for (const node of nodes) {
      const view = await this.view(node);
      const known = this.known.get(view.position);
      if (!view.over && !(known && known.depth >= SHALLOW)) await this.analyseOne(node, view);
      if (!this.running) break;
      done += 1;
      const left = ((performance.now() - started) / done) * (nodes.length - done);
      this.progress.textContent = `${done}/${nodes.length} positions, ${Math.ceil(left / 1000)} s left`;
      this.drawGraph();
    }
    this.progress.textContent = done === nodes.length ? "" : `stopped after ${done} of ${nodes.length}; press again to go on`;
    this.analyseButton.textContent = "Analyse game";
    this.running = false;
    if (this.panel.isOn) this.restart();
  }

  analyseOne(node, view) {
    return new Promise((resolve) => {
      this.engine.start({ kind: "analysis", line: this.line(node), evaluator: this.panel.judge.value || null, time_s: GAME_S }, (told) => {
        if (told.type === "compiling") this.progress.textContent = `${told.text} …`;
        if (told.type === "info" && told.moves.length) this.known.set(view.position, { ...told, side: view.side });
        if (told.type === "done" || told.type === "error") resolve(undefined);
      });
    });
  }

  // ---------------------------------------------------------------- out

  async copy(text, what) {
    await navigator.clipboard?.writeText(text).catch(() => {});
    toast(`Copied: ${what}.`);
  }

  share() {
    return this.copy(location.href, "a link to this position");
  }

  copyMoves() {
    return this.copy(this.tree.moves().join(" "), "the moves");
  }

  copyPosition() {
    return this.copy(this.now.position, "the position");
  }

  leave() {
    this.running = false;
    this.engine.close();
    this.tabs.close();
  }
}

/** One of our addresses, if the text is one. */
function readOwnAddress(text) {
  let url;
  try {
    url = new URL(text.trim());
  } catch {
    return null;
  }
  const given = Object.fromEntries(url.searchParams);
  if (!["/analyse", "/play"].includes(url.pathname) || !given.game) return null;
  const settings = Object.fromEntries((given.set ?? "").split(",").filter(Boolean).map((part) => part.split("=")));
  return { line: { game: given.game, settings, position: given.position ?? null }, tree: given.moves ?? "", path: given.path ?? "" };
}

/** A score that fits into a cell. */
function shortScore(score) {
  if (score.kind === "win") return `win ${score.value}`;
  if (score.kind === "loss") return `loss ${score.value}`;
  return score.text;
}

export async function show(root) {
  const page = new Analyse(root);
  const unbind = bind("Analyse", [
    ["ArrowLeft", "one move back", () => page.back()],
    ["ArrowRight", "one move on", () => page.forward()],
    ["ArrowUp", "previous of several moves, or to the start", () => page.chooseFork(-1)],
    ["ArrowDown", "next of several moves, or to the end", () => page.chooseFork(1)],
    ["Home", "to the start", () => page.first()],
    ["End", "to the end", () => page.last()],
    ["Shift+ArrowRight", "to the next fork", () => page.goTo(page.tree.nextFork())],
    ["Shift+ArrowLeft", "to the previous fork", () => page.goTo(page.tree.previousFork())],
    ["l", "engine on or off", () => page.toggle()],
    ["h", "hide or show the scores", () => page.hide()],
    ["Space", "play the best move", () => page.bestMove()],
    ["f", "flip the board", () => page.flip()],
    ["c", "copy the moves", () => page.copyMoves()],
    ["C", "copy the position", () => page.copyPosition()],
    ["Ctrl+z", "undo the last change", () => page.undo()],
  ]);
  const paste = (event) => {
    if (event.target.matches?.("input, textarea")) return;
    const text = event.clipboardData?.getData("text/plain");
    if (text) page.paste(text);
  };
  document.addEventListener("paste", paste);
  await page.start();
  return () => {
    document.removeEventListener("paste", paste);
    unbind();
    page.leave();
  };
}
