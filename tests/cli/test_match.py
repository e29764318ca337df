"""`plyground match`: what it reports, what survives Ctrl-C and kills, and what it refuses."""

from __future__ import annotations

import errno
import functools
import json
import os
import random
import re
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from command_line import Result, one_line, refusal, run
from dask_cluster import DaskCluster, dask_cluster
from match_tools import (
    Command,
    HeldGame,
    engine_that_leaves,
    games_in,
    held_game,
    lines_of,
    timeless,
)
from patience import until
from terminal import Terminal
from user_games import write_game

from plyground.cli import contests
from plyground.cli.elo import parse_sprt
from plyground.games.connect_four import GAME as CONNECT4
from plyground.games.position import BasePosition
from plyground.kernel import plain_python
from plyground.matches.journal import Journal
from plyground.matches.openings import OpeningText, random_openings
from plyground.matches.pair import PlayedPair
from plyground.work import workers

HEAP_ENGINE = Path(__file__).parents[1] / "players" / "heap_engine.py"
RANDOM_AND_FIRST = ("random", "first", "-g", "tictactoe")
HEAP = ("--openings", "random:2", "-n", "24")
KEYS = [
    *("game", "settings", "players", "openings", "seed", "games", "wins", "draws", "losses"),
    *("pairs", "elo", "normalised_elo", "superiority", "first_move_score", "sprt", "records"),
    *("complete", "interrupted", "file"),
]
SPRT_KEYS = ["elo0", "elo1", "model", "llr", "lower", "upper", "verdict"]


def match(*arguments: str | Path) -> Result:
    return run("match", *arguments, "--no-store")


def reported(*arguments: str | Path) -> dict[str, Any]:
    """The report of a match that went well, as JSON in the strict sense."""
    return as_json(match(*arguments, "--json"))


def as_json(result: Result) -> dict[str, Any]:
    def refuse(number: str) -> float:
        raise ValueError(f"{number} is not JSON")

    assert result.status == 0, result
    assert result.out.count("\n") == 1
    return json.loads(result.out, parse_constant=refuse)


@pytest.fixture
def held(tmp_path: Path) -> HeldGame:
    return held_game(tmp_path)


def heap_match(held: HeldGame, journal: Path | None = None) -> tuple[str | Path, ...]:
    """The arguments of a match of 12 pairs of the game that can be held."""
    out = ("--out", journal or held.journal)
    return ("match", "random", "better-random", "-g", held.path, *HEAP, "--no-store", *out)


# ------------------------------------------------------------------ what it reports


def test_people_get_a_table_and_what_it_proves():
    result = match(*RANDOM_AND_FIRST, "-n", "20", "--seed", "3")
    assert result.status == 0
    lines = result.out.splitlines()
    assert lines[0].endswith("20 games from openings random:4, seed 3")
    rows = {words[0]: words[1:] for line in lines if (words := line.split())}
    won, drawn, lost = map(int, rows["random"][:3])
    assert won + drawn + lost == 20
    assert list(map(int, rows["first"][:3])) == [lost, drawn, won]
    assert float(rows["random"][3]) == won + drawn / 2
    assert {"Elo", "normalised", "superiority", "pairs", "moving"} <= set(rows)
    assert all(len(line) <= 80 for line in lines if not line.startswith("games: "))
    path = Path(lines[-1].removeprefix("games: "))
    assert len(lines_of(path)) == 10


def test_a_pipe_gets_nothing_on_its_error_side():
    assert match(*RANDOM_AND_FIRST, "-n", "2").err == ""


def test_programs_get_one_object_with_the_same_keys_whatever_happened():
    data = reported(*RANDOM_AND_FIRST, "-n", "10")
    assert list(data) == KEYS
    assert (data["game"], data["players"]) == ("mnk", ["random", "first"])
    assert data["settings"] == {"m": 3, "n": 3, "k": 3}
    assert data["wins"] + data["draws"] + data["losses"] == data["games"] == 10
    assert sum(data["pairs"].values()) == 5
    assert data["sprt"] is None
    assert (data["complete"], data["interrupted"]) == (True, False)
    mine, theirs = data["records"]
    assert (mine["wins"], mine["losses"]) == (theirs["losses"], theirs["wins"])
    assert Path(data["file"]).is_file()
    test = reported(*RANDOM_AND_FIRST, "-n", "4", "--sprt", "elo0=0,elo1=5")
    assert list(test) == KEYS
    assert list(test["sprt"]) == SPRT_KEYS


@pytest.mark.usefixtures("plain")
def test_a_perfect_score_is_still_json():
    data = reported("alphabeta:depth=2", "first", "-g", "tictactoe", "-n", "2")
    assert data["elo"].keys() == {"value", "low", "high"}


@pytest.mark.usefixtures("plain")
def test_the_stronger_player_has_the_plus():
    strong, weak = "alphabeta:depth=2", "random"
    ahead = reported(strong, weak, "-g", "tictactoe", "-n", "20")
    behind = reported(weak, strong, "-g", "tictactoe", "-n", "20")
    assert ahead["elo"]["low"] > 50
    assert ahead["superiority"] > 0.99
    assert behind["elo"]["high"] < -50
    assert behind["superiority"] < 0.01


@pytest.mark.parametrize("asked, played", [("2", 2), ("3", 4), ("5", 6), ("6", 6)])
def test_an_odd_number_of_games_is_rounded_up_to_pairs(asked, played):
    assert reported(*RANDOM_AND_FIRST, "-n", asked)["games"] == played


def test_a_hundred_games_unless_told_otherwise():
    assert reported(*RANDOM_AND_FIRST)["games"] == 100


def test_players_get_their_one_true_text():
    with plain_python():  # which is ready before a compiler would be
        data = reported("brute-force", "alphabeta:order=all,depth=1", "-g", "tictactoe", "-n", "2")
    assert data["players"] == ["first", "alphabeta:depth=1,order=all"]


def test_a_player_may_meet_itself():
    data = reported("random", "random", "-g", "tictactoe", "-n", "10")
    assert data["players"] == ["random", "random"]
    assert data["records"][0]["wins"] == data["records"][1]["losses"] == data["wins"]


def test_settings_position_and_openings_are_used(tmp_path):
    lines = tmp_path / "lines.txt"
    lines.write_text("1 2\n3\n", encoding="utf-8")
    board = ("--set", "width=5", "--set", "height=4", "--set", "connect=3")
    data = reported("random", "first", "-g", "connect4", *board, "--openings", lines, "-n", "4")
    assert data["settings"] == {"width": 5, "height": 4, "connect": 3}
    pairs = [json.loads(line)["pair"] for line in lines_of(Path(data["file"]))]
    assert [pair["opening"] for pair in pairs] == ["1; 2", "3"]
    data = reported(*RANDOM_AND_FIRST, "--position", "XO- --- ---", "--openings", "random:0")
    assert {json.loads(line)["pair"]["position"] for line in lines_of(Path(data["file"]))} == {
        "XO-/---/---"
    }


def test_seeds_make_other_games():
    one, two, again = (reported(*RANDOM_AND_FIRST, "-n", "10", "--seed", s) for s in "121")
    assert timeless(one) == timeless(again)
    assert games_in(Path(one["file"])) == games_in(Path(again["file"]))
    assert not games_in(Path(one["file"])).keys() & games_in(Path(two["file"])).keys()


def test_a_game_from_a_file(tmp_path):
    path = write_game(tmp_path / "heap.py")
    data = reported("random", "first", "-g", path, "--openings", "random:2", "-n", "4")
    assert (data["game"], data["games"]) == ("heap", 4)


def test_a_game_from_a_module(tmp_path, monkeypatch):
    write_game(tmp_path / "match_games" / "heap.py")
    monkeypatch.syspath_prepend(tmp_path)
    arguments = ("-g", "match_games.heap", "--openings", "random:2", "-n", "2")
    assert reported("random", "first", *arguments)["game"] == "heap"


def player_behind(*words: str | Path) -> str:
    """A program in Python, as a player behind GTP."""
    command = shlex.join(map(str, [sys.executable, *words])).replace('"', '\\"')
    return f'gtp:command="{command}"'


def test_two_programs_play_a_game_of_the_users(tmp_path):
    """Ten in a heap, from which one or two are taken: the one that plays it well wins as first."""
    path = write_game(tmp_path / "heap.py")
    players = player_behind(HEAP_ENGINE), player_behind(HEAP_ENGINE, "answer=1")
    data = reported(*players, "-g", path, "--openings", "random:0", "-n", "2")
    first, second = games_in(Path(data["file"])).popitem()[1]["games"]
    assert {first["ended"], second["ended"]} == {"over"}
    assert [move["move"] for move in first["moves"]] == ["1"] + ["1", "2"] * 3
    assert first["points"] == 1.0 and len(second["moves"]) > 4


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (("-g", "tictactoe"), "does not play mnk: it answered '? unknown command'"),
        (("-g", "{heap}", "--position", "7 1"), "plays heap only with its usual settings and from"),
    ],
)
def test_a_program_that_does_not_play_such_games_is_refused_before_the_first_one(
    tmp_path, jobs, game, reason
):
    heap = write_game(tmp_path / "heap.py")
    options = [word.format(heap=heap) for word in game]
    arguments = (*options, "--openings", "random:0", "-n", "4", "-j", jobs)
    line = one_line(
        match(player_behind(HEAP_ENGINE), "random", *arguments, "--out", tmp_path / "m")
    )
    assert reason in line
    assert not games_in(tmp_path / "m")


def test_an_engine_that_fails_in_a_game_loses_it_and_the_reason_is_told(tmp_path):
    engine = engine_that_leaves(tmp_path)
    result = match(engine, "random", "-g", "othello", "-n", "4")
    assert result.status == 0
    assert re.search(r"forfeited 4: +ended with status 3", result.out)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("/no/such/engine -gtp", "cannot be started: '/no/such/engine' was not found"),
        (
            "{folder}/leaving-enigne",
            "'{folder}/leaving-enigne' was not found; did you mean {folder}/leaving-engine?",
        ),
        ("catt", "'catt' was not found; did you mean cat?"),
        ("{folder}/script", "'{folder}/script' was not found, or what its first line says"),
        ("{folder}", "'{folder}' is not executable"),
        ("false", "ended with status 1"),
        ("echo hello", "ended with status 0"),
    ],
)
def test_an_engine_that_does_not_get_ready_is_refused_before_the_first_game(
    tmp_path, jobs, command, reason
):
    engine_that_leaves(tmp_path)
    script = tmp_path / "script"
    script.write_text("#!/no/such/shell\n", encoding="utf-8")
    script.chmod(0o755)
    engine = f'gtp:command="{command.format(folder=tmp_path)}"'
    for players in ((engine, "random"), ("random", f"random-start(moves=2,then={engine})")):
        arguments = (*players, "-g", "othello", "-n", "4", "-j", jobs, "--out", tmp_path / "m")
        line = one_line(match(*arguments))
        assert reason.format(folder=tmp_path) in line
        assert not games_in(tmp_path / "m")


def test_a_finished_match_is_reported_even_if_its_engine_is_gone(tmp_path):
    arguments = (engine_that_leaves(tmp_path), "random", "-g", "othello", "-n", "2")
    first = reported(*arguments, "--out", tmp_path / "m")
    (tmp_path / "leaving-engine").unlink()
    assert reported(*arguments, "--out", tmp_path / "m") == first
    more = match(*arguments[:-1], "4", "--out", tmp_path / "m")
    assert "was not found" in one_line(more)


def test_every_match_has_a_file_of_its_own():
    files = {reported(*RANDOM_AND_FIRST, "-n", "2")["file"] for _ in range(3)}
    assert len(files) == 3


# ------------------------------------------------------------------ odd names


def test_brackets_in_a_command_are_no_markup(tmp_path):
    """They would vanish, or end the report with a traceback after all games were played."""
    result = match(
        engine_that_leaves(tmp_path, "[/red]", "[bold]", "engine"),
        "random",
        *("-g", "othello", "-n", "2"),
    )
    assert result.status == 0
    assert "[/red] [bold] engine" in " ".join(result.out.split())


def test_brackets_in_a_path_are_no_markup(tmp_path):
    path = tmp_path / "[bold] [/red].jsonl"
    result = match(*RANDOM_AND_FIRST, "-n", "2", "--out", path)
    assert result.out.splitlines()[-1] == f"games: {path}"


def test_long_players_can_be_told_apart():
    players = [f"alphabeta:depth=1,order=all,ties=random,noise={n}%" for n in (11, 22)]
    with plain_python():
        result = match(*players, "-g", "tictactoe", "-n", "2")
    assert "11%" in result.out
    assert "22%" in result.out
    assert all(len(line) <= 80 for line in result.out.splitlines() if "games: " not in line)


# ------------------------------------------------------------------ a test that stops


def test_a_test_stops_early_and_says_so():
    arguments = ("random", "first", "-g", "connect4", "--sprt", "elo0=0,elo1=50", "-n", "400")
    data = reported(*arguments)
    assert data["games"] < 200
    assert data["sprt"]["verdict"] == "H0"
    assert data["sprt"]["llr"] < data["sprt"]["lower"]
    assert data["complete"]
    again = match(*arguments, "--out", data["file"])
    assert "no gain of 50 Elo" in again.out
    assert "undecided" not in again.out


def test_a_test_that_runs_out_of_games_is_undecided():
    arguments = (*RANDOM_AND_FIRST, "-n", "6", "--sprt", "elo0=0,elo1=1")
    assert "undecided" in match(*arguments).out
    data = reported(*arguments)
    assert (data["games"], data["sprt"]["verdict"], data["complete"]) == (6, "continue", True)


@pytest.mark.parametrize(
    "form, values",
    [
        ("elo0=0,elo1=10", (0, 10, "logistic")),
        (" elo1 = 5 , elo0 = -5 ", (-5, 5, "logistic")),
        ("elo0=0.5,elo1=+2.5,model=normalised", (0.5, 2.5, "normalised")),
        ("elo0=0,elo1=4,alpha=0.1,beta=0.2", (0, 4, "logistic")),
    ],
)
def test_forms_of_a_test(form, values):
    test = parse_sprt(form)
    assert (test.elo0, test.elo1, test.model) == values


def test_a_test_on_two_workers_is_the_same_as_on_one():
    arguments = ("first", "random", "-g", "connect4", "--sprt", "elo0=0,elo1=50", "-n", "400")
    alone, together = reported(*arguments), reported(*arguments, "--jobs", "2")
    assert timeless(alone) == timeless(together)
    assert alone["sprt"]["verdict"] == "H1"
    one, two = games_in(Path(alone["file"])), games_in(Path(together["file"]))
    assert one.items() <= two.items()


# ------------------------------------------------------------------ going on


def test_the_same_command_goes_on_where_the_file_ends(tmp_path):
    path = tmp_path / "games.jsonl"
    whole = reported(*RANDOM_AND_FIRST, "-n", "20", "--out", path)
    lines = lines_of(path)
    path.write_bytes(b"".join(lines[:4]))
    again = reported(*RANDOM_AND_FIRST, "-n", "20", "--out", path)
    assert timeless(again) == timeless(whole)
    assert lines_of(path)[:4] == lines[:4]
    assert len(lines_of(path)) == 10
    longer = reported(*RANDOM_AND_FIRST, "-n", "24", "--out", path)
    assert longer["games"] == 24
    assert len(lines_of(path)) == 12
    before = path.read_bytes()
    reported(*RANDOM_AND_FIRST, "-n", "24", "--out", path)
    assert path.read_bytes() == before


def test_progress_begins_where_the_match_was(tmp_path, monkeypatch):
    path = tmp_path / "games.jsonl"
    reported(*RANDOM_AND_FIRST, "-n", "8", "--out", path)
    seen: list[tuple[int, int]] = []

    class Watched(contests.Meter):
        def advance(self, count: int, news: str) -> None:
            super().advance(count, news)
            seen.append((self.done, self.total))

    monkeypatch.setattr(contests, "Meter", Watched)
    reported(*RANDOM_AND_FIRST, "-n", "12", "--out", path)
    assert seen == [(10, 12), (12, 12)]


# ------------------------------------------------------------------ Ctrl-C and kill -9


def test_ctrl_c_finishes_the_games_under_way_and_keeps_them(held):
    held.hold(3)
    with Command(*heap_match(held)) as command:
        held.wait()
        command.interrupt()
        command.wait_for("finishing the games under way")
        held.let_go()
        result = command.end()
    assert result.status == 130
    assert "8 games" in result.out
    assert "interrupted" in result.out
    assert len(lines_of(held.journal)) == 4
    assert lines_of(held.journal) == held.journal.read_bytes().splitlines(keepends=True)
    straight = held.journal.with_name("straight.jsonl")
    assert run(*heap_match(held)).out.splitlines()[1:-1]
    assert timeless(as_json(run(*heap_match(held), "--json"))) == timeless(
        as_json(run(*heap_match(held, straight), "--json"))
    )
    assert games_in(held.journal) == games_in(straight)


def test_ctrl_c_twice_ends_at_once_and_keeps_what_was_finished(held):
    held.hold(3)  # and never lets go
    with Command(*heap_match(held), "--json") as command:
        held.wait()
        command.interrupt()
        command.wait_for("Ctrl-C again to end at once")
        command.interrupt()
        result = command.end()
    assert result.status == 130
    data = json.loads(result.out)
    assert (data["games"], data["interrupted"], data["complete"]) == (6, True, False)
    assert len(lines_of(held.journal)) == 3


def time_computed(command: Command) -> float:
    """By all its processes, in seconds of their own."""
    first = psutil.Process(command.process.pid)
    return sum(each.cpu_times().user for each in (first, *first.children(recursive=True)))


@pytest.mark.full
def test_ctrl_c_twice_ends_a_long_search_too(tmp_path):
    """Compiled code does not look at signals, and a move may be allowed an hour."""
    game, path, lines = CONNECT4, tmp_path / "games.jsonl", tmp_path / "lines.txt"
    (short,) = random_openings(BasePosition.begin(game), 34, 1, 0)
    short_text = OpeningText.of(short).moves.replace(";", "")
    lines.write_text(f"{short_text}\n4\n", encoding="utf-8")  # the second takes for ever
    terms = ("match", "alphabeta:depth=40", "random", "-g", "connect4", "-n", "4", "--no-store")
    with Command(*terms, "--openings", lines, "--out", path) as command:
        until(lambda: lines_of(path))
        computed_s = time_computed(command)
        until(lambda: time_computed(command) > computed_s + 0.5)  # in compiled code, nearly all
        command.interrupt()
        command.wait_for("Ctrl-C again to end at once")
        command.interrupt()
        result = command.end()
    assert result.status == 130
    assert "Traceback" not in result.err
    assert len(lines_of(path)) == 1


def test_a_killed_match_goes_on_as_if_nothing_had_happened(held):
    held.hold(5)
    with Command(*heap_match(held)) as command:
        held.wait()
        command.kill()
    held.let_go()
    with held.journal.open("ab") as file:
        file.write(b'{"key":"torn')
    straight = held.journal.with_name("straight.jsonl")
    killed = as_json(run(*heap_match(held), "--json"))
    assert timeless(killed) == timeless(as_json(run(*heap_match(held, straight), "--json")))
    assert games_in(held.journal) == games_in(straight)


@pytest.mark.full
def test_killed_at_random_moments_until_it_is_done(held):
    """On two workers, which must end with their parent and never hold its file."""
    moments, path, straight = random.Random(2), held.journal, held.path.with_name("straight.jsonl")
    terms = (*heap_match(held)[:-2], "-n", "600")
    for _ in range(8):
        before = len(lines_of(path))
        held.hold(before + 30)  # so that it is not done before it is killed
        with Command(*terms, "--jobs", "2", "--out", path) as command:
            wanted = before + moments.randint(1, 30)
            until(lambda wanted=wanted: len(lines_of(path)) >= wanted, f"{wanted} pairs")
            command.kill()
    held.let_go()
    assert 8 <= len(lines_of(path)) < 300
    killed, whole = (as_json(run(*terms, "--out", file, "--json")) for file in (path, straight))
    assert timeless(killed) == timeless(whole)
    assert games_in(path) == games_in(straight)


@pytest.mark.full
@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_on_two_workers(held, presses):
    held.hold(3)
    with Command(*heap_match(held), "--jobs", "2", "--json") as command:
        held.wait()
        command.interrupt()
        command.wait_for("Ctrl-C again to end at once")
        if presses == 2:
            command.interrupt()
        else:
            held.let_go()
        result = command.end()
    assert result.status == 130
    assert "Traceback" not in result.err
    kept = len(lines_of(held.journal))
    assert 3 <= kept <= 3 + 2
    assert json.loads(result.out)["games"] <= 2 * kept


# ------------------------------------------------------------------ a cluster


@pytest.fixture
def cluster() -> Iterator[DaskCluster]:
    with dask_cluster(workers=2) as started:
        yield started


def test_a_worker_of_a_cluster_that_is_killed_loses_nothing(held, cluster):
    def kill_one_in_the_middle() -> None:
        busy = held.wait()[0]
        assert busy in cluster.worker_pids
        os.kill(busy, signal.SIGKILL)
        held.let_go()

    held.hold(3)
    killer = threading.Thread(target=kill_one_in_the_middle)
    killer.start()
    far = as_json(run(*heap_match(held), "--cluster", cluster.address, "--json"))
    killer.join()
    straight = held.journal.with_name("straight.jsonl")
    near = as_json(run(*heap_match(held, straight), "--json"))
    assert timeless(far) == timeless(near)
    assert games_in(held.journal) == games_in(straight)


def test_a_cluster_that_is_not_there_says_so(monkeypatch):
    monkeypatch.setattr(workers, "cluster", functools.partial(workers.cluster, timeout_s=0.3))
    message = one_line(match(*RANDOM_AND_FIRST, "--cluster", "tcp://127.0.0.1:1"))
    assert message.startswith("no Dask scheduler answers at tcp://127.0.0.1:1")


# ------------------------------------------------------------------ a terminal


def test_a_terminal_shows_progress_and_then_only_the_report(held):
    held.hold(3)
    with Terminal(*heap_match(held)) as terminal:
        terminal.wait_for("6/24")
        held.let_go()
        window = terminal.wait_for_end()
    assert terminal.process.returncode == 0
    lines = window.strip().splitlines()
    assert lines[0].startswith("Heap, 24 games")
    assert "24/24" not in window
    assert len(lines) < 15


# ------------------------------------------------------------------ what it refuses


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("random", "frist", "-g", "tictactoe"), ["unknown player 'frist'", "first"]),
        (("nobody-at-all", "first", "-g", "tictactoe"), ["unknown player"]),
        (("", "first", "-g", "tictactoe"), ["player"]),
        (("random", "alphabeta:", "-g", "tictactoe"), ["option"]),
        (("random", "alphabeta:dpeth=2", "-g", "tictactoe"), ["'dpeth'", "depth"]),
        (("random", "alphabeta:depth=x", "-g", "tictactoe"), ["depth 'x'", "whole number"]),
        (("random", "random:depth=1", "-g", "tictactoe"), ["option of random", "perfect"]),
        (("random", "alphabeta:eval=stages", "-g", "connect4"), ["stages", "another game"]),
        (("human", "first", "-g", "tictactoe"), ["human"]),
        (("random-start(then=human())", "first", "-g", "tictactoe"), ["human"]),
        (("nboard:command=cat", "first", "-g", "tictactoe"), ["othello"]),
        (("random", "first", "-g", "tictac"), ["unknown game 'tictac'", "tictactoe"]),
        (("random", "first", "-g", "no.py"), ["no game file"]),
        ((*RANDOM_AND_FIRST, "--time", "0"), ["--time '0'", "2s"]),
        ((*RANDOM_AND_FIRST, "--time", "soon"), ["--time 'soon'", "2s"]),
        ((*RANDOM_AND_FIRST, "--time", "-1s"), ["--time '-1s'", "2s"]),
        ((*RANDOM_AND_FIRST, "--sprt", ""), ["--sprt", "elo0=0,elo1=10"]),
        ((*RANDOM_AND_FIRST, "--sprt", "5"), ["--sprt '5'", "elo0=0,elo1=10"]),
        ((*RANDOM_AND_FIRST, "--sprt", "elo0=0"), ["--sprt", "elo0=0,elo1=10"]),
        ((*RANDOM_AND_FIRST, "--sprt", "elo0=a,elo1=1"), ["elo0=a", "number"]),
        ((*RANDOM_AND_FIRST, "--sprt", "elo0=nan,elo1=1"), ["elo0=nan", "number"]),
        ((*RANDOM_AND_FIRST, "--sprt", "elo0=5,elo1=0"), ["elo0 below elo1"]),
        ((*RANDOM_AND_FIRST, "--sprt", "elo0=0,elo2=5"), ["'elo2'", "elo1"]),
        ((*RANDOM_AND_FIRST, "--sprt", "elo0=0,elo1=5,alpha=0"), ["alpha"]),
        ((*RANDOM_AND_FIRST, "--sprt", "elo0=0,elo1=5,model=x"), ["'x'", "logistic"]),
        ((*RANDOM_AND_FIRST, "--sprt", "elo0=0,elo1=5,elo1=9"), ["elo1", "twice"]),
        ((*RANDOM_AND_FIRST, "--openings", ""), ["openings ''", "random:4"]),
        ((*RANDOM_AND_FIRST, "--openings", "random"), ["openings 'random'", "random:4"]),
        ((*RANDOM_AND_FIRST, "--openings", "random:x"), ["'random:x'", "0 to 200"]),
        ((*RANDOM_AND_FIRST, "--openings", "random:9"), ["8 at most"]),
        ((*RANDOM_AND_FIRST, "--openings", "no-file"), ["'no-file'", "No such file"]),
        ((*RANDOM_AND_FIRST, "--set", "q=1"), ["unknown parameter of mnk 'q'"]),
        ((*RANDOM_AND_FIRST, "--set", "m"), ["NAME=VALUE"]),
        ((*RANDOM_AND_FIRST, "--position", "zz"), ["'z'"]),
        ((*RANDOM_AND_FIRST, "--position", "XXX OO- ---"), ["over"]),
        ((*RANDOM_AND_FIRST, "--out", "/"), ["cannot write to /", "directory"]),
        ((*RANDOM_AND_FIRST, "--out", "/dev/null/x"), ["cannot write to /dev/null/x"]),
        ((*RANDOM_AND_FIRST, "--cluster", "nonsense"), ["'nonsense'", "tcp://HOST:PORT"]),
        ((*RANDOM_AND_FIRST, "-j", "2", "--cluster", "tcp://h:1"), ["--jobs and --cluster"]),
    ],
    ids=lambda given: " ".join(given)[:60] if isinstance(given, tuple) else "",
)
def test_bad_input_is_refused_in_one_line(arguments, words):
    message = one_line(match(*arguments, "-n", "2"))
    assert [word for word in words if word not in message] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("random", "first"),
        ("random", "-g", "tictactoe"),
        (*RANDOM_AND_FIRST, "third"),
        (*RANDOM_AND_FIRST, "-n", "1"),
        (*RANDOM_AND_FIRST, "-n", "-4"),
        (*RANDOM_AND_FIRST, "-n", "many"),
        (*RANDOM_AND_FIRST, "-n", "99999999999"),
        (*RANDOM_AND_FIRST, "--seed", "-1"),
        (*RANDOM_AND_FIRST, "--seed", "1.5"),
        (*RANDOM_AND_FIRST, "--jobs", "0"),
        (*RANDOM_AND_FIRST, "--jobs", "99999"),
        (*RANDOM_AND_FIRST, "--frobnicate"),
    ],
    ids=" ".join,
)
def test_wrong_options_are_refused(arguments):
    assert refusal(match(*arguments))


@pytest.mark.parametrize("content", [b"Dear diary,\nplease", b'{"precious": true}', b"\x00\xff\n"])
def test_a_file_of_something_else_is_refused_and_not_touched(tmp_path, content):
    path = tmp_path / "diary"
    path.write_bytes(content)
    assert str(path) in one_line(match(*RANDOM_AND_FIRST, "-n", "2", "--out", path))
    assert path.read_bytes() == content


def test_a_file_in_use_is_refused(tmp_path):
    path = tmp_path / "games.jsonl"
    with Journal(path):
        message = one_line(match(*RANDOM_AND_FIRST, "-n", "2", "--out", path))
    assert message == f"{path} is in use by another run; wait for it, or stop it"


def test_a_damaged_file_is_told_with_its_line(tmp_path):
    path = tmp_path / "games.jsonl"
    reported(*RANDOM_AND_FIRST, "-n", "6", "--out", path)
    lines = lines_of(path)
    path.write_bytes(lines[0] + lines[1][:50] + b"\n" + lines[2])
    message = one_line(match(*RANDOM_AND_FIRST, "-n", "6", "--out", path))
    assert message.startswith(f"{path}, line 2: not a played pair")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_disk_that_fails_in_the_middle_ends_it_in_one_line(tmp_path, monkeypatch, number):
    path, add = tmp_path / "games.jsonl", Journal.add

    def fail_at_the_third(journal: Journal, pair: PlayedPair) -> None:
        if len(journal.played) == 2:
            raise OSError(number, os.strerror(number))
        add(journal, pair)

    monkeypatch.setattr(Journal, "add", fail_at_the_third)
    result = match(*RANDOM_AND_FIRST, "-n", "10", "--out", path)
    assert (result.status, result.out) == (1, "")
    assert os.strerror(number) in result.err
    assert result.err.startswith("error: ")
    monkeypatch.undo()
    assert reported(*RANDOM_AND_FIRST, "-n", "10", "--out", path)["games"] == 10


def test_a_game_that_fails_in_the_middle_names_its_file_and_line(tmp_path):
    broken = write_game(tmp_path / "broken.py", ("return -1", "return 1 // (self.side - 1)"))
    result = match("random", "first", "-g", broken, "--openings", "random:2", "-n", "20")
    assert result.status in (1, 2)
    assert "Traceback" not in result.err
    assert "broken.py:" in result.err


# ------------------------------------------------------------------ what searches counted


def test_leaves_and_passes_stand_beside_nodes_where_there_are_any(tmp_path):
    asked = ("mtdf:depth=2", "first", "-g", "tictactoe", "-n", "2", "--out", tmp_path / "games")
    with plain_python():
        shown = match(*asked)
    assert "nodes/move  leaves  passes" in shown.out
    told = reported(*asked)["records"]  # of the same games
    games = [pair for line in lines_of(tmp_path / "games") for pair in json.loads(line)["games"]]
    own = [
        move
        for number, game in enumerate(games)
        for move in game["moves"]
        if move["side"] == number and "time_s" in move
    ]
    for name in ("nodes", "leaves", "passes"):
        mean = sum(move.get(name, 0) for move in own) / len(own)
        assert told[0][f"{name}_per_move"] == pytest.approx(mean, abs=0.05)
    assert told[0]["passes_per_move"] >= 1
    assert told[1]["leaves_per_move"] == told[1]["passes_per_move"] == 0


def test_where_nothing_was_counted_there_are_no_columns_for_it():
    with plain_python():
        shown = match(*RANDOM_AND_FIRST, "-n", "2")
    assert "nodes/move" in shown.out
    assert "leaves" not in shown.out
    with plain_python():
        shown = match("alphabeta:depth=1", "first", "-g", "tictactoe", "-n", "2")
    assert "leaves are for each move" in shown.out
    assert "passes" not in shown.out
