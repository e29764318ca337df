"""A position that is not in the game's notation: in a file, or pasted, in any format.

A record of a game gives the position after its moves. Of a file with several games or positions the
first is taken, or the one whose number follows: `games.pgn#3`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from plyground.cli.common import err, print_plain
from plyground.core.errors import InputError, MalformedText, Unsupported, shorten
from plyground.core.records import GameRecord
from plyground.formats.catalogue import formats_of_suffix, read_anything
from plyground.formats.sources import SHOWN_NAME, open_source, read_source
from plyground.formats.spec import Format, Item, Read, Record
from plyground.games.catalogue import demand_known, find_game, games
from plyground.games.spec import GameSpec
from plyground.public.position import Position

LONGEST = 10_000  # bytes of a position in the notation of its game


def position_elsewhere(
    given: str, game: GameSpec, settings: Mapping[str, str], refusal: InputError
) -> Position:
    """The position in a file of this name, or in this text in any format.

    Raises InputError; `refusal`, what the game says of the text, if it is neither.
    """
    path, _ = _split(given)
    if os.path.exists(path) or formats_of_suffix(path):
        try:
            return position_in(given, game, settings)
        except InputError:
            if os.path.isfile(path) and os.path.getsize(path) <= LONGEST:
                with contextlib.suppress(InputError):  # it may hold the game's own notation
                    text = read_source(Path(path)).decode(errors="replace")
                    return Position.of(game, settings, text)
            raise
    try:
        reading = read_anything(given.encode(errors="replace"))
        _demand_of(game, reading.format)
        record = _take(reading, 1, "")
        if record.tags.get("side"):  # which nothing says: the game's refusal asks for it
            raise refusal
        return _position(record, game, settings)
    except InputError:
        raise refusal from None


def position_in(
    name: str, game: GameSpec | None = None, settings: Mapping[str, str] | None = None
) -> Position:
    """The position in a file, of this game if one is given. Raises InputError.

    Settings that are given go before those that the file tells or implies.
    """
    path, number = _split(name)
    shown = shorten(name, SHOWN_NAME)
    with _said_of(shown, MalformedText):  # what cannot be opened is named already
        source = open_source(path)
    with _said_of(shown, InputError):
        if game is not None:
            games().setdefault(game.name, game)  # records name it, and the user has
            _demand_of(game, source.format)
        record = _take(source.items, number, shown)
        if game is None:
            demand_known(record.game)
            game = find_game(record.game)
        return _position(record, game, settings or {})


def _demand_of(game: GameSpec, found: Format) -> None:
    """Raise Unsupported for a format of other games."""
    if found.games and game.name not in found.games:
        raise Unsupported(f"it is in the format {found.name}, not of {game.name}")


def _position(record: Record, game: GameSpec, settings: Mapping[str, str]) -> Position:
    if record.game != game.name:
        raise Unsupported(f"it is of {shorten(record.game)}, not of {game.name}")
    moves = [each.move for each in record.moves] if isinstance(record, GameRecord) else ()
    return Position.of(game, {**record.settings, **settings}, record.position, moves)


@contextlib.contextmanager
def _said_of(shown: str, kind: type[InputError]) -> Iterator[None]:
    try:
        yield
    except kind as error:
        raise type(error)(f"{shown}: {error}") from None


def _split(name: str) -> tuple[str, int | None]:
    """A file, and the number of what is wanted in it."""
    path, sign, number = name.rpartition("#")
    is_numbered = sign and number.isascii() and number.isdecimal() and not os.path.exists(name)
    return (path, int(number[:9])) if is_numbered else (name, None)


def _take(items: Iterable[Item], number: int | None, shown: str) -> Record:
    """The item of this number, or the first that can be read; if there are more, that is told."""
    left, place, refused = iter(items), 0, None
    for place, item in enumerate(left, start=1):
        if number not in (None, place):
            continue
        if isinstance(item, Read):
            if number is None and any(isinstance(each, Read) for each in left):
                print_plain(f"{shown} holds several: the first is taken; next is {shown}#2", err)
            return item.record
        refused = refused or f"{item.place}: {item.reason}"
    if refused:
        raise MalformedText(refused)
    if number is None:
        raise MalformedText("there is nothing in it")
    raise Unsupported(f"there is no number {number}, only 1 to {place}")
