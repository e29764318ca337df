"""`plyground check`: a line for each thing that is sound, the board where one is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import one_line, run

HEXAPAWN = Path(__file__).parents[2] / "examples" / "hexapawn.py"

SOUND = """
import plyground as pg

@pg.player("lowest")
def lowest(turn):
    return turn.legal[0]

LEVELS = {"mnk": {"easy": "lowest"}}
"""
BROKEN = """
import plyground as pg

@pg.player("stubborn")
def stubborn(turn):
    return 4
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return tmp_path / "mine.py"


def test_everything_in_a_file_gets_its_line(mine):
    mine.write_text(SOUND)
    result = run("check", mine)
    assert (result.status, result.err) == (0, "")
    assert result.out.splitlines() == [
        "ok  player lowest: 6 games against random moves, all legal, and repeatable",
        "ok  levels: 1 of mnk can be played",
    ]


def test_the_example_has_a_game_and_an_evaluator_that_are_sound():
    result = run("check", HEXAPAWN, "--games", "3", "--seed", "4")
    assert result.status == 0
    game, evaluator = result.out.splitlines()
    assert game.startswith("ok  hexapawn: ")
    assert game.endswith(" positions of 3 random games keep the contract")
    assert evaluator.startswith("ok  evaluator pawns: ")
    assert evaluator.endswith(" positions of hexapawn keep the contract")


def test_the_position_that_breaks_a_promise_is_drawn_above_one_line(mine):
    """The first time b2 is legal."""
    mine.write_text(BROKEN)
    result = run("check", mine)
    assert (result.status, result.out) == (1, "")
    assert [line.rstrip() for line in result.err.splitlines()] == [
        "   a  b  c",
        "1  +  +  +",
        "2  O  X  +",
        "3  +  +  +",
        "error: mnk: the position '---/OX-/---' is lost at once by player stubborn: "
        "b2 is not a legal move",
    ]


def test_what_is_sound_before_it_is_told_all_the_same(mine):
    mine.write_text(SOUND + BROKEN.replace("import plyground as pg\n", ""))
    result = run("check", mine)
    assert result.status == 1
    assert [line[:18] for line in result.out.splitlines()] == ["ok  player lowest:"]


def test_a_broken_promise_without_a_position_is_one_line(mine):
    text = "import plyground as pg\n\n@pg.experiment('Why?', depth=[1], quick={'depth': []})\n"
    mine.write_text(text + "def why(depth):\n    return {}\n")
    result = run("check", mine)
    assert (result.status, result.out) == (1, "")
    assert result.err == "error: experiment why: it has nothing to measure\n"


def test_an_error_in_the_code_names_its_line_and_shows_it(mine):
    text = "import plyground as pg\n\n@pg.evaluator('mnk')\ndef mine(state, weight=0):\n"
    mine.write_text(text + "    return 1 // weight\n")
    result = run("check", mine)
    assert (result.status, result.out) == (1, "")
    where, source = result.err.splitlines()
    assert where.startswith(f"error: {mine}:5: ZeroDivisionError: ")
    assert source.strip() == "return 1 // weight"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("othelo", "unknown game 'othelo'; did you mean othello?"),
        ("nowhere.py", "no game file at nowhere.py; expected a Python file"),
    ],
)
def test_what_does_not_exist_is_refused(name, message):
    assert one_line(run("check", name)) == message


def test_settings_are_for_games(mine):
    mine.write_text(SOUND)
    assert one_line(run("check", mine, "--set", "size=6")).startswith("--set: the file has no game")
    assert one_line(run("check", HEXAPAWN, "--set", "size=6")).startswith("hexapawn has no")
    flat = ("--set", "width=4", "--set", "height=1", "--set", "connect=3")  # nobody can win
    result = run("check", "connect4", "--games", "1", *flat)
    assert result.out == "ok  connect4: 5 positions of 1 random games keep the contract\n"
