"""A server that stops, is killed or cuts connections: it is waited for, and nothing comes twice."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from cutting_proxy import Plan, cutting_proxy
from postgres_server import RestartableServer, restartable_server
from sqlalchemy import make_url
from store_tools import (
    count_rows,
    expected,
    found,
    named,
    perform,
    random_game,
    script,
    told,
    unfinished,
)

from plyground.core.errors import Unsupported
from plyground.store import waiting
from plyground.store.locks import exclusive
from plyground.store.removing import remove, restore
from plyground.store.runs import NewRun, Runs, StoredCell
from plyground.store.store import Store
from plyground.store.waiting import StoreAway, StoreError

GAME = told(random_game("connect4", 3))
PATIENCE_S = 600.0  # far more than any start takes
ENDS = ("SIGINT", "SIGQUIT", "SIGKILL")


@pytest.fixture(scope="module")
def restartable() -> Iterator[RestartableServer]:
    with restartable_server(synchronous_commit="on", full_page_writes="on") as server:
        yield server


@pytest.fixture
def said() -> Iterator[list[str]]:
    """What people would be told."""
    lines: list[str] = []
    waiting.listeners.append(lines.append)
    yield lines
    waiting.listeners.remove(lines.append)


@pytest.fixture
def place(restartable: RestartableServer, request: pytest.FixtureRequest) -> str:
    """A database of this test's own."""
    name = f"t{abs(hash(request.node.nodeid))}"
    with Store(restartable.url) as store:
        raw = store.engine.raw_connection()
        raw.dbapi_connection.autocommit = True  # type: ignore[union-attr]
        raw.cursor().execute(f"CREATE DATABASE {name}")
        raw.close()
    return make_url(restartable.url).set(database=name).render_as_string(hide_password=False)


@contextmanager
def back_when_missed(server: RestartableServer, said: list[str]) -> Iterator[None]:
    """A server that is started again once somebody has said that it does not answer."""
    missed = threading.Event()

    def hear(line: str) -> None:
        if "does not answer" in line:
            missed.set()

    def start() -> None:
        missed.wait(PATIENCE_S)
        server.start()

    starting = threading.Thread(target=start)
    starting.start()
    waiting.listeners.append(hear)
    try:
        yield
    finally:
        missed.set()
        waiting.listeners.remove(hear)
        starting.join()


@pytest.mark.parametrize("how", ENDS)
def test_a_game_goes_on_after_its_server_was_away(
    restartable: RestartableServer, place: str, said: list[str], how: str
) -> None:
    with Store(place, PATIENCE_S) as store:
        live = store.begin(unfinished(GAME, 2), "uid")
        live.add(GAME.moves[2])
        restartable.stop(how)
        with back_when_missed(restartable, said):
            live.add(*GAME.moves[3:6])
        restartable.stop(how)
        with back_when_missed(restartable, said):
            live.take_back(4)
        live.add(*GAME.moves[4:])
        restartable.stop(how)
        with back_when_missed(restartable, said):
            live.finish(GAME)
        assert named(store) == {"uid": GAME}
        assert count_rows(store, "positions") == len(GAME.moves) + 1
        shown = store.address
    missed = f"store {shown} does not answer; waiting up to 10 minutes"
    assert said == [missed, f"store {shown} is back"] * 3
    assert "***" in shown


def test_what_is_read_is_read_when_the_server_is_back(
    restartable: RestartableServer, place: str, said: list[str]
) -> None:
    with Store(place, PATIENCE_S) as store:
        store.add([GAME])
        reads: list[Callable[[], object]] = [store.count, store.stats, lambda: named(store)]
        before = [read() for read in reads]
        for read, answer in zip(reads, before, strict=True):
            restartable.stop("SIGQUIT")
            with back_when_missed(restartable, said):
                assert read() == answer
    assert len(said) == 2 * len(reads)


def test_the_limit_ends_the_waiting_and_the_store_works_when_the_server_is_back(
    restartable: RestartableServer, place: str, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "AGAIN_S", 0.0)
    with Store(place, 0.2) as store:
        live = store.begin(unfinished(GAME, 2), "uid")
        restartable.stop()
        with pytest.raises(StoreAway, match=r"^store postgresql.* cannot be used: "):
            live.add(GAME.moves[2])
        assert [line.partition("; ")[2] for line in said] == ["waiting up to 0.2 seconds"]
        restartable.start()
        live.add(GAME.moves[2])
        live.close()
        assert named(store) == {"uid": unfinished(GAME, 3)}


def test_a_server_that_was_given_up_is_not_asked_by_everybody(
    restartable: RestartableServer, place: str, monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    monkeypatch.setattr(waiting, "AGAIN_S", 1e6)  # however long the server takes to start
    with Store(place, 0.01) as store:
        restartable.stop()
        for _ in range(2):
            with pytest.raises(StoreAway):
                store.count()
        restartable.start()
        with pytest.raises(StoreAway):  # it is not asked again yet
            store.count()
        monkeypatch.setattr(waiting, "monotonic", lambda: 1e12)
        assert store.count() == 0
    assert len(said) == 1


def test_a_server_that_does_not_let_us_in_is_not_waited_for(
    restartable: RestartableServer, said: list[str]
) -> None:
    url = make_url(restartable.url)
    for wrong in (url.set(password="wrong"), url.set(database="none")):
        with pytest.raises(StoreError) as refused:
            Store(wrong.render_as_string(hide_password=False), PATIENCE_S)
        assert not isinstance(refused.value, StoreAway)
    assert said == []


# ------------------------------------------------------------------ commits of unknown outcome


def diced(seed: int) -> Plan:
    """Half of all commits are cut, before or after they happen; not more than two in a row."""
    dice, row = random.Random(seed), 0

    def plan(number: int) -> str | None:
        nonlocal row
        what = dice.choice((None, None, "before", "after")) if row < 2 else None
        row = row + 1 if what else 0
        return what

    return plan


@pytest.mark.parametrize("seed", range(3))
def test_cut_commits_lose_nothing_and_store_nothing_twice(
    restartable: RestartableServer, place: str, seed: int
) -> None:
    Store(place).close()
    steps = script("event", seed, 2)
    with cutting_proxy(place, diced(seed)) as proxy:
        with Store(proxy.url, PATIENCE_S) as store:
            for _ in perform(store, steps):
                pass
        assert {"before", "after"} <= set(proxy.cut)
        assert len(proxy.cut) > 20
    with Store(place) as store:
        assert found(store, "event") == expected(steps)


def test_what_was_added_is_counted_once_if_its_answer_got_lost(
    restartable: RestartableServer, place: str
) -> None:
    Store(place).close()
    with cutting_proxy(place, {1: "after"}.get) as proxy, Store(proxy.url, PATIENCE_S) as store:
        report = store.add([GAME, told(random_game("connect4", 4))])
        assert (report.added, report.duplicates, proxy.cut) == (2, 0, ["after"])
        assert store.count() == 2


@pytest.mark.parametrize("seed", range(2))
def test_runs_of_the_lab_and_deletions_outlast_cut_commits(
    restartable: RestartableServer, place: str, seed: int
) -> None:
    Store(place).close()
    with cutting_proxy(place, diced(seed)) as proxy, Store(proxy.url, PATIENCE_S) as store:
        runs = Runs(store)
        begun = [runs.begin(NewRun("toy", f"{n}", {}, False, None, {}, {}, 3)) for n in range(4)]
        for run in begun:
            for key in "abc":
                runs.add(run.id, StoredCell(key, "task", {}, {"n": run.id}, {}, 0.5))
            assert runs.finish(run.id).measured == 3
        store.add([GAME])
        [number] = [each.id for each in store.games()]
        for _ in range(4):
            assert remove(store, number).id == number
            assert store.count() == 0
            assert restore(store, number).id == number
        assert store.count() == 1
        assert count_rows(store, "positions") == len(GAME.moves) + 1
        assert [run.uid for run in reversed(runs.runs())] == [run.uid for run in begun]
        assert len(proxy.cut) > 5


# ------------------------------------------------------------------ locks


def test_a_lock_is_taken_again_before_anything_is_written(
    restartable: RestartableServer, place: str, said: list[str]
) -> None:
    with Store(place, PATIENCE_S) as store, Store(place, PATIENCE_S) as other:
        with exclusive(store, "work") as is_ours:
            assert is_ours
            restartable.stop("SIGQUIT")
            with back_when_missed(restartable, said):
                store.add([GAME])
            with exclusive(other, "work") as is_free:
                assert not is_free
        with exclusive(other, "work") as is_free:
            assert is_free


def test_whoever_lost_a_lock_to_somebody_else_writes_nothing(
    restartable: RestartableServer, place: str, said: list[str]
) -> None:
    with Store(place, PATIENCE_S) as store, Store(place, PATIENCE_S) as other:
        with exclusive(store, "work") as is_ours:
            assert is_ours
            restartable.stop("SIGQUIT")
            restartable.start()
            with exclusive(other, "work") as is_theirs:
                assert is_theirs
                with pytest.raises(Unsupported, match=r"work: .* another process has taken over"):
                    store.add([GAME])
        assert other.count() == 0
