"""The board of a solver: where cells are, and which empty cells would complete a four.

The layout of `games/connect_four.py`: columns of `rows` cells topped by one guard bit. A row is
*odd* or *even* as players count, from 1 at the bottom. The board of 7x6 has a class of its own
whose sizes are constants in the compiled code; `bench/connect_four.py` measures what that is worth.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import ONE, U64
from plyground.games.connect_four import ConnectFour
from plyground.kernel import compilable, verb


class AnySize(NamedTuple):
    """A board of any size: all of its cells, those of the first row, and those of even rows."""

    cells: U64
    bottom: U64
    even: U64
    height: int


class Standard(AnySize):
    """The board of seven columns and six rows."""

    def rows(self) -> int:
        return 6

    def all_cells(self) -> U64:
        return U64(0xFDFB_F7EF_DFBF)

    def first_row(self) -> U64:
        return U64(0x0408_1020_4081)

    def even_rows(self) -> U64:
        return U64(0xA952_A54A_952A)


Board = AnySize | Standard


@verb
def rows(board: Board) -> int:
    """How many rows there are."""
    return board.height


@verb
def all_cells(board: Board) -> U64:
    """Every cell."""
    return board.cells


@verb
def first_row(board: Board) -> U64:
    """The cells at the bottom."""
    return board.bottom


@verb
def even_rows(board: Board) -> U64:
    """The cells of the second, fourth, sixth row."""
    return board.even


def board_of(state: ConnectFour) -> Board:
    """The board that a position is played on."""
    bottom, height = int(state.bottom), state.height
    cells = bottom * ((1 << height) - 1)
    even = bottom * sum(1 << row for row in range(1, height, 2))
    kind = Standard if (height, bottom.bit_count()) == (6, 7) else AnySize
    return kind(U64(cells), U64(bottom), U64(even), height)


@compilable
def playable(board: Board, stones: U64) -> U64:
    """The lowest empty cell of every column that is not full."""
    return (stones + first_row(board)) & all_cells(board)


@compilable
def fourth_cells(stones: U64, step: int) -> U64:
    """Cells, empty or not, that lie in a line with three of these stones, in one direction."""
    near = U64(step)
    up, down = stones << near, stones >> near
    two_below = up & (up << near)
    two_above = down & (down >> near)
    return (two_below & (down | ((up << near) << near))) | (
        two_above & (up | ((down >> near) >> near))
    )


@compilable
def threats(board: Board, mine: U64, stones: U64) -> U64:
    """The empty cells that would complete a four of mine, playable or not."""
    step = rows(board) + 1
    column = (mine << ONE) & (mine << U64(2)) & (mine << U64(3))
    found = (
        column
        | fourth_cells(mine, step)
        | fourth_cells(mine, step - 1)
        | fourth_cells(mine, step + 1)
    )
    return found & all_cells(board) & ~stones


@compilable
def fours(stones: U64, step: int) -> U64:
    """The first cell of each four in one direction."""
    near = U64(step)
    pairs = stones & (stones >> near)
    return pairs & ((pairs >> near) >> near)


@compilable
def upwards(board: Board, cells: U64) -> U64:
    """These cells, and all cells above them."""
    all_of_them, bottom = all_cells(board), first_row(board)
    cells |= (cells << ONE) & all_of_them
    cells |= (cells << U64(2)) & all_of_them & ~(bottom | (bottom << ONE))
    low_half = (bottom << U64(4)) - bottom
    return cells | ((cells << U64(4)) & all_of_them & ~low_half)
