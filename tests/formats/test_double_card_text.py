"""Double Card move lists: read liberally, written strictly.

`W` numbers are those of the worked examples of the rules' description.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from format_tools import only_rejection, random_game, records_in
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.errors import Unsupported
from plyground.core.records import PositionRecord
from plyground.formats.double_card_text import (
    read,
    recognises_games,
    recognises_moves,
    write_games,
    write_moves,
)
from plyground.formats.spec import Read, Rejected
from plyground.games.double_card import GAME

W1 = "0 2 A 1; 0 6 B 1; 0 1 A 3; 0 2 C 1; 0 4 D 1"
W4 = (
    "0 1 A 1; 0 1 C 1; 0 1 E 1; 0 1 G 1; 0 5 A 2; 0 5 C 2; 0 5 E 2; 0 5 G 2; "
    "0 3 A 3; 0 3 C 3; 0 3 E 3; 0 3 G 3; 0 7 A 4; 0 7 C 4; 0 7 E 4; 0 7 G 4; "
    "0 1 A 5; 0 1 C 5; 0 1 E 5; 0 1 G 5; 0 5 A 6; 0 5 C 6; 0 5 E 6; 0 5 G 6"
)
HOLLOW = "0 1 B 1; 0 2 D 1; 0 2 E 1; 0 8 F 1"  # four hollow dots: the dots player has won
CHOICES = [
    {},
    {"first_goal": "dots"},
    {"width": 4, "height": 6, "cards": 8, "max_moves": 40, "buried": True},
    {"width": 2, "height": 4, "cards": 3, "on_no_move": "pass", "flip": False, "max_moves": 9},
]


def text_of(record) -> str:
    return "; ".join(move.move for move in record.moves)


# ------------------------------------------------------------------ reading


@pytest.mark.parametrize(
    "text",
    [
        W1,
        W1 + ";",
        W1.lower(),
        W1.replace("; ", ";"),
        W1.replace("; ", "\n"),
        W1.replace("; ", ";\n"),
        W1.replace("; ", "\r\n") + "\r\n",
        W1.replace(" 1;", "1;").replace(" 3;", "3;"),
        W1.replace(" ", "\t"),
        "# from a report\n" + W1,
    ],
)
def test_a_game_in_any_guise(text):
    (record,) = records_in(read(text.encode()))
    assert text_of(record) == W1
    assert (record.game, record.ended, record.points) == ("double-card", "unfinished", None)


def test_moved_cards_are_written_strictly_however_they_were_read():
    (record,) = records_in(read(f"{W4}; b6 a6 1 c7".encode()))
    assert record.moves[-1].move == "A 6 B 6 1 C 7"
    assert len(record.moves) == 25


def test_a_line_with_semicolons_is_a_game():
    items = list(read(f"{W1}\n{HOLLOW}\n\n{W1}\n".encode()))
    assert [item.place for item in items] == ["line 1", "line 2", "line 4"]
    assert [text_of(item.record) for item in items] == [W1, HOLLOW, W1]


def test_without_semicolons_an_empty_line_ends_a_game():
    one, two = W1.replace("; ", "\n"), HOLLOW.replace("; ", "\n")
    items = list(read(f"{one}\n\n\n{two}\n".encode()))
    assert [item.place for item in items] == ["lines 1 to 5", "lines 8 to 11"]
    assert [text_of(item.record) for item in items] == [W1, HOLLOW]


@pytest.mark.parametrize("goal, points", [("colour", 0.0), ("dots", 1.0)])
def test_who_has_won_depends_on_settings_that_a_comment_tells(goal, points):
    (record,) = records_in(read(f"# first_goal={goal}\n{HOLLOW}\n".encode()))
    assert (record.points, record.ended) == (points, "over")
    assert record.settings == ({"first_goal": "dots"} if goal == "dots" else {})


def test_a_preset_is_told_by_what_it_sets():
    (record,) = records_in(read(f"# preset=tournament\n{W1}\n".encode()))
    assert record.settings == {"max_moves": 40}


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("0 1 A 2", "line 1: move 1, '0 1 A 2': 0 1 A 2 is illegal: A2 hangs"),
        ("0 1 A 1; 0 1 B 2", "move 2, '0 1 B 2'"),
        ("0 9 A 1;", "rotation 9 does not exist"),
        ("0 1 A 1\nnonsense", "lines 1 to 2: move 2, 'nonsense'"),
        (";;;", "line 1: no moves"),
        (f"{HOLLOW}; 0 1 A 2", "the game is over"),
        (f"{W4}; A 6 C 6 1 C 7", "not the two halves of one card"),
        ("0 1 A 1 ;" * 5000, "too long for a game"),
        ("# cards=999\n", "cards=999: expected a whole number"),
    ],
)
def test_what_cannot_be_read_is_told(text, complaint):
    assert complaint in only_rejection(read(text.encode()))


def test_one_bad_game_does_not_spoil_the_others():
    items = list(read(f"{W1}\n0 1 A 2; 0 1 C 1\n{W1}\n".encode()))
    assert [type(item) for item in items] == [Read, Rejected, Read]


# ------------------------------------------------------------------ writing

a_game_list = st.lists(
    st.tuples(st.sampled_from(CHOICES), st.integers(0, 10**6), st.integers(1, 30)), max_size=5
)


@pytest.mark.parametrize("write", [write_games, write_moves])
@settings(max_examples=25)
@given(games=a_game_list)
def test_what_is_written_is_read_again(write, games):
    records = [random_game(GAME, seed, most, **chosen) for chosen, seed, most in games]
    assert records_in(read(write(records))) == records


def test_games_of_one_move_stay_apart():
    records = [random_game(GAME, seed, 1) for seed in range(3)]
    assert records_in(read(write_games(records))) == records


def test_the_two_layouts():
    (record,) = records_in(read(W1.encode()))
    assert write_games([record, record]).decode() == f"{W1}\n{W1}\n"
    lines = W1.replace("; ", "\n") + "\n"
    assert write_moves([record, record]).decode() == f"{lines}\n{lines}"


def test_settings_are_written_where_they_change():
    first, second = records_in(read(f"{W1}\n# overlap=no\n{W1}\n".encode()))
    text = write_games([first, second, second, first]).decode()
    assert text.count("#") == 2
    assert "overlap=no" in text
    assert text.startswith(W1)
    assert records_in(read(text.encode())) == [first, second, second, first]


def a_game(**changes):
    return replace(random_game(GAME, 1, 3), **changes)


@pytest.mark.parametrize("write", [write_games, write_moves])
@pytest.mark.parametrize(
    "record, complaint",
    [
        (a_game(game="othello"), "holds games of double-card, not of othello"),
        (a_game(moves=[]), "cannot hold a game without moves"),
        (a_game(position="empty"), "games from the empty board only"),
        (PositionRecord("double-card", "empty"), "games from the empty board only"),
    ],
)
def test_what_a_list_of_moves_cannot_hold(write, record, complaint):
    with pytest.raises(Unsupported, match=complaint):
        write([record])


# ------------------------------------------------------------------ recognising


@pytest.mark.parametrize(
    "text, games, moves",
    [
        (W1, 0.95, 0.0),
        (W1.lower().replace(" ", ""), 0.95, 0.0),
        (W1.replace("; ", "\n"), 0.0, 0.95),
        ("0 5 A 1", 0.0, 0.95),
        (W4 + "; A 6 B 6 1 C 7", 0.95, 0.0),
        ("# first_goal=dots\n" + HOLLOW, 0.95, 0.0),
        ("f5d6c3", 0.0, 0.0),
        ("f5; d6; c3", 0.0, 0.0),
        ("4453", 0.0, 0.0),
        ("", 0.0, 0.0),
        (";", 0.0, 0.0),
        ("(;GM[2];B[f5])", 0.0, 0.0),
    ],
)
def test_recognising(text, games, moves):
    assert recognises_games(text.encode()) == games
    assert recognises_moves(text.encode()) == moves
