// @ts-check
// Play: people and machines in any combination, every move kept as it is made.
import { fill, h } from "../lib/dom.js";
import { get, getOnce, post, put } from "../lib/api.js";
import { bind } from "../lib/keys.js";
import { params, setParams, settings } from "../lib/store.js";
import { say, toast } from "../lib/say.js";
import { Engine } from "../lib/socket.js";
import "../elements/g-board.js";
import { openSetup } from "../elements/new-game.js";
import { seats } from "../elements/seats.js";
import { moveList } from "../elements/move-list.js";

const HUMAN = "human";

/** The game on the page: what the server says of the position, and all that a reload must bring back. */
class Play {
  constructor(root) {
    this.root = root;
    this.engine = new Engine();
    this.board = /** @type {any} */ (h("g-board"));
    this.status = h("p", { class: "thinking", "aria-live": "off" });
    this.side = h("div", { class: "beside" });
    /** @type {any} */ this.view = null;
    this.told = [];
    this.redoable = [];
    this.hints = 0;
    this.hint = { step: 0, found: /** @type {any} */ (null) };
    this.resigned = /** @type {null | number} */ (null);
    this.turnedAt = performance.now();
    this.isGone = false;
  }

  async start() {
    const given = params();
    this.games = await getOnce("/api/games");
    this.players = [given.first ?? HUMAN, given.second ?? "amateur"];
    this.uid = given.id ?? newUid();
    this.seed = Number(given.seed ?? Math.floor(Math.random() * 2 ** 40));
    this.build();
    const line = {
      game: given.game ?? "othello",
      settings: readSettings(given.set),
      position: given.position ?? null,
      moves: (given.moves ?? "").split("_").filter(Boolean).map(decodeURIComponent),
    };
    if (given.id) await this.restore(line);
    try {
      this.take(await post("/api/position", line), { quick: true });
    } catch (error) {
      toast(error.message, { isError: true });
      this.take(await post("/api/position", { game: line.game in this.byName ? line.game : "othello" }), { quick: true });
    }
    this.go();
  }

  get byName() {
    return Object.fromEntries(this.games.map((game) => [game.name, game]));
  }

  /** What the store knows of this game is what counts. */
  async restore(line) {
    const kept = await get(`/api/plays/${this.uid}`).catch(() => null);
    if (!kept) return;
    line.game = kept.game;
    line.settings = kept.settings ?? {};
    line.position = kept.position ?? null;
    line.moves = kept.moves.map((each) => each.move);
    this.players = kept.players;
    this.told = kept.moves.map(({ time_s = 0, score, depth = 0, nodes = 0 }) => ({ time_s, score, depth, nodes }));
    this.hints = Number(kept.tags?.hints ?? 0);
    if (kept.ended === "resigned") this.resigned = kept.points === 0 ? 0 : 1;
  }

  build() {
    const title = h("h1", {}, "Play");
    this.title = title;
    fill(this.root, title, h("div", { class: "table" }, h("section", { class: "board-place", "aria-label": "Board" }, this.board, this.status), this.side));
    this.board.addEventListener("play", (event) => this.play(event.detail.move));
    this.board.addEventListener("refused", (event) => say(event.detail.text));
    settings.guides.watch((value) => (this.board.guides = value));
  }

  // ---------------------------------------------------------------- the position

  take(view, { quick = false } = {}) {
    this.view = view;
    this.turnedAt = performance.now();
    this.hint = { step: 0, found: null };
    this.board.marks = new Map();
    this.board.interactive = this.isPersonsTurn;
    this.board.show(view, { quick });
    setParams(this.address());
    this.draw();
  }

  address() {
    const { view } = this;
    const set = Object.entries(view.settings).map(([name, value]) => `${name}=${value}`).join(",");
    const moves = view.moves.map(encodeURIComponent).join("_");
    return { game: view.game, first: this.players[0], second: this.players[1], set, position: view.start, moves, id: this.uid };
  }

  line() {
    return { game: this.view.game, settings: this.view.settings, position: this.view.start, moves: this.view.moves };
  }

  get isOver() {
    return this.view.over || this.resigned !== null;
  }

  get sideIndex() {
    return this.view.side === "first" ? 0 : 1;
  }

  get isPersonsTurn() {
    return !this.isOver && this.players[this.sideIndex] === HUMAN;
  }

  /** Whose turn it is, and what follows from that. */
  go() {
    if (this.isGone || this.isOver) return this.end();
    if (this.view.forced) return this.pass();
    if (!this.isPersonsTurn) this.askMachine();
  }

  async pass() {
    const name = this.view.players[this.sideIndex];
    say(`${name} has no move and passes.`);
    this.status.textContent = `${name} has no move and passes.`;
    if (this.isPersonsTurn) {
      fill(this.status, `${name} has no move. `, h("button", { type: "button", class: "main", onclick: () => this.play(this.view.forced) }, "Pass"));
      return;
    }
    await this.play(this.view.forced);
  }

  /** Draw a move at once, then hear what the server makes of it. */
  async play(move, told = null) {
    const before = this.view;
    const legal = before.legal.find((each) => each.move === move);
    const time_s = (performance.now() - this.turnedAt) / 1000;
    if (legal) this.board.show(drawnAhead(before, legal), { quick: false });
    this.board.interactive = false;
    this.told = [...this.told.slice(0, before.moves.length), told ?? { time_s }];
    try {
      const after = await post("/api/position", { ...this.line(), moves: [...before.moves, move] });
      this.redoable = [];
      this.take(after, { quick: true });
      this.announce(before, move);
      this.keep();
      this.go();
    } catch (error) {
      this.board.show(before, { quick: true });
      this.board.interactive = this.isPersonsTurn;
      toast(error.message, { isError: true });
    }
  }

  announce(before, move) {
    const name = before.players[before.side === "first" ? 0 : 1];
    const legal = before.legal.find((each) => each.move === move);
    const turned = (legal?.changes ?? []).filter(([place, content]) => before.board.cells[place] !== "" && content !== "").length;
    const flips = turned && before.board.kind === "grid" ? `, turns ${turned}` : "";
    const next = this.isOver ? this.resultText() : `${this.view.players[this.sideIndex]} to move.`;
    say(`${name} plays ${move}${flips}. ${next}`);
  }

  /** Tell the store; a failure is told once and costs nothing but the copy. */
  keep() {
    const told = this.view.moves.map((_, i) => ({ time_s: 0, depth: 0, nodes: 0, ...clean(this.told[i]) }));
    const game = { line: this.line(), players: this.players, told, resigned: this.resigned, hints: this.hints, seed: this.seed };
    this.keeping = put(`/api/plays/${this.uid}`, game)
      .then((kept) => {
        if (kept.uid !== this.uid) {
          this.uid = kept.uid;
          setParams(this.address());
        }
      })
      .catch((error) => {
        if (!this.hasWarned) toast(`This game is not stored: ${error.message}`, { isError: true });
        this.hasWarned = true;
      });
    return this.keeping;
  }

  // ---------------------------------------------------------------- machines

  askMachine() {
    const name = this.view.players[this.sideIndex];
    const player = this.players[this.sideIndex];
    const started = performance.now();
    fill(this.status, `${name} is thinking … `, h("button", { type: "button", onclick: () => this.engine.stop() }, "Move now"));
    this.engine.start({ kind: "move", player, line: this.line(), seed: this.seed }, (told) => {
      if (told.type === "compiling") this.status.textContent = `${told.text} …`;
      if (told.type === "waiting") this.status.textContent = `${name} waits for a free processor …`;
      if (told.type === "error") {
        this.status.textContent = "";
        toast(told.text, { isError: true });
      }
      if (told.type === "move") {
        const time_s = (performance.now() - started) / 1000;
        this.last = told;
        this.status.textContent = aboutMove(name, told, time_s);
        this.play(told.move, { time_s, score: told.score, depth: told.depth, nodes: told.nodes });
      }
    });
  }

  // ---------------------------------------------------------------- what a person asks for

  async undo() {
    const { moves } = this.view;
    if (!moves.length) return;
    this.engine.forget();
    let count = moves.length - 1;
    const isMachine = this.players.some((player) => player !== HUMAN);
    let view = await post("/api/position", { ...this.line(), moves: moves.slice(0, count) });
    while (count > 0 && isMachine && (this.players[view.side === "first" ? 0 : 1] !== HUMAN || view.forced)) {
      count -= 1;
      view = await post("/api/position", { ...this.line(), moves: moves.slice(0, count) });
    }
    this.redoable = [...moves.slice(count), ...this.redoable];
    this.resigned = null;
    this.take(view, { quick: true });
    say(`Taken back to move ${count}.`);
    this.keep();
    if (!this.isPersonsTurn && count === 0) this.go();
  }

  async redo() {
    if (!this.redoable.length) return;
    this.engine.forget();
    const moves = [...this.view.moves, ...this.redoable];
    this.redoable = [];
    this.take(await post("/api/position", { ...this.line(), moves }), { quick: true });
    this.keep();
    this.go();
  }

  /** A zone, then the move, then the move with its line. */
  async askHint() {
    if (!this.isPersonsTurn) return;
    this.hints += 1;
    this.hint.step = Math.min(3, this.hint.step + 1);
    this.draw();
    if (this.hint.found) return this.showHint();
    this.status.textContent = "Looking for a hint …";
    this.engine.start({ kind: "hint", line: this.line() }, (told) => {
      if (told.type === "compiling") this.status.textContent = `${told.text} …`;
      if (told.type === "error") this.status.textContent = told.text;
      if (told.type === "move") {
        this.hint.found = told;
        this.showHint();
      }
    });
  }

  showHint() {
    const { found, step } = this.hint;
    const legal = this.view.legal.find((each) => each.move === found.move);
    const { board } = this.view;
    const [cell] = legal?.cells ?? [];
    if (step === 1 && cell !== undefined && board.rows) {
      this.board.marks = zone(cell, board);
      this.status.textContent = "Hint: look in the marked part of the board. Ask again for the move.";
    } else if (step === 2 || step === 1) {
      this.board.marks = new Map(cell === undefined ? [] : [[cell, { text: "hint", best: true }]]);
      this.status.textContent = `Hint: ${found.move}. Ask again for the reason.`;
    } else {
      const score = found.score ? ` (${found.score.text})` : "";
      this.status.textContent = `Hint: ${found.move}${score}; expected: ${found.line.slice(0, 8).join(" ")}`;
    }
    say(this.status.textContent ?? "");
  }

  resign() {
    if (this.isOver) return;
    this.engine.forget();
    this.resigned = this.players[this.sideIndex] === HUMAN ? this.sideIndex : 1 - this.sideIndex;
    this.board.interactive = false;
    this.keep();
    this.draw();
    this.end();
  }

  swap() {
    this.newGame({ players: [this.players[1], this.players[0]] });
  }

  async newGame({ game = this.view.game, settings: chosen = this.view.settings, players = this.players } = {}) {
    this.engine.forget();
    this.uid = newUid();
    this.seed = Math.floor(Math.random() * 2 ** 40);
    this.players = players;
    this.told = [];
    this.redoable = [];
    this.hints = 0;
    this.resigned = null;
    this.status.textContent = "";
    this.take(await post("/api/position", { game, settings: chosen }), { quick: true });
    this.go();
  }

  end() {
    if (!this.view || !this.isOver) return;
    this.status.textContent = "";
    this.draw();
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

  // ---------------------------------------------------------------- beside the board

  draw() {
    const { view } = this;
    this.title.textContent = view.title;
    const analyse = `/analyse?${new URLSearchParams({ game: view.game, set: String(this.address().set), moves: String(this.address().moves), ...(view.start ? { position: view.start } : {}) })}`;
    const button = (text, run, more = {}) => h("button", { type: "button", onclick: run, ...more }, text);
    fill(
      this.side,
      h("section", { class: "panel", "aria-label": "Players" }, seats(view, this.players, this.isOver)),
      this.isOver &&
        h(
          "section",
          { class: "panel", "aria-label": "Result" },
          h("p", { class: "result" }, this.resultText()),
          h("div", { class: "row-of" }, button("New game", () => this.setup(), { class: "main" }), button("Rematch, sides swapped", () => this.swap()), h("a", { href: analyse }, "Analyse")),
        ),
      h("section", { class: "panel", "aria-label": "Moves" }, h("h2", {}, "Moves"), moveList(view, view.moves.length), view.board.text && h("p", { class: "note" }, view.board.text)),
      h(
        "section",
        { class: "panel", "aria-label": "Actions" },
        h(
          "div",
          { class: "row-of" },
          button("Undo", () => this.undo(), { disabled: !view.moves.length }),
          button("Redo", () => this.redo(), { disabled: !this.redoable.length }),
          button("Hint", () => this.askHint(), { disabled: !this.isPersonsTurn }),
          button("Flip board", () => this.flip()),
          button("Resign", () => this.resign(), { disabled: this.isOver || !view.moves.length }),
          button("New game …", () => this.setup()),
          h("a", { href: analyse }, "Analyse"),
        ),
        this.hints > 0 && h("p", { class: "note" }, this.hints === 1 ? "1 hint" : `${this.hints} hints`),
      ),
    );
  }

  flip() {
    this.isFlipped = !this.isFlipped;
    this.board.flipped = this.isFlipped;
  }

  setup() {
    openSetup(this.games, { game: this.view.game, settings: this.view.settings, players: this.players }, (chosen) => this.newGame(chosen));
  }

  leave() {
    this.isGone = true;
    this.engine.close();
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
  if (!told) return {};
  const score = told.score ? { value: told.score.value, kind: told.score.kind, bound: told.score.bound ?? "exact" } : null;
  return { time_s: told.time_s ?? 0, depth: told.depth ?? 0, nodes: told.nodes ?? 0, ...(score ? { score } : {}) };
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
  parts.push(`${time_s.toFixed(1)} s`);
  return `${name} played ${told.move} (${parts.join(", ")})`;
}

/** The part of the board around a cell, so wide that it does not give the move away. */
function zone(cell, board) {
  const marks = new Map();
  const [row, column] = [Math.floor(cell / board.columns), cell % board.columns];
  const [up, left] = [row - (row % 3), column - (column % 3)];
  for (let r = up; r < Math.min(up + 3, board.rows); r++) {
    for (let c = left; c < Math.min(left + 3, board.columns); c++) marks.set(r * board.columns + c, { text: "•" });
  }
  return marks;
}

export async function show(root) {
  const page = new Play(root);
  const unbind = bind("Play", [
    ["Backspace", "take back", () => page.undo()],
    ["y", "play again what was taken back", () => page.redo()],
    ["h", "hint: zone, move, line", () => page.askHint()],
    ["f", "flip the board", () => page.flip()],
    ["n", "new game", () => page.setup()],
    ["r", "turn the card", () => page.board._chooser.turn()],
  ]);
  await page.start();
  return () => {
    unbind();
    page.leave();
  };
}
