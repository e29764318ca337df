// @ts-check
// What a person writes about a position: one note for each line of moves, kept in this browser.
// Knows no game: a line is a text that names it.
import { h } from "../lib/dom.js";
import { kept } from "../lib/store.js";

/** @type {import("../lib/signal.js").Signal<Record<string, string>>} */
const notes = kept("notes", {});

/** @param {string} line */
export const hasNote = (line) => line in notes.value;

export class NoteField {
  /** @param {() => void} changed a first word was written, or the last one deleted */
  constructor(changed) {
    this.changed = changed;
    this.line = "";
    this.field = /** @type {HTMLTextAreaElement} */ (h("textarea", { rows: 2, maxlength: 4000, placeholder: "Kept in this browser", oninput: () => this._keep(), onkeydown: (event) => this._key(event) }));
    this.element = h("label", { class: "field note-field" }, "Note on this position", this.field);
  }

  show(line) {
    this.line = line;
    const text = notes.value[line] ?? "";
    if (this.field.value !== text) this.field.value = text;
  }

  _keep() {
    const { [this.line]: before, ...others } = notes.value;
    const text = this.field.value;
    notes.value = text ? { ...others, [this.line]: text } : others;
    if (!before !== !text) this.changed();
  }

  /** To undo in a text is to undo what was typed, not the last change of the moves. */
  _key(event) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") event.stopPropagation();
  }
}
