// @ts-check
// Numbers in a text that come from runs: [[run.field]] stands for one until it is known.
import { h } from "../../lib/dom.js";

/** What a chapter may say of a search. @param {any} summary */
export function numbersOf(summary) {
  const { counters } = summary;
  return {
    summary,
    value: summary.value,
    nodes: counters.nodes,
    leaves: counters.leaves,
    hits: counters.hits,
    probes: counters.probes,
    passes: summary.roots.rows.length,
    passesRows: summary.roots.rows,
    rows: summary.all ?? [],
    least: summary.least_leaves,
    move: summary.line[0],
    line: summary.line.join(" "),
  };
}

/** A paragraph, and what fills its numbers in. @param {string} text @param {Record<string, any>} runs @returns {[HTMLElement, () => void]} */
export function spans(text, runs) {
  const fields = /** @type {Array<[HTMLElement, string]>} */ ([]);
  const parts = text.split(/(\[\[[^\]]+\]\])/).map((part) => {
    if (!part.startsWith("[[")) return part;
    const span = h("span", { class: "from-run" }, "…");
    fields.push([span, part.slice(2, -2)]);
    return span;
  });
  const update = () => {
    for (const [span, path] of fields) {
      const value = path.split(".").reduce((found, name) => found?.[name], /** @type {any} */ (runs));
      span.textContent = typeof value === "number" ? value.toLocaleString("en") : String(value ?? "?");
    }
  };
  return [h("p", {}, parts), update];
}
