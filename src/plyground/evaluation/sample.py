"""Random games as numbers: what can be learnt of a game by watching it.

Each position is a row: the fields of its state as words, who was to move, and how its game ended
for that side. Nothing here knows what the fields mean.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plyground.bits import WORD_BITS, random_below, words
from plyground.core.scores import INFINITY, WIN
from plyground.evaluation.spec import Evaluator, evaluate
from plyground.games.rules import Buffer, State, generate, is_over, outcome, play, side, turn
from plyground.games.spec import GameSpec
from plyground.kernel import Slab, compilable, is_stopped, kernel, of_words

_changing: dict[tuple[type, State], set[int]] = {}
FEW_PLIES = 60  # enough to see what moves change
MOST_ROWS = 100_000
MOST_PLIES = 400  # of one game: one that goes on longer counts as a draw


@kernel
def watch(
    start: State,
    evaluator: Evaluator,
    noise: int,
    games: int,
    most_plies: int,
    generator: np.ndarray,
    moves: Buffer,
    codes: np.ndarray,
    sides: np.ndarray,
    results: np.ndarray,
) -> int:
    """Play games, write a row for each of their positions, and return how many there are.

    The last position of a game is among them. Ends early when there is no room for another game.
    """
    row = 0
    for _ in range(games):
        if is_stopped(moves) or row + most_plies >= len(sides):
            break
        state, first, plies = start, row, 0
        while True:
            for field, word in enumerate(words(state)):
                codes[row, field] = word
            sides[row] = side(state)
            row += 1
            if plies == most_plies or is_over(state):
                break
            state = step(state, evaluator, noise, generator, moves)
            plies += 1
        score = outcome(state) if is_over(state) else 0
        for i in range(first, row):
            results[i] = score if sides[i] == side(state) else -score
    return row


@compilable
def step(
    state: State, evaluator: Evaluator, noise: int, generator: np.ndarray, moves: Buffer
) -> State:
    """The position after the move that looks best, each judged with an error of up to `noise`."""
    best, highest = state, -INFINITY
    for i in range(generate(state, moves, 0, len(moves))):
        child = play(state, moves[i])
        value = final_sign(child) * WIN if is_over(child) else evaluate(evaluator, child)
        value = turn(state, child) * value + random_below(generator, noise)
        if value > highest:
            best, highest = child, value
    return best


@compilable
def final_sign(state: State) -> int:
    """1, 0 or -1: whether the side to move has won."""
    return int(outcome(state) > 0) - int(outcome(state) < 0)


@dataclass(frozen=True)
class Sample:
    """The positions of some random games from one state."""

    kind: type
    """The class of the states."""
    codes: np.ndarray
    """A row for each position: its fields as words."""
    sides: np.ndarray
    """Who is to move there, 0 or 1."""
    results: np.ndarray
    """How the game ended for that side."""

    def bits(self, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """The bits of all fields, a column for each, the lowest of the first field first."""
        some = self.codes[rows]
        shifts = np.arange(WORD_BITS, dtype=np.uint64)
        return (some[:, :, None] >> shifts & np.uint64(1)).astype(bool).reshape(len(some), -1)

    def state(self, row: int) -> State:
        """The state that a row was written from."""
        return of_words(self.kind, self.codes[row])

    def joined(self, other: Sample) -> Sample:
        """Both together."""
        pairs = ((vars(self)[name], vars(other)[name]) for name in ("codes", "sides", "results"))
        return Sample(self.kind, *map(np.concatenate, pairs))


def sample(
    game: GameSpec, start: State, evaluator: Evaluator, noise: int, games: int, seed: int
) -> Sample:
    """The positions of so many games, or of as many as there are rows for."""
    codes = np.zeros((MOST_ROWS, len(start)), np.uint64)
    sides, results = np.zeros(MOST_ROWS, np.int8), np.zeros(MOST_ROWS, np.int64)
    generator, room = np.array([seed], np.uint64), Slab(game.max_moves)
    arguments = start, evaluator, noise, games, MOST_PLIES, generator, room
    count = watch(*arguments, codes, sides, results)
    return Sample(type(start), codes[:count], sides[:count], results[:count])


def usual_start(game: GameSpec, state: State) -> State:
    """Where the game usually begins, if this state can be one of that game; or else the state.

    It can if what no move changes, such as the size of the board, is the same.
    """
    usual = game.initial()
    if type(usual) is not type(state):
        return state
    now, before = list(state), list(usual)
    for field in _changing_fields(game, usual):
        now[field] = before[field]
    return usual if now == before else state


def constant_fields(game: GameSpec, state: State) -> dict[str, int]:
    """The fields of a state that no move changes, as far as a random game shows."""
    changing = _changing_fields(game, state)
    return {
        name: int(value)
        for field, (name, value) in enumerate(state._asdict().items())
        if field not in changing
    }


def _changing_fields(game: GameSpec, state: State) -> set[int]:
    """The fields that moves change, as far as a random game shows."""
    key = type(state), state
    if key not in _changing:
        changed: set[int] = set()
        before, chance = state, np.array([1], np.uint64)
        for _ in range(FEW_PLIES):
            if is_over(state):
                break
            legal = game.legal(state)
            state = play(state, legal[random_below(chance, len(legal))])
            pairs = enumerate(zip(before, state, strict=True))
            changed |= {field for field, (old, new) in pairs if old != new}
        _changing[key] = changed
    return _changing[key]
