// @ts-check
// A hint in three strengths: a part of the board, then the move, then the move with its line.

/** @returns {{ text: string, marks: Map<number, any> }} */
export function hintOf(step, found, view) {
  const legal = view.legal.find((each) => each.move === found.move);
  const cell = legal?.target ?? null;
  const hasPlace = cell !== null && view.board.rows > 0;
  const mark = new Map(hasPlace ? [[legal.cells[0], { text: "from" }], [cell, { text: "hint", best: true }]] : []); // one, where both are
  if (step === 1 && hasPlace) return { text: "Hint: look in the marked part of the board. Ask again for the move.", marks: zone(cell, view.board) };
  if (step < 3) return { text: `Hint: ${found.move}. Ask again for the reason.`, marks: mark };
  const score = found.score ? ` (${found.score.text})` : "";
  return { text: `Hint: ${found.move}${score}; expected: ${found.line.slice(0, 8).join(" ")}`, marks: mark };
}

/** The part of the board around a cell, so wide that it does not give the move away. */
function zone(cell, board) {
  const marks = new Map();
  if (board.kind === "pits") return new Map(board.cells.map((_, index) => [index, { text: "•" }]).slice(...(cell > board.columns ? [board.columns + 2] : [1, board.columns + 1])));
  const [row, column] = [Math.floor(cell / board.columns), cell % board.columns];
  const [up, left] = [row - (row % 3), column - (column % 3)];
  for (let r = up; r < Math.min(up + 3, board.rows); r++) {
    for (let c = left; c < Math.min(left + 3, board.columns); c++) marks.set(r * board.columns + c, { text: "•" });
  }
  return marks;
}
