"""Lessons: games to learn from, each position with what it is worth to the side to move.

A game is its moves from the usual start; the first few may be random, and teach nothing. A value is
in **points**: the final margin where a game has one, otherwise from -1, lost, to 1, won.

Lessons are stored in files of some thousand games, compressed, with a digest over everything; a
file that a kill or a full disk left damaged is noticed, and made again.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from plyground.core.errors import MalformedText, system_errors_as
from plyground.core.files import write_whole
from plyground.core.json_text import read_object
from plyground.learning.scale import WHOLE, Scale

MAGIC = b"plyground lessons 1\n"
MOST_GAMES, MOST_MOVES = 10**7, 10**9
COUNTS = {"moves": np.int32, "values": np.int16, "lengths": np.int32, "openings": np.int32}


@dataclass(frozen=True)
class Lessons:
    """Games, one after the other."""

    moves: np.ndarray
    values: np.ndarray
    """Before each move, as shares of `Scale.most`, of which `WHOLE` is all; 0 in the opening."""
    lengths: np.ndarray
    """The moves of each game."""
    openings: np.ndarray
    """Its first moves, which teach nothing."""

    @property
    def games(self) -> int:
        return len(self.lengths)

    @property
    def positions(self) -> int:
        """Positions with a value."""
        return int(self.lengths.sum() - self.openings.sum())

    @staticmethod
    def joined(parts: Sequence[Lessons]) -> Lessons:
        """All of several."""
        columns = ([getattr(each, name) for each in parts] for name in COUNTS)
        return Lessons(*map(np.concatenate, columns))

    @staticmethod
    def of_points(
        moves: np.ndarray,
        points: np.ndarray,
        lengths: np.ndarray,
        openings: np.ndarray,
        scale: Scale,
    ) -> Lessons:
        """With values as points."""
        shares = np.clip(points / scale.most, -1, 1)
        values = np.rint(shares * WHOLE).astype(np.int16)
        return Lessons(moves, values, lengths.astype(np.int32), openings.astype(np.int32))

    def as_bytes(self) -> bytes:
        """The content of a file."""
        arrays = [np.ascontiguousarray(getattr(self, name), kind) for name, kind in COUNTS.items()]
        packed = zlib.compress(b"".join(each.tobytes() for each in arrays), 1)
        head = json.dumps({"games": self.games, "moves": len(self.moves)}).encode() + b"\n"
        body = MAGIC + head + packed
        return body + hashlib.sha256(body).digest()

    @staticmethod
    def from_bytes(content: bytes, name: str = "lessons") -> Lessons:
        """Raises MalformedText for a damaged file."""
        body, digest = content[:-32], content[-32:]
        if not body.startswith(MAGIC) or hashlib.sha256(body).digest() != digest:
            raise MalformedText(f"{name}: not a file of lessons, or a damaged one")
        try:
            return _unpacked(body[len(MAGIC) :])
        except (ValueError, KeyError, TypeError, OverflowError, zlib.error):
            raise MalformedText(f"{name}: not a file of lessons, or a damaged one") from None

    def write(self, path: Path) -> None:
        """Store them in a file. Raises OSError that names it."""
        write_whole(path, self.as_bytes(), durable=False)

    @staticmethod
    def read(path: Path) -> Lessons:
        """Raises InputError."""
        with system_errors_as(f"cannot read {path}"):
            content = path.read_bytes()
        return Lessons.from_bytes(content, str(path))


def _unpacked(body: bytes) -> Lessons:
    head, _, packed = body.partition(b"\n")
    counts = read_object(head)
    games, moves = (int(counts[name]) for name in ("games", "moves"))
    if not (0 <= games <= MOST_GAMES and 0 <= moves <= MOST_MOVES):
        raise ValueError
    sizes = {name: moves if name in ("moves", "values") else games for name in COUNTS}
    total = sum(np.dtype(kind).itemsize * sizes[name] for name, kind in COUNTS.items())
    unpacker = zlib.decompressobj()
    whole = unpacker.decompress(packed, total + 1)
    if len(whole) != total or not unpacker.eof:
        raise ValueError
    found, at = dict[str, np.ndarray](), 0
    for name, kind in COUNTS.items():
        found[name] = np.frombuffer(whole, kind, sizes[name], at)
        at += found[name].nbytes
    lengths, openings = found["lengths"], found["openings"]
    if lengths.sum() != moves or (openings < 0).any() or (openings > lengths).any():
        raise ValueError
    return Lessons(**found)
