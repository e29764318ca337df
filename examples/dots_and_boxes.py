"""Dots and Boxes: draw lines between dots; whoever closes a box owns it and moves again.

When all lines are drawn, most boxes win, and by how many counts. Lines are numbered as one reads
them, and a box has the number of the line on top of it. The bits of 2x3 boxes:

       a  b  c  d  e  f  g
    1  •  0  •  1  •  2  •     The lines of box 0 are 0, 3, 4 and 7; of every box n they are n,
    2  3     4     5     6     n + c, n + c + 1 and n + 2c + 1, where c is the number of columns.
    3  •  7  •  8  •  9  •     So a few shifts find all closed boxes at once.
    4 10    11    12    13
    5  • 14  • 15  • 16  •     Line 0 is called b1, line 3 is called a2.

On 3x3 boxes the second player wins by 3 (D. Wilson's analysis). Perft counts over 2,000 million
leaves a second on one core.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from plyground.bits import U64, ZERO, bit, combine, lowest_index, popcount, without_lowest
from plyground.core.board import Board
from plyground.core.errors import MalformedText, shorten
from plyground.games.spec import PLAYERS, GameSpec, Parameter, ReadyPosition
from plyground.games.squares import LETTERS, square_name
from plyground.kernel import compilable

MOST = 5  # rows and columns: 5x5 boxes have 60 lines, which fit a word
MOST_LINES = 2 * MOST * (MOST + 1)
DOT, ACROSS, DOWN = "•", "—", "|"
SYMBOLS = {DOT: "+", ACROSS: "-", DOWN: "|", "": ".", "first": "X", "second": "O"}


@compilable
def closed(lines, boxes, columns):
    """The boxes, by the line on top, that have all four lines."""
    sides = lines >> U64(columns) & lines >> U64(columns + 1)
    return boxes & lines & sides & lines >> U64(2 * columns + 1)


@compilable
def lines_of(boxes, columns):
    """All lines of some boxes."""
    sides = boxes << U64(columns) | boxes << U64(columns + 1)
    return boxes | sides | boxes << U64(2 * columns + 1)


# ------------------------------------------------------------------ places
#
# The board is drawn as 2 * rows + 1 by 2 * columns + 1 places. Dots have even numbers both down
# and across, boxes odd ones, and the lines are between them.


@compilable
def place_of_line(line, columns):
    """How far down and across a line is drawn."""
    row, along = line // (2 * columns + 1), line % (2 * columns + 1)
    if along < columns:
        return 2 * row, 2 * along + 1
    return 2 * row + 1, 2 * (along - columns)


@compilable
def line_at(down, across, columns):
    return down // 2 * (2 * columns + 1) + across // 2 + (columns if down % 2 else 0)


@compilable
def turned(place, symmetry, rows, columns):
    """A place seen through a symmetry; 4 and above exchange rows for columns."""
    down, across = place
    if symmetry & 1:
        across = 2 * columns - across
    if symmetry & 2:
        down = 2 * rows - down
    return (across, down) if symmetry & 4 else (down, across)


@compilable
def turned_word(word, sunk, symmetry, rows, columns):
    """Lines turned, or boxes by their middle, which is sunk one place below their number."""
    answer = ZERO
    while word:
        down, across = place_of_line(lowest_index(word), columns)
        down, across = turned((down + sunk, across), symmetry, rows, columns)
        answer |= bit(line_at(down - sunk, across, columns))
        word = without_lowest(word)
    return answer


class DotsAndBoxes(NamedTuple):
    """Lines drawn; boxes of the side to move, of the other side, and all there are; whose turn."""

    lines: U64
    mine: U64
    theirs: U64
    boxes: U64
    columns: int
    side: int

    def legal_moves(self, moves, start):
        free = lines_of(self.boxes, self.columns) & ~self.lines
        while free:
            moves[start] = lowest_index(free)
            free = without_lowest(free)
            start += 1
        return start

    def count_moves(self, moves, start):
        return popcount(lines_of(self.boxes, self.columns) & ~self.lines)

    def play(self, move):
        lines, boxes, columns = self.lines | bit(move), self.boxes, self.columns
        mine = closed(lines, boxes, columns) & ~self.theirs
        if mine != self.mine:
            return DotsAndBoxes(lines, mine, self.theirs, boxes, columns, self.side)
        return DotsAndBoxes(lines, self.theirs, mine, boxes, columns, 1 - self.side)

    def is_over(self):
        return self.mine | self.theirs == self.boxes

    def outcome(self):
        return popcount(self.mine) - popcount(self.theirs)

    def cells_left(self):
        return popcount(lines_of(self.boxes, self.columns) & ~self.lines)

    def key(self):
        """How many boxes each side has matters, not which: so far more positions are the same."""
        return combine(combine(self.lines, self.boxes), U64(2 * popcount(self.mine) + self.side))

    def count_symmetries(self):
        return 8 if popcount(self.boxes) == self.columns * self.columns else 4

    def transform(self, symmetry):
        rows, columns = popcount(self.boxes) // self.columns, self.columns
        lines = turned_word(self.lines, 0, symmetry, rows, columns)
        mine = turned_word(self.mine, 1, symmetry, rows, columns)
        theirs = turned_word(self.theirs, 1, symmetry, rows, columns)
        return DotsAndBoxes(lines, mine, theirs, self.boxes, columns, self.side)

    def transform_move(self, move, symmetry):
        rows, columns = popcount(self.boxes) // self.columns, self.columns
        down, across = turned(place_of_line(move, columns), symmetry, rows, columns)
        return line_at(down, across, columns)


# ------------------------------------------------------------------ text and board


def start(rows, columns):
    """No line is drawn."""
    boxes = sum((1 << columns) - 1 << row * (2 * columns + 1) for row in range(rows))
    return DotsAndBoxes(ZERO, ZERO, ZERO, U64(boxes), columns, 0)


def shape(state):
    """Places down and across."""
    return 2 * (popcount(state.boxes) // state.columns) + 1, 2 * state.columns + 1


def cell_of(state, move):
    down, across = place_of_line(move, state.columns)
    return down * shape(state)[1] + across


def content(state, down, across):
    """What is drawn at a place."""
    if down % 2 and across % 2:
        box = bit(line_at(down - 1, across, state.columns))
        owner = state.side if state.mine & box else 1 - state.side
        return PLAYERS[owner] if (state.mine | state.theirs) & box else ""
    if down % 2 or across % 2:
        is_drawn = state.lines & bit(line_at(down, across, state.columns))
        return (DOWN if down % 2 else ACROSS) if is_drawn else ""
    return DOT


def board(state):
    rows, columns = shape(state)
    cells = [content(state, down, across) for down in range(rows) for across in range(columns)]
    return Board(
        "grid",
        rows,
        columns,
        tuple(cells),
        row_labels=tuple(str(row + 1) for row in range(rows)),
        column_labels=tuple(LETTERS[:columns]),
        counts={player: cells.count(player) for player in PLAYERS},
    )


def write_position(state):
    """`+-+.+/|X|.|/+-+.+ O`: the places from the top as they are drawn, then who is to move."""
    text = "".join(SYMBOLS[cell] for cell in board(state).cells)
    width = shape(state)[1]
    rows = (text[i : i + width] for i in range(0, len(text), width))
    return f"{'/'.join(rows)} {'XO'[state.side]}"


def read_position(start, text):
    height, width = shape(start)
    dots, between = r"\+" + r"[-.]\+" * start.columns, "[|.]" + "[XO.][|.]" * start.columns
    symbols = re.sub(r"[\s/]", "", text.upper())
    if not re.fullmatch(dots + (between + dots) * (height // 2) + "[XO]", symbols):
        form = f"{height} rows, {'+-' * start.columns}+ and {'|.' * start.columns}| in turn"
        raise MalformedText(f"position {shorten(text)!r}: expected {form}, then X or O to move")
    lines = first = second = 0
    for place, symbol in enumerate(symbols[:-1]):
        down, across = divmod(place, width)
        lines |= (symbol in "-|") << line_at(down, across, start.columns)
        first |= (symbol == "X") << max(0, line_at(down - 1, across, start.columns))
        second |= (symbol == "O") << max(0, line_at(down - 1, across, start.columns))
    if closed(U64(lines), start.boxes, start.columns) != first | second:
        raise MalformedText("a box has an owner, X or O, if and only if its four lines are drawn")
    side = "XO".index(symbols[-1])
    mine, theirs = (second, first) if side else (first, second)
    return start._replace(lines=U64(lines), mine=U64(mine), theirs=U64(theirs), side=side)


GAME = GameSpec(
    name="dots-and-boxes",
    title="Dots and Boxes",
    summary="Draw lines; who closes a box owns it and moves again; most boxes win.",
    parameters=(
        Parameter("rows", 3, "boxes from top to bottom", low=1, high=MOST),
        Parameter("columns", 3, "boxes from left to right", low=1, high=MOST),
    ),
    start=start,
    max_moves=MOST_LINES,
    code_limit=lambda start: popcount(lines_of(start.boxes, start.columns)),
    score_limit=lambda start: popcount(start.boxes),
    has_margin=True,
    players=("X", "O"),
    sample="b1",
    ready_positions=(
        ReadyPosition("Two by two: X wins", settings={"rows": 2, "columns": 2}),
        ReadyPosition("Take one box, give away two", "a2 a4 a6 c2 c4 c6 e2 e4 g2 g4 g6 d7 f7 b1"),
        ReadyPosition("Four by four", settings={"rows": 4, "columns": 4}),
    ),
    write_move=lambda state, move: square_name(cell_of(state, move), shape(state)[1]),
    read_position=read_position,
    write_position=write_position,
    board=board,
    move_cells=lambda state, move: (cell_of(state, move),),
)
