"""Beam search: alpha-beta that looks at a few moves of each position and at no others.

What it leaves out may be best, so it promises nothing about minimax. With `--order shallow` the few
are those after which the position looks best:

    plyground search connect4 --algorithm beam --depth 10 --order shallow --with examples/beam.py
    plyground match beam:depth=8,order=shallow expert --game othello --with examples/beam.py
"""

import plyground as pg
from plyground.core.scores import INFINITY
from plyground.games.rules import is_over, play, turn
from plyground.search.parts import (
    NO_MOVE,
    SEARCHED,
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

WIDTH = 3  # moves of each position


@pg.algorithm("beam", call="window", equals_minimax=False, paper="folklore")
def beam(state, evaluator, depth, alpha, beta, parts):
    """Alpha-beta on the first three moves of each position."""
    visit(parts, depth, alpha, beta)
    if depth == 0 or is_over(state):
        return leaf(state, evaluator, depth, parts)
    best = -INFINITY
    start, end = expand(state, evaluator, depth, NO_MOVE, parts)
    end = min(end, start + WIDTH)
    for i in range(start, end):
        move = follow(parts, i)
        child = play(state, move)
        sign = turn(state, child)
        low, high = seen_from(sign, max(alpha, best), beta)
        value = sign * beam(child, evaluator, depth - 1, low, high, parts)
        if stopped(parts):
            break
        if value > best:
            best = value
            keep_line(parts, depth, move)
        if best >= beta:
            return cut(parts, depth, best, i, start, end)
    return leave(parts, depth, best, SEARCHED)
