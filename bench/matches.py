"""What a match costs beyond the players' own thinking, and what a second job is worth.

    python bench/matches.py

Asked for: less than 1 ms of overhead a move; 1,000 recorded games of random against random on
Connect Four in less than 10 s on two cores; two jobs at least 1.7 times as fast as one when two
cores are free. Each ratio compares two things in one run.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from plyground.matches.journal import Journal
from plyground.matches.match import Match
from plyground.matches.openings import RandomOpenings
from plyground.matches.plan import Plan
from plyground.matches.summary import records_of_seats
from plyground.work import workers as crews


def play(players: tuple[str, str], game: str, pairs: int, jobs: int) -> tuple[float, Match]:
    """Seconds for a match, start of the workers included, and the match."""
    plan = Plan(game, pairs=pairs, openings=RandomOpenings(4), seed=1)
    plan.prepare(players)
    match = Match(plan, players)
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        with crews.local(jobs) as workers, Journal(Path(folder) / "games.jsonl") as journal:
            match.run(workers, journal)
        return time.perf_counter() - started, match


def overhead(players: tuple[str, str], game: str, pairs: int) -> None:
    seconds, match = play(players, game, pairs, 1)
    seats = records_of_seats(match.counted)
    thinking, moves = sum(seat.time_s for seat in seats), sum(seat.moves for seat in seats)
    each = 1000 * (seconds - thinking) / moves
    verdict = "met" if each < 1 else "MISSED"
    print(f"{game}, {players[0]}: {each:.3f} ms a move beside {1000 * thinking / moves:.3f} ms of")
    print(f"    thinking; asked for less than 1 ms: {verdict}")


def random_games() -> None:
    seconds, _ = play(("random", "random"), "connect4", 500, 2)
    verdict = "met" if seconds < 10 else "MISSED"
    print(f"1,000 games random against random, two jobs: {seconds:.1f} s;")
    print(f"    asked for less than 10 s: {verdict} (load {os.getloadavg()[0]:.1f})")


def second_job() -> None:
    players = ("alphabeta:depth=8", "alphabeta:depth=7")
    one, _ = play(players, "connect4", 60, 1)
    two, _ = play(players, "connect4", 60, 2)
    again, _ = play(players, "connect4", 60, 1)
    ratio = min(one, again) / two
    verdict = "met" if ratio >= 1.7 else "MISSED"
    print(f"two jobs against one: {min(one, again):.1f} s to {two:.1f} s, {ratio:.2f} x; ", end="")
    print(f"asked for 1.7 x: {verdict} (load {os.getloadavg()[0]:.1f})")


if __name__ == "__main__":
    overhead(("random", "random"), "connect4", 200)
    overhead(("alphabeta:depth=3", "alphabeta:depth=2"), "othello", 20)
    overhead(("random", "random"), "double-card", 20)
    random_games()
    second_job()
