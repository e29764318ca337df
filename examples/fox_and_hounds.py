"""Fox and Hounds: one fox against four hounds on the dark squares of a chessboard.

The fox moves first, one square diagonally in any direction. A hound moves one square diagonally,
towards the fox's side only. Nothing is taken. The fox wins when it reaches the row where the hounds
began, or when no hound can move; the hounds win when the fox cannot move. With perfect play they do
(Berlekamp, Conway & Guy 1982, "Winning Ways"). No game is longer than 57 moves, as each hound has
seven. The bits of 8x8, of which the hounds begin on 1, 3, 5, 7 and the fox on 60:

        a  b  c  d  e  f  g  h
    8      1     3     5     7
    7   8    10    12    14            move = 64 * origin + target
    6     17    19    21    23
    5  24    26    28    30            A step is a shift by 7 or 9 bits. Over an edge it would
    4     33    35    37    39         end on a light square: none is in `squares`.
    3  40    42    44    46
    2     49    51    53    55         There is no symmetry: in a mirror the dark squares
    1  56    58    60    62            are the light ones.

Perft counts some 180 million leaves a second on one core.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from plyground.bits import U64, ZERO, bit, lowest_index, without_lowest
from plyground.core.board import Board
from plyground.core.errors import MalformedText, shorten
from plyground.games.spec import GameSpec, Parameter, ReadyPosition
from plyground.games.squares import LETTERS
from plyground.kernel import compilable

FOX, HOUNDS = 0, 1
CELLS = 64  # of the largest board
MOST_MOVES = 8  # of four hounds; the fox has four


@compilable
def targets(state, pieces):
    """The free squares to which some pieces of the side to move can go."""
    short, long = U64(state.size - 1), U64(state.size + 1)
    steps = pieces << short | pieces << long
    if state.side == FOX:
        steps |= pieces >> short | pieces >> long
    return steps & state.squares & ~(state.fox | state.hounds)


class FoxAndHounds(NamedTuple):
    """The fox, the hounds and the dark squares as bits; squares along an edge; who is to move."""

    fox: U64
    hounds: U64
    squares: U64
    size: int
    side: int

    def legal_moves(self, moves, start):
        pieces = self.hounds if self.side == HOUNDS else self.fox
        while pieces:
            origin = lowest_index(pieces)
            free = targets(self, bit(origin))
            while free:
                moves[start] = CELLS * origin + lowest_index(free)
                start += 1
                free = without_lowest(free)
            pieces = without_lowest(pieces)
        return start

    def play(self, move):
        origin, target = bit(move // CELLS), bit(move % CELLS)
        if self.side == FOX:
            return FoxAndHounds(target, self.hounds, self.squares, self.size, HOUNDS)
        hounds = self.hounds ^ origin ^ target
        return FoxAndHounds(self.fox, hounds, self.squares, self.size, FOX)

    def is_over(self):
        pieces = self.hounds if self.side == HOUNDS else self.fox
        return self.fox < bit(self.size) or targets(self, pieces) == ZERO

    def outcome(self):
        return -1  # the side to move is stuck, or the fox has just come through

    def turn(self, child):
        return -1


# ------------------------------------------------------------------ text and board


def start(size):
    """Hounds on all dark squares of the top row, the fox near the middle of the bottom row."""
    dark = [cell for cell in range(size**2) if (cell // size + cell % size) % 2]
    hounds = dark[: size // 2]
    fox = dark[-size // 2 + size // 4]
    return FoxAndHounds(U64(1 << fox), word(hounds), word(dark), size, FOX)


def word(cells):
    return U64(sum(1 << cell for cell in cells))


def square_name(state, cell):
    return f"{LETTERS[cell % state.size]}{state.size - cell // state.size}"


def write_move(state, move):
    return square_name(state, move // CELLS) + square_name(state, move % CELLS)


def board(state):
    owners = {"first": state.fox, "second": state.hounds, "": state.squares}
    return Board(
        "grid",
        state.size,
        state.size,
        tuple(
            next((owner for owner, cells in owners.items() if cells & bit(cell)), " ")
            for cell in range(state.size**2)
        ),
        row_labels=tuple(str(row) for row in range(state.size, 0, -1)),
        column_labels=tuple(LETTERS[: state.size]),
    )


def write_position(state):
    """`-H-H/----/----/--F- F`: the rows from the top, then who is to move."""
    text = "".join({"first": "F", "second": "H"}.get(owner, "-") for owner in board(state).cells)
    rows = (text[i : i + state.size] for i in range(0, len(text), state.size))
    return f"{'/'.join(rows)} {'FH'[state.side]}"


def read_position(start, text):
    found = re.fullmatch(rf"([FH-]{{{start.size**2}}})([FH])", re.sub(r"[\s/]", "", text.upper()))
    if not found:
        form = f"{start.size**2} squares, each F, H or -, then F or H to move"
        raise MalformedText(f"position {shorten(text)!r}: expected {form}")
    foxes, hounds = ([i for i, own in enumerate(found[1]) if own == who] for who in "FH")
    if len(foxes) != 1 or len(hounds) != start.size // 2:
        raise MalformedText(f"expected one F and {start.size // 2} H on the board")
    if word(foxes + hounds) & ~start.squares:
        raise MalformedText("expected F and H on dark squares only; a1 is dark")
    if found[2] == "F" and foxes[0] < start.size:
        raise MalformedText("the fox is to move but has won already")
    side = "FH".index(found[2])
    return start._replace(fox=word(foxes), hounds=word(hounds), side=side)


GAME = GameSpec(
    name="fox-and-hounds",
    title="Fox and Hounds",
    summary="The fox tries to pass the hounds, who go forward only and try to corner it.",
    parameters=(Parameter("size", 8, "squares along an edge", choices=(4, 6, 8)),),
    start=start,
    max_moves=MOST_MOVES,
    code_limit=lambda start: CELLS * start.size**2,
    players=("Fox", "Hounds"),
    sample="e1d2",
    ready_positions=(
        ReadyPosition("Six by six: the fox wins", settings={"size": 6}),
        ReadyPosition(
            "The fox begins in the corner",
            position="-H-H-H-H/--------/--------/--------/--------/--------/--------/F------- F",
        ),
        ReadyPosition(
            "Hounds: one move wins",
            position="--------/H---H---/--------/--------/---H-H--/--------/---F----/-------- H",
        ),
    ),
    write_move=write_move,
    read_position=read_position,
    write_position=write_position,
    board=board,
    move_cells=lambda state, move: (move // CELLS, move % CELLS),
)
