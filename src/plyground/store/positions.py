"""The rows by which a position finds its games."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plyground.core.errors import PlygroundError
from plyground.core.records import GameRecord
from plyground.store.indexing import index_games, mark_of
from plyground.store.rows import RESULTS, Entry, start_of

Row = tuple[int, int, int, int, int]
COLUMNS = ("key", "move", "game_id", "ply", "result")


def position_rows(numbered: Sequence[tuple[int, Entry]]) -> list[Row]:
    """Where games with a result went, in the order of the index.

    A game whose rules are not known here, or do not know its moves, is kept but cannot be found by
    its positions.
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
    games: list[tuple[int, int, Sequence[int] | np.ndarray]] = []
    for game_id, entry in group:
        try:
            moves = entry.read_moves()
        except PlygroundError:
            continue
        games.append((game_id, RESULTS[entry.record.points or 0.0], moves))
    if not games:
        return []
    plies = np.array([len(moves) for _, _, moves in games], np.int32)
    table = np.zeros((len(games), max(1, int(plies.max()))), np.int32)
    for row, (_, _, moves) in enumerate(games):
        table[row, : len(moves)] = moves
    keys = np.zeros((len(games), table.shape[1] + 1), np.int64)
    following = np.zeros(keys.shape, np.int32)
    index_games(start, table, plies, keys, following)
    keys ^= mark_of(start)
    return [
        (key, move, game_id, ply, result)
        for (game_id, result, moves), game_keys, game_moves in zip(
            games, keys.tolist(), following.tolist(), strict=True
        )
        for ply, (key, move) in enumerate(
            zip(game_keys[: len(moves) + 1], game_moves[: len(moves) + 1], strict=True)
        )
    ]
