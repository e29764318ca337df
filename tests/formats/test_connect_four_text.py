"""Connect Four as strings of columns and as boards."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from format_tools import only_rejection, random_game, random_moves, records_in
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord, PositionRecord
from plyground.formats.connect_four_text import (
    read_grids,
    read_moves,
    recognises_grids,
    recognises_moves,
    write_grids,
    write_moves,
)
from plyground.formats.spec import Read, Rejected
from plyground.games.connect_four import GAME
from plyground.games.rules import play

ARCHIVES = os.environ.get("PLYGROUND_ARCHIVES", "")
SIZES = [{}, {"width": 5, "height": 4}, {"width": 9, "connect": 5}]
QUICKLY = settings(max_examples=25)

GRID = """
.......
.......
...X...
...O...
..XX...
.OOXO..
"""
GRID_POSITION = "-------/-------/---X---/---O---/--XX---/-OOXO--"


# ------------------------------------------------------------------ moves


def texts_of(record: GameRecord) -> str:
    return "".join(move.move for move in record.moves)


@pytest.mark.parametrize(
    "text, moves",
    [
        ("4453", "4453"),
        ("4 4 5 3", "4453"),
        ("4,4,5,3", "4453"),
        ("  4453\r\n", "4453"),
        ("4 1", "41"),
        ("\ufeff44", "44"),
    ],
)
def test_a_line_of_moves_is_a_game(text, moves):
    (record,) = records_in(read_moves(text.encode()))
    assert isinstance(record, GameRecord)
    assert texts_of(record) == moves
    assert [move.side for move in record.moves] == [ply % 2 for ply in range(len(moves))]
    assert (record.ended, record.points, record.settings) == ("unfinished", None, {})


def test_a_finished_game_has_a_result():
    (record,) = records_in(read_moves(b"4343434"))
    assert (record.ended, record.points, record.outcome) == ("over", 1.0, 1)


@pytest.mark.parametrize(
    "text, score", [("32164625 11", 11), ("44 -3", -3), ("44 1", 1), ("4 +1", 1), ("4 12", 12)]
)
def test_a_line_with_a_score_is_a_position(text, score):
    (record,) = records_in(read_moves(text.encode()))
    assert isinstance(record, PositionRecord)
    moves = text.split()[0]
    assert (record.score, record.tags) == (score, {"moves": moves})
    state = GAME.replay(GAME.initial(), GAME.parse_moves(GAME.initial(), moves))
    assert record.position == GAME.format_position(state)


def test_every_line_stands_for_itself():
    data = b"# a comment\n44\n\n4444444\n448\nhello\n12 3\n"
    items = list(read_moves(data))
    assert [item.place for item in items] == ["line 2", "line 4", "line 5", "line 6", "line 7"]
    assert [type(item) for item in items] == [Read, Rejected, Rejected, Rejected, Read]
    assert "the column is full" in items[1].reason
    assert "expected a number from 1 to 7" in items[2].reason


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("43434344", "move 8, '4': 4 cannot be played: the game is over"),
        ("1" * 43, "more moves than the board has cells; expected at most 42"),
        ("# width=99\n", "line 1: width=99: expected a whole number from 2 to 32"),
        ("# width=30\n", "line 1: a board of 30x6 needs 210 bits"),
    ],
)
def test_what_cannot_be_read_is_told(text, complaint):
    assert complaint in only_rejection(read_moves(text.encode()))


def test_a_comment_sets_the_size_of_the_board():
    first, second = records_in(read_moves(b"# width=9 height=3\n999\n# width=7\n7\n"))
    assert (texts_of(first), first.settings) == ("999", {"width": 9, "height": 3})
    assert (texts_of(second), second.settings) == ("7", {})


def test_under_settings_that_make_no_sense_nothing_is_read():
    items = list(read_moves(b"44\n# height=99\n44\n# height=6\n45\n"))
    assert [type(item) for item in items] == [Read, Rejected, Rejected, Read]
    assert items[2] == Rejected("line 3", "the settings above it cannot be used")


def test_a_comment_may_have_an_equals_sign():
    assert len(records_in(read_moves(b"# a=b\n# 1+1=2, says he\n44\n"))) == 1


@QUICKLY
@given(
    st.lists(
        st.tuples(st.sampled_from(SIZES), st.integers(0, 10**6), st.integers(1, 90)), max_size=4
    )
)
def test_what_is_written_is_read_again(games):
    records = [random_game(GAME, seed, most, **size) for size, seed, most in games]
    assert records_in(read_moves(write_moves(records))) == records


@QUICKLY
@given(st.integers(0, 10**6), st.integers(1, 20), st.integers(-21, 21), st.sampled_from(SIZES))
def test_scored_positions_are_read_again(seed, plies, score, size):
    start = GAME.initial(**size)
    moves = random_moves(GAME, start, seed, plies)
    text = "".join(str(move + 1) for move in moves)
    position = GAME.format_position(GAME.replay(start, moves))
    record = PositionRecord("connect4", position, size, score=score, tags={"moves": text})
    assert records_in(read_moves(write_moves([record]))) == [record]


def a_game(**changes) -> GameRecord:
    return replace(random_game(GAME, 1, 5), **changes)


@pytest.mark.parametrize(
    "record, complaint",
    [
        (a_game(game="othello"), "connect4 holds games of connect4, not of othello"),
        (a_game(moves=[]), "cannot hold a game without moves"),
        (a_game(position=GRID_POSITION), "games from the empty board only"),
        (a_game(settings={"width": 10, "height": 5}), "names columns by one digit: at most 9"),
        (PositionRecord("connect4", GRID_POSITION), "positions with their moves and score; try"),
        (PositionRecord("connect4", GRID_POSITION, score=1), "positions with their moves"),
    ],
)
def test_what_a_line_cannot_hold(record, complaint):
    with pytest.raises(Unsupported, match=complaint):
        write_moves([record])


@pytest.mark.parametrize(
    "text, low, high",
    [
        ("4453", 0.9, 0.9),
        ("32164625 11\n6146 18\n243335424257 12\n", 0.9, 0.9),
        ("# a comment\n4 4 5 3\n", 0.9, 0.9),
        ("12", 0.5, 0.5),
        ("4453\n4444444\n", 0.3, 0.6),
        ("8", 0.0, 0.0),
        ("4444444", 0.0, 0.0),
        ("f5d6", 0.0, 0.0),
        ("2832\n-4.0\n\n-52.0\n", 0.0, 0.0),
        ("", 0.0, 0.0),
        ("\n\n", 0.0, 0.0),
        ("# width=99\n44", 0.0, 0.0),
        ("445" * 13 + "\n44", 0.0, 0.0),
    ],
)
def test_recognising_moves(text, low, high):
    assert low <= recognises_moves(text.encode()) <= high


def test_a_file_that_was_cut_is_recognised():
    data = write_moves([random_game(GAME, seed) for seed in range(10)])
    assert recognises_moves(data[:95]) == 0.9
    assert recognises_moves(b"4453\n44444444444444") == 0.9


# ------------------------------------------------------------------ boards


@pytest.mark.parametrize(
    "text",
    [
        GRID,
        GRID.replace(".", "-").replace("X", "x"),
        GRID.replace("X", "●").replace("O", "○"),
        "1 2 3 4 5 6 7\n" + GRID.strip(),
        "\n".join(" ".join(row) for row in GRID.split()),
        "\n".join(f"| {' '.join(row)} |" for row in GRID.split()),
        GRID.strip() + "\nX\n",
        GRID_POSITION,
        GRID_POSITION + " X",
        "".join(GRID.split()),
        "".join(GRID.split()) + " X",
    ],
)
def test_a_board_in_any_guise(text):
    (record,) = records_in(read_grids(text.encode()))
    assert record == PositionRecord("connect4", GRID_POSITION)


def test_several_boards():
    data = f"{GRID}\n\n{GRID_POSITION}\n{GRID_POSITION}\n...O\n...X\n".encode()
    items = list(read_grids(data))
    assert [item.place for item in items] == [
        "lines 2 to 7",
        "line 10",
        "line 11",
        "lines 12 to 13",
    ]
    assert items[-1].record.settings == {"width": 4, "height": 2}


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("...\n....\n", "lines 1 to 2: the rows of a board must be of one length"),
        (GRID.replace("...O...", "......."), "hangs in the air"),
        (GRID.replace("O", "X"), "expected as many X as O, or one more"),
        (GRID.strip() + "\nO", "by the count of stones it is X who moves"),
        ("..q.\n....", "unexpected 'q'"),
        ("..\n..", "connect=4 does not fit"),
        ("." * 64, "width=64: expected"),
        ("/", "the rows of a board must be of one length"),
        ("\n".join(["........"] * 8), "a board of 8x8 needs 72 bits"),
    ],
)
def test_boards_that_cannot_be(text, complaint):
    assert complaint in only_rejection(read_grids(text.encode()))


@QUICKLY
@given(
    st.lists(
        st.tuples(st.sampled_from(SIZES[:2]), st.integers(0, 10**6), st.integers(0, 42)), max_size=4
    )
)
def test_boards_are_read_again(positions):
    records = []
    for size, seed, plies in positions:
        state = GAME.initial(**size)
        for move in random_moves(GAME, state, seed, plies):
            state = play(state, move)
        records.append(PositionRecord("connect4", GAME.format_position(state), size))
    assert records_in(read_grids(write_grids(records))) == records


def test_a_board_is_written_with_dots():
    record = PositionRecord("connect4", GRID_POSITION, score=5)
    assert write_grids([record]).decode() == GRID.lstrip()


@pytest.mark.parametrize(
    "record, complaint",
    [
        (a_game(), "holds positions, not games; try connect4"),
        (PositionRecord("othello", "-"), "holds games of connect4, not of othello"),
        (PositionRecord("connect4", GRID_POSITION, {"connect": 5}), "cannot tell that 5 in a row"),
    ],
)
def test_what_a_board_cannot_hold(record, complaint):
    with pytest.raises(Unsupported, match=complaint):
        write_grids([record])


@pytest.mark.parametrize(
    "text, sure",
    [
        (GRID, 0.95),
        (GRID_POSITION, 0.95),
        ("....\n....\n", 0.55),
        (GRID.replace("O", "X"), 0.0),
        ("-" * 27 + "OX------XO" + "-" * 27, 0.0),
        ("4453", 0.0),
        ("", 0.0),
    ],
)
def test_recognising_boards(text, sure):
    assert recognises_grids(text.encode()) == sure


# ------------------------------------------------------------------ the test sets of solvers

if ARCHIVES:
    SETS = sorted((Path(ARCHIVES) / "connect4").iterdir())

    @pytest.mark.parametrize("path", SETS, ids=lambda path: path.name)
    def test_a_whole_test_set_is_read_and_written_again(path):
        data = path.read_bytes()
        records = records_in(read_moves(data))
        assert len(records) == 1000
        assert all(isinstance(record, PositionRecord) for record in records)
        assert write_moves(records) == data
        assert recognises_moves(data) == 0.9
