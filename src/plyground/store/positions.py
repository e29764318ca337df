"""The index of positions: which games went through a position, seen from any side.

A position is known by the key of its canonical form, and the move that followed by what it is in
that form. Where several symmetries lead there (the first position of Othello has eight), the lowest
of the moves they give counts: the four first moves of Othello are one.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Sequence

import numpy as np

from plyground.bits import signed
from plyground.core.errors import GameCodeError, PlygroundError
from plyground.core.records import GameRecord
from plyground.games.rules import (
    State,
    count_symmetries,
    key,
    play,
    transform,
    transform_move,
)
from plyground.kernel import compilable_call, kernel, plain_python
from plyground.store.rows import RESULTS, Entry, start_of

NO_MOVE = -1
Row = tuple[int, int, int, int, int]
COLUMNS = ("key", "move", "game_id", "ply", "result")


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


def position_rows(numbered: Sequence[tuple[int, Entry]]) -> list[Row]:
    """Where games with a result went, in the order of the index.

    A game whose rules are not known here, or do not know its moves, is stored but cannot be found
    by its positions.
    """
    groups: dict[tuple[str, str, str | None], list[tuple[int, Entry]]] = {}
    for game_id, entry in numbered:
        if entry.record.points is not None:
            groups.setdefault(entry.kind, []).append((game_id, entry))
    rows = [row for group in groups.values() for row in _rows_of(group)]
    rows.sort()  # in the order of the index: several times faster to insert than any other
    return rows


def prepare_rows(record: GameRecord) -> None:
    """Compile what lists the positions of games such as this."""
    _, start = start_of(record)
    none = np.zeros((1, 1), np.int32)
    index_games(start, none, none[0], np.zeros((1, 1), np.int64), none.copy())


def _rows_of(group: Sequence[tuple[int, Entry]]) -> list[Row]:
    try:
        _, start = start_of(group[0][1].record)
    except PlygroundError:
        return []
    ids, results, lines = list[int](), list[int](), list[Sequence[int] | np.ndarray]()
    for game_id, entry in group:
        with contextlib.suppress(PlygroundError):
            lines.append(entry.read_moves())
            ids.append(game_id)
            results.append(RESULTS[entry.record.points or 0.0])
    if not lines:
        return []
    plies = np.array([len(moves) for moves in lines], np.int32)
    table = np.zeros((len(lines), max(1, int(plies.max()))), np.int32)
    for row, moves in enumerate(lines):
        table[row, : len(moves)] = moves
    keys = np.zeros((len(lines), table.shape[1] + 1), np.int64)
    following = np.zeros(keys.shape, np.int32)
    try:
        index_games(start, table, plies, keys, following)
    except GameCodeError:  # rules that machine code cannot follow still have keys
        with plain_python():
            index_games(start, table, plies, keys, following)
    keys ^= mark_of(start)
    game, ply = np.nonzero(np.arange(keys.shape[1]) <= plies[:, None])
    at = keys[game, ply], following[game, ply]
    columns = *at, np.array(ids)[game], ply, np.array(results)[game]
    return list(zip(*(column.tolist() for column in columns), strict=True))
