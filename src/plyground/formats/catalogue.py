"""Which formats there are, and which one some bytes are in.

A format is what a module of this folder, or one of a user's, calls FORMAT or lists in FORMATS. The
format of some bytes follows from their content; the name of a file decides only between formats
that are equally sure, or when none of them is.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from plyground.core.errors import InputError, MalformedText, Unsupported, shorten
from plyground.core.records import GameRecord
from plyground.formats.spec import Format, Item, Read, Record
from plyground.games.catalogue import games
from plyground.registers import Register

HEAD_BYTES = 2**16  # how a file begins: all that is looked at to recognise it
SAMPLE_BYTES = 2**12  # what is read to guess how much there is: games may have one move each
BY_NAME_ALONE = 0.1  # how sure the name of a file makes us


def _built_in() -> Iterator[Format]:
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        loaded = vars(importlib.import_module(f"plyground.formats.{module.name}"))
        yield from filter(None, (loaded.get("FORMAT"), *loaded.get("FORMATS", ())))


register = Register("format", Format, _built_in, "FORMAT = Format(...)")


def formats() -> dict[str, Format]:
    """All formats, ours and those that users add, by name."""
    return dict(sorted(register.by_name().items()))


def find_format(name: str) -> Format:
    """The format of this name. Raises Unsupported."""
    return register.find(name)


def formats_of_suffix(file_name: str) -> list[Format]:
    """The formats that files of such a name are usually in."""
    suffix = PurePath(file_name).suffix.lower()
    return [each for each in formats().values() if suffix and suffix in each.suffixes]


def writer_for(file_name: str, records: Sequence[Record] = ()) -> Format:
    """The one format to write a file of such a name in. Raises Unsupported.

    Where the name leaves a choice, what is to be written, judged by its beginning, may settle it.
    """
    fitting = [each for each in formats_of_suffix(file_name) if each.write]
    if len(fitting) > 1 and records:
        fitting = [each for each in fitting if _holds(each, records[0])] or fitting
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise Unsupported(f"say which format to write: {_listed(fitting)}")
    known = [each for each in formats().values() if each.write]
    raise Unsupported(f"the name {shorten(file_name)!r} says no format; known: {_listed(known)}")


def _holds(found: Format, record: Record) -> bool:
    try:
        return found.write is not None and bool(found.write([record]))
    except InputError:
        return False


def _listed(some: Sequence[Format]) -> str:
    return ", ".join(each.name for each in some)


# ------------------------------------------------------------------ recognising


def recognise(data: bytes, name: str = "") -> tuple[Format, float]:
    """The format that bytes are in, and how sure that is, 0 to 1. Raises MalformedText.

    `name` is the name of their file, if they have one.
    """
    by_name = {each.name for each in formats_of_suffix(name)}
    head = data[:HEAD_BYTES]
    best, surest, rank = None, 0.0, (0.0, False)
    for each in formats().values():
        sure = each.recognises(head) if data.strip() else 0.0
        if sure > 0 and (sure, each.name in by_name) > rank:
            best, surest, rank = each, sure, (sure, each.name in by_name)
    if best is not None:
        return best, surest
    if data.strip() and by_name:
        return formats()[min(by_name)], BY_NAME_ALONE
    problem = "there is nothing in it" if not data.strip() else "it is in no format that is known"
    raise MalformedText(f"{problem}; known: {_listed(list(formats().values()))}")


@dataclass(frozen=True)
class Reading:
    """What some bytes hold, in the format that they are in; iterate to read it, once or again."""

    format: Format
    data: bytes
    sure: float = 1.0
    """How sure it is that this is the format, 0 to 1."""

    def __iter__(self) -> Iterator[Item]:
        return self.format.read(self.data)

    def in_words(self) -> str:
        """What it is, as in `Othello transcript, 12 moves`; reads all of it."""
        return in_words(self.format, self)


def read_anything(data: bytes, name: str = "") -> Reading:
    """What some bytes hold. Raises MalformedText if they are in no format."""
    best, sure = recognise(data, name)
    return Reading(best, data, sure)


@dataclass
class Contents:
    """How much was read, and of what, without keeping it."""

    format: Format
    games: int = 0
    positions: int = 0
    rejected: int = 0
    _names: set[str] = field(default_factory=set)
    _plies: int = 0

    def add(self, item: Item) -> None:
        if not isinstance(item, Read):
            self.rejected += 1
            return
        self._names.add(item.record.game)
        if isinstance(item.record, GameRecord):
            self.games += 1
            self._plies += len(item.record.moves)
        else:
            self.positions += 1

    def in_words(self) -> str:
        """As in `Othello transcript, 12 moves`."""
        parts = []
        if (self.games, self.positions) == (1, 0):
            parts.append(_count(self._plies, "move"))
        else:
            parts += [_count(self.games, "game")] if self.games else []
            parts += [_count(self.positions, "position")] if self.positions else []
        if self.rejected:
            parts.append(f"{self.rejected:,} not readable")
        return ", ".join([_title(self.format, self._names), *parts])


def in_words(found: Format, items: Iterable[Item]) -> str:
    """What was read, in a few words."""
    contents = Contents(found)
    for item in items:
        contents.add(item)
    return contents.in_words()


def density(found: Format, head: bytes) -> float:
    """Items per byte, judged by how a file begins; 0 if that is all of it."""
    if len(head) < HEAD_BYTES:
        return 0.0  # it will be read before anybody asks how long that takes
    sample = head[:SAMPLE_BYTES] if b"\n" in head[:SAMPLE_BYTES] else head
    whole = sample[: sample.rindex(b"\n") + 1] if b"\n" in sample else sample
    return sum(1 for _ in found.read(whole)) / len(whole)


def _title(found: Format, names: set[str]) -> str:
    """The format with the game before it, unless there are several."""
    name = next(iter(names)) if len(names) == 1 else ""
    name = name or (found.games[0] if len(found.games) == 1 else "")
    game = games().get(name)
    if game is None:
        return found.name
    rest = found.name.removeprefix(game.name).lstrip("-")
    return f"{game.title} {rest}".strip()


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
