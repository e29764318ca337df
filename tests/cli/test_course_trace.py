"""`--trace`: the file of Double Card's course, by `search` and by `play`."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from command_line import one_line, run

from plyground.formats.trace_file import read_trace

# A game with a public trace of its five moves of a machine; see tests/formats/test_trace_file.py.
HUMAN = ["0 1 A 1", "0 2 C 1", "0 2 A 2", "0 6 A 4", "0 2 H 1"]
MACHINE = ["0 8 B 2", "0 8 B 4", "0 8 B 6", "0 8 B 8", "0 8 B 10"]
PUBLIC_FILE = "7ff7d9981114cec2bc10d002ddeab8884ee5028bd10ed7c36658e1febc2d3b0c"
NAIVE = "naive(maximiser=2)"
WITHOUT_WINS = ("--set", "line=12")
MINIMAX = ("-a", "minimax", "-d", "2", "-e", NAIVE, *WITHOUT_WINS)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def play(*arguments: str, typed: list[str], player: str = f"minimax:depth=2,eval={NAIVE}"):
    asked = ("play", "double-card", "--second", player, *WITHOUT_WINS, "--no-store", *arguments)
    return run(*asked, typed="".join(f"{line}\n" for line in [*typed, "q"]))


def test_a_game_that_is_played_gives_the_public_file_to_the_byte():
    assert play("--trace", "game.trace", typed=HUMAN).status == 0
    assert hashlib.sha256(Path("game.trace").read_bytes()).hexdigest() == PUBLIC_FILE


def test_moves_that_were_given_are_told_as_well():
    pairs = zip(HUMAN[:4], MACHINE[:4], strict=True)
    given = "; ".join(move for pair in pairs for move in pair)
    play("--moves", given, "--trace", "t", typed=HUMAN[4:])
    assert hashlib.sha256(Path("t").read_bytes()).hexdigest() == PUBLIC_FILE


def test_a_move_that_is_taken_back_is_told_no_more():
    play("--trace", "game.trace", typed=[*HUMAN[:2], "u"])
    (told,) = read_trace(Path("game.trace").read_bytes())
    assert (told.evaluations, told.value, len(told.level_two)) == (2832, -4.0, 56)


@pytest.mark.parametrize(("algorithm", "evaluations"), [("minimax", 2832), ("falphabeta", 450)])
def test_a_search_writes_its_one_move(algorithm, evaluations):
    asked = ("search", "double-card", *MINIMAX, "--moves", HUMAN[0], "--trace", "one.trace")
    assert run(*asked, "-a", algorithm).status == 0
    (told,) = read_trace(Path("one.trace").read_bytes())
    assert (told.evaluations, told.value) == (evaluations, -4.0)
    assert told.is_consistent


def test_with_another_evaluator_the_machine_maximises_in_its_own_units():
    asked = ("search", "double-card", "-a", "minimax", "-d", "2", "-e", "danger", "--trace", "t")
    result = run(*asked)
    (told,) = read_trace(Path("t").read_bytes())
    assert told.value == max(told.level_two)
    assert f"{told.value:+.0f}" in result.out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("search", "othello", "-a", "minimax", "-d", "2"), "this is Othello"),
        (("search", "double-card", "-d", "2"), "minimax or falphabeta to depth 2"),
        (("search", "double-card", "-a", "minimax", "-d", "3"), "to depth 2"),
        (("search", "double-card", *MINIMAX, "--iterate"), "without any other limit"),
        (("search", "double-card", *MINIMAX, "--time", "1s"), "without any other limit"),
        (("search", "double-card", *MINIMAX, "--prune", "isolated"), "without any other limit"),
        (("play", "othello"), "this is Othello"),
        (("play", "double-card", "--second", "medium"), "minimax or falphabeta to depth 2"),
    ],
)
def test_what_has_no_such_trace_is_refused_before_anything_is_searched(arguments, reason):
    assert reason in one_line(run(*arguments, "--trace", "file"))
    assert not Path("file").exists()


def test_a_file_that_is_something_else_is_not_touched():
    asked = ("search", "double-card", *MINIMAX, "--trace")
    Path("notes").write_text("mine")
    Path("folder").mkdir()
    for name in ("notes", "folder"):
        assert "exists and is no trace" in one_line(run(*asked, name))
    assert Path("notes").read_text() == "mine"
    assert "cannot write" in run(*asked, "no/such/file").err
    for _ in range(2):  # a trace is replaced
        assert run(*asked, "t").status == 0
        assert len(read_trace(Path("t").read_bytes())) == 1
