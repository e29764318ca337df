"""MTD-step: come down from above in strides, then close the gap.

Computes the minimax value by minimal windows, each a stride below the last upper bound.
Returns the value.
Source: Plaat, Schaeffer, Pijls & de Bruin 1996, MTD(step).
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

STRIDE = 16


@kernel
def mtd_step(state: State, evaluator: Evaluator, depth: int, guess: int, parts: Parts) -> int:
    value, lower, upper = INFINITY, -INFINITY, INFINITY
    while lower < upper:
        beta = max(lower + 1, value - STRIDE)
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
