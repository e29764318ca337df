"""The board as a list of player-column-row."""

from __future__ import annotations

import pytest
from format_tools import only_rejection, records_in
from hypothesis import given
from hypothesis import strategies as st
from othello_format_tools import QUICKLY, START, positions, sample, write

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord, PositionRecord
from plyground.formats.compressed_board import FORMAT


def only_position(text: str) -> str:
    (record,) = records_in(FORMAT.read(text.encode()))
    assert isinstance(record, PositionRecord)
    return record.position


def test_the_sample():
    records = records_in(FORMAT.read(sample("board.cboard")))
    assert [record.position for record in records] == [
        START,
        "---------------------------XX------XXX-------------------------- O",
    ]


def test_i_is_the_column_and_j_the_row_and_zero_is_white():
    assert only_position("0-2-0") == "--O" + "-" * 61 + " X"
    assert only_position("1-0-2") == "-" * 16 + "X" + "-" * 47 + " X"


@pytest.mark.parametrize("between", [",", ", ", " ", ";", ",\t"])
def test_discs_may_be_apart_in_any_way(between):
    assert only_position(between.join(["0-3-3", "1-3-4", "1-4-3", "0-4-4"])) == START


@pytest.mark.parametrize(
    "text, reason",
    [
        ("2-3-3", "line 1: '2-3-3': a player is 0 (white) or 1 (black)"),
        ("1-8-3", "line 1: '1-8-3': columns and rows go from 0 to 7"),
        ("1-3-33", "columns and rows go from 0 to 7"),
        ("1-3-3, 0-3-3", "line 1: 0-3-3: that cell was given before"),
        ("1-3", "line 1: '1-3': expected player-column-row, such as 1-3-4"),
        ("white, 1-3-3", "line 1: 'white': expected player-column-row"),
        ("", "line 1: nothing to read"),
    ],
)
def test_what_is_wrong_is_said(text, reason):
    assert reason in only_rejection(FORMAT.read(text.encode()))


@QUICKLY
@given(st.lists(positions(sizes=(8,)), max_size=3))
def test_positions_are_read_as_they_were_written(records):
    data = write(FORMAT, *records)
    assert [item.record for item in FORMAT.read(data) if records] == records


def test_cells_are_written_column_by_column():
    assert write(FORMAT, PositionRecord("othello", START)) == b"0-3-3, 1-3-4, 1-4-3, 0-4-4\n"
    empty = PositionRecord("othello", "-" * 64 + " X")
    assert write(FORMAT, empty) == b"black\n"
    assert records_in(FORMAT.read(b"black\n")) == [empty]


def test_what_it_cannot_hold_is_refused():
    with pytest.raises(Unsupported, match="holds boards of 8x8 only, not of 4x4"):
        write(FORMAT, PositionRecord("othello", "-----OX--XO----- X", {"size": 4}))
    with pytest.raises(Unsupported, match="holds positions, not games"):
        write(FORMAT, GameRecord("othello", ("", ""), []))


def test_recognising():
    assert FORMAT.recognises(sample("board.cboard")) == 0.97
    assert FORMAT.recognises(b"0-3-3") == 0.4
    assert FORMAT.recognises(b"white") == FORMAT.recognises(b"2004-09-18") == 0.0
    assert FORMAT.recognises(b"") == FORMAT.recognises(b"f5d6") == 0.0
