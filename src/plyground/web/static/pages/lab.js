// @ts-check
// The lab: the catalogue of experiments; one with its form, runs and report; two runs compared.
import { fill, h, redraw } from "../lib/dom.js";
import { get } from "../lib/api.js";
import { duration, moment } from "../lib/amounts.js";
import { poll } from "../lib/poll.js";
import { toast } from "../lib/say.js";
import { chip, jobLine } from "../elements/job-panel.js";
import { ExperimentView, RUN_IT } from "../elements/experiment-view.js";
import { showComparison } from "../elements/run-comparison.js";

const NAME = /^\/lab\/([^/]+)$/;

async function showCatalogue(root) {
  const cards = h("div", { class: "cards-of experiments" });
  fill(root, h("h1", {}, "Lab"), h("p", { class: "note" }, "Experiments that anybody can repeat: those of published studies, with what they printed beside what comes out here."), cards);
  return poll(async () => redraw(cards, await get("/api/lab/experiments"), card), 2000);
}

function card(each) {
  const last = each.last_run;
  const told = last && [`run ${last.number}`, last.quick && "quick", last.finished ? moment(last.finished) : `${last.measured} of ${last.cells} cells`, duration(last.seconds)].filter(Boolean).join(" · ");
  return h(
    "section",
    { class: "panel experiment-card" },
    h("h2", {}, h("a", { href: `/lab/${each.name}` }, each.title)),
    h("p", {}, each.question),
    each.source && h("p", { class: "note source" }, each.source),
    each.shipped && verdictBar(each.shipped.verdicts),
    each.shipped && h("p", { class: "row-of" }, h("a", { class: "button", href: `/lab/${each.name}?run=${each.name}@shipped` }, "Read the report"), h("a", { class: "button", href: `/lab/${each.name}${RUN_IT}` }, "Run it yourself"), h("span", { class: "note" }, `Quick about ${duration(each.shipped.quick_seconds)}, Full about ${duration(each.shipped.seconds)}`)),
    each.job ? h("ul", { class: "job-list" }, jobLine(each.job)) : h("p", { class: "last" }, last ? [chip(last.state), ` ${told}`] : h("span", { class: "note" }, each.shipped ? "no run of your own yet" : "not run yet")),
  );
}

/** How many claims came out how, as a bar and in words. @param {Record<string, number>} verdicts */
function verdictBar(verdicts) {
  const found = Object.entries(verdicts).filter(([, count]) => count);
  const bar = h("div", { class: "verdict-bar", "aria-hidden": "true" }, found.map(([verdict, count]) => {
    const part = h("span", { "data-verdict": verdict });
    part.style.setProperty("--count", String(count));
    return part;
  }));
  return h("div", { class: "verdicts" }, bar, h("p", {}, found.map(([verdict, count]) => h("span", { "data-verdict": verdict }, h("b", {}, count), ` ${verdict}`))));
}

async function showExperiment(root, name) {
  let experiment;
  try {
    experiment = await get(`/api/lab/experiments/${encodeURIComponent(name)}`);
  } catch (error) {
    if (error.status !== 400) throw error;
    toast(error.message, { isError: true });
    history.replaceState(null, "", "/lab");
    return showCatalogue(root);
  }
  const view = new ExperimentView(experiment);
  fill(root, view.element);
  return view.watch();
}

export async function show(root) {
  const [, name] = location.pathname.match(NAME) ?? [];
  if (name === "compare") return showComparison(root);
  return name ? showExperiment(root, decodeURIComponent(name)) : showCatalogue(root);
}
