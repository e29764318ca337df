"""Palphabeta as Siew 2020 prints it, with its slip: wrong wherever a later move is better.

Computes the minimax value where no later move is better. Where a move p_i proves better, not p_i is
searched again but the first move p_1, in a window that it cannot reach: what comes back is a bound
on p_1, and at most what p_i has proved already.
Returns that number, for the side to move.
Source: Siew 2020, "Variations of Minimax to Solve Connect 4", algorithms 2 and 3.
Needs: two players, zero sum, no chance, integer values.
Differs: algorithm 2 ends without its `return(m)`, which is restored; the line begins with the move
that proved better last. `palphabeta.py` is the algorithm without the slip.
"""

from __future__ import annotations

from plyground.core.scores import INFINITY
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import State, is_over, play, turn
from plyground.kernel import kernel
from plyground.search.falphabeta import falphabeta
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
def palphabeta_printed(state: State, evaluator: Evaluator, depth: int, parts: Parts) -> int:
    visit(parts, depth, -INFINITY, INFINITY)
    if depth == 0 or is_over(state):
        return leaf(state, evaluator, depth, parts)
    start, end = expand(state, evaluator, depth, NO_MOVE, parts)
    move = follow(parts, start)
    first = play(state, move)
    first_sign = turn(state, first)
    best = first_sign * palphabeta_printed(first, evaluator, depth - 1, parts)
    keep_line(parts, depth, move)
    for i in range(start + 1, end):
        if stopped(parts):
            break
        move = follow(parts, i)
        child = play(state, move)
        sign = turn(state, child)
        low, high = seen_from(sign, best, best + 1)
        value = sign * falphabeta(child, evaluator, depth - 1, low, high, parts)
        if value > best and not stopped(parts):
            keep_line(parts, depth, move)
            count(parts, RESEARCHES)
            follow(parts, start)  # the slip: p_1 where p_i is meant
            low, high = seen_from(first_sign, value, INFINITY)
            best = first_sign * alphabeta_printed(first, evaluator, depth - 1, low, high, parts)
    return leave(parts, depth, best, SEARCHED)


@kernel
def alphabeta_printed(
    state: State, evaluator: Evaluator, depth: int, alpha: int, beta: int, parts: Parts
) -> int:
    """Algorithm 2: a value above beta is returned as it is, one below alpha as alpha."""
    visit(parts, depth, alpha, beta)
    if depth == 0 or is_over(state):
        return leaf(state, evaluator, depth, parts)
    best = alpha
    start, end = expand(state, evaluator, depth, NO_MOVE, parts)
    for i in range(start, end):
        move = follow(parts, i)
        child = play(state, move)
        sign = turn(state, child)
        low, high = seen_from(sign, best, beta)
        value = sign * alphabeta_printed(child, evaluator, depth - 1, low, high, parts)
        if stopped(parts):
            break
        if value > best:
            best = value
            keep_line(parts, depth, move)
        if best >= beta:
            return cut(parts, depth, best, i, start, end)
    return leave(parts, depth, best, SEARCHED)
