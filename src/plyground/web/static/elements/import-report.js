// @ts-check
// Files into the store, and what became of them: how many games were read, and why others were not.
import { fill, h } from "../lib/dom.js";
import { online } from "../lib/api.js";
import { toast } from "../lib/say.js";

export class ImportReport {
  /** @param {() => void} done called when there are new games */
  constructor(done) {
    this.done = done;
    this.element = h("section", { class: "panel import-report", role: "status", "aria-label": "Import", hidden: true });
  }

  /** @param {Iterable<File>} files one after the other */
  async take(files) {
    for (const file of files) await this._take(file);
  }

  async _take(file) {
    this._show(h("p", {}, `Reading ${file.name || "what was pasted"} …`));
    const answer = await fetch(`/api/store/import?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file }).catch(() => null);
    online.value = answer !== null;
    const told = await answer?.json().catch(() => null);
    if (!answer?.ok) {
      this.element.hidden = true;
      toast(told?.error ?? "the server cannot be reached", { isError: true });
      return;
    }
    const unsaid = told.rejected - told.reasons.length;
    this._show(
      h("p", {}, `${told.what}: ${told.read} read, ${told.added} new, ${told.duplicates} there already, ${told.rejected} rejected.`),
      told.reasons.length > 0 && h("ul", {}, told.reasons.map((each) => h("li", {}, `${each.place}: ${each.reason}`)), unsaid > 0 && h("li", { class: "note" }, `and ${unsaid} more`)),
    );
    this.done();
  }

  _show(...content) {
    this.element.hidden = false;
    fill(this.element, h("div", {}, content), h("button", { type: "button", class: "quiet", "aria-label": "Close the report", onclick: () => (this.element.hidden = true) }, "×"));
  }
}
