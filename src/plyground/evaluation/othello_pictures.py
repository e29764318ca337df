"""Where the factors of Othello lie, on boards of any size: squares with what each adds.

Plain Python on sets of squares. A set is a number whose bit i is square i of the board as data, row
by row without gaps, so that one text serves all sizes. What is counted, and why, is said where the
evaluators count the same with words: `othello.py`, `othello_stages.py`, `othello_stability.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from plyground.bits import U64
from plyground.evaluation.othello_squares import kind_masks
from plyground.evaluation.pictures import Amounts, balance_on, bits_of, owners
from plyground.evaluation.spec import Factor
from plyground.games.othello import STRIDE, board
from plyground.games.rules import State, side

AROUND = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


def squares_on(mine: int, theirs: int, amount: float = 1) -> Amounts:
    """Squares that count for me, and squares that count for the opponent."""
    return balance_on(bits_of(mine), bits_of(theirs), amount)


def listed(
    names: Sequence[str],
    weights: Sequence[int],
    pictures: Sequence[Amounts],
    values: Sequence[float] | None = None,
) -> list[Factor]:
    """Names, weights and places, side by side, as factors; values are the sums over the squares."""
    sums = [sum(amount for _, amount in picture) for picture in pictures]
    rows = zip(names, sums if values is None else values, weights, pictures, strict=True)
    return [Factor(*row) for row in rows]


class DiscSets:
    """The discs of a position as sets of squares: mine, and the opponent's."""

    def __init__(self, state: State) -> None:
        shown = board(state)
        whose = owners(shown, side(state))
        self.size = shown.columns
        self.me = sum(1 << square for square, owner in enumerate(whose) if owner > 0)
        self.opp = sum(1 << square for square, owner in enumerate(whose) if owner < 0)
        self.empty = (1 << len(whose)) - 1 & ~(self.me | self.opp)
        self.kinds = kind_masks(self.size, self.size)
        row, self._first = (1 << self.size) - 1, sum(1 << self.size * r for r in range(self.size))
        self._columns = self._first | self._first << self.size - 1
        self._rows = row | row << self.size * (self.size - 1)
        self.edge, self.corners = self._columns | self._rows, self._columns & self._rows

    @cached_property
    def moves(self) -> tuple[int, int]:
        """The squares where I may place a disc, and those where the opponent might."""
        return self._moves(self.me, self.opp), self._moves(self.opp, self.me)

    def potential(self) -> Amounts:
        """The potential moves of both sides."""
        return squares_on(self.empty & self.near(self.opp), self.empty & self.near(self.me))

    def worth(self, weights: Sequence[int]) -> Amounts:
        """The worth of every disc's square; weights begin with the worth of each kind."""
        found: Amounts = ()
        for kind, weight in zip(self.kinds, weights, strict=False):
            found += squares_on(self.me & kind, self.opp & kind, weight)
        return found

    def between(self) -> Amounts:
        """For each disc, the discs between it and the next of the other side, all ways."""
        mine, theirs = bits_of(self.me), bits_of(self.opp)
        return (
            *((square, self._between(square, self.opp, self.me)) for square in theirs),
            *((square, -self._between(square, self.me, self.opp)) for square in mine),
        )

    def near(self, squares: int) -> int:
        """The squares of a set and those that touch them, perhaps beyond the last row."""
        last = self._first << self.size - 1
        row = squares | (squares & ~last) << 1 | (squares & ~self._first) >> 1
        return row | row << self.size | row >> self.size

    def anchored(self, own: int) -> int:
        """The discs of one side that are stable by their connection to a corner."""
        steps = (1, self.size, self.size - 1, self.size + 1)
        ends = (self._columns, self._rows, self.edge, self.edge)
        stable, more = -1, 0
        while more != stable:
            stable, more = more, own
            for step, safe in zip(steps, ends, strict=True):
                more &= safe | stable << step | stable >> step
        return stable

    def of_word(self, word: U64) -> int:
        """The squares of a word, whose rows are eight bits apart."""
        rows = [int(word) >> STRIDE * row & (1 << self.size) - 1 for row in range(self.size)]
        return sum(squares << self.size * row for row, squares in enumerate(rows))

    def _moves(self, own: int, other: int) -> int:
        runs = ((square, self._between(square, other, own)) for square in bits_of(self.empty))
        return sum(1 << square for square, turned in runs if turned)

    def _between(self, square: int, through: int, end: int) -> int:
        """The squares of a set that lie, unbroken, between a square and one of `end`, all ways."""
        total = 0
        for down, right in AROUND:
            row, column, run = *divmod(square, self.size), -1
            while True:
                row, column, run = row + down, column + right, run + 1
                if not (0 <= row < self.size and 0 <= column < self.size):
                    break
                here = 1 << row * self.size + column
                if not through & here:
                    total += run if end & here else 0
                    break
        return total
