"""What an evaluator for any game must know of one: its view, a table of numbers.

Which bit of the state is whose piece on which cell is found by comparing states with boards
(`cells.py`). What each bit is worth is learnt from games (`sample.py`): a linear fit of how they
ended to the bits of their positions. In the first games every move that does not win at once is as
good as any other; later each is judged by what was learnt before. All games count in the end:
fitted to the last ones alone, the worth of cells goes round in circles (on Fox and Hounds from 78 %
against `zero` to 50 %).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from plyground.bits import U64, WORD_BITS, signed
from plyground.evaluation.cells import NO_CELLS, Cells, find_cells
from plyground.evaluation.keeping import kept
from plyground.evaluation.pictures import lines
from plyground.evaluation.same_key import UNSEEN, groups_of
from plyground.evaluation.sample import Sample, sample, usual_start
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.kernel import Slab, announce

# A view begins with how many pairs, lines and bits there are, what a position as such is worth to
# either side, and with either side to move whether the pieces of the mover (1) or of the other side
# (-1) are the rest of what the other one has. Then follow a mask for each field, of the bits that
# count; for either side to move and each bit an entry; the pairs; the lines.
PAIRS, LINES, BITS, BIAS, REST = 0, 1, 2, 3, 5
HEADER = 8
# Of an entry: 1 for a piece of the mover, -1 for one of the other side; the worth; the cell + 1.
# Where a bit stands for both sides, those of one side count twice: one for what the rest counts.
PIECE, WORTH, CELL, ENTRY = range(4)
MOST_CELLS = WORD_BITS  # of a board with pairs and lines
USUAL_LINE = 3  # where no line wins
UNIT = 1000  # the worth of a sure win
ROUNDS, GAMES, NOISE, SEED = 3, 1000, 300, 1
RIDGE = 20.0  # as if so many games with each bit had been drawn
VERSION = 1  # of the view: another one is made anew

Judge = Callable[[Slab], Evaluator]  # an evaluator by the worth of bits, with such a view


def view_of(game: GameSpec, start: State, judge: Judge) -> Slab:
    """The view of a game that begins so, made once."""
    usual = usual_start(game, start)

    def find() -> list[int]:
        announce(f"learning to see {game.title}, first time only")
        return _learn(game, usual, judge)

    return kept("view", VERSION, game, usual, find, as_slab)


def as_slab(numbers: Sequence[int]) -> Slab:
    slab = Slab(len(numbers))
    slab.array[:] = numbers
    return slab


def _learn(game: GameSpec, start: State, judge: Judge) -> list[int]:
    view = [0] * (HEADER + len(start) + 2 * WORD_BITS * len(start) * ENTRY)
    view[BITS] = WORD_BITS * len(start)
    seen: Sample | None = None
    for number in range(ROUNDS):
        new = sample(game, start, judge(as_slab(view)), NOISE, GAMES, SEED + number)
        seen = new if seen is None else seen.joined(new)
        is_last = number == ROUNDS - 1
        view = _make(find_cells(game, seen) if is_last else NO_CELLS, seen)
    return view


def _make(cells: Cells, seen: Sample) -> list[int]:
    fields = seen.codes.shape[1]
    table = np.zeros((2, fields * WORD_BITS, ENTRY), np.int64)
    bias, is_all_in_key = [0, 0], True
    for mover in (0, 1):
        bias[mover], is_distinct = _fit(seen, mover, table[mover])
        is_all_in_key = is_all_in_key and is_distinct
    for (mover, owner, cell), place in cells.places.items():
        sign = 1 if owner == mover else -1
        table[mover, place, PIECE] = 2 * sign if (mover, 1 - owner) in cells.rest else sign
        table[mover, place, CELL] = cell + 1
    rest = [0, 0]
    for mover, owner in cells.rest:
        rest[mover] = 1 if owner == mover else -1
    counts = table.any(axis=(0, 2)).reshape(fields, WORD_BITS)
    masks = [sum(1 << int(i) for i in np.flatnonzero(each)) for each in counts]
    known = {cell for _, _, cell in cells.places} if is_all_in_key else set()
    pairs, long = (_lines(cells, known, length) for length in (2, cells.line or USUAL_LINE))
    header = [len(pairs), len(long), fields * WORD_BITS, *bias, *rest]
    header += [0] * (HEADER - len(header))
    after = [signed(U64(word)) for word in (*pairs, *long)]
    return [*header, *(signed(U64(word)) for word in masks), *table.ravel().tolist(), *after]


def _fit(seen: Sample, mover: int, table: np.ndarray) -> tuple[int, bool]:
    """Write the worth of each bit with this side to move.

    Returns that of the position as such, and whether every bit counts for itself in the game's key.
    Ridge regression: bits that are always set together share what they are worth.
    """
    rows = seen.sides == mover
    bits, results = seen.bits(rows), seen.results[rows].astype(float)
    if not results.any():
        return 0, True
    results *= UNIT / np.abs(seen.results).max()
    varying = np.flatnonzero(bits.any(axis=0) & ~bits.all(axis=0))
    groups = groups_of(seen, varying)
    is_distinct = UNSEEN not in groups and len({*groups}) == len(groups)
    varying, groups = varying[groups != UNSEEN], groups[groups != UNSEEN]
    count = int(groups.max(initial=UNSEEN)) + 1
    members = np.eye(count, dtype=np.float32)[groups]
    x = bits[:, varying].astype(np.float32) @ members  # counts up to 2**24 are exact
    mean, middle = x.mean(axis=0, dtype=float), results.mean()
    products = (x.T @ x).astype(float) - len(x) * np.outer(mean, mean)
    with_results = x.T @ results - len(x) * mean * middle
    found = np.linalg.solve(products + RIDGE * np.eye(count), with_results)
    # Whole numbers: what machines round differently in the last digit is the same here.
    worth = np.round(found).astype(np.int64)
    table[varying, WORTH] = worth[groups]
    return round(middle - float(mean @ worth)), is_distinct


def _lines(cells: Cells, known: set[int], length: int) -> list[int]:
    """The lines of known cells as words, if the board is small enough."""
    if cells.rows * cells.columns > MOST_CELLS:
        return []
    found = lines(cells.rows, cells.columns, length)
    return [sum(1 << cell for cell in line) for line in found if known >= {*line}]
