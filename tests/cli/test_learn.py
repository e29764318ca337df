"""`plyground learn`: a game learned, judged, resumed; and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command_line import run
from user_games import example_game

from plyground.cli.learn import BARS, bars
from plyground.evaluation.weights_file import file_of
from plyground.learning.course import courses_folder
from plyground.work.jobs import jobs

SMALL = ("--set", "width=5", "--set", "height=4", "--set", "connect=3")
LEARN = ("learn", "connect4", *SMALL, "--games", "3000", "--jobs", "1")


def test_a_game_is_learned_and_judged_and_then_played() -> None:
    found = run(*LEARN, "--name", "mine", "--nodes", "60")
    assert found.status == 0, found.err
    assert "n-tuples, learned from" in found.out
    assert "points, on games not yet seen" in found.out
    assert re.search(r"against \w+ at 60 nodes a move:", found.out)
    assert re.search(r"^(better|not proven better): ", found.out, re.MULTILINE)
    assert "try: plyground play connect4" in found.out
    path = file_of("connect4.width=5.height=4.connect=3.mine")
    assert path.exists()
    told = run("search", "connect4", *SMALL, "--evaluator", "mine", "--depth", "3", "--json")
    assert told.status == 0 and json.loads(told.out)["depth"] == 3
    explained = run("explain", "connect4", *SMALL, "-e", "mine", "--moves", "3 3 2", "--json")
    data = json.loads(explained.out)
    assert sum(each["share"] for each in data["factors"]) == data["value"]
    listed = run("evaluators")
    assert "mine" in listed.out and "mine-r1" not in listed.out
    shown = run("evaluators", "mine")
    assert re.search(r"better than \w+: \+\d+ =\d+ -\d+ at 60 nodes a move", shown.out)
    assert "for the side to move" in shown.out and "against it" in shown.out
    assert re.search(r"^ *\+\d+  row \d column \d (mine|theirs|empty)", shown.out, re.MULTILINE)
    [job] = jobs()
    assert job.kind == "learn" and job.state == "done"


def test_the_same_command_goes_on_and_another_recipe_is_refused() -> None:
    first = run(*LEARN, "--no-match", "--json")
    more = run(*LEARN[:-4], "--games", "6000", "--jobs", "1", "--no-match", "--json")
    assert first.status == more.status == 0
    assert "going on after" in more.err
    one, other = json.loads(first.out), json.loads(more.out)
    assert other["curve"][: len(one["curve"])] == one["curve"]
    assert len(other["curve"]) > len(one["curve"])
    refused = run(*LEARN, "--no-match", "--depth", "2")
    assert refused.status == 2 and "another recipe (depth 1, now 2)" in refused.err
    again = run(*LEARN, "--no-match", "--depth", "2", "--again", "--json")
    assert again.status == 0 and json.loads(again.out)["recipe"]["depth"] == 2


def test_a_game_in_a_file_is_learned() -> None:
    game = example_game("hexapawn.py")
    assert game.name == "hexapawn"
    path = Path(__file__).parents[2] / "examples" / "hexapawn.py"
    found = run("learn", path, "--games", "1000", "--jobs", "1", "--no-match", "--json")
    assert found.status == 0, found.err
    data = json.loads(found.out)
    assert data["recipe"]["games"] == 750 and Path(data["path"]).exists()
    assert data["curve"][-1]["error"] < data["curve"][0]["error"]


def test_weights_are_calibrated_and_shown_with_their_errors() -> None:
    words = ("learn", "othello", "--set", "size=6", "-e", "mobility", "--stages", "2")
    found = run(*words, "--games", "2000", "--jobs", "1", "--no-match", "--depth", "1")
    assert found.status == 0, found.err
    assert "weights of mobility, learned from 2,000 games of self-play" in found.out
    assert re.search(r"^weight +0-\d+ empty cells +\d+-32 empty cells$", found.out, re.MULTILINE)
    assert re.search(r"^corner +\d+(\.\d+)? ±\d", found.out, re.MULTILINE)
    normed = run(*words, "--games", "2000", "--no-match", "--depth", "1", "--normed")
    assert normed.status == 0 and "corner" in normed.out and normed.out != found.out


def test_recorded_games_are_learned_from(tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    played = run("match", "random", "random", "-g", "tictactoe", "-n", "60", "--out", games)
    assert played.status == 0
    found = run("learn", "tictactoe", "--from", games, "--trust", "1", "--no-match", "--json")
    assert found.status == 0, found.err
    assert "60 games to learn from" in found.err
    data = json.loads(found.out)
    assert data["recipe"]["source"].startswith("games.jsonl ")
    refused = run("learn", "kalah", "--from", games, "--no-match")
    assert refused.status == 2 and "no game of kalah to learn from: of 60 games" in refused.err
    missing = run("learn", "kalah", "--from", tmp_path / "none.txt")
    assert missing.status == 2 and "cannot read" in missing.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("learn", "chess"), "unknown game 'chess'"),
        (("learn", "synthetic"), "synthetic has no cells to learn from"),
        (("learn", "kalah", "--teacher", "solver"), "kalah cannot be solved"),
        (("learn", "kalah", "--teacher", "god"), "expected solver, solver=N or depth=N"),
        (("learn", "kalah", "--name", "My Own"), "expected small letters, digits and hyphens"),
        (("learn", "kalah", "--name", "mine-r4"), "no -r1 at the end"),
        (("learn", "kalah", "--time", "soon"), "--time 'soon'"),
        (("learn", "kalah", "--against", "threats"), "threats judges another game"),
        (("learn", "kalah", "--name", "x", "--against", "x"), "cannot be judged against itself"),
        (("learn", "kalah", "--set", "pits=99"), "pits=99: expected a whole number from 1 to 7"),
    ],
)
def test_bad_input_gets_a_line(words: tuple[str, ...], said: str) -> None:
    found = run(*words, "--games", "10")
    assert found.status == 2
    assert said in found.err and len(found.err.splitlines()) <= 2
    assert "Traceback" not in found.err
    assert not list(courses_folder().glob("*/state.json"))


def test_a_curve_in_one_line_falls_as_the_numbers_do() -> None:
    assert bars([3, 2, 1]) == BARS[-1] + BARS[round(3.5)] + BARS[0]
    assert bars([5, 5]) == BARS[0] * 2
    long = bars([1000 - i for i in range(1000)])
    assert len(long) <= 60 and long[0] == BARS[-1] and long[-1] == BARS[0]
