// @ts-check
// A report inside a page: the very page that others save, as high as what is in it. Its links and its
// choice of claims need no script; what is wrong with it is said by the server in its place.
import { h } from "../lib/dom.js";

const WAIT = "Making the report …";

/** @param {string} address @param {string | null} title */
export function reportFrame(address, title) {
  const note = h("p", { class: "note" }, WAIT);
  const frame = /** @type {HTMLIFrameElement} */ (h("iframe", { class: "report", title, src: address, sandbox: "allow-same-origin allow-downloads" }));
  frame.addEventListener("load", () => {
    const inside = frame.contentDocument?.body;
    if (!inside) return void (note.textContent = "The report cannot be shown.");
    note.remove();
    const fit = () => (frame.style.height = `${Math.ceil(inside.getBoundingClientRect().height)}px`);
    new ResizeObserver(fit).observe(inside);
    fit();
  });
  return [note, frame];
}
