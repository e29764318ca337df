"""Quiescence search: alpha-beta that does not stop in the middle of an exchange.

Computes the minimax value of a tree that goes on below the depth with noisy moves only, where the
side to move may also stand pat on the static value.
Returns v with: v <= alpha means value <= v; v >= beta means value >= v; else v is the value.
Source: Beal 1990, "A Generalised Quiescence Search Algorithm"; the remedy that Siew 2020 names for
the horizon effect.
Needs: two players, zero sum, no chance; a game that names its noisy moves. Where nothing is noisy,
it is fail-soft alpha-beta.
Differs: at most `MOST_NOISY` noisy moves in a row.
"""

from __future__ import annotations

from plyground.core.scores import INFINITY
from plyground.evaluation.spec import Evaluator, evaluate
from plyground.games.rules import State, is_over, noisy_moves, play, turn
from plyground.kernel import RoomExceeded, kernel
from plyground.search.finish import final_score
from plyground.search.parts import (
    LEAVES,
    MOST_NOISY,
    NO_MOVE,
    NODES,
    SEARCHED,
    SHALLOWEST,
    Parts,
    count,
    cut,
    expand,
    follow,
    keep_line,
    leave,
    seen_from,
    stopped,
    visit,
)


@kernel
def quiescence(
    state: State, evaluator: Evaluator, depth: int, alpha: int, beta: int, parts: Parts
) -> int:
    assert alpha < beta
    visit(parts, depth, alpha, beta)
    if depth == 0 or is_over(state):
        value = quiesce(state, evaluator, MOST_NOISY, depth, alpha, beta, parts)
        return leave(parts, depth, value, SEARCHED)
    best = -INFINITY
    start, end = expand(state, evaluator, depth, NO_MOVE, parts)
    for i in range(start, end):
        move = follow(parts, i)
        child = play(state, move)
        sign = turn(state, child)
        low, high = seen_from(sign, max(alpha, best), beta)
        value = sign * quiescence(child, evaluator, depth - 1, low, high, parts)
        if stopped(parts):
            break
        if value > best:
            best = value
            keep_line(parts, depth, move)
        if best >= beta:
            return cut(parts, depth, best, i, start, end)
    return leave(parts, depth, best, SEARCHED)


@kernel
def quiesce(
    state: State, evaluator: Evaluator, left: int, depth: int, alpha: int, beta: int, parts: Parts
) -> int:
    """The value once it is quiet; `left` more noisy moves are allowed."""
    count(parts, LEAVES)
    reached = depth - (MOST_NOISY - left)
    if reached < parts.counts[SHALLOWEST]:
        parts.counts[SHALLOWEST] = reached
    if is_over(state):
        return final_score(parts.finish, state, depth)
    best = evaluate(evaluator, state)  # stand pat: nobody is forced to make a noisy move
    if best >= beta or left == 0:
        return best
    start = (parts.stride + left) * parts.width  # rows behind those of the ordinary depths
    end = noisy_moves(state, parts.moves, start)
    if end - start > parts.width:
        raise RoomExceeded("a position has more noisy moves than max_moves")
    for i in range(start, end):
        child = play(state, parts.moves[i])
        sign = turn(state, child)
        low, high = seen_from(sign, max(alpha, best), beta)
        count(parts, NODES)
        value = sign * quiesce(child, evaluator, left - 1, depth, low, high, parts)
        best = max(best, value)
        if best >= beta or stopped(parts):
            break
    return best
