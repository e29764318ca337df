"""Self-play: games that an evaluator plays against itself, with what each position seems worth.

A game begins with random moves. Then each is the best that a search of a fixed depth finds, or now
and then a slip. What a position is worth is known at the end (`credit`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from plyground.bits import random_below
from plyground.core.scores import INFINITY, WIN
from plyground.evaluation.sample import final_sign
from plyground.evaluation.spec import Evaluator, evaluate
from plyground.games.rules import State, cells_left, generate, is_over, outcome, play, side, turn
from plyground.games.spec import GameSpec
from plyground.kernel import Slab, compilable, is_stopped, kernel
from plyground.learning.lessons import Lessons
from plyground.learning.scale import Scale, points_of, scale_of, won_points
from plyground.search.abmemory import abmemory
from plyground.search.catalogue import find_algorithm
from plyground.search.parts import Parts
from plyground.search.run import Workshop
from plyground.search.setup import FINISHES, MOST_NODES, Setup, default_finish
from plyground.solvers.spec import Solver

MOST_PLIES = 300  # a longer game ends without a result
AT_ONCE = 500  # games for which there is room
PER_MILLE = 1000
MOST_ERROR = 2  # spreads: in the judgement of a move that is not always the best
TABLE_FROM = 3  # plies from which a search gains from a table
TABLE_BYTES = 2**20
UNKNOWN = np.nan


class Manner(NamedTuple):
    """How games are played, and how much is learned from how they went on."""

    depth: int = 1
    """Plies to look ahead."""
    opening: int = 8
    """Random moves at the beginning, at most; each number of them is as likely."""
    noise: int = 50
    """How many moves of a thousand are slips, on average. Each side of a game has its own share,
    from none to twice as many: so strong play meets weak, and unbalanced positions are seen too."""
    trust: float = 0.8
    """The lambda of TD(lambda): how much the rest of a game counts against a search."""


class Games(NamedTuple):
    """Games one after the other: a row for each move, and one for each game."""

    moves: np.ndarray
    worth: np.ndarray
    """The points that the search before a move found."""
    exact: np.ndarray
    """The points that a teacher knows; NaN if it was not asked."""
    signs: np.ndarray
    """-1 if the move passes the turn, else 1."""
    is_noise: np.ndarray
    """Whether the move was drawn instead of the best."""
    lengths: np.ndarray
    openings: np.ndarray
    """The random moves at the beginning of each game."""
    results: np.ndarray
    """The points of whoever was to move at the end; NaN if the game did not end."""

    @staticmethod
    def room(games: int) -> Games:
        rows = games * MOST_PLIES
        return Games(
            np.zeros(rows, np.int32),
            np.zeros(rows, np.float32),
            np.full(rows, UNKNOWN, np.float32),
            np.zeros(rows, np.int8),
            np.zeros(rows, np.bool_),
            np.zeros(games, np.int64),
            np.zeros(games, np.int64),
            np.full(games, UNKNOWN, np.float32),
        )


@compilable
def slip(
    state: State,
    evaluator: Evaluator,
    scale: Scale,
    generator: np.ndarray,
    moves: Slab,
    end: int,
) -> int:
    """A move that is not always the best: the one that looks so, each judged with an error.

    Small errors and large ones are as likely. People err so, and positions after their games are
    what an evaluator meets; after moves drawn at random alone they are others (docs/experiments).
    """
    error = random_below(generator, int(MOST_ERROR * scale.unit * scale.spread))
    best, highest = moves[0], -INFINITY
    for i in range(end):
        child = play(state, moves[i])
        value = final_sign(child) * WIN if is_over(child) else evaluate(evaluator, child)
        value = turn(state, child) * value + random_below(generator, error + 1)
        if value > highest:
            best, highest = moves[i], value
    return best


@kernel
def play_games(
    start: State,
    evaluator: Evaluator,
    manner: Manner,
    scale: Scale,
    generator: np.ndarray,
    room: Slab,
    parts: Parts,
    games: Games,
) -> int:
    """Play as many games as there is room for; where the last one ends."""
    first = 0
    for game in range(len(games.lengths)):
        if is_stopped(room):
            break
        state, plies = start, 0
        opening = random_below(generator, manner.opening + 1)
        noises = (
            random_below(generator, 2 * manner.noise + 1),
            random_below(generator, 2 * manner.noise + 1),
        )
        while plies < MOST_PLIES and not is_over(state):
            row = first + plies
            end = generate(state, room, 0, parts.width)
            move = room[random_below(generator, end)]
            if plies >= opening:
                value = abmemory(state, evaluator, manner.depth, -INFINITY, INFINITY, parts)
                games.worth[row] = points_of(scale, value)
                games.is_noise[row] = random_below(generator, PER_MILLE) < noises[side(state)]
                if games.is_noise[row]:
                    move = slip(state, evaluator, scale, generator, room, end)
                else:
                    move = parts.line[manner.depth * parts.stride + 1]
            child = play(state, move)
            games.signs[row] = turn(state, child)
            games.moves[row] = move
            state, plies = child, plies + 1
        if is_over(state):
            games.results[game] = won_points(scale, outcome(state))
        games.lengths[game] = plies
        games.openings[game] = min(opening, plies)
        first += plies
    return first


@kernel
def review_games(
    start: State,
    evaluator: Evaluator,
    manner: Manner,
    scale: Scale,
    room: Slab,
    parts: Parts,
    games: Games,
) -> int:
    """Search the positions of games that are there, unless only results count; where they end."""
    first = 0
    for game in range(len(games.lengths)):
        if is_stopped(room):
            break
        state = start
        for row in range(first, first + games.lengths[game]):
            if manner.trust < 1.0:
                value = abmemory(state, evaluator, manner.depth, -INFINITY, INFINITY, parts)
                games.worth[row] = points_of(scale, value)
            child = play(state, games.moves[row])
            games.signs[row] = turn(state, child)
            state = child
        first += games.lengths[game]
    return first


@kernel
def credit(games: Games, trust: float, values: np.ndarray) -> int:
    """Write what each position was worth, from the end of each game backwards.

    After TD(lambda), Sutton 1988, "Learning to Predict by the Methods of Temporal Differences": the
    worth of the next position, mixed with that of the own search; only the search where a random
    move followed, and only the teacher where it was asked.
    """
    first = 0
    for game in range(len(games.lengths)):
        is_known, rest = not np.isnan(games.results[game]), games.results[game]
        for row in range(first + games.lengths[game] - 1, first + games.openings[game] - 1, -1):
            rest *= games.signs[row]
            if not np.isnan(games.exact[row]):
                rest = games.exact[row]
            elif games.is_noise[row] or not is_known:
                rest = games.worth[row]
            else:
                rest = trust * rest + (1.0 - trust) * games.worth[row]
            is_known = True
            values[row] = rest
        first += games.lengths[game]
    return first


# ------------------------------------------------------------------ from Python


@dataclass(frozen=True)
class Teacher:
    """Who knows what some positions are worth: a solver, near the end of a game."""

    solver: Solver
    left: int
    """It is asked from so few empty cells on."""

    def teach(self, start: State, games: Games, scale: Scale) -> None:
        """Write down what it knows, from the end of each game: much of it is then in its table."""
        first = 0
        for length, opening in zip(games.lengths, games.openings, strict=True):
            states, state = [], start
            for row in range(first, first + length):
                states.append(state)
                state = play(state, games.moves[row])
            self.solver.forget()
            for ply in range(length - 1, opening - 1, -1):
                if cells_left(states[ply]) > self.left:
                    break
                score = self.solver.score(states[ply])
                games.exact[first + ply] = won_points(scale, score)
            first += length


def self_play(
    game: GameSpec,
    start: State,
    evaluator: Evaluator,
    manner: Manner,
    count: int,
    seed: int,
    teacher: Teacher | None = None,
) -> Lessons:
    """So many games; the same for the same seed, on every machine."""
    generator, room = np.array([seed], np.uint64), Slab(game.max_moves)
    scale, parts = scale_of(game, start), _parts(game, start, evaluator, manner)
    found = list[Lessons]()
    for begun in range(0, count, AT_ONCE):
        games = Games.room(min(AT_ONCE, count - begun))
        play_games(start, evaluator, manner, scale, generator, room, parts, games)
        found.append(_lessons(games, start, manner, scale, teacher))
    return Lessons.joined(found)


def review(
    game: GameSpec,
    start: State,
    evaluator: Evaluator,
    manner: Manner,
    games: Games,
    teacher: Teacher | None = None,
) -> Lessons:
    """What can be learned from games that others played."""
    room, scale = Slab(game.max_moves), scale_of(game, start)
    parts = _parts(game, start, evaluator, manner)
    review_games(start, evaluator, manner, scale, room, parts, games)
    return _lessons(games, start, manner, scale, teacher)


def _parts(game: GameSpec, start: State, evaluator: Evaluator, manner: Manner) -> Parts:
    searches = manner.depth >= TABLE_FROM
    setup = Setup(
        find_algorithm("abmemory"),
        evaluator,
        FINISHES[default_finish(game)],
        order=("all" if game.place_weights else "killers") if searches else "natural",
        memory_bytes=TABLE_BYTES if searches else 0,
    )
    return Workshop(game, setup, None, None).parts(start, manner.depth, MOST_NODES)


def _lessons(
    games: Games, start: State, manner: Manner, scale: Scale, teacher: Teacher | None
) -> Lessons:
    if teacher is not None:
        teacher.teach(start, games, scale)
    rows = int(games.lengths.sum())
    values = np.zeros(rows, np.float32)
    credit(games, manner.trust, values)
    return Lessons.of_points(games.moves[:rows], values, games.lengths, games.openings, scale)
