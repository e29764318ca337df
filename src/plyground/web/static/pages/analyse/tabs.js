// @ts-check
// Panels beside the board; where there is no room beside it, one at a time below it, with a row of
// buttons to choose. Which layout it is, the style sheet decides.
import { h } from "../../lib/dom.js";

/** @param {Record<string, HTMLElement>} panels by name, in order */
export function withTabs(panels) {
  const press = (name) => {
    choose(name);
    if (panels[name] instanceof HTMLDetailsElement) panels[name].open = true;
  };
  const buttons = Object.keys(panels).map((name) => h("button", { type: "button", onclick: () => press(name) }, name));
  const choose = (wanted) => {
    Object.entries(panels).forEach(([name, panel], at) => {
      panel.classList.toggle("chosen", name === wanted);
      buttons[at].setAttribute("aria-pressed", String(name === wanted));
    });
  };
  choose(Object.keys(panels)[0]);
  return h("div", { class: "beside with-tabs" }, h("div", { class: "tabs", role: "group", "aria-label": "Panels" }, buttons), Object.values(panels));
}
