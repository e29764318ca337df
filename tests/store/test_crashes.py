"""Writers that are killed at any moment, and writers that write at once: nothing is lost or torn.

A writer says after each step that it is done. However it dies, the store is then as it was after
the last step it spoke of, or after the one that followed.
"""

from __future__ import annotations

import random
import sqlite3
from dataclasses import replace

import pytest
from sqlalchemy import make_url
from store_tools import Job, Writers, expected, found

from plyground.store.store import Store

GAMES = 7
MOMENTS = 12  # statements and commits: more than most steps take


def kill_and_look(writers: Writers, url: str, round_: int) -> int:
    """Let a writer die; return how many steps it had done when it did."""
    dice = random.Random(round_)
    job = Job(url, f"round-{round_:04}", seed=round_, games=GAMES)
    after = int(dice.random() ** 2 * len(job.steps))
    outcome = writers.kill(job, after, dice.randrange(MOMENTS))
    assert outcome.refusals == []
    assert outcome.statuses == [9]
    done, steps = outcome.done[job.event], job.steps
    with Store(url) as store:
        there = found(store, job.event)
    assert there in (expected(steps[:done]), expected(steps[: done + 1]))
    return done


def kill_rounds(writers: Writers, url: str, rounds: int) -> None:
    done = [kill_and_look(writers, url, round_) for round_ in range(rounds)]
    assert len(set(done)) > min(rounds // 4, 50)  # not always at the same moment
    with Store(url) as store:
        for round_ in range(rounds):
            job = Job(url, f"round-{round_:04}", seed=round_, games=GAMES)
            there = found(store, job.event)  # later deaths harm no earlier game
            assert there in (
                expected(job.steps[: done[round_]]),
                expected(job.steps[: done[round_] + 1]),
            )
    if url.startswith("sqlite"):
        connection = sqlite3.connect(str(make_url(url).database))
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.close()


def test_a_killed_writer_loses_no_move_it_was_told_is_kept(
    writers: Writers, store_url: str
) -> None:
    Store(store_url).close()
    kill_rounds(writers, store_url, 16 if store_url.startswith("sqlite") else 8)


@pytest.mark.full
def test_hundreds_of_killed_writers_lose_no_move(writers: Writers, store_url: str) -> None:
    kill_rounds(writers, store_url, 500 if store_url.startswith("sqlite") else 300)


def kill_makers(writers: Writers, urls: list[str]) -> int:
    """Kill writers while they make a new store, each at another moment; how many got it made.

    The first is not killed, and tells how many moments there are; the last is killed after them.
    """
    moments = writers.run(Job(urls[0])).moments
    assert moments > 0
    made = 0
    for number, url in enumerate(urls[1:]):
        outcome = writers.kill(Job(url), -1, number * moments // (len(urls) - 2))
        assert outcome.statuses == [9]
        made += bool(outcome.done)
        with Store(url) as store:
            assert store.stats().games == {}
    return made


def test_a_store_can_be_opened_whenever_its_making_was_killed(writers: Writers, new_place) -> None:
    urls = [new_place("sqlite") for _ in range(12)] + [new_place("postgresql") for _ in range(4)]
    assert 0 < kill_makers(writers, urls[:12]) < 11
    assert 0 < kill_makers(writers, urls[12:]) < 3


@pytest.mark.full
def test_a_store_can_be_opened_whenever_its_making_was_killed_at_length(
    writers: Writers, new_place
) -> None:
    urls = [new_place("sqlite") for _ in range(100)]
    assert 0 < kill_makers(writers, urls) < len(urls) // 2
    urls = [new_place("postgresql") for _ in range(30)]
    assert 0 < kill_makers(writers, urls) < len(urls) // 2


# ------------------------------------------------------------------ several at once


def write_at_once(writers: Writers, url: str, count: int, games: int) -> None:
    jobs = [Job(url, f"writer-{n}", seed=n, games=games) for n in range(count)]
    outcome = writers.run(*jobs)
    assert outcome.refusals == []
    assert outcome.statuses == [0] * count
    with Store(url) as store:
        for job in jobs:
            assert outcome.done[job.event] == len(job.steps)
            assert found(store, job.event) == expected(job.steps)
        assert store.stats().players == 2 * games


@pytest.mark.parametrize("count", [2, 4])
def test_several_writers_of_a_new_store_lose_nothing(
    writers: Writers, store_url: str, count: int
) -> None:
    write_at_once(writers, store_url, count, games=3)


@pytest.mark.full
@pytest.mark.parametrize("count", [2, 4, 8])
def test_several_writers_lose_nothing_at_length(
    writers: Writers, store_url: str, count: int
) -> None:
    write_at_once(writers, store_url, count, games=40)


def test_writers_that_bring_the_same_games_at_once_store_each_once(
    writers: Writers, store_url: str
) -> None:
    Store(store_url).close()
    job = Job(store_url, "archive", seed=1, games=12, imports_only=True)
    outcome = writers.run(*[replace(job, shuffled=n) for n in range(4)])
    assert outcome.refusals == []
    assert outcome.statuses == [0] * 4
    with Store(store_url) as store:
        assert found(store, "archive") == expected(job.steps)


@pytest.mark.parametrize(
    "rounds", [3, pytest.param(25, marks=pytest.mark.full)], ids=["a few", "many"]
)
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_processes_that_open_a_new_store_at_once_all_succeed(
    writers: Writers, new_place, database: str, rounds: int
) -> None:
    for _ in range(rounds):
        url = new_place(database)
        outcome = writers.run(*[Job(url) for _ in range(6)])
        assert outcome.refusals == []
        assert outcome.statuses == [0] * 6
