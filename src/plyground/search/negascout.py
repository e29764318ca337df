"""NegaScout, also known as PVS: SCOUT's test and evaluation merged into one window search.

Computes the minimax value if it lies inside the window, otherwise a bound.
Returns v with: v <= alpha means value <= v; v >= beta means value >= v; else v is the value.
Source: Reinefeld 1983, "An Improvement to the Scout Tree Search Algorithm".
Needs: two players, zero sum, no chance, integer values.
Differs: a re-search begins at the bound just proved; none is made at depth 1, where the minimal
window already gives the value of a leaf.
"""

from __future__ import annotations

from plyground.core.scores import INFINITY
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import State, is_over, play, turn
from plyground.kernel import kernel
from plyground.search.parts import (
    NO_MOVE,
    RESEARCHES,
    SEARCHED,
    Parts,
    count,
    cut,
    expand,
    follow,
    keep_line,
    leaf,
    leave,
    seen_from,
    stopped,
    visit,
)


@kernel
def negascout(
    state: State, evaluator: Evaluator, depth: int, alpha: int, beta: int, parts: Parts
) -> int:
    assert alpha < beta
    visit(parts, depth, alpha, beta)
    if depth == 0 or is_over(state):
        return leaf(state, evaluator, depth, parts)
    best = -INFINITY
    start, end = expand(state, evaluator, depth, NO_MOVE, parts)
    for i in range(start, end):
        move = follow(parts, i)
        child = play(state, move)
        sign = turn(state, child)
        lower = max(alpha, best)
        upper = beta if i == start else lower + 1
        low, high = seen_from(sign, lower, upper)
        value = sign * negascout(child, evaluator, depth - 1, low, high, parts)
        if i > start and lower < value < beta and depth > 1 and not stopped(parts):
            count(parts, RESEARCHES)
            low, high = seen_from(sign, value, beta)
            follow(parts, i)
            again = sign * negascout(child, evaluator, depth - 1, low, high, parts)
            value = max(value, again)
        if stopped(parts):
            break
        if value > best:
            best = value
            keep_line(parts, depth, move)
        if best >= beta:
            return cut(parts, depth, best, i, start, end)
    return leave(parts, depth, best, SEARCHED)
