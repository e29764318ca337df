// @ts-check
// Train: courses of learning, a form for a new one, and the page of each.
import { h } from "../lib/dom.js";
import { getOnce, post } from "../lib/api.js";
import { counted, duration, moment } from "../lib/amounts.js";
import { CourseForm } from "../elements/course-form.js";
import { CoursePage } from "../elements/course-page.js";
import { chip } from "../elements/job-panel.js";
import { showListing, showOne } from "../elements/listing.js";
import { go } from "../main.js";

const COLUMNS = { Name: "", Game: "of-game", "Games played": "number of-players", Time: "number of-format", Error: "number", Match: "", State: "", Begun: "of-date" };
const addressOf = (id) => `/train/${encodeURIComponent(id)}`;

/** @param {any} each */
function row(each) {
  const verdict = each.match ? (each.match.is_better ? "better" : "not proven") : "";
  const cells = [h("a", { href: addressOf(each.id) }, each.name), each.game_title, counted(each.games), duration(each.seconds), each.error?.toFixed(3), verdict, chip(each.state), moment(each.started)];
  return h("tr", {}, Object.values(COLUMNS).map((kind, index) => h(index ? "td" : "th", { class: kind, scope: index ? null : "row" }, cells[index])));
}

async function showList(root) {
  const form = new CourseForm(await getOnce("/api/games"), async (wanted) => go(addressOf((await post("/api/courses", wanted)).id)));
  return showListing(root, { title: "Train", address: "/api/courses", form, fresh: "New course", isOpen: location.hash === "#new", columns: COLUMNS, row });
}

export async function show(root) {
  const [, id] = location.pathname.match(/^\/train\/([^/]+)$/) ?? [];
  return id ? showOne(root, new CoursePage(decodeURIComponent(id)), "/train", () => showList(root)) : showList(root);
}
