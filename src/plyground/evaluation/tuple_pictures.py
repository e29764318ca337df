"""The strongest patterns of n-tuples: what speaks most for the side to move, and most against it.

A pattern is an entry of a table: the cells of a tuple, and what is on each. Those that a symmetry
of the board turns into each other are one. What games hardly ever have was hardly ever learned, so
its weight is near nothing and it is not among the strongest.

A board shows a pattern as if the first player were to move: it has only the pattern's own cells.
Numbers that the game says (the verb `code`) stand in the row below, or on the board where there are
as many as it has cells.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyground.core.board import Board
from plyground.core.errors import Unsupported
from plyground.drawing.cells import GAP
from plyground.drawing.svg import board_svg
from plyground.evaluation.ntuples import BY_CELLS_LEFT, BY_PIECES
from plyground.evaluation.tuple_layout import EMPTY, MINE, THEIRS
from plyground.evaluation.tuple_plan import Plan
from plyground.games.rules import State
from plyground.games.spec import PLAYERS, GameSpec

WIDTH = 200
IN_WORDS = {EMPTY: "empty", THEIRS: "theirs", MINE: "mine"}


@dataclass(frozen=True)
class Pattern:
    """Cells with what is on them, and what that is worth."""

    weight: float
    """What it adds to the value for the side to move, as evaluators count."""
    cells: tuple[tuple[int, int], ...]
    """Cells of the plan, each with its code: of a stone 2 is mine, 1 theirs, 0 empty."""
    mover: int = 0
    """The side to move: 1 only where sides have weights of their own."""

    def as_data(self) -> dict[str, Any]:
        """As JSON types."""
        return {"weight": round(self.weight, 1), "cells": [list(each) for each in self.cells]}


def strongest(
    plan: Plan, numbers: np.ndarray, most: int = 6, stage: int | None = None, mover: int = 0
) -> tuple[list[Pattern], list[Pattern]]:
    """The patterns with the largest weights for and against the side to move, one of each table.

    Of one stage, or on average over all. Of tables without any cell of the board only where there
    are no others. Raises Unsupported for a stage that there is not.
    """
    if stage is not None and not 0 <= stage < plan.stage_count:
        raise Unsupported(f"stage {stage}: expected 0 to {plan.stage_count - 1}")
    side = mover % plan.sides
    rows = numbers.reshape(plan.sides, plan.stage_count, -1)[side]
    weights = rows.mean(axis=0) if stage is None else rows[stage].astype(float)
    _, entries = np.unique(plan.canon, return_index=True)
    weights[entries < plan.starts[0]] = 0  # what is always added, and the counts of moves
    order = np.argsort(weights, kind="stable")
    tables = _tables_shown(plan)

    def first_of_each(order: np.ndarray, sign: int) -> list[Pattern]:
        left, found = set(tables), list[Pattern]()
        for at in order:
            if sign * weights[at] <= 0 or len(found) == most or not left:
                break
            table = _table_of(plan, int(entries[at]))
            if table in left:
                left.remove(table)
                found.append(Pattern(float(weights[at]), _cells_of(plan, int(entries[at])), side))
        return found

    return first_of_each(order[::-1], 1), first_of_each(order, -1)


def _tables_shown(plan: Plan) -> list[int]:
    """The tables that a board can show; all if it can show none."""
    shown = [i for i, cells in enumerate(plan.tuples) if any(cell < plan.cells for cell in cells)]
    return shown or list(range(len(plan.tuples)))


def _table_of(plan: Plan, entry: int) -> int:
    return bisect.bisect_right(plan.starts, entry) - 1


def stage_names(plan: Plan) -> list[str]:
    """What each stage is: `0 to 7 empty cells`."""
    unit = {BY_CELLS_LEFT: "empty cells", BY_PIECES: "pieces"}.get(plan.stage_by, "positions")
    counts = [
        [n for n, each in enumerate(plan.stages) if each == stage]
        for stage in range(plan.stage_count)
    ]
    return [
        f"{each[0]} to {each[-1]} {unit}" if len(each) > 1 else f"{each[0] if each else '?'} {unit}"
        for each in counts
    ]


def _cells_of(plan: Plan, entry: int) -> tuple[tuple[int, int], ...]:
    """The cells of an entry of a table, with their codes."""
    table = _table_of(plan, entry)
    cells, index = plan.tuples[table], entry - plan.starts[table]
    radix = zip(cells, plan.radix(cells), strict=True)
    return tuple((cell, index // worth % plan.view.codes[cell]) for cell, worth in radix)


# ------------------------------------------------------------------ as pictures and words


def board_of(pattern: Pattern, plan: Plan, game: GameSpec, start: State) -> Board:
    """A board with the pattern's cells and no others."""
    whole = game.board_of(start)
    on_board, columns = _cells_on(plan, whole), whole.columns
    held = {PLAYERS[pattern.mover]: MINE, PLAYERS[1 - pattern.mover]: THEIRS, "": EMPTY}
    stones = {code: content for content, code in held.items()}
    shown = {cell: stones[code] if cell < plan.cells else str(code) for cell, code in pattern.cells}
    grid = [shown.get(cell, GAP) for cell in range(on_board)]
    beside = [shown[cell] for cell in sorted(shown) if cell >= on_board]
    if len(beside) == len(shown):  # nothing of it is on the board
        grid, columns = [], len(beside)
    alone = tuple(str(cell - on_board + 1) for cell in sorted(shown))
    names = (whole.row_labels, whole.column_labels) if grid else ((), alone)
    grid += beside + [GAP] * (-len(beside) % columns)
    return Board("grid", len(grid) // columns, columns, tuple(grid), *names)


def picture_of(
    pattern: Pattern, plan: Plan, game: GameSpec, start: State, width: int = WIDTH
) -> str:
    """The pattern as an SVG, with its cells in words as the title."""
    words, board = in_words(pattern, plan, game, start), board_of(pattern, plan, game, start)
    return board_svg(board, game.players, title=words, width=width)


def in_words(pattern: Pattern, plan: Plan, game: GameSpec, start: State) -> str:
    """The cells by their names: `a1 mine, b1 empty`."""
    return ", ".join(_words(pattern, plan, game.board_of(start)))


def _words(pattern: Pattern, plan: Plan, board: Board) -> Iterator[str]:
    on_board = _cells_on(plan, board)
    for cell, code in pattern.cells:
        name = f"number {cell - on_board + 1}"
        if cell < on_board:
            row, column = divmod(cell, board.columns)
            name = f"row {row + 1} column {column + 1}"
            if board.row_labels and board.column_labels:
                name = board.column_labels[column] + board.row_labels[row]
        yield f"{name} {IN_WORDS[code]}" if cell < plan.cells else f"{name} is {code}"


def _cells_on(plan: Plan, board: Board) -> int:
    """How many cells of the plan, the first ones, are the cells of the board; 0 if none are."""
    size = board.rows * board.columns
    return size if size == (plan.cells or len(plan.view.codes)) else 0
