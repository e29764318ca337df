"""What people call the opening of a game that was recorded, where its game has names for them."""

from __future__ import annotations

import functools
from contextlib import suppress
from typing import Any

from plyground.core.errors import PlygroundError
from plyground.core.records import GameRecord
from plyground.games.catalogue import games
from plyground.games.rules import play
from plyground.store.rows import start_of

MOST_PLIES = 40  # no name is that long; reading the rest of a game would cost more than the name


def opening_of(record: GameRecord) -> str | None:
    """The name, or None: for other games, and for what nobody has named."""
    known = games().get(record.game)
    if known is None or known.name_opening is None:
        return None
    settings = tuple(sorted(record.settings.items()))
    names = tuple(move.move for move in record.moves[:MOST_PLIES])
    return _opening(record.game, settings, record.position, names)


@functools.lru_cache(maxsize=10_000)
def _opening(
    game: str, settings: tuple[tuple[str, Any], ...], position: str | None, names: tuple[str, ...]
) -> str | None:
    header = GameRecord(game, ("", ""), (), settings=dict(settings), position=position)
    try:
        spec, start = start_of(header)
    except PlygroundError:
        return None
    state, moves = start, list[int]()
    with suppress(PlygroundError):  # what is not legal is no part of an opening
        for name in names:
            moves.append(spec.parse_move(state, name))
            state = play(state, moves[-1])
    return spec.name_opening(start, moves) if spec.name_opening else None
