"""The list of evaluators, ours and those that users add, and those that suit a game."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

from plyground.core.errors import Unsupported
from plyground.evaluation.spec import EvaluatorSpec
from plyground.games.rules import State
from plyground.registers import Register, plain


def _built_in() -> Iterator[EvaluatorSpec]:
    """What the modules of this folder list as EVALUATORS."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        loaded = importlib.import_module(f"plyground.evaluation.{module.name}")
        yield from getattr(loaded, "EVALUATORS", ())


class _Evaluators(Register[EvaluatorSpec]):
    def exclude_each_other(self, one: EvaluatorSpec, other: EvaluatorSpec) -> bool:
        """Only if both judge one game; a game's own comes before one for any game."""
        return bool(set(one.games) & set(other.games)) or not (one.games or other.games)


register = _Evaluators("evaluator", EvaluatorSpec, _built_in, "EVALUATORS = [EvaluatorSpec(...)]")


def evaluators() -> tuple[EvaluatorSpec, ...]:
    """All evaluators."""
    return register.all()


def by_name() -> dict[str, EvaluatorSpec]:
    """All evaluators by name; of several with one name, the first."""
    return register.by_name()


def find_any(name: str) -> EvaluatorSpec:
    """The evaluator of that name, for whichever game. Raises Unsupported."""
    return register.find(name)


def suitable(state: State) -> list[EvaluatorSpec]:
    """The evaluators that can judge this game: its own, then those for any game.

    One of its own hides one for any game of the same name.
    """
    own = [spec for spec in evaluators() if spec.games and isinstance(state, spec.games)]
    hidden = {spec.name for spec in own}
    return own + [spec for spec in evaluators() if not spec.games and spec.name not in hidden]


def default_evaluator(state: State) -> EvaluatorSpec:
    """The evaluator of this game unless another is named.

    Who adds an evaluator may make it the default; of several, the last one is. A game without any
    of its own gets the one that is chosen for it.
    """
    fitting = suitable(state)
    own = [spec for spec in fitting if spec.games]
    chosen = [spec for spec in fitting if spec.is_choice]
    return ([spec for spec in fitting if spec.is_default] or own or chosen)[-1]


def find_evaluator(name: str | None, state: State) -> EvaluatorSpec:
    """The evaluator of that name for this game, by default the game's own. Raises Unsupported."""
    if name is None:
        return register.demand_sound(default_evaluator(state))
    fitting = suitable(state)
    wanted = plain(name)
    if wanted in by_name() and all(spec.name != wanted for spec in fitting):
        names = ", ".join(spec.name for spec in fitting)
        raise Unsupported(f"evaluator {wanted} judges another game; for this one: {names}")
    return register.find(name, fitting)
