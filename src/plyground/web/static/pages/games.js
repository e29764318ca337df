// @ts-check
// Games: everything in the store, with filters in the address, a preview, and files by drag and drop.
import { fill, h } from "../lib/dom.js";
import { get, getOnce, post } from "../lib/api.js";
import { params, setParams } from "../lib/store.js";
import { bind } from "../lib/keys.js";
import { toast } from "../lib/say.js";
import { go } from "../main.js";
import "../elements/g-board.js";

const FILTERS = ["game", "player", "result", "since", "until", "event"];

class Games {
  constructor(root) {
    this.root = root;
    this.board = /** @type {any} */ (h("g-board"));
    this.board.interactive = false;
    this.body = h("tbody");
    this.count = h("p", { class: "note", role: "status" });
    this.caption = h("p", { class: "note" });
    this.report = h("div", { role: "status" });
    this.games = [];
    this.at = 0;
    this.turn = 0;
  }

  async start() {
    this.kinds = await getOnce("/api/games");
    this.formats = (await getOnce("/api/formats")).filter((each) => each.can_write);
    this.build();
    await this.load();
  }

  build() {
    const given = params();
    this.fields = {
      game: pick("Game", [["", "all"], ...this.kinds.map((each) => [each.name, each.title])], given.game),
      player: type("Player", given.player),
      result: pick("Result", [["", "all"], ["first", "first player won"], ["second", "second player won"], ["draw", "draw"], ["unfinished", "unfinished"]], given.result),
      since: type("Since", given.since, "2020-01-31"),
      until: type("Until", given.until, "2026"),
      event: type("Event", given.event),
    };
    for (const field of Object.values(this.fields)) field.input.addEventListener("change", () => this.filter());
    const file = /** @type {any} */ (h("input", { type: "file", class: "unseen", "aria-label": "File to import", onchange: () => file.files[0] && this.import(file.files[0]) }));
    this.format = /** @type {any} */ (h("select", { "aria-label": "Format" }, this.formats.map((each) => h("option", { value: each.name }, each.name))));
    fill(
      this.root,
      h("h1", {}, "Games"),
      h("div", { class: "panel row-of filters" }, Object.values(this.fields).map((field) => field.element), h("span", { class: "grow" }), h("button", { type: "button", onclick: () => file.click() }, "Import …"), file, this.format, h("button", { type: "button", onclick: () => this.export() }, "Export")),
      this.report,
      h(
        "div",
        { class: "table" },
        h(
          "section",
          { class: "panel", "aria-label": "List" },
          this.count,
          h("div", { class: "scroll" }, h("table", { class: "games" }, h("thead", {}, h("tr", {}, ["Date", "Game", "First", "Second", "Result", "Moves", "Event"].map((name) => h("th", { scope: "col" }, name)))), this.body)),
          h("div", { class: "row-of" }, (this.previous = h("button", { type: "button", onclick: () => this.turnPage(-1) }, "Newer")), (this.next = h("button", { type: "button", onclick: () => this.turnPage(1) }, "Older"))),
        ),
        h("div", { class: "beside" }, h("section", { class: "panel", "aria-label": "Preview" }, h("h2", {}, "Preview"), this.board, this.caption)),
      ),
    );
    this.root.addEventListener("dragover", (event) => event.preventDefault());
    this.root.addEventListener("drop", (event) => {
      event.preventDefault();
      const [dropped] = event.dataTransfer?.files ?? [];
      if (dropped) this.import(dropped);
    });
  }

  // ---------------------------------------------------------------- the list

  wanted() {
    return Object.fromEntries(FILTERS.map((name) => [name, this.fields[name].input.value.trim()]).filter(([, value]) => value));
  }

  filter() {
    setParams({ ...this.wanted(), page: "" }, { push: true });
    return this.load();
  }

  turnPage(step) {
    setParams({ ...this.wanted(), page: Math.max(0, Number(params().page ?? 0) + step) }, { push: true });
    return this.load();
  }

  async load() {
    const turn = ++this.turn;
    const query = new URLSearchParams({ ...this.wanted(), page: params().page ?? "0" });
    try {
      const found = await get(`/api/store/games?${query}`);
      if (turn !== this.turn) return;
      this.games = found.games;
      this.at = 0;
      const first = found.page * found.page_size;
      this.count.textContent = found.total ? `${found.total.toLocaleString("en")} games, ${first + 1} to ${first + found.games.length}` : "No games yet: play one, or drop a file here.";
      this.previous.disabled = found.page === 0;
      this.next.disabled = first + found.games.length >= found.total;
      this.draw();
      this.preview();
    } catch (error) {
      this.count.textContent = error.message;
      fill(this.body);
    }
  }

  draw() {
    fill(
      this.body,
      this.games.map((game, index) =>
        h(
          "tr",
          { tabindex: index === this.at ? "0" : "-1", "aria-selected": index === this.at, "data-id": game.id, onclick: () => this.select(index), ondblclick: () => this.open(), onkeydown: (event) => this.key(event), onfocus: () => this.at !== index && this.select(index) },
          h("td", {}, game.date.slice(0, 10)),
          h("td", {}, game.title),
          h("td", {}, game.players[0] || "?"),
          h("td", {}, game.players[1] || "?"),
          h("td", {}, result(game)),
          h("td", { class: "number" }, game.moves.length),
          h("td", {}, game.event),
        ),
      ),
    );
  }

  select(index) {
    this.at = Math.max(0, Math.min(this.games.length - 1, index));
    [...this.body.children].forEach((row, i) => {
      row.setAttribute("aria-selected", String(i === this.at));
      row.setAttribute("tabindex", i === this.at ? "0" : "-1");
    });
    /** @type {HTMLElement} */ (this.body.children[this.at])?.focus();
    this.preview();
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step) {
      event.preventDefault();
      this.select(this.at + step);
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.open();
    }
  }

  async preview() {
    const game = this.games[this.at];
    if (!game) return;
    try {
      const view = await post("/api/position", { game: game.game, settings: game.settings, position: game.position, moves: game.moves });
      if (this.games[this.at] !== game) return;
      this.board.show(view, { quick: true });
      this.caption.textContent = `${game.players[0] || "?"} – ${game.players[1] || "?"}, ${result(game)}`;
    } catch (error) {
      this.caption.textContent = error.message;
    }
  }

  open() {
    const game = this.games[this.at];
    if (!game) return;
    const set = Object.entries(game.settings).map(([name, value]) => `${name}=${value}`).join(",");
    const query = new URLSearchParams({ game: game.game, set, moves: game.moves.map(encodeURIComponent).join("_"), ...(game.position ? { position: game.position } : {}) });
    go(`/analyse?${query}`);
  }

  // ---------------------------------------------------------------- files

  async import(file) {
    this.report.textContent = `Reading ${file.name} …`;
    const answer = await fetch(`/api/store/import?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file }).catch(() => null);
    const told = await answer?.json().catch(() => null);
    if (!answer?.ok) {
      this.report.textContent = "";
      toast(told?.error ?? "the server cannot be reached", { isError: true });
      return;
    }
    fill(
      this.report,
      h("p", {}, `${told.what}: ${told.read} read, ${told.added} new, ${told.duplicates} there already, ${told.rejected} rejected.`),
      told.reasons.length && h("ul", {}, told.reasons.map((each) => h("li", {}, `${each.place}: ${each.reason}`))),
    );
    this.load();
  }

  export() {
    const query = new URLSearchParams({ ...this.wanted(), format: this.format.value });
    const link = h("a", { href: `/api/store/export?${query}`, download: "" });
    document.body.append(link);
    link.click();
    link.remove();
  }
}

function result(game) {
  if (game.points === null) return "unfinished";
  const score = game.points === 1 ? "1–0" : game.points === 0 ? "0–1" : "½–½";
  return game.outcome && Math.abs(game.outcome) > 1 ? `${score} (${game.outcome > 0 ? "+" : ""}${game.outcome})` : score;
}

function pick(name, pairs, value = "") {
  const input = /** @type {any} */ (h("select", {}, pairs.map(([key, text]) => h("option", { value: key }, text))));
  input.value = value;
  return { input, element: h("label", { class: "field" }, name, input) };
}

function type(name, value = "", placeholder = "") {
  const input = /** @type {any} */ (h("input", { type: "text", value, placeholder, size: 12 }));
  return { input, element: h("label", { class: "field" }, name, input) };
}

export async function show(root) {
  const page = new Games(root);
  const unbind = bind("Games", [["Enter", "open the game", () => page.open()]]);
  await page.start();
  return unbind;
}
