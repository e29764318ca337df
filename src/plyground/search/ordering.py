"""The order in which moves are tried: the game's own, or by the sum of some ranks.

An order ranks every move and sorts, best first; equal ranks keep the game's order. Each kind of
rank is a part of its own, a value or None. Orders change how much is searched, never the result.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import U64, combine, mix, signed
from plyground.evaluation.spec import Evaluator, evaluate
from plyground.games.rules import State, is_over, key, outcome, place_of, play, turn
from plyground.kernel import Slab, compilable, verb

HINT = 2**40  # the table's move comes before everything
KILLER = 2**36
SHALLOW = 2**4  # a unit of evaluation against a unit of history
HISTORY_SIZE = 2**14  # higher moves share an entry with others, which costs order, not truth


class Weights(NamedTuple):
    """A fixed rank for each place on the board."""

    table: Slab
    size: int

    def rank(self, state: State, evaluator: Evaluator, move: int, depth: int) -> int:
        place = place_of(state, move)
        return self.table[place] if place < self.size else 0


class Listed(NamedTuple):
    """A fixed rank for each move that somebody listed, the first highest; others come after."""

    table: Slab
    size: int

    def rank(self, state: State, evaluator: Evaluator, move: int, depth: int) -> int:
        return self.table[move] if move < self.size else 0


class Killers(NamedTuple):
    """The last two moves that cut off at the same depth."""

    table: Slab

    def rank(self, state: State, evaluator: Evaluator, move: int, depth: int) -> int:
        if self.table[2 * depth] == move + 1:
            return KILLER
        return KILLER // 2 if self.table[2 * depth + 1] == move + 1 else 0

    def learn(self, move: int, depth: int) -> None:
        if self.table[2 * depth] != move + 1:
            self.table[2 * depth + 1] = self.table[2 * depth]
            self.table[2 * depth] = move + 1


class History(NamedTuple):
    """How often, and how high in the tree, a move has cut off anywhere (Schaeffer 1989)."""

    table: Slab

    def rank(self, state: State, evaluator: Evaluator, move: int, depth: int) -> int:
        return self.table[move % HISTORY_SIZE]

    def learn(self, move: int, depth: int) -> None:
        self.table[move % HISTORY_SIZE] = self.table[move % HISTORY_SIZE] + depth * depth


class Shallow(NamedTuple):
    """The evaluation of the position after the move; with sign -1, worst first."""

    sign: int

    def rank(self, state: State, evaluator: Evaluator, move: int, depth: int) -> int:
        child = play(state, move)
        if is_over(child):
            value = outcome(child) * KILLER
        else:
            value = evaluate(evaluator, child) * SHALLOW
        return self.sign * turn(state, child) * value


class ShallowBy(NamedTuple):
    """The same by an evaluator of its own, perhaps a cheaper one than the search's."""

    sign: int
    evaluator: Evaluator

    def rank(self, state: State, evaluator: Evaluator, move: int, depth: int) -> int:
        return rank(Shallow(self.sign), state, self.evaluator, move, depth)


class Shuffled(NamedTuple):
    """An order that is random, but the same whenever the position comes up again."""

    seed: U64

    def rank(self, state: State, evaluator: Evaluator, move: int, depth: int) -> int:
        return signed(mix(combine(self.seed, key(state)) ^ U64(move)) >> U64(24))


class Order(NamedTuple):
    """The ranks to add up."""

    weights: Weights | None = None
    killers: Killers | None = None
    history: History | None = None
    shallow: Shallow | ShallowBy | None = None
    shuffled: Shuffled | None = None
    listed: Listed | None = None

    def arrange(
        self,
        state: State,
        evaluator: Evaluator,
        depth: int,
        hint: int,
        moves: Slab,
        ranks: Slab,
        start: int,
        end: int,
    ) -> None:
        for i in range(start, end):
            move = moves[i]
            value = HINT if move == hint else 0
            value += rank(self.weights, state, evaluator, move, depth)
            value += rank(self.killers, state, evaluator, move, depth)
            value += rank(self.history, state, evaluator, move, depth)
            value += rank(self.shallow, state, evaluator, move, depth)
            value += rank(self.shuffled, state, evaluator, move, depth)
            value += rank(self.listed, state, evaluator, move, depth)
            insert(moves, ranks, start, i, move, value)

    def reward(self, move: int, depth: int) -> None:
        learn(self.killers, move, depth)
        learn(self.history, move, depth)


@compilable
def insert(moves: Slab, ranks: Slab, start: int, i: int, move: int, value: int) -> None:
    """Insertion sort, highest rank first; lists are short and often nearly sorted."""
    while i > start and ranks[i - 1] < value:
        moves[i], ranks[i] = moves[i - 1], ranks[i - 1]
        i -= 1
    moves[i], ranks[i] = move, value


@verb
def arrange(
    order: Order | None,
    state: State,
    evaluator: Evaluator,
    depth: int,
    hint: int,
    moves: Slab,
    ranks: Slab,
    start: int,
    end: int,
) -> None:
    """Sort the moves; without an order, they stay as the game lists them."""


@verb
def reward(order: Order | None, move: int, depth: int) -> None:
    """Record that a move cut off."""


@verb
def rank(part: object, state: State, evaluator: Evaluator, move: int, depth: int) -> int:
    """The rank that a part of an order gives a move; 0 where there is no such part."""
    return 0


@verb
def learn(part: object, move: int, depth: int) -> None:
    """Let a part of an order learn from a cut-off; most have nothing to learn."""
