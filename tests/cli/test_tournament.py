"""`plyground tournament`: its table, its file, and runs that survive Ctrl-C and kills."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import threading
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from command_line import Result, one_line, refusal, run, run_process
from dask_cluster import dask_cluster
from match_tools import (
    Command,
    HeldGame,
    games_in,
    held_game,
    lines_of,
    timeless,
    toml,
)
from patience import until
from terminal import Terminal

from plyground.matches.journal import Journal
from plyground.matches.tournament_file import EXAMPLE
from plyground.players.catalogue import canonical

LATE = str(canonical("random-start(moves=2,then=first())"))
PLAYERS = ["random", "first", "better-random", LATE]
KEYS = [
    *("name", "game", "format", "seed", "games", "complete", "players", "cross_table"),
    *("first_move_elo", "draw_rate", "file"),
]
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write the file of a tournament, of four cheap players if nothing else is said."""

    def write_file(file: str = "cup.toml", **fields: object) -> Path:
        path = tmp_path / file
        usual: dict[str, object] = {"game": "tictactoe", "players": PLAYERS, "games": 4}
        path.write_text(toml(**(usual | fields)), encoding="utf-8")
        return path

    return write_file


def tournament(path: Path, *arguments: str | Path) -> Result:
    return run("tournament", path, "--no-store", *arguments)


def table(path: Path, *arguments: str | Path) -> dict[str, Any]:
    """The table of a tournament that went well."""
    result = tournament(path, "--json", *arguments)
    assert result.status == 0, result
    assert result.out.count("\n") == 1
    return json.loads(result.out)


def journal_of(path: Path) -> Path:
    return path.with_suffix(".jsonl")


# ------------------------------------------------------------------ what it reports


def test_people_get_a_table_of_players_and_one_of_pairings(write):
    path = write(name="The Cup", seed=5)
    result = tournament(path)
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0].startswith("The Cup: ")
    assert {"round-robin", "24 of 24 games"} <= set(lines[0].split(", "))
    assert re.search(r"(?m)^1  \S+ +[+-]\d+ ± \d+ +[\d.]+/12 ", result.out)
    assert "points against" in result.out
    assert "moving first is worth" in result.out
    assert lines[-1] == f"games: {journal_of(path)}"


def test_programs_get_one_object_with_the_same_keys(write):
    path = write()
    data = table(path)
    assert list(data) == KEYS
    assert (data["name"], data["game"], data["format"]) == ("cup", "mnk", "round-robin")
    assert (data["games"], data["complete"]) == (24, True)
    assert data["file"] == str(journal_of(path))
    assert {player["player"] for player in data["players"]} == set(PLAYERS)
    for player in data["players"]:
        assert player["games"] == player["wins"] + player["draws"] + player["losses"] == 12
        assert player["points"] == player["wins"] + player["draws"] / 2
    assert list(table(write("swiss.toml", format="swiss"))) == [*KEYS, "swiss"]


def test_the_cross_table_adds_up(write):
    cells = {(c["player"], c["against"]): c for c in table(write())["cross_table"]}
    assert set(cells) == {(a, b) for a in PLAYERS for b in PLAYERS if a != b}
    for a, b in combinations(PLAYERS, 2):
        assert cells[a, b]["games"] == cells[b, a]["games"] == 4
        assert cells[a, b]["points"] + cells[b, a]["points"] == 4


@pytest.mark.parametrize(
    "fields, games",
    [
        ({"format": "round-robin"}, 6 * 4),
        ({"format": "gauntlet"}, 3 * 4),
        ({"format": "gauntlet", "heroes": 2}, 4 * 4),
        ({"format": "swiss"}, 2 * 2 * 4),
        ({"format": "swiss", "rounds": 5}, 5 * 2 * 4),
        ({"format": "swiss", "players": PLAYERS[:3], "rounds": 4}, 4 * 1 * 4),
        ({"games": 3}, 6 * 4),
        ({"players": PLAYERS[:2]}, 4),
    ],
    ids=str,
)
def test_every_format_plays_what_was_asked(write, fields, games):
    path = write(**fields)
    data = table(path)
    assert data["games"] == games == 2 * len(lines_of(journal_of(path)))
    assert data["complete"]
    assert tournament(path).status == 0


def test_names_are_shown_in_place_of_texts(write):
    named = [{"name": "Anybody", "player": "random"}, {"name": "Nobody", "player": "first"}]
    result = tournament(write(players=named))
    assert "Anybody" in result.out
    assert "random " not in result.out


def test_brackets_in_names_are_no_markup(write):
    named = [{"name": "[red]Ann", "player": "random"}, {"name": "Bob[/]", "player": "first"}]
    path = write("[cup].toml", name="A [/b] cup", players=[*named, "better-random"])
    for arguments in ((), ("--json",)):
        result = tournament(path, *arguments)
        assert result.status == 0
        assert all(name in result.out for name in ("A [/b] cup", "[red]Ann", "Bob[/]"))


def test_openings_are_read_from_beside_the_file(write, tmp_path, monkeypatch):
    (tmp_path / "lines.txt").write_text("a1 b2\nb2 a1\n", encoding="utf-8")
    path = write(openings="lines.txt")
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert table(path)["games"] == 24
    pairs = [json.loads(line)["pair"] for line in lines_of(journal_of(path))]
    assert {pair["opening"] for pair in pairs} == {"a1; b2", "b2; a1"}


def test_the_number_of_jobs_does_not_matter(write, tmp_path):
    path = write(format="swiss", players=PLAYERS[:3])
    alone = table(path)
    together = table(path, "--jobs", "2", "--out", tmp_path / "together.jsonl")
    assert timeless(alone) == timeless(together)
    assert games_in(journal_of(path)) == games_in(tmp_path / "together.jsonl")


def test_a_terminal_of_80_columns_is_wide_enough(write):
    players = [*PLAYERS, {"name": "one with quite a long name of its own", "player": "greedy"}]
    path = write(name="How much is a long name worth, if there are many of them?", players=players)
    table(path)
    with Terminal("tournament", path, "--no-store") as terminal:
        window = terminal.wait_for_end()
    assert terminal.process.returncode == 0
    lines = window.splitlines()
    assert lines[0].startswith("How much is a long name worth")
    assert "…" not in window
    assert not any(re.search(r"\S\S$", line) and len(line) > 80 for line in lines)
    title = " ".join(lines[:2])
    assert "seed 0" in title
    assert "random:4" in title, "a word was broken at the edge of the window"


def test_many_players_on_80_columns_are_readable(write):
    players = [f"random-start(moves={number},then=first())" for number in range(1, 16)]
    result = tournament(write(players=players, games=2))
    assert result.status == 0
    assert "…" not in result.out


# ------------------------------------------------------------------ going on


def test_one_more_player_plays_only_the_new_pairings(write):
    path = write(players=PLAYERS[:3])
    table(path)
    before = journal_of(path).read_bytes()
    data = table(write(players=PLAYERS))
    assert data["games"] == 24
    after = journal_of(path).read_bytes()
    assert after.startswith(before)
    new = [json.loads(line)["pair"]["players"] for line in after[len(before) :].splitlines()]
    assert len(new) == 3 * 2
    assert all(LATE in players for players in new)


def test_a_finished_tournament_is_shown_again_and_plays_nothing(write):
    path = write()
    first = table(path)
    before = journal_of(path).read_bytes()
    assert table(path) == first
    assert journal_of(path).read_bytes() == before


@pytest.fixture
def held(tmp_path: Path) -> HeldGame:
    return held_game(tmp_path)


def heap_cup(held: HeldGame, write: Write, **fields: object) -> Path:
    """A tournament of the game that can be held; its file is held.journal."""
    return write("games.toml", game="heap.py", openings="random:2", players=PLAYERS[:3], **fields)


def played_straight(path: Path) -> dict[str, Any]:
    """The same tournament without any interruption, in a file of its own."""
    straight = path.with_name("straight.jsonl")
    data = table(path, "--out", straight)
    assert games_in(straight) == games_in(journal_of(path))
    return data


@pytest.mark.parametrize("format_", ["round-robin", "swiss"])
def test_a_killed_tournament_goes_on_as_if_nothing_had_happened(held, write, format_):
    path = heap_cup(held, write, format=format_)
    held.hold(3)
    with Command("tournament", path, "--no-store", "--with", held.path) as command:
        held.wait()
        command.kill()
    held.let_go()
    assert len(lines_of(held.journal)) == 3
    assert timeless(table(path)) == timeless(played_straight(path))


def test_ctrl_c_keeps_what_was_played_and_says_how_to_go_on(held, write):
    path = heap_cup(held, write)
    held.hold(3)
    with Command("tournament", path, "--no-store", "--with", held.path) as command:
        held.wait()
        command.interrupt()
        command.wait_for("finishing the games under way")
        held.let_go()
        result = command.end()
    assert result.status == 130
    assert "8 of 12 games" in result.out
    assert "not finished" in result.out
    again = f"plyground tournament {path} --with {held.path}\n"
    assert again in result.out, "a command in pieces cannot be copied"
    assert len(lines_of(held.journal)) == 4
    assert timeless(table(path)) == timeless(played_straight(path))


def test_ctrl_c_before_the_first_game_leaves_an_empty_table(held, write):
    path = heap_cup(held, write, format="swiss")
    held.hold(0)
    with Command("tournament", path, "--no-store", "--json", "--with", held.path) as command:
        held.wait()
        command.interrupt()
        command.wait_for("Ctrl-C again to end at once")
        command.interrupt()
        result = command.end()
    assert result.status == 130
    data = json.loads(result.out)
    assert (data["games"], data["complete"]) == (0, False)
    assert "Traceback" not in result.err


@pytest.mark.full
@pytest.mark.parametrize("format_", ["round-robin", "gauntlet", "swiss"])
def test_killed_at_random_moments_until_it_is_done(held, write, format_):
    moments = random.Random(format_)
    path = heap_cup(held, write, format=format_, games=100)
    terms = ("tournament", path, "--jobs", "2", "--no-store", "--with", held.path)
    for _ in range(5):
        before = len(lines_of(held.journal))
        held.hold(before + 10)  # so that it is not done before it is killed
        with Command(*terms) as command:
            wanted = before + moments.randint(1, 10)
            until(lambda wanted=wanted: len(lines_of(held.journal)) >= wanted, f"{wanted} pairs")
            command.kill()
    held.let_go()
    assert 5 <= len(lines_of(held.journal)) < 80
    assert timeless(table(path)) == timeless(played_straight(path))


@pytest.mark.full
def test_a_worker_of_a_cluster_that_is_killed_loses_nothing(held, write):
    path = heap_cup(held, write, format="swiss", rounds=4)

    def kill_one_in_the_middle() -> None:
        busy = held.wait()[0]
        os.kill(busy, signal.SIGKILL)
        held.let_go()

    held.hold(3)
    with dask_cluster(workers=2) as cluster:
        killer = threading.Thread(target=kill_one_in_the_middle)
        killer.start()
        far = table(path, "--cluster", cluster.address)
        killer.join()
    assert timeless(far) == timeless(played_straight(path))


# ------------------------------------------------------------------ a file to begin with


def test_a_new_file_is_the_example(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("tournament", "new")
    assert result.status == 0
    assert (tmp_path / "tournament.toml").read_text(encoding="utf-8") == EXAMPLE
    assert "plyground tournament tournament.toml" in result.out
    assert run("tournament", "new", tmp_path / "mine.toml").status == 0
    assert (tmp_path / "mine.toml").exists()


def test_a_new_file_can_be_played(tmp_path):
    path = tmp_path / "mine.toml"
    run("tournament", "new", path)
    fewer = path.read_text(encoding="utf-8").replace("games = 20", "games = 2 ")
    path.write_text(fewer, encoding="utf-8")
    data = table(path)
    assert (data["games"], data["complete"]) == (12, True)
    assert "four plies" in {player["name"] for player in data["players"]}


@pytest.mark.full
def test_a_new_file_can_be_played_as_it_is(tmp_path):
    path = tmp_path / "mine.toml"
    run("tournament", "new", path)
    data = table(path)
    assert (data["games"], data["complete"]) == (120, True)
    best, worst = data["players"][0], data["players"][-1]
    assert best["elo"]["value"] > worst["elo"]["value"]
    assert worst["name"] == "alphabeta:depth=1"


def test_a_file_that_exists_is_not_overwritten(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("precious", encoding="utf-8")
    assert one_line(run("tournament", "new", path)) == f"{path} exists already; give another name"
    assert path.read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize("name", ["no/such/folder/new.toml", "file/new.toml"])
def test_a_new_file_where_none_can_be(tmp_path, name):
    (tmp_path / "file").touch()
    assert one_line(run("tournament", "new", tmp_path / name)).startswith("cannot write ")


# ------------------------------------------------------------------ what it refuses


@pytest.mark.parametrize(
    "fields, words",
    [
        ({"gmaes": 3}, ["unknown field 'gmaes'", "games"]),
        ({"game": "tictac"}, ["unknown game 'tictac'", "tictactoe"]),
        ({"players": ["random", "frist"]}, ["players, number 2", "'frist'", "first"]),
        ({"players": ["random", "human"]}, ["players, number 2", "human"]),
        ({"players": ["random", "random"]}, ["random is there twice"]),
        ({"openings": "lines.txt"}, ["lines.txt", "No such file"]),
        ({"format": "swis"}, ["'swis'", "swiss"]),
        ({"time": "soon"}, ["time 'soon'"]),
    ],
    ids=str,
)
def test_a_wrong_file_is_refused_in_one_line(write, fields, words):
    path = write(**fields)
    message = one_line(tournament(path))
    assert message.startswith(f"{path}: ")
    assert [word for word in words if word not in message] == []
    assert not journal_of(path).exists()


def test_an_engine_that_is_not_there_is_refused_before_the_first_game(write):
    players = ["random", "first", 'gtp:command="catt -u"']
    path = write(game="othello", players=players)
    line = one_line(tournament(path, "--engine", "catt -u"))
    assert "cannot be started: 'catt' was not found; did you mean cat?" in line
    assert not games_in(journal_of(path))


def test_a_missing_file_says_how_to_make_one(tmp_path):
    message = one_line(tournament(tmp_path / "no.toml"))
    assert message.endswith("`plyground tournament new FILE` writes an example")


def test_bad_toml_is_told_with_its_line(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text('game = "tictactoe"\nplayers = [] []\n', encoding="utf-8")
    assert "not TOML" in (message := one_line(tournament(path)))
    assert "line 2" in message


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("extra",), ["'extra' was not expected"]),
        (("--out", "/"), ["cannot write to /"]),
        (("--cluster", "nonsense"), ["tcp://HOST:PORT"]),
        (("--jobs", "2", "--cluster", "tcp://h:1"), ["--jobs and --cluster"]),
    ],
    ids=str,
)
def test_wrong_arguments_are_refused_in_one_line(write, arguments, words):
    message = one_line(tournament(write(), *arguments))
    assert [word for word in words if word not in message] == []


@pytest.mark.parametrize("arguments", [("--jobs", "0"), ("--jobs", "x"), ("--games", "4")])
def test_wrong_options_are_refused(write, arguments):
    assert refusal(tournament(write(), *arguments))


def test_no_file_at_all_is_refused():
    assert refusal(run("tournament"))


def test_a_tournament_that_is_being_played_is_refused(write):
    path = write()
    with Journal(journal_of(path)):
        assert "in use by another run" in one_line(tournament(path))


def test_a_damaged_journal_is_told_with_its_line_and_left_alone(write):
    path = write()
    table(path)
    lines = lines_of(journal_of(path))
    damaged = b"".join([*lines[:4], b"garbage\n", *lines[5:], b'{"key":"torn'])
    journal_of(path).write_bytes(damaged)
    assert "line 5: not a played pair" in one_line(tournament(path))
    assert journal_of(path).read_bytes() == damaged


def test_a_process_of_its_own_leaves_with_the_right_status(tmp_path):
    result = run_process("tournament", tmp_path / "no.toml")
    assert one_line(result).startswith("cannot read ")
