"""Aspiration search: a narrow window round a guess, widened on the side where it fails.

Computes the minimax value.
Returns the value.
Source: described by Campbell & Marsland 1983; older folklore of computer chess.
Needs: two players, zero sum, no chance; a guess, usually the value one ply shallower.
Differs: after a failure the open side goes to infinity at once, with the bound just found on the
other.
"""

from __future__ import annotations

from plyground.core.scores import INFINITY
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import State
from plyground.kernel import kernel
from plyground.search.abmemory import abmemory
from plyground.search.parts import PASSES, RESEARCHES, Parts, count, stopped

HALF_WINDOW = 25


@kernel
def aspiration(state: State, evaluator: Evaluator, depth: int, guess: int, parts: Parts) -> int:
    alpha = max(guess - HALF_WINDOW, -INFINITY)
    beta = min(guess + HALF_WINDOW, INFINITY)
    while True:
        value = abmemory(state, evaluator, depth, alpha, beta, parts)
        count(parts, PASSES)
        if stopped(parts) or alpha < value < beta:
            return value
        count(parts, RESEARCHES)
        if value <= alpha:
            alpha, beta = -INFINITY, value + 1
        else:
            alpha, beta = value - 1, INFINITY
