// @ts-check
// A report inside a page: the very page that others save, as high as what is in it. Its links and its
// choice of claims need no script; what is wrong with it is said by the server in its place.
import { h } from "../lib/dom.js";
import { settings } from "../lib/store.js";

const WAIT = "Making the report …";
const AS_THE_SYSTEM = "screen and (prefers-color-scheme: dark)";

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
    const end = settings.theme.watch(() => (frame.isConnected ? dress(inside.ownerDocument) : end()));
  });
  return [note, frame];
}

/** A report is light or dark as the system is; a theme that was chosen for the pages is its theme too. @param {Document} report */
function dress(report) {
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  const rules = [...report.styleSheets].flatMap((sheet) => /** @type {any[]} */ ([...sheet.cssRules]));
  const dark = rules.find((rule) => rule.conditionText !== undefined && rule.cssText.includes("--paper"));
  if (dark) dark.media.mediaText = { dark: "screen", light: "not all" }[scheme] ?? AS_THE_SYSTEM;
}
