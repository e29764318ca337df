"""SCOUT: evaluate the first move, test whether any other is better, evaluate only those.

Computes the minimax value.
Returns the value for the first player, whoever is to move.
Source: Pearl 1980, "SCOUT: A Simple Game-Searching Algorithm with Proven Optimal Properties".
Needs: two players, zero sum, no chance.
Differs: nothing in `scout`, which tests with TEST_GREATER and TEST_LESSER as in Siew 2020. The pair
EVAL and TEST of Othello studies (`scout_eval` and `test`) uses one test for both kinds of node. As
printed there, TEST has no bound on depth, hands the same player down, and ends with its two answers
exchanged; here it has the bound, asks the position whose turn it is, and answers right.
`scout_printed.py` has it as printed.
"""

from __future__ import annotations

from plyground.core.scores import INFINITY
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import FIRST, State, is_over, play, side
from plyground.kernel import kernel
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
    stopped,
    visit,
)


@kernel
def scout(state: State, evaluator: Evaluator, depth: int, parts: Parts) -> int:
    visit(parts, depth, -INFINITY, INFINITY)
    maximises = side(state) == FIRST
    if depth == 0 or is_over(state):
        value = leaf(state, evaluator, depth, parts)
        return value if maximises else -value
    best = 0
    start, end = expand(state, evaluator, depth, NO_MOVE, parts)
    for i in range(start, end):
        move = follow(parts, i)
        child = play(state, move)
        better = True
        if i > start and maximises:
            better = test_greater(child, evaluator, depth - 1, best, parts)
        elif i > start:
            better = test_lesser(child, evaluator, depth - 1, best, parts)
        if better and not stopped(parts):
            if i > start:
                count(parts, RESEARCHES)
                follow(parts, i)
            best = scout(child, evaluator, depth - 1, parts)
            keep_line(parts, depth, move)
        if stopped(parts):
            break
    return leave(parts, depth, best, SEARCHED)


@kernel
def test_greater(state: State, evaluator: Evaluator, depth: int, bound: int, parts: Parts) -> bool:
    """Whether the position is worth more than the bound to the first player."""
    visit(parts, depth, bound, bound + 1)
    maximises = side(state) == FIRST
    if depth == 0 or is_over(state):
        value = leaf(state, evaluator, depth, parts)
        return (value if maximises else -value) > bound
    start, end = expand(state, evaluator, depth, NO_MOVE, parts)
    for i in range(start, end):
        child = play(state, follow(parts, i))
        greater = test_greater(child, evaluator, depth - 1, bound, parts)
        if stopped(parts):
            break
        if greater == maximises:  # one such move settles it, for either side
            cut(parts, depth, bound + 1 if greater else bound, i, start, end)
            return greater
    leave(parts, depth, bound if maximises else bound + 1, SEARCHED)
    return not maximises


@kernel
def test_lesser(state: State, evaluator: Evaluator, depth: int, bound: int, parts: Parts) -> bool:
    """Whether the position is worth less than the bound to the first player."""
    visit(parts, depth, bound - 1, bound)
    minimises = side(state) != FIRST
    if depth == 0 or is_over(state):
        value = leaf(state, evaluator, depth, parts)
        return (-value if minimises else value) < bound
    start, end = expand(state, evaluator, depth, NO_MOVE, parts)
    for i in range(start, end):
        child = play(state, follow(parts, i))
        lesser = test_lesser(child, evaluator, depth - 1, bound, parts)
        if stopped(parts):
            break
        if lesser == minimises:
            cut(parts, depth, bound - 1 if lesser else bound, i, start, end)
            return lesser
    leave(parts, depth, bound if minimises else bound - 1, SEARCHED)
    return not minimises


@kernel
def scout_eval(state: State, evaluator: Evaluator, depth: int, parts: Parts) -> int:
    """EVAL: the same search with one TEST, which is told what to look for."""
    visit(parts, depth, -INFINITY, INFINITY)
    maximises = side(state) == FIRST
    if depth == 0 or is_over(state):
        value = leaf(state, evaluator, depth, parts)
        return value if maximises else -value
    best = 0
    start, end = expand(state, evaluator, depth, NO_MOVE, parts)
    for i in range(start, end):
        move = follow(parts, i)
        child = play(state, move)
        better = True
        if i > start:
            # Is the child above `best`, or (for the other player) not above `best` - 1?
            above = test(child, evaluator, depth - 1, best if maximises else best - 1, parts)
            better = above == maximises
        if better and not stopped(parts):
            if i > start:
                count(parts, RESEARCHES)
                follow(parts, i)
            best = scout_eval(child, evaluator, depth - 1, parts)
            keep_line(parts, depth, move)
        if stopped(parts):
            break
    return leave(parts, depth, best, SEARCHED)


@kernel
def test(state: State, evaluator: Evaluator, depth: int, bound: int, parts: Parts) -> bool:
    """TEST: whether the position is worth more than the bound to the first player."""
    return test_greater(state, evaluator, depth, bound, parts)
