"""`plyground puzzle connect4` and `plyground book`: what people and programs get."""

from __future__ import annotations

import json

import pytest
from command_line import one_line, refusal, run

from plyground.games.connect_four import GAME
from plyground.games.rules import is_over
from plyground.solvers.connect_four.puzzles import LEVELS
from plyground.solvers.connect_four.solve import ConnectFourSolver


def made(*arguments: str) -> list[dict]:
    result = run("puzzle", "connect4", *arguments, "--json")
    assert result.status == 0, result.err
    return [json.loads(line) for line in result.out.split("\n") if line]


@pytest.mark.parametrize("level", LEVELS)
def test_exactly_one_move_wins_and_the_line_shows_how(level):
    solver = ConnectFourSolver(GAME.initial())
    found = made("-d", level, "-n", "2", "--seed", "4")  # which are found soon
    assert len({puzzle["moves"] for puzzle in found}) == 2
    for puzzle in found:
        start = GAME.initial()
        state = GAME.replay(start, GAME.parse_moves(start, puzzle["moves"]))
        scores = solver.scores(state)
        assert [move + 1 for move, score in scores.items() if score > 0] == [puzzle["answer"]]
        least, most = LEVELS[level]
        assert least <= puzzle["wins_in"] == len(puzzle["line"]) <= most
        assert is_over(GAME.replay(state, GAME.parse_moves(state, puzzle["line"])))


def test_a_seed_gives_the_same_puzzle_again_and_answers_are_kept_back():
    first = run("puzzle", "connect4", "--seed", "3")
    assert "solution:" not in first.out
    again = "plyground puzzle connect4 -d medium -n 1 --seed 3 --answers"
    assert again in first.out
    second = run(*again.split()[1:])
    assert second.out.startswith(first.out.partition("solutions")[0].rstrip())
    assert "wins in" in second.out


@pytest.mark.full
def test_another_board_is_part_of_the_command_for_the_solutions():
    told = run("puzzle", "connect4", "--seed", "1", "-d", "easy", "--set", "width=6").out
    assert "--seed 1 --set width=6 --answers" in told


def test_bad_puzzles_are_refused():
    assert one_line(run("puzzle", "connect4", "-d", "hardd")).endswith("did you mean hard?")
    assert "only four in a row" in one_line(run("puzzle", "connect4", "--set", "connect=5"))
    assert "--count" in refusal(run("puzzle", "connect4", "-n", "0"))


# ------------------------------------------------------------------ books


def test_a_book_is_built_listed_and_used():
    size = ("--set", "width=5", "--set", "height=4")
    built = json.loads(run("book", "build", "connect4", "--plies", "3", *size, "--json").out)
    assert (built["positions"], list(built)) == (66, ["path", "positions", "bytes"])
    listed = json.loads(run("book", "list", "--json").out)
    assert [(one["board"], one["plies"]) for one in listed] == [("5x4", 3), ("7x6", 4)]
    people = run("book", "list").out
    assert "connect4 7x6, 4 plies, 719 positions" in people
    known = json.loads(run("solve", "connect4", "12", *size, "--json").out)
    found = json.loads(run("solve", "connect4", "12", *size, "--json", "--no-book").out)
    assert known["nodes"] == 0 < found["nodes"]
    assert (known["score"], known["best"]) == (found["score"], found["best"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--plies", "13"], "equal to 12"),
        (["--set", "width=4", "--set", "height=4", "--plies", "12", "--jobs", "0"], "--jobs"),
        (["--set", "connect=5"], "only four in a row"),
        (["--plies", "1", "--cluster", "nowhere"], "nowhere"),
    ],
)
def test_books_that_cannot_be_built_are_refused(arguments, told):
    assert told in refusal(run("book", "build", "connect4", *arguments))
