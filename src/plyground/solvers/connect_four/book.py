"""Books: the exact scores of all positions of a board with few stones, looked up at once.

A file begins with a line of JSON that says what it holds; the rest is compressed: the positions'
keys in ascending order, each as its distance from the one before, all lowest bytes first, then all
second bytes and so on; then a byte for each score. (719 positions: 1,290 bytes, not 6,471.) Of two
mirror images only one is stored. `book_building.py` makes books.
"""

from __future__ import annotations

import contextlib
import functools
import json
import lzma
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from plyground.bits import popcount
from plyground.core.errors import MalformedText
from plyground.core.files import write_whole
from plyground.core.json_text import read_object
from plyground.core.places import data_folder
from plyground.games.connect_four import ConnectFour, mirrored

SHIPPED = Path(__file__).parent / "books"
MOST_POSITIONS = 10_000_000
MOST_HEADER = 1000  # bytes
MOST_BYTES = 2**28
MOST_MEMORY = 2**28  # to unpack: a file may ask for gigabytes
MOST_CELLS = 63
KEY_BYTES = 8
NAME = re.compile(r"connect4-(\d+)x(\d+)-(\d+)\.book")


@dataclass(frozen=True)
class Book:
    """All positions of a board with at most so many stones that are not over."""

    width: int
    height: int
    plies: int
    keys: np.ndarray
    scores: np.ndarray

    def score(self, state: ConnectFour) -> int | None:
        """The score of the side to move, if the book has the position."""
        if popcount(state.stones) > self.plies:
            return None
        key = key_of(state)
        at = int(np.searchsorted(self.keys, np.uint64(key)))
        if at == len(self.keys) or int(self.keys[at]) != key:
            return None
        return int(self.scores[at])


def key_of(state: ConnectFour) -> int:
    """A number that a position shares with its mirror image only."""
    position = state.me + state.stones + state.bottom
    return int(min(position, mirrored(position, state.height, popcount(state.bottom))))


def make_book(start: ConnectFour, plies: int, scores: Mapping[int, int]) -> Book:
    """A book of the scores by key."""
    keys = np.array(sorted(scores), np.uint64)
    values = np.array([scores[int(key)] for key in keys], np.int8)
    return Book(popcount(start.bottom), start.height, plies, keys, values)


# ------------------------------------------------------------------ files


def name_of(width: int, height: int, plies: int) -> str:
    return f"connect4-{width}x{height}-{plies}.book"


def books_folder() -> Path:
    """The folder of the books that were built on this machine."""
    return data_folder() / "books"


def write_book(book: Book, path: Path) -> None:
    """Write a book; at any moment the file is complete or absent."""
    header = {
        "plyground-book": "connect4",
        "width": book.width,
        "height": book.height,
        "plies": book.plies,
        "positions": len(book.keys),
    }
    steps = np.diff(book.keys, prepend=np.uint64(0)).astype("<u8")
    planes = steps.view(np.uint8).reshape(-1, KEY_BYTES).T
    body = lzma.compress(planes.tobytes() + book.scores.tobytes(), preset=9)
    write_whole(path, json.dumps(header).encode() + b"\n" + body)


def read_book(path: Path) -> Book:
    """The book in a file, checked completely. Raises MalformedText."""
    try:
        with open(path, "rb") as file:
            line, body = file.readline(MOST_HEADER), file.read(MOST_BYTES)
        header = read_object(line)
        width, height, plies, count = (
            header[name] for name in ("width", "height", "plies", "positions")
        )
        is_known = header["plyground-book"] == "connect4"
        is_whole = all(type(each) is int for each in (width, height, plies, count))
        if not (is_known and is_whole and width * height <= MOST_CELLS):
            raise ValueError
        if not (0 <= plies < width * height and 0 < count <= MOST_POSITIONS):
            raise ValueError
        size = count * (KEY_BYTES + 1)
        unpacker = lzma.LZMADecompressor(memlimit=MOST_MEMORY)
        data = unpacker.decompress(body, max_length=size + 1)
        if len(data) != size or not unpacker.eof or unpacker.unused_data:
            raise ValueError
        planes = np.frombuffer(data, np.uint8, count * KEY_BYTES).reshape(KEY_BYTES, count)
        steps = np.ascontiguousarray(planes.T).view("<u8").reshape(-1)
        keys = np.cumsum(steps, dtype=np.uint64)
        scores = np.frombuffer(data, np.int8, offset=count * KEY_BYTES)
        is_sorted = bool(np.all(keys[1:] > keys[:-1]))
        if not is_sorted or max(int(scores.max()), -int(scores.min())) > width * height:
            raise ValueError
        named = NAME.fullmatch(path.name)
        if named and tuple(map(int, named.groups())) != (width, height, plies):
            raise ValueError
    except (OSError, ValueError, KeyError, lzma.LZMAError, EOFError):
        raise MalformedText(f"{path} is not a book of Connect Four, or not all of it") from None
    return Book(width, height, plies, keys, scores)


def book_files() -> list[tuple[int, int, int, Path]]:
    """Width, height and plies of all books, with their files."""
    folders = [folder for folder in (books_folder(), SHIPPED) if folder.is_dir()]
    found = [
        (int(match[1]), int(match[2]), int(match[3]), path)
        for folder in folders
        for path in folder.iterdir()
        if (match := NAME.fullmatch(path.name))
    ]
    return sorted(found)


def all_books() -> list[tuple[Path, Book | MalformedText]]:
    """All books with their files; for a damaged one, the error."""

    def read(path: Path) -> Book | MalformedText:
        try:
            return read_book(path)
        except MalformedText as error:
            return error

    return [(path, read(path)) for *_, path in book_files()]


def find_book(start: ConnectFour) -> Book | None:
    """The largest book of a board, among those built here and those that come with the package.

    A damaged one is skipped: it would only have saved time.
    """
    size = popcount(start.bottom), start.height
    fitting = [path for *board, _, path in book_files() if tuple(board) == size]
    for path in reversed(fitting):
        with contextlib.suppress(MalformedText, OSError):
            return _read_once(path, path.stat().st_mtime_ns)
    return None


@functools.lru_cache(maxsize=4)
def _read_once(path: Path, changed: int) -> Book:
    return read_book(path)
