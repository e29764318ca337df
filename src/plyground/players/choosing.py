"""Which evaluator suits a game that has none of its own: the one that wins a short match.

Each candidate plays the best so far, both sides of a few random openings, at equal depths; who
wins clearly takes its place. Nothing depends on the time, so that all processes and machines choose
the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from plyground.bits import random_below
from plyground.evaluation.keeping import kept
from plyground.evaluation.sample import usual_start
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import State, is_over, play, side
from plyground.games.spec import PLAYERS, GameSpec
from plyground.search.catalogue import find_algorithm
from plyground.search.finish import Finish
from plyground.search.run import search
from plyground.search.setup import Limits, Setup

BLIND = "zero"
AS_BLIND = "material(piece=0)"  # the same in the compiled code of the candidates
CANDIDATES = (
    "material",
    "cells",
    "cells(piece=200)",
    "mobility",
    "material(move=5)",
    "pairs",
    "lines",
)
LAST_RESORT = "playouts"
LEAVES = 1000  # about as many are looked at for a move
OPENINGS, PLIES = 16, 4  # random moves at the beginning of each
CLEARLY = 0.55  # of the points
SHORT = 12  # plies: a game that is always over by then is searched to its end
TRIED = 20  # random games to see whether it is, and how many moves there are
MOST_PLIES = 200  # a longer game counts as a draw
VERSION = 1  # of the way to choose

Player = tuple[Setup, Limits]


def choose_evaluator(
    game: GameSpec, start: State, finish: Finish, make: Callable[[str], Evaluator]
) -> str:
    """The evaluator, as a text, that plays a game best; `make` makes one of a text."""
    usual = usual_start(game, start)

    def find() -> str:
        games = [_random_game(game, usual, seed, MOST_PLIES) for seed in range(TRIED)]
        if all(len(each) <= SHORT for each in games):
            return BLIND
        choices = [len(game.legal(state)) for each in games for state in each]
        depth = max(1, round(math.log(LEAVES, max(2, sum(choices) / len(choices)))))
        contest, best = _Contest(game, usual, depth, finish, make), BLIND
        for text in CANDIDATES:
            if contest.share(text, best) > CLEARLY:
                best = text
        if best == BLIND and contest.share(LAST_RESORT, best) > CLEARLY:
            return LAST_RESORT
        return best

    news = f"choosing an evaluator for {game.title} by short matches"
    return kept("choice", VERSION, game, usual, news, find, str)


@dataclass(frozen=True)
class _Contest:
    """Matches of a game between evaluators."""

    game: GameSpec
    start: State
    depth: int
    finish: Finish
    make: Callable[[str], Evaluator]

    def share(self, one: str, other: str) -> float:
        """The share of points that the first of two evaluators gets."""
        players, points = [self._player(one), self._player(other)], 0.0
        for seed in range(OPENINGS):
            state = _random_game(self.game, self.start, seed, PLIES)[-1]
            points += _points(self.game, state, players)
            points += 1 - _points(self.game, state, players[::-1])
        return points / (2 * OPENINGS)

    def _player(self, text: str) -> Player:
        evaluator = self.make(AS_BLIND if text == BLIND else text)
        setup = Setup(find_algorithm("alphabeta"), evaluator, self.finish)
        return setup, Limits(1 if text == LAST_RESORT else self.depth)


def _points(game: GameSpec, state: State, players: Sequence[Player]) -> float:
    """Of the player who has the first side."""
    for _ in range(MOST_PLIES):
        if is_over(state):
            break
        found = search(game, state, *players[side(state)])
        assert found.move is not None
        state = play(state, found.move)
    return {PLAYERS[0]: 1.0, PLAYERS[1]: 0.0}.get(game.winner(state) or "", 0.5)


def _random_game(game: GameSpec, state: State, seed: int, most: int) -> list[State]:
    """The positions of a random game after up to so many moves, without the one that ends it."""
    generator, states = np.array([seed], np.uint64), list[State]()
    while len(states) <= most and not is_over(state):
        states.append(state)
        legal = game.legal(state)
        state = play(state, legal[random_below(generator, len(legal))])
    return states
