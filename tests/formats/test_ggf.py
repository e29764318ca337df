"""GGF: the games of GGS and NBoard."""

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
from plyground.core.records import GameRecord, MoveRecord, PositionRecord
from plyground.core.scores import Score
from plyground.formats.ggf import FORMAT
from plyground.formats.spec import Read, Rejected
from plyground.games.othello import GAME


def only_game(text: str) -> GameRecord:
    (record,) = records_in(FORMAT.read(text.encode()))
    assert isinstance(record, GameRecord)
    return record


# ------------------------------------------------------------------ reading


def test_a_game_of_the_server():
    record = records_in(FORMAT.read(sample("games.ggf")))[0]
    assert record.players == ("anna+", "Bo the 2nd")
    assert (record.event, record.date) == ("GGS/os", "2004-09-18")
    assert (record.points, record.outcome, record.ended) == (1.0, 2, "over")
    assert record.tags == {
        "RB": "2213.41",
        "RW": "1980.00",
        "TI": "05:00//02:00",
        "DT": "2004.09.18_05:54:38.MDT",
    }
    assert texts(record).split()[-3:] == ["h1", "pass", "g1"]
    assert record.moves[:4] == [
        MoveRecord("d3", 0, 0.01, Score(0, "heuristic")),
        MoveRecord("c3", 1, 2.45),
        MoveRecord("c4", 0, 13.2, Score(-2, "heuristic")),
        MoveRecord("e3", 1, 65.5, Score(3, "heuristic")),
    ]


def test_two_games_of_a_match_that_are_not_finished():
    _, first, second, _ = records_in(FORMAT.read(sample("games.ggf")))
    assert (first.points, first.outcome, first.ended) == (1.0, 24, "resigned")
    assert first.position is not None
    assert first.tags["TY"] == "s8r20"
    assert first.date == "2012-11-03T17:20:05Z"
    assert (second.points, second.outcome, second.ended) == (0.0, None, "time")
    assert (second.position, texts(second)) == (None, "f5 d6 c3")
    assert second.tags["CO"] == "a comment (;with marks"


def test_a_board_of_another_size():
    record = records_in(FORMAT.read(sample("games.ggf")))[3]
    assert (record.settings, record.position) == ({"size": 6}, None)
    assert (record.ended, record.outcome) == ("over", -20)
    assert only_game("(;GM[Othello]TY[10]B[e4];)").settings == {"size": 10}


def test_properties_may_stand_in_any_shape():
    record = only_game("junk 1 (; PB [ a ]\n pw[b]\tB[ F5 / / 1 ]W[d6/?/x] ; )")
    assert (record.players, texts(record)) == (("a", "b"), "f5 d6")
    assert record.moves[0] == MoveRecord("f5", 0, 1.0)
    assert record.moves[1] == MoveRecord("d6", 1)


@pytest.mark.parametrize(
    "told, points, outcome, ended",
    [
        ("+12.00", 1.0, 12, "over"),
        ("-2", 0.0, -2, "over"),
        ("0.000:s", 0.5, 0, "over"),
        ("-14.00:t", 0.0, -14, "time"),
        ("+64.00:r", 1.0, None, "resigned"),
        ("+0.5", 1.0, None, "over"),
        ("?", None, None, "unfinished"),
        ("", None, None, "unfinished"),
    ],
)
def test_results(told, points, outcome, ended):
    record = only_game(f"(;GM[Othello]RE[{told}]B[f5];)")
    assert (record.points, record.outcome, record.ended) == (points, outcome, ended)


def test_the_board_is_believed_before_the_result():
    moves = "".join(
        f"{'BW'[at % 2]}[{WHOLE[2 * at : 2 * at + 2]}]" for at in range(len(WHOLE) // 2)
    )
    record = only_game(f"(;GM[Othello]RE[+20.00]{moves};)")
    assert (record.outcome, record.tags) == (-4, {"result": "+20.00"})


@pytest.mark.parametrize(
    "text, reason",
    [
        ("(;GM[Amazons]B[a1];)", "game 1: GM[Amazons] is another game"),
        ("(;TY[8a]B[f5];)", "game 1: TY[8a] is Anti-Othello, another game"),
        ("(;TY[12]B[f5];)", "game 1: a board of 12x12; expected 4, 6, 8 or 10"),
        ("(;BO[8 --- *];)", "game 1: the board has 3 cells; expected 64"),
        ("(;BO[*** *];)", "game 1: BO[*** *]: expected the size before the board"),
        ("(;B[f5]B[d6];)", "game 1: move 2, 'd6': it is White's turn"),
        ("(;B[a1];)", "game 1: move 1, 'a1': a1 is illegal: it turns no disc over"),
        ("(;B[f5]", "game 1: expected a property such as PB[name] or ;) at ''"),
        ("(;B[f5", "game 1: the value of B has no ] at its end"),
        ("(;!", "game 1: expected a property"),
        ("(;" + "CO[]" * 2000 + ";)", "game 1: a game of more than 1000 properties"),
        ("hello", "line 1: nothing to read; expected games such as (;GM[Othello]"),
    ],
)
def test_what_is_wrong_is_said(text, reason):
    assert only_rejection(FORMAT.read(text.encode())).startswith(reason)


def test_one_bad_game_does_not_spoil_the_others():
    items = list(FORMAT.read(b"(;B[f5];)(;B[a1];)(;!(;B[d3];)"))
    assert [type(item) for item in items] == [Read, Rejected, Rejected, Read]
    assert [item.place for item in items] == ["game 1", "game 2", "game 3", "game 4"]


# ------------------------------------------------------------------ writing


def cleaned(text: str) -> str:
    return text.replace("[", "(").replace("]", ")")


@QUICKLY
@given(st.lists(named_games(), max_size=3))
def test_games_are_read_as_they_were_written(records):
    expected = [
        replace(
            record,
            players=tuple(cleaned(name) for name in record.players),
            event=cleaned(record.event),
        )
        for record in records
    ]
    found = [item.record for item in FORMAT.read(write(FORMAT, *records)) if records]
    assert found == expected


@QUICKLY
@given(
    named_games(),
    st.sampled_from([0, 0.5, 1]),
    st.sampled_from(["resigned", "time", "over"]),
    st.booleans(),
)
def test_results_that_are_not_on_the_board(record, points, ended, is_counted):
    if not has_ended(record):
        outcome = int(20 * (points - 0.5)) if is_counted else None
        record = replace(record, points=float(points), ended=ended, outcome=outcome)
    (found,) = records_in(FORMAT.read(write(FORMAT, record)))
    assert found.points == record.points
    if points != 0.5 and is_counted:
        assert (found.outcome, found.ended) == (record.outcome, record.ended)


@QUICKLY
@given(
    st.integers(0, 99),
    st.lists(
        st.tuples(
            st.floats(0, 999).map(lambda time: round(time, 3)),
            st.one_of(st.none(), st.integers(-64, 64)),
        ),
        min_size=20,
        max_size=20,
    ),
)
def test_evaluations_and_times_are_kept(seed, told):
    record = random_record(seed, most=20)
    moves = [
        replace(move, time_s=time, score=None if value is None else Score(value, "heuristic"))
        for move, (time, value) in zip(record.moves, told, strict=True)
    ]
    record = replace(record, moves=moves)
    assert records_in(FORMAT.read(write(FORMAT, record))) == [record]


def test_the_form_that_others_read():
    start = "8 ---------------------------O*------*O--------------------------- *"
    record = GameRecord(
        "othello",
        ("a", "b"),
        [MoveRecord("f5", 0, 1.5, Score(3, "proven")), MoveRecord("d6", 1, 0.25)],
        points=1.0,
        outcome=12,
        ended="time",
        date="2004-09-18T05:54:38Z",
        event="GGS/os",
        tags={"RB": "1700", "result": "x", "long": "y"},
    )
    assert write(FORMAT, record).decode() == (
        "(;GM[Othello]PC[GGS/os]DT[2004.09.18_05:54:38.GMT]PB[a]PW[b]RE[+12.00:t]TY[8]RB[1700]"
        f"BO[{start}]B[F5/3.00/1.500]W[D6//0.250];)\n"
    )


def test_a_win_in_so_many_moves_is_no_number_of_discs():
    moves = [MoveRecord("f5", 0, 0.0, Score(3, "win"))]
    record = GameRecord("othello", ("", ""), moves, ended="unfinished")
    assert b"B[F5];)" in write(FORMAT, record)


def test_a_sample_survives_two_ways():
    records = records_in(FORMAT.read(sample("games.ggf")))
    assert records_in(FORMAT.read(write(FORMAT, *records))) == records


def test_what_it_cannot_hold_is_refused():
    with pytest.raises(Unsupported, match="GGF holds games, not single positions"):
        write(FORMAT, PositionRecord("othello", START))
    with pytest.raises(Unsupported, match="GGF holds Othello only"):
        write(FORMAT, GameRecord("kalah", ("", ""), []))


def test_recognising():
    assert FORMAT.recognises(sample("games.ggf")) == 0.98
    assert FORMAT.recognises(b"2 (;GM[othello]PB[a];)") == 0.98
    assert FORMAT.recognises(b"(;GM[2]SZ[8];B[f5])") == 0.0
    assert FORMAT.recognises(b"(;PB[a]BO[8 ---") == 0.5
    assert FORMAT.recognises(b"(;PB[a]") == 0.05
    assert FORMAT.recognises(b"see (;GM[Othello]") == FORMAT.recognises(b"f5d6") == 0.0
    assert GAME.name in FORMAT.games
