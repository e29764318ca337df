"""`plyground show`: positions and moves go in, a board or JSON comes out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from command_line import one_line, run, run_process


def shown(*arguments: str) -> dict[str, Any]:
    result = run("show", *arguments, "--json")
    assert (result.status, result.err) == (0, "")
    return json.loads(result.out)


# ------------------------------------------------------------------ JSON


def test_json_has_exactly_the_documented_fields():
    data = shown("othello")
    assert list(data) == [
        "game",
        "position",
        "side",
        "legal",
        "over",
        "winner",
        "outcome",
        "key",
        "board",
    ]


def test_json_describes_the_first_position_of_othello():
    data = shown("othello")
    assert data["game"] == "othello"
    assert data["position"] == "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X"
    assert data["side"] == "first"
    assert data["legal"] == ["d3", "c4", "f5", "e6"]
    assert (data["over"], data["winner"], data["outcome"]) == (False, None, None)
    assert len(data["key"]) == 16 and int(data["key"], 16) > 0


def test_json_has_the_board_cell_by_cell():
    board = shown("tictactoe", "--moves", "b2 a1")["board"]
    assert (board["kind"], board["rows"], board["columns"]) == ("grid", 3, 3)
    assert board["cells"] == ["second", "", "", "", "first", "", "", "", ""]
    assert (board["row_labels"], board["column_labels"]) == (["1", "2", "3"], ["a", "b", "c"])


def test_json_is_one_line():
    assert run("show", "double-card", "--json").out.count("\n") == 1


# ------------------------------------------------------------------ finished games


@pytest.mark.parametrize(
    "moves, winner, outcome",
    [
        ("a1 b1 a2 b2 a3", "first", 1),
        ("a1 b1 a2 b2 c3 b3", "second", -1),
        ("a1 b1 c1 b2 a2 c2 b3 a3 c3", "draw", 0),
    ],
)
def test_the_winner_of_a_finished_game_is_named(moves, winner, outcome):
    data = shown("tictactoe", "--moves", moves)
    assert (data["over"], data["winner"], data["outcome"]) == (True, winner, outcome)
    assert data["legal"] == []


def test_empty_squares_count_for_the_winner_of_othello():
    """The shortest game there is: after nine moves White has no disc left."""
    data = shown("othello", "--moves", "e6f4e3f6g5d6e7f5c5")
    assert (data["over"], data["winner"], data["outcome"]) == (True, "first", 64)
    assert data["board"]["counts"] == {"first": 13, "second": 0}


def test_a_finished_game_is_shown_with_its_winner():
    out = run("show", "tictactoe", "--moves", "a1 b1 a2 b2 a3").out
    assert "X wins" in out
    assert "legal" not in out


def test_a_draw_is_shown_as_a_draw():
    assert "Draw" in run("show", "tictactoe", "--moves", "a1 b1 c1 b2 a2 c2 b3 a3 c3").out


# ------------------------------------------------------------------ moves


@pytest.mark.parametrize(
    "game, texts",
    [
        ("othello", ("f5d6c3", "f5 d6 c3", "F5D6C3", "f5,d6,c3", "f5\nd6\nc3\n", "1. f5 d6 2. c3")),
        ("connect4", ("4455", "4 4 5 5", "4,4,5,5", " 4455\n")),
        (
            "double-card",
            ("0 2 A 1; 0 6 B 1", "0 2 a 1\n0 6 b 1", "0 2 A1; 0 6 B1", "0 2 A 1;\n0 6 B 1;"),
        ),
        ("kalah", ("3 6", "36", "3,6", "3\n6")),
        ("tictactoe", ("b2a1", "b2 a1", "B2 A1")),
        ("synthetic", ("2 1 3", "2.1.3", "2,1,3")),
    ],
)
def test_moves_may_be_pasted_in_many_forms(game, texts):
    positions = {shown(game, "--moves", text)["position"] for text in texts}
    assert len(positions) == 1
    assert positions != {shown(game)["position"]}


@pytest.mark.parametrize("moves", ["", " ", "\n"])
@pytest.mark.parametrize(
    "game", ["othello", "connect4", "double-card", "kalah", "mnk", "synthetic"]
)
def test_no_moves_lead_to_the_first_position(game, moves):
    assert shown(game, "--moves", moves) == shown(game)


def test_a_forced_pass_may_be_left_out_or_written():
    """On 4x4, after b1 c1 d3 a1 Black has no move."""
    start = ("othello", "--set", "size=4", "--moves")
    assert shown(*start, "b1c1d3a1")["legal"] == ["pass"]
    after = shown(*start, "b1c1d3a1 pass")
    reply = after["legal"][0]
    assert after["side"] == "second"
    assert shown(*start, "b1c1d3a1" + reply) == shown(*start, "b1c1d3a1 pass " + reply)


@pytest.mark.parametrize(
    "game, moves, number, move, reason",
    [
        ("othello", "a1", 1, "a1", "it turns no disc over"),
        ("othello", "f5f5", 2, "f5", "the square is taken"),
        ("othello", "f5 pass", 2, "pass", "a side that has a move may not pass"),
        ("othello", "f5d6z9", 3, "z9", "column 'z' is off the board; expected a to h"),
        ("othello", "f5 d6 c9 c4", 3, "c9", "row 9 is off the board; expected 1 to 8"),
        ("connect4", "4444444", 7, "4", "the column is full"),
        ("connect4", "44x", 3, "x", "expected a number from 1 to 7"),
        ("connect4", "4 8", 2, "8", "expected a number from 1 to 7"),
        ("kalah", "3 6 1 1 6 6", 6, "6", "the pit is empty"),
        ("kalah", "3 7", 2, "7", "expected a number from 1 to 6"),
        ("double-card", "0 2 A 1; 0 2 A 1", 2, "0 2 A 1", "A1 is taken"),
        ("double-card", "0 2 A 1; 0 2 A 4", 2, "0 2 A 4", "A4 hangs: there is nothing below it"),
        ("double-card", "0 2 A 1; hello", 2, "hello", "expected 0 R C N"),
        ("tictactoe", "a1 b1 a1", 3, "a1", "the cell is taken"),
        ("tictactoe", "a1b1a2b2a3 b3", 6, "b3", "the game is over"),
        ("synthetic", "1 4", 2, "4", "expected a number from 1 to 3"),
    ],
)
def test_a_bad_move_is_refused_with_its_number_and_the_reason(game, moves, number, move, reason):
    message = one_line(run("show", game, "--moves", moves))
    assert message.startswith(f"move {number}, {move!r}: ")
    assert reason in message


def test_an_illegal_move_comes_with_the_legal_ones():
    message = one_line(run("show", "othello", "--moves", "f5f5"))
    assert message.endswith("(legal: f4, d6, f6)")


def test_of_many_legal_moves_only_some_are_listed():
    message = one_line(run("show", "double-card", "--moves", "0 2 A 1; 0 2 A 1"))
    assert message.endswith(" and 44 more)")


# ------------------------------------------------------------------ positions


@pytest.mark.parametrize(
    "game, moves",
    [
        ("othello", "f5d6c3"),
        ("connect4", "4455"),
        ("double-card", "0 2 A 1; 0 6 B 1"),
        ("kalah", "3 6"),
        ("tictactoe", "b2a1"),
        ("synthetic", "2 1 3"),
    ],
)
def test_a_position_that_was_printed_can_be_given_back(game, moves):
    after = shown(game, "--moves", moves)
    assert shown(game, "--position", after["position"]) == after


@pytest.mark.parametrize(
    "game, position, reason",
    [
        ("othello", "X" * 63, "the board has 63 cells; expected 64"),
        ("othello", "?" * 64 + " X", "unexpected '?' at character 1 of the board"),
        ("othello", "-" * 64, "expected the side to move, X or O; found nothing"),
        ("othello", "-" * 64 + " Z", "found 'Z'"),
        ("othello", "", "the board has 0 cells; expected 64"),
        ("connect4", "X" + "-" * 41, "column 1, row 6 from below, hangs in the air"),
        ("connect4", "-" * 40 + "XX", "2 stones X and 0 stones O"),
        ("tictactoe", "XX-/---/---", "2 marks X and 0 marks O"),
        ("tictactoe", "XXX/OO-/O--", "X is to move but has 3 in a row already"),
        ("tictactoe", "X--/---/--- X", "it is O who moves"),
        ("kalah", "1,2,3 first", "the position has 3 numbers; expected 6 pits and a store"),
        ("kalah", "99," * 13 + "99 first", "the board has more than 255 seeds"),
        ("kalah", "rubbish", "expected 6 pits and a store for each side, then first or second"),
        ("double-card", "2A9", "card 2A9 cannot lie there: A9 hangs"),
        ("double-card", "9A1", "'9a1' is not a card"),
        ("double-card", "", "the position is empty"),
        ("synthetic", "", "the position is empty; expected root or a path such as 2.1.3"),
        ("synthetic", "2.9", "expected a number from 1 to 3"),
    ],
)
def test_a_bad_position_is_refused_with_the_reason(game, position, reason):
    assert reason in one_line(run("show", game, "--position", position))


def test_a_position_and_moves_exclude_each_other():
    message = one_line(run("show", "othello", "--moves", "f5", "--position", "-" * 64 + " X"))
    assert message == "--position and --moves exclude each other; give one of them"


# ------------------------------------------------------------------ the drawing

OTHELLO = """\
Othello
   a  b  c  d  e  f  g  h
1  ·  ·  ·  ·  ·  ·  ·  ·
2  ·  ·  ·  ·  ·  ·  ·  ·
3  ·  · [●] +  ·  +  ·  ·
4  ·  ·  ·  ●  ●  +  ·  ·
5  ·  ·  ·  ○  ●  ●  +  ·
6  ·  ·  ·  ○  ·  ·  ·  ·
7  ·  ·  ·  ·  ·  ·  ·  ·
8  ·  ·  ·  ·  ·  ·  ·  ·
White to move (Black 5, White 2)
4 legal: d3 f3 f4 g5
position: ------------------X--------XX------OXX-----O-------------------- O
"""


def plain_lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


def test_a_board_is_drawn_with_guides_and_the_last_move_in_brackets():
    result = run("show", "othello", "--moves", "f5d6c3")
    assert (result.status, result.err) == (0, "")
    assert plain_lines(result.out) == OTHELLO.splitlines()


def test_a_terminal_without_unicode_gets_letters():
    result = run_process("show", "othello", "--moves", "f5d6c3", PYTHONIOENCODING="ascii")
    letters = OTHELLO.translate(str.maketrans("●○·", "XO."))
    assert plain_lines(result.out) == letters.splitlines()


CARDS = """\
4  +   +   ·
3  +   +   ·
2  R●╮[R○╮ +
1  W○╯[W●╯ +
   A   B   C
"""


def test_cards_are_drawn_with_their_halves_joined():
    settings = ("--set", "width=3", "--set", "height=4", "--set", "cards=4", "--set", "line=3")
    result = run("show", "double-card", *settings, "--moves", "0 2 A 1; 0 6 B 1")
    assert plain_lines(result.out)[1:6] == plain_lines(CARDS)


KALAH = """\
        6    5    4    3    2    1
      (  4)(  4)(  5)(  5)(  5)(  5)
[  0]                                [  2]
      (  4)(  4)(  0)(  5)(  5)[  0]
        1    2    3    4    5    6
"""


def test_pits_are_drawn_as_the_players_sit():
    result = run("show", "kalah", "--moves", "3 6")
    assert plain_lines(result.out)[1:6] == plain_lines(KALAH)


def test_a_tree_is_described_in_words():
    lines = plain_lines(run("show", "synthetic", "--moves", "2 1").out)
    assert lines[1:3] == ["independent tree, 3 branches, depth 6", "ply 2: 2.1"]


def test_a_long_list_of_legal_moves_is_not_broken_inside_a_move():
    lines = plain_lines(run("show", "double-card").out)
    legal = [line for line in lines if ";" in line and "Player" not in line]
    moves = [move.strip() for line in legal for move in line.split(":")[-1].split(";")]
    assert len([move for move in moves if move]) == 60
    assert all(len(move.split()) == 4 for move in moves if move)
