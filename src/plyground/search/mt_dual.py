"""MT-DUAL*: DUAL* as a sequence of minimal windows that climb from minus infinity.

Computes the minimax value; visits the leaves of DUAL*.
Returns the value.
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
def mt_dual(state: State, evaluator: Evaluator, depth: int, guess: int, parts: Parts) -> int:
    value, bound = -INFINITY, -INFINITY - 1
    while value > bound:
        bound = value
        value = abmemory(state, evaluator, depth, bound, bound + 1, parts)
        count(parts, PASSES)
        if stopped(parts):
            break
        if value > bound:
            save_line(parts, depth)
    restore_line(parts, depth)
    return value
