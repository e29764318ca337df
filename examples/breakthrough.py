"""Breakthrough (Dan Troyka 2000): whoever first brings a piece to the far row wins.

Each side begins with two rows of pieces; White moves first. A piece goes one square forward,
straight or diagonally, to an empty square, and takes diagonally only. A side without pieces has
lost. There are no draws, and there is always a move: nothing of its own is ahead of the foremost
piece. The bits of a board of 5 columns and 6 rows:

       a  b  c  d  e
    6  0  1  2  3  4
    5  5  6  7  8  9       Black moves down, White up
    4 10 11 12 13 14       move = 3 * origin + direction
    3 15 16 17 18 19       0 left, 1 straight, 2 right: from c2
    2 20 21 22 23 24       White goes to b3, c3, d3
    1 25 26 27 28 29

Perft counts some 180 million leaves a second on one core.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from plyground.bits import ONE, U64, ZERO, bit, lowest_index, without_lowest
from plyground.core.board import Board
from plyground.core.errors import MalformedText, shorten
from plyground.games.spec import GameSpec, Parameter, ReadyPosition
from plyground.games.squares import LETTERS, cell_owners
from plyground.kernel import compilable

LEAST, MOST = 2, 8  # columns; 8x8 squares fill a word
DIRECTIONS, STRAIGHT = 3, 1
HOME_ROWS = 2


@compilable
def target_of(state, move):
    """The square to which a move leads."""
    forward = state.columns if state.side else -state.columns
    return move // DIRECTIONS + forward + move % DIRECTIONS - STRAIGHT


@compilable
def can_move(state, move):
    """Whether a move of one of my pieces stays on the board and finds its target free."""
    column = move // DIRECTIONS % state.columns + move % DIRECTIONS - STRAIGHT
    if column < 0 or column >= state.columns:
        return False
    blocked = state.mine | state.theirs if move % DIRECTIONS == STRAIGHT else state.mine
    return blocked & bit(target_of(state, move)) == ZERO


@compilable
def home_row(state, side):
    """The row in which a side begins, and at which the other side aims."""
    row = bit(state.columns) - ONE
    return row if side else row << U64(state.columns * (state.rows - 1))


@compilable
def mirrored_square(square, columns):
    return square + columns - 1 - 2 * (square % columns)


@compilable
def mirrored(word, columns):
    answer = ZERO
    while word:
        answer |= bit(mirrored_square(lowest_index(word), columns))
        word = without_lowest(word)
    return answer


class Breakthrough(NamedTuple):
    """The pieces of the side to move and of the other side; the board; who is to move."""

    mine: U64
    theirs: U64
    columns: int
    rows: int
    side: int

    def legal_moves(self, moves, start):
        pieces = self.mine
        while pieces:
            first = DIRECTIONS * lowest_index(pieces)
            for move in range(first, first + DIRECTIONS):
                if can_move(self, move):
                    moves[start] = move
                    start += 1
            pieces = without_lowest(pieces)
        return start

    def play(self, move):
        origin, target = bit(move // DIRECTIONS), bit(target_of(self, move))
        mine, theirs = self.mine ^ origin ^ target, self.theirs & ~target
        return Breakthrough(theirs, mine, self.columns, self.rows, 1 - self.side)

    def is_over(self):
        return self.mine == ZERO or self.theirs & home_row(self, self.side) != ZERO

    def outcome(self):
        return -1  # the other side has just arrived, or taken the last piece

    def turn(self, child):
        return -1

    def count_symmetries(self):
        return 2  # left and right

    def transform(self, symmetry):
        if symmetry == 0:
            return self
        mine, theirs = mirrored(self.mine, self.columns), mirrored(self.theirs, self.columns)
        return Breakthrough(mine, theirs, self.columns, self.rows, self.side)

    def transform_move(self, move, symmetry):
        if symmetry == 0:
            return move
        origin, direction = move // DIRECTIONS, move % DIRECTIONS
        return DIRECTIONS * mirrored_square(origin, self.columns) + DIRECTIONS - 1 - direction


# ------------------------------------------------------------------ text and board


def start(columns, rows):
    """Two full rows at either end."""
    pieces = (1 << HOME_ROWS * columns) - 1
    white = U64(pieces << columns * (rows - HOME_ROWS))
    return Breakthrough(white, U64(pieces), columns, rows, 0)


def square_name(state, square):
    """Columns are letters; rows are counted from White's side, as on a chessboard."""
    return f"{LETTERS[square % state.columns]}{state.rows - square // state.columns}"


def write_move(state, move):
    return square_name(state, move // DIRECTIONS) + square_name(state, target_of(state, move))


def board(state):
    white, black = (state.theirs, state.mine) if state.side else (state.mine, state.theirs)
    return Board(
        "grid",
        state.rows,
        state.columns,
        cell_owners(int(white), int(black), state.rows * state.columns),
        row_labels=tuple(str(row) for row in range(state.rows, 0, -1)),
        column_labels=tuple(LETTERS[: state.columns]),
    )


def write_position(state):
    """`BBBB/BBBB/----/WWWW/WWWW W`: the rows from the top, then who is to move."""
    text = "".join({"first": "W", "second": "B"}.get(owner, "-") for owner in board(state).cells)
    rows = (text[i : i + state.columns] for i in range(0, len(text), state.columns))
    return f"{'/'.join(rows)} {'WB'[state.side]}"


def read_position(start, text):
    squares = start.columns * start.rows
    found = re.fullmatch(rf"([WB-]{{{squares}}})([WB])", re.sub(r"[\s/]", "", text.upper()))
    if not found:
        form = f"{squares} squares, each W, B or -, then W or B to move"
        raise MalformedText(f"position {shorten(text)!r}: expected {form}")
    both = [U64(sum(1 << i for i, each in enumerate(found[1]) if each == own)) for own in "WB"]
    side = "WB".index(found[2])
    state = start._replace(mine=both[side], theirs=both[1 - side], side=side)
    if state.mine & home_row(state, 1 - side):
        raise MalformedText(f"{found[2]} is to move but has a piece on the far row already")
    return state


GAME = GameSpec(
    name="breakthrough",
    title="Breakthrough",
    summary="Bring a piece to the far row; pieces take diagonally forward.",
    parameters=(
        Parameter("columns", 8, "squares from left to right", low=LEAST, high=MOST),
        Parameter("rows", 8, "squares from White to Black", low=2 * HOME_ROWS, high=MOST),
    ),
    start=start,
    max_moves=DIRECTIONS * MOST * MOST,
    code_limit=lambda start: DIRECTIONS * start.columns * start.rows,
    players=("White", "Black"),
    sample="b2b3",
    ready_positions=(
        ReadyPosition("Six by six", settings={"columns": 6, "rows": 6}),
        ReadyPosition("Five by five", "a2a3 b4a3 b2a3 b5b4", settings={"columns": 5, "rows": 5}),
        ReadyPosition(
            "White wins in seven moves",
            position="-BB-BB--/--------/----B---/--------/----W--W/W-------/---W----/-W------ W",
        ),
    ),
    write_move=write_move,
    read_position=read_position,
    write_position=write_position,
    board=board,
    move_cells=lambda state, move: (move // DIRECTIONS, target_of(state, move)),
)
