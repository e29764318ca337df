"""Which evaluator suits a game that has none of its own: the one that wins a short match.

Each candidate plays the best so far, both sides of a few random openings, at equal depths; who
wins clearly takes its place. Nothing depends on the time, so that all processes and machines choose
the same. Whole games are played in compiled code: rules that are slow in Python made it minutes.
So where kernels run as plain Python, nothing is chosen, and the search is blind.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from plyground.bits import random_below
from plyground.core.scores import INFINITY
from plyground.evaluation.keeping import kept
from plyground.evaluation.sample import final_sign, usual_start
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import FIRST, State, is_over, play, side
from plyground.games.spec import GameSpec
from plyground.kernel import Slab, announce, is_stopped, kernel, runs_plain
from plyground.search.alphabeta import alphabeta
from plyground.search.catalogue import find_algorithm
from plyground.search.finish import Finish
from plyground.search.parts import Parts
from plyground.search.run import Workshop
from plyground.search.setup import MOST_NODES, Setup

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
FEW = 6  # openings for the last resort, which is slow
CLEARLY = 0.55  # of the points
SHORT = 12  # plies: a game that is always over by then is searched to its end
TRIED = 20  # random games to see whether it is, and how many moves there are
MOST_PLIES = 200  # a longer game counts as a draw
VERSION = 1  # of the way to choose


@kernel
def contest(
    state: State,
    first: Evaluator,
    second: Evaluator,
    depths: tuple[int, int],
    room: Slab,
    parts: Parts,
) -> int:
    """1, 0 or -1: how a game between two evaluators ends for the first player."""
    for _ in range(MOST_PLIES):
        if is_over(state) or is_stopped(room):
            break
        depth = depths[side(state)]
        if side(state) == FIRST:
            alphabeta(state, first, depth, -INFINITY, INFINITY, parts)
        else:
            alphabeta(state, second, depth, -INFINITY, INFINITY, parts)
        state = play(state, parts.line[depth * parts.stride + 1])
    if not is_over(state):
        return 0
    return final_sign(state) if side(state) == FIRST else -final_sign(state)


def choose_evaluator(
    game: GameSpec, start: State, finish: Finish, make: Callable[[str], Evaluator]
) -> str:
    """The evaluator, as a text, that plays a game best; `make` makes one of a text."""
    if runs_plain():
        return BLIND
    usual = usual_start(game, start)

    def find() -> str:
        games = [_random_game(game, usual, seed, SHORT) for seed in range(TRIED)]
        if all(len(each) <= SHORT for each in games):
            return BLIND
        announce(f"choosing an evaluator for {game.title} by short matches, first time only")
        choices = [len(game.legal(state)) for each in games for state in each]
        depth = max(1, round(math.log(LEAVES, max(2, sum(choices) / len(choices)))))
        openings = [_random_game(game, usual, seed, PLIES)[-1] for seed in range(OPENINGS)]
        best = BLIND
        for text in CANDIDATES:
            rivals = made(text), made(best)
            if _share(game, openings, finish, rivals, (depth, depth)) > CLEARLY:
                best = text
        if best == BLIND:
            rivals = made(LAST_RESORT), made(best)
            if _share(game, openings[:FEW], finish, rivals, (1, depth)) > CLEARLY:
                return LAST_RESORT
        return best

    def made(text: str) -> Evaluator:
        return make(AS_BLIND if text == BLIND else text)

    return kept("choice", VERSION, game, usual, find, str)


def _share(
    game: GameSpec,
    openings: Sequence[State],
    finish: Finish,
    rivals: tuple[Evaluator, Evaluator],
    depths: tuple[int, int],
) -> float:
    """The share of points that the first of two evaluators gets, with either side."""
    one, other = rivals
    setup = Setup(find_algorithm("alphabeta"), one, finish)
    parts = Workshop(game, setup, None, None).parts(openings[0], max(depths), MOST_NODES)
    room, points = Slab(1), 0
    for state in openings:
        points += contest(state, one, other, depths, room, parts)
        points -= contest(state, other, one, depths[::-1], room, parts)
    return 0.5 + points / (4 * len(openings))


def _random_game(game: GameSpec, state: State, seed: int, most: int) -> list[State]:
    """The positions of a random game after up to so many moves, without the one that ends it."""
    generator, states = np.array([seed], np.uint64), list[State]()
    while len(states) <= most and not is_over(state):
        states.append(state)
        legal = game.legal(state)
        state = play(state, legal[random_below(generator, len(legal))])
    return states
