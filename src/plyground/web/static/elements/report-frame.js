// @ts-check
// A report inside a page: the very page that others save, as high as what is in it. Its links and its
// choice of claims need no script. What the server refuses is in no frame, so its reason is asked for.
import { get } from "../lib/api.js";
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
    if (!inside) return void refused(address).then((reason) => (frame.remove(), (note.textContent = reason)));
    note.remove();
    const fit = () => (frame.style.height = `${Math.ceil(inside.getBoundingClientRect().height)}px`);
    new ResizeObserver(fit).observe(inside);
    fit();
    const end = settings.theme.watch(() => (frame.isConnected ? dress(inside.ownerDocument) : end()));
  });
  return [note, frame];
}

/** Why there is no report. @param {string} address @returns {Promise<string>} */
function refused(address) {
  return get(address).catch((error) => (error.status ? error.message : "The report cannot be shown."));
}

/** A report is light or dark as the system is; a theme that was chosen for the pages is its theme too. @param {Document} report */
function dress(report) {
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  const rules = [...report.styleSheets].flatMap((sheet) => /** @type {any[]} */ ([...sheet.cssRules]));
  const dark = rules.find((rule) => rule.conditionText !== undefined && rule.cssText.includes("--paper"));
  if (dark) dark.media.mediaText = { dark: "screen", light: "not all" }[scheme] ?? AS_THE_SYSTEM;
}
