"""Connect Four on W x H boards that fit 64 bits, K in a row; 7x6 and four by default.

Bit (H+1)*column + row, row 0 at the bottom; one guard bit tops each column, always empty, so that
no line can run from the top of one column into the next. For 7x6:

     6 13 20 27 34 41 48      guard bits
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46      `stones` holds both sides' stones, `me` those of the side to move.
     3 10 17 24 31 38 45      Adding `bottom` (bits 0 7 14 ...) to `stones` carries in every
     2  9 16 23 30 37 44      column to its lowest empty cell: all landing places in one sum.
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from plyground.bits import ONE, U64, WORD_BITS, ZERO, bit, popcount, signed
from plyground.core.board import Board
from plyground.core.errors import MalformedText, Unsupported
from plyground.games import squares
from plyground.games.rules import Buffer, State
from plyground.games.spec import GameSpec, Parameter, ReadyPosition
from plyground.kernel import compilable

FOUR = 4


@compilable
def has_line(stones: U64, step: int, length: int) -> bool:
    """Whether `length` stones stand in a row, `step` bits from one to the next."""
    pairs = stones & (stones >> U64(step))
    if length == FOUR:  # two pairs; perft gains a half over the loop. (One shift might exceed 63.)
        return pairs & ((pairs >> U64(step)) >> U64(step)) != ZERO
    runs = pairs
    for _ in range(length - 2):
        runs &= runs >> U64(step)
    return runs != ZERO


@compilable
def is_won(stones: U64, height: int, connect: int) -> bool:
    """Whether these stones, all of one side, have a line in any of the four directions."""
    column = height + 1
    return (
        has_line(stones, 1, connect)
        or has_line(stones, column, connect)
        or has_line(stones, column - 1, connect)
        or has_line(stones, column + 1, connect)
    )


@compilable
def not_full(stones: U64, bottom: U64, height: int) -> U64:
    """The columns that take another stone, each marked at its bottom."""
    return (~stones >> U64(height - 1)) & bottom


class ConnectFour(NamedTuple):
    """A position with its board: `bottom` marks the lowest cell of each column."""

    me: U64
    stones: U64
    bottom: U64
    height: int
    connect: int

    def legal_moves(self, moves: Buffer, start: int) -> int:
        open_columns = not_full(self.stones, self.bottom, self.height)
        for column in range(popcount(self.bottom)):
            moves[start] = column  # overwritten by the next column unless this one is open
            start += signed(open_columns & ONE)
            open_columns = open_columns >> U64(self.height + 1)
        return start

    def count_moves(self, moves: Buffer, start: int) -> int:
        return popcount(not_full(self.stones, self.bottom, self.height))

    def play(self, move: int) -> ConnectFour:
        stones = self.stones | (self.stones + bit(move * (self.height + 1)))
        return ConnectFour(self.stones ^ self.me, stones, self.bottom, self.height, self.connect)

    def is_over(self) -> bool:
        if is_won(self.stones ^ self.me, self.height, self.connect):
            return True
        return not_full(self.stones, self.bottom, self.height) == ZERO

    def outcome(self) -> int:
        return -1 if is_won(self.stones ^ self.me, self.height, self.connect) else 0

    def side(self) -> int:
        return popcount(self.stones) & 1

    def turn(self, child: ConnectFour) -> int:
        return -1

    def place_of(self, move: int) -> int:
        step = self.height + 1
        return step * move + popcount((self.stones >> U64(step * move)) & (bit(step) - ONE))

    def noisy_moves(self, moves: Buffer, start: int) -> int:
        """Columns where this side wins at once, or the other side would."""
        open_columns, other = not_full(self.stones, self.bottom, self.height), self.stones ^ self.me
        for column in range(popcount(self.bottom)):
            foot = bit(column * (self.height + 1))
            cell = (self.stones + foot) & ~self.stones
            if open_columns & foot and (
                is_won(self.me | cell, self.height, self.connect)
                or is_won(other | cell, self.height, self.connect)
            ):
                moves[start] = column
                start += 1
        return start

    def cells_left(self) -> int:
        return popcount(self.bottom) * self.height - popcount(self.stones)

    def count_symmetries(self) -> int:
        return 2

    def transform(self, symmetry: int) -> ConnectFour:
        if symmetry == 0:
            return self
        return ConnectFour(
            mirrored(self.me, self.height, popcount(self.bottom)),
            mirrored(self.stones, self.height, popcount(self.bottom)),
            self.bottom,
            self.height,
            self.connect,
        )

    def transform_move(self, move: int, symmetry: int) -> int:
        return move if symmetry == 0 else popcount(self.bottom) - 1 - move


@compilable
def mirrored(stones: U64, height: int, width: int) -> U64:
    """The stones with the columns in reverse."""
    column, answer = bit(height + 1) - ONE, ZERO
    for _ in range(width):
        answer = (answer << U64(height + 1)) | (stones & column)
        stones = stones >> U64(height + 1)
    return answer


# ------------------------------------------------------------------ text and board


def start(width: int, height: int, connect: int) -> ConnectFour:
    """The empty board."""
    if width * (height + 1) > WORD_BITS:
        raise Unsupported(
            f"a board of {width}x{height} needs {width * (height + 1)} bits of {WORD_BITS}; "
            "expected width * (height + 1) of at most 64"
        )
    if connect > max(width, height):
        raise Unsupported(f"connect={connect} does not fit on a board of {width}x{height}")
    bottom = sum(1 << (height + 1) * column for column in range(width))
    return ConnectFour(ZERO, ZERO, U64(bottom), height, connect)


def _width(state: State) -> int:
    return popcount(state.bottom)


@functools.cache
def _cell_bits(width: int, height: int) -> tuple[int, ...]:
    """The bits of the cells, which are numbered row by row from the top left."""
    rows = range(height - 1, -1, -1)
    return tuple((height + 1) * column + row for row in rows for column in range(width))


def _gather(state: State, word: U64) -> int:
    """The stones as bits of cells numbered row by row from the top left."""
    stones, places = int(word), _cell_bits(_width(state), state.height)
    return sum(1 << cell for cell, place in enumerate(places) if stones >> place & 1)


def _stones(state: State) -> tuple[int, int]:
    me, other = _gather(state, state.me), _gather(state, state.stones ^ state.me)
    return (other, me) if popcount(state.stones) & 1 else (me, other)


def read_move(state: State, text: str) -> int:
    return squares.parse_number(text, "column", _width(state))


def split_moves(text: str) -> list[str]:
    """`4455` and `4 4 5 5`; on boards wider than nine, columns of two digits need spaces."""
    words = [word for word in re.split(r"[\s,;]+", squares.plain_text(text)) if word]
    return words if len(words) > 1 else list("".join(words))


def read_position(start: State, text: str) -> State:
    width, height = _width(start), start.height
    first, second, side = squares.read_turns(text, width * height, "stones")
    for cell in range(width * (height - 1)):
        if (first | second) >> cell & 1 > (first | second) >> (cell + width) & 1:
            column, row = cell % width + 1, height - cell // width
            raise MalformedText(
                f"the stone in column {column}, row {row} from below, hangs in the air"
            )
    places = _cell_bits(width, height)
    words = [
        sum(1 << place for cell, place in enumerate(places) if bits >> cell & 1)
        for bits in (first, second)
    ]
    if is_won(U64(words[side]), height, start.connect):
        raise MalformedText(f"{'XO'[side]} is to move but has {start.connect} in a row already")
    return start._replace(me=U64(words[side]), stones=U64(words[0] | words[1]))


def write_position(state: State) -> str:
    return squares.write_rows(*_stones(state), _width(state), state.height)


def board(state: State) -> Board:
    first, second = _stones(state)
    width = _width(state)
    cells = squares.cell_owners(first, second, width * state.height)
    return Board(
        "columns",
        rows=state.height,
        columns=width,
        cells=cells,
        column_labels=tuple(str(column + 1) for column in range(width)),
        counts={"first": first.bit_count(), "second": second.bit_count()},
        line=squares.line_of(cells, width, state.connect),
    )


def move_cells(state: State, move: int) -> tuple[int, ...]:
    """The cell where a stone dropped into this column lands."""
    step = state.height + 1
    level = (int(state.stones) >> step * move & (1 << step) - 1).bit_count()
    return ((state.height - 1 - level) * _width(state) + move,)


def place_weights(state: State) -> list[int]:
    """For each cell the number of lines through it; of equals, the one nearer to the middle.

    On 7x6 the empty board is then searched in the order 4 5 3 6 2 7 1.
    """
    width, height = _width(state), state.height
    lines, places = [0] * (width * (height + 1)), _cell_bits(width, height)
    for line in squares.lines_on(height, width, state.connect):
        for cell in line:
            lines[places[cell]] += 1
    nearness = sorted(range(width), key=lambda column: (-abs(2 * column - width + 1), column))
    return [
        weight * width + nearness.index(place // (height + 1)) for place, weight in enumerate(lines)
    ]


GAME = GameSpec(
    name="connect4",
    title="Connect Four",
    summary="Drop stones into columns; the first to have four in a row wins.",
    aliases=("connect-four", "connectfour", "four-in-a-row", "c4"),
    players=("Yellow", "Red"),
    parameters=(
        Parameter("width", 7, "columns; width * (height + 1) is at most 64", low=2, high=32),
        Parameter("height", 6, "rows", low=1, high=31),
        Parameter("connect", 4, "stones in a row that win", low=2, high=32),
    ),
    start=start,
    states=(ConnectFour,),
    max_moves=32,
    code_limit=lambda start: int(popcount(start.bottom)),
    sample="4",
    ready_positions=(
        ReadyPosition("Puzzle: easy", "54134666647235"),
        ReadyPosition("Puzzle: medium", "42331417726"),
        ReadyPosition("Puzzle: hard", "67746657"),
    ),
    read_move=read_move,
    write_move=squares.write_number,
    why_illegal=lambda state, move: "the column is full",
    split_moves=split_moves,
    read_position=read_position,
    write_position=write_position,
    board=board,
    move_cells=move_cells,
    place_weights=place_weights,
    levels={
        "amateur": "alphabeta:depth=2,eval=columns,noise=30%",
        "medium": "alphabeta:depth=4,eval=segments,ties=random,noise=10%",
        "expert": "abmemory:nodes=1M,eval=threats,order=all,symmetric=yes",
    },
)
