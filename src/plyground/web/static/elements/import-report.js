// @ts-check
// Files into the store: how far each is, and what became of it. Closing the window stops it, as the
// server sees its sender leave; going to another page does not.
import { fill, h } from "../lib/dom.js";
import { counted, remaining } from "../lib/amounts.js";
import { get, online, remove } from "../lib/api.js";
import { poll } from "../lib/poll.js";
import { toast } from "../lib/say.js";

const IMPORTS = "/api/store/imports";

export class ImportReport {
  constructor() {
    this.done = () => {}; // called when there are new games
    this.isStopped = false;
    this.element = h("section", { class: "panel import-report", role: "status", "aria-label": "Import", hidden: true });
  }

  /** @param {Iterable<File>} files one after the other */
  async take(files) {
    this.isStopped = false;
    for (const file of files) if (!this.isStopped) await this._take(file);
  }

  async _take(file) {
    const id = Math.random().toString(36).slice(2) || "0";
    const name = file.name || "what was pasted";
    const figures = h("p", { "aria-live": "off" }, `Reading ${name} …`);
    const leaving = new AbortController();
    const stop = h("button", { type: "button", onclick: () => ((this.isStopped = true), remove(`${IMPORTS}/${id}`).catch(() => leaving.abort())) }, "Stop");
    this._show([figures], stop);
    const end = poll(async () => {
      const now = (await get(IMPORTS)).find((each) => each.id === id);
      if (!now) return; // it is still on its way
      const parts = [`${counted(now.done)}${now.total ? ` of about ${counted(now.total)}` : ""} games read`, `${counted(now.added)} new`, remaining(now)];
      figures.textContent = `${name}: ${parts.filter(Boolean).join(" · ")}`;
    });
    const answer = await fetch(`/api/store/import?id=${id}&name=${encodeURIComponent(file.name)}`, { method: "POST", body: file, signal: leaving.signal }).catch(() => null);
    end();
    if (leaving.signal.aborted) {
      this.element.hidden = true;
      return;
    }
    online.value = answer !== null;
    const told = await answer?.json().catch(() => null);
    if (!answer?.ok) {
      this.element.hidden = true;
      toast(told?.error ?? "the server cannot be reached", { isError: true });
      return;
    }
    this._tell(told);
    this.done();
  }

  _tell(told) {
    const unsaid = told.rejected - told.reasons.length;
    this._show(
      [
        h("p", {}, `${told.what}: ${told.read} read, ${told.added} new, ${told.duplicates} there already, ${told.rejected} rejected.${told.stopped ? " Stopped; the same file adds the rest." : ""}`),
        told.reasons.length > 0 && h("ul", {}, told.reasons.map((each) => h("li", {}, `${each.place}: ${each.reason}`)), unsaid > 0 && h("li", { class: "note" }, `and ${unsaid} more`)),
      ],
      h("button", { type: "button", class: "quiet", "aria-label": "Close the report", onclick: () => (this.element.hidden = true) }, "×"),
    );
  }

  _show(content, button) {
    this.element.hidden = false;
    fill(this.element, h("div", {}, content), button);
  }
}
