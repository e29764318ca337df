// @ts-check
// Home: the games, one click from a board, positions to begin with, the game that was left, and what is running.
import { fill, h, redraw, svg } from "../lib/dom.js";
import { get, getOnce, post } from "../lib/api.js";
import { poll } from "../lib/poll.js";
import { lastGame } from "./play.js";
import { analysed, treeOf } from "../lib/address.js";
import { jobLine } from "../elements/job-panel.js";
import { miniBoard } from "../elements/mini-board.js";

export async function show(root) {
  const games = await getOnce("/api/games");
  const list = h("ul", { class: "job-list" });
  const running = h("section", { class: "panel", "aria-label": "Running", hidden: true }, h("h2", {}, "Running"), list);
  fill(
    root,
    h("h1", {}, "Plyground"),
    h("p", { class: "note" }, "A laboratory for game-tree search. Everything runs on this machine."),
    lastGame.value && h("section", { class: "panel row-of continue", "aria-label": "Continue" }, h("span", {}, lastGame.value.text), h("a", { class: "button main", href: lastGame.value.address }, "Continue")),
    running,
    h("div", { class: "row-of doors" }, h("a", { class: "button", href: "/learn" }, "Learn how programs think ahead"), h("a", { class: "button", href: "/tree" }, "Look inside a search"), h("a", { class: "button", href: "/lab" }, "Repeat an experiment"), h("a", { class: "button", href: "/tournaments" }, "Let machines play")),
    h("div", { class: "cards-of" }, games.map(card)),
  );
  return poll(async () => {
    const jobs = (await get("/api/jobs")).filter((job) => job.state === "running");
    running.hidden = !jobs.length;
    redraw(list, jobs, jobLine);
  }, 1500);
}

function card(game) {
  const picture = h("div", { class: "picture", "aria-hidden": "true" }, game.board === "text" && smallTree());
  if (game.board !== "text") post("/api/position", { game: game.name }).then((view) => fill(picture, miniBoard(view)), () => {});
  const links = [
    h("a", { class: "button main", href: `/play?game=${game.name}&first=human&second=amateur`, "aria-label": `Play ${game.title}` }, "Play"),
    h("a", { class: "button", href: `/analyse?game=${game.name}`, "aria-label": `Analyse ${game.title}` }, "Analyse"),
  ];
  const ready = game.ready_positions.map((each) => h("li", {}, h("a", { href: addressOf(game, each) }, each.title)));
  return h(
    "section",
    { class: "panel game-card" },
    picture,
    h("h2", {}, game.title),
    h("p", {}, game.summary),
    ready.length > 0 && h("ul", { class: "ready", "aria-label": `Positions of ${game.title}` }, ready),
    h("div", { class: "row-of" }, links),
  );
}

/** Where a position is looked at: of a game without a board, its tree is what there is to see. */
function addressOf(game, { settings, position, moves }) {
  const about = { game: game.name, settings, position };
  return game.board === "text" ? treeOf(about, moves) : analysed({ ...about, moves });
}

/** For a game without a board. */
function smallTree() {
  const points = [[60, 12], [30, 56], [90, 56], [15, 104], [45, 104], [75, 104], [105, 104]];
  const edges = [[0, 1], [0, 2], [1, 3], [1, 4], [2, 5], [2, 6]];
  const lines = edges.map(([from, to]) => svg("line", { x1: points[from][0], y1: points[from][1], x2: points[to][0], y2: points[to][1] }));
  return svg("svg", { class: "small-tree", viewBox: "0 0 120 120" }, lines, points.map(([x, y]) => svg("circle", { cx: x, cy: y, r: 9 })));
}
