"""SGF for Othello."""

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
    sample,
    texts,
    write,
)

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord, MoveRecord, PositionRecord
from plyground.formats.othello_sgf import FORMAT
from plyground.formats.spec import Read, Rejected


def only_game(text: str) -> GameRecord:
    (record,) = records_in(FORMAT.read(text.encode()))
    assert isinstance(record, GameRecord)
    return record


# ------------------------------------------------------------------ reading


def test_the_sample():
    *games, go = FORMAT.read(sample("games.sgf"))
    edax, quarry, small = [game.record for game in games]
    assert go == Rejected("game 4", "GM[1] is another game; Othello is GM[2]")
    assert edax.players == ("Edax", "b \\ ] c")
    assert (edax.date, edax.tags, edax.position) == ("2019-03-07", {"PC": "Edax"}, None)
    assert (edax.outcome, texts(edax).split()[-3:]) == (2, ["h1", "pass", "g1"])
    assert texts(quarry) == "f5 d6 c3 d3"
    assert (quarry.points, quarry.outcome, quarry.ended) == (0.0, None, "resigned")
    assert quarry.tags == {"C": "two branches: one line"}
    assert (small.position, small.settings) == ("XO-------------- O", {"size": 4})
    assert (texts(small), small.outcome, small.tags) == ("pass c1", 16, {"result": "B+T"})


def test_only_the_first_branch_is_followed():
    assert texts(only_game("(;GM[2](;B[f5](;W[d6])(;W[f6]))(;B[d3];W[c3]))")) == "f5 d6"


def test_go_points_are_understood():
    assert texts(only_game("(;GM[2];B[fe];W[df];B[cc])")) == "f5 d6 c3"


def test_the_first_move_tells_who_begins_where_discs_are_set_up():
    record = only_game("(;GM[2]AB[a1];W[d6])")
    assert record.position == "X" + START[1:-1] + "O"
    assert record.moves == [MoveRecord("d6", 1)]


@pytest.mark.parametrize(
    "told, points, outcome, ended",
    [
        ("B+12", 1.0, 12, "over"),
        ("W+2.0", 0.0, -2, "over"),
        ("0", 0.5, 0, "over"),
        ("Draw", 0.5, 0, "over"),
        ("B+", 1.0, None, "over"),
        ("W+R", 0.0, None, "resigned"),
        ("b+time", 1.0, None, "time"),
        ("W+Forfeit", 0.0, None, "forfeit"),
        ("Void", None, None, "unfinished"),
        ("?", None, None, "unfinished"),
    ],
)
def test_results(told, points, outcome, ended):
    record = only_game(f"(;GM[2]RE[{told}];B[f5])")
    assert (record.points, record.outcome, record.ended) == (points, outcome, ended)


def test_the_board_is_believed_before_the_result():
    moves = "".join(f";{'BW'[at // 2 % 2]}[{WHOLE[at : at + 2]}]" for at in range(0, 120, 2))
    assert only_game(f"(;GM[2]RE[W+4]{moves})").tags == {}
    assert only_game(f"(;GM[2]RE[B+4]{moves})").tags == {"result": "B+4"}


@pytest.mark.parametrize(
    "text, reason",
    [
        ("(;GM[2];B[f5];B[d6])", "game 1: move 2, 'd6': it is White's turn"),
        ("(;GM[2];B[a1])", "game 1: move 1, 'a1': a1 is illegal"),
        ("(;GM[2]SZ[5];B[a1])", "game 1: a board of 5x5"),
        ("(;GM[2]SZ[8:9])", "game 1: SZ[8:9]: expected a number of squares"),
        ("(;GM[2]AB[k1])", "game 1: column 'k' is off the board"),
        ("(;GM[2]AB[])", "game 1: 'pass' is not a square"),
        ("(;GM[2];B[f5];AB[a1])", "game 1: discs are put on the board in the middle of the game"),
        ("(;GM[2];B[f5]", "game 1: expected ; or a property such as PB[name] at ''"),
        ("(;GM[2", "game 1: the value of GM has no ] at its end"),
        ("(;GM[2\\]", "game 1: the value of GM has no ] at its end"),
        ("hello", "line 1: nothing to read; expected games such as (;GM[2]"),
    ],
)
def test_what_is_wrong_is_said(text, reason):
    assert only_rejection(FORMAT.read(text.encode())).startswith(reason)


def test_a_tree_without_end_is_given_up():
    assert "100,000 parts" in only_rejection(FORMAT.read(b"(;" + b";" * 200_000))


def test_one_bad_game_does_not_spoil_the_others():
    items = list(FORMAT.read(b"(;GM[2];B[f5])(;GM[2];B[a1])(;!)(;GM[2];B[d3])"))
    assert [type(item) for item in items] == [Read, Rejected, Rejected, Read]
    assert [item.place for item in items] == ["game 1", "game 2", "game 3", "game 4"]


# ------------------------------------------------------------------ writing


@QUICKLY
@given(st.lists(named_games(), max_size=3))
def test_games_are_read_as_they_were_written(records):
    records = [replace(record, date=record.date[:10]) for record in records]
    data = write(FORMAT, *records)
    assert [item.record for item in FORMAT.read(data) if records] == records


@QUICKLY
@given(
    named_games(),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.sampled_from(["resigned", "time", "forfeit", "over"]),
)
def test_results_that_are_not_on_the_board(record, points, ended):
    if not has_ended(record):
        record = replace(record, points=points, ended=ended)
    (found,) = records_in(FORMAT.read(write(FORMAT, record)))
    assert found.points == record.points
    if points != 0.5:
        assert (found.ended, found.outcome) == (record.ended, record.outcome)


def test_the_form_that_others_read():
    record = GameRecord(
        "othello",
        ("a]", "b\\"),
        [MoveRecord("f5", 0), MoveRecord("d6", 1)],
        points=1.0,
        ended="resigned",
        date="2004-09-18T05:54:38Z",
        tags={"RO": "2", "longer": "x"},
    )
    assert write(FORMAT, record).decode() == (
        "(;FF[4]GM[2]CA[UTF-8]AP[Plyground]SZ[8]DT[2004-09-18]PB[a\\]]PW[b\\\\]RE[B+R]RO[2]\n"
        "AB[e4][d5]AW[d4][e5]PL[B]\n;B[f5];W[d6])\n"
    )


def test_empty_squares_in_the_middle_are_said():
    position = "X" + "-" * 63 + " O"
    record = GameRecord("othello", ("", ""), [], ended="unfinished", position=position)
    assert b"AB[a1]AE[d4][e4][d5][e5]PL[W]" in write(FORMAT, record)
    (found,) = records_in(FORMAT.read(write(FORMAT, record)))
    assert found.position == position


def test_what_it_cannot_hold_is_refused():
    with pytest.raises(Unsupported, match="SGF holds games, not single positions"):
        write(FORMAT, PositionRecord("othello", START))
    with pytest.raises(Unsupported, match="SGF holds Othello only"):
        write(FORMAT, GameRecord("kalah", ("", ""), []))


def test_recognising():
    assert FORMAT.recognises(sample("games.sgf")) == 0.98
    assert FORMAT.recognises(b"(;PB[a];B[f5])") == 0.3
    for other in (b"(;GM[1];B[pd])", b"(;GM[Othello]B[f5];)", b"", b"f5d6", bytes(range(256))):
        assert FORMAT.recognises(other) == 0.0
