"""Aspiration NegaScout with memory: MTD(f)'s rival in Plaat et al. 1996.

Computes the minimax value.
Returns the value; `nsmemory` v with: v <= alpha means value <= v; v >= beta means value >= v.
Source: Reinefeld 1983 for NegaScout, Plaat et al. 1996 for the comparison; how wide their windows
were is not known here.
Needs: two players, zero sum, no chance, integer values; a guess, the value one ply shallower.
Differs: the table is used as in `abmemory`; the window opens as in `aspiration`, but has a width
that fits the evaluator. Keeps no line of moves.
"""

from __future__ import annotations

from plyground.core.scores import INFINITY
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import State, is_over, play, turn
from plyground.kernel import kernel
from plyground.search.catalogue import Algorithm
from plyground.search.parts import (
    NO_MOVE,
    PASSES,
    RESEARCHES,
    Parts,
    count,
    expand,
    follow,
    leaf,
    memorise,
    recall,
    seen_from,
    visit,
)


@kernel
def nsmemory(
    state: State, evaluator: Evaluator, depth: int, alpha: int, beta: int, parts: Parts
) -> int:
    assert alpha < beta
    visit(parts, depth, alpha, beta)
    if depth == 0 or is_over(state):
        return leaf(state, evaluator, depth, parts)
    lower, upper, hint = recall(parts, state, depth)
    if lower >= beta or lower == upper:
        return lower
    if upper <= alpha:
        return upper
    low_end, high_end = max(alpha, lower), min(beta, upper)
    best, best_move = -INFINITY, NO_MOVE
    start, end = expand(state, evaluator, depth, hint, parts)
    for i in range(start, end):
        move = follow(parts, i)
        child = play(state, move)
        sign = turn(state, child)
        floor = max(low_end, best)
        low, high = seen_from(sign, floor, high_end if i == start else floor + 1)
        value = sign * nsmemory(child, evaluator, depth - 1, low, high, parts)
        if i > start and floor < value < high_end and depth > 1:
            count(parts, RESEARCHES)
            low, high = seen_from(sign, value, high_end)
            again = sign * nsmemory(child, evaluator, depth - 1, low, high, parts)
            value = max(value, again)
        if value > best:
            best, best_move = value, move
        if best >= high_end:
            break
    lower = best if best > low_end else -INFINITY
    upper = best if best < high_end else INFINITY
    memorise(parts, state, depth, lower, upper, best_move if best > low_end else NO_MOVE)
    return best


@kernel
def aspns(
    state: State, evaluator: Evaluator, depth: int, guess: int, half_window: int, parts: Parts
) -> int:
    alpha = max(guess - half_window, -INFINITY)
    beta = min(guess + half_window, INFINITY)
    while True:
        value = nsmemory(state, evaluator, depth, alpha, beta, parts)
        count(parts, PASSES)
        if alpha < value < beta:
            return value
        if value <= alpha:
            alpha, beta = -INFINITY, value + 1
        else:
            alpha, beta = value - 1, INFINITY


def aspiration_negascout(half_window: int) -> Algorithm:
    """The algorithm with a window so wide on either side of the guess."""

    def search(state: State, evaluator: Evaluator, depth: int, guess: int, parts: Parts) -> int:
        return int(aspns(state, evaluator, depth, guess, half_window, parts))

    name, summary = f"aspns {half_window}", "NegaScout with memory, in a window round a guess."
    paper = "Plaat et al. 1996"
    return Algorithm(name, search, "guess", summary, paper, uses_table=True, needs_table=True)
