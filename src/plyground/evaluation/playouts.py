"""Random games as an evaluator: a position is worth what they bring the side to move.

As the leaves of Monte-Carlo search are valued (Abramson 1990, "Expected-Outcome: A General Model of
Static Evaluation"), so that any search can use it. The games of a position are the same each time:
their generator starts from its key. Each costs as much as some tens of nodes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.bits import random_below
from plyground.evaluation.spec import EvaluatorSpec
from plyground.games.rules import State, generate, is_over, key, outcome, play, side
from plyground.games.spec import GameSpec
from plyground.kernel import SPARE, Slab

NO_ROOM = Slab(1)
MOST_PLIES = 300  # of one game: one that goes on longer counts as a draw


class Playouts(NamedTuple):
    """How many games, what winning all of them is worth, and room for moves."""

    games: int
    win: int
    room: Slab

    def evaluate(self, state: State) -> int:
        generator, total = np.empty(1, np.uint64), 0
        generator[0] = key(state)
        moves = np.empty(len(self.room) + SPARE, np.int32)  # its own: threads share the evaluator
        for _ in range(self.games):
            end, plies = state, 0
            while plies < MOST_PLIES and not is_over(end):
                count = generate(end, moves, 0, len(self.room))
                end = play(end, moves[random_below(generator, count)])
                plies += 1
            if is_over(end):
                score = outcome(end) if side(end) == side(state) else -outcome(end)
                total += (score > 0) - (score < 0)
        return self.win * total // max(1, self.games)


def fit_room(evaluator: Playouts, game: GameSpec, start: State) -> Playouts:
    """The same with room for the moves of a game."""
    return evaluator._replace(room=Slab(game.max_moves))


EVALUATORS = (
    EvaluatorSpec(
        name="playouts",
        games=(),
        summary="How random games from there end, 10 of them.",
        source="Abramson 1990",
        scale="1000 is winning all of them",
        make=lambda: Playouts(10, 1000, NO_ROOM),
        fit=fit_room,
        is_symmetric=False,
        is_zero_sum=False,
    ),
)
