"""Othello on 10x10, two 64-bit words per side: square 10*row + column is bit 0 to 99 of the pair.

    low word   bits 0-63: a1 b1 ... j1 a2 ... d7
    high word  bits 0-35: e7 ... j10

The rules are those of `othello.py`; runs are filled one step at a time, since pairs of words leave
little to gain from filling them by doubling. Text and board are there as well.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import (
    U64,
    WORD_BITS,
    ZERO,
    lowest_index,
    pair_bit,
    pair_left,
    pair_of,
    pair_right,
    popcount,
    without_lowest,
)
from plyground.games.rules import Buffer
from plyground.kernel import compilable

WIDE_SIZE = 10
SQUARES = WIDE_SIZE * WIDE_SIZE
WIDE_PASS = SQUARES
LONGEST_RUN = WIDE_SIZE - 2
EAST, SOUTH_WEST, SOUTH, SOUTH_EAST = 1, 9, 10, 11

_INNER = sum(0b01_1111_1110 << WIDE_SIZE * row for row in range(WIDE_SIZE))  # not columns a and j
INNER_LOW, INNER_HIGH = pair_of(_INNER)
BOARD_HIGH = pair_of((1 << SQUARES) - 1)[1]
CORNERS_LOW, CORNERS_HIGH = pair_of(
    1 | 1 << WIDE_SIZE - 1 | 1 << SQUARES - WIDE_SIZE | 1 << SQUARES - 1
)


@compilable
def winner_takes_empties(mine: int, theirs: int, squares: int) -> int:
    """The final score, on any board, for the owner of `mine` discs."""
    if mine > theirs:
        return squares - 2 * theirs
    if mine < theirs:
        return 2 * mine - squares
    return 0


@compilable
def run_up(low: U64, high: U64, through_low: U64, through_high: U64, step: int) -> tuple[U64, U64]:
    """The unbroken runs of `through` above (low, high) in one direction."""
    run_low, run_high = pair_left(low, high, step)
    run_low, run_high = run_low & through_low, run_high & through_high
    for _ in range(LONGEST_RUN - 1):
        next_low, next_high = pair_left(run_low, run_high, step)
        run_low, run_high = run_low | next_low & through_low, run_high | next_high & through_high
    return run_low, run_high


@compilable
def run_down(
    low: U64, high: U64, through_low: U64, through_high: U64, step: int
) -> tuple[U64, U64]:
    """The unbroken runs of `through` below (low, high) in one direction."""
    run_low, run_high = pair_right(low, high, step)
    run_low, run_high = run_low & through_low, run_high & through_high
    for _ in range(LONGEST_RUN - 1):
        next_low, next_high = pair_right(run_low, run_high, step)
        run_low, run_high = run_low | next_low & through_low, run_high | next_high & through_high
    return run_low, run_high


@compilable
def targets_along(
    me_low: U64, me_high: U64, through_low: U64, through_high: U64, step: int
) -> tuple[U64, U64]:
    """The squares at the far ends of the runs beside my discs, both ways."""
    up_low, up_high = run_up(me_low, me_high, through_low, through_high, step)
    up_low, up_high = pair_left(up_low, up_high, step)
    down_low, down_high = run_down(me_low, me_high, through_low, through_high, step)
    down_low, down_high = pair_right(down_low, down_high, step)
    return up_low | down_low, up_high | down_high


@compilable
def wide_legal_squares(me_low: U64, me_high: U64, opp_low: U64, opp_high: U64) -> tuple[U64, U64]:
    """The squares where `me` may place a disc."""
    inner_low, inner_high = opp_low & INNER_LOW, opp_high & INNER_HIGH
    low, high = targets_along(me_low, me_high, opp_low, opp_high, SOUTH)
    for step in (EAST, SOUTH_WEST, SOUTH_EAST):
        more_low, more_high = targets_along(me_low, me_high, inner_low, inner_high, step)
        low, high = low | more_low, high | more_high
    return low & ~(me_low | opp_low), high & ~(me_high | opp_high) & BOARD_HIGH


@compilable
def enclosed_along(
    stone_low: U64,
    stone_high: U64,
    through_low: U64,
    through_high: U64,
    me_low: U64,
    me_high: U64,
    step: int,
) -> tuple[U64, U64]:
    """The runs beside the stone that end at one of my discs, both ways."""
    low, high = ZERO, ZERO
    up_low, up_high = run_up(stone_low, stone_high, through_low, through_high, step)
    end_low, end_high = pair_left(up_low, up_high, step)
    if (end_low & me_low) | (end_high & me_high):
        low, high = up_low, up_high
    down_low, down_high = run_down(stone_low, stone_high, through_low, through_high, step)
    end_low, end_high = pair_right(down_low, down_high, step)
    if (end_low & me_low) | (end_high & me_high):
        low, high = low | down_low, high | down_high
    return low, high


@compilable
def symmetric_square(square: int, symmetry: int) -> int:
    """The square seen through one of the eight symmetries of the board."""
    row, column = square // WIDE_SIZE, square % WIDE_SIZE
    if symmetry & 1:
        column = WIDE_SIZE - 1 - column
    if symmetry & 2:
        row = WIDE_SIZE - 1 - row
    if symmetry & 4:
        row, column = column, row
    return row * WIDE_SIZE + column


@compilable
def symmetric_pair(low: U64, high: U64, symmetry: int) -> tuple[U64, U64]:
    """A pair of words seen through a symmetry, square by square."""
    new_low, new_high = ZERO, ZERO
    for square in range(SQUARES):
        here_low, here_high = pair_bit(square)
        if (here_low & low) | (here_high & high):
            there_low, there_high = pair_bit(symmetric_square(square, symmetry))
            new_low, new_high = new_low | there_low, new_high | there_high
    return new_low, new_high


@compilable
def write_squares(low: U64, high: U64, moves: Buffer, start: int) -> int:
    """Write the squares, ascending, as moves; where they end."""
    while low:
        moves[start] = lowest_index(low)
        low = without_lowest(low)
        start += 1
    while high:
        moves[start] = WORD_BITS + lowest_index(high)
        high = without_lowest(high)
        start += 1
    return start


class WideOthello(NamedTuple):
    """A position: my discs, the opponent's, and who I am."""

    me_low: U64
    me_high: U64
    opp_low: U64
    opp_high: U64
    side: int

    def legal_moves(self, moves: Buffer, start: int) -> int:
        low, high = wide_legal_squares(self.me_low, self.me_high, self.opp_low, self.opp_high)
        if low | high == ZERO:
            moves[start] = WIDE_PASS
            return start + 1
        return write_squares(low, high, moves, start)

    def noisy_moves(self, moves: Buffer, start: int) -> int:
        """Moves to a corner, as on smaller boards."""
        low, high = wide_legal_squares(self.me_low, self.me_high, self.opp_low, self.opp_high)
        return write_squares(low & CORNERS_LOW, high & CORNERS_HIGH, moves, start)

    def count_moves(self, moves: Buffer, start: int) -> int:
        low, high = wide_legal_squares(self.me_low, self.me_high, self.opp_low, self.opp_high)
        return max(1, popcount(low) + popcount(high))

    def play(self, move: int) -> WideOthello:
        if move == WIDE_PASS:
            return WideOthello(
                self.opp_low, self.opp_high, self.me_low, self.me_high, 1 - self.side
            )
        stone_low, stone_high = pair_bit(move)
        me_low, me_high = self.me_low, self.me_high
        inner_low, inner_high = self.opp_low & INNER_LOW, self.opp_high & INNER_HIGH
        low, high = enclosed_along(
            stone_low, stone_high, self.opp_low, self.opp_high, me_low, me_high, SOUTH
        )
        for step in (EAST, SOUTH_WEST, SOUTH_EAST):
            more_low, more_high = enclosed_along(
                stone_low, stone_high, inner_low, inner_high, me_low, me_high, step
            )
            low, high = low | more_low, high | more_high
        return WideOthello(
            self.opp_low ^ low,
            self.opp_high ^ high,
            me_low ^ low ^ stone_low,
            me_high ^ high ^ stone_high,
            1 - self.side,
        )

    def is_over(self) -> bool:
        low, high = wide_legal_squares(self.me_low, self.me_high, self.opp_low, self.opp_high)
        if low | high:
            return False
        low, high = wide_legal_squares(self.opp_low, self.opp_high, self.me_low, self.me_high)
        return low | high == ZERO

    def outcome(self) -> int:
        mine = popcount(self.me_low) + popcount(self.me_high)
        theirs = popcount(self.opp_low) + popcount(self.opp_high)
        return winner_takes_empties(mine, theirs, SQUARES)

    def turn(self, child: WideOthello) -> int:
        return -1

    def cells_left(self) -> int:
        return (
            SQUARES - popcount(self.me_low | self.opp_low) - popcount(self.me_high | self.opp_high)
        )

    def count_symmetries(self) -> int:
        return 8

    def transform(self, symmetry: int) -> WideOthello:
        me_low, me_high = symmetric_pair(self.me_low, self.me_high, symmetry)
        opp_low, opp_high = symmetric_pair(self.opp_low, self.opp_high, symmetry)
        return WideOthello(me_low, me_high, opp_low, opp_high, self.side)

    def transform_move(self, move: int, symmetry: int) -> int:
        return WIDE_PASS if move == WIDE_PASS else symmetric_square(move, symmetry)


def wide_start() -> WideOthello:
    """e5, f6 white; f5, e6 black; black to move."""
    return wide_from_discs(1 << 45 | 1 << 54, 1 << 44 | 1 << 55, 0)


def wide_from_discs(me: int, opp: int, side: int) -> WideOthello:
    """The state with these discs, given as bits of squares."""
    return WideOthello(*pair_of(me), *pair_of(opp), side)
