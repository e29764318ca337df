"""Where the cells of a board are in a state: found by comparing positions with their boards.

A game draws its board from a state, but does not say which bit of which field is which cell. Over
enough positions it shows: the bit that is set exactly where a cell has a stone of some side is the
place of that cell. Games hold the stones of first and second, or of the side to move and the other;
so places are looked for separately with either side to move. Some hold the stones of one side and
those of both; then the other side has what is left (`rest`). What is found is right at every
position looked at; a cell that no bit agrees with has no place.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from plyground.bits import WORD_BITS
from plyground.evaluation.sample import Sample
from plyground.games.spec import PLAYERS, GameSpec

MOST_BOARDS = 1000  # to draw, and a few for each bit: drawing takes most of the time
A_FEW = 3


@dataclass(frozen=True)
class Cells:
    """The board of a game, and where its cells are."""

    rows: int
    columns: int
    line: int
    """How many cells in a row win, if a finished board shows it; 0 if none does."""
    places: dict[tuple[int, int, int], int]
    """By side to move, owner and cell: the number of the bit, counted through all fields."""
    rest: frozenset[tuple[int, int]] = frozenset()
    """The sides to move and owners whose bits are those of both: less the other owner's."""


NO_CELLS = Cells(0, 0, 0, {})


def find_cells(game: GameSpec, seen: Sample) -> Cells:
    """The cells of a game's board, from positions of it."""
    if game.board is None or not len(seen.sides):
        return NO_CELLS
    rows = _telling_rows(seen)
    boards = [game.board(seen.state(row)) for row in rows]
    first = boards[0]
    shapes = {(each.rows, each.columns, len(each.cells)) for each in boards}
    if len(shapes) > 1 or not first.cells:
        return NO_CELLS
    bits, sides = seen.bits(rows), seen.sides[rows]
    owned = np.array([[[c == name for c in board.cells] for board in boards] for name in PLAYERS])
    places: dict[tuple[int, int, int], int] = {}
    rest: set[tuple[int, int]] = set()
    for mover in (0, 1):
        rows = sides == mover
        taken = _matches(bits[rows], owned[0, rows] | owned[1, rows])
        plain = [_matches(bits[rows], owned[owner, rows]) for owner in (0, 1)]
        for owner, found in enumerate(plain):
            others = {*plain[1 - owner].values()}
            both = {cell: place for cell, place in taken.items() if place not in others}
            if len(both) > len(found):
                rest.add((mover, owner))
            best = both if (mover, owner) in rest else found
            places |= {(mover, owner, cell): place for cell, place in best.items()}
    line = max(len(board.line) for board in boards)
    return Cells(first.rows, first.columns, line, places, frozenset(rest))


def _telling_rows(seen: Sample) -> np.ndarray:
    """Positions from all over the games, and for each bit a few in which it is set."""
    spread = np.linspace(0, len(seen.sides) - 1, MOST_BOARDS).astype(int)
    bits = seen.bits()
    rare = [np.flatnonzero(bits[:, place])[:A_FEW] for place in np.flatnonzero(bits.any(axis=0))]
    return np.unique(np.concatenate([spread, *rare]))


def _matches(bits: np.ndarray, owned: np.ndarray) -> dict[int, int]:
    """For each cell that was ever owned, the bit that was set exactly then.

    Where several agree, because the cell was seldom owned, it is the one in the field that holds
    most of the other cells.
    """
    by_column: dict[bytes, list[int]] = {}
    for place in np.flatnonzero(bits.any(axis=0)):
        by_column.setdefault(bits[:, place].tobytes(), []).append(int(place))
    fitting = {
        int(cell): by_column.get(owned[:, cell].tobytes(), [])
        for cell in np.flatnonzero(owned.any(axis=0))
    }
    votes = Counter(
        field for places in fitting.values() for field in {place // WORD_BITS for place in places}
    )
    return {
        cell: max(places, key=lambda place: votes[place // WORD_BITS])
        for cell, places in fitting.items()
        if places
    }
