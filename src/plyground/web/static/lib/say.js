// @ts-check
// Words to people: a line for screen readers, and notes that go away by themselves.
import { find, h, openDialog } from "./dom.js";

const SHOWN_MS = 6000;

/** Have a screen reader say something, once. */
export function say(text) {
  const speaker = find("#speaker");
  speaker.textContent = "";
  requestAnimationFrame(() => (speaker.textContent = text));
}

/** Show a note; with an action, it has a button. */
export function toast(text, { action = "", run = () => {}, isError = false } = {}) {
  const note = h("div", { class: isError ? "toast error" : "toast" }, h("span", {}, text));
  const close = () => note.remove();
  if (action) {
    note.append(h("button", { type: "button", onclick: () => (close(), run()) }, action));
  }
  note.append(h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: close }, "×"));
  find("#toasts").append(note);
  setTimeout(close, action ? 2 * SHOWN_MS : SHOWN_MS);
  return close;
}

/** Ask before something is lost; whether the person wants it. @param {string} title @param {string} text @param {string} verb @returns {Promise<boolean>} */
export function confirmed(title, text, verb) {
  const button = (words, kind) => h("button", { value: kind, class: kind }, words);
  const form = h("form", { method: "dialog", class: "row-of ends" }, button("Cancel", ""), button(verb, "main"));
  const dialog = openDialog(h("dialog", { "aria-labelledby": "confirm-title" }, h("h2", { id: "confirm-title" }, title), h("p", {}, text), form));
  return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue === "main")));
}
