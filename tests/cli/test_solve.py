"""`plyground solve connect4`: one position, a file of them, and what is refused."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import environment, one_line, run
from patience import PATIENCE_S

from plyground.games.connect_four import GAME
from plyground.solvers.connect_four.solve import ConnectFourSolver

LATE = "5554224333234511764415115"
"""A win in 11, worth 4, by column 6 only."""
FILE = f"""# positions, one a line
{LATE}
44444444
33445
12x
414141
"""


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """So that no test hears of compiling, whichever comes first."""
    ConnectFourSolver(GAME.initial()).prepare()


def solved(*arguments: str | Path, typed: str = "") -> list[dict]:
    result = run("solve", "connect4", *arguments, "--json", typed=typed)
    return [json.loads(line) for line in result.out.split("\n") if line]


def test_a_position_has_score_moves_and_line():
    result = run("solve", "connect4", LATE)
    assert result.status == 0
    first, best, line, price, _ = result.out.split("\n")
    assert (first, best) == ("win in 11  score +4", "best  6")
    assert line.startswith("line  6") and len(line.split()[1]) == 11
    assert "nodes" in price


def test_json_has_exactly_the_documented_fields():
    (found,) = solved(LATE)
    assert list(found) == ["moves", "score", "best", "nodes", "time_s"]
    assert (found["moves"], found["score"], found["best"]) == (LATE, 4, [6])
    (found,) = solved(LATE, "--all-moves")
    assert list(found)[-1] == "scores"
    assert max(found["scores"].values()) == found["scores"]["6"] == 4
    full = {column for column in "1234567" if LATE.count(column) == 6}
    assert set(found["scores"]) == set("1234567") - full


def test_who_wins():
    result = run("solve", "connect4", LATE, "--weak")
    assert result.out.startswith("win  score +1\n")
    assert [one["score"] for one in solved(LATE, "--weak")] == [1]


@pytest.mark.parametrize("source", ["file", "pipe", "option"])
def test_a_file_is_answered_line_by_line_and_what_is_wrong_refused(tmp_path, source):
    path = tmp_path / "positions.txt"
    path.write_text(FILE)
    arguments = {"file": ["--file", str(path)], "pipe": ["-"], "option": ["--file", "-"]}[source]
    typed = "" if source == "file" else FILE
    result = run("solve", "connect4", *arguments, typed=typed)
    assert result.status == 2
    answers = [line.split() for line in result.out.split("\n") if line]
    assert answers == [[LATE, "4", "6"], ["33445", "-18", "1,2,3,4,5,6,7"], ["414141", "18", "4"]]
    refused = result.err.split("\n")
    where = str(path) if source == "file" else "-"
    assert [line.partition(": ")[0] for line in refused if line] == [f"{where}:3", f"{where}:5"]
    assert "4" in refused[0] and "full" in refused[0]
    assert "'x'" in refused[1]


def test_every_answer_of_a_file_is_an_object_under_json():
    found = solved("-", typed=FILE)
    assert [one["score"] for one in found] == [4, -18, 18]


def test_scores_of_a_file_are_checked(tmp_path):
    path = tmp_path / "scores.txt"
    path.write_text(f"{LATE} 4\n414141 18\n")
    result = run("solve", "connect4", "--check", path)
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("2 positions, 2 right, 0 wrong, 0 refused; ")
    path.write_text(f"{LATE} 3\n414141 18\n")
    result = run("solve", "connect4", "--check", path)
    assert result.status == 1
    assert f"{path}:1: {LATE}: expected 3, found 4\n" in result.out
    path.write_text(f"{LATE}\n414141 18\n")
    result = run("solve", "connect4", "--check", path)
    assert result.status == 2
    assert "expected moves and a score, as in 4444 -2" in result.err
    assert "1 right, 0 wrong, 1 refused" in result.out


def test_other_boards_and_threads():
    (found,) = solved("--set", "width=4", "--set", "height=4", "--threads", "2")
    assert found["score"] == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["44x"], "'x'"),
        (["4444444"], "4"),
        (["41414141"], "over"),
        (["--set", "width=9", "--set", "height=6"], "at most 60"),
        (["--set", "connect=5"], "only four in a row"),
        (["44", "--file", "x"], "exclude each other"),
        (["--check", "x", "--weak"], "leave out --weak"),
        (["--file", "no-such-file"], "cannot read no-such-file: No such file"),
        (["--memory", "lots"], "lots"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_one_line(arguments, told):
    assert told in one_line(run("solve", "connect4", *arguments))


def test_ctrl_c_ends_a_long_search_and_what_was_answered_is_there():
    command = [sys.executable, "-m", "plyground", "solve", "connect4", "-"]
    with subprocess.Popen(
        [*command, "--set", "width=8", "--set", "height=6"],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write("121212\n4\n")  # the second would take hours
        process.stdin.flush()
        assert process.stdout.readline() == "121212 21 1\n"
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert "stopped after 1 positions" in told
    assert "Traceback" not in told
