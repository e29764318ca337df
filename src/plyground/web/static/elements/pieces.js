// @ts-check
// How a piece looks and what it is called, from the content of a cell. Shapes differ, not colours
// alone. Knows no rule.
import { h } from "../lib/dom.js";

/** @returns {HTMLElement} */
export function piece(content, kind, players) {
  if (content === "" || content === undefined) return h("span", { class: "nothing" });
  if (kind === "pits") return seeds(Number(content));
  if (kind === "cards") return half(String(content));
  if (content !== "first" && content !== "second") return h("span", { class: "piece letter" }, content);
  const second = content === "second";
  const name = players[second ? 1 : 0];
  if (name === "X" || name === "O") return h("span", { class: "piece letter" }, name);
  return h("span", { class: `piece disc ${second ? "second" : "first"}`, "data-shade": name.toLowerCase() });
}

function half(content) {
  const [colour, dot] = content;
  return h("span", { class: "piece half", "data-colour": colour === "R" ? "red" : "white" }, h("span", { class: "dot", "data-dot": dot === "X" ? "solid" : "hollow" }));
}

function seeds(count) {
  return h("span", { class: "seeds" }, h("span", { class: "heap", "data-size": Math.min(count, 12), "aria-hidden": "true" }), h("span", { class: "count" }, count));
}

/** What a cell holds, in words. */
export function contentName(content, view) {
  if (content === "") return "empty";
  if (content === " ") return "no cell";
  if (content === "first") return view.players[0];
  if (content === "second") return view.players[1];
  if (view.board.kind === "pits") return content === 1 ? "1 seed" : `${content} seeds`;
  if (view.board.kind === "cards") return `${content[0] === "R" ? "red" : "white"}, ${content[1] === "X" ? "solid" : "hollow"} dot`;
  return String(content);
}
