"""Matches, tournaments and games whose PostgreSQL server is restarted, killed, or not there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import environment, one_line, run, run_process
from match_tools import Command, HeldGame, games_in, held_game, lines_of, timeless, toml
from patience import until
from postgres_server import RestartableServer, restartable_server
from sqlalchemy import make_url
from store_tools import wipe

from plyground.core.records import GameRecord
from plyground.matches.pair import PlayedPair
from plyground.store.recording import uid_of
from plyground.store.shelter import count_waiting
from plyground.store.store import Store

PAIRS = 6
WITHOUT_A_COMPILER = {"NUMBA_DISABLE_JIT": "1"}
PATIENT = {**WITHOUT_A_COMPILER, "PLYGROUND_STORE_WAIT": "1h"}
IMPATIENT = {**WITHOUT_A_COMPILER, "PLYGROUND_STORE_WAIT": "1ms"}


@pytest.fixture(scope="module")
def restartable() -> Iterator[RestartableServer]:
    with restartable_server(synchronous_commit="on") as server:
        yield server


@pytest.fixture
def server(restartable: RestartableServer) -> RestartableServer:
    restartable.start()  # a test that failed may have left it
    with Store(restartable.url) as store:
        wipe(store)
    return restartable


@pytest.fixture
def held(tmp_path: Path) -> HeldGame:
    return held_game(tmp_path)


def heap_match(held: HeldGame, url: str, *more: str) -> tuple[str | Path, ...]:
    size = ("-n", str(2 * PAIRS), "--openings", "random:2", "--out", held.journal)
    return ("match", "random", "better-random", "-g", held.path, *size, "--store", url, *more)


def demand_all_stored(server: RestartableServer, held: HeldGame) -> None:
    """What the journal tells is in the store, each game once."""
    assert len(games_in(held.journal)) == PAIRS
    event = f"match {held.journal.stem}: random - better-random"
    pairs = [PlayedPair.from_data(json.loads(line)) for line in lines_of(held.journal)]
    wanted = {
        uid_of(event, each.pair, number): timeless(replace(game, event=event).as_data())
        for each in pairs
        for number, game in enumerate(each.games)
    }
    with Store(server.url) as store:
        games = {each.uid: replace(each.record, date="") for each in store.whole()}
    assert {uid: timeless(game.as_data()) for uid, game in games.items()} == wanted
    assert count_waiting(make_url(server.url)) == 0


@pytest.mark.parametrize(
    ("how", "jobs"), [("SIGINT", "1"), ("SIGQUIT", "1"), ("SIGKILL", "1"), ("SIGKILL", "2")]
)
def test_a_match_waits_for_its_server_and_goes_on(server, held, how, jobs):
    held.hold(2)
    with Command(*heap_match(held, server.url, "--jobs", jobs), **PATIENT) as command:
        held.wait()
        server.stop(how)
        held.let_go()
        command.wait_for("does not answer; waiting up to 60 minutes")
        server.start()
        result = command.end()
    assert result.status == 0
    assert "is back" in result.err
    assert "Traceback" not in result.err
    assert make_url(server.url).password not in result.err
    demand_all_stored(server, held)


def test_a_match_whose_server_stays_away_goes_on_and_its_games_are_brought(server, held):
    held.hold(2)
    with Command(*heap_match(held, server.url), **IMPATIENT) as command:
        held.wait()
        server.stop("SIGKILL")
        held.hold(4)
        command.wait_for("cannot be reached; games are kept in ")
        until(lambda: len(lines_of(held.journal)) == 4)
        assert count_waiting(make_url(server.url)) >= 3
        server.start()
        held.let_go()
        result = command.end()
    assert result.status == 0
    assert " are there now" in result.err
    demand_all_stored(server, held)


def test_games_of_a_match_without_its_server_wait_until_somebody_opens_the_store(server, held):
    server.stop()
    result = run_process(*heap_match(held, server.url, "--json"), **PATIENT)
    assert result.status == 0
    assert json.loads(result.out)["complete"] is True
    assert result.err.count("cannot be reached; games are kept in ") == 1
    result = run("store", "stats", "--store", server.url)
    assert (result.status, result.out) == (1, "")
    assert result.err.startswith("error: store postgresql")
    assert result.err.endswith(f"; {2 * PAIRS} games wait for it here\n")
    assert result.err.count("\n") == 1
    server.start()
    result = run("store", "games", "--store", server.url)
    assert result.status == 0
    assert f"{2 * PAIRS} games that were kept here" in result.err
    demand_all_stored(server, held)
    assert run("store", "games", "--store", server.url).err == ""


def test_a_tournament_without_its_server_is_played_and_brought(server, tmp_path):
    file = tmp_path / "cup.toml"
    players = ["first", "random", "better-random"]
    file.write_text(toml(game="tictactoe", players=players, format="round-robin", games=2))
    server.stop()
    result = run_process("tournament", file, "--store", server.url, **PATIENT)
    assert result.status == 0, result
    assert count_waiting(make_url(server.url)) == 6
    server.start()
    assert "6 games" in run("store", "stats", "--store", server.url).err
    with Store(server.url) as store:
        assert store.count() == 6
        assert store.stats().unfinished == 0


def test_a_persons_game_is_kept_while_the_server_is_away(server):
    server.stop()
    people = ("--first", "human", "--second", "human", "--store", server.url)
    moves = "".join(f"{move}\n" for move in ("a1", "b1", "a2", "q"))
    result = run("play", "tictactoe", *people, typed=moves)
    assert (result.status, result.err) == (0, "")
    assert result.out.count("cannot be reached; games are kept in ") == 1
    assert "this game cannot be stored" not in result.out
    assert make_url(server.url).password not in result.out
    assert "kept; go on with: plyground play --resume" in result.out
    server.start()
    result = run("play", "--resume", "--store", server.url, typed="b2\na3\n")
    assert "X wins" in result.out
    with Store(server.url) as store:
        [game] = store.whole()
    assert names(game.record) == ["a1", "b1", "a2", "b2", "a3"]
    assert game.record.points == 1.0
    assert all(move.time_s > 0 for move in game.record.moves)
    assert count_waiting(make_url(server.url)) == 0


def names(record: GameRecord) -> list[str]:
    return [move.move for move in record.moves]


def test_a_time_that_makes_no_sense_is_refused(monkeypatch):
    monkeypatch.setenv("PLYGROUND_STORE_WAIT", "soon")
    assert "PLYGROUND_STORE_WAIT" in environment()
    message = one_line(run("store", "stats"))
    assert message == "PLYGROUND_STORE_WAIT 'soon': expected a time above 0 such as 2s, 500ms or 1m"
