"""`plyground play` in a window that is drawn again in place, and the questions before a game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command_line import run
from terminal import sitting

from plyground.kernel import plain_python

TWO_PEOPLE = ("--first", "human", "--second", "human")


@pytest.fixture(autouse=True)
def without_a_compiler():
    with plain_python():
        yield


def play(*arguments: str | Path, typed: tuple[str, ...]) -> list[str]:
    return sitting("play", *arguments, typed=typed)


# ------------------------------------------------------------------ the board


def test_the_window_is_drawn_again_in_place():
    at_prompts = play("reversi", *TWO_PEOPLE, typed=("F5", "D6", "q"))
    assert at_prompts[2].splitlines() == [
        "Othello  Black ●: human, White ○: human",
        "Enclose the other side's discs to turn them over; most discs at the end win.",
        "",
        "   a  b  c  d  e  f  g  h",
        "1  ·  ·  ·  ·  ·  ·  ·  ·",
        "2  ·  ·  ·  ·  ·  ·  ·  ·",
        "3  ·  ·  +  ·  ·  ·  ·  ·",
        "4  ·  ·  +  ○  ●  ·  ·  ·",
        "5  ·  ·  +  ○  ●  ●  ·  ·",
        "6  ·  ·  + [○] ·  ·  ·  ·",
        "7  ·  ·  +  ·  ·  ·  ·  ·",
        "8  ·  ·  ·  ·  ·  ·  ·  ·",
        "Black to move (Black 3, White 3)",
        "Black, your move (for example c3), ? for help:",
    ]


def test_the_first_window_says_what_can_be_typed():
    first, second, *_ = play("tictactoe", *TWO_PEOPLE, typed=("b2", "q"))
    assert "A move, or u undo, h hint, m moves, s FILE save" in first
    assert "u undo" not in second


def test_the_last_position_stays_in_the_window():
    *_, end = play("tictactoe", *TWO_PEOPLE, typed=("a1", "b1", "a2", "b2", "a3"))
    assert end.splitlines()[3:] == [
        "   a  b  c",
        "1  X  O  ·",
        "2  X  O  ·",
        "3 [X] ·  ·",
        "X wins",
        "moves: a1 b1 a2 b2 a3",
    ]


def test_a_game_that_was_left_stays_in_the_window():
    *_, end = play("tictactoe", *TWO_PEOPLE, typed=("a1", "q"))
    assert end.splitlines()[-2:] == ["O to move", "kept; go on with: plyground play --resume"]


def test_the_record_is_a_list_that_show_reads():
    *_, end = play("othello", *TWO_PEOPLE, "--set", "size=4", typed=("b1", "c1", "d3", "a1", "r"))
    record = re.search(r"^moves: (.*)$", end, re.MULTILINE)[1]
    shown = run("show", "othello", "--set", "size=4", "--moves", record)
    assert "White to move" in shown.out


def test_a_complaint_stands_below_the_board_until_the_next_answer():
    _, refused, played, _ = play("othello", *TWO_PEOPLE, typed=("a5", "f5", "q"))
    assert "a5 is illegal: it turns no disc over" in refused
    assert "illegal" not in played


def test_a_hint_is_marked_until_the_next_answer():
    """X on a1 and a2, O on b1 and b2: a3 wins at once."""
    arguments = ("tictactoe", *TWO_PEOPLE, "--moves", "a1b1a2b2")
    _, hinted, after, _ = play(*arguments, typed=("h", "m", "q"))
    assert "1  X  O  ·\n2  X [O] ·\n3  +  ·  ·\n" in hinted
    assert "hint: a3  win in 1, depth 1" in hinted
    assert "1  X  O  +\n2  X [O] +\n3  +  +  +\n" in after


def test_undo_returns_to_the_persons_own_choice():
    _, answered, taken_back, _ = play("tictactoe", "--second", "first", typed=("b2", "u", "q"))
    assert "1 [O] +  +" in answered and "O plays a1" in answered
    assert "1  +  +  +" in taken_back and "O plays a1" not in taken_back


def test_the_machines_last_answer_stays_while_a_person_asks():
    windows = play("tictactoe", "--second", "alphabeta:depth=1", typed=("b2", "m", "?", "q"))
    for window in windows[1:]:
        assert re.search(r"^O plays \w\d  [+-]\d+, depth 1, \d+ nodes, ", window, re.MULTILINE)


def test_all_moves_of_a_machine_that_moves_again_are_shown():
    """The last of North's four seeds falls into its store, so it moves once more."""
    position = ("--position", "1,1,0,0,0,4,0/0,0,4,0,0,0,0 first")
    _, moved, taken_back, _ = play("kalah", "--second", "first", *position, typed=("1", "u", "q"))
    assert re.findall("North plays (.)", moved) == ["3", "4"]
    assert "North plays" not in taken_back


def test_a_pass_is_told():
    """On 4x4, after b1 c1 d3 a1 Black has no move."""
    moves = ("b1", "c1", "d3", "a1")
    windows = play("othello", *TWO_PEOPLE, "--set", "size=4", typed=(*moves, "c4", "q"))
    assert "Black has no move: pass" in windows[4] and "White to move" in windows[4]


def test_a_long_name_of_a_player_gets_a_line_of_its_own():
    long_name = "random-start(moves=2,then=alphabeta:depth=3,ponder=yes)"
    window, _ = play("othello", "--second", long_name, typed=("q",))
    assert window.splitlines()[:3] == ["Othello", "Black ●: you", f"White ○: {long_name}"]


def test_two_machines_are_watched():
    players = ("--first", "random", "--second", "random", "--seed", "5")
    (end,) = play("tictactoe", *players, "--delay", "1ms", typed=())
    assert end.count("X plays") == end.count("O plays") == 1
    assert re.search(r"^moves: ", end, re.MULTILINE)


def test_machines_that_are_watched_leave_time_to_look(monkeypatch):
    slept: list[float] = []
    monkeypatch.setattr("plyground.cli.screen.time.sleep", slept.append)
    monkeypatch.setattr("plyground.cli.screen.now_s", lambda: 0.0)  # machines take no time
    play("tictactoe", "--first", "first", "--second", "first", typed=())
    assert slept == [0.5] * 7  # a1 b1 c1 a2 b2 c2 a3


def test_a_machine_does_not_keep_a_person_waiting(monkeypatch):
    slept: list[float] = []
    monkeypatch.setattr("plyground.cli.screen.time.sleep", slept.append)
    play("tictactoe", "--second", "first", typed=("b2", "q"))
    assert slept == [0.0]


# ------------------------------------------------------------------ the menu


def test_the_game_and_the_opponent_are_chosen_from_lists():
    games, opponents, board, _ = play(typed=("4", "4", "q"))
    assert "Connect Four" in games and "Double Card" in games and "Go on" not in games
    for opponent in ("1  amateur", "2  medium", "3  expert", "4  another person"):
        assert opponent in opponents
    assert board.startswith("m,n,k game  X: human, O: human\n")


def test_return_chooses_othello_against_the_medium_level():
    *_, board, _ = play(typed=("", "", "q"))
    assert board.startswith("Othello  Black ●: you, White ○: medium\n")


def test_names_may_be_typed_as_well():
    *_, board, _ = play(typed=("Tic Tac Toe", "random", "q"))
    assert board.startswith("m,n,k game  X: you, O: random\n")


def test_whoever_names_the_players_is_not_asked_for_them():
    windows = play(*TWO_PEOPLE, typed=("tictactoe", "q"))
    assert not any("Against whom" in window for window in windows)


@pytest.mark.parametrize("answer", ["otello", "0", "99", "9" * 5000, "²"])
def test_a_wrong_game_is_explained_and_asked_again(answer):
    _, again, _ = play(typed=(answer,))
    assert "unknown game" in again
    assert again.rstrip().endswith("[Othello]:")


@pytest.mark.parametrize("answer", ["nobody", "0", "6", "alphabeta:depth", "²"])
def test_a_wrong_opponent_is_explained_and_asked_again(answer):
    *_, again, _ = play(typed=("1", answer))
    assert re.search(r"unknown player|expected", again)
    assert again.rstrip().endswith("[medium]:")


def test_the_menu_offers_to_go_on():
    run("play", "tictactoe", *TWO_PEOPLE, typed="a1\nq\n")
    menu, board, _ = play(typed=("r", "q"))
    assert "m,n,k game, human - human, moves played: 1" in menu
    assert "1 [X] +  +" in board


def test_a_damaged_game_is_not_offered(data_folder):
    run("play", "tictactoe", *TWO_PEOPLE, typed="a1\nq\n")
    (path,) = data_folder.glob("games/*.json")
    path.write_text("{")
    menu, _ = play(typed=())
    assert "Go on" not in menu
