// @ts-check
// Numbers in a text that come from runs: [[run.field]] stands for one until it is known.
import { h } from "../../lib/dom.js";

/** What a chapter may say of a search: what was asked, and what came out. @param {any} question @param {any} summary */
export function numbersOf(question, summary) {
  const { counters } = summary;
  return {
    ...question.line.settings,
    ...question.trace,
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

/** Put a text into an element; returns what fills its numbers in. @param {HTMLElement} element @param {string} text @param {Record<string, any>} runs */
export function spans(element, text, runs) {
  const fields = /** @type {Array<[HTMLElement, string]>} */ ([]);
  const parts = text.split(/(\[\[[^\]]+\]\])/).map((part) => {
    if (!part.startsWith("[[")) return part;
    const span = h("span", { class: "from-run" }, "…");
    fields.push([span, part.slice(2, -2)]);
    return span;
  });
  element.replaceChildren(...parts);
  return () => {
    for (const [span, path] of fields) {
      const value = path.split(".").reduce((found, name) => found?.[name], /** @type {any} */ (runs));
      span.textContent = typeof value === "number" ? value.toLocaleString("en") : String(value ?? "?");
    }
  };
}
