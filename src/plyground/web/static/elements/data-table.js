// @ts-check
// A table whose rows are data: sorted by any column, with chosen columns or only those that differ,
// rows to tick, and export of what is shown. What was chosen is kept in this browser. Knows no server.
import { fill, h } from "../lib/dom.js";
import { kept } from "../lib/store.js";

/** @typedef {{ name: string, title: string, value: (row: any) => any, show?: (row: any) => any, isNumber?: boolean, isUsual?: boolean }} Column */

export class DataTable {
  /** @param {string} key under which choices are kept @param {string} label @param {(row: any) => string} nameOf @param {{ actions?: (row: any) => any, ticked?: (rows: any[]) => void, file?: string, tools?: any[] }} hooks */
  constructor(key, label, nameOf, hooks = {}) {
    this.nameOf = nameOf;
    this.hooks = hooks;
    this.choice = kept(`table.${key}`, { sort: "", hidden: null, differ: false });
    /** @type {Column[]} */ this.columns = [];
    /** @type {any[]} */ this.rows = [];
    /** @type {Set<string>} */ this.ticked = new Set();
    this.head = h("tr");
    this.body = h("tbody");
    this.differ = /** @type {any} */ (h("input", { type: "checkbox", onchange: () => this._choose({ differ: this.differ.checked }) }));
    this.columnList = h("div", { class: "column-list" });
    const button = (text, run) => h("button", { type: "button", class: "small", onclick: run }, text);
    this.tools = h("div", { class: "row-of table-tools" }, hooks.tools ?? [], h("span", { class: "grow" }), h("label", { class: "tick" }, this.differ, "Only columns that differ"), h("details", { class: "columns" }, h("summary", {}, "Columns"), this.columnList), button("CSV", () => this._export("csv")), button("JSON", () => this._export("json")));
    this.table = h("table", { class: "data", "aria-label": label }, h("thead", {}, this.head), this.body);
    this.element = h("div", {}, this.tools, h("div", { class: "scroll" }, this.table));
  }

  /** @param {Column[]} columns @param {any[]} rows */
  show(columns, rows) {
    this.columns = columns;
    this.rows = rows;
    const names = new Set(rows.map(this.nameOf));
    this.ticked = new Set([...this.ticked].filter((name) => names.has(name)));
    this.draw();
  }

  _choose(changes) {
    this.choice.value = { ...this.choice.value, ...changes };
    this.draw();
  }

  get hidden() {
    return new Set(this.choice.value.hidden ?? this.columns.filter((each) => each.isUsual === false).map((each) => each.name));
  }

  /** The columns that are seen. */
  get seen() {
    const { hidden } = this;
    const isConstant = ({ value }) => new Set(this.rows.map((row) => JSON.stringify(value(row) ?? null))).size < 2;
    const differOnly = this.choice.value.differ && this.rows.length > 1;
    return this.columns.filter((column) => (differOnly ? !isConstant(column) : !hidden.has(column.name)));
  }

  get sorted() {
    const { sort } = this.choice.value;
    const column = this.columns.find((each) => each.name === sort.replace(/^-/, ""));
    if (!column) return this.rows;
    const sign = sort.startsWith("-") ? -1 : 1;
    return [...this.rows].sort((one, other) => sign * compare(column.value(one), column.value(other)));
  }

  get chosenRows() {
    return this.rows.filter((row) => this.ticked.has(this.nameOf(row)));
  }

  draw() {
    const active = document.activeElement;
    const focused = this.table.contains(active) ? /** @type {any} */ (active).dataset?.focus : null;
    this.differ.checked = this.choice.value.differ;
    const columns = this.seen;
    const { hidden } = this;
    fill(
      this.columnList,
      this.columns.map((column) => {
        const box = /** @type {any} */ (h("input", { type: "checkbox", onchange: () => this._choose({ hidden: this.columns.filter((each) => (each === column ? !box.checked : hidden.has(each.name))).map((each) => each.name) }) }));
        box.checked = !hidden.has(column.name);
        return h("label", { class: "tick" }, box, column.title);
      }),
    );
    fill(this.head, this.hooks.ticked && h("th", { scope: "col", class: "of-tick" }, h("span", { class: "unseen" }, "Compare")), columns.map((column) => this._heading(column)), this.hooks.actions && h("th", { scope: "col" }, h("span", { class: "unseen" }, "Actions")));
    fill(this.body, this.sorted.map((row) => this._row(row, columns)));
    if (focused) /** @type {any} */ (this.table.querySelector(`[data-focus="${CSS.escape(focused)}"]`))?.focus();
  }

  _heading({ name, title, isNumber }) {
    const { sort } = this.choice.value;
    const isChosen = sort.replace(/^-/, "") === name;
    const isDown = sort.startsWith("-");
    const next = isChosen && !isDown ? `-${name}` : name;
    return h("th", { scope: "col", class: isNumber ? "number" : "", "aria-sort": isChosen ? (isDown ? "descending" : "ascending") : null }, h("button", { type: "button", class: "quiet", "data-focus": `sort ${name}`, onclick: () => this._choose({ sort: next }) }, title, h("span", { class: "arrow", "aria-hidden": "true" }, isChosen ? (isDown ? "↓" : "↑") : "")));
  }

  _row(row, columns) {
    const name = this.nameOf(row);
    const tick = () => {
      const box = /** @type {any} */ (h("input", { type: "checkbox", "aria-label": `Compare ${name}`, "data-focus": `tick ${name}`, onchange: () => this._tick(name, box.checked) }));
      box.checked = this.ticked.has(name);
      return h("td", { class: "of-tick" }, h("label", { class: "tick" }, box));
    };
    return h("tr", { "data-name": name }, this.hooks.ticked && tick(), columns.map(({ value, show, isNumber }) => h("td", { class: isNumber ? "number" : "" }, show ? show(row) : asText(value(row)))), this.hooks.actions && h("td", { class: "row-of actions" }, this.hooks.actions(row)));
  }

  _tick(name, isTicked) {
    if (isTicked) this.ticked.add(name);
    else this.ticked.delete(name);
    this.hooks.ticked?.(this.chosenRows);
  }

  // ---------------------------------------------------------------- export

  /** What is seen, as a file. */
  _export(format) {
    const columns = this.seen;
    const rows = this.sorted.map((row) => columns.map(({ value }) => value(row) ?? ""));
    const quoted = (value) => (/[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
    const text = format === "csv" ? [columns.map((each) => each.title), ...rows].map((row) => row.map(quoted).join(",")).join("\n") + "\n" : JSON.stringify(rows.map((row) => Object.fromEntries(row.map((value, index) => [columns[index].name, value]))), null, 1);
    const address = URL.createObjectURL(new Blob([text], { type: format === "csv" ? "text/csv" : "application/json" }));
    const link = h("a", { href: address, download: `${this.hooks.file ?? "table"}.${format}` });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}

const asText = (value) => (value === null || value === undefined ? "" : String(value));

function compare(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (one === null || one === undefined) return -1;
  return asText(one).localeCompare(asText(other), "en", { numeric: true });
}
