// @ts-check
// Tournaments and matches: those that there are, a form for a new one, and the page of each.
import { fill, h, redraw } from "../lib/dom.js";
import { get, getOnce, post } from "../lib/api.js";
import { counted, moment } from "../lib/amounts.js";
import { poll } from "../lib/poll.js";
import { toast } from "../lib/say.js";
import { ContestForm } from "../elements/contest-form.js";
import { chip } from "../elements/job-panel.js";
import { ContestPage } from "../elements/contest-page.js";
import { go } from "../main.js";

const FORMATS = { "round-robin": "round robin", gauntlet: "gauntlet", swiss: "Swiss", match: "match" };

/** @param {any} each */
function row(each) {
  const { job } = each;
  const [played, total] = job?.total ? [job.done, job.total] : [each.played, each.total];
  const done = total ? `${counted(played)}/${counted(total)}` : "";
  const state = job?.state ?? (each.complete ? "done" : played ? "stopped" : "not played");
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, h("a", { href: `/tournaments/${each.id}` }, each.title)),
    h("td", { class: "of-game" }, each.game_title),
    h("td", { class: "of-format" }, FORMATS[each.format] ?? each.format),
    h("td", { class: "number of-players" }, String(each.players.length || "")),
    h("td", { class: "number" }, done),
    h("td", {}, chip(state)),
    h("td", { class: "of-date" }, moment(each.started)),
  );
}

async function showList(root) {
  const [games, kinds, presets, first] = await Promise.all([getOnce("/api/games"), getOnce("/api/players"), getOnce("/api/tournaments/presets"), get("/api/tournaments")]);
  const body = h("tbody");
  const head = ["Name", "Game", "Format", "Players", "Games", "State", "Started"].map((name) => h("th", { scope: "col", class: { Players: "number of-players", Games: "number", Game: "of-game", Format: "of-format", Started: "of-date" }[name] ?? "" }, name));
  const list = h("section", { class: "panel", "aria-label": "All tournaments" }, h("div", { class: "scroll" }, h("table", { class: "contests", "aria-label": "Tournaments" }, h("thead", {}, h("tr", {}, head)), body)));
  const form = new ContestForm(games, kinds, presets, async (wanted) => go(`/tournaments/${(await post("/api/tournaments", wanted)).id}`));
  const open = /** @type {any} */ (h("button", { type: "button", class: "main", "aria-expanded": "false" }, "New tournament"));
  const unfold = (isOpen) => {
    form.element.hidden = !isOpen;
    open.setAttribute("aria-expanded", String(isOpen));
  };
  open.addEventListener("click", () => unfold(form.element.hidden));
  unfold(!first.length);
  fill(root, h("div", { class: "row-of heading" }, h("h1", {}, "Tournaments"), h("span", { class: "grow" }), open), form.element, list);
  const draw = (found) => {
    list.hidden = !found.length;
    redraw(body, found, row);
  };
  draw(first);
  return poll(async () => draw(await get("/api/tournaments")), 2000);
}

async function showOne(root, id) {
  const page = new ContestPage(id);
  fill(root, page.element);
  try {
    await page.load();
  } catch (error) {
    if (error.status !== 400) throw error;
    toast(error.message, { isError: true });
    history.replaceState(null, "", "/tournaments");
    return showList(root);
  }
  return page.watch();
}

export async function show(root) {
  const [, id] = location.pathname.match(/^\/tournaments\/([a-z0-9-]+)$/) ?? [];
  return id ? showOne(root, id) : showList(root);
}

