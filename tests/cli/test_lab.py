"""`plyground lab`: experiments listed, run through kills and Ctrl-C, reported and compared."""

from __future__ import annotations

import contextlib
import csv
import json
import random
import re
import shlex
import sqlite3
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lab_toy
import polars
import pytest
from command_line import Result, one_line, run
from dask_cluster import dask_cluster
from lab_tools import CATALOGUE, PLAIN, Held, LabCommand, untimed
from patience import until

from plyground.kernel import plain_python
from plyground.lab import catalogue
from plyground.lab.grid.file import EXAMPLE
from plyground.store.queries import Filter
from plyground.store.store import Store

STEPS = [5, 4, 3, 2, 1]
FEW = ("--set", "steps=5,4,3,2,1", "--set", "depths=1", "--set", "pairs=1")  # seven cells


@pytest.fixture(autouse=True)
def toy_catalogue(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The toy is all there is, and is measured without a compiler."""
    monkeypatch.setattr(catalogue, "__path__", [str(CATALOGUE)])
    with plain_python():
        yield


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Held:
    folder = tmp_path / "held"
    monkeypatch.setenv(lab_toy.FOLDER, str(folder))
    return Held(folder)


@pytest.fixture
def store(data_folder: Path) -> Path:
    """Where the store is by itself."""
    return data_folder / "games.db"


def lab(*arguments: str | Path) -> Result:
    return run("lab", *arguments)


def measure(*arguments: str | Path) -> Result:
    """A run that went well, without its report."""
    result = lab("run", "toy", "--no-report", *arguments)
    assert result.status == 0, result
    return result


def data(*arguments: str | Path) -> Any:
    result = lab(*arguments, "--json")
    assert result.status in (0, 1), result
    assert result.out.count("\n") == 1
    return json.loads(result.out)


def measured(store: Path) -> int:
    """How many cells are in a store."""
    with contextlib.closing(sqlite3.connect(store)) as connection:
        try:
            [[count]] = connection.execute("SELECT count(*) FROM cells")
        except sqlite3.OperationalError:  # it is being made
            count = 0
    return int(count)


def change(store: Path, statement: str) -> None:
    """Change what a store holds behind its back."""
    with contextlib.closing(sqlite3.connect(store)) as connection, connection:
        connection.execute(statement)


def kill_in(held: Held, step: int, *chosen: str) -> None:
    """A run that is killed while it measures a step."""
    held.hold(step)
    with LabCommand("run", "toy", "--no-report", *chosen) as command:
        held.wait(step)
        command.kill()
    held.let_go(step)


def games_of(store: Path, number: int) -> dict[str, list[str]]:
    """The moves of the games of a run, by what was measured when they were played."""
    with Store(str(store)) as opened:
        return {
            game.uid.partition("-")[2]: [move.move for move in game.record.moves]
            for game in opened.whole(Filter(event=f"lab toy {number}"))
        }


# ------------------------------------------------------------------ what there is


def test_the_list_tells_the_last_run():
    assert re.search(r"(?m)^toy +Squares of \[small\] numbers +Euclid \(-300\) *$", lab("list").out)
    measure("--quick")
    assert re.search(r"(?m)^toy .* 1: quick, \d{4}-\d\d-\d\d *$", lab("list").out)
    [listed] = data("list")
    assert (listed["name"], listed["last_run"]["name"]) == ("toy", "toy@1")
    assert listed["source"] == "Euclid (-300). Elements. Alexandria."


def test_show_tells_the_question_and_every_parameter():
    shown = lab("show", "toy")
    assert (shown.status, shown.err) == (0, "")
    assert "Is the square of a number its square?" in shown.out
    assert "after Euclid (-300). Elements. Alexandria." in shown.out
    assert re.search(
        r"(?m)^steps=5,4,3,2,1  with --quick 2,1\n    What is squared. \(whole", shown.out
    )
    assert re.search(
        r"(?m)^pairs=2  with --quick 1\n +Pairs of games. \(a whole number from 0 to 5\)", shown.out
    )
    assert re.search(r"(?m)^game=mnk\n +What is searched", shown.out), "quick differs not"
    assert "9 cells to measure; 4 with --quick" in shown.out
    assert shown.out.endswith("run it with: plyground lab run toy\n")
    details = data("show", "toy")
    assert [each["name"] for each in details["parameters"]] == list(
        lab_toy.ToyParameters.model_fields
    )
    assert (details["cells"], details["quick_cells"]) == (9, 4)


def test_runs_are_listed_with_their_options_the_newest_first():
    assert "no runs yet" in lab("runs").out
    measure("--quick")
    measure("--set", "steps=7", "--set", "players=first;random")
    lines = lab("runs").out.splitlines()
    assert re.match(r"toy@2 +\d{4}-\d\d-\d\d \d\d:\d\d +5 +[\d.]+ s +--set steps=7 --set", lines[1])
    assert "players=first;random" in " ".join(lines)
    assert re.search(r"(?m)^toy@1 .* --quick *$", lab("runs", "toy").out)
    assert [each["name"] for each in data("runs", "toy")] == ["toy@2", "toy@1"]


# ------------------------------------------------------------------ a run


def test_a_run_tells_claims_with_verdicts_and_where_its_report_is(data_folder: Path):
    result = lab("run", "toy", "--quick")
    assert result.status == 0, result
    assert result.err == "toy@1: 4 cells\n"
    lines = [line.rstrip() for line in result.out.splitlines()]
    assert lines[0].startswith("toy@1: 4 cells, ")
    assert "Of 2 numbers all have squares." in lines
    assert re.search(r"(?m)^Squares \[are\] squares +reproduced *$", result.out)
    assert re.search(r"(?m)^It is quick +reproduced in direction only \(by time\) *$", result.out)
    page = Path(lines[-1].removeprefix("report: "))
    assert page == data_folder / "lab" / "toy-1" / "toy.html"
    assert "Squares" in page.read_text(encoding="utf-8")


def test_the_report_goes_where_one_wants_it_or_nowhere(tmp_path: Path, data_folder: Path):
    assert "report: " not in measure("--quick").out
    assert not (data_folder / "lab").exists()
    lab("run", "toy", "--quick", "--out", tmp_path / "mine")
    assert (tmp_path / "mine" / "toy.html").is_file()
    assert not (data_folder / "lab").exists()


def test_a_finished_run_is_told_again_and_not_measured(held: Held):
    first = measure()
    second = measure()
    assert held.begun == STEPS
    assert second.out == first.out
    assert re.fullmatch(
        r"toy@1 measured all this on [\d-]+ [\d:]+ UTC; --again measures it anew\n", second.err
    )
    assert measure("--again").err == "toy@2: 9 cells\n"
    assert held.begun == STEPS * 2


def test_a_changed_parameter_begins_another_run(held: Held):
    measure()
    assert measure("--set", "steps=5,4,3,2").err.startswith("toy@2: 8 cells")
    assert held.begun == [*STEPS, 5, 4, 3, 2]


def test_other_versions_begin_another_run_and_say_so(held: Held, store: Path):
    measure("--quick")
    change(store, """UPDATE runs SET versions = replace(versions, 'numba": "', 'numba": "9')""")
    other = "toy@2: 4 cells; toy@1 was measured with other versions (numba)\n"
    assert measure("--quick").err == other
    assert held.begun == [2, 1, 2, 1]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_killed_run_goes_on_as_if_nothing_had_happened(
    held: Held, store: Path, tmp_path: Path, jobs: str
):
    held.hold(2)
    with LabCommand("run", "toy", "--no-report", "--jobs", jobs) as command:
        held.wait(2)
        if jobs == "2":  # the other worker does all the rest but for this one
            until(lambda: measured(store) == 8)
        command.kill()
    held.let_go(2)
    done = measured(store)
    assert done == (3 if jobs == "1" else 8)
    assert "cells are measured; `plyground lab run toy` goes on" in one_line(lab("report", "toy"))
    again = measure()
    assert again.err.startswith(f"toy@1 goes on: {done} of 9 cells are measured\n")
    assert sorted(held.begun) == sorted([*STEPS, 2]), "only the one under way was lost"
    straight = tmp_path / "straight.db"
    measure("--store", straight)
    resumed, whole = data("report", "toy"), data("report", "toy", "--store", straight)
    assert untimed(resumed) == untimed(whole)
    assert resumed["run"]["digest"] == whole["run"]["digest"]


def test_killed_again_and_again_each_cell_is_measured_at_last(held: Held, store: Path):
    for number in (5, 3, 1):
        kill_in(held, number, *FEW)
    measure(*FEW)
    assert held.begun == [5, 5, 4, 3, 3, 2, 1, 1]
    assert [each["name"] for each in data("runs")] == ["toy@1"]


def test_ctrl_c_keeps_what_was_measured_and_says_how_to_go_on(held: Held, tmp_path: Path):
    store = tmp_path / "a store.db"
    held.hold(4)
    chosen = ("--quick", "--set", "steps=5,4,3", "--store", store)
    with LabCommand("run", "toy", "--no-report", *chosen) as command:
        held.wait(4)
        command.interrupt()
        command.wait_for("finishing the cells under way; Ctrl-C again to end at once")
        held.let_go(4)
        result = command.end()
    assert (result.status, result.out) == (130, "")
    assert measured(store) == 2
    last = result.err.splitlines()[-1]
    assert last.startswith("2 of 5 cells are measured; go on with: plyground lab run toy --quick")
    words = shlex.split(last.partition("go on with: plyground ")[2])
    assert words == ["lab", "run", "toy", "--quick", "--set", "steps=5,4,3", "--store", str(store)]
    again = run(*words, "--no-report")
    assert again.status == 0
    assert again.err.startswith("toy@1 goes on: 2 of 5 cells are measured\n")
    assert held.begun == [5, 4, 3]


def test_ctrl_c_twice_ends_at_once(held: Held, store: Path):
    held.hold(4)
    with LabCommand("run", "toy", "--no-report") as command:
        held.wait(4)
        command.interrupt()
        command.wait_for("Ctrl-C again to end at once")
        command.interrupt()
        result = command.end()
    assert result.status == 130
    assert "Traceback" not in result.err
    assert result.err.endswith("1 of 9 cells are measured; go on with: plyground lab run toy\n")
    assert measured(store) == 1


def test_a_second_process_is_told_that_the_first_is_at_it(held: Held, store: Path):
    held.hold(3)
    with LabCommand("run", "toy", "--no-report") as command:
        held.wait(3)
        for again in ((), ("--again",)):
            message = one_line(lab("run", "toy", "--no-report", *again))
            assert message == (
                "toy is being measured with these parameters by another process; "
                "wait for it, or stop it"
            )
        other = measure("--set", "steps=7")  # something else may be measured
        held.let_go(3)
        result = command.end()
    assert (result.status, other.err) == (0, "toy@2: 5 cells\n")
    assert sorted(held.begun) == sorted([*STEPS, 7])
    assert [each["cells"] for each in data("runs")] == [5, 9]


def test_of_two_that_begin_at_the_same_moment_one_measures(held: Held):
    held.hold(5)
    commands = [LabCommand("run", "toy", "--no-report", *FEW) for _ in range(2)]
    with commands[0], commands[1]:
        held.wait(5)
        until(lambda: any(each.process.poll() is not None for each in commands))
        held.let_go(5)
        ended = sorted((each.end() for each in commands), key=lambda result: result.status)
    assert [result.status for result in ended] == [0, 2]
    assert "is being measured with these parameters by another process" in ended[1].err
    assert held.begun == STEPS
    assert [each["name"] for each in data("runs")] == ["toy@1"]


@pytest.mark.full
def test_killed_at_random_moments_until_it_is_done(store: Path, held: Held, tmp_path: Path):
    moments = random.Random(1)
    steps = range(14, 100)
    many = ("--no-report", "--set", f"steps={','.join(map(str, steps))}")
    for step in steps:
        held.hold(step)  # so that it is not done before it is killed
    for kill in range(8):
        before = measured(store) if store.exists() else 0
        for step in steps[10 * kill : 10 * kill + 10]:
            held.let_go(step)
        with LabCommand("run", "toy", "--jobs", "2", *many) as command:
            wanted = before + moments.randint(1, 8)
            until(
                lambda wanted=wanted: store.exists() and measured(store) >= wanted,
                f"{wanted} cells",
            )
            command.kill()
    for step in steps[80:]:
        held.let_go(step)
    measure(*many[1:])
    straight = tmp_path / "straight.db"
    measure(*many[1:], "--store", straight)
    assert untimed(data("report", "toy")) == untimed(data("report", "toy", "--store", straight))
    assert [each["cells"] for each in data("runs")] == [90]


def test_any_number_and_kind_of_workers_gives_the_same_answers_and_games(
    monkeypatch: pytest.MonkeyPatch, store: Path
):
    for name, value in PLAIN.items():
        monkeypatch.setenv(name, value)
    measure()
    with dask_cluster(workers=3) as cluster:
        for place in (("--jobs", "2"), ("--cluster", cluster.address)):
            with LabCommand("run", "toy", "--no-report", "--again", *place) as command:
                assert command.end().status == 0
    for other in ("2", "3"):
        found = data("compare", "1", other)
        assert (found["common"], found["alone"], found["different"]) == (9, [0, 0], [])
    assert [each["machine"]["workers"] for each in data("runs")] == [3, 2, 1]
    reports = [untimed(data("report", number)) for number in ("1", "2", "3")]
    assert reports[0] == reports[1] == reports[2]
    games = [games_of(store, number) for number in (1, 2, 3)]
    assert games[0] == games[1] == games[2]
    assert len(games[0]) == 4


# ------------------------------------------------------------------ reports and comparisons


def test_a_report_is_written_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shown: list[str] = []
    monkeypatch.setattr(webbrowser, "open", shown.append)
    measure("--quick")
    measure("--set", "steps=9,8")
    result = lab("report", "toy@1", "--out", tmp_path / "r", "--open")
    page = tmp_path / "r" / "toy.html"
    assert result.status == 0
    assert result.out.startswith("toy@1: 4 cells")
    assert result.out.endswith(f"report: {page}\n")
    assert shown == [page.as_uri()]
    assert len(data("report", "1")["sections"][0]["parts"][0]["rows"]) == 2
    newest = data("report", "toy")
    assert newest["run"]["name"] == "toy@2"
    assert [row[:2] for row in newest["sections"][0]["parts"][0]["rows"]] == [[8, 64], [9, 81]]


def test_the_newest_finished_run_is_reported_although_a_newer_one_is_not(held: Held):
    measure("--quick")
    kill_in(held, 8, "--set", "steps=9,8")
    assert data("report", "toy")["run"]["name"] == "toy@1"
    assert one_line(lab("report", "toy@2")) == (
        "toy@2: 1 of 6 cells are measured; `plyground lab run toy --set steps=9,8` goes on"
    )


def test_a_comparison_tells_answers_times_and_what_may_explain_them(store: Path):
    measure()
    measure("--set", "steps=5,4,3")
    result = lab("compare", "toy@1", "toy@2")
    assert (result.status, result.err) == (0, "")
    lines = [line.rstrip() for line in result.out.splitlines()]
    assert lines[:2] == [
        "7 cells in common; only in toy@1: 2, only in toy@2: 0",
        "all answers are equal",
    ]
    assert re.match(r"times of toy@1 over those of toy@2: [\d.e+-]+ \(.* to .*\)$", lines[2])
    assert re.search(r"(?m)^step +step +3 +[\d.e+-]+ \(", result.out)
    assert re.search(r"(?m)^search_position +search +2 ", result.out)
    assert re.search(r"(?m)^steps +\[5, 4, 3, 2, 1\] +\[5, 4, 3\] *$", result.out)
    assert re.search(r"(?m)^cores +\d+ +\d+ *$", result.out)
    found = data("compare", "1", "2")
    assert (found["common"], found["alone"]) == (7, [2, 0])
    assert set(found["parameters"]) == {"steps"}
    assert found["time_ratio"]["low"] < found["time_ratio"]["value"] < found["time_ratio"]["high"]


def test_an_answer_that_differs_is_shown_with_its_place(store: Path):
    measure("--quick")
    measure("--quick", "--again")
    answer = """replace(answer, '"square": 4', '"square": 5')"""
    change(store, f"UPDATE cells SET answer = {answer} WHERE run_id = 2")
    result = lab("compare", "1", "2")
    assert result.status == 1
    assert "1 of 4 answers differ:\n  step number=2: square is 4, and 5\n" in result.out
    found = data("compare", "1", "2")
    [difference] = found["different"]
    assert (difference["place"], difference["values"]) == ("square", [4, 5])


def test_runs_without_a_cell_in_common_are_compared_all_the_same():
    measure("--set", "steps=1", "--set", "depths=", "--set", "pairs=0")
    measure("--set", "steps=2", "--set", "depths=", "--set", "pairs=0")
    result = lab("compare", "1", "2")
    assert result.status == 0
    assert result.out.startswith("0 cells in common; only in toy@1: 1, only in toy@2: 1\n")
    assert "all answers" not in result.out


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["run", "tyo"], "unknown experiment 'tyo'; did you mean toy?"),
        (["show", "x"], "unknown experiment 'x'; known: toy"),
        (["run", "toy", "--set", "dpeths=1"], "unknown parameter 'dpeths'; did you mean depths?"),
        (["run", "toy", "--set", "pairs=6"], "pairs=6: expected a whole number from 0 to 5"),
        (["run", "toy", "--set", "pairs"], "--set pairs: expected NAME=VALUE, as in size=6"),
        (
            ["run", "toy", "--set", "steps=", "--set", "depths=", "--set", "pairs=0"],
            "toy: these parameters leave nothing to measure",
        ),
    ],
    ids=str,
)
def test_a_wrong_specification_leaves_no_store(arguments, message, data_folder: Path):
    assert one_line(lab(*arguments)) == message
    assert not data_folder.exists()


def test_a_wrong_specification_leaves_a_store_as_it_was(store: Path):
    measure("--quick")
    before = store.read_bytes()
    one_line(lab("run", "toy", "--set", "depths=4"))
    one_line(lab("run", "toy", "--cluster", "nowhere"))
    one_line(lab("run", "toy", "--cluster", "tcp://127.0.0.1:1", "--jobs", "2"))
    assert store.read_bytes() == before


def test_a_run_that_fails_at_once_leaves_no_trace(store: Path):
    result = lab("run", "toy", "--set", "steps=13")
    assert (result.status, result.out) == (1, "")
    assert "ValueError: 13 brings bad luck" in result.err
    assert "no runs yet" in lab("runs").out


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["report", "toy"], "toy has not been run yet; `plyground lab run toy` does it"),
        (["report", "toy@1"], "no run has number 1; `plyground lab runs` lists them"),
        (["report", "7"], "no run has number 7; `plyground lab runs` lists them"),
        (["report", "0"], "no run has number 0; `plyground lab runs` lists them"),
        (["report", "toy@x"], "run 'toy@x': expected NAME, NAME@NUMBER, NAME@shipped or NUMBER"),
        (["report", "toy@"], "run 'toy@': expected NAME, NAME@NUMBER, NAME@shipped or NUMBER"),
        (["report", "@1"], "run '@1': expected NAME, NAME@NUMBER, NAME@shipped or NUMBER"),
        (
            ["report", "9" * 30],
            f"run '{'9' * 30}': expected NAME, NAME@NUMBER, NAME@shipped or NUMBER",
        ),
        (["report", "tyo"], "unknown experiment 'tyo'; did you mean toy?"),
        (["compare", "toy", "toy"], "toy has not been run yet; `plyground lab run toy` does it"),
        (["runs", "tyo"], "unknown experiment 'tyo'; did you mean toy?"),
    ],
    ids=str,
)
def test_a_run_that_is_not_there_is_refused(arguments, message):
    assert one_line(lab(*arguments)) == message


def test_runs_of_other_experiments_are_not_confused(store: Path):
    measure("--quick")
    measure("--quick", "--again")
    change(store, "UPDATE runs SET experiment = 'mine' WHERE id = 2")
    assert one_line(lab("compare", "1", "2")) == (
        "toy@1 and mine@2 are runs of different experiments; give two runs of the same"
    )
    assert one_line(lab("report", "toy@2")) == "toy@2: run 2 is one of mine"
    assert one_line(lab("report", "2")) == (
        "mine@2 is of an experiment of your own; name its file: --with FILE.py, or FILE.toml@2"
    )
    assert lab("compare", "mine", "2").status == 0
    assert re.search(r"(?m)^mine@2 .* --quick *$", lab("runs").out)


def test_a_run_of_an_older_form_is_not_reported(store: Path):
    measure("--quick")
    change(store, "UPDATE runs SET parameters = replace(parameters, 'pairs', 'games')")
    message = one_line(lab("report", "toy"))
    assert message.startswith("toy@1 measured something else than toy does now; ")
    assert re.search(r"(?m)^toy@1 .* of an older version *$", lab("runs").out)


@pytest.mark.parametrize("name", ["file/r", "file"])
def test_a_report_where_none_can_be(tmp_path: Path, name: str):
    (tmp_path / "file").touch()
    measure("--quick")
    assert one_line(lab("report", "toy", "--out", tmp_path / name)).startswith("cannot write to ")


# ------------------------------------------------------------------ a user's own


MINE = """
title = "Mine"
games = ["tictactoe"]
positions = ["", "b2"]
players = ["alphabeta:depth={depth}", "minimax:depth={depth}"]
[grid]
depth = [1, 2]
[[charts]]
x = "depth"
y = "leaves"
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    return path


def test_a_new_file_is_the_example_and_is_not_overwritten(tmp_path: Path):
    path = tmp_path / "new one.toml"
    result = lab("new", path)
    assert result.status == 0
    assert result.out == f"wrote {path}; run it with: plyground lab run '{path}'\n"
    assert path.read_text(encoding="utf-8") == EXAMPLE
    assert lab("show", path).status == 0
    path.write_text("precious", encoding="utf-8")
    assert one_line(lab("new", path)) == f"{path} exists already; give another name"
    assert path.read_text(encoding="utf-8") == "precious"


def test_a_new_file_that_cannot_be(tmp_path: Path):
    assert one_line(lab("new", tmp_path / "x.txt")).endswith("an experiment's file ends in .toml")
    assert one_line(lab("new", tmp_path / "no" / "x.toml")).startswith("cannot write ")


def test_a_users_own_experiment_is_run_reported_and_compared(mine: Path, data_folder: Path):
    result = lab("run", mine, "--set", "depth=2,1")
    assert result.status == 0, result
    assert result.out.endswith(f"report: {data_folder}/lab/mine-1/mine.html\n")
    assert lab("run", mine, "--no-report").err == "mine@2: 8 cells\n"
    assert [each["name"] for each in data("runs", mine)] == ["mine@2", "mine@1"]
    assert data("report", mine)["run"]["name"] == "mine@2"
    assert data("report", f"{mine}@1")["run"]["parameters"]["depth"] == [2, 1]
    assert one_line(lab("report", "mine@1")).endswith("its file: --with FILE.py, or FILE.toml@1")
    found = data("compare", "mine@1", f"{mine}@2")
    assert (found["common"], found["different"]) == (8, [])


def test_a_users_file_that_has_changed_reports_no_old_runs(mine: Path):
    assert lab("run", mine, "--no-report").status == 0
    mine.write_text(MINE.replace('"b2"', '"a1"'), encoding="utf-8")
    assert "mine@1 measured something else than mine does now" in one_line(lab("report", mine))
    assert lab("run", mine, "--no-report").err == "mine@2: 8 cells\n"


def test_a_users_file_with_a_name_that_is_taken(mine: Path):
    mine.write_text(f'name = "toy"\n{MINE}', encoding="utf-8")
    message = one_line(lab("run", mine))
    assert message == f"{mine}: there is an experiment toy already; give yours another name"


def test_a_wrong_or_missing_file_of_a_user(mine: Path, data_folder: Path):
    mine.write_text(MINE.replace("tictactoe", "tictac"), encoding="utf-8")
    assert one_line(lab("run", mine)).startswith(f"{mine}: ")
    assert one_line(lab("run", mine.with_name("no.toml"))).startswith("cannot read ")
    assert not data_folder.exists()


# ------------------------------------------------------------------ a run as a file


def exported(path: Path) -> Path:
    result = lab("export", "toy", path)
    assert result.status == 0, result
    assert result.out == f"toy@1, 7 cells: {path}\n"
    return path


def test_the_ending_says_how_a_run_is_written(tmp_path: Path, store: Path):
    measure(*FEW)
    cells = json.loads(exported(tmp_path / "run.json").read_text())
    assert len(cells) == 7
    with open(exported(tmp_path / "run.csv"), newline="") as file:
        rows = list(csv.DictReader(file))
    table = polars.read_parquet(exported(tmp_path / "run.parquet"))
    steps = [cell for cell in cells if cell["task"].endswith(":step")]
    assert steps
    for found in (rows, table.to_dicts()):
        assert {row["task"] for row in found} == {c["task"].rpartition(":")[2] for c in cells}
        told = [str(row["number"]) for row in found if row["task"] == "step"]
        assert sorted(told) == sorted(str(cell["arguments"]["number"]) for cell in steps)
    assert list(rows[0]) == table.columns


def test_a_run_file_is_taken_over_by_another_store(tmp_path: Path):
    measure(*FEW)
    path, other = exported(tmp_path / "run.JSONL.gz"), ("--store", tmp_path / "other.db")
    assert "toy@1 taken over" in lab("import", path, *other).out
    again = tmp_path / "again.jsonl.gz"
    assert lab("export", "toy", again, *other).status == 0
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("name", ["run.xlsx", "run", "run.gz", "csv", "run.csv.zip"])
def test_an_ending_that_says_nothing_is_refused(tmp_path: Path, name: str):
    message = one_line(lab("export", "toy", tmp_path / name))
    endings = ".jsonl.gz, .csv, .json, .parquet"
    assert message == f"the name {name!r} says no format; expected one of {endings}"
    assert not list(tmp_path.glob("run*"))


@pytest.mark.parametrize("ending", [".jsonl.gz", ".csv", ".json", ".parquet"])
def test_a_run_for_which_there_is_no_room(tmp_path: Path, ending: str):
    measure(*FEW)
    path = tmp_path / f"run{ending}"
    path.symlink_to("/dev/full")
    message = one_line(lab("export", "toy", path))
    assert message == f"cannot write {path}: No space left on device"
