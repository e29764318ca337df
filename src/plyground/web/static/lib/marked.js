// @ts-check
// Text with a little markup, made by the server from what studies and reports say. Only these
// elements are taken over, and none of their attributes.
import { h } from "./dom.js";

const KNOWN = new Set(["P", "UL", "OL", "LI", "EM", "STRONG", "CODE", "PRE", "BR", "TABLE", "THEAD", "TBODY", "TR", "TH", "TD", "BLOCKQUOTE"]);

/** @param {string} html */
export function marked(html) {
  return h("div", { class: "marked" }, [...new DOMParser().parseFromString(html, "text/html").body.childNodes].map(taken));
}

function taken(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  const inside = [...node.childNodes].map(taken);
  return KNOWN.has(node.nodeName) ? h(node.nodeName.toLowerCase(), {}, inside) : inside;
}

/** Plain text in which only `code` has a meaning. @param {string} text */
export function worded(text) {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? h("code", {}, part) : part));
}
