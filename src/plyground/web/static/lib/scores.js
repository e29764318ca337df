// @ts-check
// What a score says: in words, in a cell, and as a chance to win. A score is told for the side to
// move; its kind says whether it is an evaluator's guess or was proven. Knows no game.

/** @typedef {{ value: number, kind: "heuristic" | "proven" | "win" | "loss", bound: string, text: string }} Score */

/** Whether the end of the game was reached, so that nothing can change any more. @param {Score} score */
export const isProven = (score) => score.kind !== "heuristic";

/** In words: "+3", "win in 9", "draw". @param {Score} score */
export function scoreText(score) {
  return score.kind === "proven" && score.value === 0 ? "draw" : score.text;
}

/** So short that it fits into a cell. @param {Score} score */
export function shortScore(score) {
  if (score.kind === "win" || score.kind === "loss") return `${score.kind} ${score.value}`;
  return scoreText(score);
}

/** The same score as the first player sees it. @param {Score} score @param {string} side */
export function seenByFirst(score, side) {
  if (side === "first") return scoreText(score);
  if (score.kind === "win" || score.kind === "loss") return `${score.kind === "win" ? "loss" : "win"} in ${score.value}`;
  if (score.value === 0) return scoreText(score);
  return score.value > 0 ? `-${score.value}` : `+${-score.value}`;
}

/**
 * The first player's chance to win, 0 to 1; a guess never comes near to either end.
 * @param {Score} score @param {string} side @param {number} swing a guess of this size is nearly as good as decided
 */
export function chance(score, side, swing) {
  const value = chanceOfMover(score, swing);
  return side === "first" ? value : 1 - value;
}

function chanceOfMover(score, swing) {
  if (score.kind === "win") return 1;
  if (score.kind === "loss") return 0;
  if (score.kind === "proven") return score.value > 0 ? 1 : score.value < 0 ? 0 : 0.5;
  return 0.5 + 0.45 * Math.tanh(score.value / swing);
}

const STEPS = [0.02, 0.1, 0.3, 0.6]; // of the chance to win: a draw in the place of a win is a half

/** How much a move gives up against the best one, from 0 for nothing to 4 for nearly all. @param {Score} score @param {Score} best @param {number} swing */
export function grade(score, best, swing) {
  const loss = chanceOfMover(best, swing) - chanceOfMover(score, swing);
  return STEPS.filter((step) => loss >= step).length;
}

/** How a finished game is worth to its side to move. */
export function finalScore(view) {
  const value = view.side === "first" ? view.outcome : -view.outcome;
  return /** @type {Score} */ ({ value, kind: "proven", bound: "exact", text: value > 0 ? `+${value}` : String(value) });
}
