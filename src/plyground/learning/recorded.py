"""Games that were recorded: of the store, of files and archives, made ready to learn from.

What is learned from are games of one game with the same settings, from its usual start, with a
result. Of an archive of WTHOR also the score that perfect play gives from some move on is used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from plyground.core.errors import InputError, Unsupported
from plyground.core.records import GameRecord
from plyground.formats.wthor import SQUARES, WthorArchive
from plyground.games.position import BasePosition
from plyground.games.rules import FIRST, State, cells_left, play, side
from plyground.kernel import kernel
from plyground.learning.self_play import MOST_PLIES, UNKNOWN, Games


class Recorded(NamedTuple):
    """Games one after the other, as far as learning needs them."""

    moves: np.ndarray
    exact: np.ndarray
    """Before each move: points that are known, for the side to move; else NaN."""
    lengths: np.ndarray
    results: np.ndarray
    """Points of whoever was to move at the end."""

    @property
    def total(self) -> int:
        return len(self.lengths)

    @property
    def digest(self) -> str:
        total = hashlib.sha256()
        for each in self:
            total.update(np.ascontiguousarray(each).tobytes())
        return total.hexdigest()[:16]

    def some(self, numbers: np.ndarray) -> Recorded:
        """Those with these numbers, in this order."""
        firsts = np.cumsum(self.lengths) - self.lengths
        parts = [np.arange(firsts[n], firsts[n] + self.lengths[n]) for n in numbers]
        rows = np.concatenate(parts) if parts else np.zeros(0, np.int64)
        return Recorded(
            self.moves[rows], self.exact[rows], self.lengths[numbers], self.results[numbers]
        )

    def games(self) -> Games:
        """The same with room for what a review finds out."""
        rows, count = len(self.moves), self.total
        return Games(
            self.moves.astype(np.int32),
            np.zeros(rows, np.float32),
            self.exact.astype(np.float32),
            np.zeros(rows, np.int8),
            np.zeros(rows, np.bool_),
            self.lengths.astype(np.int64),
            np.zeros(count, np.int64),
            self.results.astype(np.float32),
        )


@dataclass(frozen=True)
class Harvest:
    """What was found, and how many games were of no use."""

    recorded: Recorded
    left_out: int


def harvest(begun: BasePosition, records: Iterable[object]) -> Harvest:
    """The games among some records that can be learned from. Raises Unsupported if none can."""
    moves, lengths, results, left_out = list[int](), list[int](), list[float](), 0
    for record in records:
        found = _game(begun, record) if isinstance(record, GameRecord) else None
        if found is None:
            left_out += 1
            continue
        codes, result = found
        moves += codes
        lengths.append(len(codes))
        results.append(result)
    exact = np.full(len(moves), UNKNOWN, np.float32)
    found_all = Recorded(
        np.array(moves, np.int32), exact, np.array(lengths, np.int32), np.array(results, np.float32)
    )
    return _checked(begun, found_all, left_out)


def _checked(begun: BasePosition, recorded: Recorded, left_out: int) -> Harvest:
    if not recorded.total:
        raise Unsupported(
            f"no game of {begun.game.name} to learn from: of {left_out:,} games none has a result, "
            "these settings and the usual start"
        )
    return Harvest(recorded, left_out)


def _game(begun: BasePosition, record: GameRecord) -> tuple[list[int], float] | None:
    """The moves and the points of whoever was to move at the end; None if it is of no use."""
    if record.game != begun.game.name or record.position is not None or not record.moves:
        return None
    if not _same(begun.settings, record.settings) or len(record.moves) > MOST_PLIES:
        return None
    points = record.outcome if begun.game.has_margin else _chances(record)
    if points is None:
        return None
    state, codes = begun.start, list[int]()
    try:
        for each in record.moves:
            codes.append(begun.game.parse_move(state, each.move))
            state = play(state, codes[-1])
    except InputError:
        return None
    return codes, float(points if side(state) == FIRST else -points)


def _same(own: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(str(other.get(name, value)) == str(value) for name, value in own.items())


def _chances(record: GameRecord) -> float | None:
    return None if record.points is None else 2 * record.points - 1


def harvest_archive(begun: BasePosition, archive: WthorArchive) -> Harvest:
    """The games of an archive of WTHOR, with the scores that it says are perfect play's."""
    if begun.game.name != "othello" or begun.start != archive.start:
        raise Unsupported("an archive of WTHOR holds games of Othello on 8x8")
    sound = np.flatnonzero(archive.is_sound & (archive.replayed.plies > 0))
    lengths = archive.replayed.plies[sound]
    moves = np.concatenate(
        [archive.replayed.moves[n, :count] for n, count in zip(sound, lengths, strict=True)]
    )
    exact = np.full(len(moves), UNKNOWN, np.float32)
    results = np.zeros(len(sound), np.float32)
    depths = np.array([file.depth for file in archive.files], np.int64)[archive.file_of[sound]]
    perfect = 2 * archive.games["theoretical"][sound].astype(np.int64) - SQUARES
    outcomes = archive.outcomes[sound].astype(np.int64)
    moves, lengths = moves.astype(np.int64), lengths.astype(np.int64)
    see_from_mover(begun.start, moves, lengths, depths, perfect, outcomes, exact, results)
    found = Recorded(moves.astype(np.int32), exact, lengths.astype(np.int32), results)
    return _checked(begun, found, len(archive) - len(sound))


@kernel
def see_from_mover(
    start: State,
    moves: np.ndarray,
    lengths: np.ndarray,
    depths: np.ndarray,
    perfect: np.ndarray,
    outcomes: np.ndarray,
    exact: np.ndarray,
    results: np.ndarray,
) -> None:
    """Write scores of the first side, at a depth and at the end of each game, for the mover."""
    first = 0
    for game in range(len(lengths)):
        state = start
        for row in range(first, first + lengths[game]):
            if cells_left(state) == depths[game]:
                exact[row] = perfect[game] if side(state) == FIRST else -perfect[game]
            state = play(state, moves[row])
        results[game] = outcomes[game] if side(state) == FIRST else -outcomes[game]
        first += lengths[game]
