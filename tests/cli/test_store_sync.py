"""`plyground store sync`: both stores get what they lack, each game once, whoever interrupts."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import one_line, run
from store_tools import count_rows, named, random_game, told, unfinished

from plyground.core.records import GameRecord
from plyground.kernel import plain_python
from plyground.store import syncing
from plyground.store.queries import Filter
from plyground.store.removing import remove
from plyground.store.rows import Entry, StoredGame
from plyground.store.runs import NewRun, Runs
from plyground.store.store import Store

GAMES = [told(random_game("connect4", seed)) for seed in range(6)]


@pytest.fixture(autouse=True)
def in_plain_python() -> Iterator[None]:
    with plain_python():
        yield


def make(path: Path, **games: GameRecord) -> Path:
    with Store(str(path)) as store:
        store.add_named((uid, Entry.of(game)) for uid, game in games.items())
    return path


def content(path: Path) -> dict[str, GameRecord]:
    with Store(str(path)) as store:
        assert count_rows(store, "positions") == sum(
            len(each.record.moves) + 1 for each in store.whole() if each.record.points is not None
        )
        return named(store)


def test_both_stores_get_what_they_lack_and_nothing_comes_twice(tmp_path):
    here = make(tmp_path / "here.db", a=GAMES[0], b=GAMES[1])
    there = make(tmp_path / "there.db", b=GAMES[1], c=GAMES[2], d=GAMES[3])
    result = run("store", "sync", there, "--store", here)
    assert (result.status, result.out, result.err) == (0, "2 games taken over, 1 game given\n", "")
    assert content(here) == content(there) == dict(zip("abcd", GAMES, strict=False))
    result = run("store", "sync", here, "--store", there)
    assert result.out == "0 games taken over, 0 games given\n"
    assert content(here) == content(there) == dict(zip("abcd", GAMES, strict=False))


def test_without_a_name_it_is_the_usual_store(tmp_path, data_folder):
    data_folder.mkdir()
    usual = make(data_folder / "games.db", a=GAMES[0])
    there = make(tmp_path / "there.db", b=GAMES[1])
    assert run("store", "sync", there).out == "1 game taken over, 1 game given\n"
    assert content(usual) == content(there) == {"a": GAMES[0], "b": GAMES[1]}


def test_of_an_unfinished_game_the_one_that_is_further_is_kept_in_both(tmp_path):
    left = [unfinished(GAMES[0], plies) for plies in (2, 5)]
    here = make(tmp_path / "here.db", a=left[0], b=left[1], c=left[0], d=left[0])
    there = make(tmp_path / "there.db", a=left[1], b=left[0], c=GAMES[0], d=unfinished(GAMES[1], 2))
    assert run("store", "sync", there, "--store", here).out == "2 games taken over, 1 game given\n"
    further = {"a": left[1], "b": left[1], "c": GAMES[0]}
    assert content(here) == {**further, "d": left[0]}  # equally far: each keeps its own
    assert content(there) == {**further, "d": unfinished(GAMES[1], 2)}


@pytest.mark.parametrize("is_played_on", [False, True])
def test_what_was_deleted_does_not_come_back_and_stays_in_the_other(tmp_path, is_played_on):
    game = unfinished(GAMES[0], 3) if is_played_on else GAMES[0]
    here = make(tmp_path / "here.db", a=game, b=GAMES[1])
    there = make(tmp_path / "there.db", a=GAMES[0], b=GAMES[1])
    with Store(str(here)) as store:
        [number] = [each.id for each in store.games() if each.uid == "a"]
        remove(store, number)
    for one, two in ((here, there), (there, here)):
        said = run("store", "sync", two, "--store", one).out
        assert said == "0 games taken over, 0 games given\n"
    assert content(here) == {"b": GAMES[1]}
    assert content(there) == {"a": GAMES[0], "b": GAMES[1]}


def test_runs_of_the_lab_go_both_ways(tmp_path):
    paths = [tmp_path / "here.db", tmp_path / "there.db"]
    for path in paths:
        with Store(str(path)) as store:
            Runs(store).begin(NewRun("toy", "digest", {}, False, None, {}, {}, 3))
    said = run("store", "sync", paths[1], "--store", paths[0]).out
    assert said == "0 games and 1 run of the lab taken over, 0 games and 1 run of the lab given\n"
    uids = []
    for path in paths:
        with Store(str(path)) as store:
            uids.append(sorted(each.uid for each in Runs(store).runs()))
    assert uids[0] == uids[1]
    assert len(uids[0]) == 2


@pytest.mark.parametrize("after", range(1, 6))
def test_ctrl_c_keeps_what_was_taken_over_and_the_same_command_does_the_rest(
    tmp_path, monkeypatch, after
):
    monkeypatch.setattr(syncing, "BATCH", 2)
    here = make(tmp_path / "here.db", a=GAMES[0])
    there = make(tmp_path / "there.db", **dict(zip("bcdef", GAMES[1:], strict=True)))
    whole, seen = Store.whole, 0

    def interrupted(self: Store, which: Filter) -> Iterator[StoredGame]:
        nonlocal seen
        for game in whole(self, which):
            seen += 1
            if seen == after:
                os.kill(os.getpid(), signal.SIGINT)
            yield game

    with monkeypatch.context() as patch:
        patch.setattr(Store, "whole", interrupted)
        result = run("store", "sync", there, "--store", here)
    assert result.status == 130
    assert result.err.endswith("interrupted; the same command does the rest\n")
    assert len(content(here)) == after  # the one that was there, and those that were read
    assert run("store", "sync", there, "--store", here).status == 0
    assert content(here) == content(there) == dict(zip("abcdef", GAMES, strict=True))


def test_what_cannot_be_synchronised_is_told(tmp_path):
    here = make(tmp_path / "here.db", a=GAMES[0])
    assert "there is no store at" in one_line(run("store", "sync", tmp_path / "none.db"))
    message = one_line(run("store", "sync", f"sqlite:///{here}", "--store", here))
    assert message == "a store cannot be synchronised with itself"
