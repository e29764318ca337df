// @ts-check
// Tournaments and matches: those that there are, a form for a new one, and the page of each.
import { h } from "../lib/dom.js";
import { getOnce, post } from "../lib/api.js";
import { counted, moment } from "../lib/amounts.js";
import { ContestForm } from "../elements/contest-form.js";
import { chip } from "../elements/job-panel.js";
import { ContestPage } from "../elements/contest-page.js";
import { showListing, showOne } from "../elements/listing.js";
import { go } from "../main.js";

const FORMATS = { "round-robin": "round robin", gauntlet: "gauntlet", swiss: "Swiss", match: "match" };
const COLUMNS = { Name: "", Game: "of-game", Format: "of-format", Players: "number of-players", Games: "number", State: "", Started: "of-date" };

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
  const [games, kinds, presets] = await Promise.all([getOnce("/api/games"), getOnce("/api/players"), getOnce("/api/tournaments/presets")]);
  const form = new ContestForm(games, kinds, presets, async (wanted) => go(`/tournaments/${(await post("/api/tournaments", wanted)).id}`));
  return showListing(root, { title: "Tournaments", address: "/api/tournaments", form, fresh: "New tournament", columns: COLUMNS, row });
}

export async function show(root) {
  const [, id] = location.pathname.match(/^\/tournaments\/([a-z0-9-]+)$/) ?? [];
  return id ? showOne(root, new ContestPage(id), "/tournaments", () => showList(root)) : showList(root);
}
