"""`plyground solve othello`: one position, a file of them, what is refused, and Ctrl-C."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import environment, one_line, run
from patience import until
from terminal import Terminal

from plyground.games.othello import GAME
from plyground.games.rules import is_over
from plyground.solvers.othello.solve import OthelloSolver

DATA = Path(__file__).parent.parent / "data" / "othello"
FIRST = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
"""FForum 1: 14 empty squares, +18 by g8."""
HARD = "--OX-O----XXOO--OOOOOXX-OOOOOX--OOOXOXX-OOOOXX-----OOX----X-O--- X"
"""FForum 49: 26 empty squares, a minute or two."""

FORTY_THREE = next(
    line for line in (DATA / "ffo.tsv").read_text().split("\n") if line.startswith("43\t")
)
"""FForum 43: 23 empty squares; to score all moves takes some seconds for each."""
WON = "X" * 25 + "O" + "-" * 38 + " X"
"""38 empty squares, and every move takes the last disc."""
LONG_S = 600.0  # until even a badly loaded machine has compiled and begun


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """So that no test hears of compiling, whichever comes first."""
    OthelloSolver(GAME.initial()).prepare()


def solved(*arguments: str | Path, typed: str = "") -> list[dict]:
    result = run("solve", "othello", *arguments, "--json", typed=typed)
    assert result.status == 0, result.err
    return [json.loads(line) for line in result.out.split("\n") if line]


def test_a_position_has_score_move_and_line():
    result = run("solve", "othello", "--position", FIRST)
    assert result.status == 0
    first, best, line, price, _ = result.out.split("\n")
    assert (first, best) == ("+18  14 empty squares", "best  g8")
    assert line.startswith("line  g8 ") and len(line.split()) >= 14
    assert "nodes" in price and "M/s" in price


def test_json_has_exactly_the_documented_fields():
    (found,) = solved("--position", FIRST)
    fields = ["position", "side", "empties", "score", "bound", "best", "pv", "nodes", "time_s"]
    assert list(found) == fields
    assert (found["position"], found["side"]) == tuple(FIRST.split())
    assert (found["empties"], found["score"], found["best"]) == (14, 18, ["g8"])
    assert found["bound"] == "exact"
    state = GAME.parse_position(GAME.initial(), FIRST)
    assert len(GAME.parse_moves(state, " ".join(found["pv"]))) == len(found["pv"])
    (found,) = solved("--position", FIRST, "--all-moves")
    assert list(found) == [*fields, "scores"]
    assert found["scores"]["g8"] == 18 and found["scores"]["g2"] == -24
    assert len(found["scores"]) == 8


def test_who_wins_and_windows():
    (found,) = solved("--position", FIRST, "--wld")
    assert (found["score"], found["bound"], found["pv"]) == (1, "lower", [])
    (move,) = found["best"]
    assert move in ("g8", "h1", "h7", "a2", "a3"), "one of those that win"
    (found,) = solved("--position", FIRST, "--window", "-4,14")
    assert (found["score"], found["bound"], found["best"]) == (14, "lower", ["g8"])
    (found,) = solved("--position", FIRST, "--window", "20,30")
    assert (found["score"], found["bound"], found["best"]) == (20, "upper", [])
    (found,) = solved("--position", FIRST, "--window", "10,30", "--threads", "2")
    assert (found["score"], found["bound"], found["best"]) == (18, "exact", ["g8"])
    (found,) = solved("--position", WON, "--window", "-64,64")
    assert (found["score"], found["bound"]) == (64, "exact"), "there is nothing beyond"
    for window, told in (("-4,10", "+10 or more"), ("20,30", "+20 or less"), ("10,30", "+18")):
        result = run("solve", "othello", "--position", FIRST, "--window", window)
        assert result.out.startswith(f"{told}  14 empty squares\n")


@pytest.mark.full
def test_other_boards_and_moves():
    (found,) = solved("--size", "4")
    assert (found["score"], len(found["best"])) == (-10, 1)
    moves = (
        "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2"
    )
    (found,) = solved("--moves", moves)
    assert found["score"] == 0, "the line of Othello is Solved ends in a draw (Takizawa 2023)"


def test_a_file_line_by_line(tmp_path):
    path = tmp_path / "few.obf"
    path.write_text(f"% two problems\n{FIRST}; G8:+18; H1:+12; % FForum 1\n\n{FIRST[:-1]}O;\n")
    first, second = solved("--file", path)
    assert (first["score"], first["side"], second["side"]) == (18, "X", "O")
    result = run("solve", "othello", "--file", "-", typed=FIRST)
    assert result.out == f"{FIRST} +18 g8\n"


BAD = {
    "X" * 63 + " X": "63 cells; expected 64",
    "?" + "-" * 63 + " X": "unexpected '?' at character 1",
    "-" * 64 + " X": "no discs",
    "X" * 60 + "----" + " X": "neither side has a move",
    FIRST[:-2]: "expected the side to move",
    "x" * 2000: "at most 1000",
}


def test_bad_lines_are_refused_by_number_and_the_rest_goes_on(tmp_path):
    path = tmp_path / "bad.obf"
    path.write_text("\n".join([*BAD, FIRST]))
    result = run("solve", "othello", "--file", path)
    assert result.status == 2
    assert result.out == f"{FIRST} +18 g8\n"
    told = result.err.strip().split("\n")
    assert len(told) == len(BAD)
    for number, (line, reason) in enumerate(zip(told, BAD.values(), strict=True), start=1):
        assert line.startswith(f"{path}:{number}: ") and reason in line


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--position", "-" * 64 + " X"], "no discs"),
        (["--position", "X" * 63 + " X"], "63 cells"),
        (["--position", FIRST, "--moves", "f5"], "exclude each other"),
        (["--window", "4"], "expected two scores such as -2,2"),
        (["--window", "4,-4"], "expected two scores"),
        (["--window", "1,2", "--wld"], "exclude each other"),
        (["--size", "10"], "expected 4x4, 6x6 or 8x8"),
        (["--size", "5"], "size"),
        (["--memory", "lots"], "lots"),
        (["--position", FIRST, "--jobs", "2", "--wld"], "leave out --wld"),
        (["--file", "nowhere.obf"], "cannot read"),
        (["--file", "-", "--jobs", "2"], "single position"),
        (["--moves", "a1"], "a1"),
        ([], "60 empty squares would take years; expected at most 40"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_one_line(arguments, told):
    assert told in one_line(run("solve", "othello", *arguments))


def test_in_parts_there_is_a_best_move_and_a_line():
    (found,) = solved("--position", FIRST, "--jobs", "2")
    assert (found["score"], found["bound"], found["best"]) == (18, "exact", ["g8"])
    state = GAME.parse_position(GAME.initial(), FIRST)
    end = GAME.replay(state, GAME.parse_moves(state, " ".join(found["pv"])))
    assert found["pv"][0] == "g8" and is_over(end)
    assert found["nodes"] > 0 and found["time_s"] > 0
    (again,) = solved("--position", FIRST, "--jobs", "2")
    assert again | {"time_s": 0} == found | {"time_s": 0}, "of all runs together"
    assert again["time_s"] == pytest.approx(found["time_s"], abs=0.01)
    result = run("solve", "othello", "--position", WON)
    assert result.out.startswith("+64  38 empty squares\nbest  ")
    assert ".proof" in result.out and result.err == ""


def test_what_is_not_kept_although_it_may_take_long_is_told():
    for option in ("--wld", "--all-moves"):
        result = run("solve", "othello", "--position", WON, option)
        assert "--all-moves and --threads keep nothing" in result.err
        result = run("solve", "othello", "--position", FIRST, option)
        assert result.err == ""


def test_a_folder_that_cannot_be_written_is_told_in_one_line(data_folder):
    data_folder.write_text("a file where a folder should be")
    told = one_line(run("solve", "othello", "--position", WON))
    assert told.startswith("cannot write ") and told.endswith(": Not a directory")


# ------------------------------------------------------------------ Ctrl-C


def begun(terminal: Terminal, sign: str) -> None:
    """Wait for news that have this in them."""
    shown = ""
    while not re.search(sign, shown):
        shown = terminal.wait_for(" nodes, ")


def bounds_in(text: str) -> tuple[int, int]:
    found = re.search(r"score between ([+-]\d+) and ([+-]\d+)", text)
    assert found, text
    return int(found[1]), int(found[2])


@pytest.mark.parametrize("is_json", [False, pytest.param(True, marks=pytest.mark.full)])
def test_ctrl_c_tells_what_is_proved(is_json):
    """Of the score itself, not of the window that is asked about."""
    options = ["--window", "14,18", "--json"] * is_json
    command = ["solve", "othello", "--position", HARD, *options]
    with Terminal(*command, columns=400) as terminal:
        begun(terminal, "score between")
        terminal.interrupt()
        (told,) = terminal.wait_for_end().strip().split("\n")[-1:]
    assert terminal.process.returncode == 130
    if is_json:
        low, high = json.loads(told)["bounds"]
    else:
        assert told.startswith("stopped: score between")
        low, high = bounds_in(told)
    assert -64 <= low <= 16 <= high <= 64


def test_ctrl_c_tells_the_moves_that_are_solved():
    _, cells, side, _, score, _, told = FORTY_THREE.split("\t")
    worth = {name: int(each) for name, each in (pair.split(":") for pair in told.split(","))}
    command = ["solve", "othello", "--all-moves", "--position", f"{cells} {side}"]
    with Terminal(*command, columns=400) as terminal:
        begun(terminal, f"[1-9] of {len(worth)} moves")
        terminal.interrupt()
        *_, stopped, by_move = terminal.wait_for_end().strip().split("\n")
    assert terminal.process.returncode == 130
    low, high = bounds_in(stopped)
    found = dict(re.findall(r"([a-h][1-8]): ([+-]\d+)", by_move))
    assert by_move.startswith("by move  ") and 0 < len(found) < len(worth)
    assert all(worth[name] == int(each) for name, each in found.items())
    assert max(map(int, found.values())) <= low <= int(score) <= high


def test_ctrl_c_in_a_file_tells_what_is_proved_of_its_line(tmp_path):
    path = tmp_path / "two.obf"
    path.write_text(f"{FIRST}\n{HARD}\n")
    with Terminal("solve", "othello", "--file", path, columns=400) as terminal:
        terminal.wait_for("line 2: score between")
        terminal.interrupt()
        shown = terminal.wait_for_end()
    assert terminal.process.returncode == 130
    assert f"{FIRST} +18 g8\n" in shown
    assert "stopped after 1 positions" in shown and "Traceback" not in shown
    (stopped,) = (line for line in shown.split("\n") if line.startswith(f"{path}:2: stopped: "))
    low, high = bounds_in(stopped)
    assert -64 <= low <= 16 <= high <= 64


@pytest.mark.full
def test_a_long_solve_in_parts_stops_and_goes_on(data_folder):
    command = [
        sys.executable,
        "-m",
        "plyground",
        "solve",
        "othello",
        "--size",
        "6",
        "--moves",
        "c2",
    ]
    with subprocess.Popen(
        command,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        proofs = data_folder / "proofs"
        until(
            lambda: any(len(path.read_bytes()) > 200 for path in proofs.glob("*.proof")),
            "a part proved",
            LONG_S,
        )
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=LONG_S)
    assert process.returncode == 130, told
    assert "stopped after" in told and "the same command goes on" in told
    assert "Traceback" not in told
