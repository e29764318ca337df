"""What it costs to store a game while it is played, and how fast archives are taken in.

    python bench/store.py

Asked for: less than 0.3 ms a move of a match on SQLite, beginning and end of the game included,
where only the end waits for the disk. A move of a person always does, and takes what the disk
takes; it is told beside. PostgreSQL is measured with a server of its own that forces every
transaction to the disk, as servers do. Machines differ and are shared, so ratios compare things of
one run: moves kept together with moves kept one by one, and games that are there already with games
that are new.
"""

from __future__ import annotations

import itertools
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from sqlalchemy import create_engine, make_url, text

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from postgres_server import find_programs, postgres_server

from plyground.core.records import GameRecord, MoveRecord
from plyground.core.scores import Score
from plyground.games.catalogue import find_game
from plyground.games.rules import is_over, play, side
from plyground.store.rows import Entry
from plyground.store.store import Store

ASKED_MS = 0.3
REPEATS = 3  # of which the best counts: machines are shared
Played = tuple[GameRecord, list[int]]
Place = Callable[[], str]


def random_game(name: str, seed: int) -> Played:
    """A game with something told about every move, and its moves as numbers."""
    game, dice = find_game(name), random.Random(seed)
    state, moves, numbers = game.initial(), list[MoveRecord](), list[int]()
    while not is_over(state):
        numbers.append(dice.choice(game.legal(state)))
        score = Score(dice.randrange(-99, 99), "heuristic")
        name_of_move = game.format_move(state, numbers[-1])
        moves.append(MoveRecord(name_of_move, int(side(state)), 0.01, score, 6, 12_345))
        state = play(state, numbers[-1])
    outcome = game.first_player_outcome(state) or 0
    points = 0.5 if not outcome else float(outcome > 0)
    names = ("alphabeta:depth=6", "alphabeta:depth=5")
    return GameRecord(game.name, names, moves, points, outcome, seed=seed, event="bench"), numbers


def live(
    url: str, games: list[Played], together: int, of_a_match: bool
) -> tuple[float, float, float]:
    """Milliseconds a move: to keep it, and with beginning and end; and the longest wait."""
    moves = sum(len(record.moves) for record, _ in games)
    keeping_s, longest_s = 0.0, 0.0
    with Store(url) as store:
        store.begin(replace(games[0][0], moves=[]), "warm").finish(games[0][0], [])
        started = time.perf_counter()
        for number, (record, numbers) in enumerate(games):
            game = store.begin(replace(record, moves=[]), f"{number}", repeatable=of_a_match)
            for start in range(0, len(record.moves), together):
                before = time.perf_counter()
                game.add(*record.moves[start : start + together])
                used = time.perf_counter() - before
                keeping_s, longest_s = keeping_s + used, max(longest_s, used)
            game.finish(record, numbers)
        seconds = time.perf_counter() - started
    return 1000 * keeping_s / moves, 1000 * seconds / moves, 1000 * longest_s


def archived(game: Played, seed: int) -> Entry:
    """The game as readers of archives hand it over: bare, and with its moves read already."""
    record, numbers = game
    entry = Entry.of(replace(record, seed=seed))
    return replace(entry, record=replace(entry.record, moves=()), numbers=np.array(numbers))


def bulk(url: str, kind: str, games: Sequence[Entry | GameRecord]) -> None:
    """Games taken in at once, and once more."""
    with Store(url) as store:
        started = time.perf_counter()
        report = store.add(games)
        seconds = time.perf_counter() - started
        positions = store.stats().positions
        started = time.perf_counter()
        again = store.add(games)
        passed_s = time.perf_counter() - started
    assert report.added == again.duplicates == len(games)
    print(f"    {len(games):,} games {kind}: {len(games) / seconds:,.0f} games/s, ", end="")
    print(
        f"{positions / seconds:,.0f} positions/s; again: {len(games) / passed_s:,.0f} games/s ",
        end="",
    )
    print(f"({seconds / passed_s:.1f} x)")


def measure(name: str, new_place: Place, asked_ms: float | None) -> None:
    print(f"{name} (load {os.getloadavg()[0]:.1f})")
    for game in ("connect4", "othello"):
        games = [random_game(game, seed) for seed in range(60)]
        alone_ms = 0.0
        for together, of_a_match in ((1, True), (8, True), (1, False)):
            runs = [live(new_place(), games, together, of_a_match) for _ in range(REPEATS)]
            keep_ms, whole_ms, longest_ms = (min(each) for each in zip(*runs, strict=True))
            alone_ms = alone_ms or keep_ms
            who = "of a match" if of_a_match else "of a person"
            print(f"    {game}, live, {who}, {together} at a time: {keep_ms:.3f} ms a move", end="")
            print(f" ({alone_ms / keep_ms:.1f} x), ", end="")
            print(f"{whole_ms:.3f} with begin and finish, longest {longest_ms:.1f}", end="")
            if asked_ms is not None and of_a_match:
                verdict = "met" if whole_ms < asked_ms else "MISSED"
                print(f"; asked for less than {asked_ms}: {verdict}", end="")
            print()
    othello = [random_game("othello", seed) for seed in range(200)]
    archive = [archived(game, seed) for seed in range(25) for game in othello]
    bulk(new_place(), "of an archive", archive)
    bulk(new_place(), "of matches, their moves by name", [record for record, _ in othello])


def on_sqlite() -> None:
    with tempfile.TemporaryDirectory() as folder:
        numbers = itertools.count()
        measure("SQLite", lambda: f"sqlite:///{folder}/{next(numbers)}.db", ASKED_MS)


def on_postgres() -> None:
    try:
        find_programs()
    except RuntimeError as missing:
        print(f"PostgreSQL: {missing}")
        return
    safe = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
    with postgres_server(on_disk=True, shared_buffers="256MB", **safe) as url:
        numbers = itertools.count()
        engine = create_engine(url, isolation_level="AUTOCOMMIT")

        def new_database() -> str:
            name = f"bench{next(numbers)}"
            with engine.connect() as connection:
                connection.execute(text(f"CREATE DATABASE {name}"))
            return make_url(url).set(database=name).render_as_string(hide_password=False)

        measure("PostgreSQL", new_database, None)
        engine.dispose()


if __name__ == "__main__":
    on_sqlite()
    on_postgres()
