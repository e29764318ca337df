"""What every solver can do: exact scores, the moves that keep them, and stopping at any moment.

A score is a number for the side to move; what it means is the game's own affair (`told`). Several
threads may work on one question: the first to know stops the others. Knows no game.
"""

from __future__ import annotations

import abc
import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from plyground.core.interrupts import stopped_by_interrupt
from plyground.core.scores import Score
from plyground.games.rules import State, is_over, play
from plyground.games.spec import GameSpec
from plyground.kernel import Slab

NODES, STOP = 0, 1  # of a slab of counts
LOOK_S = 0.02  # how often somebody looks whether to stop
Bound = int | None
"""Of what is told apart; None is the least or the largest score there is."""
Tell = Callable[[int, int], None] | None
"""Called with bounds, whenever they have become narrower."""


class Stopped(Exception):
    """The solver was told to stop before it knew."""


class Solver(abc.ABC):
    """Exact scores of one game on one board."""

    game: GameSpec
    least: int
    most: int
    """No score is smaller or larger."""
    works: Sequence[Any]
    """What each thread works with; its `counts` has the nodes and the stop flag."""
    nodes: int = 0
    """Searched for the last question."""

    @abc.abstractmethod
    def prepare(self) -> None:
        """Compile what it takes, so that no clock has to pay for it."""

    @abc.abstractmethod
    def score(self, state: State, low: Bound = None, high: Bound = None, tell: Tell = None) -> int:
        """The score of the side to move; outside of the bounds the nearer one. Raises Stopped.

        A solver that proves bounds on the way tells them.
        """

    @abc.abstractmethod
    def is_quick(self, state: State, time_s: float | None = None) -> bool:
        """Whether a position is mostly solved in this time; if none is given, all moves in seconds.

        A solver that cannot tell how long it takes answers as if none was given.
        """

    @abc.abstractmethod
    def told(self, state: State, score: int) -> Score:
        """The score as people are told."""

    @abc.abstractmethod
    def candidates(self, state: State) -> list[int]:
        """The legal moves, in the order in which they should be tried."""

    @abc.abstractmethod
    def forget(self) -> None:
        """Begin anew, with nothing in mind of the questions before."""

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
        self, state: State, move: int, low: Bound = None, high: Bound = None, tell: Tell = None
    ) -> int:
        """The score of one move, for the side to move, as are the bounds told on the way."""

        def tell_back(least: int, most: int) -> None:
            if tell is not None:
                tell(-most, -least)

        least = -(self.most if high is None else high)
        most = -(self.least if low is None else low)
        return -self.score(play(state, move), least, most, tell_back)

    def best(self, state: State, score: int, low: Bound = None) -> list[int]:
        """The moves that keep the score, itself not below the bound."""
        if score == low:  # so does every move, as far as is known
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
        """A game of best moves: to its end, or to where a book ends."""
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
        """Stop when somebody raises this flag, whichever question is under way then."""
        is_done = threading.Event()

        def look() -> None:
            while not is_done.wait(LOOK_S):
                if flag is not None and flag[0]:
                    self.stop()

        looking = threading.Thread(target=look, daemon=True)
        if flag is not None:
            looking.start()
        try:
            yield
        finally:
            is_done.set()
            if flag is not None:
                looking.join()
