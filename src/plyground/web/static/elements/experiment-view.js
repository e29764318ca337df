// @ts-check
// One experiment: its question, the form for a run, the runs, and the report of one of them.
import { fill, h } from "../lib/dom.js";
import { get, post } from "../lib/api.js";
import { counted, duration, moment } from "../lib/amounts.js";
import { follow } from "../lib/poll.js";
import { say, toast } from "../lib/say.js";
import { kept, params, setParams } from "../lib/store.js";
import { go } from "../main.js";
import { DataTable } from "./data-table.js";
import { chip, JobPanel, titleOf } from "./job-panel.js";
import { LabForm } from "./lab-form.js";
import { reportFrame } from "./report-frame.js";

const SHORT = 8; // letters of a digest that are shown
export const RUN_IT = "#run-it"; // in an address: the form is to be open

export class ExperimentView {
  constructor(experiment) {
    this.experiment = experiment;
    this.jobPanel = new JobPanel(() => this.load());
    this.progress = h("section", { class: "panel", "aria-label": "Progress", hidden: true }, this.jobPanel.element);
    this.compare = /** @type {any} */ (h("button", { type: "button", disabled: true, title: "Tick two runs", onclick: () => this._compare() }, "Compare"));
    this.table = new DataTable(`runs.${experiment.name}`, "Runs", nameOf, { ticked: (rows) => (this.compare.disabled = rows.length !== 2), actions: (row) => this._actions(row), file: `${experiment.name}-runs`, tools: [h("h2", {}, "Runs"), this.compare] });
    this.runs = h("section", { class: "panel", "aria-label": "Runs" }, this.table.element);
    this.report = h("section", { class: "panel", "aria-label": "Report", hidden: true });
    this.form = experiment.is_own ? null : new LabForm(experiment, (wanted) => this._begin(wanted));
    this.about = h("div", {}, h("p", {}, experiment.question), experiment.source && h("p", { class: "note" }, `After ${experiment.source}`));
    this.element = h(
      "div",
      { class: "experiment" },
      h("div", { class: "heading" }, h("p", { class: "over" }, h("a", { href: "/lab" }, "Lab"), ` / ${experiment.name}`), h("h1", {}, experiment.title), this.about),
      this.form ? this._folded(this.form) : null,
      this.progress,
      this.runs,
      this.report,
    );
    this.drawn = "";
    this.shown = "";
  }

  /** The form, folded away for those who come to read. @param {LabForm} form */
  _folded(form) {
    const { shipped } = this.experiment;
    const times = shipped ? `Quick takes about ${duration(shipped.quick_seconds)}, Full about ${duration(shipped.seconds)}.` : "Quick takes seconds; conclusions need Full.";
    const isOpen = kept("lab.open", { form: !shipped });
    const isWanted = isOpen.value.form || location.hash === RUN_IT;
    const choose = () => (isOpen.value = { form: !details.open });
    const summary = h("summary", { onclick: choose }, h("h2", {}, "Run it yourself"), h("span", { class: "note" }, times));
    const details = /** @type {HTMLDetailsElement} */ (h("details", { class: "panel run-it", open: isWanted }, summary, form.element));
    return details;
  }

  /** Ask again as long as the page is seen; returns what ends it. */
  watch() {
    return follow(() => this.load(), () => this.job?.state === "running");
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
      this.runs.hidden = rows.every((row) => row.state === "shipped"); // then there is nothing to choose
    }
    if (wasRunning && job?.state !== "running") this.form?._changed();
    this._report(rows);
  }

  _columns(rows) {
    const copied = (text, shown = text) => (text === null || text === "" ? "" : h("button", { type: "button", class: "quiet copy", title: `Copy ${text}`, "aria-label": `Copy ${text}`, "data-focus": `copy ${text}`, onclick: () => copy(String(text)) }, String(shown)));
    const names = [...new Set(rows.flatMap((row) => Object.keys(row.parameters)))];
    return [
      { name: "run", title: "Run", isNumber: true, value: (row) => row.number, show: (row) => (row.measured ? h("a", { href: `/lab/${this.experiment.name}?run=${row.id}`, "data-focus": nameOf(row), onclick: (event) => this._choose(event, row) }, nameOf(row)) : nameOf(row)) },
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
    if (!row.number || row.state === "running" || row.state === "damaged" || this.experiment.is_own) return null;
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
    const [one, other] = this.table.chosenRows.sort((a, b) => a.number - b.number).map((row) => row.id);
    go(`/lab/compare?runs=${one},${other}`);
  }

  // ---------------------------------------------------------------- the report

  _choose(event, row) {
    if (event.metaKey || event.ctrlKey || event.button) return;
    event.preventDefault();
    setParams({ run: row.id }, { push: true });
    this._report(this.rows);
    this.report.scrollIntoView({ block: "start" });
  }

  _report(rows) {
    const wanted = params().run || rows.find((row) => row.measured && row.state !== "running")?.id;
    const run = rows.find((row) => row.id === wanted);
    if (!wanted) return;
    // A run that is not finished may grow.
    const state = `${wanted} ${run?.measured} ${run?.finished}`;
    if (this.shown === state) return;
    this.shown = state;
    this.report.hidden = false;
    this.about.hidden = true; // a report begins with it
    const address = `/api/lab/runs/${encodeURIComponent(wanted)}`;
    const title = h("h2", {}, `${run && !run.finished ? "Partial result" : "Report"} of ${run?.name ?? wanted}`);
    const file = (text, path, about) => h("a", { href: `${address}/${path}`, download: "", title: about }, text);
    const files = [file("Save as a page", "page?save=true", "One file that needs nothing beside it"), file("Markdown", "files/report.md", "The report as text"), file("CSV", "files/measurements.csv", "All that was measured"), file("Parquet", "files/measurements.parquet", "All that was measured, by columns")];
    const heading = h("div", { class: "row-of" }, title, h("span", { class: "grow" }), run?.finished ? h("span", { class: "row-of files" }, files) : null);
    fill(this.report, heading, reportFrame(`${address}/page`, title.textContent));
  }
}

/** What a row is called; one that is only beginning has no number yet. */
function nameOf(row) {
  return row.number === null ? "new" : row.number === 0 ? "shipped" : `run ${row.number}`;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied ${text}`);
  } catch {
    toast("The browser does not let pages copy here.", { isError: true });
  }
}
