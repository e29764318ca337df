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


class Proved:
    """What is certain of a score while an answer is on its way: nothing, at first."""

    def __init__(self, solver: Solver, question: Question) -> None:
        self._asked = question
        self._least, self._most = solver.least, solver.most
        self.low, self.high = solver.least, solver.most
        self.scores: dict[int, int] = {}
        """Of the moves that are solved, if all are asked for."""

    def narrow(self, low: int, high: int) -> None:
        """More is known by now. A bound that is the asked one stands for all scores beyond."""
        self.low = self._least if low == self._asked.low else low
        self.high = self._most if high == self._asked.high else high

    def solve(self, move: int, score: int) -> None:
        """One more move is known, and the position is worth no less."""
        self.scores[move] = score
        if score != self._asked.low:
            self.low = max(self.low, score)


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


def answer(
    solver: Solver, state: State, question: Question, proved: Proved | None = None
) -> Answer:
    """Solve a position that is not over, and tell on the way what is proved. Raises Stopped."""
    began = time.perf_counter()
    proved = proved or Proved(solver, question)
    low, high = question.low, question.high
    nodes, best, line = 0, list[int](), list[int]()
    if question.all_moves:
        for move in solver.candidates(state):
            proved.solve(move, solver.score_of(state, move, low, high))
            nodes += solver.nodes
        score = max(proved.scores.values())
        best = [move for move in solver.game.legal(state) if proved.scores[move] == score]
    else:
        score = solver.score(state, low, high, proved.narrow)
        nodes += solver.nodes
    proved.narrow(score, score)
    if question.best and not best:
        best = solver.best(state, score, low)
        nodes += solver.nodes
    if question.line and score not in (low, high):
        line = solver.line(state, score)
        nodes += solver.nodes
    scores = {move: proved.scores[move] for move in sorted(proved.scores)}
    told = solver.told(state, score)
    spent_s = time.perf_counter() - began
    return Answer(score, told, nodes, spent_s, best or line[:1], line, scores)


def who_wins(score: int) -> str:
    """Where scores beyond 1 are not told apart."""
    return "draw" if score == 0 else "win" if score > 0 else "loss"
