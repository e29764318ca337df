"""The exact score of a position: a few searches with minimal windows.

Each of them proves a bound, which is reported. The table is kept from question to question: its
bounds are true whatever is asked.
"""

from __future__ import annotations

import copy
import math

from plyground.bits import U64, ZERO, popcount
from plyground.core.scores import Score
from plyground.games.othello import GAME as OTHELLO
from plyground.games.othello import Othello
from plyground.games.rules import State, cells_left, is_over, outcome
from plyground.kernel import Slab, kernel
from plyground.solvers.othello.board import Board, board_of, cells, count_cells, parity_of
from plyground.solvers.othello.search import (
    BUSY_BITS,
    CHILD,
    MOST_CHILDREN,
    SHALLOW,
    Work,
    above,
    shallow,
)
from plyground.solvers.othello.table import BYTES_PER_BUCKET, GENERATIONS, Table, find, move_of
from plyground.solvers.othello.windows import Windows
from plyground.solvers.spec import NODES, STOP, Bound, OnBounds, Solver

DEFAULT_MEMORY = 64 * 2**20
LEAST_BITS = 10
QUICK = 20  # empty squares
# In games of strong programs they took a core 0.1 s, at most 0.3 s; two more take 5 times as long.
QUICK_S, GROWTH = 0.3, 2.5


@kernel
def exceeds(board: Board, me: U64, opp: U64, alpha: int, work: Work) -> int:
    """A value that is above alpha if the score is, and a bound on it; for any position."""
    empty = cells(board) & ~(me | opp)
    left = popcount(empty)
    if left > SHALLOW:
        return above(board, me, opp, alpha, left, 0, work)
    return shallow(board, me, opp, alpha, left, parity_of(board, empty), work.counts)


@kernel
def remembered(table: Table, me: U64, opp: U64) -> U64:
    """The word of the table for a position, or 0."""
    return find(table, me, opp)


def _works(table: Table, threads: int) -> list[Work]:
    busy = Slab(1 << BUSY_BITS)
    return [
        Work(table, Slab(CHILD * MOST_CHILDREN), Slab(2), busy, threads) for _ in range(threads)
    ]


class OthelloSolver(Solver):
    """Exact scores on boards of 4x4, 6x6 and 8x8."""

    game = OTHELLO

    def __init__(self, state: State, memory_bytes: int = DEFAULT_MEMORY, threads: int = 1) -> None:
        self.board = board_of(state)
        self.most = count_cells(self.board)
        self.least = -self.most
        bits = max(LEAST_BITS, (memory_bytes // BYTES_PER_BUCKET).bit_length() - 1)
        self.works = _works(Table(Slab(BYTES_PER_BUCKET // 8 << bits), bits, 1), threads)

    def sharing(self) -> OthelloSolver:
        """A solver with the same table, which can be used while this one is busy."""
        other = copy.copy(self)
        other.works = _works(self.works[0].table, len(self.works))
        return other

    def prepare(self) -> None:
        work = self.works[0]._replace(counts=Slab(2))
        exceeds(self.board, ZERO, cells(self.board), self.most, work)
        remembered(work.table, ZERO, ZERO)

    def score(
        self, state: State, low: Bound = None, high: Bound = None, on_bounds: OnBounds = None
    ) -> int:
        assert isinstance(state, Othello)
        low, high = self.least if low is None else low, self.most if high is None else high
        self.nodes = 0
        if is_over(state):
            return min(max(int(outcome(state)), low), high)
        windows = Windows(low, high)
        while windows.is_open:
            windows.learn(self.ask(state, windows.alpha))
            if on_bounds is not None:
                on_bounds(windows.low, windows.high)
        return windows.low

    def ask(self, state: Othello, alpha: int) -> int:
        """A bound on the score, above alpha if the score is. Raises Stopped."""
        for work in self.works:
            work.counts[NODES] = work.counts[STOP] = 0
        try:
            return self._race(lambda work: exceeds(self.board, state.me, state.opp, alpha, work))
        finally:
            self.nodes += sum(work.counts[NODES] for work in self.works)

    def candidates(self, state: State) -> list[int]:
        """The move that the table knows, then the others."""
        assert isinstance(state, Othello)
        legal = OTHELLO.legal(state)
        known = move_of(U64(remembered(self.works[0].table, state.me, state.opp)))
        return sorted(legal, key=lambda move: move != known)

    def is_quick(self, state: State, time_s: float | None = None) -> bool:
        more = 0 if time_s is None else math.floor(math.log(time_s / QUICK_S, GROWTH))
        return cells_left(state) <= QUICK + more

    def as_score(self, state: State, score: int) -> Score:
        return Score(score, "proven")

    def forget(self) -> None:
        table = self.works[0].table
        generation = table.generation + 1
        if generation == GENERATIONS:
            table.words.array[:] = 0
            generation = 1
        fresh = table._replace(generation=generation)
        self.works = [work._replace(table=fresh) for work in self.works]
