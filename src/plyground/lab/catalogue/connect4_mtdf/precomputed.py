"""The value of all segments four ways: counted in parallel, one by one, and from tables.

The study's last recommendation is to compute the values of segments once and look them up. Here are
the straight recomputation it would replace, a table of single segments, and a table of whole lines
(a row, a column or a diagonal with all its segments); `evaluation/connect_four.py` has the count in
parallel, and `evaluation/remembered.py` the table of whole positions. All give the same values. For
the board of 7x6 only. The same in plain Python, for a program that is interpreted, at the end.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

from plyground.bits import U64, popcount, signed, wrapping_multiply
from plyground.evaluation.connect_four import Segments
from plyground.evaluation.remembered import remembered
from plyground.evaluation.spec import Evaluator, evaluate
from plyground.games.connect_four import ConnectFour
from plyground.games.rules import State
from plyground.kernel import Slab, compilable, kernel
from plyground.lab.catalogue.connect4_mtdf.program import Pseudocode

WIDTH, HEIGHT, FOUR = 7, 6, 4
COLUMN = HEIGHT + 1
WORTH = (0, *Segments(), Segments().three)  # of a segment with 0 to 4 stones of one side
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

Cells = tuple[int, ...]
"""The bits of a segment or a line, in the order along it."""


def lines_of_board() -> list[Cells]:
    """The 25 rows, columns and diagonals of at least four cells."""
    found = []
    for (column, row), (across, up) in itertools.product(_places(), DIRECTIONS):
        before = (column - across, row - up)
        if before not in _places():
            cells = [(column + i * across, row + i * up) for i in range(WIDTH)]
            bits = tuple(_bit(*cell) for cell in cells if cell in _places())
            found += [bits] if len(bits) >= FOUR else []
    return found


def segments_of_board() -> list[Cells]:
    """The 69 runs of four cells."""
    return [line[i : i + FOUR] for line in lines_of_board() for i in range(len(line) - FOUR + 1)]


def _places() -> set[tuple[int, int]]:
    return set(itertools.product(range(WIDTH), range(HEIGHT)))


def _bit(column: int, row: int) -> int:
    return COLUMN * column + row


def _mask(cells: Cells) -> int:
    return sum(1 << cell for cell in cells)


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


def one_by_one() -> OneByOne:
    masks = [_mask(segment) for segment in segments_of_board()]
    return OneByOne(_slab(masks), _slab(WORTH), len(masks))


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
        sides = itertools.product(range(1 << size), repeat=2)
        values += [line_value(size, mine, theirs) for mine, theirs in sides]
    numbers = [number for group in groups for number in _group(group, bases[len(group)])]
    return FromTables(_slab(numbers), _slab(values), len(groups))


def _group(cells: Cells, base: int) -> list[int]:
    ordered = sorted(cells)
    size, first, step = len(ordered), ordered[0], ordered[1] - ordered[0]
    factor = sum(1 << (step - 1) * i for i in range(size)) if step > 1 else 1
    down = (step - 1) * (size - 1)
    return [first, _mask(tuple(cell - first for cell in ordered)), factor, down, size, base]


def line_value(size: int, mine: int, theirs: int) -> int:
    """What the segments of a line are worth; bit i of a side is its stone on cell i."""
    value = 0
    for first in range(size - FOUR + 1):
        own = (mine >> first & 0b1111).bit_count()
        other = (theirs >> first & 0b1111).bit_count()
        if own == 0 or other == 0:
            value += WORTH[own] - WORTH[other]
    return value


def _slab(numbers: Sequence[int]) -> Slab:
    slab = Slab(len(numbers))
    for i, number in enumerate(numbers):
        slab[i] = number
    return slab


# ------------------------------------------------------------------ all of them

COMPILED: dict[str, Callable[[], Evaluator]] = {
    "counted in parallel": Segments,
    "segments one by one": one_by_one,
    "table of segments": lambda: from_tables(segments_of_board()),
    "table of lines": lambda: from_tables(lines_of_board()),
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
        "segments one by one": Pseudocode().value,
        "table of segments": _looked_up(segments_of_board()),
        "table of lines": _looked_up(lines_of_board()),
    }


def _looked_up(groups: Sequence[Cells]) -> Callable[[int, int], int]:
    known = [(_mask(group), _values(group)) for group in groups]
    return lambda me, other: sum(values[me & mask, other & mask] for mask, values in known)


def _values(cells: Cells) -> dict[tuple[int, int], int]:
    """The value of a line for all stones that may stand on it."""
    values = {}
    for owners in itertools.product(range(3), repeat=len(cells)):
        places = [[i for i, owner in enumerate(owners) if owner == who] for who in (1, 2)]
        me, other = (_mask(tuple(cells[i] for i in own)) for own in places)
        mine, theirs = (_mask(tuple(own)) for own in places)
        values[me, other] = line_value(len(cells), mine, theirs)
    return values
