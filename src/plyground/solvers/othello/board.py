"""The boards of a solver, one class for each size, so that sizes are constants in compiled code.

The layout of `games/othello.py`: eight squares to a row, the board in the corner at a1. A quadrant
is one of the four quarters; its *parity* is that of its empty squares, and the parities of all four
are four bits of a number.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import ALL_ONES, U64, popcount
from plyground.core.errors import Unsupported
from plyground.games.othello import Othello
from plyground.games.rules import State
from plyground.kernel import compilable, verb


class Four(NamedTuple):
    """Four by four."""

    size: int

    def cells(self) -> U64:
        return U64(0x0F0F_0F0F)

    def corners(self) -> U64:
        return U64(0x0900_0009)

    def inner(self) -> U64:
        return U64(0x0006_0600)

    def count_cells(self) -> int:
        return 16

    def to_middle(self) -> int:
        return 18


class Six(NamedTuple):
    """Six by six."""

    size: int

    def cells(self) -> U64:
        return U64(0x3F3F_3F3F_3F3F)

    def corners(self) -> U64:
        return U64(0x2100_0000_0021)

    def inner(self) -> U64:
        return U64(0x001E_1E1E_1E00)

    def count_cells(self) -> int:
        return 36

    def to_middle(self) -> int:
        return 9


class Eight(NamedTuple):
    """Eight by eight: what the verbs below say where a class does not."""

    size: int


Board = Four | Six | Eight
BOARDS: dict[int, Board] = {4: Four(4), 6: Six(6), 8: Eight(8)}


@verb
def cells(board: Board) -> U64:
    """All squares."""
    return ALL_ONES


@verb
def corners(board: Board) -> U64:
    """The four corners."""
    return U64(0x8100_0000_0000_0081)


@verb
def inner(board: Board) -> U64:
    """The squares that are not on the edge."""
    return U64(0x007E_7E7E_7E7E_7E00)


@verb
def count_cells(board: Board) -> int:
    """How many squares there are."""
    return 64


@verb
def to_middle(board: Board) -> int:
    """How far a square has to be moved for the middle of the board to be that of 8x8."""
    return 0


@compilable
def quadrant(board: Board, square: int) -> int:
    """The bit of the quadrant that a square is in."""
    moved = square + to_middle(board)
    return 1 << (((moved >> 2) & 1) | ((moved >> 4) & 2))


@compilable
def parity_of(board: Board, empty: U64) -> int:
    """The quadrants with an odd number of empty squares."""
    empty <<= U64(to_middle(board))
    upper, left = U64(0xFFFF_FFFF), U64(0x0F0F_0F0F_0F0F_0F0F)
    parity = popcount(empty & upper & left) & 1
    parity |= (popcount(empty & upper & ~left) & 1) << 1
    parity |= (popcount(empty & ~upper & left) & 1) << 2
    return parity | (popcount(empty & ~upper & ~left) & 1) << 3


@compilable
def squares_of(board: Board, parity: int) -> U64:
    """The squares of these quadrants."""
    left = U64(parity & 1) * U64(0x0F0F_0F0F)
    left |= U64((parity >> 2) & 1) * U64(0x0F0F_0F0F_0000_0000)
    right = U64((parity >> 1) & 1) * U64(0xF0F0_F0F0)
    right |= U64((parity >> 3) & 1) * U64(0xF0F0_F0F0_0000_0000)
    return (left | right) >> U64(to_middle(board))


@compilable
def final_score(board: Board, me: U64, opp: U64) -> int:
    """The margin of a game that is over; empty squares count for the winner."""
    mine, theirs = popcount(me), popcount(opp)
    if mine > theirs:
        return count_cells(board) - 2 * theirs
    if mine < theirs:
        return 2 * mine - count_cells(board)
    return 0


def board_of(state: State) -> Board:
    """The board that a position is played on. Raises Unsupported."""
    if not isinstance(state, Othello):
        raise Unsupported("this board cannot be solved; expected 4x4, 6x6 or 8x8")
    return BOARDS[popcount(state.cells & U64(0xFF))]
