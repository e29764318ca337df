"""Reading positions, moves and games in any format of the catalogue."""

from __future__ import annotations

import os
from pathlib import Path

from plyground.core.errors import system_errors_as
from plyground.formats.catalogue import in_words, read_anything
from plyground.formats.pasting import recognised
from plyground.formats.spec import Read
from plyground.public.position import Position
from plyground.public.records import Games, RecordedGame


def read(text: str, game: str | None = None) -> Position:
    """The position that a text describes: moves, a diagram, bitboards, or a recorded game.

    The text may be in any format of `pg.formats`; of several games in it the first is taken. `game`
    names the game to try first, for texts that could be of several. Raises InputError.

    >>> import plyground as pg
    >>> pg.read("f5d6c3d3").side
    'Black'
    """
    found = recognised(text, game).position
    return Position.at(found.game, found.settings, found.start, found.codes)


def read_games(source: str | os.PathLike[str] | bytes) -> Games:
    """All games and positions in a file, in any format of `pg.formats`.

    `source` is a path, or the content of a file as bytes. Games that cannot be read are left out
    and counted in the caption. Raises InputError if no game can be read.
    """
    if isinstance(source, bytes):
        data, name = source, ""
    else:
        with system_errors_as(f"cannot read {source}"):
            data, name = Path(source).read_bytes(), Path(source).name
    reading = read_anything(data, name) if name else read_anything(data)
    items = list(reading)
    found = [RecordedGame(item.record) for item in items if isinstance(item, Read)]
    return Games(found, in_words(reading.format, items))
