"""Reading what people paste and keep: positions, moves and games in any format of the catalogue."""

from __future__ import annotations

import os
from pathlib import Path

from plyground.core.errors import Unsupported
from plyground.formats.catalogue import in_words, read_anything
from plyground.formats.pasting import recognised
from plyground.formats.spec import Read
from plyground.public.position import Position
from plyground.public.records import Games, RecordedGame


def read(text: str, game: str | None = None) -> Position:
    """The position that a text holds: whatever people paste.

    Moves, diagrams, bitboards, records of games: any format of `pg.formats`. Of several games the
    first counts; `game` goes first where a text can be of several. Raises InputError.

    >>> import plyground as pg
    >>> pg.read("f5d6c3d3").side
    'Black'
    """
    found = recognised(text, game).position
    return Position.at(found.game, found.settings, found.start, found.codes)


def read_games(source: str | os.PathLike[str] | bytes) -> Games:
    """All games and positions in a file, in any format of `pg.formats`.

    `source` is a path, or the content of a file as bytes. What cannot be read is left out and told
    in the caption. Raises InputError if nothing can.
    """
    if isinstance(source, bytes):
        data, name = source, ""
    else:
        try:
            data, name = Path(source).read_bytes(), Path(source).name
        except OSError as error:
            raise Unsupported(f"cannot read {source}: {error.strerror}") from None
    reading = read_anything(data, name) if name else read_anything(data)
    items = list(reading)
    found = [RecordedGame(item.record) for item in items if isinstance(item, Read)]
    return Games(found, in_words(reading.format, items))
