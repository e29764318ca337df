"""Whether a game keeps the promises that `rules.py` makes in its name.

`check_game` plays random games and asserts, at every state, what searches and faces rely on. The
contract tests run it over every registered game; `plyground check` runs it for the author of a new
one. `quick_check` is the part that protects compiled code, which does not look at array bounds,
from a game that writes more moves than it announced.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import get_type_hints

import numpy as np

from plyground.bits import random_below
from plyground.core.errors import GameCodeError, InputError, PlygroundError, place_of_class
from plyground.games.playout import playout
from plyground.games.rules import (
    State,
    canonical,
    count_moves,
    count_symmetries,
    is_over,
    key,
    legal_moves,
    outcome,
    play,
    side,
    transform,
    transform_move,
    turn,
)
from plyground.games.spec import GameSpec
from plyground.kernel import plain_python

MOST_PLIES = 2000  # a random game longer than this is taken for endless
QUICK_PLIES = 30


class BrokenPromise(PlygroundError):
    """A game, or something that works on it, does what its contract forbids."""

    def __init__(self, message: str, game: GameSpec | None = None, state: State = None) -> None:
        super().__init__(message)
        self.game, self.state = game, state
        """Where it was seen, for faces to draw."""


def quick_check(game: GameSpec, start: State) -> None:
    """Play a few random moves of a game in plain Python, where arrays have bounds."""
    _check_class(type(start))
    generator = np.array([1], np.uint64)
    state = start
    for _ in range(QUICK_PLIES):
        if is_over(state):
            return
        buffer = np.zeros(game.max_moves, np.int32)
        try:
            count = legal_moves(state, buffer, 0)
        except IndexError:
            raise BrokenPromise(
                f"{game.name}: a position has more legal moves than max_moves={game.max_moves}"
            ) from None
        except OverflowError:
            demand(game, state, False, "has a move outside 0 to 2**31 - 1")
        demand(game, state, count > 0, "has no legal move but is not over")
        demand(game, state, side(state) in (0, 1), f"has side {side(state)}; expected 0 or 1")
        state = play(state, int(buffer[random_below(generator, count)]))


def _check_class(cls: type) -> None:
    """Whether a state's class has the four rules, and fields that compiled code can hold."""
    path, line = place_of_class(cls)
    for required in (legal_moves, play, is_over, outcome):
        if required.implementation(cls) is required.default:
            raise GameCodeError(path, line, f"{cls.__name__} has no method {required.__name__}")
    for name, hint in get_type_hints(cls).items():
        if not (isinstance(hint, type) and issubclass(hint, int | np.integer)):
            raise GameCodeError(path, line, f"field {name} of {cls.__name__} must be an int")


def check_game(game: GameSpec, start: State, games: int, seed: int = 1) -> int:
    """Check every state of some random games; returns how many states there were."""
    quick_check(game, start)
    generator = np.array([seed], np.uint64)
    states = 0
    for number in range(games):
        state, plies = start, 0
        while not is_over(state):
            check_state(game, start, state)
            moves = game.legal(state)
            state = play(state, moves[random_below(generator, len(moves))])
            plies += 1
            demand(game, state, plies < MOST_PLIES, f"is not over after {MOST_PLIES} moves")
        check_state(game, start, state)
        _check_compiled(game, start, seed + number)
        states += plies + 1
    return states


def check_state(game: GameSpec, start: State, state: State) -> None:
    """Assert the contract at one state."""
    claim = functools.partial(demand, game, state)
    legal = game.legal(state)
    claim(side(state) in (0, 1), f"has side {side(state)}; expected 0 or 1")
    if is_over(state):
        claim(isinstance(outcome(state), int | np.integer), "has no outcome")
        most = game.score_limit(start) if game.score_limit else abs(outcome(state))
        claim(abs(outcome(state)) <= most, f"is won by more than score_limit={most}")
    else:
        claim(bool(legal), "has no legal move but is not over")
        buffer = np.zeros(game.max_moves, np.int32)
        claim(legal == sorted(set(legal)), f"lists its moves as {legal}; expected ascending")
        claim(legal[0] >= 0 and legal[-1] < 2**31, "has a move outside 0 to 2**31 - 1")
        limit = game.code_limit(start) if game.code_limit else 2**31
        claim(legal[-1] < limit, f"has the move {legal[-1]}; code_limit={limit}")
        claim(count_moves(state, buffer, 0) == len(legal), "counts other moves than it lists")
    for move in legal:
        child = play(state, move)
        passed = side(child) != side(state)
        claim(turn(state, child) == (-1 if passed else 1), "is wrong about whose turn comes next")
        text = game.format_move(state, move)
        claim(
            _reads(functools.partial(game.parse_move, state, text), move),
            f"reads its own move {text!r} as another",
        )
        cells = game.cells_of(state, move)
        board_cells = len(game.board_of(state).cells)
        claim(all(0 <= cell < board_cells for cell in cells), f"draws {text} off the board")
    text = game.format_position(state)
    claim(
        _reads(functools.partial(game.parse_position, start, text), state),
        f"reads its own position {text!r} as another",
    )
    _check_symmetries(game, state, legal)


def _reads(parse: Callable[[], object], expected: object) -> bool:
    """Whether a parser gives back what was written; a refusal is a no."""
    try:
        return parse() == expected
    except InputError:
        return False


def _check_symmetries(game: GameSpec, state: State, legal: list[int]) -> None:
    claim = functools.partial(demand, game, state)
    claim(transform(state, 0) == state, "has a symmetry 0 that is no identity")
    lowest = key(canonical(state))
    for symmetry in range(count_symmetries(state)):
        image = transform(state, symmetry)
        name = f"under symmetry {symmetry}"
        mapped = sorted(transform_move(state, move, symmetry) for move in legal)
        claim(mapped == game.legal(image), f"has other moves {name}")
        claim(game.winner(image) == game.winner(state), f"is won by another {name}")
        claim(side(image) == side(state), f"has another side to move {name}")
        claim(key(canonical(image)) == lowest, f"has another canonical form {name}")
        for move in legal:
            after = transform(play(state, move), symmetry)
            reached = play(image, transform_move(state, move, symmetry))
            claim(key(after) == key(reached), f"and a move do not commute {name}")


def _check_compiled(game: GameSpec, start: State, seed: int) -> None:
    """One random game gives the same moves as machine code and as plain Python."""
    records = []
    for mode in (contextlib.nullcontext(), plain_python()):
        generator, buffer = np.array([seed], np.uint64), np.zeros(game.max_moves, np.int32)
        record = np.zeros(MOST_PLIES, np.int32)
        with mode:
            plies = playout(start, generator, buffer, record)
        records.append(record[:plies].tolist())
    demand(game, start, records[0] == records[1], "plays another game when it is compiled")


def demand(game: GameSpec, state: State, holds: bool, text: str) -> None:
    if not holds:
        message = f"{game.name}: the position {game.format_position(state)!r} {text}"
        raise BrokenPromise(message, game, state)
