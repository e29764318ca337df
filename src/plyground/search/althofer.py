"""Althöfer's incremental negamax: inner nodes count too.

Computes F(x) = h(x) at leaves and h(x) + max over moves of -F(child) inside, h being the static
value: a guess is not thrown away when a deeper one arrives, so errors cancel instead of piling up.
Returns v with: v <= alpha means F <= v; v >= beta means F >= v; else v is F.
Source: Althöfer 1990, "An Incremental Negamax Algorithm"; with a window as in Abdelbar 2012,
"Alpha-Beta Pruning and Althöfer's Pathology-Free Negamax Algorithm".
Needs: two players, zero sum, no chance.
Differs: fail-soft. Siew 2020 prints (algorithm 1) a version that computes h(x) at inner nodes but
never uses it: that is plain fail-hard alpha-beta, and `althofer-printed` is just that.
"""

from __future__ import annotations

from plyground.core.scores import INFINITY
from plyground.evaluation.spec import Evaluator, evaluate
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
def althofer(
    state: State, evaluator: Evaluator, depth: int, alpha: int, beta: int, parts: Parts
) -> int:
    assert alpha < beta
    visit(parts, depth, alpha, beta)
    if depth == 0 or is_over(state):
        return leaf(state, evaluator, depth, parts)
    static = evaluate(evaluator, state)
    best = -INFINITY
    start, end = expand(state, evaluator, depth, NO_MOVE, parts)
    for i in range(start, end):
        move = follow(parts, i)
        child = play(state, move)
        sign = turn(state, child)
        low, high = seen_from(sign, max(alpha, best) - static, beta - static)
        value = static + sign * althofer(child, evaluator, depth - 1, low, high, parts)
        if stopped(parts):
            break
        if value > best:
            best = value
            keep_line(parts, depth, move)
        if best >= beta:
            return cut(parts, depth, best, i, start, end)
    return leave(parts, depth, best, SEARCHED)
