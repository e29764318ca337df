// @ts-check
// Two runs of an experiment side by side: whether answers agree, both curves, and what differs.
import { fill, h } from "../lib/dom.js";
import { get } from "../lib/api.js";
import { counted, duration, moment } from "../lib/amounts.js";
import { params } from "../lib/store.js";

export async function showComparison(root) {
  const [one, other] = (params().runs ?? "").split(",");
  fill(root, h("h1", {}, "Compare two runs"));
  if (!one || !other) return void root.append(h("p", { class: "note" }, "Tick two runs of an experiment in the ", h("a", { href: "/lab" }, "lab"), "."));
  try {
    draw(root, await get(`/api/lab/compare?one=${encodeURIComponent(one)}&other=${encodeURIComponent(other)}`));
  } catch (error) {
    root.append(h("p", { class: "wrong", role: "alert" }, error.message));
  }
}

function draw(root, found) {
  const [one, other] = found.runs;
  const names = [one.name, other.name];
  document.title = `${names.join(" and ")} · Plyground`;
  const panel = (name, ...inside) => h("section", { class: "panel", "aria-label": name }, h("h2", {}, name), inside);
  fill(
    root,
    h("div", { class: "heading" }, h("p", { class: "over" }, h("a", { href: "/lab" }, "Lab"), " / ", h("a", { href: `/lab/${one.experiment}` }, one.experiment)), h("h1", {}, `${names[0]} and ${names[1]}`), answers(found)),
    panel("Both runs", h("div", { class: "scroll" }, table("Both runs", ["", ...names], bothRows(one, other, found)))),
    found.charts.length ? panel("Both curves", h("p", { class: "note" }, "Each cell that both have measured; cells in the order of the first run."), h("div", { class: "charts" }, found.charts.map(chart))) : null,
    panel("Differences", differences(found, names)),
    found.times.length ? panel("Times", h("p", { class: "note" }, `How many times longer ${names[0]} took, cell by cell, with intervals of 95 %.`), h("div", { class: "scroll" }, table("Times", ["Task", "Timed", "Cells", "Ratio"], found.times.map((each) => [each.task.split(":")[1], each.timed, counted(each.cells), ratio(each.ratio)])))) : null,
    found.reports.length ? panel("Charts of both reports", found.reports.map(({ title, addresses }) => h("div", { class: "beside-each-other" }, addresses.map((address, index) => chart({ title: `${title}, ${names[index]}`, address }))))) : null,
  );
}

function answers(found) {
  if (!found.common) return h("p", { class: "note" }, "They have no cell in common.");
  const same = found.differing === 0;
  const alone = found.alone.some(Boolean) ? ` Only in the first: ${counted(found.alone[0])}; only in the second: ${counted(found.alone[1])}.` : "";
  return h("p", { "data-testid": "answers" }, h("b", { class: same ? "good" : "wrong" }, same ? "All answers are identical" : `${counted(found.differing)} answers differ`), ` in ${counted(found.common)} cells that both have measured.${alone}`);
}

function bothRows(one, other, found) {
  const row = (name, text) => [name, text(one), text(other)];
  return [
    row("Cells", (run) => (run.finished ? counted(run.cells) : `${counted(run.measured)} of ${counted(run.cells)}, partial`)),
    row("Started", (run) => moment(run.started)),
    row("Work", (run) => duration(run.seconds)),
    row("Size", (run) => (run.is_quick ? "quick" : "full")),
    ["Time, first over second", found.time_ratio ? ratio(found.time_ratio) : "nothing was timed", ""],
  ];
}

function differences(found, names) {
  const groups = [["Parameter", found.parameters], ["Version", found.versions], ["Machine", found.machine]].flatMap(([kind, group]) => Object.entries(group).map(([name, values]) => [kind, name, ...values]));
  const cells = found.different.map((each) => ["Answer", `${each.cell}: ${each.place}`, ...each.values]);
  const rows = [...groups, ...cells];
  const more = found.differing - found.different.length;
  return [rows.length ? h("div", { class: "scroll" }, table("Differences", ["What", "Which", ...names], rows)) : h("p", { class: "note" }, "None: same parameters, programs, machine and answers."), more > 0 && h("p", { class: "note" }, `and ${counted(more)} more answers`)];
}

function table(label, head, rows) {
  return h("table", { class: "data", "aria-label": label }, h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows.map((row) => h("tr", {}, row.map((text, index) => h(index ? "td" : "th", { scope: index ? null : "row" }, String(text)))))));
}

/** A picture, and the numbers from which it was drawn: perhaps thousands, so only if wanted. */
function chart({ title, address, columns, rows }) {
  const numbers = columns && h("details", { class: "numbers" }, h("summary", {}, `Numbers of ${title}`));
  numbers?.addEventListener("toggle", () => numbers.append(h("div", { class: "scroll" }, table(title, columns, rows))), { once: true });
  return h("figure", { class: "figure chart" }, h("img", { src: address, alt: title, loading: "lazy" }), h("figcaption", {}, h("strong", {}, title)), numbers);
}

function ratio({ value, low, high }) {
  return low === null ? value.toPrecision(3) : `${value.toPrecision(3)} (${low.toPrecision(3)} to ${high.toPrecision(3)})`;
}
