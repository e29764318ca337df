"""What a game may be called on the command line, and what happens to any other name."""

from __future__ import annotations

import json

import pytest
from command_line import one_line, refusal, run


@pytest.mark.parametrize(
    "name, game",
    [
        ("othello", "othello"),
        ("reversi", "othello"),
        ("connect4", "connect4"),
        ("connect-four", "connect4"),
        ("double-card", "double-card"),
        ("kalah", "kalah"),
        ("mancala", "kalah"),
        ("mnk", "mnk"),
        ("tictactoe", "mnk"),
        ("tic-tac-toe", "mnk"),
        ("synthetic", "synthetic"),
        ("Othello", "othello"),
        ("connect_four", "connect4"),
        ("Tic Tac Toe", "mnk"),
        ("plyground.games.kalah", "kalah"),
    ],
)
def test_a_game_answers_to_its_names(name, game):
    assert json.loads(run("show", name, "--json").out)["game"] == game


@pytest.mark.parametrize("name, near", [("othelo", "othello"), ("conect4", "connect4")])
def test_a_misspelt_game_gets_the_nearest_one_suggested(name, near):
    assert one_line(run("show", name)) == f"unknown game '{name}'; did you mean {near}?"


def test_a_name_like_no_other_gets_all_games_listed():
    message = one_line(run("show", "backgammon-2000"))
    assert "unknown game 'backgammon-2000'; known: " in message
    assert {"othello", "connect4", "double-card", "kalah", "mnk", "synthetic"} <= set(
        message.partition("known: ")[2].split(", ")
    )


@pytest.mark.parametrize("name", ["", " ", ".", "..", "no.such.module", "json", "*", "\u2603"])
def test_a_name_that_is_no_game_is_refused(name):
    assert one_line(run("show", name))


@pytest.mark.parametrize("path", ["missing.py", "./missing.py", "no/such/folder/game.py", "/"])
def test_a_path_without_a_file_says_that_there_is_none(path):
    assert "no game file at" in one_line(run("show", path))


def test_a_file_that_is_not_python_says_what_was_expected(tmp_path):
    (tmp_path / "game.txt").write_text("GAME = 1")
    assert "expected" in one_line(run("show", tmp_path / "game.txt"))


def test_a_very_long_name_is_not_repeated_in_full():
    assert len(one_line(run("show", "x" * 5000))) < 400


@pytest.mark.parametrize("command", ["show", "perft", "check", "playthrough"])
def test_a_command_that_needs_a_game_says_so(command):
    assert "game" in refusal(run(command))


def test_play_without_a_game_or_a_terminal_lists_the_games():
    message = one_line(run("play"))
    assert "which game?" in message
    assert "othello" in message


def test_an_unknown_command_is_refused():
    assert "No such command" in refusal(run("plya"))


def test_an_unknown_option_is_refused():
    assert "--bogus" in refusal(run("show", "othello", "--bogus"))


def test_the_version_is_that_of_the_package():
    from plyground import __version__

    assert run("--version") == (0, f"plyground {__version__}\n", "")


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_names_every_command(flag):
    result = run(flag)
    assert result.status == 0
    for command in ("play", "games", "show", "perft", "check", "playthrough", "warm"):
        assert f" {command} " in result.out
