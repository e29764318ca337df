"""Evaluators for any game: zero, and the running value of synthetic trees."""

from __future__ import annotations

from typing import NamedTuple

from plyground.evaluation.spec import EvaluatorSpec
from plyground.games.rules import State
from plyground.games.synthetic import Synthetic


class Zero(NamedTuple):
    """Knows nothing: every position is worth 0."""

    value: int = 0

    def evaluate(self, state: State) -> int:
        return self.value


class PathValue(NamedTuple):
    """The value that a synthetic tree carries at each node."""

    weight: int = 1

    def evaluate(self, state: Synthetic) -> int:
        return self.weight * state.value


EVALUATORS = (
    EvaluatorSpec(
        name="zero",
        games=(),
        summary="Every position is worth 0: the search sees only finished games.",
        source="ours",
        scale="none",
        make=lambda start: Zero(),
    ),
    EvaluatorSpec(
        name="path",
        games=(Synthetic,),
        summary="The value of the node: the sum along its path, or its minimax value if ordered.",
        source="ours",
        scale="the tree's own",
        make=lambda start: PathValue(),
        is_default=True,
    ),
)
