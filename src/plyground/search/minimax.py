"""Minimax, as it is first taught: the first player maximises, the second minimises.

Computes the minimax value by looking at every node.
Returns the value for the first player, whoever is to move.
Source: von Neumann 1928; the recursive form is folklore.
Needs: two players, zero sum, no chance.
Differs: nothing.
"""

from __future__ import annotations

from plyground.core.scores import INFINITY
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import FIRST, State, is_over, play, side
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
def minimax(state: State, evaluator: Evaluator, depth: int, parts: Parts) -> int:
    visit(parts, depth, -INFINITY, INFINITY)
    maximises = side(state) == FIRST
    if depth == 0 or is_over(state):
        value = leaf(state, evaluator, depth, parts)
        return value if maximises else -value
    best = -INFINITY if maximises else INFINITY
    start, end = expand(state, evaluator, depth, NO_MOVE, parts)
    for i in range(start, end):
        move = follow(parts, i)
        value = minimax(play(state, move), evaluator, depth - 1, parts)
        if stopped(parts):
            break
        if (value > best) if maximises else (value < best):
            best = value
            keep_line(parts, depth, move)
    return leave(parts, depth, best, SEARCHED)
