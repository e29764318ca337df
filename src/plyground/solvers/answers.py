"""What people ask about a position, and what they are told: score, moves, line, price."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from plyground.core.scores import Score
from plyground.games.rules import State
from plyground.solvers.spec import Solver


@dataclass(frozen=True)
class Question:
    """What is wanted beside the score."""

    low: int | None = None
    high: int | None = None
    """The least and the largest score that are told apart."""
    all_moves: bool = False
    best: bool = True
    """All best moves; else, with a line, the first of them."""
    line: bool = True


WHO_WINS = Question(-1, 1)


@dataclass(frozen=True)
class Answer:
    """What was found."""

    score: int
    told: Score
    nodes: int
    time_s: float
    best: Sequence[int] = ()
    line: Sequence[int] = ()
    scores: Mapping[int, int] = field(default_factory=dict)


def answer(solver: Solver, state: State, question: Question) -> Answer:
    """Solve a position that is not over. Raises Stopped."""
    began = time.perf_counter()
    low, high = question.low, question.high
    nodes, scores, best, line = 0, {}, list[int](), list[int]()
    if question.all_moves:
        scores = solver.scores(state, low, high)
        nodes += solver.nodes
        score = max(scores.values())
        best = [move for move, value in scores.items() if value == score]
    else:
        score = solver.score(state, low, high)
        nodes += solver.nodes
    if question.best and not best:
        best = solver.best(state, score, low)
        nodes += solver.nodes
    if question.line and score not in (low, high):
        line = solver.line(state, score)
        nodes += solver.nodes
    told = solver.told(state, score)
    spent_s = time.perf_counter() - began
    return Answer(score, told, nodes, spent_s, best or line[:1], line, scores)


def who_wins(score: int) -> str:
    """Where scores beyond 1 are not told apart."""
    return "draw" if score == 0 else "win" if score > 0 else "loss"
