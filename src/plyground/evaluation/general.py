"""Evaluators without a board: zero, the choice for any game, and nodes of trees made of values."""

from __future__ import annotations

from typing import NamedTuple

from plyground.evaluation.spec import EvaluatorSpec
from plyground.games.rules import State
from plyground.games.synthetic import Synthetic
from plyground.games.textbook import INNER, LEAF, Textbook, byte_at, end_of
from plyground.kernel import Slab

NOTHING = Slab(1)  # compiled code has no tuples without fields


class Zero(NamedTuple):
    """Every position is worth 0."""

    value: int = 0

    def evaluate(self, state: State) -> int:
        return self.value


class Unchosen(NamedTuple):
    """Stands for an evaluator that is not chosen yet, and sees nothing."""

    room: Slab = NOTHING

    def evaluate(self, state: State) -> int:
        return 0


class PathValue(NamedTuple):
    """The value that a synthetic tree carries at each node."""

    weight: int = 1

    def evaluate(self, state: Synthetic) -> int:
        return self.weight * state.value


class MeanOfLeaves(NamedTuple):
    """The mean of all leaves below a node of a textbook tree, for the side to move."""

    weight: int = 1

    def evaluate(self, state: Textbook) -> int:
        total, count = 0, 0
        for at in range(state.at, end_of(state, state.at)):
            if byte_at(state, at) < INNER:
                total, count = total + byte_at(state, at) - LEAF, count + 1
        mean = self.weight * total // count
        return -mean if state.ply & 1 else mean


EVALUATORS = (
    EvaluatorSpec(
        name="zero",
        games=(),
        summary="Every position is worth 0: the search sees only finished games.",
        source="ours",
        scale="none",
        make=Zero,
    ),
    EvaluatorSpec(
        name="auto",
        games=(),
        summary="One of those for any game: the one that wins short matches of it.",
        source="ours",
        scale="that of the chosen one",
        make=Unchosen,
        is_symmetric=False,
        is_zero_sum=False,
        is_choice=True,
    ),
    EvaluatorSpec(
        name="path",
        games=(Synthetic,),
        summary="The value of the node: the sum along its path, or its minimax value if ordered.",
        source="ours",
        scale="the tree's own",
        make=PathValue,
        is_default=True,
    ),
    EvaluatorSpec(
        name="mean",
        games=(Textbook,),
        summary="The mean of all leaves below, for a search that stops above them.",
        source="ours",
        scale="the tree's own",
        make=MeanOfLeaves,
        is_default=True,
    ),
)
