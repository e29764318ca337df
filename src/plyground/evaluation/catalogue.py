"""The list of evaluators, ours and those that users add, and those that suit a game."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

from plyground.core.errors import Unsupported
from plyground.evaluation.learned import folder_stamps, learned_evaluators
from plyground.evaluation.spec import EvaluatorSpec
from plyground.games.rules import State
from plyground.registers import Register, plain


def _built_in() -> Iterator[EvaluatorSpec]:
    """What the modules of this folder list as EVALUATORS."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        loaded = importlib.import_module(f"plyground.evaluation.{module.name}")
        yield from getattr(loaded, "EVALUATORS", ())
    yield from learned_evaluators()


class _Evaluators(Register[EvaluatorSpec]):
    _stamps: tuple[int, ...] = ()

    def all(self) -> tuple[EvaluatorSpec, ...]:
        """As elsewhere; made anew when files of weights have come or gone."""
        if (stamps := folder_stamps()) != self._stamps:
            self._stamps, self._generation = stamps, -1
        return super().all()

    def exclude_each_other(self, one: EvaluatorSpec, other: EvaluatorSpec) -> bool:
        """Only if both judge one game; a game's own comes before one for any game."""
        return bool(set(one.games) & set(other.games)) or not (one.games or other.games)


register = _Evaluators("evaluator", EvaluatorSpec, _built_in, "EVALUATORS = [EvaluatorSpec(...)]")


def evaluators() -> tuple[EvaluatorSpec, ...]:
    """All evaluators that lists show."""
    return tuple(spec for spec in register.all() if spec.is_listed)


def by_name() -> dict[str, EvaluatorSpec]:
    """The same by name; of several with one name, the first."""
    return {spec.name: spec for spec in reversed(evaluators())}


def find_any(name: str) -> EvaluatorSpec:
    """The evaluator of that name, for whichever game. Raises Unsupported."""
    return register.find(name)


def suitable(state: State) -> list[EvaluatorSpec]:
    """The evaluators that can judge this game: its own, then those for any game.

    One of its own hides one for any game of the same name.
    """
    own = [spec for spec in _of_this_board(state) if spec.is_listed]
    hidden = {spec.name for spec in own}
    return own + [spec for spec in evaluators() if not spec.games and spec.name not in hidden]


def _of_this_board(state: State) -> list[EvaluatorSpec]:
    return [spec for spec in _of_its_class(state) if spec.suits is None or spec.suits(state)]


def _of_its_class(state: State) -> list[EvaluatorSpec]:
    return [spec for spec in register.all() if spec.games and isinstance(state, spec.games)]


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
    fitting, wanted = suitable(state), plain(name)
    unlisted = [spec for spec in _of_this_board(state) if spec.name == wanted]
    if unlisted and all(spec.name != wanted for spec in fitting):
        return unlisted[0]
    if wanted in by_name() and all(spec.name != wanted for spec in fitting):
        names = ", ".join(dict.fromkeys(spec.name for spec in fitting))
        if any(spec.name == wanted for spec in _of_its_class(state)):
            raise Unsupported(f"evaluator {wanted} judges another board; for this one: {names}")
        raise Unsupported(f"evaluator {wanted} judges another game; for this one: {names}")
    return register.find(name, fitting)
