// @ts-check
// What is to be searched, and how: a game, a position, one algorithm or two. What is typed stays in
// the address. Knows no search.
import { fill, h } from "../lib/dom.js";
import { GameTree, encoded } from "../lib/tree.js";

const NONE = "";
const SIMULATES = "uct";

export class TraceForm {
  /** @param {any[]} games @param {any} catalogue of algorithms and orders @param {() => void} start */
  constructor(games, catalogue, start) {
    this.games = games;
    this.catalogue = catalogue;
    this.start = start;
    this.game = select(games.map((each) => [each.name, each.title]));
    this.options = h("div", { class: "trace-options" });
    this.given = "";
    this.position = text(4000, "the usual start");
    this.moves = text(2000, "none");
    const shown = catalogue.algorithms.filter((each) => each.traced || each.name === SIMULATES);
    const pairs = shown.map((each) => [each.name, each.name]);
    this.algorithm = select(pairs);
    this.other = select([[NONE, "nothing"], ...pairs.filter(([name]) => name !== SIMULATES)]);
    this.depth = /** @type {any} */ (h("input", { type: "number", min: 1, max: 60, value: 3 }));
    this.judge = select([]);
    this.order = select(catalogue.orders.map((each) => [each, each]));
    this.table = /** @type {any} */ (h("input", { type: "checkbox", checked: true }));
    this.otherOrder = select([[NONE, "the same"], ...catalogue.orders.map((each) => [each, each])]);
    this.otherTable = select([[NONE, "the same"], ["1", "with"], ["0", "without"]]);
    this.count = /** @type {any} */ (h("input", { type: "number", min: 1, max: 20000, value: 500 }));
    this.seed = /** @type {any} */ (h("input", { type: "number", min: 0, value: 1 }));
    this.about = h("p", { class: "note about-algorithm" });
    this.complaint = h("p", { class: "wrong", role: "alert" });
    this.labels = {
      depth: field("Depth", this.depth),
      other: field("Compare with", this.other),
      order: field("Order of moves", this.order),
      table: h("label", { class: "tick" }, this.table, "Table"),
      otherOrder: field("Its order", this.otherOrder),
      otherTable: field("Its table", this.otherTable),
      count: field("Simulations", this.count),
      seed: field("Seed", this.seed),
    };
    this.button = h("button", { type: "submit", class: "main" }, "Search");
    this.ready = h("div", { class: "row-of samples" });
    this.element = h(
      "form",
      { class: "panel trace-form", novalidate: true, "aria-label": "Search" },
      h("div", { class: "fields" }, field("Game", this.game), field("Position", this.position), field("Moves", this.moves), field("Algorithm", this.algorithm), this.labels.other, this.labels.depth, field("Evaluator", this.judge), this.labels.order, this.labels.table, this.labels.otherOrder, this.labels.otherTable, this.labels.count, this.labels.seed, this.options, this.button),
      this.about,
      this.complaint,
      this.ready,
    );
    this.element.addEventListener("submit", (event) => (event.preventDefault(), this.check() && start()));
    this.game.addEventListener("change", () => this.change());
    for (const each of [this.algorithm, this.other]) each.addEventListener("change", () => this.drawAlgorithm());
  }

  get spec() {
    return this.games.find((each) => each.name === this.game.value) ?? this.games[0];
  }

  get isSimulation() {
    return this.algorithm.value === SIMULATES;
  }

  /** @param {Record<string, string>} given the parameters of an address */
  read(given) {
    this.game.value = this.games.find((each) => [each.name, ...each.aliases].includes(given.game))?.name ?? "textbook";
    this.given = given.position ?? "";
    this.position.value = this.given;
    this.drawGame(Object.fromEntries((given.set ?? "").split(",").filter(Boolean).map((part) => split(part))));
    this.moves.value = spelt(new GameTree(given.moves ?? "").moves());
    put(this.algorithm, given.algo ?? "alphabeta");
    put(this.other, given.with ?? NONE);
    this.depth.value = given.depth ?? (this.game.value === "textbook" ? 4 : 3);
    put(this.judge, given.eval ?? "");
    put(this.order, given.order ?? "natural");
    this.table.checked = given.table !== "0";
    put(this.otherOrder, given["with-order"] ?? NONE);
    put(this.otherTable, given["with-table"] ?? NONE);
    this.count.value = given.sims ?? 500;
    this.seed.value = given.seed ?? 1;
    this.room = given.room ?? "";
    this.drawAlgorithm();
  }

  /** The parameters of an address. */
  write() {
    const set = Object.entries(this.settings).map(([name, value]) => `${name}=${value}`).join(",");
    const common = { game: this.game.value, set, position: this.place, moves: this.words.map(encoded).join("_"), algo: this.algorithm.value };
    if (this.isSimulation) return { ...common, eval: this.judge.value, sims: this.count.value, seed: this.seed.value };
    const second = this.other.value ? { "with-order": this.otherOrder.value, "with-table": this.otherTable.value } : { "with-order": "", "with-table": "" };
    return { ...common, ...second, with: this.other.value, depth: this.depth.value, eval: this.judge.value, order: this.order.value === "natural" ? "" : this.order.value, table: this.table.checked ? "" : "0", room: this.room };
  }

  /** The position as it was given, which may have lines that the field does not, or as it was typed. */
  get place() {
    const { value } = this.position;
    return value === this.given.replaceAll(/[\r\n]/g, "") ? this.given : value.trim();
  }

  /** The moves; one that has blanks in it ends with a semicolon. */
  get words() {
    const { value } = this.moves;
    return (value.includes(";") ? value.split(/[;\n]+/) : value.split(/[\s,]+/)).map((each) => each.trim()).filter(Boolean);
  }

  /** Another game has no moves yet. */
  change() {
    this.moves.value = this.position.value = "";
    this.drawGame({});
  }

  /** Settings that are not as usual. */
  get settings() {
    const found = {};
    for (const { name, default: usual } of this.spec.parameters) {
      const value = this.fields[name].value.replaceAll(",", " ").trim(); // commas part settings
      if (value && value !== String(usual)) found[name] = value;
    }
    return found;
  }

  line() {
    return { game: this.game.value, settings: this.settings, position: this.place || null, moves: this.words };
  }

  /** What is searched, one or two, with titles that tell them apart. */
  searches() {
    const one = { algorithm: this.algorithm.value, order: this.order.value, table: this.table.checked, title: this.algorithm.value };
    if (!this.other.value) return [one];
    const order = this.otherOrder.value || one.order;
    const table = this.otherTable.value ? this.otherTable.value === "1" : one.table;
    const words = (each) => [each.algorithm, order !== one.order && `${each.order} order`, table !== one.table && `${each.table ? "with" : "without"} table`].filter(Boolean).join(", ");
    const other = { algorithm: this.other.value, order, table, title: "" };
    return [one, other].map((each) => ({ ...each, title: words(each) }));
  }

  /** A question as the socket takes it. @param {{ algorithm: string, order?: string, table?: boolean }} search */
  question({ algorithm, order = this.order.value, table = this.table.checked }) {
    const trace = { algorithm, depth: Number(this.depth.value), evaluator: this.judge.value || null, order, table };
    return { line: this.line(), trace: this.room ? { ...trace, room: Number(this.room) } : trace };
  }

  simulation() {
    return { line: this.line(), simulations: { count: Number(this.count.value), seed: Number(this.seed.value), evaluator: this.judge.value || null } };
  }

  check() {
    const fields = this.isSimulation ? [this.count, this.seed] : [this.depth];
    const wrong = fields.find((each) => !each.checkValidity() || each.value === "");
    this.complaint.textContent = wrong ? `${wrong.parentElement.firstChild.textContent}: ${wrong.validationMessage || "expected a number"}` : "";
    wrong?.focus();
    return !wrong;
  }

  drawGame(settings) {
    const { parameters, evaluators, presets, name } = this.spec;
    this.fields = Object.fromEntries(parameters.map((each) => [each.name, parameter(each, settings[each.name])]));
    fill(this.options, parameters.map((each) => h("label", { class: "field", title: each.help }, words(each.name), this.fields[each.name])));
    const isRandom = this.algorithm.value === SIMULATES;
    fill(this.judge, isRandom && h("option", { value: "" }, "random games"), evaluators.map((each, index) => h("option", { value: isRandom || index ? each.name : "", title: each.summary }, each.name)));
    const names = name === "textbook" ? Object.keys(presets) : [];
    fill(this.ready, names.length > 0 && h("span", { class: "note" }, "Trees:"), names.map((each) => h("button", { type: "button", class: "small", onclick: () => this.preset(each) }, words(each))));
  }

  preset(name) {
    this.fields.tree.value = name;
    this.moves.value = this.position.value = "";
    this.start();
  }

  drawAlgorithm() {
    const simulates = this.isSimulation;
    for (const name of ["depth", "other", "order", "table"]) this.labels[name].hidden = simulates;
    for (const name of ["otherOrder", "otherTable"]) this.labels[name].hidden = simulates || !this.other.value;
    for (const name of ["count", "seed"]) this.labels[name].hidden = !simulates;
    const found = this.catalogue.algorithms.find((each) => each.name === this.algorithm.value);
    const second = this.catalogue.algorithms.find((each) => each.name === this.other.value);
    this.labels.table.hidden ||= !found?.uses_table && !second?.uses_table;
    this.labels.otherTable.hidden ||= !second?.uses_table;
    const judge = this.judge.value;
    this.drawGame(Object.fromEntries(Object.entries(this.fields).map(([name, each]) => [name, each.value])));
    put(this.judge, judge);
    this.about.textContent = [...new Set([found, second])].filter(Boolean).map((each) => `${each.name}: ${each.summary} ${each.paper}.`).join(" ");
  }
}

/** Moves as they are typed. @param {string[]} moves */
function spelt(moves) {
  return moves.some((each) => each.includes(" ")) ? moves.map((each) => `${each};`).join(" ") : moves.join(" ");
}

const words = (name) => name[0].toUpperCase() + name.slice(1).replaceAll(/[_-]/g, " ");

function split(part) {
  const at = part.indexOf("=");
  return [part.slice(0, at), part.slice(at + 1)];
}

function field(name, input) {
  return h("label", { class: "field" }, name, input);
}

/** @returns {any} */
function text(most, placeholder) {
  return h("input", { type: "text", maxlength: most, placeholder, autocomplete: "off", spellcheck: "false" });
}

/** @returns {any} */
function select(pairs) {
  return h("select", {}, pairs.map(([value, text]) => h("option", { value }, text)));
}

/** Choose, if it is there to be chosen. */
function put(field, value) {
  field.value = [...field.options].some((each) => each.value === value) ? value : field.options[0]?.value ?? "";
}

/** @returns {any} */
function parameter({ default: usual, choices, low, high }, value = usual) {
  if (choices.length) {
    const element = select(choices.map((each) => [String(each), String(each)]));
    element.value = String(value);
    return element;
  }
  if (typeof usual === "number") return h("input", { type: "number", min: low, max: high, step: Number.isInteger(usual) ? 1 : "any", value: String(value) });
  return h("input", { type: "text", maxlength: 400, value: String(value), spellcheck: "false" });
}
