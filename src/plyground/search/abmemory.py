"""Alpha-beta with memory: bounds found once are kept and used again.

Computes the minimax value if it lies inside the window, otherwise a bound.
Returns v with: v <= alpha means value <= v; v >= beta means value >= v; else v is the value.
Source: Plaat, Schaeffer, Pijls & de Bruin 1996, "Best-First Fixed-Depth Minimax Algorithms",
AlphaBetaWithMemory; as ABMemory in Tommy, Hardjianto & Agani 2017.
Needs: two players, zero sum, no chance; gains from positions that are reached in several ways.
Differs: negamax form; an exact value is stored as two equal bounds, which the original leaves out.
Without a table it is fail-soft alpha-beta.
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
    keep_hint,
    keep_line,
    leaf,
    leave,
    leave_with,
    memorise,
    recall,
    seen_from,
    stopped,
    visit,
)


@kernel
def abmemory(
    state: State, evaluator: Evaluator, depth: int, alpha: int, beta: int, parts: Parts
) -> int:
    assert alpha < beta
    visit(parts, depth, alpha, beta)
    if depth == 0 or is_over(state):
        return leaf(state, evaluator, depth, parts)
    lower, upper, hint = recall(parts, state, depth)
    if lower >= beta or lower == upper:
        return leave_with(parts, depth, lower, hint)
    if upper <= alpha:
        return leave_with(parts, depth, upper, hint)
    low_end, high_end = max(alpha, lower), min(beta, upper)
    best, best_move = -INFINITY, NO_MOVE
    start, end = expand(state, evaluator, depth, hint, parts)
    cutting = end
    for i in range(start, end):
        move = follow(parts, i)
        child = play(state, move)
        sign = turn(state, child)
        low, high = seen_from(sign, max(low_end, best), high_end)
        value = sign * abmemory(child, evaluator, depth - 1, low, high, parts)
        if stopped(parts):
            return leave(parts, depth, best, SEARCHED)
        if value > best:
            best, best_move = value, move
            keep_line(parts, depth, move)
        if best >= high_end:
            cutting = i
            break
    if best <= lower:  # then the table's bound is the value, and its move the one that reaches it
        keep_hint(parts, depth, hint)
    lower = best if best > low_end else -INFINITY
    upper = best if best < high_end else INFINITY
    # A move that only failed low is no better than any other: the table keeps the one it has.
    memorise(parts, state, depth, lower, upper, best_move if best > low_end else NO_MOVE)
    if cutting < end:
        return cut(parts, depth, best, cutting, start, end)
    return leave(parts, depth, best, SEARCHED)
