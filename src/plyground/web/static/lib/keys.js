// @ts-check
// Keys: one list of what each does on this page, from which the sheet of shortcuts is made.
import { h, openDialog } from "./dom.js";

/** @type {Map<string, { key: string, what: string, run: () => void, scope: string }>} */
const bindings = new Map();

/**
 * Bind keys for as long as a page is shown; returns what unbinds them.
 * @param {string} scope what the sheet calls the group
 * @param {Array<[string, string, () => void]>} list key, what it does, and the doing
 */
export function bind(scope, list) {
  for (const [key, what, run] of list) bindings.set(key, { key, what, run, scope });
  return () => {
    for (const [key, , run] of list) if (bindings.get(key)?.run === run) bindings.delete(key);
  };
}

export function listed() {
  return [...bindings.values()];
}

export function nameOf(event) {
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("Ctrl");
  if (event.altKey) parts.push("Alt");
  if (event.shiftKey && event.key.length > 1) parts.push("Shift");
  parts.push(event.key === " " ? "Space" : event.key);
  return parts.join("+");
}

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing) return;
  const target = /** @type {HTMLElement} */ (event.target);
  const isTyping = target.matches?.("input, textarea, select, [contenteditable]");
  const name = nameOf(event);
  if (isTyping && !name.startsWith("Ctrl+") && name !== "Escape") return;
  if (document.querySelector("dialog[open]") && name !== "Escape") return;
  if (target.matches?.("button, a, summary") && (name === "Enter" || name === "Space")) return;
  const found = bindings.get(name);
  if (!found) return;
  event.preventDefault();
  found.run();
});

/** The sheet of all keys that work here. */
export function showSheet() {
  const groups = new Map();
  for (const each of listed()) {
    if (!groups.has(each.scope)) groups.set(each.scope, []);
    groups.get(each.scope).push(each);
  }
  const list = ([scope, keys]) => h("section", {}, h("h3", {}, scope), h("dl", {}, keys.map((each) => [h("dt", {}, h("kbd", {}, each.key)), h("dd", {}, each.what)])));
  openDialog(h("dialog", { class: "sheet", "aria-labelledby": "sheet-title" }, h("h2", { id: "sheet-title" }, "Keyboard shortcuts"), [...groups].map(list), h("form", { method: "dialog" }, h("button", {}, "Close"))));
}
