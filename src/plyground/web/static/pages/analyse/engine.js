// @ts-check
// The engine of the Analyse page: it follows the position that is shown, can be lent to look at
// others, gives way to another tab, and rests while nobody looks. Knows nothing of how it is drawn.
import { kept } from "../../lib/store.js";
import { Engine } from "../../lib/socket.js";

const UNSEEN_MS = 30_000; // a hidden page may think so long
const wasOn = kept("engine-on", false);

export class EngineControl {
  /**
   * @param {import("../../elements/engine-panel.js").EnginePanel} panel
   * @param {import("./findings.js").Findings} findings
   * @param {{ now: () => any, line: () => any, found: () => void }} page
   */
  constructor(panel, findings, page) {
    this.panel = panel;
    this.findings = findings;
    this.page = page;
    this.engine = new Engine();
    this.isLent = false;
    this.tabs = new BroadcastChannel("plyground-engine");
    this.tabs.onmessage = () => this._rest("stopped: another tab is analysing");
    this._seen = () => this._look();
    document.addEventListener("visibilitychange", this._seen);
  }

  /** As it was left. */
  start() {
    if (wasOn.value) this.toggle(true);
  }

  toggle(on = !this.panel.isOn) {
    this.panel.on = on;
    wasOn.value = on;
    if (!on) this._forget("off");
    this.page.found();
    this.follow();
  }

  /** Search the position that is shown, if it is not known to its end. */
  follow() {
    const view = this.page.now();
    if (!this.panel.isOn || this.isLent || !view) return;
    if (view.over) return this._forget("the game is over");
    if (this.findings.of(view)?.complete) return this.engine.forget();
    this.tabs.postMessage("mine");
    const tell = (text, isError) => (isError || !this.findings.of(view)) && this.panel.tell(text, isError);
    this._search(view, this.page.line(), { time_s: this.panel.seconds }, tell);
  }

  /** Let somebody look at another position; the one that is shown waits until `giveBack`. */
  lookAt(view, line, limits, tell) {
    this.isLent = true;
    this.tabs.postMessage("mine");
    return new Promise((resolve) => this._search(view, line, limits, tell, () => resolve(undefined)));
  }

  giveBack() {
    this.isLent = false;
    this.engine.forget();
    this.follow();
  }

  /** End the search under way, as soon as it is told to be over. */
  stop() {
    this.engine.stop();
  }

  close() {
    document.removeEventListener("visibilitychange", this._seen);
    clearTimeout(this._timer);
    this.engine.close();
    this.tabs.close();
  }

  _search(view, line, limits, tell, over = () => {}) {
    this.engine.start({ kind: "analysis", line, evaluator: this.panel.evaluator, ...limits }, (told) => {
      if (told.type === "compiling") tell(`${told.text} …`);
      if (told.type === "waiting") tell("waiting for a free processor …");
      if (told.type === "error") tell(told.text, true);
      if (told.type === "info" && this.findings.add(view, told)) this.page.found();
      if (told.type === "done" || told.type === "error") over();
    });
  }

  _rest(why) {
    if (!this.panel.isOn) return;
    this.panel.on = false;
    this._forget(why);
    this.page.found();
  }

  _forget(why) {
    if (!this.isLent) this.engine.forget();
    this.panel.clear(why);
  }

  _look() {
    clearTimeout(this._timer);
    if (document.hidden) this._timer = setTimeout(() => !this.isLent && this.engine.forget(), UNSEEN_MS);
    else this.follow();
  }
}
