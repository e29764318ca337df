"""Positions of random games of Othello."""

from __future__ import annotations

import random

from plyground.games.othello import GAME, Othello
from plyground.games.rules import cells_left, is_over, play


def random_position(chance: random.Random, left: int, size: int = 8) -> Othello:
    """One with so many empty squares, at least one, that is not over."""
    while True:
        state = GAME.initial(size=size)
        while cells_left(state) > left and not is_over(state):
            state = play(state, chance.choice(GAME.legal(state)))
        if cells_left(state) == left and not is_over(state):
            assert isinstance(state, Othello)
            return state
