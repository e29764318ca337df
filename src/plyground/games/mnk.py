"""m,n,k games: mark cells of a board m wide and n high; k in a row win. Tic-tac-toe is 3,3,3.

Bit m*row + column, row 0 on top, without guard bits, so that 64 cells fit one word. For 3,3,3:

       a b c
    1  0 1 2      `left` marks column a. A step to the right that would wrap round arrives
    2  3 4 5      there, so lines that step sideways are cut at `left` instead of at a guard.
    3  6 7 8
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import (
    U64,
    WORD_BITS,
    ZERO,
    bit,
    lowest_index,
    popcount,
    without_lowest,
)
from plyground.core.board import Board
from plyground.core.errors import MalformedText, Unsupported
from plyground.games import squares
from plyground.games.rules import Buffer, State
from plyground.games.spec import GameSpec, Parameter, ReadyPosition
from plyground.kernel import compilable

MOST_CELLS = WORD_BITS
LONGEST_EDGE = len(squares.LETTERS)


@compilable
def has_line(marks: U64, step: int, length: int, wall: U64) -> bool:
    """Whether `length` marks stand in a row, `step` bits apart, none but the first in the wall.

    Read backwards: a bit survives a step if the mark `step` bits above it belongs to the line.
    """
    runs = marks
    for _ in range(length - 1):
        runs = marks & ((runs & ~wall) >> U64(step))
    return runs != ZERO


@compilable
def is_won(marks: U64, width: int, length: int, left: U64) -> bool:
    """Whether these marks, all of one side, have a line in any of the four directions."""
    right = left << U64(width - 1)
    return (
        has_line(marks, 1, length, left)
        or has_line(marks, width, length, ZERO)
        or has_line(marks, width + 1, length, left)
        or has_line(marks, width - 1, length, right)
    )


class Mnk(NamedTuple):
    """A position: my marks, the opponent's, and the board: its cells, its left column, k."""

    me: U64
    opp: U64
    cells: U64
    left: U64
    k: int

    def legal_moves(self, moves: Buffer, start: int) -> int:
        empty = self.cells & ~(self.me | self.opp)
        while empty:
            moves[start] = lowest_index(empty)
            empty = without_lowest(empty)
            start += 1
        return start

    def count_moves(self, moves: Buffer, start: int) -> int:
        return popcount(self.cells & ~(self.me | self.opp))

    def play(self, move: int) -> Mnk:
        return Mnk(self.opp, self.me | bit(move), self.cells, self.left, self.k)

    def is_over(self) -> bool:
        if is_won(self.opp, width_of(self.cells, self.left), self.k, self.left):
            return True
        return self.me | self.opp == self.cells

    def outcome(self) -> int:
        return -1 if is_won(self.opp, width_of(self.cells, self.left), self.k, self.left) else 0

    def side(self) -> int:
        return popcount(self.me | self.opp) & 1

    def turn(self, child: Mnk) -> int:
        return -1

    def cells_left(self) -> int:
        return popcount(self.cells & ~(self.me | self.opp))

    def count_symmetries(self) -> int:
        return 8 if popcount(self.left) == width_of(self.cells, self.left) else 4

    def transform(self, symmetry: int) -> Mnk:
        width, height = width_of(self.cells, self.left), popcount(self.left)
        me = symmetric_word(self.me, symmetry, width, height)
        opp = symmetric_word(self.opp, symmetry, width, height)
        return Mnk(me, opp, self.cells, self.left, self.k)

    def transform_move(self, move: int, symmetry: int) -> int:
        width, height = width_of(self.cells, self.left), popcount(self.left)
        return symmetric_cell(move, symmetry, width, height)


@compilable
def width_of(cells: U64, left: U64) -> int:
    """The distance between two bits of the left column; a single row is as wide as it is long."""
    below = without_lowest(left)
    return lowest_index(below) if below else popcount(cells)


@compilable
def symmetric_cell(cell: int, symmetry: int, width: int, height: int) -> int:
    """The cell seen through a symmetry; 4 and above, the transposed ones, need a square board."""
    row, column = cell // width, cell % width
    if symmetry & 1:
        column = width - 1 - column
    if symmetry & 2:
        row = height - 1 - row
    if symmetry & 4:
        row, column = column, row
    return row * width + column


@compilable
def symmetric_word(word: U64, symmetry: int, width: int, height: int) -> U64:
    """All marks of a word seen through a symmetry."""
    answer = ZERO
    while word:
        answer |= bit(symmetric_cell(lowest_index(word), symmetry, width, height))
        word = without_lowest(word)
    return answer


# ------------------------------------------------------------------ text and board


def start(m: int, n: int, k: int) -> Mnk:
    """The empty board."""
    if m * n > MOST_CELLS:
        raise Unsupported(f"a board of {m}x{n} has {m * n} cells; expected at most {MOST_CELLS}")
    if k > max(m, n):
        raise Unsupported(f"k={k} does not fit on a board of {m}x{n}")
    left = sum(1 << m * row for row in range(n))
    return Mnk(ZERO, ZERO, U64((1 << m * n) - 1), U64(left), k)


def _shape(state: State) -> tuple[int, int]:
    """Columns and rows."""
    return width_of(state.cells, state.left), popcount(state.left)


def _marks(state: State) -> tuple[int, int]:
    me, opp = int(state.me), int(state.opp)
    return (opp, me) if (me | opp).bit_count() & 1 else (me, opp)


def read_move(state: State, text: str) -> int:
    return squares.parse_square(text, *_shape(state))


def write_move(state: State, move: int) -> str:
    return squares.square_name(move, _shape(state)[0])


def read_position(start: State, text: str) -> State:
    width, height = _shape(start)
    first, second, side = squares.read_turns(text, width * height, "marks")
    me, opp = (second, first) if side else (first, second)
    if is_won(U64(me), width, start.k, start.left):
        raise MalformedText(f"{'XO'[side]} is to move but has {start.k} in a row already")
    return start._replace(me=U64(me), opp=U64(opp))


def write_position(state: State) -> str:
    return squares.write_rows(*_marks(state), *_shape(state))


def board(state: State) -> Board:
    width, height = _shape(state)
    first, second = _marks(state)
    cells = squares.cell_owners(first, second, width * height)
    return Board(
        "grid",
        rows=height,
        columns=width,
        cells=cells,
        line=squares.line_of(cells, width, state.k),
        row_labels=tuple(str(row + 1) for row in range(height)),
        column_labels=tuple(squares.LETTERS[:width]),
    )


def place_weights(state: State) -> list[int]:
    """Cells from the middle outwards."""
    width, height = _shape(state)
    return [
        width + height - abs(2 * (cell % width) - width + 1) - abs(2 * (cell // width) - height + 1)
        for cell in range(width * height)
    ]


GAME = GameSpec(
    name="mnk",
    title="m,n,k game",
    summary="Mark cells in turn; the first to have k in a row wins. 3,3,3 is tic-tac-toe.",
    aliases=("tictactoe", "tic-tac-toe", "noughts-and-crosses"),
    players=("X", "O"),
    parameters=(
        Parameter("m", 3, "columns; m * n is at most 64", low=1, high=LONGEST_EDGE),
        Parameter("n", 3, "rows", low=1, high=LONGEST_EDGE),
        Parameter("k", 3, "marks in a row that win", low=1, high=LONGEST_EDGE),
    ),
    presets={"tictactoe": {"m": 3, "n": 3, "k": 3}, "gomoku": {"m": 8, "n": 8, "k": 5}},
    start=start,
    states=(Mnk,),
    max_moves=MOST_CELLS,
    code_limit=lambda start: int(popcount(start.cells)),
    sample="b2",
    ready_positions=(
        ReadyPosition("Tic-tac-toe: two corners", "a1 b2 c3"),
        ReadyPosition("Four in a row on 5 by 5", "c3", settings={"m": 5, "n": 5, "k": 4}),
        ReadyPosition(
            "Five in a row: an open three", "d4 d8 e4 e8 f4", settings={"m": 8, "n": 8, "k": 5}
        ),
    ),
    read_move=read_move,
    write_move=write_move,
    why_illegal=lambda state, move: "the cell is taken",
    split_moves=squares.split_squares,
    read_position=read_position,
    write_position=write_position,
    board=board,
    move_cells=lambda state, move: (move,),
    place_weights=place_weights,
)
