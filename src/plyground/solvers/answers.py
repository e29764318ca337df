"""Questions about a position, and their answers: score, best moves, line, nodes and time."""

from __future__ import annotations

import functools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from plyground.core.scores import Bound as Certainty
from plyground.core.scores import Score
from plyground.games.rules import State
from plyground.solvers.spec import Solver


@dataclass(frozen=True)
class Question:
    """What to find beside the score."""

    low: int | None = None
    high: int | None = None
    """The window: scores beyond it are not told apart."""
    all_moves: bool = False
    """Whether to find the score of every move."""
    best: bool = True
    """Whether to find all best moves; else, with a line, the first of them."""
    line: bool = True


WHO_WINS = Question(-1, 1)


class Proved:
    """The bounds of a score that are proved while an answer is on its way."""

    def __init__(self, solver: Solver, question: Question) -> None:
        self._asked = question
        self._least, self._most = solver.least, solver.most
        self.low, self.high = solver.least, solver.most
        self.moves: dict[int, tuple[int, int]] = {}
        """The bounds of every move, if all are asked for."""
        self.scores: dict[int, int] = {}
        """The scores of the moves that are solved."""

    def begin(self, moves: Sequence[int]) -> None:
        """The score will be that of the best of these moves."""
        self.moves = dict.fromkeys(moves, (self._least, self._most))

    def narrow(self, low: int, high: int) -> None:
        """Set narrower bounds."""
        self.low, self.high = self._certain(low, high)

    def narrow_move(self, move: int, low: int, high: int) -> None:
        """Set narrower bounds of a move, and so perhaps of the score."""
        if low == high:
            self.scores[move] = low
        self.moves[move] = self._certain(low, high)
        self.low = max(low for low, _ in self.moves.values())
        self.high = max(high for _, high in self.moves.values())

    def _certain(self, low: int, high: int) -> tuple[int, int]:
        """A bound at the end of the window stands for all scores beyond it."""
        return (
            self._least if low == self._asked.low else low,
            self._most if high == self._asked.high else high,
        )


@dataclass(frozen=True)
class Answer:
    """The answer to a question."""

    score: int
    """The score, or the nearer end of the window; the bound of `proven` says which."""
    proven: Score
    nodes: int
    time_s: float
    best: Sequence[int] = ()
    """The best moves; empty if only an upper bound of the score is known and no list was wanted."""
    line: Sequence[int] = ()
    scores: Mapping[int, int] = field(default_factory=dict)


def answer(
    solver: Solver, state: State, question: Question, proved: Proved | None = None
) -> Answer:
    """Solve a position that is not over; `proved` is updated on the way. Raises Stopped."""
    began = time.perf_counter()
    proved = proved or Proved(solver, question)
    low, high = question.low, question.high
    nodes, best, line = 0, list[int](), list[int]()
    if question.all_moves:
        moves = solver.candidates(state)
        proved.begin(moves)
        for move in moves:
            on_bounds = functools.partial(proved.narrow_move, move)
            score = solver.score_of(state, move, low, high, on_bounds)
            on_bounds(score, score)
            nodes += solver.nodes
        score = max(proved.scores.values())
        best = [move for move in solver.game.legal(state) if proved.scores[move] == score]
    else:
        score = solver.score(state, low, high, proved.narrow)
        nodes += solver.nodes
    proved.narrow(score, score)
    bound: Certainty = (
        "upper" if proved.low < score else "lower" if proved.high > score else "exact"
    )
    if question.best and not best:
        best = solver.best(state, score, low)
        nodes += solver.nodes
    if question.line and bound == "exact":
        line = solver.line(state, score)
        nodes += solver.nodes
    elif question.line and bound == "lower" and not best:
        best = solver.line(state, score, 1)  # beyond the window no more than a move is certain
        nodes += solver.nodes
    scores = {move: proved.scores[move] for move in sorted(proved.scores)}
    proven = replace(solver.as_score(state, score), bound=bound)
    spent_s = time.perf_counter() - began
    return Answer(score, proven, nodes, spent_s, best or line[:1], line, scores)


def who_wins(score: int) -> str:
    """The result alone, for scores within the window of `WHO_WINS`."""
    return "draw" if score == 0 else "win" if score > 0 else "loss"
