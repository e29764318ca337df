"""Hexapawn (Martin Gardner 1962): three pawns against three on a 3x3 board.

A pawn steps forward onto an empty square or takes diagonally forward. Whoever reaches the far row,
or leaves the other side without a move, wins. Try it: plyground play examples/hexapawn.py

The file has the game, what its levels of play are, and an evaluator with two weights.
"""

from __future__ import annotations

from typing import NamedTuple

import plyground as pg
from plyground.core.board import Board
from plyground.games.spec import GameSpec
from plyground.kernel import compilable

SIZE = 3
CELLS = SIZE * SIZE  # 0 1 2 is the top row, where the second player's pawns begin
TOP_ROW, BOTTOM_ROW = 0b000_000_111, 0b111_000_000
NAMES = [f"{'abc'[cell % SIZE]}{SIZE - cell // SIZE}" for cell in range(CELLS)]


@compilable
def can_move(state, origin, target):
    forward = target // SIZE - origin // SIZE == (1 if state.side else -1)
    sideways = abs(target % SIZE - origin % SIZE)
    mine, theirs = state.mine >> target & 1, state.theirs >> target & 1
    steps = sideways == 0 and not mine and not theirs
    takes = sideways == 1 and theirs
    return state.mine >> origin & 1 and forward and (steps or takes)


class Hexapawn(NamedTuple):
    """The pawns of the side to move and those of the other side, as bits; who is to move."""

    mine: int
    theirs: int
    side: int

    def legal_moves(self, moves, start):
        for move in range(CELLS * CELLS):
            if can_move(self, move // CELLS, move % CELLS):
                moves[start] = move
                start += 1
        return start

    def play(self, move):
        origin, target = 1 << (move // CELLS), 1 << (move % CELLS)
        return Hexapawn(self.theirs & ~target, self.mine ^ origin ^ target, 1 - self.side)

    def is_over(self):
        if self.theirs & (TOP_ROW if self.side else BOTTOM_ROW):
            return True
        for move in range(CELLS * CELLS):
            if can_move(self, move // CELLS, move % CELLS):
                return False
        return True

    def outcome(self):
        return -1  # either way it is the side to move that has lost


def board(state):
    first, second = (state.theirs, state.mine) if state.side else (state.mine, state.theirs)
    owner = [
        "first" if first >> i & 1 else "second" if second >> i & 1 else "" for i in range(CELLS)
    ]
    return Board(
        "grid", SIZE, SIZE, tuple(owner), row_labels=("3", "2", "1"), column_labels=("a", "b", "c")
    )


GAME = GameSpec(
    name="hexapawn",
    title="Hexapawn",
    summary="Reach the far row, or leave the other side without a move.",
    start=lambda: Hexapawn(BOTTOM_ROW, TOP_ROW, 0),
    max_moves=2 * SIZE + 2,
    code_limit=lambda start: CELLS * CELLS,
    players=("White", "Black"),
    sample="a1a2",
    write_move=lambda state, move: NAMES[move // CELLS] + NAMES[move % CELLS],
    board=board,
    move_cells=lambda state, move: divmod(move, CELLS),  # from where, to where
    levels={
        "amateur": "alphabeta:depth=1,noise=50%",
        "medium": "alphabeta:depth=2,ties=random,noise=20%",
        "expert": "alphabeta:depth=8",  # to the end of every game
    },
)


@pg.evaluator(Hexapawn, "pawns", default=True, scale="1 is a step of a pawn")
def pawns(state, pawn=4, step=1):
    """What each side has, and the steps it has made; both are weights, as in `pawns(step=2)`."""
    value = 0
    for cell in range(CELLS):
        made = cell // SIZE if state.side else SIZE - 1 - cell // SIZE
        value += (state.mine >> cell & 1) * (pawn + step * made)
        value -= (state.theirs >> cell & 1) * (pawn + step * (SIZE - 1 - made))
    return value
