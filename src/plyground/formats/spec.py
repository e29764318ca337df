"""What a format is: a way to read games or positions out of bytes, and mostly to write them.

A reader never gives up on a file for one bad game: it yields what it could read and, for what it
could not, the place and the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVarTuple

from plyground.core.errors import InputError
from plyground.core.records import GameRecord, PositionRecord

Record = GameRecord | PositionRecord
Arguments = TypeVarTuple("Arguments")


@dataclass(frozen=True)
class Read:
    """Something that was read."""

    record: Record
    place: str
    """Where it stood, as people count: `line 3`, `game 12`."""


@dataclass(frozen=True)
class Rejected:
    """Something that could not be read."""

    place: str
    reason: str


Item = Read | Rejected


def attempt(place: str, read: Callable[[*Arguments], Record], *given: *Arguments) -> Item:
    """What a function reads at a place, or why it could not."""
    try:
        return Read(read(*given), place)
    except InputError as error:
        return Rejected(place, str(error))


def lines_place(first: int, last: int) -> str:
    """The place of something that takes one line or several."""
    return f"line {first}" if first == last else f"lines {first} to {last}"


@dataclass(frozen=True)
class Format:
    """A format as commands and pages see it."""

    name: str
    summary: str
    games: tuple[str, ...]
    """The games it can hold; empty for any."""
    suffixes: tuple[str, ...]
    """Of file names, with the dot, in lower case."""
    recognises: Callable[[bytes], float]
    """How sure it is, 0 to 1, that these bytes are its own: a paste, or how a file begins."""
    read: Callable[[bytes], Iterator[Item]] = field(repr=False)
    write: Callable[[Iterable[Record]], bytes] | None = field(default=None, repr=False)
    """Raises Unsupported for what it cannot hold. None for formats that are only read."""
    is_text: bool = True
