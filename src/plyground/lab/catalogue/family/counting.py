"""What leaves are counted with: the fewest there can be, which ones were seen, and how often.

* `fewest_leaves`: how many leaves a proof of the value needs at least, on a tree of any shape.
* `Marks`: notes every leaf of a uniform tree whose value is asked.
* `Tallied`: an evaluator that counts how often it is asked.

Knows no experiment.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from plyground.bits import signed
from plyground.evaluation.spec import Evaluator, evaluate
from plyground.games.rules import State, is_over, legal_moves, outcome, play, turn
from plyground.games.spec import GameSpec
from plyground.games.synthetic import Synthetic
from plyground.kernel import Slab, kernel
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


def minimal_tree(branching: int, depth: int) -> int:
    """The same for a uniform tree (Knuth & Moore 1975)."""
    return int(branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1)


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
