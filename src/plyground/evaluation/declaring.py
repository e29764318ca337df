"""`pg.evaluator`: a user's function of a state, or class of weights, becomes an evaluator.

    @pg.evaluator(Hexapawn, "pawns")
    def pawns(state, weight=10):
        return weight * (popcount(state.mine) - popcount(state.theirs))

Parameters after the state are weights, with their defaults; a search takes others as in
`pawns(weight=12)`. A NamedTuple of weights with a method `evaluate(state)` is the same in longer
words, and may carry more.
"""

from __future__ import annotations

import inspect
from collections import namedtuple
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

from plyground import extensions
from plyground.core.errors import GameCodeError, place_of_class
from plyground.evaluation.spec import EvaluatorSpec, Factors, evaluate
from plyground.games.catalogue import find_game
from plyground.games.spec import GameSpec
from plyground.kernel import compilable

Judge = TypeVar("Judge", bound=Callable[..., Any])
Games = type | GameSpec | str | tuple["type | GameSpec | str", ...] | None


def evaluator(
    game: Games,
    name: str = "",
    *,
    summary: str = "",
    scale: str = "",
    source: str = "",
    default: bool = False,
    symmetric: bool = True,
    zero_sum: bool = True,
    factors: Factors | None = None,
) -> Callable[[Judge], Judge]:
    """Add an evaluator to the catalogue, by a decorator.

    `game` is the class of the states that it judges, a `Game`, the name of one, several of these,
    or None for any game. What is decorated is a function of a state, whose further parameters are
    weights with whole numbers as defaults, or a NamedTuple of weights with a method
    `evaluate(state)`. The value is for the side to move.

    * `name`: by default that of the function, with hyphens.
    * `summary`: by default the first line of its docstring.
    * `scale`: what a unit means, such as `"1 is a pawn"`.
    * `default`: whether searches of this game use it unless told otherwise.
    * `symmetric`: whether positions that mirror each other have the same value, as `plyground
      check` then demands.
    * `zero_sum`: whether the value has the opposite sign with the other side to move; not so if the
      turn itself is worth something.
    * `factors`: a function of the evaluator and a state that lists the parts of its value.

    >>> import plyground as pg
    >>> from plyground.bits import bit, popcount
    >>> @pg.evaluator("tictactoe", "centre")
    ... def centre(state, weight=3):
    ...     return weight * (popcount(state.me & bit(4)) - popcount(state.opp & bit(4)))
    >>> pg.Position("tictactoe", "b2").explain("centre(weight=5)").value
    -5
    """

    def add(judge: Judge) -> Judge:
        called = name or judge.__name__.replace("_", "-").lower()
        doc = (inspect.getdoc(judge) or "").partition("\n")[0]
        spec = EvaluatorSpec(
            name=called,
            games=_states(game),
            summary=summary or doc or "An evaluator of yours.",
            source=source or "yours",
            scale=scale or "units of its own",
            make=judge if isinstance(judge, type) else _class_of(judge),
            factors=factors,
            is_symmetric=symmetric,
            is_zero_sum=zero_sum,
            is_default=default,
        )
        if isinstance(judge, type):
            _check_class(judge)

        def is_same(other: EvaluatorSpec) -> bool:
            return other.name == called and _names(other.games) == _names(spec.games)

        extensions.declare("evaluator", spec, judge.__module__, is_same)
        return judge

    return add


def _names(classes: tuple[type, ...]) -> list[str]:
    """A cell that was run again has made other classes of the same names."""
    return [cls.__qualname__ for cls in classes]


def _states(game: Games) -> tuple[type, ...]:
    if game is None:
        return ()
    if isinstance(game, tuple):
        return tuple(cls for each in game for cls in _states(each))
    if isinstance(game, type):
        return (game,)
    return (find_game(game) if isinstance(game, str) else game).classes


def _class_of(function: Callable[..., Any]) -> Any:
    """The NamedTuple whose fields are the weights of a function of a state."""
    assert isinstance(function, FunctionType)
    code = function.__code__
    parameters = list(inspect.signature(function).parameters.values())
    weights = {each.name: each.default for each in parameters[1:]}
    if not parameters or not all(type(value) is int for value in weights.values()):
        raise GameCodeError(
            code.co_filename,
            code.co_firstlineno,
            f"{function.__name__}{inspect.signature(function)}: an evaluator takes a state, and "
            "weights with whole numbers as defaults",
        )
    compilable(function)
    fields = weights or {"unit": 1}  # compiled code has no tuples without fields
    given = ", ".join(["state", *(f"{each}=self.{each}" for each in weights)])
    made: dict[str, Any] = {"function": function, "__name__": function.__module__}
    exec(f"def evaluate(self, state):\n    return function({given})", made)
    title = "".join(part.capitalize() for part in function.__name__.split("_"))
    make: Any = namedtuple  # its types are for classes that are written out
    cls = make(title, fields, defaults=fields.values(), module=function.__module__)
    cls.__annotations__, cls.evaluate = dict.fromkeys(fields, int), made["evaluate"]
    cls.__qualname__ = f"{function.__qualname__}.weights"  # where the cache of compiled code looks
    setattr(function, "weights", cls)  # noqa: B010
    return cls


def _check_class(cls: type) -> None:
    fields = getattr(cls, "_fields", ())
    problem = ""
    if not fields or not issubclass(cls, tuple):
        problem = "an evaluator is a NamedTuple with one weight at least"
    elif evaluate.implementation(cls) is evaluate.default:
        problem = "an evaluator has a method evaluate(self, state)"
    elif set(fields) - set(getattr(cls, "_field_defaults", ())):
        problem = "every weight of an evaluator has a default"
    if problem:
        raise GameCodeError(*place_of_class(cls), f"{cls.__name__}: {problem}")
