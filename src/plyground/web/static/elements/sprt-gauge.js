// @ts-check
// Where a sequential test stands between its bounds, drawn and in words.
import { h } from "../lib/dom.js";

const KINDS = { ll: "both lost", ld: "loss and draw", wl: "win and loss", dd: "two draws", wd: "win and draw", ww: "both won" };

/** The panel of a match. @param {any} match @param {string[]} players */
export function matchPanel(match, players) {
  const { elo, sprt } = match;
  const interval = `${signed(elo.low, "−∞")} to ${signed(elo.high, "+∞")}`;
  const facts = [
    ["Elo", h("span", {}, h("b", {}, signed(elo.value, elo.high === null ? "+∞" : "−∞")), ` (${interval})`, match.contains_zero && h("span", { class: "note" }, " interval contains zero"))],
    ["Likelihood that the first is stronger", `${(100 * match.superiority).toFixed(1)} %`],
    ["Normalised Elo", `${signed(match.normalised_elo.value, "?")} (${signed(match.normalised_elo.low, "−∞")} to ${signed(match.normalised_elo.high, "+∞")})`],
    ["Moving first", match.first_move_score === null ? "" : `${(100 * match.first_move_score).toFixed(1)} % of the points`],
  ];
  return [
    h("p", { class: "note" }, `All numbers are those of ${players[0]}, in pairs of games with sides swapped.`),
    sprt && gauge(sprt, match.verdict),
    h("dl", { class: "facts" }, facts.filter(([, value]) => value).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    pairs(match.pairs),
  ];
}

function gauge(sprt, words) {
  const { llr, lower, upper } = sprt;
  const at = Math.max(0, Math.min(1, (llr - lower) / (upper - lower)));
  const zero = -lower / (upper - lower);
  const label = `LLR ${llr.toFixed(2)}, bounds ${lower.toFixed(2)} and ${upper.toFixed(2)}`;
  const element = h(
    "div",
    { class: "sprt", role: "meter", "aria-label": "Test", "aria-valuemin": lower, "aria-valuemax": upper, "aria-valuenow": Math.max(lower, Math.min(upper, llr)), "aria-valuetext": `${label}: ${words}`, "data-testid": "sprt" },
    h("div", { class: "track" }, h("div", { class: "zero" }), h("div", { class: "needle" })),
    h("div", { class: "ends" }, h("span", {}, lower.toFixed(2)), h("span", {}, `LLR ${llr.toFixed(2)}`), h("span", {}, upper.toFixed(2))),
  );
  element.style.setProperty("--at", String(at));
  element.style.setProperty("--zero", String(zero));
  const isOver = llr <= lower || llr >= upper;
  return [
    h("p", {}, `Is it ${sprt.elo0} or ${sprt.elo1} Elo? `, h("b", { "data-testid": "verdict" }, `${words[0].toUpperCase()}${words.slice(1)}.`)),
    element,
    isOver && h("p", { class: "note" }, "A match that stopped because it was decided shows too large a difference."),
  ];
}

function pairs(counts) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const most = Math.max(1, ...Object.values(counts));
  return h(
    "table",
    { class: "pairs", "aria-label": "Pairs" },
    h("caption", {}, `${total} pairs, by what the first made of the two games`),
    h("thead", {}, h("tr", {}, Object.keys(KINDS).map((kind) => h("th", { scope: "col", class: "number", title: KINDS[kind] }, kind.toUpperCase())))),
    h("tbody", {}, h("tr", {}, Object.keys(KINDS).map((kind) => bar(counts[kind], most)))),
  );
}

function bar(count, most) {
  const cell = h("td", { class: "number" }, h("span", { class: "stack", "aria-hidden": "true" }), String(count));
  /** @type {HTMLElement} */ (cell.firstElementChild).style.setProperty("--share", String(count / most));
  return cell;
}

/** `+12.3`. @param {number | null} number @param {string} other for what is no number */
export function signed(number, other, digits = 1) {
  if (number === null) return other;
  return `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(digits)}`;
}
