"""The exact score of a position: a few searches with windows of no width, and who shares them.

A window asks "more than alpha?". The first two are far out, at half of the largest score either
way: most decided positions fall there, at a hundredth of the price of the middle. Then the windows
walk out from where balanced games end, 1 for the first player and 0 for the second, since bisection
pays only for decided positions.

With several threads all of them search the same windows with one table, each with ties broken in
its own way; the first to finish stops the others. The score does not depend on them.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import numpy as np

from plyground.bits import U64, popcount
from plyground.core.errors import Unsupported
from plyground.games.connect_four import FOUR, ConnectFour
from plyground.games.connect_four import GAME as CONNECT_FOUR
from plyground.games.rules import is_over, outcome, play
from plyground.kernel import Slab, compilable, kernel
from plyground.solvers.connect_four.board import Board, board_of, threats
from plyground.solvers.connect_four.book import Book
from plyground.solvers.connect_four.children import SIZE
from plyground.solvers.connect_four.forced import loss_next, settle, win_now
from plyground.solvers.connect_four.search import MOST, NODES, STOP, Work, above, position_key
from plyground.solvers.connect_four.table import BYTES_PER_BUCKET, NAME_BITS, Table

DEFAULT_MEMORY = 4 * 2**20
MOST_ROWS = 8
MOST_BITS = 60
MOST_CELLS = 60
QUICK, QUICK_ODD = 38, 30  # empty cells: where the shipped book ends; odd boards lack strategies
LOOK_S = 0.02  # how often somebody looks whether to stop
LEAST_BUCKET_BITS = 14
GENERATION_BITS = 3  # at least: so many solves until the table has to be cleared


@compilable
def next_window(low: int, high: int, left: int, asked: int) -> int:
    """Alpha of the next window for a score from low to high, after so many questions."""
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


class Stopped(Exception):
    """The solver was told to stop before it knew."""


class Solver:
    """Exact scores on one board; what it learns is forgotten from one question to the next."""

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
        self.nodes = 0  # searched for the last question
        bits = popcount(state.bottom) * (state.height + 1)
        buckets = (memory_bytes // BYTES_PER_BUCKET).bit_length() - 1
        least = max(LEAST_BUCKET_BITS, bits + GENERATION_BITS - NAME_BITS)
        bucket_bits = min(max(buckets, least), bits - 1)
        self._table = Table(Slab(2 << bucket_bits), bits, bucket_bits, 0)
        self._asked = 1
        self._generations = 1 << min(NAME_BITS - bits + bucket_bits, 24)
        self.works = [self._work(jitter) for jitter in range(threads)]

    def prepare(self) -> None:
        """Compile what it takes, so that no clock has to pay for it."""
        # Low stakes: no score of an empty board is as large, which the bounds tell at once.
        exact_score(self.board, U64(0), U64(0), MOST - 1, MOST, self.works[0])

    def score(self, state: ConnectFour, low: int = -MOST, high: int = MOST) -> int:
        """The score of the side to move; outside of the bounds the nearer one. Raises Stopped."""
        self.nodes = 0
        left = popcount(self.board.cells) - popcount(state.stones)
        if is_over(state):
            return min(max(int(outcome(state)) * (left + 2 >> 1), low), high)
        known = self.book.score(state) if self.book else None
        if known is not None:
            return min(max(known, low), high)
        self.forget()
        question = (self.board, state.me, state.stones ^ state.me, low, high)
        answers = [0] * len(self.works)

        def answer(number: int) -> None:
            work = self.works[number]
            answers[number] = int(exact_score(*question, work))
            if not work.counts[STOP]:
                self._first.append(number)
                self.stop()

        self._first: list[int] = []
        helpers = [threading.Thread(target=answer, args=(n,)) for n in range(1, len(answers))]
        for helper in helpers:
            helper.start()
        answer(0)
        for helper in helpers:
            helper.join()
        self.nodes = sum(work.counts[NODES] for work in self.works)
        if not self._first:
            raise Stopped
        return answers[self._first[0]]

    def knows(self, state: ConnectFour) -> bool:
        """Whether the score of every move is in the book."""
        return self.book is not None and popcount(state.stones) < self.book.plies

    def is_quick(self, state: ConnectFour) -> bool:
        """Whether all moves of a position can be scored in seconds."""
        left = popcount(self.board.cells) - popcount(state.stones)
        return self.knows(state) or left <= (QUICK_ODD if self.board.height & 1 else QUICK)

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

    def stop(self) -> None:
        """Make the question under way end within a few nodes; from any thread."""
        for work in self.works:
            work.counts[STOP] = 1

    def scores(self, state: ConnectFour, limit: int = MOST) -> dict[int, int]:
        """The score of every move, for the side to move; none beyond the limit."""
        nodes, found = 0, {}
        for move in CONNECT_FOUR.legal(state):
            found[move] = -self.score(play(state, move), -limit, limit)
            nodes += self.nodes
        self.nodes = nodes
        return found

    def best(self, state: ConnectFour, score: int, limit: int = MOST) -> list[int]:
        """The moves that keep the score, itself not beyond the limit."""
        nodes, found = 0, []
        for move in CONNECT_FOUR.legal(state):
            if score == -limit or -self.score(play(state, move), -score, 1 - score) >= score:
                found.append(move)
            nodes += self.nodes
        self.nodes = nodes
        return found

    def line(self, state: ConnectFour, score: int, most: int = MOST_CELLS) -> list[int]:
        """A game of best moves, the most central ones first: to its end, or to the book's."""
        nodes, line = 0, list[int]()
        is_known = self.knows(state)
        while not is_over(state) and len(line) < most and (not is_known or self.knows(state)):
            line.append(self._keeps(state, score))
            nodes += self.nodes
            state, score = play(state, line[-1]), -score
        self.nodes = nodes
        return line

    def _keeps(self, state: ConnectFour, score: int) -> int:
        """The most central move that keeps the score."""
        width, nodes = popcount(state.bottom), 0
        for move in sorted(
            CONNECT_FOUR.legal(state), key=lambda column: abs(2 * column - width + 1)
        ):
            value = -self.score(play(state, move), -score, 1 - score)
            nodes += self.nodes
            if value >= score:
                self.nodes = nodes
                return move
        raise AssertionError("no move keeps the score")

    def forget(self, questions: int = 1) -> None:
        """Begin so many questions anew, each with an empty table and none of the nodes counted."""
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


def check_size(state: ConnectFour) -> None:
    """Complain of a board that is too large, or of another length of lines."""
    width, height = popcount(state.bottom), state.height
    if state.connect != FOUR:
        raise Unsupported(f"connect={state.connect}: only four in a row can be solved")
    if height > MOST_ROWS or width * (height + 1) > MOST_BITS:
        raise Unsupported(
            f"a board of {width}x{height} cannot be solved; expected at most {MOST_ROWS} rows and "
            f"width * (height + 1) of at most {MOST_BITS}"
        )
