"""Negamax: the minimax value, from the side to move's point of view at every node.

Computes the minimax value by looking at every node.
Returns the value.
Source: Knuth & Moore 1975, "An Analysis of Alpha-Beta Pruning", procedure F.
Needs: two players, zero sum, no chance.
Differs: `turn` allows the same player to move again.
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
    expand,
    follow,
    keep_line,
    leaf,
    leave,
    stopped,
    visit,
)


@kernel
def negamax(state: State, evaluator: Evaluator, depth: int, parts: Parts) -> int:
    visit(parts, depth, -INFINITY, INFINITY)
    if depth == 0 or is_over(state):
        return leaf(state, evaluator, depth, parts)
    best = -INFINITY
    start, end = expand(state, evaluator, depth, NO_MOVE, parts)
    for i in range(start, end):
        move = follow(parts, i)
        child = play(state, move)
        value = turn(state, child) * negamax(child, evaluator, depth - 1, parts)
        if stopped(parts):
            break
        if value > best:
            best = value
            keep_line(parts, depth, move)
    return leave(parts, depth, best, SEARCHED)
