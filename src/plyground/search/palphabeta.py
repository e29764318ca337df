"""Palphabeta: trust the first move, prove the others worse with a minimal window.

Computes the minimax value.
Returns the value.
Source: Campbell & Marsland 1983, "A Comparison of Minimax Tree Search Algorithms", palphabeta.
Needs: two players, zero sum, no chance, integer values.
Differs: as reprinted by Siew 2020 (algorithm 3) the re-search goes to p_1, the first move,
instead of the move p_i that has just proved better: a slip. Here p_i is searched;
`palphabeta_printed.py` has the slip.
"""

from __future__ import annotations

from plyground.core.scores import INFINITY
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import State, is_over, play, turn
from plyground.kernel import kernel
from plyground.search.alphabeta import alphabeta
from plyground.search.falphabeta import falphabeta
from plyground.search.parts import (
    NO_MOVE,
    RESEARCHES,
    SEARCHED,
    Parts,
    count,
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
def palphabeta(state: State, evaluator: Evaluator, depth: int, parts: Parts) -> int:
    visit(parts, depth, -INFINITY, INFINITY)
    if depth == 0 or is_over(state):
        return leaf(state, evaluator, depth, parts)
    best = -INFINITY
    start, end = expand(state, evaluator, depth, NO_MOVE, parts)
    for i in range(start, end):
        move = follow(parts, i)
        child = play(state, move)
        sign = turn(state, child)
        if i == start:
            value = sign * palphabeta(child, evaluator, depth - 1, parts)
        else:
            low, high = seen_from(sign, best, best + 1)
            value = sign * falphabeta(child, evaluator, depth - 1, low, high, parts)
            if value > best and not stopped(parts):
                count(parts, RESEARCHES)
                follow(parts, i)
                low, high = seen_from(sign, value, INFINITY)
                better = alphabeta(child, evaluator, depth - 1, low, high, parts)
                value = max(value, sign * better)
        if stopped(parts):
            break
        if value > best:
            best = value
            keep_line(parts, depth, move)
    return leave(parts, depth, best, SEARCHED)
