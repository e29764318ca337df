"""Analysis of a position: the score of every legal move, depth by depth, until it is stopped.

Each move is searched by alpha-beta with memory on one table, with a full window, so that its value
and line are those of minimax; the best of the depth before goes first. The analysis ends when every
line has been searched to the end of the game, or to the depth asked for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from plyground.core.scores import Score
from plyground.evaluation.spec import Evaluator
from plyground.games.position import BasePosition
from plyground.games.rules import State, is_over, outcome, play, turn
from plyground.games.spec import GameSpec
from plyground.kernel import Slab
from plyground.search.catalogue import find_algorithm
from plyground.search.clock import STOP
from plyground.search.finish import ByDistance, Finish
from plyground.search.run import Workshop, prepare
from plyground.search.setup import FINISHES, MOST_NODES, MOST_PLIES, Setup, default_finish

DEFAULT_MEMORY = 64 * 2**20


@dataclass(frozen=True)
class MoveFinding:
    """What is known of a move."""

    move: int
    score: Score
    """For the side to move."""
    depth: int
    """Plies searched, this move included."""
    line: tuple[int, ...]
    """The expected moves, this one first."""
    nodes: int = 0


@dataclass(frozen=True)
class Findings:
    """What is known of a position so far; the best move comes first."""

    depth: int
    """The depth to which all moves have been searched."""
    moves: tuple[MoveFinding, ...] = ()
    nodes: int = 0
    time_s: float = 0.0
    is_complete: bool = False
    """Whether every line was searched to the end of the game: nothing will change."""

    @property
    def best(self) -> MoveFinding | None:
        return self.moves[0] if self.moves else None


@dataclass
class Analysis:
    """The analysis of one position; `run` returns when it is complete or stopped."""

    position: BasePosition
    evaluator: Evaluator
    depth: int = MOST_PLIES
    memory_bytes: int = DEFAULT_MEMORY
    stop: Slab = field(default_factory=lambda: Slab(1))
    """Its first number is set to 1 to stop within a few nodes."""

    @property
    def game(self) -> GameSpec:
        return self.position.game

    @property
    def state(self) -> State:
        return self.position.state

    def prepare(self) -> None:
        """Compile what it needs, so that compiling counts against no time limit."""
        if not is_over(self.state):
            prepare(self.game, self.state, self._setup())

    def run(self, report: Callable[[Findings], None]) -> Findings:
        """Report after every move that is searched, and return the final findings."""
        found = Findings(0)
        if is_over(self.state):
            return replace(found, is_complete=True)
        self.prepare()
        setup = self._setup()
        started = time.perf_counter()
        with Workshop(self.game, setup, self.stop, None) as workshop:
            for depth in range(1, self.depth + 1):
                moves = self._one_depth(workshop, depth, found, report, started)
                if moves is None:
                    break
                found = replace(
                    found,
                    depth=depth,
                    moves=tuple(one for one, _ in moves),
                    nodes=found.nodes + sum(one.nodes for one, _ in moves),
                    time_s=time.perf_counter() - started,
                    is_complete=all(is_final for _, is_final in moves),
                )
                report(found)
                if found.is_complete:
                    break
        return replace(found, time_s=time.perf_counter() - started)

    def _one_depth(
        self,
        workshop: Workshop,
        depth: int,
        before: Findings,
        report: Callable[[Findings], None],
        started: float,
    ) -> list[tuple[MoveFinding, bool]] | None:
        """Every move and whether it is final, the best first; None if stopped on the way."""
        done: list[tuple[MoveFinding, bool]] = []
        known = [one.move for one in before.moves] or self.game.legal(self.state)
        for move in known:
            one = self._one_move(workshop, move, depth)
            if one is None:
                return None
            done.append(one)
            if before.moves:
                report(self._so_far(before, [each for each, _ in done], started))
        return sorted(done, key=lambda one: -rank(one[0].score))

    def _one_move(
        self, workshop: Workshop, move: int, depth: int
    ) -> tuple[MoveFinding, bool] | None:
        child = play(self.state, move)
        sign = turn(self.state, child)
        if is_over(child):
            score = self._final(child, sign)
            return MoveFinding(move, score, 1, (move,)), True
        result = workshop.run(child, depth - 1, 0, MOST_NODES)
        if not result.completed or self.stop[STOP]:
            return None
        score = result.score if sign > 0 else -result.score
        if score.kind in ("win", "loss"):
            score = replace(score, value=score.value + 1)
        is_final = result.counters["deepest"] < depth - 1
        if is_final and score.kind == "heuristic":
            score = replace(score, kind="proven")  # a draw: no guess was needed
        return MoveFinding(move, score, depth, (move, *result.line), result.nodes), is_final

    def _so_far(self, before: Findings, done: Sequence[MoveFinding], started: float) -> Findings:
        """The findings in the middle of a depth, in the order of the depth before."""
        new = {one.move: one for one in done}
        return replace(
            before,
            moves=tuple(new.get(one.move, one) for one in before.moves),
            nodes=before.nodes + sum(one.nodes for one in done),
            time_s=time.perf_counter() - started,
        )

    def _final(self, child: State, sign: int) -> Score:
        result = sign * int(outcome(child))
        if result and isinstance(self._finish, ByDistance):
            return Score(1, "win" if result > 0 else "loss")
        return Score(result, "proven")

    def _setup(self) -> Setup:
        return Setup(
            find_algorithm("abmemory"),
            self.evaluator,
            finish=self._finish,
            order="all" if self.game.place_weights else "killers",
            memory_bytes=self.memory_bytes,
        )

    @property
    def _finish(self) -> Finish:
        return FINISHES[default_finish(self.game)]


def rank(score: Score) -> int:
    """A number that orders scores: losses, the later the better; all others; wins, soonest best."""
    if score.kind == "win":
        return 2**40 - score.value
    if score.kind == "loss":
        return -(2**40) + score.value
    proven = 2**32 if score.kind == "proven" and score.value else 0
    return score.value + (proven if score.value > 0 else -proven)
