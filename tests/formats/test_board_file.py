"""Board files of the Reversi course: side to move, rows, comments."""

from __future__ import annotations

import pytest
from format_tools import only_rejection, records_in
from hypothesis import given
from hypothesis import strategies as st
from othello_format_tools import QUICKLY, SIZES, START, positions, sample, write

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord, PositionRecord
from plyground.formats.board_file import FORMAT
from plyground.formats.spec import Read, Rejected
from plyground.games.othello import GAME

SMALL = "X\n_ _ _ _\n_ O X _\n_ X O _\n_ _ _ _\n"


def test_the_sample():
    items = list(FORMAT.read(sample("course.board")))
    assert all(isinstance(item, Read) for item in items)
    assert [item.place for item in items] == ["lines 2 to 9", "lines 12 to 16"]
    assert [(item.record.position, item.record.settings) for item in items] == [
        (GAME.format_position(GAME.initial(size=6)), {"size": 6}),
        ("-----OX--XXX---- O", {"size": 4}),
    ]


@pytest.mark.parametrize("size", SIZES)
def test_the_number_of_rows_is_the_size(size):
    text = GAME.format_position(GAME.initial(size=size))
    record = PositionRecord("othello", text, {} if size == 8 else {"size": size})
    assert records_in(FORMAT.read(write(FORMAT, record))) == [record]


@pytest.mark.parametrize(
    "text",
    [
        SMALL,
        SMALL.replace(" ", ""),
        SMALL.replace("_", "-").replace("O", "0"),
        SMALL.replace("_", ".").lower(),
        SMALL.replace("\n", " # X O comment\n").replace("_", "\t_", 1),
        "# comment\n\n" + SMALL.replace("\n", "\r\n\r\n"),
    ],
)
def test_blanks_comments_and_symbols(text):
    (record,) = records_in(FORMAT.read(text.encode()))
    assert record == PositionRecord("othello", "-----OX--XO----- X", {"size": 4})


@pytest.mark.parametrize(
    "text, reason",
    [
        ("____\n____\n", "line 1: '____'; expected the side to move, X or O"),
        ("_\n____\n", "line 1: '_'; expected the side to move"),
        ("X\n____\n_OX_\n", "line 1: the board ends after 2 rows; expected 4 of them"),
        ("X\n", "line 1: the board ends after 0 rows; expected rows of X, O and _"),
        ("X\n____\n___\n____\n____\n", "line 1: line 3 has 3 squares; expected 4 as above"),
        ("X\n____\n_*__\n____\n____\n", "line 1: line 3 has a '*'; expected X, O, _ or a #"),
        ("X\n__\n__\n", "line 1: a board of 2x2; expected 4, 6, 8 or 10"),
        ("# only a comment", "line 1: nothing to read"),
    ],
)
def test_what_is_wrong_is_said_once(text, reason):
    assert only_rejection(FORMAT.read(text.encode())).startswith(reason)


def test_one_bad_board_does_not_spoil_the_others():
    items = list(FORMAT.read(f"{SMALL}\nX\n____\n_?__\n____\n____\n{SMALL}".encode()))
    assert [type(item) for item in items] == [Read, Rejected, Read]


@QUICKLY
@given(st.lists(positions(), max_size=3))
def test_positions_are_read_as_they_were_written(records):
    data = write(FORMAT, *records)
    assert [item.record for item in FORMAT.read(data) if records] == records


def test_the_form_that_the_course_reads():
    record = PositionRecord("othello", "-----OX--XO----- X", {"size": 4})
    assert write(FORMAT, record).decode() == SMALL


def test_what_it_cannot_hold_is_refused():
    with pytest.raises(Unsupported, match="a board file holds positions, not games"):
        write(FORMAT, GameRecord("othello", ("", ""), []))
    with pytest.raises(Unsupported, match="a board file holds Othello only"):
        write(FORMAT, PositionRecord("mnk", "---"))


def test_recognising():
    assert FORMAT.recognises(sample("course.board")) == 0.97
    assert FORMAT.recognises(b"X\n____\n_OX_\n") == 0.5
    assert FORMAT.recognises(b"X\n__\n__\n") == 0.0
    for other in (b"", START.encode(), b"f5d6c3", b"____\n____\n____\n____\nX"):
        assert FORMAT.recognises(other) == 0.0
