"""Played pairs in a file that only ever grows: one line of JSON each, written as soon as played.

A process that is killed can leave at most its last line unfinished; that line is cut off when the
file is opened again, and the pair is played again. Only one process writes at a time.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from plyground.core.errors import MalformedText, Unsupported, shorten
from plyground.core.files import append, open_growing
from plyground.matches.pair import PlayedPair

BEGINNING = b'{"key":"'


@dataclass(eq=False)
class Memory:
    """Played pairs by their keys, without a file or as a file had them at some moment."""

    path: Path = Path()
    played: dict[str, PlayedPair] = field(default_factory=dict)

    def add(self, pair: PlayedPair) -> None:
        self.played[pair.pair.key] = pair


class Journal(Memory):
    """The played pairs of a file, and a place to add more."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        conflict = f"{path} is in use by another run; wait for it, or stop it"
        self._file = open_growing(path, f"cannot write to {path}", conflict)
        try:
            end = 0
            for pair, place in read_journal(path):
                super().add(pair)
                end = place
            self._cut_unfinished_line(end)
        except BaseException:
            self.close()
            raise

    def add(self, pair: PlayedPair) -> None:
        """Write a pair to disk, where it survives a power cut. Raises OSError."""
        line = json.dumps(pair.as_data(), separators=(",", ":")) + "\n"
        append(self._file, line.encode())
        super().add(pair)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _cut_unfinished_line(self, place: int) -> None:
        self._file.seek(place)
        begun = self._file.read(len(BEGINNING))
        if not BEGINNING.startswith(begun):
            raise Unsupported(f"{self.path} is not a file of games; choose another name")
        if begun:
            self._file.truncate(place)


class JournalReader:
    """Reads a file that another process may be writing, and changes nothing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._played: dict[str, PlayedPair] = {}
        self._place = 0
        self._guard = threading.Lock()

    def read(self) -> Memory:
        """All pairs so far; only those added since the last call are read. Raises InputError."""
        with self._guard:
            try:
                if self.path.stat().st_size < self._place:  # it is another file
                    self._played, self._place = {}, 0
                for pair, place in read_journal(self.path, self._place):
                    self._played[pair.pair.key] = pair
                    self._place = place
            except FileNotFoundError:
                self._played, self._place = {}, 0
            except OSError as error:
                raise Unsupported(f"cannot read {self.path}: {error.strerror}") from None
            except MalformedText:
                raise MalformedText(f"{self.path} is not a file of games") from None
            return Memory(self.path, dict(self._played))


def read_journal(path: Path, place: int = 0) -> Iterator[tuple[PlayedPair, int]]:
    """The pairs of a file from a place on, and where the line of each ends.

    In the order in which they were finished; an unfinished last line is left out.
    """
    with open(path, "rb") as file:
        file.seek(place)
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                played = PlayedPair.from_data(json.loads(line.decode()))
                _ = played.pair.key, played.points  # what every user of a played pair needs
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                problem = shorten(f"{type(error).__name__}: {error}", 60)
                raise MalformedText(
                    f"{path}, line {number}: not a played pair ({problem}); nothing was changed"
                ) from None
            place += len(line)
            yield played, place
