"""What the study counts and times with, in machine code that outlives an edit of the experiment.

* `fewest_leaves`: how many leaves a proof of the value needs at least, on a tree of any shape.
* `Marks`: notes every leaf of a uniform tree whose value is asked.
* `Tallied`: an evaluator that counts how often it is asked.
* `Dear`: an evaluator that costs more, and says the same.
* `perft_on_array`: Othello on an array of squares, to be timed beside the bitboards.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from plyground.bits import ONE, U64, ZERO, signed
from plyground.evaluation.spec import Evaluator, evaluate
from plyground.games.othello import Othello
from plyground.games.rules import State, is_over, key, legal_moves, outcome, play, turn
from plyground.games.spec import GameSpec
from plyground.games.synthetic import Synthetic
from plyground.kernel import Slab, compilable, kernel
from plyground.search.parts import Parts, leaf
from plyground.search.run import Workshop
from plyground.search.setup import MOST_NODES, Setup

NEVER = 2**50
ABOVE, BELOW, BOTH, ROW = range(4)


@kernel
def prove(
    state: State, evaluator: Evaluator, depth: int, value: int, proofs: Slab, parts: Parts
) -> int:
    """The leaves of the smallest proof that a position is worth exactly so much.

    Writes to the row of this depth the smallest proofs that it is worth as much or more, as much
    or less, and both. One move proves more, all moves together prove less; the proof of both is
    that of less, in which one move is proved to be worth the value itself. Visits the whole tree.
    """
    here, below = depth * ROW, (depth - 1) * ROW
    if depth == 0 or is_over(state):
        found = leaf(state, evaluator, depth, parts)
        proofs[here + ABOVE] = 1 if found >= value else NEVER
        proofs[here + BELOW] = 1 if found <= value else NEVER
        proofs[here + BOTH] = 1 if found == value else NEVER
        return proofs[here + BOTH]
    least_more, all_less, least_extra = NEVER, 0, NEVER
    start = depth * parts.width
    end = legal_moves(state, parts.moves, start)
    for i in range(start, end):
        child = play(state, parts.moves[i])
        sign = turn(state, child)
        both = prove(child, evaluator, depth - 1, sign * value, proofs, parts)
        more, less = proofs[below + ABOVE], proofs[below + BELOW]
        if sign < 0:
            more, less = less, more
        least_more, all_less = min(least_more, more), min(all_less + less, NEVER)
        if both < NEVER:
            least_extra = min(least_extra, both - less)
    proofs[here + ABOVE], proofs[here + BELOW] = least_more, all_less
    proofs[here + BOTH] = min(all_less + least_extra, NEVER)
    return proofs[here + BOTH]


def fewest_leaves(game: GameSpec, state: State, setup: Setup, depth: int, value: int) -> int:
    """The fewest leaf visits that prove the value; without transpositions nothing needs fewer."""
    parts = Workshop(game, setup, None, None).parts(state, depth, MOST_NODES)
    proofs = Slab((depth + 1) * ROW)
    return int(prove(state, setup.evaluator, depth, value, proofs, parts))


class Marks(NamedTuple):
    """The outcome of a synthetic tree's leaf is its value; counts how often each was asked."""

    visits: Slab

    def final_score(self, state: Synthetic, depth: int) -> int:
        place = signed(state.node)
        self.visits[place] = self.visits[place] + 1
        return outcome(state)


class Tallied(NamedTuple):
    """An evaluator, and the number of times it was asked."""

    inner: Any
    tally: Slab

    def evaluate(self, state: State) -> int:
        self.tally[0] = self.tally[0] + 1
        return evaluate(self.inner, state)


class Dear(NamedTuple):
    """An evaluator that also mixes numbers, so many rounds, before it says what the inner one says.

    Each round needs the one before; a number that is not zero never becomes zero (xorshift).
    """

    inner: Any
    rounds: int

    def evaluate(self, state: State) -> int:
        mixed = key(state) | ONE
        for _ in range(self.rounds):
            mixed ^= mixed << U64(13)
            mixed ^= mixed >> U64(7)
            mixed ^= mixed << U64(17)
        return evaluate(self.inner, state) if mixed != ZERO else 0


# ------------------------------------------------------------------ Othello on an array
#
# Ten squares in a row: a border of EDGE round eight by eight, so that no loop asks where it is.

EMPTY, MINE, THEIRS, EDGE = range(4)
ROW_OF_TEN, SQUARES, LAST = 10, 100, 88
STEPS = (-11, -10, -9, -1, 1, 9, 10, 11)
MOST_TURNED = 20  # in one move


def board_of(state: Othello) -> Slab:
    """The squares as an array, and behind them room to remember discs that were turned."""
    board = Slab(SQUARES * MOST_TURNED)
    board.array[:SQUARES] = EDGE
    for place in range(64):
        mine, theirs = (int(word) >> place & 1 for word in (state.me, state.opp))
        board[ROW_OF_TEN * (place // 8 + 1) + place % 8 + 1] = MINE * mine + THEIRS * theirs
    return board


@compilable
def run_length(board: Slab, square: int, step: int, mover: int) -> int:
    """How many discs are enclosed in one direction."""
    at, other, length = square + step, MINE + THEIRS - mover, 0
    while board[at] == other:
        at += step
        length += 1
    return length if board[at] == mover else 0


@compilable
def can_place(board: Slab, square: int, mover: int) -> bool:
    """Whether a disc may be placed here: one direction is enough."""
    if board[square] != EMPTY:
        return False
    for step in STEPS:
        if run_length(board, square, step, mover) > 0:
            return True
    return False


@kernel
def perft_on_array(board: Slab, mover: int, depth: int, top: int) -> int:
    """Leaves below a position, as `perft` counts them; the last ply is counted and not played.

    Discs that a move turns are noted from `top` on, and turned back after it. Where nobody can
    move, passes lead to the one leaf that there is.
    """
    if depth == 0:
        return 1
    other, leaves = MINE + THEIRS - mover, 0
    for square in range(ROW_OF_TEN + 1, LAST + 1):
        if can_place(board, square, mover):
            if depth == 1:
                leaves += 1
                continue
            end = top
            for step in STEPS:
                for i in range(run_length(board, square, step, mover)):
                    at = square + (i + 1) * step
                    board[at] = mover
                    board[end] = at
                    end += 1
            board[square] = mover
            leaves += perft_on_array(board, other, depth - 1, end)
            board[square] = EMPTY
            for i in range(top, end):
                board[board[i]] = other
    return leaves if leaves > 0 else perft_on_array(board, other, depth - 1, top)
