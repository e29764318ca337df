"""The player that makes no mistake, on the games that are solved.

It wins as soon as can be, loses as late as can be, and of equal moves takes the most central. Where
the time is too short to know, or the board too large and empty, its deputy moves. Knows no board:
the solver does.
"""

from __future__ import annotations

from dataclasses import replace

from plyground.core.errors import Unsupported
from plyground.games.connect_four import ConnectFour
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.kernel import Slab
from plyground.players.levels import SOLVED
from plyground.players.searching import SearchPlayer
from plyground.players.spec import Choice, Player, Turn
from plyground.search.clock import timer
from plyground.solvers.connect_four.answers import exact
from plyground.solvers.connect_four.book import find_book
from plyground.solvers.connect_four.solve import Solver, Stopped, check_size

SHARE = 0.5  # of a time limit: the rest is for the deputy


class Perfect(Player):
    """Answers with what a solver proves."""

    def __init__(self, start: ConnectFour, deputy: SearchPlayer) -> None:
        self.deputy = deputy
        self._solver = Solver(start, book=find_book(start))

    def choose(self, turn: Turn, stop: Slab | None = None) -> Choice:
        state = turn.state
        assert isinstance(state, ConnectFour)
        if not self.can_prove(state):
            return self.deputy.choose(turn, stop)
        share_s = None if turn.time_s is None else turn.time_s * SHARE
        time_is_up = Slab(1)
        heeding = self._solver.heeding
        try:
            with timer(share_s, time_is_up), heeding(time_is_up), heeding(stop):
                score = self._solver.score(state)
                nodes = self._solver.nodes
                move = self._solver.line(state, score, 1)[0]
        except Stopped:
            rest_s = None if share_s is None or turn.time_s is None else turn.time_s - share_s
            return self.deputy.choose(replace(turn, time_s=rest_s), stop)
        told = exact(state, score)
        return Choice(move, told, nodes=nodes + self._solver.nodes, line=(move,))

    def can_prove(self, state: State) -> bool:
        """Whether it takes seconds at most to know the best move."""
        assert isinstance(state, ConnectFour)
        return self._solver.is_quick(state)

    def prepare(self, turn: Turn) -> None:
        self._solver.prepare()
        if turn.time_s is not None or not self.can_prove(turn.state):
            self.deputy.prepare(turn)

    def close(self) -> None:
        self.deputy.close()


def check_perfect(game: GameSpec, start: State) -> ConnectFour:
    """The start of a game that is solved. Raises Unsupported."""
    if game.name not in SOLVED or not isinstance(start, ConnectFour):
        raise Unsupported(f"nobody plays {game.name} perfectly; expected {' or '.join(SOLVED)}")
    check_size(start)
    return start
