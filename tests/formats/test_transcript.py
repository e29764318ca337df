"""Othello games as lists of moves, in every spelling people paste."""

from __future__ import annotations

from dataclasses import replace

import pytest
from format_tools import only_rejection, records_in
from hypothesis import given
from hypothesis import strategies as st
from othello_format_tools import (
    QUICKLY,
    START,
    WHOLE,
    games,
    has_ended,
    random_record,
    sample,
    texts,
    wide,
    write,
)

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord, PositionRecord
from plyground.formats.spec import Read, Rejected
from plyground.formats.transcript import FORMAT

FIVE = "f5 d6 c3 d3 c4"


def only_game(text: str) -> GameRecord:
    (record,) = records_in(FORMAT.read(text.encode()))
    assert isinstance(record, GameRecord)
    return record


# ------------------------------------------------------------------ spellings


@pytest.mark.parametrize(
    "text",
    [
        "f5d6c3d3c4",
        "F5D6C3D3C4",
        "F5d6C3d3C4",
        "f5 d6 c3 d3 c4",
        "f5,d6,c3,d3,c4",
        "f5; d6; c3; d3; c4",
        "1. F5 d6 2. C3 d3 3. c4",
        "1.F5 d6 2.C3 d3 3.c4",
        "1. f5 2. d6 3. c3 4. d3 5. c4",
        wide("F5D6c3d3c4"),
        "\ufefff5d6c3d3c4\r\n",
        "f5\nd6\nc3\nd3\nc4\n",
        "f5d6\nc3d3\nc4",
        "1. f5 d6\n2. c3 d3\n3. c4",
        f"{START} f5d6c3d3c4",
        f"{START[:64]} f5d6c3d3c4",
        f"{START[:64]}Xf5 d6c3d3c4",
    ],
)
def test_one_game_in_many_spellings(text):
    record = only_game(text)
    assert texts(record) == FIVE
    assert [move.side for move in record.moves] == [0, 1, 0, 1, 0]
    assert (record.points, record.outcome, record.ended) == (None, None, "unfinished")
    assert (record.position, record.settings, record.tags) == (None, {}, {})


@pytest.mark.parametrize("spelling", ["", "pa", " PA ", "pass", " ps ", "--", " @@ "])
def test_passes_in_any_spelling_or_left_out(spelling):
    start = "XO--" + "----" * 3 + " O"
    record = only_game(f"{start} {spelling}c1")
    assert [(move.move, move.side) for move in record.moves] == [("pass", 1), ("c1", 0)]
    assert (record.position, record.settings, record.outcome) == (start, {"size": 4}, 16)


def test_a_list_of_games_of_every_kind():
    items = list(FORMAT.read(sample("games.txt")))
    assert all(isinstance(item, Read) for item in items)
    assert [item.place for item in items] == [
        *(f"line {number}" for number in range(2, 7)),
        "lines 8 to 10",
        "line 12",
        "line 13",
    ]
    assert [texts(item.record) for item in items[:6]] == [FIVE] * 6
    assert (items[6].record.outcome, items[6].record.tags) == (2, {})
    assert texts(items[6].record).split()[-3:] == ["h1", "pass", "g1"]
    assert items[7].record.position == START[:64] + " O"


# ------------------------------------------------------------------ results


@pytest.mark.parametrize(
    "told", ["", " 30-34", ": -04", " -4", "-4", " (30-34)", " 30:34", "\n30-34", "; -4"]
)
def test_a_result_that_agrees_with_the_board(told):
    record = only_game(WHOLE + told)
    assert (record.points, record.outcome, record.ended) == (0.0, -4, "over")
    assert record.tags == {}


def test_a_result_that_does_not_is_kept():
    assert only_game(f"{WHOLE} +6").tags == {"result": "+6"}
    assert only_game(f"{WHOLE} +6").outcome == -4


@pytest.mark.parametrize("told", [" 40-24", ": +16", " 16", ",16", "+16", ":16"])
def test_a_result_of_a_game_that_is_not_finished(told):
    record = only_game(f"f5d6{told}")
    assert texts(record) == "f5 d6"
    assert (record.points, record.outcome, record.ended) == (1.0, 16, "over")


# ------------------------------------------------------------------ one game or several


def test_a_line_that_begins_again_is_another_game():
    records = records_in(FORMAT.read(b"f5d6c3\nf5f6\nf5f4e3f6\n"))
    assert [texts(record) for record in records] == ["f5 d6 c3", "f5 f6", "f5 f4 e3 f6"]


def test_an_empty_line_or_a_first_number_begins_another_game():
    for text in (b"f5d6c3\n\nd3\n", b"f5d6c3\n1. d3"):
        assert [texts(record) for record in records_in(FORMAT.read(text))] == ["f5 d6 c3", "d3"]
    assert texts(only_game("f5d6c3\nd3")) == "f5 d6 c3 d3"


def test_of_lines_that_could_be_either_long_ones_are_games_and_short_ones_are_pieces():
    # All of the second line can be played after the first, and from the start.
    records = records_in(FORMAT.read(b"f5d6c3\nd3c5f6d2"))
    assert [texts(record) for record in records] == ["f5 d6 c3", "d3 c5 f6 d2"]
    assert texts(only_game("f5d6c3\nd3c5f6")) == "f5 d6 c3 d3 c5 f6"
    assert texts(only_game("1. f5 d6 2. c3\n3. d3 c5 f6 d2")) == "f5 d6 c3 d3 c5 f6 d2"


def test_a_mistake_in_a_later_line_rejects_the_game_there():
    told = only_rejection(FORMAT.read(b"f5 d6 c3 d3 c4\nf4 c5 a1"))
    assert told.startswith("line 2: move 8, 'a1': a1 is illegal: it turns no disc over (legal: ")


def test_one_bad_line_does_not_spoil_the_others():
    items = list(FORMAT.read(b"f5d6c3\na1b2\nf5f6\nhello\n\nf5d6\n"))
    assert [type(item) for item in items] == [Read, Rejected, Read, Rejected, Read]
    assert [item.place for item in items] == [f"line {n}" for n in (1, 2, 3, 4, 6)]


@pytest.mark.parametrize(
    "text, reason",
    [
        ("e4e5", "line 1: move 1, 'e4': e4 is illegal: the square is taken"),
        ("f5d6x9", "line 1: move 3, 'x9': column 'x' is off the board"),
        ("12", "line 1: no moves here; expected a line such as f5d6c3"),
        ("", "line 1: nothing to read; expected moves such as f5d6c3"),
        (f"{WHOLE}a1", "line 1: move 61, 'a1': a1 cannot be played: the game is over"),
    ],
)
def test_what_is_not_a_game_is_rejected(text, reason):
    assert only_rejection(FORMAT.read(text.encode())).startswith(reason)


def test_comments_are_skipped():
    assert texts(only_game("% one\n# two\n// three\nf5d6")) == "f5 d6"


# ------------------------------------------------------------------ writing, recognising


@QUICKLY
@given(st.lists(games(), min_size=1, max_size=3))
def test_games_are_read_as_they_were_written(records):
    assert records_in(FORMAT.read(write(FORMAT, *records))) == records


@QUICKLY
@given(games(), st.integers(-64, 64))
def test_a_result_that_is_not_on_the_board_is_written(record, outcome):
    if not has_ended(record):
        points = 0.5 if outcome == 0 else float(outcome > 0)
        record = replace(record, outcome=outcome, points=points, ended="over")
    assert records_in(FORMAT.read(write(FORMAT, record, record))) == [record, record]


def test_the_usual_form_has_no_passes_and_no_result():
    (record,) = records_in(FORMAT.read(sample("games.txt").splitlines()[11]))
    line = write(FORMAT, record).decode().strip()
    assert line.endswith("g7h1g1")
    assert len(line) == 120


def test_a_pass_at_the_end_of_an_unfinished_game_is_written():
    small = (random_record(seed, 4, most) for seed in range(99) for most in range(4, 12))
    record = next(each for each in small if each.moves[-1].move == "pass")
    assert write(FORMAT, record).endswith(b"pa\n")


def test_positions_and_other_games_are_refused():
    with pytest.raises(Unsupported, match="holds games, not single positions"):
        write(FORMAT, PositionRecord("othello", START))
    with pytest.raises(Unsupported, match="holds Othello only"):
        write(FORMAT, GameRecord("mnk", ("", ""), []))


@pytest.mark.parametrize(
    "text, sure",
    [
        ("f5d6c3", 0.9),
        ("1. F5 d6", 0.9),
        ("d3", 0.6),
        (START, 0.2),
        ("a1b2c3", 0.4),
        ("e4 e5 Nf3", 0.0),
        ("4453", 0.0),
        ("hello world", 0.0),
        ("", 0.0),
        ("+d3-c3+c4: -04 10", 0.0),
    ],
)
def test_recognising(text, sure):
    assert FORMAT.recognises(text.encode()) == sure
