"""Which positions a game went through, so that they can be found again from any side.

A position is known by the key of its canonical form, and the move that followed by what it is in
that form. Where several symmetries lead there (the first position of Othello has eight), the lowest
of the moves they give counts: the four first moves of Othello are one. Knows no database.
"""

from __future__ import annotations

import functools
import hashlib

import numpy as np

from plyground.bits import signed
from plyground.games.rules import (
    State,
    count_symmetries,
    key,
    play,
    transform,
    transform_move,
)
from plyground.kernel import compilable_call, kernel

NO_MOVE = -1


@compilable_call
def canonical_view(state: State, move: int) -> tuple[int, int]:
    """The key of a position and of all symmetric to it, and the move as seen in that form.

    All images in one pass: games that end in a server are listed without a compiler.
    """
    lowest, found = key(state), move
    for symmetry in range(1, count_symmetries(state)):
        candidate = key(transform(state, symmetry))
        if candidate <= lowest:
            seen = move if move == NO_MOVE else transform_move(state, move, symmetry)
            found = seen if candidate < lowest else min(found, seen)
            lowest = candidate
    return signed(lowest), found


@kernel
def index_games(
    start: State, moves: np.ndarray, plies: np.ndarray, keys: np.ndarray, following: np.ndarray
) -> None:
    """For each game and each of its positions, the last included: the key, and what was played."""
    for game in range(len(plies)):
        state = start
        for ply in range(plies[game] + 1):
            move = moves[game, ply] if ply < plies[game] else NO_MOVE
            keys[game, ply], following[game, ply] = canonical_view(state, move)
            if ply < plies[game]:
                state = play(state, move)


def mark_of(state: State) -> int:
    """Tells apart positions of different games that are the same numbers."""
    return _mark(type(state).__name__, state._fields)


@functools.cache
def _mark(name: str, fields: tuple[str, ...]) -> int:
    digest = hashlib.sha256(f"{name}{fields}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def stored_key(state: State) -> int:
    """What a position is looked up by: its key, with the mark of its game."""
    return int(canonical_view(state, NO_MOVE)[0]) ^ mark_of(state)


def moves_by_canonical(state: State, legal: list[int]) -> dict[int, list[int]]:
    """The legal moves by what they are in the canonical form."""
    found: dict[int, list[int]] = {}
    for move in legal:
        found.setdefault(int(canonical_view(state, move)[1]), []).append(move)
    return found
