// @ts-check
// The tree as an outline: open what you want to see. Rows come when a node is opened; only those in
// sight are in the page, so a million nodes are no more work than ten. Moves that were never searched
// are one hatched row, which opens to their names. At a moment of a replay only what is known then is
// shown. Knows no search.
import { arrange, fill, h } from "../lib/dom.js";
import { REASONS, isEntered, isKnown, seen } from "../lib/trace.js";

const ROW_PX = 32;
const SPARE = 8; // rows beyond those in sight

export class TreeOutline {
  /**
   * @param {{ children: (node: number, start: number) => Promise<any>, chosen: (row: any) => void, jump: (node: number) => void, label: string }} hooks
   */
  constructor(hooks) {
    this.hooks = hooks;
    /** @type {any[]} what could be seen if there were room */ this.items = [];
    this.at = 0;
    this.marked = new Set();
    this.until = Infinity;
    /** @type {Map<any, HTMLElement>} */ this.drawn = new Map();
    this.rows = h("div", { class: "outline-rows" });
    this.element = h("div", { class: "outline", role: "tree", tabindex: "-1", "aria-label": hooks.label, onscroll: () => this.scroll(), onkeydown: (event) => this.key(event) }, this.rows);
    this.ruler = /** @type {any} */ (null);
    this.us = 0;
    this.total = 1;
  }

  /** @param {any} summary of a traced search @param {any} ruler */
  show(summary, ruler) {
    this.us = summary.us;
    this.ruler = ruler;
    this.total = Math.max(1, summary.nodes + summary.dropped);
    this.items = summary.roots.rows.map((row, index) => nodeItem(row, 1, summary.roots.rows.length > 1 ? `pass ${index + 1}` : "root"));
    this.at = 0;
    this.marked = new Set();
    this.until = Infinity;
    this.element.scrollTop = 0;
    this.draw();
  }

  /** Show what is known at a visit. @param {number} visit */
  atVisit(visit) {
    if (visit === this.until) return;
    this.until = visit;
    this.draw();
  }

  /** Open a node where it stands. @param {number} index */
  async open(index) {
    const item = this.items[index];
    if (!item || item.isOpen || !opens(item)) return;
    if (item.kind === "cut") {
      item.isOpen = true;
      this.items.splice(index + 1, 0, ...item.names.map((name) => ({ kind: "name", level: item.level + 1, name, parent: item.parent })));
      return this.draw();
    }
    item.opening ??= this.fetch(item).finally(() => (item.opening = null));
    return item.opening;
  }

  async fetch(item) {
    const found = await this.hooks.children(item.row.node, 0);
    const now = this.items.indexOf(item);
    if (now < 0) return;
    const below = this.below(item, found);
    item.isOpen = true;
    this.items.splice(now + 1, 0, ...below);
    if (this.at > now) this.at += below.length;
    this.draw();
  }

  below(item, found) {
    const items = found.rows.map((row) => nodeItem(row, item.level + 1));
    const end = found.start + found.rows.length;
    if (end < found.total) items.push({ kind: "more", level: item.level + 1, parent: item.row.node, start: end, left: found.total - end });
    else if (found.cut.length) items.push({ kind: "cut", level: item.level + 1, parent: item.row.node, of: item.row, names: found.cut, isOpen: false });
    if (item.row.shut) items.push({ kind: "counted", level: item.level + 1, count: item.row.hidden });
    return items;
  }

  async more(index) {
    const item = this.items[index];
    const parent = this.items.find((each) => each.row?.node === item.parent);
    const found = await this.hooks.children(item.parent, item.start);
    const now = this.items.indexOf(item);
    if (now < 0) return; // closed, or asked for twice
    this.items.splice(now, 1, ...this.below(parent, found));
    this.draw();
  }

  close(index) {
    const item = this.items[index];
    let end = index + 1;
    while (end < this.items.length && this.items[end].level > item.level) end += 1;
    this.items.splice(index + 1, end - index - 1);
    item.isOpen = false;
    if (this.at > index) this.at = Math.max(index, this.at - (end - index - 1));
    this.draw();
  }

  /** Open the way to a node, and choose it; not if something else is wanted by then. @param {any[]} path rows from the root @param {{ quietly?: boolean, isWanted: () => boolean }} how */
  async reveal(path, { quietly = false, isWanted }) {
    for (const row of path.slice(0, -1)) {
      const index = this.items.findIndex((item) => item.row?.node === row.node);
      if (index < 0) return;
      await this.open(index);
      if (!isWanted()) return;
      // A node with very many children shows them in parts.
      let more = this.items.findIndex((item) => item.kind === "more" && item.parent === row.node);
      const next = path[path.indexOf(row) + 1].node;
      while (more >= 0 && !this.items.some((item) => item.row?.node === next)) {
        await this.more(more);
        if (!isWanted()) return;
        more = this.items.findIndex((item) => item.kind === "more" && item.parent === row.node);
      }
    }
    const last = path[path.length - 1];
    const index = this.items.findIndex((item) => item.row?.node === last.node);
    if (index < 0) return;
    this.marked = new Set(path.map((row) => row.node));
    this.at = index;
    this.see(index);
    if (!quietly) this.hooks.chosen(this.items[index].row);
  }

  see(index) {
    const top = index * ROW_PX;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop || top + ROW_PX > scrollTop + clientHeight) this.element.scrollTop = Math.max(0, top - clientHeight / 2);
    this.draw();
  }

  choose(index, { focus = true } = {}) {
    this.at = Math.max(0, Math.min(this.items.length - 1, index));
    this.see(this.at);
    if (focus) this.element.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
    const item = this.items[this.at];
    if (item?.kind === "node") this.hooks.chosen(item.row);
  }

  /** Mark the nodes on the way to the one that is looked at. @param {any[]} path */
  mark(path) {
    this.marked = new Set(path.map((row) => row.node));
    for (const [item, element] of this.drawn) element.classList.toggle("marked", this.marked.has(item.row?.node));
  }

  draw() {
    const hadFocus = this.element.matches(":focus-within");
    this.drawn.clear();
    this.scroll();
    if (hadFocus) this.element.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
  }

  /** Draw what has come into sight. What was there stays, so that a click on it is not lost. */
  scroll() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / ROW_PX) - SPARE);
    const count = Math.ceil((this.element.clientHeight || 600) / ROW_PX) + 2 * SPARE;
    const shown = this.items.slice(first, first + count);
    this.rows.style.height = `${this.items.length * ROW_PX}px`;
    const hadFocus = this.element.matches(":focus-within");
    this.drawn = new Map(shown.map((item, index) => [item, this.drawn.get(item) ?? this.drawOne(item, first + index)]));
    arrange(this.rows, [...this.drawn.values()]);
    if (hadFocus && !this.element.matches(":focus-within")) this.element.focus({ preventScroll: true }); // keys go on
  }

  drawOne(item, index) {
    const isHere = index === this.at;
    const element = h("div", {
      class: `outline-row ${item.kind}${item.row && isKnown(item.row, this.until) ? ` of-${item.row.kind}` : ""}${this.marked.has(item.row?.node) ? " marked" : ""}`,
      role: "treeitem",
      tabindex: isHere ? "0" : "-1",
      "aria-level": item.level,
      "aria-selected": isHere,
      "aria-expanded": opens(item) ? Boolean(item.isOpen) : null,
      "data-node": item.row?.node ?? null,
      onclick: () => this.click(index),
    });
    element.style.top = `${index * ROW_PX}px`;
    element.style.paddingLeft = `${8 + Math.min(item.level - 1, 24) * 16}px`;
    const arrow = h("span", { class: "arrow", "aria-hidden": "true" }, opens(item) ? (item.isOpen ? "▾" : "▸") : "");
    if (item.kind === "counted") fill(element, arrow, h("span", {}, `${item.count.toLocaleString("en")} ${item.count === 1 ? "node" : "nodes"} below: counted only`));
    else if (item.kind === "more") fill(element, arrow, h("span", {}, `${item.left.toLocaleString("en")} more moves …`));
    else if (item.kind === "name") fill(element, arrow, h("span", { class: "move" }, item.name), h("span", { class: "note" }, "cut"));
    else if (item.kind === "cut" && !isKnown(item.of, this.until)) {
      element.classList.add("later");
      fill(element, arrow, h("span", {}, "…"));
    } else if (item.kind === "cut") {
      element.setAttribute("aria-label", `cut: ${item.names.length} ${item.names.length === 1 ? "move" : "moves"}`);
      fill(element, arrow, h("span", {}, `${item.names.length} ${item.names.length === 1 ? "move" : "moves"} cut`));
    } else this.fillNode(element, arrow, item);
    return element;
  }

  fillNode(element, arrow, { row, name }) {
    const share = row.nodes / this.total;
    const isHere = isEntered(row, this.until);
    const known = isKnown(row, this.until);
    for (const key of ["alpha", "beta", "value", "reason", "kind", "bound", "side", "parent"]) element.dataset[key] = row[key];
    element.classList.toggle("later", !isHere);
    element.classList.toggle("under-way", isHere && !known);
    fill(
      element,
      arrow,
      h("span", { class: "move" }, row.move ?? name ?? "root"),
      isHere && this.ruler && this.ruler.small(seen(row, this.us), known && row.reason !== "open"),
      isHere && h("span", { class: "window-text note" }, `[${row.window[0]}, ${row.window[1]}]`),
      isHere && h("span", { class: "worth" }, known ? row.worth : "…"),
      h("span", { class: "grow" }),
      known && this.badges(row),
      known && h("span", { class: "nodes note", title: `${row.nodes.toLocaleString("en")} nodes` }, share >= 0.0005 ? `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %` : row.nodes.toLocaleString("en")),
    );
  }

  /** What is to be said of a node in a word; what was met before leads there. */
  badges(row) {
    const badge = (kind, text, title) => h("span", { class: `badge ${kind}`, title }, text);
    const link = (kind, text, title) =>
      row.first === null
        ? badge(kind, text, title)
        : h("button", { type: "button", class: `badge link ${kind}`, tabindex: "-1", title: `${title}: go to where the position was met first`, onclick: (event) => (event.stopPropagation(), this.hooks.jump(row.first)) }, `⇄ ${text}`);
    const found = [];
    if (row.reason === "table") found.push(link("remembered", "table", REASONS.table));
    else if (row.again) found.push(link("again", "again", "the same moves were searched before"));
    else if (row.first !== null) found.push(link("", "met before", "other moves led here before"));
    if (row.reason === "cut") found.push(badge("cut", row.value >= row.beta ? "beta cut" : "cut", "left before all moves were searched"));
    if (row.reason === "open") found.push(badge("", "open", REASONS.open));
    return found;
  }

  click(index) {
    const item = this.items[index];
    if (item.kind === "more") return this.more(index);
    this.choose(index);
    return item.isOpen ? this.close(index) : this.open(index);
  }

  key(event) {
    const item = this.items[this.at];
    const actions = {
      ArrowDown: () => this.choose(this.at + 1),
      ArrowUp: () => this.choose(this.at - 1),
      ArrowRight: () => (item?.isOpen ? this.choose(this.at + 1) : this.open(this.at)),
      ArrowLeft: () => (item?.isOpen ? this.close(this.at) : this.choose(this.above(this.at))),
      Enter: () => this.click(this.at),
    };
    if (event.ctrlKey || event.metaKey || event.altKey || !actions[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  }

  above(index) {
    for (let each = index; each >= 0; each -= 1) if (this.items[each].level < this.items[index].level) return each;
    return index;
  }
}

function nodeItem(row, level, name = "") {
  return { kind: "node", row, level, name, isOpen: false, opening: null };
}

function opens(item) {
  return item.kind === "cut" || (item.kind === "node" && (item.row.children > 0 || item.row.shut));
}
