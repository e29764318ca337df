"""Where the factors of Othello lie, on boards of one word: squares with what each adds.

`othello.py` and `othello_stages.py` say what is counted; 10x10 is in `othello_wide.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from plyground.bits import U64, popcount
from plyground.evaluation.othello_squares import FIRST_ROW, square_kinds, with_neighbours
from plyground.evaluation.pictures import Amounts, balance_on, bits_of
from plyground.games.othello import STRIDE, legal_squares

AROUND = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


def squares_on(mine: U64, theirs: U64, cells: U64, amount: float = 1) -> Amounts:
    """Squares that count for me, and squares that count for the opponent."""
    return balance_on(_squares(mine, cells), _squares(theirs, cells), amount)


def moves_on(me: U64, opp: U64, cells: U64, where: U64) -> Amounts:
    """The moves of both sides to some of the squares."""
    mine, theirs = legal_squares(me, opp, cells), legal_squares(opp, me, cells)
    return squares_on(mine & where, theirs & where, cells)


def potential_on(me: U64, opp: U64, cells: U64) -> Amounts:
    """The potential moves of both sides."""
    empty = cells & ~(me | opp)
    return squares_on(empty & with_neighbours(opp), empty & with_neighbours(me), cells)


def worth_on(weights: Sequence[int], me: U64, opp: U64, cells: U64) -> Amounts:
    """The worth of every disc's square; weights begin with the worth of each kind."""
    found: Amounts = ()
    for kind, weight in zip(square_kinds(cells), weights, strict=False):
        found += squares_on(me & kind, opp & kind, cells, weight)
    return found


def between_on(me: U64, opp: U64, cells: U64) -> Amounts:
    """For each disc, the discs between it and the next of the other side, in eight directions."""
    mine, theirs = _squares(me, cells), _squares(opp, cells)
    size = _size(cells)
    return (
        *((square, _between(square, mine, theirs, size)) for square in theirs),
        *((square, -_between(square, theirs, mine, size)) for square in mine),
    )


def _between(square: int, closing: list[int], own: list[int], size: int) -> int:
    total = 0
    for down, right in AROUND:
        row, column = divmod(square, size)
        run = -1  # the disc itself is not between
        while 0 <= row < size and 0 <= column < size and row * size + column in own:
            row, column, run = row + down, column + right, run + 1
        if 0 <= row < size and 0 <= column < size and row * size + column in closing:
            total += run
    return total


def _squares(word: U64, cells: U64) -> list[int]:
    size = _size(cells)
    return [bit // STRIDE * size + bit % STRIDE for bit in bits_of(int(word))]


def _size(cells: U64) -> int:
    return popcount(cells & FIRST_ROW)
