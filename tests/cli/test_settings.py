"""`--set NAME=VALUE`: parameters and presets of games, and what is wrong with bad ones."""

from __future__ import annotations

import json
from typing import Any

import pytest
from command_line import one_line, run


def shown(*arguments: str) -> dict[str, Any]:
    result = run("show", *arguments, "--json")
    assert result.status == 0, result.err
    return json.loads(result.out)


def test_a_board_takes_the_size_that_was_set():
    board = shown("othello", "--set", "size=6")["board"]
    assert (board["rows"], board["columns"]) == (6, 6)


def test_several_parameters_may_be_set():
    board = shown("mnk", "--set", "m=5", "--set", "n=4", "--set", "k=4")["board"]
    assert (board["columns"], board["rows"]) == (5, 4)


def test_a_number_of_moves_is_set():
    assert "move 1 of at most 40" in shown("double-card", "--set", "max_moves=40")["board"]["text"]


def test_a_word_is_set():
    text = shown("double-card", "--set", "first_goal=dots")["board"]["text"]
    assert "Player 1 wants dots, player 2 colour" in text


def test_a_preset_sets_what_it_names():
    text = shown("double-card", "--set", "preset=tournament")["board"]["text"]
    assert "move 1 of at most 40" in text


def test_a_parameter_overrules_a_preset():
    chosen = ("--set", "max_moves=50", "--set", "preset=tournament")
    assert "move 1 of at most 50" in shown("double-card", *chosen)["board"]["text"]


@pytest.mark.parametrize("yes", ["yes", "true", "on", "1", "YES"])
@pytest.mark.parametrize("no", ["no", "false", "off", "0", "No"])
def test_yes_and_no_have_many_spellings(yes, no):
    """The rules are part of a position, and so of its key."""
    default = shown("kalah")["key"]
    assert shown("kalah", "--set", f"captures={yes}")["key"] == default
    assert shown("kalah", "--set", f"captures={no}")["key"] != default


def test_names_of_parameters_do_not_depend_on_case_or_blanks():
    assert shown("othello", "--set", " Size = 6 ")["board"]["rows"] == 6


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("othello", "size=7"), "size=7: expected 4, 6, 8, 10"),
        (("connect4", "width=99"), "width=99: expected a whole number from 2 to 32"),
        (("connect4", "width=two"), "width=two: expected a whole number from 2 to 32"),
        (("connect4", "width=7.5"), "width=7.5: expected a whole number from 2 to 32"),
        (("connect4", "width="), "width=: expected a whole number from 2 to 32"),
        (("kalah", "captures=maybe"), "captures=maybe: expected yes or no"),
        (("double-card", "first_goal=both"), "first_goal=both: expected colour, dots"),
        (("synthetic", "quality=1.5"), "quality=1.5: expected a number from 0.0 to 1.0"),
        (("synthetic", "quality=nan"), "quality=nan: expected a number from 0.0 to 1.0"),
    ],
)
def test_a_value_out_of_range_is_refused_with_the_range(arguments, message):
    game, setting = arguments
    assert one_line(run("show", game, "--set", setting)) == message


@pytest.mark.parametrize("setting", ["size", "=6", "size:6", "", "=", " =6"])
def test_a_setting_that_is_not_name_and_value_is_refused(setting):
    message = one_line(run("show", "othello", "--set", setting))
    assert message.endswith("expected NAME=VALUE, as in size=6")


def test_an_unknown_parameter_gets_the_nearest_one_suggested():
    message = one_line(run("show", "connect4", "--set", "widht=7"))
    assert message == "unknown parameter of connect4 'widht'; did you mean width?"


def test_an_unknown_preset_gets_the_known_ones_listed():
    message = one_line(run("show", "double-card", "--set", "preset=blitz"))
    assert message == "unknown preset of double-card 'blitz'; known: tournament"


@pytest.mark.parametrize(
    "game, settings, reason",
    [
        ("mnk", ("m=10", "n=10"), "a board of 10x10 has 100 cells; expected at most 64"),
        ("mnk", ("k=4",), "k=4 does not fit on a board of 3x3"),
        ("connect4", ("width=9", "height=9"), "expected width * (height + 1) of at most 64"),
        ("kalah", ("pits=7", "seeds=100"), "expected at most 255"),
        ("double-card", ("cards=60", "width=4"), "expected at most 24"),
        ("synthetic", ("branching=64", "depth=62"), "expected a smaller tree"),
    ],
)
def test_values_that_do_not_go_together_are_refused_with_the_reason(game, settings, reason):
    chosen = [word for setting in settings for word in ("--set", setting)]
    assert reason in one_line(run("show", game, *chosen))


@pytest.mark.parametrize("command", [("perft", "-d", "1"), ("check",), ("playthrough",), ("play",)])
def test_every_command_refuses_a_bad_setting(command):
    name, *rest = command
    message = one_line(run(name, "othello", *rest, "--set", "size=7"))
    assert message == "size=7: expected 4, 6, 8, 10"
