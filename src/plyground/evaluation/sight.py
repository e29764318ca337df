"""Evaluators for any game, from what every game tells: its moves, its board, how its games end.

One class with five weights; `mobility`, `material`, `cells`, `pairs` and `lines` are five settings
of it, so that all of them are one piece of compiled code. What they count:

* a **move** that the side to move has;
* a **piece** more on the board than the other side has;
* a **cell**, or whatever else a bit of the state says: what it was worth in games (`views.py`);
* a **pair** of neighbouring cells with one owner;
* a **line** of cells that is open to one side: 4 times as much for each further piece in it.

Pairs and lines need a board of at most 64 cells, so that the pieces of a side are one word.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import NamedTuple

from plyground.bits import (
    U64,
    WORD_BITS,
    ZERO,
    bit,
    lowest_index,
    popcount,
    unsigned,
    without_lowest,
    words,
)
from plyground.evaluation.pictures import bits_of, summed
from plyground.evaluation.spec import EvaluatorSpec, Factor, evaluate
from plyground.evaluation.views import (
    BIAS,
    BITS,
    CELL,
    ENTRY,
    HEADER,
    LINES,
    MOST_CELLS,
    PAIRS,
    PIECE,
    REST,
    WORTH,
    view_of,
)
from plyground.games.rules import State, count_moves, side
from plyground.games.spec import GameSpec
from plyground.kernel import Slab, compilable

NO_VIEW = Slab(HEADER)
PERCENT = 100  # the unit of the weight of cells
NAMES = {"move": "moves", "piece": "pieces", "cell": "cells", "pair": "pairs", "line": "lines"}


@compilable
def balance_of_pairs(own: U64, other: U64, view: Slab, start: int) -> int:
    """How many more pairs one side has than the other."""
    value = 0
    for i in range(start, start + view[PAIRS]):
        pair = unsigned(view[i])
        value += int(own & pair == pair) - int(other & pair == pair)
    return value


@compilable
def balance_of_lines(own: U64, other: U64, view: Slab, start: int) -> int:
    """What the lines are worth in which only one side has pieces."""
    value = 0
    for i in range(start, start + view[LINES]):
        line = unsigned(view[i])
        mine, theirs = popcount(own & line), popcount(other & line)
        if mine and not theirs:
            value += 1 << 2 * (mine - 1)
        elif theirs and not mine:
            value -= 1 << 2 * (theirs - 1)
    return value


class Sight(NamedTuple):
    """The weights, the view of a game (`views.py`), and room for its moves."""

    move: int
    piece: int
    cell: int
    pair: int
    line: int
    table: Slab
    room: Slab

    def evaluate(self, state: State) -> int:
        view, mover = self.table, side(state)
        masks, entries = HEADER, HEADER + view[BITS] // WORD_BITS
        first, behind = entries + mover * view[BITS] * ENTRY, entries + 2 * view[BITS] * ENTRY
        pieces, worth, own, other = 0, view[BIAS + mover], ZERO, ZERO
        for field, word in enumerate(words(state)):
            left = word & unsigned(view[masks + field])
            while left:
                at = first + (field * WORD_BITS + lowest_index(left)) * ENTRY
                left = without_lowest(left)
                pieces += view[at + PIECE]
                worth += view[at + WORTH]
                if view[at + CELL] and view[at + CELL] <= MOST_CELLS:
                    cell = bit(view[at + CELL] - 1)
                    if view[at + PIECE] > 0:
                        own |= cell
                    else:
                        other |= cell
        if view[REST + mover] > 0:
            own &= ~other
        elif view[REST + mover] < 0:
            other &= ~own
        value = self.piece * pieces + self.cell * worth // PERCENT
        if self.move:
            value += self.move * count_moves(state, self.room, 0)
        if self.pair:
            value += self.pair * balance_of_pairs(own, other, view, behind)
        if self.line:
            value += self.line * balance_of_lines(own, other, view, behind + view[PAIRS])
        return value


Sight.move.__doc__ = "of a legal move of the side to move"
Sight.piece.__doc__ = "of a piece on the board"
Sight.cell.__doc__ = "in percent of what a cell was worth in games"
Sight.pair.__doc__ = "of two neighbours of one side"
Sight.line.__doc__ = "of a line open to one side: 1, 4, 16 times for 1, 2, 3 pieces"


# ------------------------------------------------------------------ factors


def sight_factors(evaluator: Sight, state: State) -> list[Factor]:
    """What each weight adds, and where."""
    entries = [each for each in _entries(evaluator.table, state) if each[CELL]]
    entries.sort(key=lambda each: abs(each[PIECE]))  # who counts twice is no rest
    whose = {each[CELL] - 1: 1 if each[PIECE] > 0 else -1 for each in entries}
    pairs = [pair for pair in _pairs(evaluator.table) if _owners(pair, whose) in ({1}, {-1})]
    pictures = {
        "piece": tuple(whose.items()),
        "cell": tuple((each[CELL] - 1, each[WORTH]) for each in entries),
        "pair": summed((cell, whose[cell] / 2) for pair in pairs for cell in pair),
    }
    factors = []
    for weight, name in NAMES.items():
        if size := getattr(evaluator, weight):
            unit = PERCENT if weight == "cell" else 1
            alone = _preset(**{weight: unit})._replace(table=evaluator.table, room=evaluator.room)
            value = evaluate(alone, state)
            factors.append(Factor(name, value, size / unit, pictures.get(weight, ())))
    return factors


def _entries(view: Slab, state: State) -> Iterator[list[int]]:
    """The entries of the bits that are set in a state."""
    first = HEADER + len(state) + int(side(state)) * view[BITS] * ENTRY
    for field, word in enumerate(words(state)):
        for i in bits_of(int(word)):
            at = first + (field * WORD_BITS + i) * ENTRY
            yield view.array[at : at + ENTRY].tolist()


def _pairs(view: Slab) -> Iterator[list[int]]:
    start = HEADER + view[BITS] // WORD_BITS + 2 * view[BITS] * ENTRY
    for at in range(start, start + view[PAIRS]):
        yield bits_of(int(unsigned(view[at])))


def _owners(cells: list[int], whose: dict[int, int]) -> set[int]:
    return {whose.get(cell, 0) for cell in cells}


# ------------------------------------------------------------------ the evaluators


def _preset(move: int = 0, piece: int = 0, cell: int = 0, pair: int = 0, line: int = 0) -> Sight:
    """Before it is fitted to a game, it sees nothing but moves."""
    return Sight(move, piece, cell, pair, line, NO_VIEW, NO_VIEW)


def _fit(evaluator: Sight, game: GameSpec, start: State) -> Sight:
    """The same weights with the view of a game."""
    room = _room_of(game.max_moves)
    by_worth = _preset(cell=PERCENT)._replace(room=room)
    view = view_of(game, start, lambda table: by_worth._replace(table=table))
    return evaluator._replace(table=view, room=room)


@functools.cache
def _room_of(width: int) -> Slab:
    """For moves that are only counted: it does no harm if threads share it."""
    return Slab(width)


def _spec(name: str, summary: str, scale: str, zero_sum: bool, **weights: int) -> EvaluatorSpec:
    return EvaluatorSpec(
        name=name,
        games=(),
        summary=summary,
        source="ours",
        scale=scale,
        make=functools.partial(_preset, **weights),
        fit=_fit,
        factors=sight_factors,
        is_symmetric=name != "cells",
        is_zero_sum=zero_sum,
    )


EVALUATORS = (
    _spec("mobility", "Legal moves of the side to move.", "10 is a move", False, move=10),
    _spec("material", "Pieces on the board.", "100 is a piece", True, piece=100),
    _spec("cells", "What a piece on a cell was worth in games.", "1000 is a win", False, cell=100),
    _spec("pairs", "Pieces, and neighbours of a side.", "100 is a piece", True, piece=100, pair=10),
    _spec("lines", "Pieces in lines that are open to one side.", "1 is one piece", True, line=1),
)
