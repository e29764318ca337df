"""A path to a Python file will do wherever a game's name is expected."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import one_line, run, run_process
from user_games import count_games, write_game

HEXAPAWN = Path(__file__).parents[2] / "examples" / "hexapawn.py"


@pytest.fixture
def heap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game without notation, board or anything else that may be left out."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    return write_game(tmp_path / "heap.py")


def test_games_describes_it(heap):
    (data,) = json.loads(run("games", heap, "--json").out)
    assert (data["name"], data["summary"]) == ("heap", "Take the last one.")


def test_show_shows_it(heap):
    data = json.loads(run("show", heap, "--moves", "2 1", "--json").out)
    assert (data["position"], data["side"], data["legal"]) == ("7 0", "first", ["1", "2"])
    assert data["board"]["text"] == "7 0"


def test_show_reads_its_position_back(heap):
    data = json.loads(run("show", heap, "--position", "1 1", "--json").out)
    assert (data["side"], data["legal"]) == ("second", ["1"])


def test_perft_counts_it(heap):
    result = run_process("perft", heap, "-d", "10", "--json")
    assert json.loads(result.out)["leaves"] == count_games(2)
    assert result.err == "compiling perft for Heap, first time only\n"


def test_play_plays_it(heap):
    result = run("play", heap, "--first", "random", "--second", "random", "--seed", "1")
    assert result.status == 0
    assert result.out.rstrip().endswith("wins")


def test_check_checks_it(heap):
    result = run("check", heap, "--games", "2")
    assert result.status == 0, result.err
    assert result.out.startswith("ok  heap: ")


def test_playthrough_plays_it_through(heap):
    assert run("playthrough", heap, "--seed", "2").out.startswith("game: heap\nseed: 2\n")


def test_warm_compiles_it(heap):
    result = run_process("warm", heap)
    assert result.out.startswith("heap: ready")
    lines = result.err.splitlines()
    assert all(line.endswith(", first time only") for line in lines)
    kernels = {line.split()[1] for line in lines if " for Heap" in line}
    assert kernels >= {"perft", "playout", "playouts", "alphabeta", "abmemory"}


def test_a_relative_path_will_do(heap, monkeypatch):
    monkeypatch.chdir(heap.parent)
    for name in ("heap.py", "./heap.py"):
        assert json.loads(run("show", name, "--json").out)["game"] == "heap"


@pytest.mark.parametrize(
    "moves, number, move, reason",
    [
        ("3", 1, "3", "(legal: 1, 2)"),
        ("1 x", 2, "x", "(legal: 1, 2)"),
        ("2 2 2 2 2 1", 6, "1", "the game is over"),
    ],
)
def test_bad_moves_are_refused_as_in_built_in_games(heap, moves, number, move, reason):
    message = one_line(run("show", heap, "--moves", moves))
    assert message.startswith(f"move {number}, {move!r}: ")
    assert reason in message


@pytest.mark.parametrize("position", ["", "1", "1 2 3", "a b", "1.5 0", "9" * 5000])
def test_bad_positions_are_refused_with_the_names_of_the_fields(heap, position):
    result = run("show", heap, "--position", position)
    assert result.status == 2
    assert result.err.endswith("expected left side\n")
    assert len(result.err) < 200


HEXAPAWN_AFTER_TWO_MOVES = """\
Hexapawn
   a  b  c
3  ·  ○  ○
2  + [○] +
1  ●  ·  ●
White to move
4 legal: a1a2 a1b2 c1b2 c1c2
"""


def test_the_example_is_drawn_and_its_notation_read():
    lines = run("show", HEXAPAWN, "--moves", "b1b2 a3b2").out.splitlines()
    assert [line.rstrip() for line in lines[:7]] == HEXAPAWN_AFTER_TWO_MOVES.splitlines()


def test_the_example_has_as_many_games_as_a_count_by_hand():
    """3 first moves, 10 after the reply, ... and no game is longer than seven moves."""
    counts = [
        json.loads(run("perft", HEXAPAWN, "-d", str(depth), "--json").out)["leaves"]
        for depth in range(9)
    ]
    assert counts == [1, 3, 10, 28, 62, 98, 130, 134, 134]


def test_the_example_keeps_the_contract():
    assert run("check", HEXAPAWN, "--games", "5").status == 0
