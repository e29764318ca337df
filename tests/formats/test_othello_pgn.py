"""PGN for Othello."""

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
    has_ended,
    named_games,
    random_record,
    sample,
    texts,
    write,
)

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord, PositionRecord
from plyground.formats.othello_pgn import FORMAT, WIDTH
from plyground.formats.spec import Read, Rejected

CHESS = b"""[Event "?"]
[White "a"]
[Black "b"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 1-0
"""


def only_game(text: str) -> GameRecord:
    (record,) = records_in(FORMAT.read(text.encode()))
    assert isinstance(record, GameRecord)
    return record


# ------------------------------------------------------------------ reading


def test_a_game_as_edax_writes_it():
    record = records_in(FORMAT.read(sample("games.pgn")))[0]
    assert record.players == ('Edax 4.4 "fast"', "A \\ B")
    assert (record.date, record.event, record.tags) == ("2019-03-07", "", {"Site": "edax"})
    assert (record.points, record.outcome, record.ended) == (1.0, 2, "over")
    assert texts(record).split()[-3:] == ["h1", "pass", "g1"]


def test_a_game_that_began_elsewhere_with_comments_and_variations():
    record = records_in(FORMAT.read(sample("games.pgn")))[1]
    assert texts(record) == "g2 b6 h7 a2 c3 d2 e6 g5 f6"
    assert record.moves[0].side == 1
    assert record.position is not None
    assert (record.points, record.outcome, record.ended) == (1.0, 16, "time")
    assert (record.event, record.date) == ("Casual, (no) ", "2004")


def test_a_game_of_xboard_that_is_not_finished():
    record = records_in(FORMAT.read(sample("games.pgn")))[2]
    assert texts(record) == "f5 d6 c3"
    assert (record.points, record.ended, record.tags) == (
        None,
        "unfinished",
        {"Variant": "reversi"},
    )


@pytest.mark.parametrize(
    "text, points, outcome",
    [
        ("1. f5 d6 1-0", 1.0, None),
        ("1. f5 d6 0-1", 0.0, None),
        ("1. f5 d6 1/2-1/2", 0.5, None),
        ("1. f5 d6 40-24", 1.0, 16),
        ("1. f5 d6 *", None, None),
        ("1. f5 d6", None, None),
        ('[Result "0-1"]\n1. f5 d6', 0.0, None),
        ('[Result "30-34"]\n1. f5 d6 *', 0.0, -4),
    ],
)
def test_results(text, points, outcome):
    record = only_game(text)
    assert texts(record) == "f5 d6"
    assert (record.points, record.outcome) == (points, outcome)
    assert record.ended == ("unfinished" if points is None else "over")


def test_the_board_is_believed_before_the_result():
    assert only_game(f"{WHOLE} 0-1").tags == {}
    assert only_game(f"{WHOLE} 1-0").tags == {"result": "1-0"}
    assert only_game(f"{WHOLE} 1-0").outcome == -4


def test_time_of_day_by_the_tag_in_universal_time():
    text = '[Date "2004.09.18"]\n[UTCTime "05:54:38"]\n1. f5 *'
    assert only_game(text).date == "2004-09-18T05:54:38Z"


@pytest.mark.parametrize(
    "text, reason",
    [
        ("1. f5 f5", "game 1: move 2, 'f5': f5 is illegal: the square is taken"),
        ("hello", "game 1: move 1, 'hello': 'hello' is not a square"),
        ('[FEN "x"]\n1. f5', "game 1: 'x' is not a FEN"),
        ("1-0", "game 1: a result without a game"),
        ("(" * 6000, "game 1: more than 5,000 parts; not read further"),
        ("", "line 1: nothing to read; expected tags such as"),
    ],
)
def test_what_is_wrong_is_said(text, reason):
    assert only_rejection(FORMAT.read(text.encode())).startswith(reason)


def test_one_bad_game_does_not_spoil_the_others():
    text = b'[Black "a"]\n1. f5 *\n[Black "b"]\n1. a1 *\n1. d3 *\n[Black "d"]\n'
    items = list(FORMAT.read(text))
    assert [type(item) for item in items] == [Read, Rejected, Read, Read]
    assert [item.place for item in items] == ["game 1", "game 2", "game 3", "game 4"]


# ------------------------------------------------------------------ writing


@QUICKLY
@given(st.lists(named_games(), max_size=3))
def test_games_are_read_as_they_were_written(records):
    records = [replace(record, event=record.event.replace("?", "")) for record in records]
    records = [
        replace(record, players=tuple(name.replace("?", "") for name in record.players))
        for record in records
    ]
    data = write(FORMAT, *records)
    assert [item.record for item in FORMAT.read(data) if records] == records
    moves = [line for line in data.decode().splitlines() if not line.startswith("[")]
    assert max(map(len, moves), default=0) <= WIDTH


@QUICKLY
@given(
    named_games(),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.sampled_from(["resigned", "time", "forfeit", "illegal move", "over", "length"]),
)
def test_results_that_are_not_on_the_board(record, points, ended):
    if not has_ended(record):
        record = replace(record, points=points, ended=ended)
    (found,) = records_in(FORMAT.read(write(FORMAT, record)))
    assert (found.points, found.ended) == (record.points, record.ended)


def test_the_form_that_others_read():
    record = replace(random_record(5, most=4), players=('a "b"', ""), tags={"Site": "x", "No": "y"})
    first, second, third, fourth = texts(record).split()
    assert write(FORMAT, record).decode() == (
        '[Event "?"]\n[Site "x"]\n[Date "????.??.??"]\n[Round "?"]\n[Black "a \\"b\\""]\n'
        f'[White "?"]\n[Result "*"]\n\n1. {first} {second} 2. {third} {fourth} *\n'
    )


def test_when_white_begins_the_first_number_says_so():
    position = START.replace(" X", " O")
    record = GameRecord("othello", ("", ""), [], ended="unfinished", position=position)
    (moved,) = records_in(FORMAT.read(write(FORMAT, record).replace(b"\n*", b"\n1... d6 2. c4 *")))
    assert texts(moved) == "d6 c4"
    assert b"\n1... d6 2. c4 *\n" in write(FORMAT, moved)


def test_a_sample_survives_two_ways():
    records = records_in(FORMAT.read(sample("games.pgn")))
    again = records_in(FORMAT.read(write(FORMAT, *records)))
    assert again[0] == records[0]
    assert again[1] == replace(records[1], outcome=None, event="Casual, (no)")
    assert again[2] == records[2]


def test_what_it_cannot_hold_is_refused():
    with pytest.raises(Unsupported, match="PGN holds games, not single positions"):
        write(FORMAT, PositionRecord("othello", START))
    with pytest.raises(Unsupported, match="PGN holds Othello only"):
        write(FORMAT, GameRecord("kalah", ("", ""), []))


def test_recognising():
    assert FORMAT.recognises(sample("games.pgn")) == 0.97
    assert FORMAT.recognises(b"1. f5 d6 *") == 0.5
    assert FORMAT.recognises(b'[Black "a"]\n[White "b"]\n') == 0.2
    for other in (CHESS, b"", b"hello", b"4453", START.encode(), bytes(range(256))):
        assert FORMAT.recognises(other) == 0.0
