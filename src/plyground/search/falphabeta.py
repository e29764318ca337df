"""Alpha-beta, fail-soft: a value outside the window is still a bound.

Computes the minimax value if it lies inside the window, otherwise a bound as tight as was seen.
Returns v with: v <= alpha means value <= v; v >= beta means value >= v; else v is the value.
Source: Campbell & Marsland 1983, "A Comparison of Minimax Tree Search Algorithms", falphabeta.
Needs: two players, zero sum, no chance.
Differs: negamax form; `turn` allows the same player to move again.
"""

from __future__ import annotations

from plyground.core.scores import INFINITY
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import State, is_over, play, turn
from plyground.kernel import kernel
from plyground.search.parts import (
    NO_MOVE,
    SEARCHED,
    Parts,
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
def falphabeta(
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
        low, high = seen_from(sign, max(alpha, best), beta)
        value = sign * falphabeta(child, evaluator, depth - 1, low, high, parts)
        if stopped(parts):
            break
        if value > best:
            best = value
            keep_line(parts, depth, move)
        if best >= beta:
            return cut(parts, depth, best, i, start, end)
    return leave(parts, depth, best, SEARCHED)
