// @ts-check
// How far a job is, and what can be done with it: pause, stop, resume. Knows no run of any kind.
import { fill, h } from "../lib/dom.js";
import { post } from "../lib/api.js";
import { counted, duration, remaining, speed } from "../lib/amounts.js";
import { say, toast } from "../lib/say.js";

/** A word in a pill; its shape tells as much as its colour. @param {string} state */
export function chip(state) {
  return h("span", { class: "state", "data-state": state }, state);
}

/** A job in one line of a list. @param {any} job */
export function jobLine(job) {
  const bar = h("div", { class: "progress", "aria-hidden": "true" }, h("div", { class: "fill" }));
  /** @type {HTMLElement} */ (bar.firstElementChild).style.setProperty("--share", String(job.total ? job.done / job.total : 0));
  const done = job.total === null ? "" : amount(job);
  return h("li", {}, chip(job.state), job.address ? h("a", { href: job.address }, job.title) : job.title, h("span", { class: "note" }, [done, remaining(job)].filter(Boolean).join(" · ")), bar);
}

/** How much of it is done. @param {any} job */
function amount(job, isShort = false) {
  if (job.unit === "s") return isShort ? duration(job.done) : `${duration(job.done)} of ${duration(job.total)}`;
  return isShort ? `${counted(job.done)} ${job.unit}` : `${counted(job.done)}/${counted(job.total)} ${job.unit}`;
}

/** What is under way. */
const workOf = (job) => (job.kind === "learn" ? "work" : job.unit || "work");

export class JobPanel {
  /** @param {(job: any) => void} changed hears of a job that was just stopped or resumed */
  constructor(changed) {
    this.changed = changed;
    this.chip = h("span");
    this.bar = h("div", { class: "progress", role: "progressbar", "aria-label": "Progress", "aria-valuemin": "0" }, h("div", { class: "fill" }));
    this.figures = h("p", { class: "figures", "data-testid": "progress" });
    this.news = h("p", { class: "news note" });
    this.actions = h("div", { class: "row-of" });
    this.element = h("div", { class: "job", role: "group", "aria-label": "Job" }, h("div", { class: "row-of" }, this.chip, this.figures), this.bar, this.news, this.actions);
    /** @type {any} */ this.job = null;
    this.shown = "";
  }

  show(job) {
    if (this.job && this.job.state !== job.state) say(`${job.title}: ${job.state}`);
    this.job = job;
    const isDone = job.state === "done"; // which a test may be long before all games are played
    const share = isDone ? 1 : job.total ? Math.min(1, job.done / job.total) : 0;
    this.element.dataset.state = job.state;
    fill(this.chip, chip(job.state));
    /** @type {HTMLElement} */ (this.bar.firstElementChild).style.setProperty("--share", String(share));
    this.bar.setAttribute("aria-valuemax", String(job.total ?? 100));
    this.bar.setAttribute("aria-valuenow", String(job.done));
    const isRunning = job.state === "running";
    const isShort = job.total === null || (isDone && job.done < job.total);
    const parts = [amount(job, isShort), isRunning && job.unit !== "s" && speed(job), isRunning && remaining(job)];
    this.figures.textContent = parts.filter(Boolean).join(" · ");
    this.news.textContent = this._news(job);
    this.news.classList.toggle("wrong", job.state === "failed");
    this._offer(job);
  }

  _news(job) {
    if (job.asked) return job.asked === "now" ? "Stopping …" : `Finishing the ${workOf(job)} under way …`;
    if (job.state === "failed") return job.reason;
    if (job.state === "running") return job.news || "Starting …";
    return job.state === "interrupted" ? "Its process was killed. What was finished is kept; Resume goes on from there." : "";
  }

  /** Buttons stay the same elements as long as they mean the same, so that the focus stays too. */
  _offer(job) {
    const wanted = job.state === "running" ? (job.asked ? (job.asked === "now" ? "" : "now") : "stop") : job.can_go_on ? "resume" : "";
    if (wanted === this.shown && this.actions.dataset.of === job.id) return;
    const hadFocus = this.actions.contains(document.activeElement);
    this.shown = wanted;
    this.actions.dataset.of = job.id;
    const stop = (text, mode) => h("button", { type: "button", onclick: () => this._ask("stop", { mode }) }, text);
    const buttons = {
      stop: () => job.kind === "learn" ? [stop("Stop", "finish")] : [stop("Pause", "pause"), stop(`Stop after current ${workOf(job)}`, "finish")],
      now: () => [stop("Stop now", "now")],
      resume: () => [h("button", { type: "button", class: "main", onclick: () => this._ask("resume", {}) }, "Resume")],
    };
    fill(this.actions, buttons[wanted]?.() ?? []);
    if (hadFocus) this.actions.querySelector("button")?.focus();
  }

  async _ask(verb, body) {
    for (const button of this.actions.querySelectorAll("button")) button.disabled = true;
    this.shown = "";
    try {
      const job = await post(`/api/jobs/${this.job.id}/${verb}`, body);
      this.show(job);
      this.changed(job);
    } catch (error) {
      toast(error.message, { isError: true });
      this.show(this.job);
    }
  }
}

/** "(42/200) The family portrait · Plyground" while it runs. @param {any} job @param {string} title */
export function titleOf(job, title) {
  const progress = job?.state === "running" && job.total ? `(${job.done}/${job.total}) ` : "";
  return `${progress}${title} · Plyground`;
}
