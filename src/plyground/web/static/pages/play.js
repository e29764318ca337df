// @ts-check
// Play: people and machines in any combination, every move kept as it is made. What was taken back
// stays as a branch of the game, which Analyse shows. Knows no rule.
import { fill, h } from "../lib/dom.js";
import { get, getOnce, post } from "../lib/api.js";
import { bind } from "../lib/keys.js";
import { kept, params, setParams, settings } from "../lib/store.js";
import { say, toast } from "../lib/say.js";
import { GameTree, encoded } from "../lib/tree.js";
import "../elements/g-board.js";
import { Clocks } from "../elements/clocks.js";
import { elapsed } from "../elements/elapsed.js";
import { hintOf } from "../elements/hints.js";
import { Keeper } from "../elements/keeper.js";
import { MOST_S, Machine, ponders } from "../elements/machine.js";
import { moveList } from "../elements/move-list.js";
import { openSetup } from "../elements/new-game.js";
import { seats } from "../elements/seats.js";
import { sound } from "../elements/sound.js";
import { Watching } from "../elements/watching.js";

const HUMAN = "human";
const UNFINISHED_TURN = "plyground.turn";
/** Where a game was left, for Home and for this page without parameters. */
export const lastGame = kept("last-game", /** @type {null | { address: string, text: string }} */ (null));

class Play {
  constructor(root) {
    this.root = root;
    this.machine = new Machine();
    this.clocks = new Clocks();
    this.watching = new Watching();
    this.keeper = new Keeper((before, now) => {
      if (this.uid !== before || this.hasLeft) return;
      this.uid = now;
      if (this.view) setParams(this.address());
    });
    this.board = /** @type {any} */ (h("g-board"));
    this.status = h("div", { class: "thinking", "aria-live": "off" });
    /** @type {any} */ this.view = null;
    this.hasLeft = false;
    this.isFlipped = false;
    this.reset();
  }

  reset() {
    this.uid = newUid();
    this.isKept = false;
    this.seed = Math.floor(Math.random() * 2 ** 40);
    this.tree = new GameTree();
    /** What is known of each move. @type {any[]} */
    this.told = [];
    this.redoable = [];
    this.hints = 0;
    this.hint = { step: 0, found: /** @type {any} */ (null) };
    this.resigned = /** @type {null | number} */ (null);
    /** The last of the steps that wait for the server. */
    this.underWay = Promise.resolve();
  }

  get isGone() {
    return this.hasLeft || !this.root.isConnected;
  }

  async start() {
    const given = params();
    this.games = await getOnce("/api/games");
    this.players = [given.first ?? HUMAN, given.second ?? "amateur"];
    this.uid = given.id ?? this.uid;
    this.tree = new GameTree(given.lines ?? "");
    this.isFlipped = this.board.flipped = given.flip === "1";
    const line = {
      game: given.game ?? "othello",
      settings: readSettings(given.set),
      position: given.position ?? null,
      moves: (given.moves ?? "").split("_").filter(Boolean).map(decodeURIComponent),
    };
    await this.keeper.catchUp();
    if (given.id) await this.restore(line);
    const view = await post("/api/position", line).catch((error) => this.instead(line.game, error));
    if (this.isGone) return;
    this.build();
    this.take(view, { quick: true });
    this.redoable = this.tree.line().slice(this.view.moves.length).map((node) => node.move);
    this.draw();
    this.go();
  }

  /** What is shown where an address makes no sense. */
  instead(game, error) {
    toast(error.message, { isError: true });
    this.tree = new GameTree();
    const isKnown = this.games.some((each) => each.name === game);
    return post("/api/position", { game: isKnown ? game : "othello" });
  }

  /** What the store knows of this game is what counts. */
  async restore(line) {
    const stored = await get(`/api/plays/${this.uid}`).catch(() => null);
    if (!stored) return;
    this.isKept = true;
    line.game = stored.game;
    line.settings = stored.settings ?? {};
    line.position = stored.position ?? null;
    line.moves = stored.moves.map((each) => each.move);
    this.players = stored.players;
    this.seed = stored.seed ?? this.seed;
    this.told = stored.moves;
    this.hints = Number(stored.tags?.hints ?? 0);
    if (stored.ended === "resigned") this.resigned = stored.points === 0 ? 0 : 1;
  }

  // ---------------------------------------------------------------- the position

  take(view, { quick = false, push = false } = {}) {
    this.view = view;
    this.hint = { step: 0, found: null };
    this.tree.goTo(this.tree.root);
    this.tree.play(...view.moves);
    this.clocks.set(this.used());
    if (this.isPersonsTurn && view.moves.length) this.clocks.run(this.sideIndex, this.leftOver());
    this.board.marks = new Map();
    this.board.interactive = this.isPersonsTurn;
    this.board.show(view, { quick });
    this.leaveTrace({ push });
    this.draw();
  }

  /** In the address, and for the first page. */
  leaveTrace({ push = false } = {}) {
    const { view } = this;
    setParams(this.address(), { push });
    lastGame.value = this.isOver || !view.moves.length ? null : { address: location.pathname + location.search, text: `${view.title}, after ${view.moves.length} moves` };
  }

  /** The time that each side has used in the moves so far. */
  used() {
    const spent = [0, 0];
    this.told.slice(0, this.view.moves.length).forEach((each) => (spent[each?.side ?? 0] += each?.time_s ?? 0));
    return spent;
  }

  /** What was used of this turn before the page was loaded again. */
  leftOver() {
    const before = JSON.parse(sessionStorage.getItem(UNFINISHED_TURN) ?? "{}");
    sessionStorage.removeItem(UNFINISHED_TURN);
    return before.uid === this.uid && before.ply === this.view.moves.length ? before.spent_s : 0;
  }

  address() {
    const { view, tree } = this;
    const set = Object.entries(view.settings).map(([name, value]) => `${name}=${value}`).join(",");
    const moves = view.moves.map(encoded).join("_");
    const lines = tree.toString() === moves ? null : tree.toString();
    return { game: view.game, first: this.players[0], second: this.players[1], set, position: view.start, moves, lines, id: this.isKept ? this.uid : null, flip: this.isFlipped ? "1" : null };
  }

  /** Where this game is analysed, with all that was taken back. */
  analysis() {
    const { game, set, position } = this.address();
    const query = { game, set, ...(position ? { position } : {}), moves: this.tree.toString(), path: this.tree.path(), ...(this.isFlipped ? { flip: "1" } : {}) };
    return `/analyse?${new URLSearchParams(query)}`;
  }

  line(moves = this.view.moves) {
    return { game: this.view.game, settings: this.view.settings, position: this.view.start, moves };
  }

  get isOver() {
    return this.view.over || this.resigned !== null;
  }

  get sideIndex() {
    return this.view.side === "first" ? 0 : 1;
  }

  get nameToMove() {
    return this.view.players[this.sideIndex];
  }

  get isPersonsTurn() {
    return !this.isOver && this.players[this.sideIndex] === HUMAN;
  }

  get isWatched() {
    return !this.players.includes(HUMAN);
  }

  /** Whose turn it is, and what follows from that. */
  go() {
    if (this.isGone || this.isOver) return;
    if (this.view.forced) return this.pass();
    if (this.isPersonsTurn) return this.ponder();
    if (this.isWatched) this.watching.ready(() => this.askMachine());
    else this.askMachine();
  }

  pass() {
    const text = `${this.nameToMove} has no move and passes.`;
    if (!this.isPersonsTurn) return this.play(this.view.forced);
    const button = h("button", { type: "button", class: "main", onclick: () => this.play(this.view.forced) }, "Pass");
    fill(this.status, h("span", {}, text), button);
    if (!document.querySelector("dialog[open]")) button.focus();
  }

  /** One step after the other: a key that is pressed again before the server has answered waits. @param {() => any} step */
  inTurn(step) {
    return (this.underWay = this.underWay.then(step, step));
  }

  /** Whether a question was about what is no longer so. */
  isPast(view) {
    return this.isGone || this.view !== view;
  }

  /** The server has refused, or cannot be reached: all is as it was. */
  stay(error) {
    toast(error.message, { isError: true });
    if (!this.isPersonsTurn && !this.isOver) this.offerAgain();
  }

  /** Draw a move at once, then hear what the server makes of it. */
  play(move, told = null) {
    const before = this.view;
    const legal = before.legal.find((each) => each.move === move);
    const about = told ?? { time_s: this.clocks.turn_s };
    if (legal) this.board.show(drawnAhead(before, legal), { quick: false });
    this.board.interactive = false;
    sound(turned(before, legal) ? "turn" : "move");
    return this.inTurn(() => (this.isPast(before) ? null : this.send(move, before, told, about)));
  }

  async send(move, before, told, about) {
    try {
      const after = await post("/api/position", this.line([...before.moves, move]));
      if (this.isPast(before) || this.resigned !== null) return;
      this.told = [...this.told.slice(0, before.moves.length), { ...about, side: this.sideIndex }];
      this.redoable = [];
      if (!told) this.tell("");
      this.take(after, { quick: true });
      this.announce(before, move);
      this.keep();
      if (this.isOver) sound("end");
      this.go();
    } catch (error) {
      if (this.isPast(before) || this.resigned !== null) return;
      this.board.show(before, { quick: true });
      this.board.interactive = this.isPersonsTurn;
      sound("refusal");
      this.stay(error);
    }
  }

  announce(before, move) {
    const name = before.players[before.side === "first" ? 0 : 1];
    const legal = before.legal.find((each) => each.move === move);
    const count = turned(before, legal);
    const flips = count ? `, turns ${count}` : "";
    const next = this.isOver ? this.resultText() : this.view.forced ? `${this.nameToMove} has no move and passes.` : `${this.nameToMove} to move.`;
    say(`${name} plays ${move}${flips}. ${next}`);
  }

  keep() {
    this.isKept = true;
    this.leaveTrace();
    const told = this.view.moves.map((_, i) => clean(this.told[i]));
    this.keeper.keep(this.uid, { line: this.line(), players: this.players, told, resigned: this.resigned, hints: this.hints, seed: this.seed });
  }

  /** A line under the board, with a button if there is something to be done about it. @param {any} text */
  tell(text, button = null) {
    fill(this.status, text && h("span", {}, text), button);
  }

  // ---------------------------------------------------------------- machines

  offerAgain() {
    this.tell(`${this.nameToMove} has not moved.`, h("button", { type: "button", onclick: () => this.go() }, "Ask again"));
  }

  askMachine() {
    const name = this.nameToMove;
    let hasAnswered = false;
    const question = { player: this.players[this.sideIndex], line: this.line(), seed: this.seed };
    const stop = h("button", { type: "button", title: "m", onclick: () => this.machine.stop() }, "Move now");
    const compiling = this.compiling(stop);
    this.clocks.run(this.sideIndex);
    this.tell(`${name} is thinking …`, stop);
    this.machine.ask(question, (told) => {
      compiling(told);
      if (told.type === "ready" || told.type === "begun") this.tell(`${name} is thinking …`, stop);
      if (told.type === "waiting") this.tell(`${name} waits for a free processor …`, stop);
      if (told.type === "error") this.tell(told.text, h("button", { type: "button", onclick: () => this.setup() }, "Other players …"));
      if (told.type === "done" && !hasAnswered) this.offerAgain();
      if (told.type === "move") {
        hasAnswered = true;
        const time_s = this.clocks.turn_s;
        this.tell(aboutMove(name, told, time_s));
        if (told.cut) toast(`${name} had to move after ${MOST_S} seconds: no search of a page may take longer.`);
        this.expected = told.line?.[1];
        this.play(told.move, { time_s, score: told.score, depth: told.depth, nodes: told.nodes });
      }
    });
  }

  /** What tells of code that is being compiled, and for how long already. */
  compiling(button = null) {
    let beganMs = 0;
    return (told) => {
      if (told.type !== "compiling") return;
      beganMs ||= performance.now();
      this.tell([told.text[0].toUpperCase() + told.text.slice(1), " … ", elapsed(beganMs)], button);
    };
  }

  /** While a person thinks, so may the other side. */
  ponder() {
    const player = this.players[1 - this.sideIndex];
    const isExpected = this.view.legal.some((each) => each.move === this.expected && !each.keeps_turn);
    if (!ponders(player) || !isExpected) return;
    this.machine.ponder({ player, line: this.line([...this.view.moves, this.expected]), seed: this.seed });
  }

  // ---------------------------------------------------------------- what a person asks for

  /** Back to where a person was to move; of two machines, one move back, and wait. */
  undo() {
    return this.inTurn(() => this.takeBack());
  }

  async takeBack() {
    const before = this.view;
    const line = this.line();
    const { moves } = before;
    if (!moves.length) return say("There is nothing to take back.");
    this.machine.forget();
    this.watching.forget();
    if (this.isWatched && !this.watching.isPaused) this.watching.toggle();
    const isTheirs = (view) => !this.isWatched && (this.players[view.side === "first" ? 0 : 1] !== HUMAN || view.forced);
    let count = moves.length;
    let view = before;
    try {
      do {
        count -= 1;
        view = await post("/api/position", { ...line, moves: moves.slice(0, count) });
      } while (count > 0 && isTheirs(view));
    } catch (error) {
      return this.isPast(before) ? null : this.stay(error);
    }
    if (this.isPast(before)) return;
    this.redoable = [...moves.slice(count), ...this.redoable];
    this.resigned = null;
    this.tell("");
    this.take(view, { quick: true });
    say(`Taken back to move ${count}.`);
    this.keep();
    if (!this.isPersonsTurn) this.go();
  }

  redo() {
    return this.inTurn(() => this.playAgain());
  }

  async playAgain() {
    if (!this.redoable.length) return say("There is nothing to play again.");
    this.machine.forget();
    this.watching.forget();
    const before = this.view;
    const moves = [...before.moves, ...this.redoable];
    let view;
    try {
      view = await post("/api/position", this.line(moves));
    } catch (error) {
      return this.isPast(before) ? null : this.stay(error);
    }
    if (this.isPast(before)) return;
    this.redoable = [];
    this.take(view, { quick: true });
    say(`Played again up to move ${moves.length}.`);
    this.keep();
    this.go();
  }

  askHint() {
    if (!this.isPersonsTurn) return say("A hint is for the person to move.");
    this.hints += 1;
    this.hint.step = Math.min(3, this.hint.step + 1);
    this.draw();
    if (this.view.moves.length) this.keep();
    if (this.hint.found) return this.showHint();
    this.tell("Looking for a hint …");
    const compiling = this.compiling();
    this.machine.hint(this.line(), (told) => {
      compiling(told);
      if (told.type === "ready") this.tell("Looking for a hint …");
      if (told.type === "error") this.tell(told.text);
      if (told.type !== "move") return;
      this.hint.found = told;
      this.showHint();
    });
  }

  showHint() {
    const { text, marks } = hintOf(this.hint.step, this.hint.found, this.view);
    this.board.marks = marks;
    this.tell(text);
    say(text);
  }

  stopThinking() {
    if (this.isPersonsTurn || this.isOver) return say("No machine is thinking.");
    this.machine.stop();
    say("The machine is to move now.");
  }

  resign() {
    if (this.isOver) return;
    this.machine.forget();
    this.watching.forget();
    this.resigned = this.players[this.sideIndex] === HUMAN ? this.sideIndex : 1 - this.sideIndex;
    this.tell("");
    this.take(this.view, { quick: true });
    this.keep();
    say(this.resultText());
  }

  async newGame({ game = this.view.game, settings: chosen = this.view.settings, players = this.players } = {}) {
    const view = await post("/api/position", { game, settings: chosen });
    this.machine.forget();
    this.watching.forget();
    this.reset();
    this.players = players;
    this.tell("");
    this.take(view, { quick: true, push: true });
    this.go();
  }

  flip() {
    if (!this.board.canFlip) return say("This board has one side only.");
    this.isFlipped = !this.isFlipped;
    this.board.flipped = this.isFlipped;
    this.leaveTrace();
    this.draw();
    say(this.isFlipped ? "The board is turned round." : "The board is as usual.");
  }

  setup() {
    return openSetup(this.games, { game: this.view.game, settings: this.view.settings, players: this.players }, (chosen) => this.newGame(chosen));
  }

  resultText() {
    const { view } = this;
    if (this.resigned !== null) return `${view.players[this.resigned]} resigned: ${view.players[1 - this.resigned]} wins.`;
    if (view.winner === "draw") return "A draw.";
    const name = view.players[view.winner === "first" ? 0 : 1];
    const { first, second } = view.board.counts;
    const score = first === undefined || view.board.kind === "columns" ? "" : ` ${Math.max(first, second)} to ${Math.min(first, second)}`;
    return `${name} wins${score}.`;
  }

  // ---------------------------------------------------------------- the page

  build() {
    const button = (text, key, run, more = {}) => /** @type {any} */ (h("button", { type: "button", onclick: run, title: key, ...more }, text));
    const link = () => /** @type {any} */ (h("a", { class: "button", href: "/analyse" }, "Analyse"));
    this.title = h("h1", {}, "Play");
    this.seats = h("section", { class: "panel seats", "aria-label": "Players" });
    this.result = h("p", { class: "result" });
    this.links = [link(), link()];
    const next = [button("New game", "n", () => this.setup(), { class: "main" }), button("Rematch, sides swapped", "", () => this.newGame({ players: [this.players[1], this.players[0]] }).catch((error) => this.stay(error))), this.links[0]];
    this.over = h("section", { class: "panel", "aria-label": "Result", hidden: true }, this.result, h("div", { class: "row-of" }, next));
    this.moves = h("div");
    this.caption = h("p", { class: "note" });
    this.buttons = {
      undo: button("Undo", "Backspace", () => this.undo()),
      redo: button("Redo", "y", () => this.redo()),
      hint: button("Hint", "h", () => this.askHint()),
      flip: button("Flip board", "f", () => this.flip()),
      resign: button("Resign", "", () => this.resign()),
    };
    const { undo, redo, hint, flip, resign } = this.buttons;
    this.counted = h("p", { class: "note" });
    const actions = h("div", { class: "row-of" }, undo, redo, hint, flip, resign, button("New game …", "n", () => this.setup()), this.links[1]);
    fill(
      this.root,
      this.title,
      h(
        "div",
        { class: "table" },
        h("section", { class: "board-place", "aria-label": "Board" }, this.board, this.caption, this.status),
        h("div", { class: "beside" }, this.seats, this.over, this.watching.element, h("section", { class: "panel", "aria-label": "Moves" }, h("h2", {}, "Moves"), this.moves), h("section", { class: "panel", "aria-label": "Actions" }, actions, this.counted)),
      ),
    );
    this.board.addEventListener("play", (event) => this.play(event.detail.move));
    this.board.addEventListener("refused", (event) => {
      say(event.detail.text);
      sound("refusal");
      if (this.isPersonsTurn) this.tell(event.detail.text);
    });
    this.unwatch = settings.guides.watch((value) => (this.board.guides = value));
  }

  draw() {
    const { view } = this;
    this.title.textContent = view.title;
    fill(this.seats, seats(view, this.players, this.isOver, this.clocks.faces));
    fill(this.moves, moveList(view));
    this.caption.textContent = view.board.kind === "text" ? "" : view.board.text;
    this.result.textContent = this.isOver ? this.resultText() : "";
    this.over.hidden = !this.isOver;
    this.watching.element.hidden = !this.isWatched || this.isOver;
    this.counted.textContent = this.hints ? (this.hints === 1 ? "1 hint" : `${this.hints} hints`) : "";
    for (const link of this.links) link.href = this.analysis();
    this.buttons.flip.hidden = !this.board.canFlip;
    this.able("undo", view.moves.length > 0);
    this.able("redo", this.redoable.length > 0);
    this.able("hint", this.isPersonsTurn);
    this.able("resign", !this.isOver && view.moves.length > 0 && !this.isWatched);
    this.bindWatching();
  }

  /** The keys for watching are there while two machines play. */
  bindWatching() {
    const isWanted = this.isWatched && !this.isOver && !this.isGone;
    if (isWanted === Boolean(this.unbind)) return;
    this.unbind?.();
    this.unbind = isWanted ? bind("Watching", [["p", "pause or go on", () => this.watching.toggle()], ["s", "one move", () => this.watching.one()]]) : undefined;
  }

  /** A button that can do nothing now gives the focus to the board. */
  able(name, can) {
    const button = this.buttons[name];
    const hasFocus = document.activeElement === button;
    button.disabled = !can;
    if (!can && hasFocus) this.board.querySelector("[tabindex='0']")?.focus();
  }

  /** A reload must neither turn a clock back nor lose a move that is on its way. */
  remember() {
    const turn = { uid: this.uid, ply: this.view?.moves.length, spent_s: this.clocks.turn_s };
    if (this.view && this.isPersonsTurn) sessionStorage.setItem(UNFINISHED_TURN, JSON.stringify(turn));
    this.keeper.save();
  }

  leave() {
    this.remember();
    this.hasLeft = true;
    this.unwatch?.();
    this.unbind?.();
    this.machine.close();
    this.watching.forget();
    this.clocks.close();
    this.keeper.close();
  }
}

function newUid() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function readSettings(text) {
  return Object.fromEntries((text ?? "").split(",").filter(Boolean).map((part) => part.split("=")));
}

/** Only what the server wants to know of a move. */
function clean(told) {
  const score = told?.score ? { value: told.score.value, kind: told.score.kind, bound: told.score.bound ?? "exact" } : null;
  return { time_s: told?.time_s ?? 0, depth: told?.depth ?? 0, nodes: told?.nodes ?? 0, ...(score ? { score } : {}) };
}

/** How many pieces a move turns over. */
function turned({ board }, legal) {
  if (board.kind !== "grid") return 0;
  return (legal?.changes ?? []).filter(([place, content]) => place !== legal.target && board.cells[place] !== "" && content !== "").length;
}

/** The position after a move as far as a page can tell: its changes, and nobody to move. */
function drawnAhead(view, legal) {
  const cells = [...view.board.cells];
  for (const [place, content] of legal.changes) cells[place] = content;
  return { ...view, board: { ...view.board, cells }, legal: [], last: legal.cells };
}

function aboutMove(name, told, time_s) {
  const parts = [];
  if (told.score) parts.push(told.score.text);
  if (told.depth) parts.push(`depth ${told.depth}`);
  if (told.nodes) parts.push(`${told.nodes.toLocaleString("en")} nodes`);
  const time = `${time_s.toFixed(1)}\u00a0s`;
  parts.push(told.pondered ? `${time}, foreseen` : time);
  return `${name} played ${told.move} (${parts.join(", ")})`;
}

export async function show(root) {
  if (!location.search && lastGame.value) history.replaceState(null, "", lastGame.value.address);
  const page = new Play(root);
  await page.start();
  if (!root.isConnected) return page.leave();
  const unbind = bind("Play", [
    ["Backspace", "take back", () => page.undo()],
    ["y", "play again what was taken back", () => page.redo()],
    ["h", "hint: zone, move, line", () => page.askHint()],
    ["m", "have the machine move now", () => page.stopThinking()],
    ["f", "flip the board", () => page.flip()],
    ["n", "new game", () => page.setup()],
  ]);
  const remember = () => page.remember();
  addEventListener("pagehide", remember);
  return () => {
    removeEventListener("pagehide", remember);
    unbind();
    page.leave();
  };
}
