"""Trees made for one purpose, and what it takes to judge and to order their nodes.

* `Staircase`: the tree in which alpha-beta cuts off nothing.
* `WonLeaves`, `Mistaken`: static values for trees of wins and losses.
* `ByExactValue`: the best move first at every node, or the worst.

Knows no experiment.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from plyground.core.scores import INFINITY
from plyground.evaluation.general import Zero
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import Buffer, State, outcome, play, turn
from plyground.games.spec import GameSpec
from plyground.games.synthetic import CERTAIN, Synthetic, draw
from plyground.kernel import compilable
from plyground.search.alphabeta import alphabeta
from plyground.search.catalogue import find_algorithm
from plyground.search.negamax import negamax
from plyground.search.ordering import Order
from plyground.search.parts import LEAVES, Parts
from plyground.search.run import Workshop
from plyground.search.setup import MOST_NODES, Setup

ASK_MISTAKE = 100  # a question of our own: whether a static value is wrong

# ------------------------------------------------------------------ a game


class Staircase(NamedTuple):
    """A uniform tree in which each move is better than the one before, whatever follows.

    A move made earlier weighs more than all later ones together: move i at ply p is worth
    i * branching**(depth - 1 - p) to whoever makes it. So every leaf below a move lies inside the
    window that the moves before it have left, and alpha-beta cuts off nothing.
    """

    value: int
    ply: int
    branching: int
    depth: int

    def legal_moves(self, moves: Buffer, start: int) -> int:
        for move in range(self.branching):
            moves[start + move] = move
        return start + self.branching

    def play(self, move: int) -> Staircase:
        worth = move * self.branching ** (self.depth - 1 - self.ply)
        return Staircase(-(self.value + worth), self.ply + 1, self.branching, self.depth)

    def is_over(self) -> bool:
        return self.ply == self.depth

    def outcome(self) -> int:
        return self.value

    def side(self) -> int:
        return self.ply & 1

    def turn(self, child: Staircase) -> int:
        return -1


def staircase(branching: int, depth: int) -> Staircase:
    return Staircase(0, 0, branching, depth)


STAIRCASE = GameSpec("staircase", "Staircase", "Walk to a leaf.", staircase, max_moves=16)

# ------------------------------------------------------------------ wins and losses


@compilable
def sign_of(value: int) -> int:
    """1, 0 or -1."""
    return (1 if value > 0 else 0) - (1 if value < 0 else 0)


class Decided(NamedTuple):
    """The worth of a finished game of which only the winner counts."""

    weight: int

    def final_score(self, state: State, depth: int) -> int:
        return self.weight * sign_of(outcome(state))


class WonLeaves(NamedTuple):
    """The share of the leaves below a node that the side to move wins, less those it loses.

    Times `weight`, which has to be a multiple of the number of leaves.
    """

    weight: int

    def evaluate(self, state: Synthetic) -> int:
        plies = state.depth - state.ply
        leaves = state.branching**plies
        balance = 0
        for leaf in range(leaves):
            node, rest = state, leaf
            for _ in range(plies):
                node = play(node, rest % state.branching)
                rest //= state.branching
            balance += sign_of(outcome(node))
        if plies % 2:
            balance = -balance
        return balance * (self.weight // leaves)


class Mistaken(NamedTuple):
    """The true value of a node, which is wrong with a fixed chance, at each node for itself."""

    weight: int
    chance: int
    parts: Parts

    def evaluate(self, state: Synthetic) -> int:
        value = negamax(state, Zero(0), state.depth - state.ply, self.parts)
        if draw(state.seed, ASK_MISTAKE, state.ply, state.node, CERTAIN) < self.chance:
            value = -value
        return self.weight * sign_of(value)


# ------------------------------------------------------------------ the order of exact values


class ByExactValue(NamedTuple):
    """The value that minimax gives to each move; with sign -1, worst first."""

    sign: int
    parts: Parts

    def rank(self, state: State, evaluator: Evaluator, move: int, depth: int) -> int:
        child = play(state, move)
        return self.sign * turn(state, child) * negamax(child, evaluator, depth - 1, self.parts)


def leaves_in_exact_order(
    game: GameSpec, state: State, setup: Setup, depth: int, best_first: bool
) -> int:
    """Leaves that alpha-beta visits if every node lists its best move first, or last."""
    plain = replace(setup, algorithm=find_algorithm("alphabeta"), order="shallow")
    workshop = Workshop(game, plain, None, None)
    spare = workshop.parts(state, depth, MOST_NODES)._replace(order=None)
    order = Order(shallow=ByExactValue(1 if best_first else -1, spare))  # type: ignore[arg-type]
    parts = workshop.parts(state, depth, MOST_NODES)._replace(order=order)
    alphabeta(state, setup.evaluator, depth, -INFINITY, INFINITY, parts)
    return int(parts.counts[LEAVES])


def fewest_leaves(branching: int, depth: int) -> int:
    """What no search of a uniform tree can go below (Knuth & Moore 1975)."""
    return int(branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1)
