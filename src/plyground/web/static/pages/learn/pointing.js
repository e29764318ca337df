// @ts-check
// What the text of a chapter points at: a tempting move, a refuted one, a question that is asked. All
// of it is found in what a search has left behind, so that nothing in the text is typed. Knows no page.

/** @param {any[]} rows @param {any} row */
const below = (rows, row) => rows.filter((each) => each.parent === row.node);
const rootMoves = (rows) => rows.filter((row) => row.ply === 1);
const isLeaf = (row) => row.reason === "leaf" || row.reason === "over";

/** The move below which the largest leaf is, and the reply that spoils it. @param {any} run */
export function tempting({ rows }) {
  const largest = (row) => (isLeaf(row) ? Number(row.worth) : Math.max(...below(rows, row).map(largest)));
  const [move] = rootMoves(rows).sort((one, other) => largest(other) - largest(one));
  return { move: move.move, leaf: largest(move), reply: below(rows, move).find((row) => row.worth === move.worth).move, worth: move.worth };
}

/** What the first move is worth, and the first move of which replies were cut. @param {any} run */
export function refuted({ rows }) {
  const [first] = rootMoves(rows);
  const move = rootMoves(rows).find((row) => row.cut.length);
  return { first: first.worth, move: move.move, leaf: below(rows, move)[0].worth, cut: move.cut.length };
}

/** The second visit below the root, in which SCOUT tests a move: its window, and which replies say yes and no. @param {any} run */
export function tested({ rows }) {
  const [, move] = rootMoves(rows);
  const replies = below(rows, move);
  return {
    move: move.move,
    from: move.window[0],
    to: move.window[1],
    yes: replies.find((row) => row.cut.length)?.move,
    no: replies.find((row) => row.worth === move.worth)?.move,
  };
}

/** The window of a pass over the whole tree. @param {any} run @param {number} number from 1 */
export function pass({ passesRows }, number) {
  const [from, to] = passesRows[number - 1].window;
  return { from, to };
}

/** How many leaves any proof must look at, in a tree of so many moves and plies. @param {any} run */
export function leastLeaves({ branching, depth }) {
  const powers = [Math.ceil(depth / 2), Math.floor(depth / 2)];
  return {
    leaves: powers.reduce((sum, power) => sum + branching ** power, -1),
    formula: `${powers.map((power) => `${branching}${raised(power)}`).join(" + ")} − 1`,
  };
}

const raised = (number) => [...String(number)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");

/** What a proven position has beside its best move. @param {{ score: any, text: string }[]} moves the best first */
export function alternatives(moves) {
  const [, ...others] = moves;
  return {
    others: [...new Set(others.map((each) => each.text))].join(" or a "),
    wins: moves.filter(({ score }) => score.value > 0 && score.kind !== "loss").length,
    count: moves.length,
  };
}
