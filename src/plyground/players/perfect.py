"""The player whose last moves are perfect, on the games that are solved.

A solver is asked wherever that takes seconds at most, or as long as the time allows, or where few
enough cells are empty. Of equal moves it takes the one that the solver tries first. Where the time
was too short to know, or the board is too empty, the player inside moves, in the time that is left.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from plyground.games.rules import State, cells_left
from plyground.kernel import Slab
from plyground.players.chance import Wrapper
from plyground.players.spec import Choice, Turn, ask
from plyground.search.clock import timer
from plyground.solvers.spec import Solver, Stopped

SHARE = 0.5  # of a time limit: the rest is for the player inside
LEAST_S = 0.001  # for each of them, however late it is
MOST_LAST = 30  # cells: more of them would take hours


@dataclass
class Perfect(Wrapper):
    """Answers with what a solver proves, when it can."""

    solver: Solver = field(compare=False)
    last: int | None = None
    """How few cells have to be empty; None leaves it to the solver."""
    reaches: bool = False
    """Whether more may be empty where there is a time limit that allows it."""

    def choose(self, turn: Turn, stop: Slab | None = None) -> Choice:
        began = time.monotonic()
        if not self.can_prove(turn.state, turn.time_s) or len(turn.legal) == 1:
            return ask(self.then, turn, stop)
        share_s = None if turn.time_s is None else turn.time_s * SHARE
        time_is_up, solver = Slab(1), self.solver
        solver.forget()  # else an answer would depend on what was asked before
        try:
            with timer(share_s, time_is_up), solver.heeding(time_is_up), solver.heeding(stop):
                score = solver.score(turn.state)
                nodes = solver.nodes
                move = solver.line(turn.state, score, 1)[0]
        except Stopped:
            if turn.time_s is not None:
                left_s = turn.time_s - (time.monotonic() - began)
                turn = replace(turn, time_s=max(LEAST_S, left_s))
            return ask(self.then, turn, stop)
        proven = solver.as_score(turn.state, score)
        return Choice(move, proven, nodes=nodes + solver.nodes, line=(move,))

    def can_prove(self, state: State, time_s: float | None = None) -> bool:
        """Whether it should take its share of this time, or else seconds, to know the best move."""
        if self.last is not None and cells_left(state) <= self.last:
            return True
        if time_s is None:
            return self.last is None and self.solver.is_quick(state)
        share_s = max(LEAST_S, time_s * SHARE)
        return (self.last is None or self.reaches) and self.solver.is_quick(state, share_s)

    def prepare(self, turn: Turn) -> None:
        self.solver.prepare()
        if turn.time_s is not None or not self.can_prove(turn.state):
            self.then.prepare(turn)
