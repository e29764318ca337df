"""The exact score of a position: a few searches with minimal windows, by one thread or several.

A window asks "more than alpha?". The first two are far out, at half of the largest score either
way: most decided positions fall there, at a hundredth of the price of the middle. Then the windows
move outwards from where balanced games end, 1 for the first player and 0 for the second, since
bisection pays only for decided positions.

Several threads search the same windows with one table, each breaking ties in its own way; the first
to finish stops the others. The score does not depend on them.
"""

from __future__ import annotations

import numpy as np

from plyground.bits import U64, popcount
from plyground.core.errors import Unsupported
from plyground.core.scores import Score
from plyground.games.connect_four import FOUR, ConnectFour
from plyground.games.connect_four import GAME as CONNECT_FOUR
from plyground.games.rules import State, is_over, outcome
from plyground.kernel import Slab, compilable, kernel
from plyground.solvers.connect_four.board import Board, board_of, threats
from plyground.solvers.connect_four.book import Book
from plyground.solvers.connect_four.children import SIZE
from plyground.solvers.connect_four.forced import loss_next, settle, win_now
from plyground.solvers.connect_four.search import MOST, Work, above, position_key
from plyground.solvers.connect_four.table import BYTES_PER_BUCKET, NAME_BITS, Table
from plyground.solvers.spec import NODES, STOP, Bound, OnBounds, Solver

DEFAULT_MEMORY = 4 * 2**20
MOST_ROWS = 8
MOST_BITS = 60
QUICK, QUICK_ODD = 38, 30  # empty cells: where the shipped book ends; odd boards lack strategies
LEAST_BUCKET_BITS = 14
GENERATION_BITS = 3  # at least: so many solves until the table has to be cleared


@compilable
def next_window(low: int, high: int, left: int, asked: int) -> int:
    """Alpha of the next window for a score from low to high, after so many windows."""
    far = win_now(left) >> 1
    if asked == 0 and low <= far < high:
        return far
    if asked <= 1 and low <= -far - 1 < high:
        return -far - 1
    balanced = 1 - (left & 1)
    if low < balanced <= high:
        return balanced - 1
    return high - 1 if high < balanced else low


@kernel
def exact_score(board: Board, me: U64, them: U64, low: int, high: int, work: Work) -> int:
    """The score, if it is from low to high; else the nearer of the two. Any position not over."""
    stones = me | them
    left = popcount(board.cells) - popcount(stones)
    start = settle(board, me, them, threats(board, me, stones), threats(board, them, stones), left)
    least, most = low, high
    if start.is_decided:
        return min(max(start.score, least), most)
    if start.sign < 0:
        low, high = -most, -least
    left = start.left
    low, high = max(low, loss_next(left)), min(high, win_now(left - 2))
    key = position_key(board, start.me, start.them, left)
    asked = 0
    while low < high:
        alpha = next_window(low, high, left, asked)
        asked += 1
        value = above(board, start.me, start.them, start.theirs, left, key, alpha, 0, work)
        if work.counts[STOP]:
            break
        if value > alpha:
            low = min(value, high)
        else:
            high = max(value, low)
    return min(max(start.sign * low, least), most)


@kernel
def exact_scores(
    board: Board, positions: np.ndarray, scores: np.ndarray, low: int, high: int, work: Work
) -> int:
    """Score many positions, rows of mover's and other's stones, each with an empty table."""
    table = work.table
    for i in range(len(positions)):
        fresh = Table(table.words, table.bits, table.bucket_bits, table.generation + i)
        own = Work(fresh, work.children, work.counts, work.jitter)
        scores[i] = exact_score(board, positions[i, 0], positions[i, 1], low, high, own)
    return len(positions)


class ConnectFourSolver(Solver):
    """Exact scores on one board; each question begins with an empty table."""

    game = CONNECT_FOUR
    least, most = -MOST, MOST

    def __init__(
        self,
        state: ConnectFour,
        memory_bytes: int = DEFAULT_MEMORY,
        threads: int = 1,
        book: Book | None = None,
    ) -> None:
        check_size(state)
        self.book = book
        self.board = board_of(state)
        bits = popcount(state.bottom) * (state.height + 1)
        buckets = (memory_bytes // BYTES_PER_BUCKET).bit_length() - 1
        least = max(LEAST_BUCKET_BITS, bits + GENERATION_BITS - NAME_BITS)
        bucket_bits = min(max(buckets, least), bits - 1)
        self._table = Table(Slab(2 << bucket_bits), bits, bucket_bits, 0)
        self._asked = 1
        self._generations = 1 << min(NAME_BITS - bits + bucket_bits, 24)
        self.works = [self._work(jitter) for jitter in range(threads)]

    def prepare(self) -> None:
        # No score of an empty board is as large, which the bounds show at once.
        exact_score(self.board, U64(0), U64(0), MOST - 1, MOST, self.works[0])

    def score(
        self, state: State, low: Bound = None, high: Bound = None, on_bounds: OnBounds = None
    ) -> int:
        assert isinstance(state, ConnectFour)
        low, high = -MOST if low is None else low, MOST if high is None else high
        self.nodes = 0
        left = popcount(self.board.cells) - popcount(state.stones)
        if is_over(state):
            return min(max(int(outcome(state)) * (left + 2 >> 1), low), high)
        known = self.book.score(state) if self.book else None
        if known is not None:
            return min(max(known, low), high)
        self.forget()
        question = (self.board, state.me, state.stones ^ state.me, low, high)
        try:
            return self._race(lambda work: exact_score(*question, work))
        finally:
            self.nodes = sum(work.counts[NODES] for work in self.works)

    def candidates(self, state: State) -> list[int]:
        """The most central columns first."""
        assert isinstance(state, ConnectFour)
        width = popcount(state.bottom)
        return sorted(CONNECT_FOUR.legal(state), key=lambda column: abs(2 * column - width + 1))

    def as_score(self, state: State, score: int) -> Score:
        assert isinstance(state, ConnectFour)
        return stones_until(state, score)

    def knows(self, state: State) -> bool:
        """Whether the score of every move is in the book."""
        assert isinstance(state, ConnectFour)
        return self.book is not None and popcount(state.stones) < self.book.plies

    def is_quick(self, state: State, time_s: float | None = None) -> bool:
        assert isinstance(state, ConnectFour)
        left = popcount(self.board.cells) - popcount(state.stones)
        return self.knows(state) or left <= (QUICK_ODD if self.board.height & 1 else QUICK)

    def forget(self, questions: int = 1) -> None:
        """Begin so many questions, each with an empty table and no nodes counted."""
        generation = self._table.generation + self._asked
        self._asked = questions
        if generation + questions > self._generations:
            self._table.words.array[:] = 0
            generation = 1
        self._table = self._table._replace(generation=generation)
        self.works = [work._replace(table=self._table) for work in self.works]
        for work in self.works:
            work.counts[NODES] = work.counts[STOP] = 0

    def _work(self, jitter: int) -> Work:
        room = SIZE * popcount(self.board.bottom) * popcount(self.board.cells)
        return Work(self._table, Slab(room), Slab(2), jitter)


def stones_until(state: ConnectFour, score: int) -> Score:
    """The score as a number of stones from now, the winning one included."""
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


def check_size(state: ConnectFour) -> None:
    """Raise Unsupported for a board that is too large, or another length of lines."""
    width, height = popcount(state.bottom), state.height
    if state.connect != FOUR:
        raise Unsupported(f"connect={state.connect}: only four in a row can be solved")
    if height > MOST_ROWS or width * (height + 1) > MOST_BITS:
        raise Unsupported(
            f"a board of {width}x{height} cannot be solved; expected at most {MOST_ROWS} rows and "
            f"width * (height + 1) of at most {MOST_BITS}"
        )
