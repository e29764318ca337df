"""MTD-bi: find the value by bisecting the interval it must lie in.

Computes the minimax value by minimal windows in the middle of what is left.
Returns the value.
Source: Plaat, Schaeffer, Pijls & de Bruin 1996, MTD(bi); after Coplan's C* (1982).
Needs: two players, zero sum, no chance, integer values in a finite range, a table.
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
def mtd_bi(state: State, evaluator: Evaluator, depth: int, guess: int, parts: Parts) -> int:
    value, lower, upper = guess, -INFINITY, INFINITY
    while lower < upper:
        beta = (lower + upper + 1) >> 1
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
