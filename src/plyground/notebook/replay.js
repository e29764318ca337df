// @ts-check
// Games that were played, at any of their moves. All positions of a game are here, so that stepping
// needs no kernel; another game is asked for.
import { fill, h } from "../web/static/lib/dom.js";
import { moveList } from "../web/static/elements/move-list.js";
import { seats } from "../web/static/elements/seats.js";
import { stepButtons } from "../web/static/elements/step-buttons.js";
import "../web/static/elements/g-board.js";
import { drawn, frame } from "./frame.js";

export function render({ model, el, style }) {
  const { place, leave } = frame(el, style);
  const board = /** @type {any} */ (h("g-board"));
  const where = h("p", { class: "note", role: "status", "data-testid": "line" });
  const [seating, moves] = [h("div"), h("div")];
  const goTo = (at) => (model.set("at", Math.max(0, Math.min(model.get("shown").views.length - 1, at))), model.save_changes());
  const step = (by) => goTo(model.get("at") + by);
  const steps = { first: () => goTo(0), back: () => step(-1), forward: () => step(1), last: () => goTo(Infinity) };
  const keys = { Home: steps.first, ArrowLeft: steps.back, ArrowRight: steps.forward, End: steps.last };
  const number = /** @type {any} */ (h("input", { type: "number", min: 1, "aria-label": "Game", onchange: () => model.send({ do: "choose", game: number.valueAsNumber - 1 }) }));
  const count = h("span");
  const choice = h("label", { class: "beside-field" }, "Game", number, count);
  place.append(h("div", { class: "table still" }, h("div", { class: "board-place" }, board, stepButtons(steps), where), h("div", { class: "beside" }, choice, seating, moves)));
  place.tabIndex = 0;
  place.addEventListener("keydown", (event) => {
    const run = keys[/** @type {keyof typeof keys} */ (event.key)];
    if (!run || event.target === number || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation(); // the board would move its focus
    run();
  }, true);
  const draw = () => {
    const { views, lines, players, chosen, total } = model.get("shown");
    const at = Math.min(model.get("at"), views.length - 1);
    board.show(views[at]);
    fill(seating, seats(views[at], players, views[at].over, []));
    fill(moves, moveList(views[at]));
    where.textContent = lines[at];
    [choice.hidden, number.max, number.value, count.textContent] = [total < 2, total, chosen + 1, `of ${total.toLocaleString("en")}`];
  };
  const end = drawn(model, ["shown", "at"], draw);
  return () => (end(), leave());
}
