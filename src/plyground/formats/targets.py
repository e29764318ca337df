"""Where games and positions go: a file in any format, an archive of WTHOR in a folder, a pipe.

A file is there as a whole or not at all: whatever is interrupted leaves what was there before. What
a format cannot hold is left out and reported.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from errno import ENOENT
from pathlib import Path, PurePath
from typing import BinaryIO

from plyground.core import files
from plyground.core.errors import InputError, Unsupported, shorten, unknown
from plyground.formats.catalogue import find_format, formats, formats_of_suffix, writer_for
from plyground.formats.json_record import LINES, write_lines
from plyground.formats.sources import SHOWN_NAME, STANDARD, is_folder
from plyground.formats.spec import Format, Record, Rejected
from plyground.formats.tables import Numbered, write_csv, write_parquet
from plyground.formats.wthor import GAMES_SUFFIX, NAMES_SUFFIXES, SeveralYears, write_archive
from plyground.formats.wthor import NAME as WTHOR

TABLES = {"csv": write_csv, "parquet": write_parquet}
CHUNK = 1000  # records that are written at once where a format allows it


@dataclass(frozen=True)
class Writer:
    """A way to write records, by name."""

    name: str
    write: Callable[[Iterable[Numbered], BinaryIO], None]
    """Raises Unsupported for what it cannot hold."""


@dataclass(frozen=True)
class Given:
    """What became of records that were to be written."""

    written: int
    refused: list[Rejected] = field(default_factory=list)


@dataclass(frozen=True)
class Outgoing:
    """A record on its way, with its number and where it comes from."""

    number: int
    record: Record
    place: str


# ------------------------------------------------------------------ which format


def find_writer(name: str | None, target: str, records: Sequence[Record] = ()) -> Writer:
    """By the format's name, else by the name of the file, else by what is to be written.

    Raises Unsupported.
    """
    kind = name.strip().lower() if name else PurePath(target).suffix.removeprefix(".").lower()
    if kind in TABLES:
        return Writer(kind, TABLES[kind])
    if name is None and target == STANDARD:
        raise Unsupported(f"say with --to what to write; known: {writable()}")
    if name is None and not formats_of_suffix(target):
        shown = shorten(PurePath(target).name)
        raise Unsupported(f"the name {shown!r} says no format; known: {writable()}")
    if name is None:
        return _writer_of(writer_for(target, records))
    if kind not in formats():
        raise unknown("format", name, [*formats(), *TABLES])
    return _writer_of(find_format(kind))


def _writer_of(found: Format) -> Writer:
    write = found.write
    if write is None:
        raise Unsupported(f"{found.name} can only be read; to write there are {writable()}")

    def at_once(games: Iterable[Numbered], file: BinaryIO) -> None:
        file.write(write(record for _, record in games))

    return Writer(found.name, _line_by_line if found.name == LINES else at_once)


def _line_by_line(games: Iterable[Numbered], file: BinaryIO) -> None:
    """JSON Lines, of which there may be more than fit into memory."""
    source = iter(games)
    while chunk := [record for _, record in itertools.islice(source, CHUNK)]:
        file.write(write_lines(chunk))


def writable() -> str:
    """The names of all that can be written."""
    return ", ".join([*(each.name for each in formats().values() if each.write), *TABLES])


# ------------------------------------------------------------------ where


@dataclass(frozen=True)
class FileTarget:
    """A file, or standard output."""

    name: str
    writer: Writer

    def check(self, one: Numbered) -> None:
        """Raises Unsupported if it cannot be held."""
        self.writer.write([one], io.BytesIO())

    def write(self, games: Iterable[Numbered]) -> None:
        if self.name == STANDARD:
            buffer = io.BytesIO()
            self.writer.write(games, buffer)
            _to_standard_output(buffer.getvalue())
        else:
            with whole_file(self.name) as file:
                self.writer.write(games, file)


@dataclass(frozen=True)
class ArchiveTarget:
    """A folder for an archive of WTHOR: games by year, and the names of players and tournaments."""

    name: str
    writer: Writer

    def check(self, one: Numbered) -> None:
        """Raises Unsupported if it cannot be held."""
        write_archive([one[1]])

    def write(self, games: Iterable[Numbered]) -> None:
        files = write_archive(record for _, record in games)
        try:
            Path(self.name).mkdir(exist_ok=True)
        except (OSError, ValueError) as error:
            raise CannotWrite(self.name, error) from None
        with contextlib.ExitStack() as opened:
            for name, data in files.items():
                opened.enter_context(whole_file(str(Path(self.name, name)))).write(data)


Target = FileTarget | ArchiveTarget


def open_target(target: str, format_name: str | None, records: Sequence[Record] = ()) -> Target:
    """Where a text says that records go. Raises Unsupported."""
    if not is_archive(target):
        return FileTarget(target, find_writer(format_name, target, records))
    writer = find_writer(format_name or WTHOR, target)
    if writer.name != WTHOR:
        raise Unsupported(f"a folder holds an archive of {WTHOR}; {writer.name} goes into a file")
    return ArchiveTarget(target, writer)


def is_archive(target: str) -> bool:
    """Whether a folder is named: one that is there, or a name that ends as folders do."""
    return target != STANDARD and (target.endswith(("/", os.sep)) or is_folder(Path(target)))


def demand_free(target: str, force: bool) -> None:
    """Raises Unsupported if something is there that must not be written over."""
    shown = shorten(target, SHOWN_NAME)
    if is_archive(target):
        if not is_folder(Path(target).parent):
            raise CannotWrite(target, FileNotFoundError(ENOENT, os.strerror(ENOENT)))
        there: list[Path] = []
        with contextlib.suppress(OSError, ValueError):  # reported when it is written
            there = sorted(Path(target).iterdir())
        for each in there:  # games already there would get the names of ours: not even by force
            if each.suffix.lower() in (GAMES_SUFFIX, *NAMES_SUFFIXES):
                raise Unsupported(
                    f"{shown} has an archive already ({each.name}); give another folder"
                )
    elif target != STANDARD and os.path.lexists(target) and not force:
        raise Unsupported(f"{shown} exists already; give another name, or --force")


# ------------------------------------------------------------------ writing


def give(target: Target, records: Callable[[], Iterable[Outgoing]]) -> Given:
    """Write records, those that cannot be held left out. Raises Unsupported if that is all of them.

    `records` is called a second time if something is refused, to find out what.
    """
    count, refused = 0, list[Rejected]()

    def numbered(check: Callable[[Numbered], None] | None = None) -> Iterator[Numbered]:
        nonlocal count
        for each in records():
            try:
                if check:
                    check((each.number, each.record))
            except InputError as error:
                refused.append(Rejected(each.place, str(error)))
            else:
                count += 1
                yield each.number, each.record
        if refused and not count:
            raise Unsupported(refused[0].reason)

    try:
        target.write(numbered())
    except (SeveralYears, CannotWrite):
        raise
    except InputError:
        count = 0
        target.write(numbered(target.check))
    return Given(count, refused)


class CannotWrite(Unsupported):
    """The file cannot be written, whatever is in it."""

    def __init__(self, target: str, error: OSError | ValueError) -> None:
        # A ValueError is what Python says of a name that no file can have.
        reason = error.strerror if isinstance(error, OSError) else "no such name"
        super().__init__(f"cannot write {shorten(target, SHOWN_NAME)}: {reason}")


@contextlib.contextmanager
def whole_file(target: str) -> Iterator[BinaryIO]:
    """A file to write that takes its name when it is complete, and vanishes if it never is."""
    with contextlib.ExitStack() as closing:
        try:
            file = closing.enter_context(files.whole_file(Path(target)))
        except (OSError, ValueError) as error:
            raise CannotWrite(target, error) from None
        try:
            yield file
            closing.close()
        except OSError as error:
            raise CannotWrite(target, error) from None


def _to_standard_output(data: bytes) -> None:
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(data.decode("utf-8", errors="surrogateescape"))
    else:
        sys.stdout.flush()
        buffer.write(data)
