// @ts-check
// Text for other programs: to the clipboard where a browser allows it, which it does on this machine
// and over https; elsewhere the text is shown, selected, to be copied by hand.
import { h, openDialog } from "../lib/dom.js";
import { toast } from "../lib/say.js";

/** @param {string} text @param {string} what how people call it */
export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return showText(text, what);
  }
  toast(`Copied: ${what}.`);
}

function showText(text, what) {
  const field = /** @type {HTMLTextAreaElement} */ (h("textarea", { readonly: true, rows: 4, "aria-label": what }));
  field.value = text;
  openDialog(h("dialog", { class: "by-hand", "aria-labelledby": "by-hand-title" }, h("h2", { id: "by-hand-title" }, "Copy by hand"), h("p", {}, `The browser does not let this page copy ${what}. The text is selected: press Ctrl+C, or hold it with a finger.`), field, h("form", { method: "dialog" }, h("button", {}, "Close"))));
  field.focus();
  field.select();
}
