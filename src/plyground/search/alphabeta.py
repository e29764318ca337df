"""Alpha-beta, fail-hard.

Computes the minimax value if it lies inside the window.
Returns v with: v = alpha means value <= alpha; v = beta means value >= beta; else v is the value.
Source: Knuth & Moore 1975, "An Analysis of Alpha-Beta Pruning", procedure F2.
Needs: two players, zero sum, no chance.
Differs: negamax form; `turn` allows the same player to move again.
"""

from __future__ import annotations

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
def alphabeta(
    state: State, evaluator: Evaluator, depth: int, alpha: int, beta: int, parts: Parts
) -> int:
    assert alpha < beta
    visit(parts, depth, alpha, beta)
    if depth == 0 or is_over(state):
        return min(max(leaf(state, evaluator, depth, parts), alpha), beta)
    best = alpha
    start, end = expand(state, evaluator, depth, NO_MOVE, parts)
    for i in range(start, end):
        move = follow(parts, i)
        child = play(state, move)
        sign = turn(state, child)
        low, high = seen_from(sign, best, beta)
        value = sign * alphabeta(child, evaluator, depth - 1, low, high, parts)
        if stopped(parts):
            return leave(parts, depth, best, SEARCHED)
        if value > best:
            best = value
            keep_line(parts, depth, move)
        if best >= beta:
            return cut(parts, depth, beta, i, start, end)
    return leave(parts, depth, best, SEARCHED)
