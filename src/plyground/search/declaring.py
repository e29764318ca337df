"""`pg.algorithm`: a user's search becomes an algorithm of the catalogue.

    @pg.algorithm("beam", call="window", equals_minimax=False)
    def beam(state, evaluator, depth, alpha, beta, parts):
        ...

It is compiled like ours, with the same parts and counters (`search/parts.py`), and is a player of
the same name.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import get_args

from plyground import extensions
from plyground.core.errors import GameCodeError, unknown
from plyground.kernel import Kernel, kernel
from plyground.search.catalogue import Algorithm, Call

PARAMETERS = {
    "window": ("state", "evaluator", "depth", "alpha", "beta", "parts"),
    "guess": ("state", "evaluator", "depth", "guess", "parts"),
    "plain": ("state", "evaluator", "depth", "parts"),
    "first": ("state", "evaluator", "depth", "parts"),
}
"""What an algorithm is called with, in this order; `first` is valued for the first player."""


def algorithm(
    name: str = "",
    *,
    call: Call = "window",
    equals_minimax: bool = True,
    uses_table: bool = False,
    needs_table: bool = False,
    summary: str = "",
    paper: str = "yours",
    aliases: tuple[str, ...] = (),
) -> Callable[[Callable[..., int]], Kernel]:
    """Add a search algorithm to the catalogue, by a decorator.

    `call` says what it is called with: `"window"` (state, evaluator, depth, alpha, beta, parts),
    `"guess"` (state, evaluator, depth, guess, parts), or `"plain"` (state, evaluator, depth,
    parts). It returns the value for the side to move; with `"first"`, called like `"plain"`, for
    the first player. What it promises is checked by `plyground check`: the value and the move of
    minimax if `equals_minimax`, and that it stops when told.
    """

    def add(function: Callable[..., int] | Kernel) -> Kernel:
        made: Kernel = function if isinstance(function, Kernel) else kernel(function)
        own = made.function
        code = own.__code__
        if call not in PARAMETERS:
            known = [each for each in get_args(Call) if each in PARAMETERS]
            problem = str(unknown("call", call, known))
        elif len(inspect.signature(own).parameters) != len(PARAMETERS[call]):
            wanted = ", ".join(PARAMETERS[call])
            problem = f"{own.__name__} takes other arguments; call={call!r} gives it {wanted}"
        else:
            problem = ""
        if problem:
            raise GameCodeError(code.co_filename, code.co_firstlineno, problem)
        called = name or own.__name__.replace("_", "-").lower()
        doc = (inspect.getdoc(own) or "").partition("\n")[0]
        spec = Algorithm(
            called,
            made,
            call,
            summary or doc or "A search of yours.",
            paper,
            aliases,
            uses_table=uses_table or needs_table,
            needs_table=needs_table,
            equals_minimax=equals_minimax,
        )
        extensions.declare("algorithm", spec, own.__module__, lambda each: each.name == called)
        return made

    return add
