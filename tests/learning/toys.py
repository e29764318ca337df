"""Evaluators of known sums, and lessons whose values are known.

In a file of its own, so that the compiled code outlives an edit of the tests.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plyground.bits import U64, popcount
from plyground.games.catalogue import find_game
from plyground.games.playout import playout
from plyground.games.rules import cells_left, play
from plyground.kernel import Slab
from plyground.learning.lessons import Lessons
from plyground.learning.scale import WHOLE, Scale, scale_of

EDGE, MIDDLE = U64(0xFF818181818181FF), U64(0x00003C3C3C3C0000)


class Toy(NamedTuple):
    """A sum of three factors of Othello."""

    disc: int = 1
    edge: int = 2
    middle: int = 3

    def evaluate(self, state: Any) -> int:
        me, opp = state.me, state.opp
        value = self.disc * (popcount(me) - popcount(opp))
        value += self.edge * (popcount(me & EDGE) - popcount(opp & EDGE))
        return value + self.middle * (popcount(me & MIDDLE) - popcount(opp & MIDDLE))


class Crooked(NamedTuple):
    """What is no sum: a product, a threshold, a square, an index; and a field that is no number."""

    disc: int = 5
    times: int = 2
    edge: int = 7
    threshold: int = 3
    squared: int = 1
    index: int = 1
    unused: int = 4
    table: Slab = Slab(2)

    def evaluate(self, state: Any) -> int:
        me, opp = state.me, state.opp
        discs = popcount(me) - popcount(opp)
        value = self.times * self.disc * discs + self.table[self.index]
        value += self.edge * (popcount(me & EDGE) - popcount(opp & EDGE))
        return value + self.squared * self.squared * int(discs > self.threshold)


class Coupled(NamedTuple):
    """A sum, but for a field that looks at all others, and a share that is rounded."""

    disc: int = 5
    edge: int = 150
    largest: int = 1

    def evaluate(self, state: Any) -> int:
        me, opp = state.me, state.opp
        edge = popcount(me & EDGE) - popcount(opp & EDGE)
        value = self.disc * (popcount(me) - popcount(opp)) + self.edge * edge // 100
        return value + self.largest * max(self.disc, self.edge)


class Marks(NamedTuple):
    """Two factors of a game without a margin, on 3x3: the centre and the corners."""

    centre: int = 1
    corner: int = 1

    def evaluate(self, state: Any) -> int:
        me, opp = state.me, state.opp
        value = self.centre * (popcount(me & U64(0x10)) - popcount(opp & U64(0x10)))
        return value + self.corner * (popcount(me & U64(0x145)) - popcount(opp & U64(0x145)))


def random_games(name: str, count: int, seed: int, **settings: int) -> tuple[Any, Any, list[Any]]:
    """A game, its start, and the moves of random games."""
    game = find_game(name)
    start = game.initial(**settings)
    room, generator = np.empty(game.max_moves, np.int32), np.array([seed], np.uint64)
    games = []
    for _ in range(count):
        record = np.empty(200, np.int32)
        games.append(record[: playout(start, generator, room, record)])
    return game, start, games


def states_of(start: Any, games: list[Any]) -> list[Any]:
    """The positions before each move, one game after the other."""
    found = []
    for moves in games:
        state = start
        for move in moves:
            found.append(state)
            state = play(state, int(move))
    return found


def lessons_of(games: list[Any], points: np.ndarray, scale: Scale, opening: int = 0) -> Lessons:
    """Lessons with these values; whole numbers of 16 bits, so they are a little rounded."""
    lengths = np.array([len(moves) for moves in games])
    openings = np.full(len(games), opening)
    return Lessons.of_points(np.concatenate(games), points, lengths, openings, scale)


def exact_scale(game: Any, start: Any) -> tuple[Scale, float]:
    """The scale of a game, and the smallest step that a value of a lesson can have."""
    scale = scale_of(game, start)
    return scale, scale.most / WHOLE


def empties(states: list[Any]) -> np.ndarray:
    return np.array([int(cells_left(state)) for state in states])
