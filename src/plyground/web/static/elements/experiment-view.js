// @ts-check
// One experiment: its question, the form for a run, the runs, and the report of one of them.
import { fill, h } from "../lib/dom.js";
import { get, post } from "../lib/api.js";
import { counted, duration, moment } from "../lib/amounts.js";
import { poll } from "../lib/poll.js";
import { say, toast } from "../lib/say.js";
import { params, setParams } from "../lib/store.js";
import { go } from "../main.js";
import { DataTable } from "./data-table.js";
import { chip, JobPanel, titleOf } from "./job-panel.js";
import { LabForm } from "./lab-form.js";
import { figure, reportView } from "./report-view.js";

const BUSY_MS = 700;
const CALM_MS = 4000;
const SHORT = 8; // letters of a digest that are shown

export class ExperimentView {
  constructor(experiment) {
    this.experiment = experiment;
    this.jobPanel = new JobPanel(() => this.load());
    this.progress = h("section", { class: "panel", "aria-label": "Progress", hidden: true }, this.jobPanel.element);
    this.compare = /** @type {any} */ (h("button", { type: "button", disabled: true, title: "Tick two runs", onclick: () => this._compare() }, "Compare"));
    this.table = new DataTable(`runs.${experiment.name}`, "Runs", (row) => (row.number === null ? "new" : `run ${row.number}`), { ticked: (rows) => (this.compare.disabled = rows.length !== 2), actions: (row) => this._actions(row), file: `${experiment.name}-runs`, tools: [h("h2", {}, "Runs"), this.compare] });
    this.runs = h("section", { class: "panel", "aria-label": "Runs" }, this.table.element);
    this.nothing = h("p", { class: "note" }, "Not run yet.");
    this.report = h("section", { class: "panel", "aria-label": "Report", hidden: true });
    this.form = experiment.is_own ? null : new LabForm(experiment, (wanted) => this._begin(wanted));
    const published = experiment.published.length ? h("section", { class: "panel", "aria-label": "Published" }, h("details", { open: false }, h("summary", {}, `What the study printed: ${experiment.published.length} ${experiment.published.length === 1 ? "table" : "tables"}`), experiment.published.map((table) => figure(table, "Published")))) : null;
    this.element = h(
      "div",
      { class: "experiment" },
      h("div", { class: "heading" }, h("p", { class: "over" }, h("a", { href: "/lab" }, "Lab"), ` / ${experiment.name}`), h("h1", {}, experiment.title), h("p", {}, experiment.question), experiment.source && h("p", { class: "note" }, `After ${experiment.source}`)),
      this.form?.element ?? null,
      this.progress,
      this.runs,
      this.report,
      published,
    );
    this.drawn = "";
    this.shown = "";
  }

  /** Ask again as long as the page is seen; returns what ends it. */
  watch() {
    let askedMs = -Infinity;
    return poll(async () => {
      const pause = this.job?.state === "running" ? BUSY_MS : CALM_MS;
      if (performance.now() - askedMs < pause) return;
      await this.load();
      askedMs = performance.now();
    }, BUSY_MS / 2);
  }

  async load() {
    this.draw(await get(`/api/lab/experiments/${encodeURIComponent(this.experiment.name)}/runs`));
  }

  draw(rows) {
    const job = rows.map((row) => row.job).find((each) => each?.state === "running") ?? rows.map((row) => row.job).find((each) => each?.id === this.job?.id) ?? rows[0]?.job;
    const wasRunning = this.job?.state === "running";
    this.job = job;
    this.progress.hidden = !job || (job.state === "done" && !wasRunning && this.progress.hidden);
    if (job) this.jobPanel.show(job);
    document.title = titleOf(job, this.experiment.title);
    const text = JSON.stringify(rows.map(({ job: each, ...row }) => [row, each?.state, each?.asked]));
    if (text !== this.drawn) {
      this.drawn = text;
      this.rows = rows;
      this.table.show(this._columns(rows), rows);
      this.runs.hidden = !rows.length;
    }
    if (wasRunning && job?.state !== "running") this.form?._changed();
    this._report(rows);
  }

  _columns(rows) {
    const copied = (text, shown = text) => (text === null || text === "" ? "" : h("button", { type: "button", class: "quiet copy", title: `Copy ${text}`, "aria-label": `Copy ${text}`, "data-focus": `copy ${text}`, onclick: () => copy(String(text)) }, String(shown)));
    const names = [...new Set(rows.flatMap((row) => Object.keys(row.parameters)))];
    return [
      { name: "run", title: "Run", isNumber: true, value: (row) => row.number, show: (row) => (row.measured ? h("a", { href: `/lab/${this.experiment.name}?run=${row.number}`, "data-focus": `run ${row.number}`, onclick: (event) => this._choose(event, row) }, `run ${row.number}`) : row.number === null ? "new" : `run ${row.number}`) },
      { name: "state", title: "State", value: (row) => row.state, show: (row) => chip(row.state) },
      { name: "cells", title: "Cells", isNumber: true, value: (row) => row.measured, show: (row) => (row.number === null ? "" : row.finished ? counted(row.cells) : h("span", { class: "partial" }, `${counted(row.measured)} of ${counted(row.cells)}, partial`)) },
      { name: "size", title: "Size", value: (row) => (row.quick ? "quick" : "full") },
      { name: "answers", title: "Answers", value: (row) => row.answers, show: (row) => (row.answers ? h("span", { class: row.answers.startsWith("identical") ? "good" : "wrong" }, row.answers) : "") },
      { name: "work", title: "Work", isNumber: true, value: (row) => Math.round(1000 * row.seconds) / 1000, show: (row) => duration(row.seconds) },
      { name: "started", title: "Started", value: (row) => row.started, show: (row) => moment(row.started) },
      { name: "seed", title: "Seed", isNumber: true, value: (row) => row.seed, show: (row) => copied(row.seed) },
      { name: "code", title: "Code", value: (row) => row.code, show: (row) => copied(row.code, row.code.slice(0, SHORT)) },
      { name: "version", title: "Version", isUsual: false, value: (row) => row.version },
      ...names.filter((name) => name !== "seed").map((name) => ({ name: `p.${name}`, title: name, isUsual: false, value: (row) => row.parameters[name] })),
    ];
  }

  _actions(row) {
    if (row.number === null || row.state === "running" || row.state === "damaged" || this.experiment.is_own) return null;
    const again = row.state === "done";
    const title = again ? "Measure the same again, with the same seed" : "Measure what is missing";
    return h("button", { type: "button", class: "small", title, "aria-label": `${again ? "Repeat" : "Resume"} run ${row.number}`, "data-focus": `do ${row.number}`, onclick: () => this._goOn(row, again) }, again ? "Repeat" : "Resume");
  }

  async _goOn(row, again) {
    try {
      if (!again && row.job?.can_go_on) await post(`/api/jobs/${row.job.id}/resume`, {});
      else await this._begin({ quick: row.quick, values: row.parameters, workers: 1, again });
      await this.load();
    } catch (error) {
      toast(error.message, { isError: true });
    }
  }

  async _begin(wanted) {
    this.job = await post(`/api/lab/experiments/${encodeURIComponent(this.experiment.name)}/runs`, wanted);
    this.progress.hidden = false;
    say("The run begins.");
    await this.load();
  }

  _compare() {
    const [one, other] = this.table.chosenRows.map((row) => row.number).sort((a, b) => a - b);
    go(`/lab/compare?runs=${one},${other}`);
  }

  // ---------------------------------------------------------------- the report

  _choose(event, row) {
    if (event.metaKey || event.ctrlKey || event.button) return;
    event.preventDefault();
    setParams({ run: row.number }, { push: true });
    this._report(this.rows);
    this.report.scrollIntoView({ block: "start" });
  }

  async _report(rows) {
    const wanted = Number(params().run) || rows.find((row) => row.measured && row.state !== "running")?.number;
    if (!wanted) return;
    // A run that is not finished may grow.
    const run = rows.find((row) => row.number === wanted);
    const state = `${wanted} ${run?.measured} ${run?.finished}`;
    if (this.shown === state) return;
    this.shown = state;
    this.report.hidden = false;
    if (!this.report.childElementCount) fill(this.report, h("h2", {}, "Report"), h("p", { class: "note" }, "Making the report …"));
    try {
      const report = await get(`/api/lab/runs/${wanted}/report`);
      if (this.shown !== state) return;
      const title = h("h2", {}, `${report.is_partial ? "Partial result" : "Report"} of ${report.run}`);
      const save = !report.is_partial && h("a", { class: "button", href: `/api/lab/runs/${wanted}/page`, download: "" }, "Save as a page");
      fill(this.report, h("div", { class: "row-of" }, title, h("span", { class: "grow" }), save), reportView(report));
    } catch (error) {
      if (error.status === 0) this.shown = ""; // the server is away: ask again
      fill(this.report, h("h2", {}, "Report"), h("p", { class: "note" }, error.message));
    }
  }
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied ${text}`);
  } catch {
    toast("The browser does not let pages copy here.", { isError: true });
  }
}
