"""How fast archives are read: WTHOR to legal games, and the keys of all their positions.

    python bench/formats.py [repeats]

With PLYGROUND_ARCHIVES set to a folder that has `wthor` in it, on the whole archive; otherwise on
an archive of random games made here. Asked for: 20,000 games/s from bytes to replayed games, and
several hundred thousand positions/s of keys. Machines differ and are shared, so each rate stands
beside that of the same work in plain Python, on a sample.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from plyground.formats.replay import NO_MOVE, keys_of
from plyground.formats.wthor import (
    GAME_ROW,
    MOVE_OF_BYTE,
    PASS,
    GamesFile,
    WthorArchive,
    parse_games,
    read_archive,
)
from plyground.games.othello import GAME
from plyground.games.playout import playout
from plyground.kernel import plain_python

RANDOM_GAMES = 20_000
SAMPLE = 20
ASKED_GAMES, ASKED_KEYS = 20_000, 300_000


def rate(work: Callable[[], int], repeats: int) -> float:
    """Units of work per second, the best of some repeats."""
    best = 0.0
    for _ in range(repeats):
        started = time.perf_counter()
        units = work()
        best = max(best, units / (time.perf_counter() - started))
    return best


def tell(name: str, ours: float, plain: float | None, asked: float) -> None:
    ratio = f"{ours / plain:8,.0f} x plain Python" if plain else ""
    verdict = "" if not asked else "met" if ours >= asked else "MISSED"
    wanted = f"asked for {asked:,}: {verdict}" if asked else ""
    print(f"{name:40} {ours:14,.0f}/s {ratio:24} {wanted}")


def random_archive(folder: Path) -> Path:
    """Random games, written as a file of WTHOR."""
    byte_of = np.zeros(PASS + 1, np.uint8)
    for byte, move in enumerate(MOVE_OF_BYTE):
        if move >= 0:
            byte_of[move] = byte
    rows = np.zeros(RANDOM_GAMES, GAME_ROW)
    generator, buffer = np.array([1], np.uint64), np.zeros(GAME.max_moves, np.int32)
    record, start = np.zeros(200, np.int32), GAME.initial()
    for row in rows:
        moves = record[: playout(start, generator, buffer, record)]
        squares = byte_of[moves[moves != PASS]]
        row["moves"][: len(squares)] = squares
    header = np.frombuffer(bytes([20, 24, 1, 1]) + bytes(8) + bytes([8, 0, 24, 0]), np.uint8).copy()
    header[4:8] = np.frombuffer(RANDOM_GAMES.to_bytes(4, "little"), np.uint8)
    (folder / "WTH_2000.wtb").write_bytes(header.tobytes() + rows.tobytes())
    return folder


def sample_of(archive: WthorArchive) -> WthorArchive:
    """A few games from all over the archive."""
    few = archive.games[:: max(1, len(archive) // SAMPLE)][:SAMPLE]
    return WthorArchive((GamesFile(archive.files[0].header, few),))


def from_bytes(files: list[bytes]) -> int:
    archive = WthorArchive(tuple(parse_games(data) for data in files))
    return int(archive.is_sound.sum())


def in_plain_python(archive: WthorArchive) -> int:
    with plain_python():
        return from_bytes([file.as_bytes() for file in archive.files])


def keys_in_plain_python(archive: WthorArchive) -> int:
    with plain_python():
        return count_keys(archive)


def count_keys(archive: WthorArchive) -> int:
    return len(keys_of(archive.start, archive.replayed.moves, archive.replayed.plies))


def records_of(archive: WthorArchive, number: int) -> int:
    return sum(len(archive.record(game).moves) > 0 for game in range(number))


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with tempfile.TemporaryDirectory() as made:
        given = os.environ.get("PLYGROUND_ARCHIVES")
        folder = Path(given) / "wthor" if given else random_archive(Path(made))
        archive = read_archive(folder)
    files = [file.as_bytes() for file in archive.files]
    assert (archive.replayed.moves[:, 0] != NO_MOVE).all()  # and everything is compiled
    sample = sample_of(archive)
    print(f"{len(archive):,} games, {int(archive.replayed.plies.sum()):,} moves")
    tell(
        "bytes to replayed games, games",
        rate(lambda: from_bytes(files), repeats),
        rate(lambda: in_plain_python(sample), 1),
        ASKED_GAMES,
    )
    tell(
        "canonical keys, positions",
        rate(lambda: count_keys(archive), repeats),
        rate(lambda: keys_in_plain_python(sample_of(archive)), 1),
        ASKED_KEYS,
    )
    number = min(len(archive), 20_000)
    tell("records for people, games", rate(lambda: records_of(archive, number), repeats), None, 0)


if __name__ == "__main__":
    main()
