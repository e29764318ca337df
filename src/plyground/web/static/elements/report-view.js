// @ts-check
// A report inside a page: claims with verdicts, tables, charts and texts. Knows no server.
import { h, svg } from "../lib/dom.js";
import { marked, worded } from "../lib/marked.js";

/** @param {any} report */
export function reportView(report) {
  const claims = report.sections.flatMap((section) => section.parts.filter((part) => part.kind === "claim"));
  return h(
    "div",
    { class: "report" },
    report.notices.map((text) => h("p", { class: "notice" }, text)),
    marked(report.summary),
    claims.length ? h("ul", { class: "claims", "aria-label": "Claims" }, claims.map((claim) => h("li", {}, verdict(claim), " ", worded(claim.text)))) : null,
    report.sections.map((section) => h("section", {}, h("h3", {}, section.title), section.parts.map(part))),
    h("details", {}, h("summary", {}, "How it was run"), h("dl", { class: "facts" }, report.facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]))),
  );
}

function verdict(claim) {
  return h("span", { class: "verdict", "data-verdict": claim.verdict }, `${claim.mark} ${claim.verdict}`, claim.is_timed && clock());
}

const clock = () => svg("svg", { class: "timed", viewBox: "0 0 16 16", role: "img", "aria-label": "differs from run to run" }, svg("title", {}, "differs from run to run"), svg("circle", { cx: 8, cy: 8, r: 6.5 }), svg("path", { d: "M8 4v4l3 2" }));

function part(each) {
  if (each.kind === "text") return marked(each.html);
  if (each.kind === "table") return figure(each);
  if (each.kind === "beside") return h("div", { class: "beside-each-other" }, figure(each.published, "Published"), figure(each.ours, "Ours"));
  if (each.kind === "chart") return chart(each);
  const told = [["Published", each.published], ["Ours", each.ours], ["Why", each.reason]].filter(([, text]) => text);
  return h("article", { class: "claim" }, h("p", {}, verdict(each)), h("p", { class: "text" }, worded(each.text)), h("dl", { class: "facts" }, told.map(([name, text]) => [h("dt", {}, name), h("dd", {}, worded(text))])));
}

/** A table with its title. @param {any} table @param {string} over */
export function figure(table, over = "") {
  const kind = (index) => (table.numeric[index] ? "number" : "");
  const head = table.columns.map((column, index) => h("th", { scope: "col", class: kind(index) }, column.name, column.is_timed && clock()));
  const rows = table.rows.map((row) => h("tr", {}, row.map((text, index) => h(index ? "td" : "th", { class: kind(index), scope: index ? null : "row" }, text))));
  const title = [over && h("span", { class: "over" }, over), h("strong", {}, table.title)];
  return h("figure", { class: "figure" }, h("figcaption", {}, title), h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": `${over} ${table.title}`.trim() }, h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows))), table.note && h("p", { class: "note" }, worded(table.note)));
}

/** A picture, and the numbers from which it was drawn. @param {{ title: string, address: string, note?: string, is_timed?: boolean, numbers?: any }} each */
export function chart(each) {
  return h("figure", { class: "figure chart" }, h("img", { src: each.address, alt: each.title, loading: "lazy" }), h("figcaption", {}, h("strong", {}, `${each.title}. `), worded(each.note ?? ""), each.is_timed && clock()), each.numbers && numbers(each.numbers));
}

/** To be unfolded; there may be thousands, so they are made only then. */
function numbers(table) {
  const details = h("details", { class: "numbers" }, h("summary", {}, `Numbers of ${table.title}`));
  details.addEventListener("toggle", () => details.append(figure(table)), { once: true });
  return details;
}
