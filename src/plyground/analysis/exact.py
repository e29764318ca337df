"""Analysis where a game is solved: a short search first, then the proven score of every move.

The short search takes a moment and gives something to show at once. The solver then replaces one
score after the other, the most promising move first, and finds the line of the best move last.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import replace

from plyground.analysis.every_move import Analysis, Findings, MoveFinding, rank
from plyground.core.errors import Unsupported
from plyground.games.rules import State, cells_left, is_over, play
from plyground.search.clock import STOP
from plyground.solvers.catalogue import solver_for
from plyground.solvers.spec import Solver, Stopped

FIRST_DEPTH = 8  # plies: a few milliseconds


def analysis_of(analysis: Analysis) -> Analysis | ExactAnalysis:
    """The analysis with proven scores, if it has no depth limit and is quickly solved."""
    state = analysis.state
    if is_over(state):
        return analysis
    with contextlib.suppress(Unsupported):
        solver = solver_for(analysis.game, state)
        if analysis.depth >= cells_left(state) and solver.is_quick(state):
            return ExactAnalysis(analysis, state, solver)
    return analysis


class ExactAnalysis:
    """The analysis of one position; `run` returns when all is proven, or it is stopped."""

    def __init__(self, analysis: Analysis, state: State, solver: Solver) -> None:
        self._search = replace(analysis, depth=FIRST_DEPTH)
        self._state, self._solver = state, solver
        self._left = cells_left(state)

    def prepare(self) -> None:
        """Compile what it needs."""
        self._search.prepare()
        self._solver.prepare()

    def run(self, report: Callable[[Findings], None]) -> Findings:
        """Report after every move that is solved, and return the final findings."""
        started = time.perf_counter()
        found = self._search.run(report)
        if self._search.stop[STOP]:
            return found
        with self._solver.heeding(self._search.stop), contextlib.suppress(Stopped):
            for one in found.moves:
                proven = self._prove(one.move)
                moves = [proven if each is one else each for each in found.moves]
                found = replace(
                    found,
                    moves=tuple(moves),
                    nodes=found.nodes + proven.nodes,
                    time_s=time.perf_counter() - started,
                )
                report(found)
            moves = sorted(found.moves, key=lambda one: -rank(one.score))
            found = replace(found, depth=self._left, moves=tuple(moves), is_complete=True)
            report(found)
            found = replace(found, moves=(self._with_line(moves[0]), *moves[1:]))
        return replace(found, time_s=time.perf_counter() - started)

    def _prove(self, move: int) -> MoveFinding:
        child = play(self._state, move)
        score = -self._solver.score(child)
        proven = self._solver.as_score(self._state, score)
        return MoveFinding(move, proven, self._left, (move,), self._solver.nodes)

    def _with_line(self, best: MoveFinding) -> MoveFinding:
        child = play(self._state, best.move)
        line = self._solver.line(child, self._solver.score(child))
        return replace(best, line=(best.move, *line))
