// @ts-check
// Games: everything in the store, with filters in the address, a preview, and files by drag and drop.
import { fill, h } from "../lib/dom.js";
import { get, getOnce, post, remove } from "../lib/api.js";
import { analysed } from "../lib/address.js";
import { params, setParams } from "../lib/store.js";
import { bind } from "../lib/keys.js";
import { say, toast } from "../lib/say.js";
import { GamePreview } from "../elements/game-preview.js";
import { GamesFilters } from "../elements/games-filters.js";
import { GamesTable, resultOf } from "../elements/games-table.js";
import { ImportReport } from "../elements/import-report.js";
import { watchGame } from "../elements/live-game.js";
import { go } from "../main.js";

const USUAL_ORDER = "-date";
const USUAL_FORMAT = "json"; // which loses nothing
const ROWS_AT_ONCE = 10; // that Page Up and Page Down go

const report = new ImportReport(); // of all visits to this page: an import goes on meanwhile

class Games {
  constructor(root) {
    this.root = root;
    this.turn = 0;
    this.preview = new GamePreview({ open: () => this.open(), remove: () => this.remove() });
    this.table = new GamesTable({ chosen: (game) => this.preview.show(game), open: () => this.open(), sort: (order) => this.sort(order) });
    this.report = report;
    this.report.done = () => this.load();
    this.count = h("p", { class: "note", role: "status", "data-testid": "count" });
  }

  async start() {
    const [kinds, formats] = await Promise.all([getOnce("/api/games"), getOnce("/api/formats")]);
    this.filters = new GamesFilters(kinds, params(), (wanted) => this.filter(wanted));
    this.build(formats.filter((each) => each.can_write));
    await this.load();
  }

  build(formats) {
    const button = (text, run, more = {}) => h("button", { type: "button", onclick: run, ...more }, text);
    const file = /** @type {any} */ (h("input", { type: "file", class: "unseen", multiple: true, tabindex: "-1", "aria-label": "File to import", onchange: () => this.report.take([...file.files]) }));
    this.format = /** @type {any} */ (h("select", { "aria-label": "Format" }));
    this.formats = formats;
    this.previous = button("‹", () => this.turnPage(-1), { "aria-label": "Previous page", title: "Previous page", hidden: true });
    this.next = button("›", () => this.turnPage(1), { "aria-label": "Next page", title: "Next page", hidden: true });
    this.nothing = h("div", { class: "no-games", hidden: true });
    this.scroll = h("div", { class: "scroll" }, this.table.element);
    fill(
      this.root,
      h("div", { class: "row-of heading" }, h("h1", {}, "Games"), h("span", { class: "grow" }), button("Import", () => file.click()), file, h("span", { class: "row-of joined" }, this.format, button("Export", () => this.export()))),
      h("div", { class: "panel" }, this.filters.element),
      this.report.element,
      this.filters.looked,
      h(
        "div",
        { class: "table" },
        h("section", { class: "panel", "aria-label": "List" }, h("div", { class: "row-of count-line" }, this.count, h("span", { class: "grow" }), this.previous, this.next), this.scroll, this.nothing),
        h("div", { class: "beside" }, this.preview.element),
      ),
    );
  }

  // ---------------------------------------------------------------- the list

  /** What the address says of the list: filters, order and page. */
  get address() {
    const { sort = USUAL_ORDER, page = "0" } = params();
    return { ...this.filters.wanted, sort, page };
  }

  /** @param {Record<string, string>} wanted */
  filter(wanted) {
    return this.goTo({ ...wanted, sort: params().sort ?? "" });
  }

  sort(order) {
    return this.goTo({ ...this.filters.wanted, sort: order === USUAL_ORDER ? "" : order });
  }

  turnPage(step) {
    const page = Math.max(0, Number(this.address.page) + step);
    return this.goTo({ ...this.filters.wanted, sort: params().sort ?? "", page: page || "" });
  }

  goTo(address) {
    setParams(address, { push: true });
    return this.load();
  }

  /** @param {{ id?: number, at?: number }} keep the game, or the row, that is to be chosen */
  async load({ id, at = 0 } = {}) {
    const turn = ++this.turn;
    try {
      const found = await get(`/api/store/games?${new URLSearchParams(this.address)}`);
      if (turn !== this.turn) return;
      const place = found.games.findIndex((each) => each.id === id);
      this.filters.lookedFor(found.view);
      this.draw(found);
      this.table.show(found.games, this.address.sort, place < 0 ? at : place);
    } catch (error) {
      if (turn !== this.turn) return;
      this.draw({ total: 0, page: 0, page_size: 1, games: [] });
      this.table.show([], USUAL_ORDER);
      this.count.textContent = error.message;
    }
  }

  /** Only formats that can hold the games which are listed. */
  offerFormats() {
    const { game } = this.filters.wanted;
    const before = this.format.value || USUAL_FORMAT;
    const fitting = this.formats.filter((each) => !each.games.length || each.games.includes(game));
    fill(this.format, fitting.map((each) => h("option", { value: each.name, title: each.summary }, each.name)));
    this.format.value = fitting.some((each) => each.name === before) ? before : USUAL_FORMAT;
  }

  draw({ total, page, page_size: size, games }) {
    const first = page * size + 1;
    const last = first + games.length - 1;
    this.count.textContent = total ? `${counted(total)}${games.length < total ? `, ${first.toLocaleString("en")} to ${last.toLocaleString("en")}` : ""}` : "0 games";
    this.previous.disabled = page === 0;
    this.next.disabled = last >= total;
    this.previous.hidden = this.next.hidden = total <= size;
    this.offerFormats();
    this.scroll.hidden = !games.length;
    this.scroll.scrollTop = 0;
    this.nothing.hidden = games.length > 0;
    fill(this.nothing, this.filters.isEmpty ? h("p", {}, "No games yet. Play one, drop a file here, or paste a game.") : [h("p", {}, "No game matches."), h("button", { type: "button", onclick: () => this.filters.clear() }, "Show all games")]);
  }

  select(step) {
    const isFocused = this.table.element.contains(document.activeElement);
    this.table.select(isFocused ? this.table.at + step : this.table.at);
  }

  // ---------------------------------------------------------------- one game

  open() {
    const { game } = this.table;
    if (game) go(analysed(game, this.preview.ply));
  }

  async remove() {
    const { game, at } = this.table;
    if (!game) return;
    try {
      await remove(`/api/store/games/${game.id}`);
      await this.load({ at });
      this.table.focus();
      const what = `${game.players[0] || "?"} – ${game.players[1] || "?"}, ${resultOf(game)}`;
      say(`Deleted: ${what}.`);
      toast(`Deleted: ${what}.`, { action: "Undo", run: () => this.restore(game.id) });
    } catch (error) {
      toast(error.message, { isError: true });
    }
  }

  async restore(id) {
    try {
      await post(`/api/store/games/${id}/restore`, {});
      say("Restored.");
    } catch (error) {
      toast(error.message, { isError: true });
    }
    await this.load({ id });
    this.table.focus();
  }

  // ---------------------------------------------------------------- files

  export() {
    const query = new URLSearchParams({ ...this.filters.wanted, format: this.format.value });
    const link = h("a", { href: `/api/store/export?${query}`, download: "" });
    document.body.append(link);
    link.click();
    link.remove();
  }

  drag(event) {
    if (![...(event.dataTransfer?.types ?? [])].includes("Files")) return;
    event.preventDefault();
    this.root.classList.add("may-drop");
  }

  drop(event) {
    this.root.classList.remove("may-drop");
    const files = [...(event.dataTransfer?.files ?? [])];
    if (!files.length) return;
    event.preventDefault();
    this.report.take(files);
  }

  paste(event) {
    if (event.target.matches?.("input, textarea")) return;
    const text = event.clipboardData?.getData("text/plain");
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length || text?.trim()) this.report.take(files.length ? files : [new File([text], "")]);
  }
}

/** @param {number} total */
function counted(total) {
  return total === 1 ? "1 game" : `${total.toLocaleString("en")} games`;
}

/** `/games/12?ply=7` is a link to a game: it opens where games are looked at; one that is not over is watched here. */
async function showOne(root, number) {
  const game = await get(`/api/store/games/${number}`);
  const { ply } = params();
  if (game.points === null && ply === undefined) return watchGame(root, game);
  await go(analysed(game, ply ?? game.moves.length), { replace: true });
}

export async function show(root) {
  const [, number] = location.pathname.match(/^\/games\/(\d+)$/) ?? [];
  if (number) {
    try {
      return await showOne(root, number);
    } catch (error) {
      toast(error.message, { isError: true });
      history.replaceState(null, "", "/games");
    }
  }
  const page = new Games(root);
  const unbind = bind("Games", [
    ["ArrowDown", "next game", () => page.select(1)],
    ["ArrowUp", "previous game", () => page.select(-1)],
    ["PageDown", "ten games on", () => page.select(ROWS_AT_ONCE)],
    ["PageUp", "ten games back", () => page.select(-ROWS_AT_ONCE)],
    ["ArrowLeft", "preview: one move back", () => page.preview.step(-1)],
    ["ArrowRight", "preview: one move on", () => page.preview.step(1)],
    ["Home", "preview: to the start", () => page.preview.goTo(0)],
    ["End", "preview: to the end", () => page.preview.goTo(Infinity)],
    ["Enter", "open the game at this move", () => page.open()],
    ["Delete", "delete the game", () => page.remove()],
  ]);
  const listeners = { dragover: (event) => page.drag(event), dragleave: (event) => event.relatedTarget || root.classList.remove("may-drop"), drop: (event) => page.drop(event), paste: (event) => page.paste(event) };
  for (const [name, listener] of Object.entries(listeners)) document.addEventListener(name, listener);
  await page.start();
  return () => {
    for (const [name, listener] of Object.entries(listeners)) document.removeEventListener(name, /** @type {any} */ (listener));
    unbind();
  };
}
