"""The study's program, rebuilt: alpha-beta and MTD(f) as its pseudocode prints them.

Columns are tried in the order 3, 4, 2, 5, 1, 6, 0; a won game is worth infinity, which no move can
better, so that a search stops at the first win it sees; MTD(f) begins at 0 with an empty table. All
this is a `Reading`: the study says some of it and leaves the rest open, and its counts decide (see
`report.py`). Any other algorithm can be put in MTD(f)'s place. Knows nothing of games in a row.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from plyground.core.scores import INFINITY, WIN
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.spec import Evaluator
from plyground.games.connect_four import GAME
from plyground.games.rules import FIRST, State, side
from plyground.kernel import Slab, kernel
from plyground.lab.catalogue.connect4_mtdf.dictionary import Dictionary, forget, make_dictionary
from plyground.search import sss
from plyground.search.abmemory import abmemory
from plyground.search.alphabeta import alphabeta
from plyground.search.catalogue import find_algorithm
from plyground.search.parts import COUNTERS, PASSES, Parts, count, restore_line, save_line
from plyground.search.run import Workshop
from plyground.search.setup import FINISHES, MOST_NODES, Setup

COLUMN_ORDER = (3, 4, 2, 5, 1, 6, 0)
CELLS_PER_COLUMN = 7  # of the bits of a board, with the guard bit
TIMED_LEAVES = 10_000  # in one call: it takes a millisecond, and the call itself 60 us
BEST_FIRST_BYTES = 768 * 2**20


@dataclass(frozen=True)
class Reading:
    """What the study may have done; the defaults are what its printed counts confirm."""

    order: Literal["columns", "cells", "natural"] = "columns"
    """By the printed list, by the lines through the cell where a stone lands, or left to right."""
    wins: Literal["infinite", "equal", "nearest"] = "infinite"
    """Nothing is better than a win; all are equal but the search looks on; the nearest is best."""
    guess: Literal["zero", "last", "deepening"] = "zero"
    """MTD(f)'s first guess: 0, what its last search found, or the value one ply shallower."""
    reflection: bool = True
    table_move: bool = False
    """Whether the table's move is tried first."""


@dataclass(frozen=True)
class Found:
    """What one search found and counted."""

    value: int
    """For the side to move."""
    move: int
    counters: dict[str, int]
    time_s: float = 0.0
    """From call to answer, without the making of its parts."""


class OutOfMemory(Exception):
    """A best-first search had no room for its open nodes."""


@kernel
def alphabeta_often(
    state: State, evaluator: Evaluator, depth: int, top: int, times: int, parts: Parts
) -> int:
    """Alpha-beta, so many times in a row."""
    value = 0
    for _ in range(times):
        value = alphabeta(state, evaluator, depth, -top, top, parts)
    return value


@kernel
def mtdf_often(
    state: State, evaluator: Evaluator, depth: int, guess: int, top: int, times: int, parts: Parts
) -> int:
    """MTD(f) between bounds, so many times in a row, each with an empty table.

    `search/mtdf.py` with the study's bounds: a value of plus or minus `top` needs no second proof.
    """
    value = guess
    for _ in range(times):
        forget(parts.table)  # type: ignore[arg-type]  # a Dictionary
        value, lower, upper = guess, -top, top
        while lower < upper:
            beta = value + 1 if value == lower else value
            value = abmemory(state, evaluator, depth, beta - 1, beta, parts)
            count(parts, PASSES)
            if value < beta:
                upper = value
            else:
                lower = value
                save_line(parts, depth)
        restore_line(parts, depth)
    return value


class Program:
    """Both of the study's players at one depth, and any other algorithm under the same terms."""

    def __init__(
        self,
        depth: int,
        reading: Reading | None = None,
        evaluator: str | Evaluator = "segments",
        places: int = 0,
    ) -> None:
        self.depth, self.reading = depth, reading or Reading()
        self.game = replace(GAME, place_weights=_weights(self.reading.order))
        start = self.game.initial()
        if isinstance(evaluator, str):
            evaluator = find_evaluator(evaluator, start).make()
        nearest = self.reading.wins == "nearest"
        finish = FINISHES["distance" if nearest else "margin"]
        self.setup = Setup(find_algorithm("alphabeta"), evaluator, finish, "weights")
        self.top = WIN + 1 if self.reading.wins == "infinite" else INFINITY
        self.table: Dictionary = make_dictionary(
            places or _places(depth), self.reading.reflection, self.reading.table_move
        )

    def search(self, algorithm: str, state: State, guess: int = 0) -> Found:
        """One search, counted."""
        parts = self._parts(algorithm, state)
        started = time.perf_counter()
        value = self._call(algorithm, state, guess, parts)
        time_s = time.perf_counter() - started
        counters = {name: parts.counts[i] for i, name in enumerate(COUNTERS)}
        return Found(value, self._move(state, parts), counters, time_s)

    def times(
        self, player: str, state: State, guess: int, leaves: int, repetitions: int
    ) -> list[float]:
        """The seconds that alphabeta or mtdf takes, again and again, for this many leaves.

        Short searches are repeated within one call, whose own price would else hide them.
        """
        parts, seconds = self._parts(player, state), []
        times = max(1, TIMED_LEAVES // max(1, leaves))
        for _ in range(repetitions):
            started = time.perf_counter()
            self._call(player, state, guess, parts, times)
            seconds.append((time.perf_counter() - started) / times)
        return seconds

    def _parts(self, algorithm: str, state: State) -> Parts:
        workshop = Workshop(self.game, self.setup, None, None)
        parts = workshop.parts(state, self.depth, MOST_NODES)
        table: Any = self.table
        return parts._replace(table=table) if find_algorithm(algorithm).uses_table else parts

    def _call(self, name: str, state: State, guess: int, parts: Parts, times: int = 1) -> int:
        judge, depth, top = self.setup.evaluator, self.depth, self.top
        if name == "alphabeta":
            return int(alphabeta_often(state, judge, depth, top, times, parts))
        if name == "mtdf":
            return int(mtdf_often(state, judge, depth, guess, top, times, parts))
        return self._call_other(name, state, guess, parts)

    def _call_other(self, name: str, state: State, guess: int, parts: Parts) -> int:
        judge, depth, top = self.setup.evaluator, self.depth, self.top
        algorithm = find_algorithm(name)
        kernel: Any = algorithm.kernel
        forget(self.table)
        if algorithm.call == "window":
            return int(kernel(state, judge, depth, -top, top, parts))
        if algorithm.call == "guess":
            return int(kernel(state, judge, depth, guess, parts))
        if algorithm.call == "plain":
            return int(kernel(state, judge, depth, parts))
        if algorithm.call == "first":
            value = int(kernel(state, judge, depth, parts))
            return value if side(state) == FIRST else -value
        memory = Slab(BEST_FIRST_BYTES // 8)
        memory[sss.ROOM] = (len(memory) - sss.HEADER) // sss.NUMBERS_PER_NODE
        value = int(kernel(state, judge, depth, algorithm.maximise, memory, parts))
        if value == sss.OUT_OF_MEMORY:
            raise OutOfMemory(f"{name} at depth {depth}")
        return value

    def _move(self, state: State, parts: Parts) -> int:
        """The best move found; the first in order if all lose, which a window at infinity hides."""
        row = self.depth * parts.stride
        if parts.line[row]:
            return parts.line[row + 1]
        legal = self.game.legal(state)
        return next(column for column in COLUMN_ORDER if column in legal)


def _weights(order: str) -> Any:
    """How promising each cell is, by the name of an order."""
    columns = {"columns": COLUMN_ORDER, "natural": tuple(range(len(COLUMN_ORDER)))}
    if order not in columns:
        return GAME.place_weights

    def weights(state: State) -> Sequence[int]:
        ranks = [len(COLUMN_ORDER) - columns[order].index(c) for c in range(len(COLUMN_ORDER))]
        return [rank for rank in ranks for _ in range(CELLS_PER_COLUMN)]

    return weights


def _places(depth: int) -> int:
    """Room for what a search of this depth files: up to 626,000 positions at depth 12."""
    return 1 << (depth + 9)
