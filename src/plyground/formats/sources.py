"""What people hand over to be read: files in any format, folders, archives of WTHOR, a pipe.

A file of WTHOR's games needs the files of names beside it, so these are found and read with it.
"""

from __future__ import annotations

import contextlib
import errno
import io
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from plyground.core.errors import InputError, Unsupported, shorten
from plyground.core.files import read_rest
from plyground.formats.catalogue import (
    HEAD_BYTES,
    Reading,
    density,
    find_format,
    recognise,
)
from plyground.formats.spec import Format, Item
from plyground.formats.wthor import (
    GAME_ROW,
    GAMES_SUFFIX,
    HEADER,
    NAMES_SUFFIXES,
    WthorArchive,
    parse_games,
    read_archive,
)
from plyground.formats.wthor import NAME as WTHOR

STANDARD = "-"  # input or output in place of a file
MOST_BYTES = 2**30
SHOWN_NAME = 300  # characters of a path in a message


@dataclass(frozen=True)
class Source:
    """Something to read, and the format it is in."""

    name: str
    """Of the file; empty where places of items name their files."""
    format: Format
    items: Iterable[Item]
    """May be iterated again."""
    expected: int | None = None
    """About how many items; not known for what is short."""
    archive: WthorArchive | None = None


@dataclass(frozen=True)
class Lot:
    """Files to be read together: one, or those of an archive."""

    paths: tuple[Path, ...]
    wanted: Format | None = None

    def open(self) -> Source:
        """Raises InputError."""
        path = self.paths[0]
        is_games = path.suffix.lower() == GAMES_SUFFIX and _may_be_wthor(self.wanted)
        if is_games and len(self.paths) > 1:
            return _archive(read_archive(self.paths))
        name = "" if str(path) == STANDARD else path.name
        data = read_source(path, self.wanted)
        found = self.wanted or recognise(data, name)[0]
        if found.name == WTHOR:
            with contextlib.suppress(InputError):  # reading it as any file explains it better
                return _archive(WthorArchive((parse_games(data, name),)))
        expected = round(density(found, data[:HEAD_BYTES]) * len(data))
        return Source(name, found, Reading(found, data), expected or None)


def _archive(archive: WthorArchive) -> Source:
    return Source("", find_format(WTHOR), archive, len(archive), archive)


def _may_be_wthor(wanted: Format | None) -> bool:
    return wanted is None or wanted.name == WTHOR


# ------------------------------------------------------------------ one


def open_source(given: str, format_name: str | None = None) -> Source:
    """A file, a folder that is an archive of WTHOR, or standard input. Raises InputError."""
    wanted = find_format(format_name) if format_name is not None else None
    path = Path(given)
    if is_folder(path) and _may_be_wthor(wanted):
        return _archive(read_archive(path))
    return Lot((path, *_names_beside(path)), wanted).open()


def is_folder(path: Path) -> bool:
    """Whether there is a folder of this name."""
    with contextlib.suppress(OSError, ValueError):  # a name that no file can have
        return path.is_dir()
    return False


def _names_beside(path: Path) -> list[Path]:
    """The names of players and tournaments that lie beside a file of WTHOR's games."""
    with contextlib.suppress(OSError, ValueError):
        if path.suffix.lower() == GAMES_SUFFIX and path.is_file():
            return [each for each in path.parent.iterdir() if each.suffix.lower() in NAMES_SUFFIXES]
    return []


# ------------------------------------------------------------------ many


def survey(given: Sequence[str], format_name: str | None = None) -> list[Lot]:
    """What to read: these files and those in these folders, each file once.

    Raises Unsupported for what is not there, before anything is read.
    """
    wanted = find_format(format_name) if format_name is not None else None
    found = {path.resolve(): path for text in given for path in _files(Path(text))}.values()
    lots, archives = list[Lot](), dict[Path, list[Path]]()
    for path in found:
        if _may_be_wthor(wanted) and path.suffix.lower() == GAMES_SUFFIX:
            archives.setdefault(path.parent, []).append(path)
    for path in found:
        is_part = path.suffix.lower() in (GAMES_SUFFIX, *NAMES_SUFFIXES)
        if not is_part or path.parent not in archives:
            lots.append(Lot((path,), wanted))
    return [*(Lot((*g, *_names_beside(g[0])), wanted) for g in archives.values()), *lots]


def _files(path: Path) -> list[Path]:
    try:
        if str(path) == STANDARD:
            return [path]
        if not path.is_dir():
            path.stat()
            return [path]
        shown = (each for each in path.iterdir() if not each.name.startswith("."))
        return sorted(each for each in shown if each.is_file())
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None


def forecast(lots: Iterable[Lot]) -> int | None:
    """About how many items there are, judged by how one file of each kind begins."""
    densities: dict[str, float] = {}
    total = 0.0
    for lot in lots:
        for path in lot.paths:
            kind = path.suffix.lower()
            with contextlib.suppress(OSError, InputError):
                if kind == GAMES_SUFFIX:
                    total += (path.stat().st_size - HEADER.itemsize) // GAME_ROW.itemsize
                if kind in (GAMES_SUFFIX, *NAMES_SUFFIXES) or not path.is_file():
                    continue  # a pipe gives what it has only once
                if kind not in densities:
                    with path.open("rb") as file:
                        head = file.read(HEAD_BYTES)
                    found = lot.wanted or recognise(head, path.name)[0]
                    densities[kind] = density(found, head)
                total += densities[kind] * path.stat().st_size
    return round(total) or None


# ------------------------------------------------------------------ bytes


def read_source(path: Path, wanted: Format | None = None) -> bytes:
    """All of a file, or of standard input. Raises InputError.

    What is not a plain file may never end, so how it begins must be in some format.
    """
    name = "the input" if str(path) == STANDARD else path.name
    try:
        with _open(path) as file:
            head = b"" if path.is_file() else file.read(HEAD_BYTES)
            if len(head) == HEAD_BYTES and wanted is None:
                recognise(head, path.name)
            return read_rest(file, MOST_BYTES, head)
    except InputError:
        raise
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno == errno.EFBIG:
            raise Unsupported(f"{name} is larger than {MOST_BYTES >> 30} GB; split it") from None
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: OSError | ValueError) -> Unsupported:
    # A ValueError is what Python says of a name that no file can have.
    reason = error.strerror if isinstance(error, OSError) else "no such name"
    return Unsupported(f"cannot read {shorten(str(path), SHOWN_NAME)}: {reason}")


def _open(path: Path) -> contextlib.AbstractContextManager[IO[bytes]]:
    """A file, or standard input for `-`, which stays open. Raises OSError."""
    if str(path) != STANDARD:
        return path.open("rb")
    buffer = getattr(sys.stdin, "buffer", None)
    return contextlib.nullcontext(buffer or io.BytesIO(sys.stdin.read(MOST_BYTES + 1).encode()))
