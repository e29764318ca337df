"""`plyground perft`: exact counts, for people and for programs."""

from __future__ import annotations

import json

import pytest
from command_line import one_line, refusal, run, run_process


def leaves(*arguments: str) -> int:
    result = run("perft", *arguments, "--json")
    assert result.status == 0, result.err
    return json.loads(result.out)["leaves"]


def test_json_has_exactly_the_documented_fields():
    data = json.loads(run("perft", "tictactoe", "--depth", "2", "--json").out)
    assert list(data) == ["game", "depth", "leaves", "time_s"]
    assert (data["game"], data["depth"], data["leaves"]) == ("mnk", 2, 72)
    assert isinstance(data["time_s"], float) and data["time_s"] >= 0


def test_people_get_the_count_with_separators():
    result = run("perft", "tictactoe", "-d", "9")
    assert result.status == 0
    assert result.out.startswith("255,168 leaves at depth 9")


@pytest.mark.parametrize(
    "game, depth, count",
    [
        ("othello", "6", 8_200),
        ("connect4", "7", 823_536),
        ("tictactoe", "9", 255_168),
    ],
)
def test_known_counts_are_found(game, depth, count):
    assert leaves(game, "-d", depth) == count


def test_depth_0_is_one_leaf():
    assert leaves("othello", "-d", "0") == 1


def test_a_game_that_is_over_is_one_leaf():
    assert leaves("tictactoe", "-d", "5", "--moves", "a1b1a2b2a3") == 1


def test_counting_may_start_after_moves():
    assert leaves("othello", "-d", "2", "--moves", "f5") == 14


def test_counting_may_start_from_a_position():
    """X has seven cells to choose from, then O six."""
    assert leaves("tictactoe", "-d", "2", "--position", "X--/-O-/---") == 42


def test_counting_obeys_settings():
    assert leaves("mnk", "-d", "2", "--set", "m=4", "--set", "n=4") == 16 * 15


def test_a_count_by_sub_trees_is_the_count_of_the_tree():
    """From depth 6 on the first plies are played one by one; games end in between on this board."""
    small = ("mnk", "--set", "k=2", "--set", "m=4")
    assert leaves(*small, "-d", "9") == leaves(*small, "-d", "12")
    after = [leaves(*small, "-d", "8", "--moves", cell) for cell in all_cells(4, 3)]
    assert leaves(*small, "-d", "9") == sum(after)


def all_cells(columns: int, rows: int) -> list[str]:
    return [f"{'abcd'[column]}{row + 1}" for row in range(rows) for column in range(columns)]


@pytest.mark.parametrize("depth", ["-1", "257", "x", "1.5", ""])
def test_a_bad_depth_is_refused(depth):
    assert "--depth" in refusal(run("perft", "othello", "--depth", depth))


def test_a_missing_depth_is_asked_for():
    assert "--depth" in refusal(run("perft", "othello"))


def test_a_bad_move_is_refused_before_anything_is_counted():
    message = one_line(run("perft", "othello", "-d", "3", "--moves", "f5f5"))
    assert "move 2, 'f5'" in message


def test_a_position_and_moves_exclude_each_other():
    result = run("perft", "tictactoe", "-d", "3", "--moves", "a1", "--position", "---/---/---")
    assert "exclude each other" in one_line(result)


def test_compiling_is_announced_on_the_error_stream_once(tmp_path):
    first, second = (
        run_process("perft", "tictactoe", "-d", "3", "--json", PLYGROUND_CACHE=str(tmp_path))
        for _ in range(2)
    )
    assert first.err == "compiling perft for Mnk, first time only\n"
    assert second.err == ""
    assert json.loads(first.out)["leaves"] == json.loads(second.out)["leaves"] == 504


def test_plain_python_counts_the_same():
    result = run_process("perft", "tictactoe", "-d", "4", "--json", NUMBA_DISABLE_JIT="1")
    assert json.loads(result.out)["leaves"] == 3024
    assert result.err == ""
