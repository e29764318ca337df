"""Baselines: the first legal move, a random one, and the best after one ply.

What any search has to beat. Source: as compared by Tommy, Hardjianto & Agani 2017 (brute force,
random, greedy). Need nothing but legal moves; greedy needs an evaluator.
"""

from __future__ import annotations

from plyground.core.scores import INFINITY
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import State, play, turn
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
    visit,
)


@kernel
def greedy(state: State, evaluator: Evaluator, depth: int, parts: Parts) -> int:
    """The value of the move after which the position looks best; `depth` is 1 whatever is asked."""
    visit(parts, 1, -INFINITY, INFINITY)
    best = -INFINITY
    start, end = expand(state, evaluator, 1, NO_MOVE, parts)
    for i in range(start, end):
        move = follow(parts, i)
        child = play(state, move)
        visit(parts, 0, -INFINITY, INFINITY)
        value = turn(state, child) * leaf(child, evaluator, 0, parts)
        if value > best:
            best = value
            keep_line(parts, 1, move)
    return leave(parts, 1, best, SEARCHED)
