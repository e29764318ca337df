"""The value of all segments four ways: counted in parallel, one by one, and from tables.

The study's last recommendation is to compute the values of segments once and look them up. Here are
the straight recomputation it would replace, a table of single segments, and a table of whole lines
(a row, a column or a diagonal with all its segments); `evaluation/connect_four.py` has the count in
parallel, and `evaluation/remembered.py` the table of whole positions. All give the same values. For
the board of 7x6 only. The same in plain Python, for a program that is interpreted, at the end.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from plyground.bits import U64, popcount, signed, wrapping_multiply
from plyground.evaluation.connect_four import Segments
from plyground.evaluation.remembered import remembered
from plyground.evaluation.spec import Evaluator, evaluate
from plyground.games.connect_four import ConnectFour
from plyground.games.rules import State
from plyground.kernel import Slab, compilable, kernel

WIDTH, HEIGHT, FOUR = 7, 6, 4
COLUMN = HEIGHT + 1
WORTH = (0, *Segments(), Segments().three)  # of a segment with 0 to 4 stones of one side
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

Cells = tuple[int, ...]
"""The bits of a segment or a line, from the least to the largest."""


def lines_of_board() -> list[Cells]:
    """The 25 rows, columns and diagonals of at least four cells."""
    board, found = list(itertools.product(range(WIDTH), range(HEIGHT))), []
    for (column, row), (across, up) in itertools.product(board, DIRECTIONS):
        if (column - across, row - up) not in board:
            cells = [(column + i * across, row + i * up) for i in range(WIDTH)]
            found.append(tuple(COLUMN * c + r for c, r in cells if (c, r) in board))
    return [line for line in found if len(line) >= FOUR]


def segments_in(line: Cells) -> list[Cells]:
    """Its runs of four cells."""
    return [line[i : i + FOUR] for i in range(len(line) - FOUR + 1)]


def mask(cells: Cells) -> int:
    """The cells as a word."""
    return sum(1 << cell for cell in cells)


LINES = lines_of_board()
SEGMENTS = [segment for line in LINES for segment in segments_in(line)]
MASKS = [mask(segment) for segment in SEGMENTS]


def worth(segments: Iterable[int], me: int, other: int) -> int:
    """What all of these segments are worth that only one side has stones on."""
    value = 0
    for segment in segments:
        mine, theirs = (me & segment).bit_count(), (other & segment).bit_count()
        if not mine or not theirs:
            value += WORTH[mine] - WORTH[theirs]
    return value


# ------------------------------------------------------------------ recomputed, one by one


class OneByOne(NamedTuple):
    """Count the stones of both sides in each of the 69 segments."""

    masks: Slab
    worth: Slab
    size: int

    def evaluate(self, state: ConnectFour) -> int:
        other, value = state.stones ^ state.me, 0
        for i in range(self.size):
            segment = U64(self.masks[i])
            mine, theirs = popcount(state.me & segment), popcount(other & segment)
            if theirs == 0:
                value += self.worth[mine]
            elif mine == 0:
                value -= self.worth[theirs]
        return value


# ------------------------------------------------------------------ from tables

FIRST_CELL, CELLS, FACTOR, DOWN, SIZE, BASE, GROUP = range(7)


class FromTables(NamedTuple):
    """Look up each group of cells, a segment or a line, by the stones that stand on it."""

    groups: Slab
    """For each: where it begins, its cells from there, how to bring them together, its table."""
    values: Slab
    size: int

    def evaluate(self, state: ConnectFour) -> int:
        other, value = state.stones ^ state.me, 0
        for i in range(self.size):
            at = i * GROUP
            mine = gathered(self, state.me, at)
            theirs = gathered(self, other, at)
            value += self.values[self.groups[at + BASE] + (mine << self.groups[at + SIZE]) + theirs]
        return value


@compilable
def gathered(tables: FromTables, stones: U64, at: int) -> int:
    """The stones on a group as neighbouring bits.

    Cells are `step` bits apart. A product with powers of two that are `step` - 1 apart puts copies
    of them side by side; no two bits of the product meet, so that nothing is carried.
    """
    cells = (stones >> U64(tables.groups[at + FIRST_CELL])) & U64(tables.groups[at + CELLS])
    together = wrapping_multiply(cells, U64(tables.groups[at + FACTOR]))
    size = tables.groups[at + SIZE]
    return signed((together >> U64(tables.groups[at + DOWN])) & ((U64(1) << U64(size)) - U64(1)))


def from_tables(groups: Sequence[Cells]) -> FromTables:
    """69 look-ups for single segments, 25 for whole lines."""
    values: list[int] = []
    bases: dict[int, int] = {}
    for size in sorted({len(group) for group in groups}):
        bases[size] = len(values)
        segments = [mask(each) for each in segments_in(tuple(range(size)))]
        sides = itertools.product(range(1 << size), repeat=2)
        values += [worth(segments, mine, theirs) for mine, theirs in sides]
    numbers = [number for group in groups for number in _group(group, bases[len(group)])]
    return FromTables(_slab(numbers), _slab(values), len(groups))


def _group(cells: Cells, base: int) -> list[int]:
    size, first, step = len(cells), cells[0], cells[1] - cells[0]
    factor = sum(1 << (step - 1) * i for i in range(size)) if step > 1 else 1
    down = (step - 1) * (size - 1)
    return [first, mask(cells) >> first, factor, down, size, base]


def _slab(numbers: Sequence[int]) -> Slab:
    slab = Slab(len(numbers))
    slab.array[:] = numbers
    return slab


# ------------------------------------------------------------------ all of them

COMPILED: dict[str, Callable[[], Evaluator]] = {
    "counted in parallel": Segments,
    "segments one by one": lambda: OneByOne(_slab(MASKS), _slab(WORTH), len(MASKS)),
    "table of segments": lambda: from_tables(SEGMENTS),
    "table of lines": lambda: from_tables(LINES),
    "table of positions": lambda: remembered(Segments(), 2**24),
}


@kernel
def sum_of_values(evaluator: Evaluator, empty: State, words: Slab, count: int, rounds: int) -> int:
    """Evaluate `count` positions, given as pairs of words, so many times; add up the values."""
    total = 0
    for _ in range(rounds):
        for i in range(count):
            state = ConnectFour(
                U64(words[2 * i]), U64(words[2 * i + 1]), empty.bottom, empty.height, empty.connect
            )
            total += evaluate(evaluator, state)
    return total


def words_of(states: Sequence[State]) -> Slab:
    """Positions as `sum_of_values` takes them."""
    return _slab([int(word) for state in states for word in (state.me, state.stones)])


# ------------------------------------------------------------------ in plain Python


def interpreted() -> dict[str, Callable[[int, int], int]]:
    """The same for a program that is interpreted: from both sides' stones to a value."""
    return {
        "segments one by one": partial(worth, MASKS),
        "table of segments": _looked_up(SEGMENTS),
        "table of lines": _looked_up(LINES),
    }


def _looked_up(groups: Sequence[Cells]) -> Callable[[int, int], int]:
    known = [(mask(cells), _values(cells)) for cells in groups]
    return lambda me, other: sum(values[me & cells, other & cells] for cells, values in known)


def _values(cells: Cells) -> dict[tuple[int, int], int]:
    """The value of a line for all stones that may stand on it."""
    segments, values = [mask(each) for each in segments_in(cells)], {}
    for stones in itertools.product(*[((0, 0), (1 << cell, 0), (0, 1 << cell)) for cell in cells]):
        me, other = map(sum, zip(*stones, strict=True))
        values[me, other] = worth(segments, me, other)
    return values
