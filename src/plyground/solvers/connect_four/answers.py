"""What people ask about a position, and what they are told: score, moves, line, price."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from plyground.bits import popcount
from plyground.core.scores import Score
from plyground.games.connect_four import ConnectFour
from plyground.solvers.connect_four.search import MOST
from plyground.solvers.connect_four.solve import Solver


@dataclass(frozen=True)
class Question:
    """What is wanted beside the score."""

    weak: bool = False
    """Only who wins."""
    all_moves: bool = False
    best: bool = True
    """The best moves, and a line of them."""


@dataclass(frozen=True)
class Answer:
    """What was found; moves are columns from 0."""

    score: int
    told: str
    nodes: int
    time_s: float
    best: Sequence[int] = ()
    line: Sequence[int] = ()
    scores: Mapping[int, int] = field(default_factory=dict)


def answer(solver: Solver, state: ConnectFour, question: Question) -> Answer:
    """Solve a position that is not over. Raises Stopped."""
    began = time.perf_counter()
    limit = 1 if question.weak else MOST
    nodes, scores, best, line = 0, {}, list[int](), list[int]()
    if question.all_moves:
        scores = solver.scores(state, limit)
        nodes += solver.nodes
        score = max(scores.values())
        best = [move for move, value in scores.items() if value == score]
    else:
        score = solver.score(state, -limit, limit)
        nodes += solver.nodes
    if question.best and not best:
        best = solver.best(state, score, limit)
        nodes += solver.nodes
    if question.best and not question.weak:
        line = solver.line(state, score)
        nodes += solver.nodes
    told = _who_wins(score) if question.weak else str(exact(state, score))
    return Answer(score, told, nodes, time.perf_counter() - began, best, line, scores)


def _who_wins(score: int) -> str:
    return "draw" if score == 0 else "win" if score > 0 else "loss"


def exact(state: ConnectFour, score: int) -> Score:
    """The score as a number of stones from now, the winning one among them."""
    if score == 0:
        return Score(0, "proven")
    cells = popcount(state.bottom) * state.height
    left = cells - popcount(state.stones)
    # A win with the k-th stone from now leaves left - k cells empty, and scores half of them,
    # rounded up after the winner's own stone: k = left + 2 - 2 * score, or one less.
    stones = left + 2 - 2 * abs(score)
    if score > 0:
        return Score(stones - (stones + 1) % 2, "win")
    return Score(stones - stones % 2, "loss")
