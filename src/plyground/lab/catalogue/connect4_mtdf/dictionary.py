"""A table that forgets nothing during a search, and all of it at once before the next.

What a dictionary is to an interpreted program: the study's table has no size, and its counts come
out exactly only if no entry is ever pushed out. Bounds are filed by position alone, as in the
study's pseudocode: in Connect Four a position of one search is always met at the same depth. Knows
no algorithm; `search/table.py` is the table to play with.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import signed
from plyground.core.scores import INFINITY
from plyground.games.rules import State, key, transform, transform_move
from plyground.kernel import Slab, compilable
from plyground.search.table import NO_MOVE, filing_symmetry, seen_back

KEY, ROUND, LOWER, UPPER, MOVE, ENTRY = range(6)
NOW, USED, NUMBERS = range(3)
FULLEST = 0.75  # of the places; what comes later is not filed, and counted as a collision


class Dictionary(NamedTuple):
    """A power of two of places; a position is filed at the first free one from its key on."""

    slots: Slab
    numbers: Slab
    """The number of the current search, which marks its entries, and how many there are."""
    mask: int
    most: int
    symmetric: int
    """Whether mirrored positions share an entry: the study's reflection."""
    tells_move: int
    """Whether the best move found before is to be tried first."""

    def probe(self, state: State, depth: int) -> tuple[int, int, int, int]:
        symmetry = filing_symmetry(self, state)  # type: ignore[arg-type]  # it has the field
        at = place(self, signed(key(transform(state, symmetry))))
        if self.slots[at + ROUND] != self.numbers[NOW]:
            return -INFINITY, INFINITY, NO_MOVE, 0
        move = NO_MOVE
        if self.tells_move:
            move = seen_back(state, self.slots[at + MOVE], symmetry)
        return self.slots[at + LOWER], self.slots[at + UPPER], move, 2

    def store(self, state: State, depth: int, lower: int, upper: int, move: int) -> int:
        symmetry = filing_symmetry(self, state)  # type: ignore[arg-type]
        code = signed(key(transform(state, symmetry)))
        at = place(self, code)
        if self.slots[at + ROUND] != self.numbers[NOW]:
            if self.numbers[USED] >= self.most:
                return 1
            self.numbers[USED] = self.numbers[USED] + 1
            self.slots[at + KEY], self.slots[at + ROUND] = code, self.numbers[NOW]
            self.slots[at + LOWER], self.slots[at + UPPER] = -INFINITY, INFINITY
            self.slots[at + MOVE] = NO_MOVE
        self.slots[at + LOWER] = max(self.slots[at + LOWER], lower)
        self.slots[at + UPPER] = min(self.slots[at + UPPER], upper)
        if move != NO_MOVE:
            self.slots[at + MOVE] = transform_move(state, move, symmetry)
        return 0


@compilable
def place(table: Dictionary, code: int) -> int:
    """Where a key is filed, or would be."""
    now, index = table.numbers[NOW], code & table.mask
    while table.slots[index * ENTRY + ROUND] == now and table.slots[index * ENTRY + KEY] != code:
        index = (index + 1) & table.mask
    return index * ENTRY


@compilable
def forget(table: Dictionary) -> None:
    """Empty the table; takes no longer for a full one."""
    table.numbers[NOW] = table.numbers[NOW] + 1
    table.numbers[USED] = 0


def make_dictionary(places: int, symmetric: bool, tells_move: bool) -> Dictionary:
    """An empty one; `places` is a power of two."""
    assert places & (places - 1) == 0
    table = Dictionary(
        Slab(places * ENTRY),
        Slab(NUMBERS),
        places - 1,
        int(places * FULLEST),
        int(symmetric),
        int(tells_move),
    )
    forget(table)  # places that were never filled carry round 0
    return table
