// @ts-check
// What an evaluation is made of: each factor with its share, as a table with bars.
import { fill, h } from "../lib/dom.js";
import { post } from "../lib/api.js";

export class FactorPanel {
  constructor() {
    this.body = h("div");
    this.element = h("details", { class: "panel" }, h("summary", {}, "What the evaluation is made of"), this.body);
    this.element.addEventListener("toggle", () => this.last && this._load());
  }

  show(line, evaluator, view) {
    this.last = { line, evaluator, view };
    if (/** @type {HTMLDetailsElement} */ (this.element).open) this._load();
  }

  async _load() {
    const asked = this.last;
    const told = await post("/api/explain", { ...asked.line, evaluator: asked.evaluator || null }).catch((error) => ({ error: error.message }));
    if (asked !== this.last) return;
    if (told.error || told.value === null) {
      fill(this.body, h("p", { class: "note" }, told.error ?? "The game is over."));
      return;
    }
    const most = Math.max(1, ...told.factors.map((each) => Math.abs(each.share)));
    const mover = asked.view.players[asked.view.side === "first" ? 0 : 1];
    fill(
      this.body,
      h("p", {}, h("strong", {}, signed(told.value)), ` for ${mover}, by ${told.evaluator} (${told.scale})`),
      told.factors.length
        ? h(
            "table",
            { class: "factors" },
            h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Factor"), h("th", { scope: "col", class: "number" }, "Value"), h("th", { scope: "col", class: "number" }, "Share"), h("th", {}))),
            h("tbody", {}, told.factors.map((each) => h("tr", {}, h("th", { scope: "row" }, each.name), h("td", { class: "number" }, signed(each.value)), h("td", { class: "number" }, signed(each.share)), h("td", {}, bar(each.share / most))))),
          )
        : h("p", { class: "note" }, "This evaluator is one number."),
    );
  }
}

function bar(share) {
  const element = h("span", { class: share < 0 ? "share-bar minus" : "share-bar", "aria-hidden": "true" });
  element.style.setProperty("--share", String(Math.abs(share)));
  return element;
}

const signed = (value) => (value > 0 ? `+${round(value)}` : String(round(value)));
const round = (value) => Math.round(value * 100) / 100;
