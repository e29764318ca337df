"""What is said to be kept waits for the disk; what would be played again anyway does not."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from store_tools import random_game, told, unfinished

from plyground.store.durability import together
from plyground.store.removing import remove
from plyground.store.runs import NewRun, Runs, StoredCell
from plyground.store.store import Store
from plyground.store.waiting import StoreError

GAME = told(random_game("connect4", 5))


def play(store: Store, repeatable: bool = False) -> None:
    live = store.begin(unfinished(GAME, 0), "uid", repeatable)
    live.add(GAME.moves[0])
    live.add(*GAME.moves[1:3])
    live.close()
    live.add(*GAME.moves[3:])
    live.finish(GAME)


def take_back(store: Store) -> None:
    live = store.begin(unfinished(GAME, 3), "uid")
    live.take_back(1)
    live.close()


def measure(store: Store) -> None:
    run = Runs(store).begin(NewRun("toy", "digest", {}, False, None, {}, {}, 1))
    Runs(store).add(run.id, StoredCell("key", "task", {}, {}, {}, 1.0))
    Runs(store).finish(run.id)


def add(store: Store) -> None:
    store.add([random_game("connect4", seed) for seed in range(3)])
    remove(store, 1)


@pytest.mark.parametrize(
    ("work", "waits"),
    [
        (play, ["FULL"] * 5),
        (lambda store: play(store, repeatable=True), ["NORMAL"] * 4 + ["FULL"]),
        (lambda store: [play(store, True), play(store, True)], (["NORMAL"] * 4 + ["FULL"]) * 2),
        (take_back, ["FULL"] * 3),
        (measure, ["FULL"] * 3),
        (add, ["FULL"] * 2),
    ],
    ids=["a person's game", "a game of a match", "one again", "taking back", "a run", "an import"],
)
def test_what_is_said_to_be_kept_is_on_the_disk(
    tmp_path: Path, work: Callable[[Store], Any], waits: list[str]
) -> None:
    """SQLite waits for the disk at a commit if it is told so on that connection before."""
    seen: list[str] = []

    def watch(connection: Any, *_: object) -> None:
        level = "FULL"  # unless it is told otherwise

        def hear(statement: str) -> None:
            nonlocal level
            if statement.startswith("PRAGMA synchronous = "):
                level = statement.split()[-1]
            is_alone = statement.startswith("INSERT INTO moves") and not connection.in_transaction
            if statement == "COMMIT" or is_alone:
                seen.append(level)

        connection.set_trace_callback(hear)

    with Store(str(tmp_path / "games.db")) as store:
        store.engine.dispose()  # connections that were opened before are not watched
        event.listen(store.engine, "connect", watch)
        work(store)
    assert seen == waits


def test_several_games_wait_for_the_disk_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut may then undo none of them: SQLite's log is waited for, in which all are."""
    path, log, flushed = tmp_path / "games.db", tmp_path / "games.db-wal", []

    def flush(handle: int) -> None:
        assert os.path.samestat(os.fstat(handle), log.stat())
        flushed.append(os.fstat(handle).st_size)

    with Store(str(path)) as store:
        monkeypatch.setattr(os, "fsync", flush)
        with together():
            for number in range(3):
                store.begin(unfinished(GAME, 2), f"uid-{number}").close()
            assert flushed == []
            with Store(str(path)) as other:
                assert other.count() == 3  # a kill undoes nothing
        assert flushed == [log.stat().st_size]
        with together():
            pass  # nothing was written
        play(store)  # alone again
        assert len(flushed) == 1


def test_a_disk_that_fails_is_told_to_all_who_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(handle: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with Store(str(tmp_path / "games.db")) as store:
        monkeypatch.setattr(os, "fsync", fail)
        with (
            pytest.raises(StoreError, match=r"store .*games.db cannot be used: Input/output error"),
            together(),
        ):
            play(store)
