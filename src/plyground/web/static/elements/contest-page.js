// @ts-check
// One tournament or match: how far it is, who leads, what is being played, and its games.
import { arrange, fill, h } from "../lib/dom.js";
import { get } from "../lib/api.js";
import { analysed } from "../lib/address.js";
import { counted, duration } from "../lib/amounts.js";
import { follow } from "../lib/poll.js";
import { params, setParams } from "../lib/store.js";
import { crossTable, standings } from "./contest-tables.js";
import { resultOf } from "./games-table.js";
import { JobPanel, titleOf } from "./job-panel.js";
import { miniBoard } from "./mini-board.js";
import { matchPanel } from "./sprt-gauge.js";

const FORMATS = { "round-robin": "Round robin", gauntlet: "Gauntlet", swiss: "Swiss", match: "Match" };

export class ContestPage {
  constructor(id) {
    this.id = id;
    this.drawn = "";
    this.title = h("h1", {}, "…");
    this.about = h("p", { class: "note" });
    this.jobPanel = new JobPanel(() => this.load());
    this.test = h("section", { class: "panel", "aria-labelledby": "test-title" });
    this.table = h("div", { class: "scroll" });
    this.facts = h("p", { class: "note" });
    this.cross = h("div", { class: "scroll" });
    this.boards = h("div", { class: "boards" });
    this.gamesTitle = h("h2", {}, "Games");
    this.all = h("button", { type: "button", hidden: true, onclick: () => this.choose(null) }, "Show all games");
    this.games = h("div", { class: "scroll" });
    this.previous = /** @type {any} */ (h("button", { type: "button", "aria-label": "Previous page", onclick: () => this.turn(-1) }, "‹"));
    this.next = /** @type {any} */ (h("button", { type: "button", "aria-label": "Next page", onclick: () => this.turn(1) }, "›"));
    this.where = h("p", { class: "note where" });
    const panel = (name, ...inside) => h("section", { class: "panel", "aria-label": name }, inside);
    this.boardsPanel = panel("Being played", h("h2", {}, "Being played"), this.boards);
    this.crossPanel = panel("Cross-table", h("h2", {}, "Points against each other"), h("p", { class: "note" }, "Press a cell to list its games."), this.cross);
    this.jobElement = panel("Progress", this.jobPanel.element);
    this.element = h(
      "div",
      { class: "contest" },
      h("div", { class: "heading" }, this.title, this.about),
      this.jobElement,
      this.test,
      panel("Standings", h("h2", {}, "Standings"), this.table, this.facts),
      this.boardsPanel,
      this.crossPanel,
      panel("Games", h("div", { class: "row-of count-line" }, this.gamesTitle, h("span", { class: "grow" }), this.all, this.previous, this.next), this.games),
      this.where,
    );
  }

  get chosen() {
    const { player, against } = params();
    return player !== undefined && against !== undefined ? [player, against] : null;
  }

  async load() {
    const contest = await get(`/api/tournaments/${this.id}`);
    this.contest = contest;
    this.draw(contest);
  }

  /** Ask again as long as the page is seen; returns what ends it. */
  watch() {
    return follow(() => this.load(), () => this.contest?.job?.state === "running");
  }

  draw(contest) {
    const { job } = contest;
    document.title = titleOf(job, contest.title);
    this.title.textContent = contest.title;
    this.about.textContent = [contest.game_title, FORMATS[contest.format] ?? contest.format, `${counted(contest.played)} of ${contest.match?.sprt ? "at most " : ""}${counted(contest.total)} games`, `openings ${contest.openings}`, `seed ${contest.seed}`, contest.time_s && `${contest.time_s} s a move`].filter(Boolean).join(" · ");
    this.jobElement.hidden = !job;
    if (job) this.jobPanel.show(job);
    this.drawBoards(contest.boards);
    const state = JSON.stringify([contest.played, contest.complete, job?.state, this.chosen]);
    if (state === this.drawn) return;
    this.drawn = state;
    this.test.hidden = !contest.match;
    if (contest.match) fill(this.test, h("h2", { id: "test-title" }, contest.match.sprt ? "Test" : "Who is stronger?"), matchPanel(contest.match, contest.players));
    fill(this.table, standings(contest));
    this.facts.textContent = [`${duration(contest.seconds)} of thinking`, contest.first_move_elo?.value != null && contest.played && `moving first is worth ${contest.first_move_elo.value.toFixed(0)} Elo`, contest.complete ? "complete" : "Elo and its intervals of 95 % are of the games so far"].filter(Boolean).join(" · ");
    this.crossPanel.hidden = !contest.cross.some((row) => row.some(Boolean));
    this.drawCross();
    this.loadGames();
    fill(this.where, "The same on the command line: ", h("code", {}, contest.command), ". Games are in ", h("code", {}, contest.journal), ".");
  }

  drawCross() {
    const focused = /** @type {HTMLElement | null} */ (this.cross.contains(document.activeElement) ? document.activeElement : null)?.getAttribute("aria-label")?.split(":")[0];
    fill(this.cross, crossTable(this.contest, this.chosen, (players) => this.choose(players)));
    if (!focused) return;
    const again = [.../** @type {any} */ (this.cross.querySelectorAll("button"))].find((each) => each.getAttribute("aria-label").split(":")[0] === focused);
    again?.focus();
  }

  drawBoards(boards) {
    this.boardsPanel.hidden = !boards.length;
    const shown = new Map([...this.boards.children].map((each) => [/** @type {any} */ (each).dataset.id, each]));
    arrange(
      this.boards,
      boards.map(({ id, names, view }) => {
        const known = /** @type {any} */ (shown.get(String(id)));
        if (known?.dataset.plies === String(view.moves.length)) return known;
        const caption = `${names[0]} – ${names[1]}, ${view.moves.length === 1 ? "1 move" : `${view.moves.length} moves`}`;
        return h("a", { class: "live", "data-id": id, "data-plies": view.moves.length, href: `/games/${id}`, "aria-label": caption }, miniBoard(view), h("span", { class: "note" }, caption));
      }),
    );
  }

  // ---------------------------------------------------------------- games

  choose(players) {
    setParams(players ? { player: players[0], against: players[1] } : {}, { push: true });
    this.page = 0;
    this.drawCross();
    this.drawn = "";
    this.loadGames();
  }

  turn(step) {
    this.page = Math.max(0, (this.page ?? 0) + step);
    this.loadGames();
  }

  async loadGames() {
    const turn = (this.asked = (this.asked ?? 0) + 1);
    const query = new URLSearchParams({ page: String(this.page ?? 0) });
    const { chosen } = this;
    if (chosen) for (const [name, value] of [["player", chosen[0]], ["against", chosen[1]]]) query.set(name, value);
    const found = await get(`/api/tournaments/${this.id}/games?${query}`).catch(() => null);
    if (!found || turn !== this.asked) return;
    const called = (text) => this.contest.standings.find((each) => each.player === text)?.name ?? text;
    this.gamesTitle.textContent = chosen ? `Games between ${called(chosen[0])} and ${called(chosen[1])}` : "Games";
    this.all.hidden = !chosen;
    this.previous.disabled = found.page === 0;
    this.next.disabled = (found.page + 1) * found.page_size >= found.total;
    this.previous.hidden = this.next.hidden = found.total <= found.page_size;
    const head = ["First", "Second", "Result", "Moves", "Thinking", "Pair"].map((name) => h("th", { scope: "col", class: ["Moves", "Thinking", "Pair"].includes(name) ? "number" : "" }, name));
    const body = found.games.map((game) => h("tr", { "data-key": game.key }, h("td", {}, game.names[0]), h("td", {}, game.names[1]), h("td", {}, h("a", { href: analysed(game), "aria-label": `${game.names[0]} – ${game.names[1]}, ${resultOf(game)}: look at it` }, resultOf(game)), game.ended === "over" ? null : h("span", { class: "note" }, ` ${game.ended}`)), h("td", { class: "number" }, String(game.moves.length)), h("td", { class: "number" }, duration(game.seconds)), h("td", { class: "number" }, String(game.pair))));
    fill(this.games, found.total ? h("table", { class: "contest-games", "aria-label": "Games" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, body)) : h("p", { class: "note" }, "No game is over yet."));
  }
}
