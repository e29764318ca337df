// @ts-check
// Learn: a short course. A chapter is text with searches in it that run when the page is opened, and
// an exercise at its end; what was solved is remembered in this browser.
import { fill, h } from "../lib/dom.js";
import { post } from "../lib/api.js";
import { Engine } from "../lib/socket.js";
import { scoreText, shortScore } from "../lib/scores.js";
import { kept } from "../lib/store.js";
import { TraceSource } from "../lib/trace.js";
import { miniBoard } from "../elements/mini-board.js";
import { ReplayBar } from "../elements/replay-bar.js";
import { TreePicture } from "../elements/tree-picture.js";
import { CHAPTERS } from "./learn/chapters.js";
import { Exercise } from "./learn/exercise.js";
import { numbersOf, spans } from "./learn/numbers.js";
import { alternatives } from "./learn/pointing.js";

const solved = kept("learned", /** @type {string[]} */ ([]));

class Chapter {
  constructor(root, chapter) {
    this.root = root;
    this.chapter = chapter;
    /** What is known, by run. @type {Record<string, any>} */ this.runs = {};
    this.status = h("p", { class: "note", role: "status" });
    this.source = new TraceSource();
    this.engine = new Engine();
    /** @type {Array<() => void>} */ this.late = []; // what is drawn when the runs are there
    this.isLeft = false;
  }

  build() {
    const { chapter } = this;
    const number = CHAPTERS.indexOf(chapter);
    const [before, after] = [CHAPTERS[number - 1], CHAPTERS[number + 1]];
    const link = (to, text) => to && h("a", { class: "button", href: `/learn/${to.slug}` }, text);
    this.exercise = new Exercise(chapter.exercise, this, () => this.mark());
    fill(
      this.root,
      h("aside", { class: "course", "aria-label": "Course" }, h("ol", {}, CHAPTERS.map((each) => h("li", {}, h("a", { href: `/learn/${each.slug}`, "aria-current": each === chapter ? "page" : null }, each.title.split(":")[0]), solved.value.includes(each.slug) && h("span", { class: "tick-mark", title: "exercise solved" }, " ✓"))))),
      h("article", { class: "lesson" }, h("h1", {}, chapter.title), this.status, chapter.blocks.map((block) => this.block(block)), this.exercise.element, h("div", { class: "row-of ends" }, link(before, `‹ ${before?.title.split(":")[0]}`), h("span", { class: "grow" }), link(after, `${after?.title.split(":")[0]} ›`))),
    );
  }

  block(block) {
    if (typeof block === "string") return this.paragraph(block);
    if (block.tree) return this.tree(block.tree, block.caption);
    const place = h("div", { class: "live" });
    this.late.push(() => fill(place, block.counts ? this.counts(block.counts) : block.passes ? this.passes(block.passes) : block.simulations ? this.simulations() : this.board(block.board)));
    return place;
  }

  paragraph(text) {
    return this.filled(h("p"), text);
  }

  /** An element with a text whose numbers are filled in when they are known. */
  filled(element, text) {
    this.late.push(spans(element, text, this.runs));
    return element;
  }

  /** A picture of a search with a replay of its own. */
  tree(run, caption) {
    const picture = new TreePicture({ chosen: () => {}, label: `Tree, searched by ${this.chapter.runs[run].trace.algorithm}` });
    const replay = new ReplayBar((position) => picture.at(position >= replay.total ? Infinity : position));
    replay.element.classList.add("bare");
    this.late.push(() => {
      const { summary } = this.runs[run];
      picture.show(summary.all, summary.us);
      replay.show(summary.nodes);
    });
    return h("figure", { class: "live" }, picture.element, replay.element, this.filled(h("figcaption", { class: "note" }), caption));
  }

  counts(rows) {
    const cells = rows.map(([label, run]) => [label, this.runs[run]]);
    const most = Math.max(...cells.map(([, found]) => found.nodes));
    return h(
      "table",
      { class: "counts" },
      h("thead", {}, h("tr", {}, ["", "nodes", "leaves", ""].map((each) => h("th", { scope: "col" }, each)))),
      h("tbody", {}, cells.map(([label, found]) => h("tr", {}, h("th", { scope: "row" }, label), h("td", {}, found.nodes.toLocaleString("en")), h("td", {}, found.leaves.toLocaleString("en")), h("td", { class: "bar-cell" }, bar(found.nodes / most))))),
    );
  }

  passes(run) {
    const rows = this.runs[run].passesRows;
    return h("table", { class: "counts" }, h("thead", {}, h("tr", {}, ["pass", "window", "answer", "nodes"].map((each) => h("th", { scope: "col" }, each)))), h("tbody", {}, rows.map((row, index) => h("tr", {}, h("td", {}, index + 1), h("td", {}, `${row.window[0]} to ${row.window[1]}`), h("td", {}, row.worth), h("td", {}, row.nodes.toLocaleString("en"))))));
  }

  /** A position with what is known about it: factors of an evaluator, or proven values. */
  board(name) {
    const { view, factors, moves } = this.runs[name];
    const board = /** @type {any} */ (miniBoard(view));
    if (moves) board.marks = new Map(moves.map((each) => [view.legal.find(({ move }) => move === each.move)?.target, { text: each.short, kind: "proven", best: each.best }]));
    const table = factors
      ? h("table", { class: "counts" }, h("thead", {}, h("tr", {}, ["factor", "value", "weight", "adds"].map((each) => h("th", { scope: "col" }, each)))), h("tbody", {}, factors.map((each) => h("tr", {}, h("th", { scope: "row" }, each.name), h("td", {}, each.value), h("td", {}, each.weight), h("td", {}, each.share)))))
      : h("table", { class: "counts" }, h("thead", {}, h("tr", {}, ["move", "worth"].map((each) => h("th", { scope: "col" }, each)))), h("tbody", {}, (moves ?? []).map((each) => h("tr", {}, h("th", { scope: "row" }, each.move), h("td", {}, each.text)))));
    return h("div", { class: "board-beside" }, h("div", { class: "inspected-board" }, board), table);
  }

  simulations() {
    const { rows } = this.runs.sims;
    return h("table", { class: "counts" }, h("thead", {}, h("tr", {}, ["move", "visits", "mean", "curiosity", ""].map((each) => h("th", { scope: "col" }, each)))), h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.move), h("td", {}, row.visits), h("td", {}, row.mean?.toFixed(2) ?? "–"), h("td", {}, row.bonus?.toFixed(2) ?? "–"), h("td", { class: "bar-cell" }, bar(row.visits / rows[0].visits))))));
  }

  /** Make all searches of the chapter, one after the other. */
  async run() {
    const tell = (text) => (this.status.textContent = text);
    const { chapter, runs } = this;
    tell("Searching …");
    for (const [name, question] of Object.entries(chapter.runs)) runs[name] = await this.search(question, tell);
    if (chapter.explained) runs.explained = await this.explain(chapter.explained);
    for (const [name, line] of Object.entries(chapter.solved ?? {})) runs[name] = await this.solve(line, tell);
    if (chapter.simulations) runs.sims = await this.simulate(chapter.simulations, tell);
    Object.assign(runs, chapter.derived?.(runs));
    if (this.isLeft) return;
    for (const draw of this.late) draw();
    this.exercise.ready();
    tell("");
  }

  /** @returns {Promise<any>} the numbers of a search */
  async search(question, tell = () => {}) {
    return numbersOf(question, await this.source.search(question, tell));
  }

  position(game, moves) {
    return post("/api/position", { game, moves });
  }

  async explain(line) {
    const [view, told] = await Promise.all([this.position(line.game, line.moves), post("/api/explain", line)]);
    return { view, factors: told.factors };
  }

  async simulate(question, tell) {
    const found = await this.source.simulate(question, tell);
    const children = await this.source.simulatedChildren(found.rows[0].node);
    return { count: found.simulations, move: found.move, best: found.rows[0].visits, rows: found.rows, below: children.rows.reduce((sum, row) => sum + row.visits, 0) };
  }

  /** Every move of a position, proven. */
  async solve(line, tell) {
    const view = await this.position(line.game, line.moves);
    const info = await new Promise((resolve, reject) => {
      let last = /** @type {any} */ (null);
      this.engine.start({ kind: "analysis", line, time_s: 120 }, (told) => {
        if (told.type === "info") last = told;
        else if (told.type === "compiling") tell(told.text);
        else if (told.type === "error") reject(new Error(told.text));
        else if (told.type === "done") resolve(last);
      });
    });
    const [best] = info.moves;
    const moves = info.moves.map((each) => ({ ...each, text: scoreText(each.score), short: shortScore(each.score), best: each === best }));
    return { view, moves, ...alternatives(moves), mover: view.players[view.side === "first" ? 0 : 1], best: best.move, score: best.score.text, nodes: info.nodes };
  }

  mark() {
    if (!solved.value.includes(this.chapter.slug)) solved.value = [...solved.value, this.chapter.slug];
    const current = this.root.querySelector(".course [aria-current]");
    if (current && !current.parentElement.querySelector(".tick-mark")) current.after(h("span", { class: "tick-mark", title: "exercise solved" }, " ✓"));
  }

  leave() {
    this.isLeft = true;
    this.source.close();
    this.engine.close();
  }
}

function bar(share) {
  const element = h("span", { class: "count-bar" });
  element.style.width = `${Math.max(1, Math.round(100 * share))}%`;
  return element;
}

/** The table of contents. */
function contents(root) {
  const next = CHAPTERS.find((each) => !solved.value.includes(each.slug)) ?? CHAPTERS[0];
  fill(
    root,
    h("h1", {}, "Learn"),
    h("p", {}, "How programs think ahead, in ten short chapters. Every search in them runs while you read, and each chapter ends in an exercise."),
    h("a", { class: "button main", href: `/learn/${next.slug}` }, solved.value.length ? `Go on with ${next.title.split(":")[0]}` : "Begin"),
    h("ol", { class: "contents" }, CHAPTERS.map((each) => h("li", {}, h("a", { href: `/learn/${each.slug}` }, each.title), solved.value.includes(each.slug) && h("span", { class: "tick-mark", title: "exercise solved" }, " ✓")))),
  );
}

export async function show(root) {
  const slug = location.pathname.split("/")[2];
  const chapter = CHAPTERS.find((each) => each.slug === slug);
  if (!chapter) return void contents(root);
  const page = new Chapter(root, chapter);
  page.build();
  document.title = `${chapter.title.split(":")[0]} · Learn · Plyground`;
  root.setAttribute("aria-busy", "true");
  page
    .run()
    .catch((error) => (page.status.textContent = error.message))
    .finally(() => root.removeAttribute("aria-busy"));
  return () => page.leave();
}
