// @ts-check
// What is known of each position: bar, marks, lines and graph all read it here, so nothing is
// computed twice and no two of them disagree. Knows neither the page nor the socket.
import { finalScore, grade, isProven, scoreText, shortScore } from "../../lib/scores.js";

export class Findings {
  constructor() {
    /** @type {Map<string, any>} */
    this._byPosition = new Map();
  }

  clear() {
    this._byPosition.clear();
  }

  of(view) {
    return this._byPosition.get(view.position);
  }

  /** Keep what is told of a position, unless more is known; whether it was kept. */
  add(view, told) {
    const before = this.of(view);
    if (!told.moves.length || (before && before.depth > told.depth)) return false;
    this._byPosition.set(view.position, told);
    return true;
  }

  /** Whether a position was looked at so deep, or to its end. */
  isKnown(view, depth) {
    const found = this.of(view);
    return view.over || Boolean(found && (found.complete || found.depth >= depth));
  }

  /** What a position is worth to its side to move, if anything is known. */
  score(view) {
    return view.over ? finalScore(view) : this.of(view)?.moves[0]?.score;
  }

  /** For each cell that a move ends on: its best score, or a question mark. @param {number} swing as for `chance` */
  marks(view, swing) {
    const ranked = new Map((this.of(view)?.moves ?? []).map((each, rank) => [each.move, { ...each.score, rank }]));
    const best = new Map();
    for (const { move, target: cell } of view.legal) {
      const score = ranked.get(move);
      if (cell === null || (best.has(cell) && !(score?.rank < (best.get(cell)?.rank ?? Infinity)))) continue;
      best.set(cell, score);
    }
    return new Map([...best].map(([cell, score]) => [cell, score ? mark(score, this.score(view), swing) : { text: "?", words: "not searched" }]));
  }
}

function mark(score, best, swing) {
  const words = isProven(score) ? `${scoreText(score)}, proven` : scoreText(score);
  return { text: shortScore(score), words, kind: score.kind, best: score.rank === 0, grade: grade(score, best, swing) };
}
