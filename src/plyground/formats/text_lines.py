"""What line-by-line formats of our own share: comments, settings in a comment, and when to give up.

    # width=5 height=4        from here on games are played under these settings
    # anything else           is a comment

Settings hold until another comment sets them.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from plyground.core.errors import InputError, Unsupported
from plyground.formats.spec import Item, Record, Rejected
from plyground.games.rules import State
from plyground.games.spec import GameSpec, Value

Content = TypeVar("Content", bytes, str)

COMMENT = "#"
MOST_REJECTED = 1000  # in a row: what comes after them is not worth the time
LONGEST_COMMENT = 1000  # characters that may set something
HEAD_LINES = 30  # enough to recognise a text


class Line(NamedTuple):  # no dataclass: a long file would take longer
    """A line that is not a comment, and the settings it stands under."""

    number: int
    text: str  # without blanks at its ends; of empty lines in a row there is only the first
    start: State
    settings: Mapping[str, Value]  # those that are not the default

    @property
    def place(self) -> str:
        return f"line {self.number}"


def text_of(data: bytes) -> str:
    """Bytes as text, whatever they are."""
    return data.decode("utf-8-sig", errors="replace")


def lines_of(game: GameSpec, data: bytes) -> Iterator[Line | Rejected]:
    """The lines of a text; under settings that make no sense nothing can be read."""
    settings: dict[str, Value] | None = {}
    start, before, comment = game.initial(), "", ""
    for number, line in enumerate(io.StringIO(text_of(data), newline=None), start=1):
        text = line.strip()
        if not text and not before:
            continue
        before = text
        if text.startswith(COMMENT):
            if text == comment:
                continue  # the same as before, and slow to read
            comment = text
            try:
                if (chosen := _read_settings(game, text.lstrip(COMMENT))) is not None:
                    settings = None
                    start = game.initial(**chosen)
                    settings = not_default(game, chosen)
            except InputError as error:
                settings = None
                yield Rejected(f"line {number}", str(error))
        elif settings is not None:
            yield Line(number, text, start, settings)
        elif text:
            yield Rejected(f"line {number}", "the settings above it cannot be used")


def head_of(game: GameSpec, data: bytes) -> list[Line | Rejected]:
    """The first lines that are not empty; without the last one of several if it may be cut off."""
    lines = (line for line in lines_of(game, data) if isinstance(line, Rejected) or line.text)
    head = list(islice(lines, HEAD_LINES))
    return head[:-1] if len(head) > 1 and not data.endswith(b"\n") else head


def _read_settings(game: GameSpec, text: str) -> dict[str, Value] | None:
    """All settings, if the comment is about settings of this game."""
    if len(text) > LONGEST_COMMENT or not all("=" in word for word in text.split()):
        return None
    chosen = dict(word.lower().split("=", 1) for word in text.split())
    known = {parameter.name for parameter in game.parameters} | {"preset"}
    return game.settings(chosen) if chosen.keys() & known else None


def write_settings(settings: Mapping[str, Value]) -> str:
    """The comment that sets them."""
    words = {True: "yes", False: "no"}
    texts = ((k, words[v] if isinstance(v, bool) else v) for k, v in settings.items())
    return " ".join([COMMENT, *(f"{name}={value}" for name, value in texts)]) + "\n"


def with_settings(
    game: GameSpec, records: Iterable[Record], format_name: str
) -> Iterator[tuple[Record, dict[str, Value], bool]]:
    """Records with all their settings, and whether a comment must set them before the record.

    Raises Unsupported for records of another game.
    """
    before: dict[str, Value] = {}
    for record in records:
        require_game(game, record.game, format_name)
        settings = check_settings(game, record.settings)
        yield record, settings, settings != before and bool(before or not_default(game, settings))
        before = settings


# ------------------------------------------------------------------ settings as data


def not_default(game: GameSpec, settings: Mapping[str, Value]) -> dict[str, Value]:
    """The settings that differ from the usual ones."""
    return {name: value for name, value in settings.items() if value != game.defaults[name]}


def check_settings(game: GameSpec, settings: Mapping[str, Any]) -> dict[str, Value]:
    """All settings, given those of a record. Raises InputError."""
    return game.settings({name: str(value) for name, value in settings.items()})


def require_game(game: GameSpec, name: str, format_name: str) -> None:
    """Raises Unsupported unless a record is of the one game that a format holds."""
    if name != game.name:
        raise Unsupported(f"{format_name} holds games of {game.name}, not of {name}")


# ------------------------------------------------------------------ giving up


def giving_up(read: Callable[[Content], Iterator[Item]]) -> Callable[[Content], Iterator[Item]]:
    """The same reader, until too many items in a row were rejected: then one last item says so."""

    @functools.wraps(read)
    def hopeful(content: Content) -> Iterator[Item]:
        in_a_row = 0
        for item in read(content):
            yield item
            in_a_row = in_a_row + 1 if isinstance(item, Rejected) else 0
            if in_a_row == MOST_REJECTED:
                reason = f"not read: the last {MOST_REJECTED:,} could not be read either"
                yield Rejected(f"after {item.place}", reason)
                return

    return hopeful
