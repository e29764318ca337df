"""Double Card: the worked examples and edge cases of the rules, option by option.

`W` and `row` numbers are those of the worked examples and edge cases of the rules' description.
"""

import re
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.errors import IllegalMove, MalformedText, Unsupported
from plyground.games import double_card
from plyground.games.double_card import GAME
from plyground.games.rules import is_over, play, transform, transform_move

W1 = "0 2 A 1; 0 6 B 1; 0 1 A 3; 0 2 C 1; 0 4 D 1"
W2 = "0 2 A 1; 0 8 B 1; 0 6 E 1; 0 2 C 1; 0 6 D 1"
W3 = "0 2 A 1; 0 8 B 1; 0 1 A 3; 0 2 C 1; 0 6 D 1; 0 4 E 1; 0 6 D 3; 0 6 F 1; 0 8 G 1"

FOUR_ROWS = (
    "0 1 A 1; 0 1 C 1; 0 1 E 1; 0 1 G 1; 0 5 A 2; 0 5 C 2; 0 5 E 2; 0 5 G 2; "
    "0 3 A 3; 0 3 C 3; 0 3 E 3; 0 3 G 3; 0 7 A 4; 0 7 C 4; 0 7 E 4; 0 7 G 4; "
)
W4 = FOUR_ROWS + "0 1 A 5; 0 1 C 5; 0 1 E 5; 0 1 G 5; 0 5 A 6; 0 5 C 6; 0 5 E 6; 0 5 G 6"
W5 = (
    "0 1 A 1; 0 1 C 1; 0 3 F 1; 0 8 E 1; 0 4 H 1; 0 3 A 2; 0 4 G 2; 0 1 C 2; "
    "0 2 H 3; 0 4 A 3; 0 6 B 3; 0 3 D 3; 0 2 G 4; 0 4 A 5; 0 2 F 2; 0 6 F 4; "
    "0 2 B 5; 0 3 A 7; 0 5 A 8; 0 1 A 9; 0 2 G 6; 0 6 H 5; 0 8 F 6; 0 2 H 7"
)
W6 = FOUR_ROWS + "0 1 B 5; 0 1 D 5; 0 1 F 5; 0 5 C 6; 0 5 E 6; 0 1 D 7; 0 5 D 8; 0 1 D 9"
W7 = "0 3 A 1; 0 8 C 1; 0 8 D 1; 0 3 E 1; 0 5 A 2; 0 5 E 2; 0 4 C 3; 0 4 D 3; 0 1 E 3"

DRAW_CYCLE = ("A 6 B 6 7 A 6", "C 6 D 6 7 C 6", "A 6 B 6 5 A 6", "C 6 D 6 5 C 6")


def after(moves, **chosen):
    start = GAME.initial(**chosen)
    return GAME.replay(start, GAME.parse_moves(start, moves))


def drawn(state):
    """The rows that have a card in them, the highest first, each behind its number."""
    board = GAME.board_of(state)
    lines = []
    for row, label in enumerate(board.row_labels):
        cells = board.cells[row * board.columns : (row + 1) * board.columns]
        if any(cells):
            lines.append(f"{label} " + " ".join(cell or ".." for cell in cells))
    return "\n".join(lines)


def picture(text):
    return dedent(text).strip("\n")


def texts(state):
    return [GAME.format_move(state, move) for move in GAME.legal(state)]


def cell(state, name):
    board = GAME.board_of(state)
    row = board.row_labels.index(name[1:])
    return board.cells[row * board.columns + board.column_labels.index(name[0])]


def movable(state):
    """The cards that recycling moves lift, by name of their two cells."""
    return {"".join(text.split()[:4]) for text in texts(state)}


# ------------------------------------------------------------------ the eight placements

PLACEMENTS = [
    (1, "RX", "WO", "B1"),
    (2, "WO", "RX", "A2"),
    (3, "WO", "RX", "B1"),
    (4, "RX", "WO", "A2"),
    (5, "RO", "WX", "B1"),
    (6, "WX", "RO", "A2"),
    (7, "WX", "RO", "B1"),
    (8, "RO", "WX", "A2"),
]


@pytest.mark.parametrize(("rotation", "anchor", "other", "where"), PLACEMENTS)
def test_a_rotation_shows_its_halves_at_the_anchor_and_beside_or_above_it(
    rotation, anchor, other, where
):
    state = after(f"0 {rotation} A 1")
    assert (cell(state, "A1"), cell(state, where)) == (anchor, other)
    assert sum(bool(symbol) for symbol in GAME.board_of(state).cells) == 2


def test_the_first_move_is_one_of_28_lying_and_32_standing_cards():
    rotations = [int(text.split()[1]) for text in texts(GAME.initial())]
    assert sum(rotation % 2 for rotation in rotations) == 28
    assert len(rotations) == 60


# ------------------------------------------------------------------ worked examples


def test_w1_shows_the_board_of_the_report_and_has_52_moves():
    state = after(W1)
    assert drawn(state) == picture(
        """
         3 RX WO .. .. .. .. .. ..
         2 RX RO RX WO .. .. .. ..
         1 WO WX WO RX .. .. .. ..
        """
    )
    assert len(texts(state)) == 52
    assert not is_over(state)


@pytest.mark.parametrize("rotation", [2, 6])
def test_w1_red_on_d2_in_place_of_the_last_move_wins_for_colour(rotation):
    before = W1.rpartition(";")[0]
    assert GAME.winner(after(f"{before}; 0 {rotation} D 1", first_goal="dots")) == "second"


def test_w2_shows_the_board_of_the_report_and_has_56_moves():
    state = after(W2)
    assert drawn(state) == picture(
        """
         2 RX WX RX RO RO .. .. ..
         1 WO RO WO WX WX .. .. ..
        """
    )
    assert len(texts(state)) == 56
    assert not is_over(state)


def test_w3_shows_the_board_of_the_report_and_has_44_moves():
    state = after(W3)
    assert drawn(state) == picture(
        """
         4 .. .. .. RO .. .. .. ..
         3 RX WO .. WX .. .. .. ..
         2 RX WX RX RO WO RO WX ..
         1 WO RO WO WX RX WX RO ..
        """
    )
    assert len(texts(state)) == 44
    assert not is_over(state)


def test_w3_a_hollow_dot_on_g2_in_place_of_the_last_move_wins_for_dots():
    before = W3.rpartition(";")[0]
    assert GAME.winner(after(f"{before}; 0 6 G 1")) == "second"


def test_w4_is_full_of_cards_without_a_line():
    state = after(W4)
    assert drawn(state) == picture(
        """
         6 RO WX RO WX RO WX RO WX
         5 RX WO RX WO RX WO RX WO
         4 WX RO WX RO WX RO WX RO
         3 WO RX WO RX WO RX WO RX
         2 RO WX RO WX RO WX RO WX
         1 RX WO RX WO RX WO RX WO
        """
    )
    assert not is_over(state)


def test_w4_lets_the_three_free_cards_of_the_top_row_move_in_55_51_and_51_ways():
    moves = texts(after(W4))
    counts = {card: sum(text.startswith(card) for text in moves) for card in ("A 6", "C 6", "E 6")}
    assert counts == {"A 6": 55, "C 6": 51, "E 6": 51}
    assert len(moves) == 157


def test_w4_none_of_the_157_moves_wins():
    state = after(W4)
    assert {GAME.winner(play(state, move)) for move in GAME.legal(state)} == {None}


def test_w5_shows_the_demo_position():
    state = after(W5)
    assert drawn(state) == picture(
        """
         9 RX WO .. .. .. .. .. ..
         8 RO WX .. .. .. .. .. RX
         7 WO RX .. .. .. WX RX WO
         6 WO RX .. .. .. RO WO RO
         5 RX WO .. .. .. RO RX WX
         4 WO RO .. .. .. WX WO RX
         3 RX WX .. WO RX RX WO WO
         2 WO RX RX WO WX WO RX WO
         1 RX WO RX WO RO WO RX RX
        """
    )
    assert not is_over(state)


def test_w5_lets_four_cards_move():
    assert movable(after(W5)) == {"D3E3", "A9B9", "G6G7", "F6F7"}


@pytest.mark.parametrize(
    ("chosen", "w4", "w5"),
    [
        ({}, 157, 168),
        ({"same_cells": "never"}, 148, 156),
        ({"overlap": False}, 124, 136),
        ({"flip": False}, 77, 82),
    ],
    ids=["default", "same_cells=never", "overlap=no", "flip=no"],
)
def test_recycling_moves_are_as_many_as_the_rule_variant_allows(chosen, w4, w5):
    assert (len(texts(after(W4, **chosen))), len(texts(after(W5, **chosen)))) == (w4, w5)


def test_w6_has_a_single_uncovered_card_and_it_was_just_placed():
    state = after(W6)
    assert drawn(state) == picture(
        """
         9 .. .. .. RX WO .. .. ..
         8 .. .. .. RO WX .. .. ..
         7 .. .. .. RX WO .. .. ..
         6 .. .. RO WX RO WX .. ..
         5 .. RX WO RX WO RX WO ..
         4 WX RO WX RO WX RO WX RO
         3 WO RX WO RX WO RX WO RX
         2 RO WX RO WX RO WX RO WX
         1 RX WO RX WO RX WO RX WO
        """
    )
    assert is_over(state)
    assert texts(state) == []


def test_w7_as_the_assignment_drew_it_was_over_before_the_last_card():
    before = W7[: W7.index("0 5 E 2")]
    state = after(before + "0 7 E 2")
    assert [cell(state, name)[0] for name in ("B2", "C2", "D2", "E2")] == ["W"] * 4
    assert is_over(state)


@pytest.mark.parametrize("first_goal", ["colour", "dots"])
def test_w7_repaired_meets_both_goals_and_the_mover_wins_with_either(first_goal):
    before = after(W7, first_goal=first_goal)
    assert not is_over(before)
    state = after(f"{W7}; 0 3 A 3", first_goal=first_goal)
    assert drawn(state) == picture(
        """
         4 .. .. WO WO .. .. .. ..
         3 WO RX RX RX RX WO .. ..
         2 RO WX WX WX RO WX .. ..
         1 WO RX RO RO WO RX .. ..
        """
    )
    assert GAME.winner(state) == "second"


# ------------------------------------------------------------------ edge cases: what is illegal

TO_THE_TOP = "0 2 B 1; 0 4 A 1; 0 1 A 3; 0 2 B 4; 0 8 A 4; 0 6 A 6; 0 4 A 8; 0 2 A 10"
STEPS = "0 3 A 1; 0 7 C 1; 0 4 E 1; 0 5 C 2"
TAKEN, HANGS, OUT = "is taken", "hangs: there is nothing below it", "sticks out of the board"
NO_CARD = "are not the two halves of one card"
JUST_PUT = "the opponent has just put that card there"
COVERED = "another card lies on top of it"
NULL_MOVE = "the rules forbid that place for this card"

ILLEGAL = [
    ("row 1", "", "0 1 A 2", f"A2 {HANGS}"),
    ("row 2", "0 1 A 1", "0 1 B 2", f"C2 {HANGS}"),
    ("row 4, rotation 5", "", "0 5 H 1", OUT),
    ("row 4, rotation 1", "", "0 1 H 1", OUT),
    ("row 6", TO_THE_TOP, "0 2 A 12", OUT),
    ("row 8", STEPS, "0 1 C 2", f"C2 {TAKEN}"),
    ("row 9, on nothing", f"{STEPS}; 0 4 F 1", "0 8 G 2", f"G2 {HANGS}"),
    ("row 9, two too high", f"{STEPS}; 0 4 F 1; 0 3 A 2", "0 2 C 5", f"C5 {HANGS}"),
    ("row 10", "0 1 A 1", "A 1 B 1 1 C 1", "cards are moved only when all 24 are on the board"),
    ("row 11", W4, "0 1 A 7", "all 24 cards are on the board, so one of them must be moved"),
    ("row 24", W4, "G 6 H 6 2 A 7", JUST_PUT),
    ("row 25", f"{W4}; A 6 B 6 7 A 6", "A 6 B 6 1 A 6", JUST_PUT),
    ("row 26, W4", W4, "A 6 B 6 5 A 6", NULL_MOVE),
    ("row 26, W5", W5, "A 9 B 9 1 A 9", NULL_MOVE),
    ("row 27, away", W4, "A 5 B 5 2 C 7", COVERED),
    ("row 27, in place", W4, "A 5 B 5 3 A 5", COVERED),
    ("row 30", W4, "A 6 B 6 1 B 6", f"C6 {TAKEN}"),
    ("row 32, two cards", W4, "A 6 C 6 1 C 7", f"A6 and C6 {NO_CARD}"),
    ("row 32, one cell twice", W4, "A 6 A 6 1 C 7", f"A6 and A6 {NO_CARD}"),
    ("row 32, empty cells", W4, "A 7 B 7 1 C 7", f"A7 and B7 {NO_CARD}"),
    ("row 32, neighbours", W4, "B 6 C 6 1 C 7", f"B6 and C6 {NO_CARD}"),
    ("row 33, right", W4, "A 6 B 6 1 H 7", OUT),
    ("row 33, top", W4, "A 6 B 6 2 H 12", OUT),
    ("row 35", W5, "A 9 B 9 3 C 4", f"C4 {HANGS}"),
    ("row 37", f"{W5}; A 9 B 9 3 F 8", "F 8 G 8 4 E 4", JUST_PUT),
    ("row 38", W5, "C 2 D 2 3 D 4", COVERED),
    ("row 39", W5, "A 9 A 8 1 C 3", f"A9 and A8 {NO_CARD}"),
]


@pytest.mark.parametrize(
    ("before", "move", "reason"), [row[1:] for row in ILLEGAL], ids=[row[0] for row in ILLEGAL]
)
def test_the_move_is_illegal_and_the_message_gives_the_reason(before, move, reason):
    state = after(before)
    with pytest.raises(IllegalMove, match=re.escape(reason)):
        GAME.parse_move(state, move)
    assert move not in texts(state)


def test_rows_8_and_33_a_rejected_move_leaves_board_turn_and_last_card_as_they_were():
    state = after(f"{W4}; A 6 B 6 7 A 6")
    board, moves = GAME.board_of(state), texts(state)
    for rejected in ("A 6 B 6 1 A 6", "C 6 D 6 1 H 7", "C 6 D 6 2 H 12", "C 5 D 5 2 A 7"):
        with pytest.raises(IllegalMove):
            GAME.parse_move(state, rejected)
    assert (GAME.board_of(state), texts(state)) == (board, moves)
    assert movable(state) == {"C6D6", "E6F6", "G6H6"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "'' is not a move"),
        ("0 9 A 1", "rotation 9 does not exist; expected 1 to 8"),
        ("0 0 A 1", "rotation 0 does not exist; expected 1 to 8"),
        ("0 1 I 1", "column I is off the board; expected A to H"),
        ("0 1 A 0", "row 0 is off the board; expected 1 to 12"),
        ("0 1 A 13", "row 13 is off the board; expected 1 to 12"),
        ("0 1 A", "'0 1 A' is not a move"),
        ("1 1 A 1", "'1 1 A 1' is not a move"),
        ("0 x A 1", "'0 x A 1' is not a move"),
    ],
)
def test_row_45_malformed_text_is_refused_and_the_message_names_the_culprit(text, reason):
    with pytest.raises(MalformedText, match=re.escape(reason)):
        GAME.parse_move(GAME.initial(), text)


# ------------------------------------------------------------------ edge cases: what is legal

LEGAL = [
    ("row 3", "0 5 A 1", "0 4 C 1"),
    ("row 5", "", "0 2 H 1"),
    ("row 9", f"{STEPS}; 0 4 F 1", "0 3 A 2"),
    ("row 25, same cells, new rotation", W4, "A 6 B 6 7 A 6"),
    ("row 25, again one turn later", f"{W4}; A 6 B 6 7 A 6; C 6 D 6 7 C 6", "A 6 B 6 1 A 6"),
    ("row 28, on its left cell", W4, "A 6 B 6 2 A 6"),
    ("row 28, on its right cell", W4, "A 6 B 6 2 B 6"),
    ("row 37, first move", W5, "A 9 B 9 3 F 8"),
    ("row 40, same rotation elsewhere", W5, "A 9 B 9 1 F 8"),
]


@pytest.mark.parametrize(
    ("before", "move"), [row[1:] for row in LEGAL], ids=[row[0] for row in LEGAL]
)
def test_the_move_is_legal(before, move):
    assert move in texts(after(before))


@pytest.mark.parametrize(
    ("written", "meant"),
    [("B 6 A 6 1 C 7", "A 6 B 6 1 C 7"), ("a 6 b 6 3 c 7", "A 6 B 6 3 C 7")],
    ids=["cells in either order", "lower case"],
)
def test_row_31_the_lifted_card_is_named_liberally(written, meant):
    state = after(W4)
    assert GAME.format_move(state, GAME.parse_move(state, written)) == meant


# ------------------------------------------------------------------ edge cases: who wins

THREE = "0 1 B 1; 0 2 D 1; 0 2 E 1"
WINS = [
    ("row 12", "dots", f"{THREE}; 0 8 F 1", "C1 D1 E1 F1", "O", "first"),
    ("row 13", "colour", f"{THREE}; 0 1 D 3; 0 1 D 4; 0 6 F 1", "C1 D1 E1 F1", "W", "first"),
    ("row 14", "colour", f"{THREE}; 0 1 D 3; 0 6 C 2; 0 6 B 2", "B2 C2 D2 E2", "X", "second"),
    ("row 15", "dots", f"{THREE}; 0 1 D 3; 0 2 F 1", "C1 D1 E1 F1", "WO", "first"),
    (
        "row 16",
        "dots",
        "0 5 A 1; 0 2 A 2; 0 6 D 1; 0 4 B 2; 0 8 C 1; 0 7 C 3; 0 1 A 4; 0 7 C 4; 0 6 C 5",
        "C2 C3 C4 C5",
        "WX",
        "first",
    ),
    ("row 17, colour", "colour", "0 7 C 1; 0 7 C 2; 0 7 C 3; 0 6 C 4", "", "", "second"),
    ("row 17, dots", "dots", "0 7 C 1; 0 7 C 2; 0 7 C 3; 0 6 C 4", "", "", "second"),
    (
        "row 20",
        "dots",
        "0 8 B 1; 0 8 F 1; 0 8 G 1; 0 2 E 1; 0 2 C 1; 0 8 D 1",
        "B1 C1 D1 E1 F1 G1",
        "O",
        "first",
    ),
    (
        "row 21",
        "colour",
        "0 6 D 1; 0 2 E 1; 0 4 C 1; 0 6 B 1; 0 3 D 3; 0 2 E 4",
        "B1 C2 D3 E4",
        "W",
        "first",
    ),
    ("row 23, red", "dots", "0 5 D 1; 0 5 D 2; 0 1 D 3; 0 1 D 4", "D1 D2 D3 D4", "R", "second"),
    ("row 23, white", "dots", "0 5 D 1; 0 5 D 2; 0 1 D 3; 0 1 D 4", "E1 E2 E3 E4", "W", "second"),
    ("row 34", "dots", f"{W5}; A 9 B 9 2 C 3", "B4 C3 D2 E1", "O", "first"),
]


@pytest.mark.parametrize(
    ("goal", "moves", "line", "shows", "winner"),
    [row[1:] for row in WINS],
    ids=[row[0] for row in WINS],
)
def test_the_last_move_makes_the_line_and_decides_the_game(goal, moves, line, shows, winner):
    before, _, last = moves.rpartition("; ")
    assert GAME.winner(after(before, first_goal=goal)) is None
    state = after(f"{before}; {last}", first_goal=goal)
    assert GAME.winner(state) == winner
    for name in line.split():
        assert set(shows) <= set(cell(state, name))


@pytest.mark.parametrize(
    ("first_goal", "winner"), [("dots", "first"), ("colour", "second")], ids=["dots", "colour"]
)
def test_row_41_a_line_on_the_last_move_allowed_is_a_win(first_goal, winner):
    state = after(f"{W5}; A 9 B 9 2 C 3", first_goal=first_goal, max_moves=25)
    assert GAME.winner(state) == winner


def test_row_41_without_the_line_the_last_move_allowed_is_a_draw():
    assert GAME.winner(after(f"{W5}; A 9 B 9 3 F 8", max_moves=25)) == "draw"


@pytest.mark.parametrize("limit", [40, 60])
def test_row_42_the_game_is_drawn_exactly_after_the_last_move_allowed(limit):
    cycle = "; ".join(DRAW_CYCLE[i % 4] for i in range(limit - 24))
    one_short = after(W4 + "; " + cycle.rpartition("; ")[0], max_moves=limit)
    assert not is_over(one_short)
    state = after(f"{W4}; {cycle}", max_moves=limit)
    assert GAME.winner(state) == "draw"
    with pytest.raises(IllegalMove, match="A 6 B 6 7 A 6 cannot be played: the game is over"):
        GAME.parse_move(state, "A 6 B 6 7 A 6")


# ------------------------------------------------------------------ options


def test_the_move_limit_is_60_and_in_the_tournament_40():
    assert GAME.settings({})["max_moves"] == 60
    assert GAME.settings({"preset": "tournament"}) == GAME.settings({"max_moves": "40"})


def test_a_chosen_value_is_stronger_than_the_preset():
    assert GAME.settings({"preset": "tournament", "max_moves": "50"})["max_moves"] == 50


def test_row_43_a_stuck_side_draws_by_default():
    assert GAME.winner(after(W6)) == "draw"


def test_row_43_a_stuck_side_loses_if_the_rules_say_so():
    state = after(W6, on_no_move="loss")
    assert GAME.winner(state) == "second"
    assert texts(state) == []


def test_row_43_a_stuck_side_passes_if_the_rules_say_so():
    state = after(W6, on_no_move="pass")
    assert not is_over(state)
    assert texts(state) == ["pass"]


def test_row_43_after_a_pass_the_other_side_may_move_its_own_last_card():
    state = after(f"{W6}; pass", on_no_move="pass")
    assert movable(state) == {"D9E9"}


def test_a_pass_uses_up_a_move_of_the_limit():
    assert GAME.winner(after(f"{W6}; pass", on_no_move="pass", max_moves=25)) == "draw"


def test_a_side_that_has_a_move_may_not_pass():
    with pytest.raises(IllegalMove, match="pass is illegal: a side that has a move may not pass"):
        GAME.parse_move(after(W4, on_no_move="pass"), "pass")


def test_row_27_a_buried_card_may_turn_in_place_if_the_rules_say_so():
    state = after(W4, buried=True)
    assert "A 5 B 5 3 A 5" in texts(state)
    assert "A 5 B 5 1 A 5" not in texts(state)
    assert len(texts(state)) == 157 + 3 * 20


def test_a_buried_card_may_not_go_elsewhere_under_any_rules():
    with pytest.raises(IllegalMove, match=COVERED):
        GAME.parse_move(after(W4, buried=True), "A 5 B 5 2 C 7")


def test_a_buried_card_turned_in_place_can_make_the_line():
    # 5 RX WO RX WO ..     A5B5 lies under A6B6. Turned by 180 degrees, its white half
    # 4 WX RO WX RO ..     stands on A4 and above it is nothing white: no line yet, but
    # 3 WO RX WO RX ..     with A6B6 turned as well A3 to A6 are white.
    state = after(f"{W4}; A 5 B 5 3 A 5; C 6 D 6 7 C 6", buried=True)
    assert GAME.winner(state) is None
    assert GAME.winner(play(state, GAME.parse_move(state, "A 6 B 6 7 A 6"))) == "first"


def test_with_buried_cards_turning_w6_is_not_stuck():
    assert not is_over(after(W6, buried=True))


@pytest.mark.parametrize(
    ("chosen", "move"),
    [
        ({"same_cells": "never"}, "A 6 B 6 7 A 6"),
        ({"overlap": False}, "A 6 B 6 7 A 6"),
        ({"overlap": False}, "A 6 B 6 2 A 6"),
        ({"overlap": False}, "A 6 B 6 2 B 6"),
        ({"flip": False}, "A 6 B 6 1 A 6"),
        ({"flip": False}, "A 6 B 6 2 C 7"),
    ],
    ids=["same cells", "overlap, all", "overlap, left", "overlap, right", "flip", "flip elsewhere"],
)
def test_a_stricter_rule_forbids_a_place_that_is_free_by_default(chosen, move):
    assert move in texts(after(W4))
    with pytest.raises(IllegalMove, match=f"{move} is illegal: {NULL_MOVE}"):
        GAME.parse_move(after(W4, **chosen), move)


def test_without_flipping_a_card_of_face_two_keeps_rotations_5_to_8():
    rotations = {text.split()[4] for text in texts(after(W4, flip=False))}
    assert rotations == {"5", "6", "7", "8"}


@pytest.mark.parametrize(
    ("first_goal", "winner"), [("colour", "first"), ("dots", "second")], ids=["colour", "dots"]
)
def test_the_first_goal_decides_whose_line_it_is(first_goal, winner):
    # 4 RX WO
    # 3 RX WO
    # 2 RO WX
    # 1 RO WX
    state = after("0 5 D 1; 0 5 D 2; 0 1 D 3; 0 1 D 4", first_goal=first_goal)
    assert GAME.winner(state) == winner


def test_a_line_of_two_is_enough_if_the_rules_say_so():
    assert GAME.winner(after("0 1 A 1; 0 1 A 2", line=2)) == "second"


def test_a_line_of_three_does_not_win_at_four():
    assert GAME.winner(after("0 1 A 1; 0 1 A 2; 0 1 A 3")) is None
    assert GAME.winner(after("0 1 A 1; 0 1 A 2; 0 1 A 3", line=3)) == "first"


def test_recycling_starts_when_the_chosen_number_of_cards_is_laid():
    state = after("0 1 A 1; 0 5 C 1", cards=2)
    assert movable(state) == {"A1B1"}


def test_a_small_board_has_its_own_edges():
    state = GAME.initial(width=3, height=2, cards=3, line=3)
    anchors = {tuple(text.split()[2:]) for text in texts(state) if int(text.split()[1]) % 2}
    assert anchors == {("A", "1"), ("B", "1")}
    with pytest.raises(MalformedText, match="column D is off the board; expected A to C"):
        GAME.parse_move(state, "0 2 D 1")


def test_a_side_without_room_for_its_card_is_stuck_before_all_cards_are_laid():
    # 2 .. RX WO ..
    # 1 RX WO RX WO
    small = {"width": 4, "height": 2, "cards": 4}
    assert texts(after("0 1 C 1; 0 1 A 1; 0 1 B 2", **small)) == []
    assert GAME.winner(after("0 1 C 1; 0 1 A 1; 0 1 B 2", **small)) == "draw"
    assert texts(after("0 1 C 1; 0 1 A 1; 0 1 B 2", **small, on_no_move="pass")) == ["pass"]


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [
        ({"cards": 49}, "49 cards do not fit on a board of 8x12; expected at most 48"),
        ({"width": 2, "height": 3, "cards": 3, "line": 4}, "line=4 does not fit on a board of 2x3"),
    ],
)
def test_a_board_too_small_for_cards_or_line_is_refused(chosen, reason):
    with pytest.raises(Unsupported, match=reason):
        GAME.initial(**chosen)


# ------------------------------------------------------------------ notation

FULL_WIDTH = "\uff10 \uff15 \uff21 \uff11"


@pytest.mark.parametrize("before", ["", W1, W4, W5, f"{W4}; A 6 B 6 2 H 7"])
def test_moves_are_written_with_single_spaces_and_upper_case(before):
    strict = re.compile(r"(0|[A-H] [1-9][0-2]? [A-H] [1-9][0-2]?) [1-8] [A-H] [1-9][0-2]?")
    assert [text for text in texts(after(before)) if not strict.fullmatch(text)] == []


@pytest.mark.parametrize(
    "text",
    ["0 5 A 1", "0 5 a 1", "0 5A1", "0 5 A1", "  0\t5  A 1 ", "0,5,A,1", FULL_WIDTH],
    ids=["strict", "lower case", "glued", "glued cell", "any blanks", "commas", "full width"],
)
def test_a_card_to_lay_is_read_from_liberal_text(text):
    start = GAME.initial()
    assert GAME.format_move(start, GAME.parse_move(start, text)) == "0 5 A 1"


@pytest.mark.parametrize(
    "text",
    ["A 6 B 6 5 D 7", "A6 B6 5 D7", "a6b6 5d7", "B6 A6 5 D7", " A 6  B 6\t5 D 7", "A6,B6,5,D7"],
)
def test_a_card_to_move_is_read_from_liberal_text(text):
    state = after(W4)
    assert GAME.format_move(state, GAME.parse_move(state, text)) == "A 6 B 6 5 D 7"


def test_two_digit_rows_are_read_glued():
    state = after(TO_THE_TOP)
    start = GAME.parse_position(GAME.initial(cards=9), GAME.format_position(state) + " 2C1")
    assert GAME.format_move(start, GAME.parse_move(start, "A10A11 8D1")) == "A 10 A 11 8 D 1"


@pytest.mark.parametrize("between", ["; ", ";", "\n", "\n\n", " ;\n"])
def test_pasted_moves_are_separated_by_semicolons_or_lines(between):
    assert after(W1.replace("; ", between)) == after(W1)


def test_an_illegal_move_in_a_list_is_refused_with_its_number():
    with pytest.raises(IllegalMove, match="move 2, '0 1 B 2': 0 1 B 2 is illegal: C2 hangs"):
        after("0 1 A 1; 0 1 B 2")


def test_a_position_lists_its_cards_from_below_by_rotation_and_cell():
    assert GAME.format_position(after(W1)) == "2A1 6B1 2C1 4D1 1A3"


def test_a_position_of_recycling_says_the_moves_made_and_the_last_card():
    text = GAME.format_position(after(f"{W4}; A 6 B 6 2 A 6"))
    assert text.endswith("5C6 5E6 5G6 moves=25 last=A6")


def test_an_empty_board_is_written_as_empty_and_may_carry_passed_moves():
    start = GAME.initial()
    assert GAME.format_position(start) == "empty"
    assert GAME.parse_position(start, "EMPTY") == start


def test_a_position_is_read_in_any_order_and_case():
    start = GAME.initial()
    assert GAME.parse_position(start, "1a3 4d1 2c1 6b1 2a1") == after(W1)


def test_a_position_with_a_line_is_won_already():
    moves = "0 7 C 1; 0 7 C 2; 0 7 C 3; 0 6 C 4"
    state = after(moves)
    assert GAME.parse_position(GAME.initial(), GAME.format_position(state)) == state
    assert GAME.winner(state) == "second"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the position is empty; expected cards such as 2A1 6B1, or empty"),
        ("9A1", "'9a1' is not a card; expected rotation and cell, as in 2A1"),
        ("2A1 hello", "'hello' is not a card"),
        ("2I1", "column I is off the board; expected A to H"),
        ("2A13", "row 13 is off the board; expected 1 to 12"),
        ("1H1", "card 1H1 cannot lie there: it sticks out of the board"),
        ("2A1 1A1", "card 1A1 cannot lie there: A1 is taken"),
        ("2A2", "card 2A2 cannot lie there: A2 hangs: there is nothing below it"),
        ("2A1 moves=0", "moves=0: expected a number from 1 to 60"),
        ("2A1 moves=61", "moves=61: expected a number from 1 to 60"),
        ("2A1 moves=many", "moves=many: expected a number from 1 to 60"),
        ("2A1 last=A1", "last=a1: expected the lower left cell of the card moved last"),
    ],
)
def test_a_position_that_cannot_be_is_refused_and_the_message_names_the_culprit(text, reason):
    with pytest.raises(MalformedText, match=re.escape(reason)):
        GAME.parse_position(GAME.initial(), text)


def test_the_last_card_of_a_position_must_be_named_by_its_lower_left_cell():
    text = GAME.format_position(after(W4))
    assert GAME.parse_position(GAME.initial(), text) == after(W4)
    with pytest.raises(MalformedText, match="last=h6: expected the lower left cell"):
        GAME.parse_position(GAME.initial(), text.replace("last=G6", "last=H6"))


def test_more_cards_than_the_game_has_are_refused():
    with pytest.raises(MalformedText, match="2 cards on the board; expected at most 1"):
        GAME.parse_position(GAME.initial(cards=1), "2A1 2B1")


# ------------------------------------------------------------------ the board as data


def test_the_two_cells_of_each_card_are_linked():
    board = GAME.board_of(after("0 1 A 1; 0 2 C 1"))
    names = [
        {f"{board.column_labels[i % 8]}{board.row_labels[i // 8]}" for i in link}
        for link in board.links
    ]
    assert names == [{"A1", "B1"}, {"C1", "C2"}]


def test_the_caption_names_goals_move_and_card():
    text = GAME.board_of(after(W1, first_goal="dots")).text
    assert text == "Player 1 wants dots, player 2 colour; move 6 of at most 60, card 6 of 24."


def test_the_caption_of_a_full_board_says_that_cards_are_moved():
    assert GAME.board_of(after(W4)).text.endswith("move 25 of at most 60, cards are moved.")


def test_a_move_touches_the_two_cells_where_the_card_will_be():
    start = GAME.initial()
    move = GAME.parse_move(start, "0 2 H 1")
    assert GAME.cells_of(start, move) == (95, 87)


# ------------------------------------------------------------------ row 47: symmetries
#
# Rotations as the rules print them; the engine's own tables are not used.

COLOURS_SWAPPED = {1: 7, 2: 8, 3: 5, 4: 6, 5: 3, 6: 4, 7: 1, 8: 2}
DOTS_SWAPPED = {1: 5, 2: 6, 3: 7, 4: 8, 5: 1, 6: 2, 7: 3, 8: 4}
MIRRORED = {1: 3, 2: 2, 3: 1, 4: 4, 5: 7, 6: 6, 7: 5, 8: 8}
GOALS_SWAPPED = {1: 1, 2: 2, 3: 3, 4: 4, 5: 7, 6: 8, 7: 5, 8: 6}
TABLES = {
    double_card.SWAP_COLOURS: COLOURS_SWAPPED,
    double_card.SWAP_DOTS: DOTS_SWAPPED,
    double_card.MIRROR: MIRRORED,
    double_card.SWAP_GOALS: GOALS_SWAPPED,
}
OTHER_GOAL = {"colour": "dots", "dots": "colour"}


def turned(rotation, symmetry):
    for part, table in TABLES.items():
        if symmetry & part:
            rotation = table[rotation]
    return rotation


def reflected(column, width, cells_wide):
    return chr(ord("A") + width - cells_wide - (ord(column) - ord("A")))


def image_of_text(text, symmetry, width):
    """The text of a move as it reads through a symmetry."""
    if text == "pass":
        return text
    *source, rotation, column, row = text.split()
    if symmetry & double_card.MIRROR:
        column = reflected(column, width, 2 if int(rotation) % 2 else 1)
        if source != ["0"]:
            cells = sorted((reflected(source[i], width, 1), int(source[i + 1])) for i in (0, 2))
            source = [str(part) for cell in cells for part in cell]
    return " ".join([*source, str(turned(int(rotation), symmetry)), column, row])


def composition(first, second):
    """The one symmetry that does what these two do in turn."""
    wanted = [turned(turned(rotation, first), second) for rotation in range(1, 9)]
    mirror = (first ^ second) & double_card.MIRROR
    goals = (first ^ second) & double_card.SWAP_GOALS
    (answer,) = [
        both
        for both in range(16)
        if [turned(rotation, both) for rotation in range(1, 9)] == wanted
        and both & double_card.MIRROR == mirror
        and both & double_card.SWAP_GOALS == goals
    ]
    return answer


SMALL_RULES = st.fixed_dictionaries(
    {
        "width": st.integers(2, 5),
        "height": st.integers(2, 4),
        "cards": st.integers(1, 4),
        "line": st.integers(3, 4),
        "max_moves": st.integers(6, 14),
        "first_goal": st.sampled_from(["colour", "dots"]),
        "buried": st.booleans(),
        "flip": st.booleans(),
        "on_no_move": st.sampled_from(["draw", "pass", "loss"]),
    }
).filter(
    lambda r: (
        r["cards"] * 2 <= r["width"] * r["height"] and r["line"] <= max(r["width"], r["height"])
    )
)
CHOICES = st.lists(st.integers(0, 2**16), min_size=6, max_size=14)


@settings(max_examples=120)
@given(chosen=SMALL_RULES, choices=CHOICES, symmetry=st.integers(0, 15))
def test_row_47_a_game_and_its_image_have_the_same_moves_and_winner(chosen, choices, symmetry):
    state = GAME.initial(**chosen)
    goal = chosen["first_goal"]
    if symmetry & double_card.SWAP_GOALS:
        goal = OTHER_GOAL[goal]
    image = GAME.initial(**chosen | {"first_goal": goal})
    for choice in choices:
        names = {text: image_of_text(text, symmetry, chosen["width"]) for text in texts(state)}
        assert sorted(names.values()) == sorted(texts(image))
        assert transform(state, symmetry) == image
        if not names:
            break
        move = GAME.legal(state)[choice % len(names)]
        name = names[GAME.format_move(state, move)]
        image_move = GAME.parse_move(image, name)
        assert transform_move(state, move, symmetry) == image_move
        state, image = play(state, move), play(image, image_move)
        assert GAME.winner(state) == GAME.winner(image)


@settings(max_examples=100)
@given(chosen=SMALL_RULES, choices=CHOICES, first=st.integers(0, 15), second=st.integers(0, 15))
def test_row_47_two_symmetries_in_turn_are_the_one_that_their_tables_compose_to(
    chosen, choices, first, second
):
    state = GAME.initial(**chosen)
    both = composition(first, second)
    for choice in choices:
        assert transform(transform(state, first), second) == transform(state, both)
        legal = GAME.legal(state)
        if not legal:
            break
        state = play(state, legal[choice % len(legal)])


def test_row_47_the_sixteen_symmetries_are_different():
    state = after(W5)
    assert len({transform(state, symmetry) for symmetry in range(16)}) == 16
