"""What every solver can do: exact scores, the moves that keep them, and stopping at any moment.

A score is a number for the side to move, whose meaning depends on the game (`as_score`). Several
threads may work on one question: the first to finish stops the others.
"""

from __future__ import annotations

import abc
import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from plyground.core.interrupts import stopped_by_interrupt
from plyground.core.scores import Score
from plyground.core.ticking import ticking
from plyground.games.rules import State, is_over, play
from plyground.games.spec import GameSpec
from plyground.kernel import Slab

NODES, STOP = 0, 1  # of a slab of counts
CHECK_S = 0.02  # how often a flag is checked
Bound = int | None
"""An end of the window; None is the least or the largest score there is."""
OnBounds = Callable[[int, int], None] | None
"""Called with the proved bounds, whenever they have become narrower."""


class Stopped(Exception):
    """The solver was stopped before it had an answer."""


@dataclass(frozen=True)
class SolverSpec:
    """A solver as the catalogue knows it."""

    name: str
    """Of the game."""
    states: tuple[type, ...]
    """The state classes that it solves."""
    make: Callable[[State], Solver]
    """A solver for a board, given by its first state."""


class Solver(abc.ABC):
    """Exact scores of one game on one board."""

    game: GameSpec
    least: int
    most: int
    """No score is smaller or larger."""
    works: Sequence[Any]
    """The working memory of each thread; its `counts` has the nodes and the stop flag."""
    nodes: int = 0
    """Nodes searched for the last question."""

    @abc.abstractmethod
    def prepare(self) -> None:
        """Compile what it needs, so that compiling counts against no time limit."""

    @abc.abstractmethod
    def score(
        self, state: State, low: Bound = None, high: Bound = None, on_bounds: OnBounds = None
    ) -> int:
        """The score of the side to move; outside of the bounds the nearer one. Raises Stopped.

        A solver that proves bounds on the way reports them to `on_bounds`.
        """

    @abc.abstractmethod
    def is_quick(self, state: State, time_s: float | None = None) -> bool:
        """Whether a position is usually solved in this time; by default, all moves in seconds.

        A solver that cannot say how long it takes ignores the time.
        """

    @abc.abstractmethod
    def as_score(self, state: State, score: int) -> Score:
        """The score in words."""

    @abc.abstractmethod
    def candidates(self, state: State) -> list[int]:
        """The legal moves, in the order in which they should be tried."""

    @abc.abstractmethod
    def forget(self) -> None:
        """Forget what was learned from earlier questions."""

    def knows(self, state: State) -> bool:
        """Whether the score of every move is known without a search."""
        return False

    def scores(self, state: State, low: Bound = None, high: Bound = None) -> dict[int, int]:
        """The score of every move, for the side to move; none beyond the bounds."""
        nodes, found = 0, {}
        for move in self.game.legal(state):
            found[move] = self.score_of(state, move, low, high)
            nodes += self.nodes
        self.nodes = nodes
        return found

    def score_of(
        self,
        state: State,
        move: int,
        low: Bound = None,
        high: Bound = None,
        on_bounds: OnBounds = None,
    ) -> int:
        """The score of one move, and the bounds reported on the way, for the side to move."""

        def tell_back(least: int, most: int) -> None:
            if on_bounds is not None:
                on_bounds(-most, -least)

        least = -(self.most if high is None else high)
        most = -(self.least if low is None else low)
        return -self.score(play(state, move), least, most, tell_back)

    def best(self, state: State, score: int, low: Bound = None) -> list[int]:
        """The moves that keep the score, which is not below the bound."""
        if score == low:  # then every move does, as far as is known
            self.nodes = 0
            return self.game.legal(state)
        nodes, found = 0, []
        for move in self.game.legal(state):
            if self._keeps(state, move, score):
                found.append(move)
            nodes += self.nodes
        self.nodes = nodes
        return found

    def line(self, state: State, score: int, most: int = 1 << 20) -> list[int]:
        """Best moves of both sides: to the end of the game, or of the book."""
        nodes, line = 0, list[int]()
        is_known = self.knows(state)
        while not is_over(state) and len(line) < most and (not is_known or self.knows(state)):
            for move in self.candidates(state):
                is_best = self._keeps(state, move, score)
                nodes += self.nodes
                if is_best:
                    break
            else:
                raise AssertionError("no move keeps the score")
            line.append(move)
            state, score = play(state, move), -score
        self.nodes = nodes
        return line

    def _keeps(self, state: State, move: int, score: int) -> bool:
        return -self.score(play(state, move), -score, 1 - score) >= score

    # -------------------------------------------------------------- threads

    def _race(self, ask: Callable[[Any], int]) -> int:
        """Ask all threads; the first answer counts. Raises Stopped."""
        answers: list[int] = []

        def answer(work: Any) -> None:
            found = int(ask(work))
            if not work.counts[STOP]:
                answers.append(found)
                self.stop()

        helpers = [threading.Thread(target=answer, args=(work,)) for work in self.works[1:]]
        for helper in helpers:
            helper.start()
        try:
            with stopped_by_interrupt(self.stop):
                answer(self.works[0])
        finally:
            if not answers:
                self.stop()
            for helper in helpers:
                helper.join()
        if not answers:
            raise Stopped
        return answers[0]

    def stop(self) -> None:
        """Make the question under way end within a few nodes; from any thread."""
        for work in self.works:
            work.counts[STOP] = 1

    @contextlib.contextmanager
    def heeding(self, flag: Slab | None) -> Iterator[None]:
        """Stop when this flag is set, whichever question is under way then."""
        if flag is None:
            yield
            return
        with ticking(lambda _: self.stop() if flag[0] else None, CHECK_S, CHECK_S):
            yield
