// @ts-check
// What an evaluation is made of: each factor with its value, weight and share, seen by the first
// player as the bar is. Pointing at a factor draws it on the board, pressing it keeps it there.
import { fill, h } from "../lib/dom.js";
import { post } from "../lib/api.js";
import { say } from "../lib/say.js";
import { kept } from "../lib/store.js";

const isOpen = kept("factors-open", false);

export class FactorPanel {
  /** @param {any} board a g-board, on which factors are drawn */
  constructor(board) {
    this.board = board;
    this.body = h("div", { class: "factor-body" });
    this.element = /** @type {HTMLDetailsElement} */ (h("details", { class: "panel", open: isOpen.value }, h("summary", {}, "What the evaluation is made of"), this.body));
    this.element.addEventListener("toggle", () => this._toggled());
    /** Which factor stays on the board, by its place in the table. @type {number | null} */
    this.keptAt = null;
    this.factors = [];
  }

  show(line, evaluator, view) {
    if (this.last && (this.last.evaluator !== evaluator || this.last.view.game !== view.game)) this.keptAt = null;
    this.last = { line, evaluator, view };
    this.board.picture = null; // it was that of another position
    if (this.element.open) this._load();
  }

  _toggled() {
    isOpen.value = this.element.open;
    if (this.element.open && this.last) this._load();
    else this.board.picture = null;
  }

  async _load() {
    const asked = this.last;
    const told = await post("/api/explain", { ...asked.line, evaluator: asked.evaluator || null }).catch((error) => ({ error: error.message }));
    if (asked !== this.last || !this.element.open) return;
    const sign = asked.view.side === "first" ? 1 : -1;
    this.factors = (told.factors ?? []).map((each) => seenByFirst(each, sign));
    if (told.error || told.value === null) fill(this.body, h("p", { class: "note" }, told.error ?? "The game is over."));
    else this._draw(told, sign * told.value);
    this._picture(this.keptAt);
  }

  _draw(told, value) {
    const [first, second] = this.last.view.players;
    const hasPictures = this.factors.some((each) => each.cells.length);
    fill(
      this.body,
      h("p", {}, h("strong", {}, signed(value)), ` for ${first}, by ${told.evaluator}`, h("br"), h("span", { class: "note" }, told.scale)),
      this.factors.length ? this._table() : h("p", { class: "note" }, "This evaluator is one number."),
      hasPictures && h("p", { class: "legend" }, h("span", { class: "chip", "data-for": "first" }, "+"), ` for ${first} `, h("span", { class: "chip", "data-for": "second" }, "−"), ` for ${second}`),
      hasPictures && h("p", { class: "note" }, "Point at a factor to see it on the board; press it to keep it there."),
    );
  }

  _table() {
    const most = Math.max(1, ...this.factors.map((each) => Math.abs(each.share)));
    const head = ["Value", "Weight", "Share"].map((name) => h("th", { scope: "col", class: "number" }, name));
    return h(
      "table",
      { class: "factors" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Factor"), head)),
      h("tbody", {}, this.factors.map((each, at) => this._row(each, at, most))),
    );
  }

  _row(factor, at, most) {
    const numbers = [signed(factor.value), figure(factor.weight), signed(factor.share)].map((text) => h("td", { class: "number" }, text));
    return h(
      "tr",
      { class: factor.share ? null : "silent", onpointerenter: () => this._picture(at), onpointerleave: () => this._picture(this.keptAt) },
      h("th", { scope: "row" }, this._name(factor, at), bar(factor.share / most)),
      numbers,
    );
  }

  _name(factor, at) {
    if (!factor.cells.length) return h("span", { class: "factor-name" }, factor.name);
    const button = h("button", { type: "button", class: "factor-name", "aria-pressed": at === this.keptAt, onfocus: () => this._picture(at), onblur: () => this._picture(this.keptAt), onclick: () => this._keep(at) }, factor.name);
    return button;
  }

  _keep(at) {
    this.keptAt = this.keptAt === at ? null : at;
    this.body.querySelectorAll("tbody tr").forEach((row, index) => row.querySelector("button")?.setAttribute("aria-pressed", String(index === this.keptAt)));
    this._picture(at);
    say(this.keptAt === null ? "Not drawn any more." : this._inWords(this.factors[at]));
  }

  _picture(at) {
    const factor = at === null ? null : this.factors[at];
    this.board.picture = factor?.cells.length ? { name: factor.name, cells: factor.cells, players: this.last.view.players } : null;
  }

  /** What a picture shows, for people who do not see it. */
  _inWords(factor) {
    const named = (wanted) => factor.cells.filter(([, share]) => Math.sign(share) === wanted).map(([cell]) => this.board.nameOf(cell));
    const parts = [1, -1].map((wanted, who) => ({ cells: named(wanted), player: this.last.view.players[who] }));
    const told = parts.filter(({ cells }) => cells.length).map(({ cells, player }) => `for ${player}: ${cells.join(", ")}`);
    return `${factor.name}, ${signed(factor.share)}; ${told.join("; ")}.`;
  }
}

/** A factor with the shares of its cells, all as the first player sees them. */
function seenByFirst(factor, sign) {
  const cells = factor.cells.map(([cell, amount]) => [cell, sign * amount * factor.weight]).filter(([, share]) => share);
  return { ...factor, value: sign * factor.value, share: sign * factor.share, cells };
}

function bar(share) {
  const element = h("span", { class: "share-bar", "data-for": share < 0 ? "second" : "first", "aria-hidden": "true" });
  element.style.setProperty("--share", String(Math.abs(share)));
  return element;
}

/** Two places at most, so that columns of figures stay narrow. */
const figure = (value) => String(Math.round(value * 100) / 100).replace("-", "−");
const signed = (value) => (value > 0 ? `+${figure(value)}` : figure(value));
