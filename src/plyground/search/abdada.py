"""ABDADA: alpha-beta with memory for several threads that share a table.

Computes the minimax value if it lies inside the window, otherwise a bound.
Returns v with: v <= alpha means value <= v; v >= beta means value >= v; else v is the value.
Source: Weill 1996, "The ABDADA Distributed Minimax-Search Algorithm"; in the form without fields in
the table of Kerrigan's "Simplified ABDADA": a small shared list says what others search just now.
Needs: two players, zero sum, no chance; a table and a list that all threads share.
Differs: a move that another thread is searching is put off until the others are done; by then the
table knows its value.
"""

from __future__ import annotations

from plyground.bits import U64, combine, signed
from plyground.core.scores import INFINITY
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import State, is_over, key, play, turn
from plyground.kernel import Slab, compilable, kernel
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

PLACES = 2**13  # of the list; more than threads ever search at once, so that few are mistaken
SHALLOWEST = 4  # below, a search is over before another thread could have helped
PUT_OFF = 2**40  # added to a move that waits for the second round


@kernel
def abdada(
    state: State,
    evaluator: Evaluator,
    depth: int,
    alpha: int,
    beta: int,
    busy: Slab,
    parts: Parts,
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
    cutting, waiting = end, 0
    for turn_of_list in range(2):
        for i in range(start, end):
            move = parts.moves[i]
            if (move >= PUT_OFF) != (turn_of_list == 1):
                continue  # searched already, or not put off
            move %= PUT_OFF
            place = place_in(busy, state, move, depth)
            if turn_of_list == 0 and i > start and depth >= SHALLOWEST and busy[place] > 0:
                parts.moves[i] = move + PUT_OFF
                waiting += 1
                continue
            parts.moves[i] = move
            follow(parts, i)
            child = play(state, move)
            sign = turn(state, child)
            low, high = seen_from(sign, max(low_end, best), high_end)
            if depth >= SHALLOWEST:
                busy[place] = busy[place] + 1
            value = sign * abdada(child, evaluator, depth - 1, low, high, busy, parts)
            if depth >= SHALLOWEST:
                busy[place] = max(0, busy[place] - 1)
            if stopped(parts):
                return leave(parts, depth, best, SEARCHED)
            if value > best:
                best, best_move = value, move
                keep_line(parts, depth, move)
            if best >= high_end:
                cutting = i
                break
        if cutting < end or waiting == 0:
            break
    if best <= lower:  # then the table's bound is the value, and its move the one that reaches it
        keep_hint(parts, depth, hint)
    lower = best if best > low_end else -INFINITY
    upper = best if best < high_end else INFINITY
    memorise(parts, state, depth, lower, upper, best_move if best > low_end else NO_MOVE)
    if cutting < end:
        return cut(parts, depth, best, cutting, start, end)
    return leave(parts, depth, best, SEARCHED)


@compilable
def place_in(busy: Slab, state: State, move: int, depth: int) -> int:
    """Where the list says whether somebody searches a move of a position."""
    digest = combine(key(state) ^ U64(depth), U64(move))
    return signed(digest >> U64(32)) % PLACES
