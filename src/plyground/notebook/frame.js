// @ts-check
// The place of a widget in a notebook: a root of its own, so that the web app's styles reach nothing
// else and nothing else reaches them; light or dark as the page is. Knows no board.
import { h } from "../web/static/lib/dom.js";

const UNSEEN = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)";

/** Where a widget is drawn, and what ends it. @param {HTMLElement} el @param {string} style */
export function frame(el, style) {
  const place = h("div", { class: "widget" });
  // JupyterLab leaves the keys alone that are pressed in here: arrows move on the board, not between cells.
  const host = h("div", { "data-lm-suppress-shortcuts": "true" });
  host.attachShadow({ mode: "open" }).append(h("style", {}, style), place);
  el.append(host);
  // What elements have a screen reader say, they say there.
  if (!document.getElementById("speaker")) document.body.append(h("div", { id: "speaker", role: "log", "aria-live": "polite", "aria-atomic": "true", style: UNSEEN }));
  const paint = () => {
    const theme = isDark() ? "dark" : "light";
    if (theme === host.dataset.theme) return;
    host.dataset.theme = theme;
    place.dispatchEvent(new Event("theme"));
  };
  const observer = new MutationObserver(paint);
  for (const each of [document.documentElement, document.body]) observer.observe(each, { attributes: true });
  paint();
  return { place, leave: () => observer.disconnect() };
}

/** As JupyterLab says, or else as the page's letters are: light ones stand on dark. */
function isDark() {
  const told = document.body.dataset.jpThemeLight;
  if (told) return told === "false";
  const [red, green, blue] = (getComputedStyle(document.body).color.match(/[\d.]+/g) ?? [0, 0, 0]).map(Number);
  return 0.3 * red + 0.6 * green + 0.1 * blue > 127;
}

/** Draw now and whenever one of these changes; what ends it. @param {any} model @param {string[]} names @param {() => void} draw */
export function drawn(model, names, draw) {
  for (const name of names) model.on(`change:${name}`, draw);
  draw();
  return () => names.forEach((name) => model.off(`change:${name}`, draw));
}
