"""MTD(f): minimal windows around a guess, driven by what each returns.

Computes the minimax value by calls of alpha-beta with memory that each answer "below" or "not".
Returns the value. The better the guess, the fewer passes.
Source: Plaat, Schaeffer, Pijls & de Bruin 1996, "Best-First Fixed-Depth Minimax Algorithms".
Needs: two players, zero sum, no chance, integer values, a table.
Differs: nothing.
"""

from __future__ import annotations

from plyground.core.scores import INFINITY
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import State
from plyground.kernel import kernel
from plyground.search.abmemory import abmemory
from plyground.search.parts import PASSES, Parts, count, restore_line, save_line, stopped


@kernel
def mtdf(state: State, evaluator: Evaluator, depth: int, guess: int, parts: Parts) -> int:
    value, lower, upper = guess, -INFINITY, INFINITY
    while lower < upper:
        beta = value + 1 if value == lower else value
        value = abmemory(state, evaluator, depth, beta - 1, beta, parts)
        count(parts, PASSES)
        if stopped(parts):
            break
        if value < beta:
            upper = value
        else:
            lower = value
            save_line(parts, depth)
    restore_line(parts, depth)
    return value
