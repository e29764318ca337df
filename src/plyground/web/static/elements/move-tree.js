// @ts-check
// The moves with their variations: the current one is always in view; each can be gone to, made the
// main line, copied, or removed with all that follows. A pencil marks those with a note.
import { fill, h } from "../lib/dom.js";

export class MoveTree {
  /** @param {{ goTo: (node: any) => void, promote: (node: any) => void, remove: (node: any) => void, copy: (node: any) => void, isNoted: (node: any) => boolean }} host */
  constructor(host) {
    this.host = host;
    this.element = h("div", { class: "move-tree", role: "group", "aria-label": "Moves and variations" });
  }

  /** @param {any} tree @param {any} [next] the move of several that the next step would take */
  show(tree, next = null) {
    this.tree = tree;
    this.next = next;
    if (!tree.root.children.length) {
      fill(this.element, h("p", { class: "note" }, "No moves yet: play on the board, or paste a game."));
      return;
    }
    fill(this.element, this._line(tree.root, 1));
    queueMicrotask(() => this.element.querySelector("[aria-current]")?.scrollIntoView?.({ block: "nearest" }));
  }

  /** The moves that follow a node; where there are several, the others stand indented below. */
  _line(from, number) {
    const parts = [];
    let at = from;
    let ply = number;
    while (at.children.length) {
      const [main, ...others] = at.children;
      parts.push(this._move(main, ply));
      for (const other of others) {
        parts.push(h("div", { class: "variation" }, this._move(other, ply), this._line(other, ply + 1)));
      }
      at = main;
      ply += 1;
    }
    return parts;
  }

  _move(node, ply) {
    const isHere = node === this.tree.current;
    const move = h("button", { type: "button", class: node === this.next ? "tree-move next" : "tree-move", "aria-current": isHere ? "step" : null, onclick: () => this.host.goTo(node) }, h("span", { class: "note" }, `${ply}. `), node.move, this.host.isNoted(node) && [h("span", { class: "noted", "aria-hidden": "true" }, " ✎"), h("span", { class: "unseen" }, ", with a note")]);
    move.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.menu(node, move);
    });
    return move;
  }

  /** What can be done with the move that is shown. */
  openMenu() {
    const here = this.element.querySelector("[aria-current]");
    if (here) this.menu(this.tree.current, here);
  }

  menu(node, beside) {
    this.element.querySelector(".choice")?.remove();
    const close = () => (list.remove(), beside.focus());
    const item = (text, run) => h("button", { type: "button", role: "menuitem", onclick: () => (close(), run()) }, text);
    const list = h("div", { class: "choice", role: "menu" }, item("Make main line", () => this.host.promote(node)), item("Delete from here", () => this.host.remove(node)), item("Copy the moves to here", () => this.host.copy(node)), item("Close", () => {}));
    list.addEventListener("keydown", (event) => event.key === "Escape" && (event.stopPropagation(), close()));
    beside.after(list);
    /** @type {HTMLElement} */ (list.firstElementChild).focus();
  }
}
