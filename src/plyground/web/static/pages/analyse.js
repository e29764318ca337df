// @ts-check
// Analyse: a free board with an engine, variations, and the course of the whole game. Here the
// parts are put together: what is shown, and going about in it and changing it. How the engine is
// asked is in `analyse/engine.js`, what is known in `analyse/findings.js`.
import { fill, h } from "../lib/dom.js";
import { getOnce, post } from "../lib/api.js";
import { gamesWith, treeOf, readAddress, readOwnLink, writeAbout } from "../lib/address.js";
import { bind } from "../lib/keys.js";
import { paced } from "../lib/pace.js";
import { params, setParams, settings } from "../lib/store.js";
import { say, toast } from "../lib/say.js";
import { GameTree, encoded } from "../lib/tree.js";
import { copyText } from "../elements/copying.js";
import { EnginePanel } from "../elements/engine-panel.js";
import { EvalBar } from "../elements/eval-bar.js";
import { FactorPanel } from "../elements/factor-panel.js";
import { MoveTree } from "../elements/move-tree.js";
import { openSetup } from "../elements/new-game.js";
import { NoteField, hasNote } from "../elements/note-field.js";
import "../elements/g-board.js";
import { stepButtons } from "../elements/step-buttons.js";
import { Course } from "./analyse/course.js";
import { EngineControl } from "./analyse/engine.js";
import { Findings } from "./analyse/findings.js";
import { withTabs } from "./analyse/tabs.js";

const SWINGS = { othello: 300 }; // guesses of this size nearly decide a game; what evaluators give differs
const USUAL_SWING = 100;
const RETRY_MS = 1000;
const ILLEGAL = [400, 422]; // what the server answers to a line that is none

class Analyse {
  constructor(root) {
    this.root = root;
    this.findings = new Findings();
    /** Positions of this game, by their moves. @type {Map<string, any>} */
    this.views = new Map();
    this.isHidden = false;
    this.fork = 0; // which of several moves the next step takes
    this.turn = 0;
    /** The node that is seen, which is not the current one until the server has told of that. @type {any} */
    this.shown = null;
    /** What closes the notes that offer to undo something. @type {Array<() => void>} */
    this.offers = [];
    this.board = /** @type {any} */ (h("g-board"));
    this.bar = new EvalBar();
    this.panel = new EnginePanel({ toggle: () => this.engine.toggle(), changed: () => this.engine.follow(), judged: () => this.judgeAnew(), playLine: (moves) => this.playLine(moves), line: () => this.line() }, settings);
    this.engine = new EngineControl(this.panel, this.findings, { now: () => this.now, line: () => this.line(), found: paced(() => this.drawFound()) });
    this.course = new Course(this.findings, this.engine, {
      line: () => [this.tree.root, ...this.tree.line()],
      view: (node) => this.view(node),
      seen: (node) => this.views.get(this.key(node)),
      request: (node) => this.line(node),
      ply: () => this.tree.ply,
      swing: () => this.swing,
      goTo: (node, options) => this.goTo(node, options),
    });
    this.moves = new MoveTree({ goTo: (node) => this.goTo(node), promote: (node) => this.promote(node), remove: (node) => this.remove(node), copy: (node) => this.copyMoves(node), isNoted: (node) => hasNote(this.lineName(node)) });
    this.note = new NoteField(() => this.moves.show(this.tree));
    this.factors = new FactorPanel(this.board);
  }

  async start() {
    const given = readAddress(params());
    this.games = await getOnce("/api/games");
    this.tree = new GameTree(given.moves, given.path, given.about);
    this.goToGiven(given);
    this.turnBoard(given.isFlipped);
    this.build();
    await this.show({ quick: true });
    this.engine.start();
  }

  build() {
    const action = (text, run, more = {}) => h("button", { type: "button", onclick: run, ...more }, text);
    const panel = (name, ...children) => h("section", { class: "panel", "aria-label": name }, h("h2", {}, name), children);
    this.title = h("h1", {}, "Analyse");
    this.status = h("p", { class: "thinking" });
    this.frame = h("div", { class: "board-and-bar" }, this.bar.element, this.board);
    this.stored = h("a", { class: "button" }, "Games with this position");
    this.inside = /** @type {any} */ (h("a", { class: "button" }, "Look inside a search"));
    const steps = stepButtons({ first: () => this.first(), back: () => this.back(), forward: () => this.forward(), last: () => this.last() }, action("Flip", () => this.flip()));
    const moves = panel("Moves", this.moves.element, h("div", { class: "row-of" }, action("Main line", () => this.promote()), action("Delete from here", () => this.remove()), action("Only main line", () => this.keepMain())), this.note.element);
    const position = panel("Position", h("p", { class: "note" }, "Paste a game or a position anywhere on this page."), h("div", { class: "row-of" }, action("Share", () => this.share()), action("Copy moves", () => this.copyMoves()), action("Copy position", () => this.copyPosition()), this.stored, this.inside, action("Another game …", () => this.setup())));
    const place = h("section", { class: "board-place", "aria-label": "Board" }, this.frame, steps, this.status);
    const beside = withTabs({ Engine: this.panel.element, Moves: moves, Course: this.course.element, Factors: this.factors.element, Position: position });
    fill(this.root, this.title, h("div", { class: "table" }, place, beside));
    this.board.interactive = true;
    this.board.addEventListener("play", (event) => this.play(event.detail.move));
    this.board.addEventListener("refused", (event) => say(event.detail.text));
    this.unwatch = settings.guides.watch((value) => (this.board.guides = value));
  }

  // ---------------------------------------------------------------- the position

  /** What the server is asked about. */
  line(node = this.tree.current) {
    return { ...this.tree.about, moves: this.tree.moves(node) };
  }

  key(node) {
    return this.tree.moves(node).join(" ");
  }

  /** What a line of moves is called where something is kept about it. */
  lineName(node = this.tree.current) {
    return JSON.stringify([writeAbout(this.tree.about), this.key(node)]);
  }

  async view(node = this.tree.current) {
    const key = this.key(node);
    if (!this.views.has(key)) this.views.set(key, await post("/api/position", this.line(node)));
    return this.views.get(key);
  }

  /** Show where one is, and tell it to those who do not see it. */
  show(options = {}) {
    this.showing = this._show(options);
    return this.showing;
  }

  async _show({ quick = false, push = false, isQuiet = false, lead = "" } = {}) {
    const turn = ++this.turn;
    this.fork = 0;
    let view;
    try {
      view = await this.view();
    } catch (error) {
      if (turn !== this.turn) return;
      if (!ILLEGAL.includes(error.status)) return this.wait(error, push);
      toast(error.message, { isError: true });
      return this.giveWay();
    }
    if (turn !== this.turn) return;
    const wasAt = this.shownKey;
    this.now = view;
    this.shown = this.tree.current;
    this.shownKey = this.key();
    this.tree.about.settings = view.settings;
    this.board.show(view, { quick });
    this.frame.style.setProperty("--ratio", String(ratio(view.board)));
    this.title.textContent = `${view.title}: analysis`;
    const spec = this.games.find((each) => each.name === view.game);
    if (spec) this.panel.offer(view.game, spec.evaluators);
    this.moves.show(this.tree);
    this.note.show(this.lineName());
    const outlook = view.over ? result(view) : `${mover(view)} to move`;
    this.status.textContent = outlook;
    this.status.title = "";
    this.frame.classList.remove("behind");
    if (!isQuiet && wasAt !== undefined && wasAt !== this.shownKey) say(`${lead || this.where()} ${outlook.replace(/\.?$/, ".")}`);
    this.stored.href = gamesWith(this.tree.about, this.tree.moves());
    this.inside.href = treeOf(this.tree.about, this.tree.moves());
    setParams(this.address(), { push });
    this.drawFound();
    this.factors.show(this.line(), this.panel.evaluator, view);
    this.engine.follow();
  }

  /** The server does not answer: nothing is given up, and it is asked again. */
  wait(error, push) {
    this.moves.show(this.tree);
    this.note.show(this.lineName());
    setParams(this.address(), { push });
    this.status.textContent = "Waiting for the server …";
    this.status.title = error.message;
    this.frame.classList.add("behind");
    const { turn } = this;
    setTimeout(() => turn === this.turn && this.show({ quick: true }), RETRY_MS);
  }

  get isUpToDate() {
    return this.shown === this.tree.current;
  }

  where() {
    return this.tree.current.parent ? `Move ${this.tree.ply}: ${this.tree.current.move}.` : "The start.";
  }

  /** There is no such position: back to the nearest that can, without what leads on from it. */
  async giveWay() {
    for (;;) {
      const wrong = this.tree.current;
      if (wrong.parent) this.tree.remove(wrong);
      else if (!this.undo(false)) return;
      const isIllegal = await this.view().then(() => false, (error) => ILLEGAL.includes(error.status));
      if (!isIllegal) return this.show({ quick: true });
    }
  }

  /** An address without a place is that of the end, so the start has to be named. */
  address() {
    const isStart = !this.tree.current.parent && this.tree.root.children.length;
    return { ...writeAbout(this.tree.about), moves: this.tree.toString(), path: this.tree.path(), ply: isStart ? 0 : "", flip: this.isFlipped ? "1" : "" };
  }

  /** What is played while a position is on its way is meant for that one. */
  async play(move) {
    await this.showing;
    if (!this.isUpToDate || !this.now.legal.some((each) => each.move === move)) return;
    this.tree.play(move);
    return this.show({ push: true, lead: `${mover(this.now)} plays ${move}.` });
  }

  playLine(moves) {
    if (!this.isUpToDate) return;
    this.tree.play(...moves);
    return this.show({ push: true, quick: true });
  }

  // ---------------------------------------------------------------- going

  goTo(node, { isQuiet = false } = {}) {
    this.tree.goTo(node);
    return this.show({ quick: true, isQuiet });
  }

  /** Where an address leads to in its tree: a path goes before a ply. */
  goToGiven({ path, ply }) {
    if (ply !== null && !path) this.tree.goTo(this.tree.atPly(ply));
  }

  back() {
    this.tree.back();
    return this.show({ quick: true });
  }

  forward() {
    this.tree.forward(this.fork);
    return this.show();
  }

  first() {
    return this.goTo(this.tree.root);
  }

  last() {
    return this.goTo(this.tree.end(this.tree.current));
  }

  /** Which of several moves the next step takes; where there is one, to the start or the end. */
  chooseFork(step) {
    const { children } = this.tree.current;
    if (children.length < 2) return step > 0 ? this.last() : this.first();
    this.fork = (this.fork + step + children.length) % children.length;
    this.moves.show(this.tree, children[this.fork]);
    this.status.textContent = `next: ${children[this.fork].move} (${this.fork + 1} of ${children.length})`;
    say(this.status.textContent);
  }

  flip() {
    this.turnBoard(!this.isFlipped);
    setParams(this.address());
  }

  turnBoard(isFlipped) {
    this.isFlipped = this.board.flipped = this.bar.flipped = isFlipped;
  }

  // ---------------------------------------------------------------- changing

  promote(node = this.tree.current) {
    this.tree.promote(node);
    this.show({ quick: true });
  }

  remove(node = this.tree.current) {
    if (node.parent) this.removed("Deleted.", this.tree.remove(node));
  }

  keepMain() {
    this.removed("Variations deleted.", this.tree.keepMainLine());
  }

  removed(text, removal) {
    this.show({ quick: true });
    this.offerUndo(text, () => this.tree.putBack(removal));
  }

  /** A note whose button undoes this change and no other; Ctrl+Z or another game ends the offer. */
  offerUndo(text, run) {
    this.offers.push(toast(text, { action: "Undo", run: () => (run(), this.show({ quick: true })) }));
  }

  closeOffers() {
    for (const close of this.offers.splice(0)) close();
  }

  /** Back to the tree before the last change, perhaps of another game; whether there was one. */
  undo(show = true) {
    const about = JSON.stringify(this.tree.about);
    if (!this.tree.undo()) return false;
    this.closeOffers();
    if (JSON.stringify(this.tree.about) !== about) this.forgetAll();
    if (show) this.show({ quick: true });
    return true;
  }

  /** Whatever was pasted takes the place of the game; Ctrl+Z brings it back. */
  async paste(text) {
    const own = readOwnLink(text);
    if (own) return this.load(own.about, own.moves, "a link of ours", own);
    const { view, what, error } = await post("/api/recognise", { text, game: this.tree.about.game }).catch((error) => ({ error }));
    if (error) return void toast(error.message, { isError: true });
    return this.load({ game: view.game, settings: view.settings, position: view.start }, view.moves.map(encoded).join("_"), what);
  }

  /** Put another game in the place of this one, if there is such a game. */
  async load(about, moves, what, { path = "", ply = null, isFlipped = this.isFlipped } = {}) {
    try {
      await post("/api/position", { ...about, moves: new GameTree(moves, path).moves() });
    } catch (error) {
      return void toast(error.message, { isError: true });
    }
    const wasFlipped = this.isFlipped;
    const before = this.tree.replaceWith(moves, path, about);
    this.goToGiven({ path, ply });
    this.turnBoard(isFlipped);
    this.forgetAll();
    await this.show({ push: true, quick: true });
    this.offerUndo(`Recognised: ${what}.`, () => {
      this.tree.restore(before);
      this.turnBoard(wasFlipped);
      this.forgetAll();
    });
  }

  setup() {
    const { game, settings: chosen } = this.tree.about;
    openSetup(this.games, { game, settings: chosen, players: null }, (wanted) => this.load({ game: wanted.game, settings: wanted.settings, position: null }, "", `a new game of ${wanted.game}`));
  }

  forgetAll() {
    this.closeOffers();
    this.views.clear();
    this.findings.clear();
  }

  // ---------------------------------------------------------------- what the engine found

  get swing() {
    return SWINGS[this.tree.about.game] ?? USUAL_SWING;
  }

  drawFound() {
    if (!this.now) return;
    const found = this.findings.of(this.now);
    const score = this.findings.score(this.now);
    if (this.panel.isOn && !this.now.over) found ? this.panel.show(found) : this.panel.clear("…");
    if (score) this.bar.show(score, this.now.side, this.swing, this.now.players);
    else this.bar.markStale(this.now.players);
    this.board.marks = this.isHidden || !this.panel.isOn ? new Map() : this.findings.marks(this.now, this.swing);
    this.course.draw();
  }

  /** By another evaluator all that is known is worth nothing. */
  judgeAnew() {
    this.findings.clear();
    this.drawFound();
    this.factors.show(this.line(), this.panel.evaluator, this.now);
    this.engine.follow();
  }

  hide() {
    this.isHidden = this.panel.isHidden = !this.isHidden;
    this.panel.draw();
    this.drawFound();
    say(this.isHidden ? "Scores hidden." : "Scores shown.");
  }

  bestMove() {
    const best = this.isUpToDate && this.findings.of(this.now)?.moves[0];
    if (best) this.play(best.move);
  }

  // ---------------------------------------------------------------- out

  share() {
    return copyText(location.href, "a link to this position");
  }

  copyMoves(node = this.tree.current) {
    return copyText(this.tree.moves(node).join(" "), "the moves");
  }

  copyPosition() {
    if (this.now) return copyText(this.now.position, "the position");
  }

  leave() {
    this.turn += 1; // whatever is still on its way is not shown
    this.closeOffers();
    this.course.isRunning = false;
    this.unwatch?.();
    this.engine.close();
  }
}

const WIDE = 3;

/** How much wider than high a board is, so that the bar stands beside it; some take all there is. */
function ratio({ kind, rows, columns }) {
  return kind === "grid" || kind === "columns" ? columns / rows : WIDE;
}

const mover = (view) => view.players[view.side === "first" ? 0 : 1];

function result(view) {
  return view.winner === "draw" ? "A draw." : `${view.players[view.winner === "first" ? 0 : 1]} wins.`;
}

export async function show(root) {
  const page = new Analyse(root);
  await page.start();
  const unbind = bind("Analyse", [
    ["ArrowLeft", "one move back", () => page.back()],
    ["ArrowRight", "one move on", () => page.forward()],
    ["ArrowUp", "previous of several moves, or to the start", () => page.chooseFork(-1)],
    ["ArrowDown", "next of several moves, or to the end", () => page.chooseFork(1)],
    ["Home", "to the start", () => page.first()],
    ["End", "to the end", () => page.last()],
    ["Shift+ArrowRight", "to the next fork", () => page.goTo(page.tree.nextFork())],
    ["Shift+ArrowLeft", "to the previous fork", () => page.goTo(page.tree.previousFork())],
    ["m", "what can be done with this move", () => page.moves.openMenu()],
    ["l", "engine on or off", () => page.engine.toggle()],
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
  return () => {
    document.removeEventListener("paste", paste);
    unbind();
    page.leave();
  };
}
