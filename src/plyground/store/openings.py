"""What people call the opening of a game that was recorded, where its game has names for them."""

from __future__ import annotations

import functools
from contextlib import suppress
from typing import Any

from plyground.core.errors import PlygroundError
from plyground.core.records import GameRecord
from plyground.games.catalogue import games
from plyground.games.position import BasePosition

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
    try:
        reached = BasePosition.begin(game, dict(settings), position)
    except PlygroundError:
        return None
    with suppress(PlygroundError):  # what is not legal is no part of an opening
        for name in names:
            reached = reached.play_code(reached.game.parse_move(reached.state, name))
    return reached.opening
