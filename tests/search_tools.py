"""Shared by the search tests: an independent minimax, positions to try, searches by name."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from plyground.core.scores import INFINITY
from plyground.evaluation.spec import evaluate
from plyground.games.catalogue import find_game
from plyground.games.rules import State, canonical, is_over, outcome, play, side
from plyground.games.spec import GameSpec
from plyground.kernel import Slab
from plyground.search import sss
from plyground.search.catalogue import ALGORITHMS, Algorithm
from plyground.search.finish import AsScored, ByDistance, ByMargin
from plyground.search.parts import COUNTERS, MOST_NOISY, Parts

EXACT = [algorithm for algorithm in ALGORITHMS if algorithm.equals_minimax]

# game, settings, depth: small enough to be searched completely in plain Python
SMALL_GAMES = [
    ("othello", {"size": 4}, 3),
    ("connect4", {"width": 4, "height": 4, "connect": 3}, 3),
    ("kalah", {"pits": 3, "seeds": 2}, 4),
    ("mnk", {"m": 3, "n": 3, "k": 3}, 3),
    ("double-card", {"width": 2, "height": 4, "cards": 3, "line": 3, "max_moves": 7}, 2),
    ("synthetic", {"branching": 3, "depth": 9, "leaves": "incremental", "spread": 9}, 4),
]


class Rough(NamedTuple):
    """A crude evaluator for any game: a few bits of the state's fields, and not symmetric."""

    weight: int

    def evaluate(self, state: State) -> int:
        total = 0
        for field in state:
            total = (3 * total + int(field) % 97) % 41
        return self.weight * (total - 20)


class RoughMirrored(NamedTuple):
    """The same for all views of a position, as a table that mirrors positions must assume."""

    weight: int

    def evaluate(self, state: State) -> int:
        return Rough(self.weight).evaluate(canonical(state))


def naive_minimax(game: GameSpec, state: State, evaluator: Any, depth: int, finish: Any) -> int:
    """The minimax value for the first player, written without any of the program's search code."""
    if is_over(state):
        result = int(outcome(state)) * (1 if side(state) == 0 else -1)
        if isinstance(finish, AsScored) or result == 0:
            return result
        bonus = depth if isinstance(finish, ByDistance) else abs(result)
        return (finish.base + bonus) * (1 if result > 0 else -1)
    if depth == 0:
        return int(evaluate(evaluator, state)) * (1 if side(state) == 0 else -1)
    values = [
        naive_minimax(game, play(state, move), evaluator, depth - 1, finish)
        for move in game.legal(state)
    ]
    return max(values) if side(state) == 0 else min(values)


def seen_by_mover(state: State, value: int) -> int:
    return value if side(state) == 0 else -value


def random_state(game: GameSpec, start: State, plies: int, seed: int) -> State:
    """A position after some random moves that is not over."""
    chooser = random.Random(seed)
    state = start
    for _ in range(plies):
        after = play(state, chooser.choice(game.legal(state)))
        if is_over(after):
            break
        state = after
    return state


def make_parts(game: GameSpec, depth: int, finish: Any = None, **optional: Any) -> Parts:
    rows, width = depth + 2, game.max_moves
    return Parts(
        moves=Slab((rows + MOST_NOISY + 1) * width),
        ranks=Slab(rows * width),
        line=Slab(rows * rows),
        counts=Slab(len(COUNTERS) + 6),
        width=width,
        stride=rows,
        finish=finish if finish is not None else ByMargin(),
        **optional,
    )


def call(algorithm: Algorithm, state: State, evaluator: Any, depth: int, parts: Parts) -> int:
    """The value for the side to move."""
    kernel: Callable[..., int] = algorithm.kernel
    if algorithm.call == "window":
        return int(kernel(state, evaluator, depth, -INFINITY, INFINITY, parts))
    if algorithm.call == "guess":
        return int(kernel(state, evaluator, depth, 0, parts))
    if algorithm.call == "plain":
        return int(kernel(state, evaluator, depth, parts))
    if algorithm.call == "first":
        return seen_by_mover(state, int(kernel(state, evaluator, depth, parts)))
    room = 20_000
    memory = Slab(sss.HEADER + room * sss.NUMBERS_PER_NODE)
    memory[sss.ROOM] = room
    return int(kernel(state, evaluator, depth, algorithm.maximise, memory, parts))


def synthetic(**settings: Any) -> tuple[GameSpec, State]:
    game = find_game("synthetic")
    return game, game.initial(**settings)
