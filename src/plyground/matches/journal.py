"""Played pairs in a file that only ever grows: one line of JSON each, written as soon as played.

A process that is killed can leave at most its last line unfinished; that line is cut off when the
file is opened again, and the pair is played again. Only one process writes at a time. Knows what a
played pair is, but not why it was played.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO

from plyground.core.errors import MalformedText, Unsupported, shorten
from plyground.core.files import append, open_growing
from plyground.core.locking import try_lock
from plyground.matches.pair import PlayedPair

BEGINNING = b'{"key":"'


class Journal:
    """The played pairs of a file, and a place to add more."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            if path.exists() and not path.is_file() and not path.is_dir():
                raise Unsupported(f"cannot write to {path}: not a file")
            self._file = open_growing(path)
        except OSError as error:
            raise Unsupported(f"cannot write to {path}: {error.strerror}") from None
        try:
            if not try_lock(self._file):
                raise Unsupported(f"{path} is in use by another run; wait for it, or stop it")
            self.played = {pair.pair.key: pair for pair in read_journal(path)}
            self._cut_unfinished_line()
        except BaseException:
            self.close()
            raise

    def add(self, pair: PlayedPair) -> None:
        """Write a pair down, for good: a power cut finds it on disk. Raises OSError."""
        line = json.dumps(pair.as_data(), separators=(",", ":")) + "\n"
        append(self._file, line.encode())
        self.played[pair.pair.key] = pair

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _cut_unfinished_line(self) -> None:
        end = self._file.seek(0, os.SEEK_END)
        place = _end_of_last_line(self._file, end)
        if place == end:
            return
        self._file.seek(place)
        begun = self._file.read(len(BEGINNING))
        if not BEGINNING.startswith(begun):
            raise Unsupported(f"{self.path} is not a file of games; choose another name")
        self._file.truncate(place)


class Memory:
    """A journal without a file, for games that are kept elsewhere or nowhere."""

    def __init__(self) -> None:
        self.path = Path()
        self.played: dict[str, PlayedPair] = {}

    def add(self, pair: PlayedPair) -> None:
        self.played[pair.pair.key] = pair


def _end_of_last_line(file: IO[bytes], place: int) -> int:
    """Where the last complete line ends, looking back from a place."""
    while place:
        step = min(place, 65536)
        file.seek(place - step)
        found = file.read(step).rfind(b"\n")
        if found >= 0:
            return place - step + found + 1
        place -= step
    return 0


def read_journal(path: Path) -> Iterator[PlayedPair]:
    """The pairs of a file, in the order they were finished; an unfinished last line is left out."""
    with open(path, "rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                played = _read_line(line)
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                problem = shorten(f"{type(error).__name__}: {error}", 60)
                raise MalformedText(
                    f"{path}, line {number}: not a played pair ({problem}); nothing was changed"
                ) from None
            yield played


@dataclass(frozen=True)
class Written:
    """What a journal held at some moment."""

    path: Path
    played: Mapping[str, PlayedPair]


class JournalReader:
    """Reads a file that somebody else may be writing, and changes nothing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._played: dict[str, PlayedPair] = {}
        self._place = 0
        self._guard = threading.Lock()

    def read(self) -> Written:
        """All that is there; only what was added since is read. Raises InputError."""
        with self._guard:
            try:
                size = self.path.stat().st_size
                if size < self._place:  # it is another file
                    self._played, self._place = {}, 0
                if size > self._place:
                    self._read_on()
            except FileNotFoundError:
                self._played, self._place = {}, 0
            except OSError as error:
                raise Unsupported(f"cannot read {self.path}: {error.strerror}") from None
            return Written(self.path, dict(self._played))

    def _read_on(self) -> None:
        with open(self.path, "rb") as file:
            file.seek(self._place)
            for line in file:
                if not line.endswith(b"\n"):
                    return
                try:
                    played = _read_line(line)
                except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                    raise MalformedText(f"{self.path} is not a file of games") from None
                self._played[played.pair.key] = played
                self._place += len(line)


Writable = Journal | Memory
Readable = Writable | Written


def _read_line(line: bytes) -> PlayedPair:
    """The pair in a line, with all that is asked of a pair that was played."""
    played = PlayedPair.from_data(json.loads(line.decode()))
    _ = played.pair.key, played.points
    return played
