"""The study's program, rebuilt: alpha-beta and MTD(f) as its pseudocode prints them.

Columns are tried in the order 3, 4, 2, 5, 1, 6, 0; a won game is worth infinity, which no move can
better, so that a search stops at the first win it sees; MTD(f) begins at 0 with an empty table. All
this is a `Reading`: the study says some of it and leaves the rest open, and its counts decide. Any
other algorithm can be put in MTD(f)'s place. At the end the study's pseudocode in plain Python, for
times and for what no kernel counts. Knows nothing of games in a row.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from plyground.bits import signed
from plyground.core.scores import INFINITY, WIN
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.spec import Evaluator
from plyground.games.connect_four import GAME
from plyground.games.rules import State, key, transform, transform_move
from plyground.kernel import Slab, compilable, kernel
from plyground.lab.catalogue.connect4_mtdf.precomputed import COLUMN, MASKS, worth
from plyground.search.abmemory import abmemory
from plyground.search.alphabeta import alphabeta
from plyground.search.catalogue import find_algorithm
from plyground.search.parts import PASSES, Parts, count, counters_of, restore_line, save_line
from plyground.search.run import Workshop
from plyground.search.setup import FINISHES, MOST_NODES, Setup
from plyground.search.table import NO_MOVE, filing_symmetry, seen_back

COLUMN_ORDER = (3, 4, 2, 5, 1, 6, 0)
SPARE_BYTES = 4096  # for the usual table, which is put aside
TIMED_LEAVES = 10_000  # in one call: it takes a millisecond, and the call itself 60 us


@dataclass(frozen=True)
class Reading:
    """What the study may have done; the defaults are what its printed counts confirm."""

    order: Literal["columns", "cells", "natural"] = "columns"
    """By the printed list, by the lines through the cell where a stone lands, or left to right."""
    wins: Literal["infinite", "equal", "nearest"] = "infinite"
    """Nothing is better than a win; all are equal but the search looks on; the nearest is best."""
    guess: Literal["zero", "last", "deepening", "value"] = "zero"
    """MTD(f)'s first guess, which the caller gives: 0, what its last search found, the value one
    ply shallower, or the value itself."""
    has_table: bool = True
    reflection: bool = True
    table_move: bool = False
    """Whether the table's move is tried first."""


AS_REBUILT = "as rebuilt"
READINGS: Mapping[str, Reading] = {
    AS_REBUILT: Reading(),
    "cells by their lines, not columns": Reading(order="cells"),
    "searching on after a win": Reading(wins="equal"),
    "the nearest win first": Reading(wins="nearest"),
    "f = the last value": Reading(guess="last"),
    "f = the value one ply shallower": Reading(guess="deepening"),
    "no reflection": Reading(reflection=False),
    "the table's move first": Reading(table_move=True),
}


@dataclass(frozen=True)
class Found:
    """What one search found and counted."""

    value: int
    """For the side to move."""
    move: int
    counters: dict[str, int]
    time_s: float = 0.0
    """From call to answer, without the making of its parts."""


# ------------------------------------------------------------------ a table that forgets nothing

KEY, ROUND, LOWER, UPPER, MOVE, ENTRY = range(6)
NOW, USED, NUMBERS = range(3)
FULLEST = 0.75  # of the places; what comes later is not filed, and counted as a collision


class Dictionary(NamedTuple):
    """A table that forgets nothing during a search: a position is filed from its key's place on.

    The counts come out exactly only if no entry is ever pushed out. Bounds are filed by position
    alone, as in the pseudocode: in one search a position is always met at the same depth.
    """

    slots: Slab
    numbers: Slab
    """The number of the current search, which marks its entries, and how many there are."""
    mask: int
    most: int
    symmetric: int
    """Whether mirrored positions share an entry: the study's reflection."""
    tells_move: int
    """Whether the best move found before is to be tried first."""

    def probe(self, state: State, depth: int) -> tuple[int, int, int, int]:
        symmetry = filing_symmetry(self, state)  # type: ignore[arg-type]  # it has the field
        at = place(self, signed(key(transform(state, symmetry))))
        if self.slots[at + ROUND] != self.numbers[NOW]:
            return -INFINITY, INFINITY, NO_MOVE, 0
        move = NO_MOVE
        if self.tells_move:
            move = seen_back(state, self.slots[at + MOVE], symmetry)
        return self.slots[at + LOWER], self.slots[at + UPPER], move, 2

    def store(self, state: State, depth: int, lower: int, upper: int, move: int) -> int:
        symmetry = filing_symmetry(self, state)  # type: ignore[arg-type]
        code = signed(key(transform(state, symmetry)))
        at = place(self, code)
        if self.slots[at + ROUND] != self.numbers[NOW]:
            if self.numbers[USED] >= self.most:
                return 1
            self.numbers[USED] = self.numbers[USED] + 1
            self.slots[at + KEY], self.slots[at + ROUND] = code, self.numbers[NOW]
            self.slots[at + LOWER], self.slots[at + UPPER] = -INFINITY, INFINITY
            self.slots[at + MOVE] = NO_MOVE
        self.slots[at + LOWER] = max(self.slots[at + LOWER], lower)
        self.slots[at + UPPER] = min(self.slots[at + UPPER], upper)
        if move != NO_MOVE:
            self.slots[at + MOVE] = transform_move(state, move, symmetry)
        return 0


@compilable
def place(table: Dictionary, code: int) -> int:
    """Where a key is filed, or would be."""
    now, index = table.numbers[NOW], code & table.mask
    while table.slots[index * ENTRY + ROUND] == now and table.slots[index * ENTRY + KEY] != code:
        index = (index + 1) & table.mask
    return index * ENTRY


@compilable
def forget(table: Dictionary) -> None:
    """Empty the table; takes no longer for a full one."""
    table.numbers[NOW] = table.numbers[NOW] + 1
    table.numbers[USED] = 0


def make_dictionary(places: int, symmetric: bool, tells_move: bool) -> Dictionary:
    """An empty one; `places` is a power of two."""
    assert places & (places - 1) == 0
    table = Dictionary(
        Slab(places * ENTRY),
        Slab(NUMBERS),
        places - 1,
        int(places * FULLEST),
        int(symmetric),
        int(tells_move),
    )
    forget(table)  # places that were never filled carry round 0
    return table


# ------------------------------------------------------------------ the program


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
        self, depth: int, reading: Reading | None = None, evaluator: str = "segments"
    ) -> None:
        self.depth, self.reading, self.evaluator = depth, reading or Reading(), evaluator
        self.game = replace(GAME, place_weights=_weights(self.reading.order))
        judge = find_evaluator(evaluator, self.game.initial()).make()
        finish = FINISHES["distance" if self.reading.wins == "nearest" else "margin"]
        self.setup = Setup(find_algorithm("alphabeta"), judge, finish, "weights", SPARE_BYTES)
        self.top = WIN + 1 if self.reading.wins == "infinite" else INFINITY
        places = 1 << (depth + 9) if self.reading.has_table else 1  # depth 12 files up to 626,000
        self.table: Any = make_dictionary(places, self.reading.reflection, self.reading.table_move)

    def search(self, algorithm: str, state: State, guess: int = 0) -> Found:
        """One search, counted."""
        workshop, parts = self._begin(algorithm, state)
        started = time.perf_counter()
        value = self._call(workshop, state, guess, parts)
        time_s = time.perf_counter() - started
        return Found(value, self._move(state, parts), counters_of(parts.counts), time_s)

    def times(
        self, player: str, state: State, guess: int, leaves: int, repetitions: int
    ) -> list[float]:
        """The seconds that alphabeta or mtdf takes, again and again, for this many leaves.

        Short searches are repeated within one call, whose own price would else hide them.
        """
        (workshop, parts), seconds = self._begin(player, state), []
        times = max(1, TIMED_LEAVES // max(1, leaves))
        for _ in range(repetitions):
            started = time.perf_counter()
            self._call(workshop, state, guess, parts, times)
            seconds.append((time.perf_counter() - started) / times)
        return seconds

    def _begin(self, name: str, state: State) -> tuple[Workshop, Parts]:
        """What an algorithm works with; the table that forgets nothing stands in for the usual."""
        setup = replace(self.setup, algorithm=find_algorithm(name))
        workshop = Workshop(self.game, setup, None, None)
        parts = workshop.parts(state, self.depth, MOST_NODES)
        return workshop, parts._replace(table=self.table) if parts.table else parts

    def _call(
        self, workshop: Workshop, state: State, guess: int, parts: Parts, times: int = 1
    ) -> int:
        algorithm, judge = workshop.setup.algorithm, self.setup.evaluator
        depth, top = self.depth, self.top
        if algorithm.name == "alphabeta":
            return int(alphabeta_often(state, judge, depth, top, times, parts))
        if algorithm.name == "mtdf":
            return int(mtdf_often(state, judge, depth, guess, top, times, parts))
        forget(self.table)
        if algorithm.call == "window":
            kernel: Any = algorithm.kernel
            return int(kernel(state, judge, depth, -top, top, parts))
        return workshop.value(state, depth, guess, parts)

    def _move(self, state: State, parts: Parts) -> int:
        """The best move found; the first in order if all lose, which a window at infinity hides."""
        row = self.depth * parts.stride
        if parts.line[row]:
            return parts.line[row + 1]
        legal = self.game.legal(state)
        return next(column for column in COLUMN_ORDER if column in legal)


def _weights(order: str) -> Any:
    """How promising each cell is, by the name of an order."""
    known = {"columns": COLUMN_ORDER, "natural": sorted(COLUMN_ORDER)}
    if order not in known:
        return GAME.place_weights
    ranks = [len(COLUMN_ORDER) - known[order].index(column) for column in sorted(COLUMN_ORDER)]
    weights = [rank for rank in ranks for _ in range(COLUMN)]
    return lambda state: weights


# ------------------------------------------------------------------ in plain Python

WON = 10**9
Board = tuple[int, int]
"""The stones of MAX and those of MIN, as bits 7 * column + row."""


class Pseudocode:
    """Alpha-beta and MTD(f) as the study prints them: minimax, with a dictionary as the table.

    As printed, leaves are filed in the table as well (`files_leaves`); its counts say they are not.
    """

    def __init__(self, files_leaves: bool = False) -> None:
        self.files_leaves = files_leaves
        self.table: dict[Board, tuple[int, int]] | None = None
        self.leaves: list[tuple[Board, int]] = []
        """What the last search evaluated, as it is filed, and the values."""
        self.passes: list[tuple[bool, bool | None]] = []
        """Of each pass, whether its value was below beta, and its first leaf if it had one."""

    def alphabeta(self, me: int, other: int, depth: int) -> int:
        self.leaves, self.table = [], None
        return self._search(me, other, True, -WON, WON, depth)

    def mtdf(self, me: int, other: int, depth: int) -> int:
        self.leaves, self.passes, self.table = [], [], {}
        g, lower, upper = 0, -WON, WON
        while lower < upper:
            beta = g + 1 if g == lower else g
            begun = len(self.leaves)
            g = self._search(me, other, True, beta - 1, beta, depth)
            first = self.leaves[begun][1] < beta if len(self.leaves) > begun else None
            self.passes.append((g < beta, first))
            if g < beta:
                upper = g
            else:
                lower = g
        return g

    def _search(self, me: int, other: int, is_max: bool, alpha: int, beta: int, depth: int) -> int:
        board = (me, other)
        if self.table is not None:
            board = min(board, (mirrored(me), mirrored(other)))
            lower, upper = self.table.get(board, (-WON, WON))
            if lower >= beta:
                return lower
            if upper <= alpha:
                return upper
            alpha, beta = max(alpha, lower), min(beta, upper)
        over = self._outcome(me, other)
        if depth == 0 or over is not None:
            g = worth(MASKS, me, other) if over is None else over
            self.leaves.append((board, g))
            if not self.files_leaves:
                return g
        else:
            g = self._best(me, other, is_max, alpha, beta, depth)
        if self.table is not None:
            lower, upper = self.table.get(board, (-WON, WON))
            self.table[board] = (g if g >= beta else lower, g if g <= alpha else upper)
        return g

    def _best(self, me: int, other: int, is_max: bool, alpha: int, beta: int, depth: int) -> int:
        g = -WON if is_max else WON
        for column in COLUMN_ORDER:
            stone = landing(me | other, column)
            if not stone:
                continue
            if is_max:
                g = max(g, self._search(me | stone, other, False, max(alpha, g), beta, depth - 1))
            else:
                g = min(g, self._search(me, other | stone, True, alpha, min(beta, g), depth - 1))
            if g >= beta if is_max else g <= alpha:
                break
        return g

    def _outcome(self, me: int, other: int) -> int | None:
        """Infinity for a win, 0 for a full board, None if the game goes on."""
        for stones, value in ((me, WON), (other, -WON)):
            if any(segment & stones == segment for segment in MASKS):
                return value
        return 0 if (me | other).bit_count() == 42 else None


def landing(stones: int, column: int) -> int:
    """The cell where a stone comes to rest, or 0 if the column is full."""
    height = (stones >> 7 * column & 127).bit_count()
    return 1 << 7 * column + height if height < 6 else 0


def mirrored(stones: int) -> int:
    return sum((stones >> 7 * c & 127) << 7 * (6 - c) for c in range(7))
