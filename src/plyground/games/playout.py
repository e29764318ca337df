"""Random games: play uniformly chosen legal moves until the game is over."""

from __future__ import annotations

import numpy as np

from plyground.bits import random_below
from plyground.games.rules import FIRST, Buffer, State, generate, is_over, outcome, play, side
from plyground.kernel import is_stopped, kernel


@kernel
def playout(state: State, generator: np.ndarray, moves: Buffer, record: np.ndarray) -> int:
    """Play to the end; write the moves to `record` and return how many there were.

    Stops early when `record` is full, so a game that never ends cannot hang the caller.
    """
    plies = 0
    while plies < len(record) and not is_over(state) and not is_stopped(moves):
        end = generate(state, moves, 0, len(moves))
        record[plies] = moves[random_below(generator, end)]
        state = play(state, record[plies])
        plies += 1
    return plies


@kernel
def playouts(
    start: State, games: int, generator: np.ndarray, moves: Buffer, most_plies: int
) -> int:
    """The sum over `games` random games of the outcome for the first player."""
    total = 0
    for _ in range(games):
        if is_stopped(moves):
            break
        state = start
        plies = 0
        while plies < most_plies and not is_over(state):
            end = generate(state, moves, 0, len(moves))
            state = play(state, moves[random_below(generator, end)])
            plies += 1
        if is_over(state):
            total += outcome(state) if side(state) == FIRST else -outcome(state)
    return total
