"""The list of evaluators, and those that suit a game."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from pathlib import Path

from plyground.core.errors import Unsupported, unknown
from plyground.evaluation.spec import EvaluatorSpec
from plyground.games.rules import State


@functools.cache
def evaluators() -> tuple[EvaluatorSpec, ...]:
    """All evaluators: what the modules of this folder list as EVALUATORS."""
    found: list[EvaluatorSpec] = []
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        loaded = importlib.import_module(f"plyground.evaluation.{module.name}")
        found += getattr(loaded, "EVALUATORS", ())
    return tuple(found)


def by_name() -> dict[str, EvaluatorSpec]:
    """All evaluators by name; of several with one name, the first."""
    return {spec.name: spec for spec in reversed(evaluators())}


def find_any(name: str) -> EvaluatorSpec:
    """The evaluator of that name, for whichever game. Raises Unsupported."""
    wanted = name.strip().lower()
    if wanted not in by_name():
        raise unknown("evaluator", name, by_name())
    return by_name()[wanted]


def suitable(state: State) -> list[EvaluatorSpec]:
    """The evaluators that can judge this game."""
    return [spec for spec in evaluators() if not spec.games or isinstance(state, spec.games)]


def find_evaluator(name: str | None, state: State) -> EvaluatorSpec:
    """The evaluator of that name for this game, by default the game's own. Raises Unsupported."""
    fitting = suitable(state)
    if name is None:
        return next((spec for spec in fitting if spec.is_default), fitting[-1])
    wanted = name.strip().lower()
    for spec in fitting:
        if spec.name == wanted:
            return spec
    if any(spec.name == wanted for spec in evaluators()):
        names = ", ".join(spec.name for spec in fitting)
        raise Unsupported(f"evaluator {wanted} judges another game; for this one: {names}")
    raise unknown("evaluator", name, [spec.name for spec in fitting])
