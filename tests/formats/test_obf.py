"""OBF: positions with the scores of their moves."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from format_tools import only_rejection, records_in
from hypothesis import given
from hypothesis import strategies as st
from othello_format_tools import QUICKLY, START, positions, sample, write

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord, PositionRecord
from plyground.formats.obf import FORMAT
from plyground.games.othello import GAME

ARCHIVE = os.environ.get("PLYGROUND_ARCHIVES", "")


def only_position(text: str) -> PositionRecord:
    (record,) = records_in(FORMAT.read(text.encode()))
    assert isinstance(record, PositionRecord)
    return record


def test_the_problems_of_fforum():
    records = records_in(FORMAT.read(sample("ffo.obf")))
    assert [record.score for record in records] == [18, 10, 2, 0, 32, 14, -8]
    assert records[0].scores["g8"] == 18
    assert [record.tags["comment"] for record in records] == ["1", "2", "3", "4", "5", "6", "9"]
    for record in records:
        state = GAME.parse_position(GAME.initial(), record.position)
        assert {GAME.format_move(state, m) for m in GAME.legal(state)} == record.scores.keys()


def test_the_scores_may_be_missing_or_only_one():
    assert only_position(f"{START};") == PositionRecord("othello", START)
    assert only_position(f"{START}; +18;").score == 18
    both = only_position(f"{START}; F5:+2; -4;")
    assert (both.scores, both.score) == ({"f5": 2}, -4)


def test_the_best_move_need_not_come_first():
    assert only_position(f"{START}; f5:-2; D3:+4;  c4 : 0").score == 4


@pytest.mark.parametrize(
    "text, reason",
    [
        ("hello", "line 1: 'hello' does not begin with a board"),
        (START[:64] + ";", "does not begin with a board"),
        ("-----OX--XO----- X;", "OBF holds boards of 8x8 only, not of 4x4"),
        (f"{START}; a1:+2;", "a1 is illegal: it turns no disc over"),
        (f"{START}; nonsense;", "field 'nonsense': expected a move and its score, G8:+18"),
        ("", "line 1: nothing to read"),
    ],
)
def test_what_is_wrong_is_said(text, reason):
    assert reason in only_rejection(FORMAT.read(text.encode()))


@st.composite
def scored(draw) -> PositionRecord:
    record = draw(positions(sizes=(8,)))
    state = GAME.parse_position(GAME.initial(), record.position)
    moves = [GAME.format_move(state, move) for move in GAME.legal(state)]
    values = st.integers(-64, 64)
    scores = {move: draw(values) for move in moves if draw(st.booleans())}
    score = draw(st.one_of(st.just(max(scores.values())), values) if scores else values)
    comment = draw(st.sampled_from(["", "FForum 40", "50 % sure; of it"]))
    return replace(record, scores=scores, score=score, tags={"comment": comment} if comment else {})


@QUICKLY
@given(st.lists(scored(), max_size=3))
def test_positions_are_read_as_they_were_written(records):
    data = write(FORMAT, *records)
    assert [item.record for item in FORMAT.read(data) if records] == records
    assert data.count(b"\n") == len(records)


def test_the_form_that_edax_reads():
    record = PositionRecord("othello", START, scores={"d3": -2, "f5": 0})
    assert write(FORMAT, record) == f"{START}; F5:+0; D3:-2;\n".encode()


def test_what_it_cannot_hold_is_refused():
    with pytest.raises(Unsupported, match="OBF holds boards of 8x8 only, not of 4x4"):
        write(FORMAT, PositionRecord("othello", "-----OX--XO----- X", {"size": 4}))
    with pytest.raises(Unsupported, match="OBF holds positions, not games"):
        write(FORMAT, GameRecord("othello", ("", ""), []))


def test_recognising():
    assert FORMAT.recognises(sample("ffo.obf")) == 0.97
    assert FORMAT.recognises(START.encode()) == 0.1
    assert FORMAT.recognises(b"f5d6c3") == FORMAT.recognises(b"") == 0.0


if ARCHIVE:

    def test_all_the_problems_of_the_archive():
        rows = (Path(ARCHIVE) / "othello" / "ffo-01-49.tsv").read_text("utf-8").splitlines()
        fields = [row.split("\t") for row in rows if not row.startswith("#")]
        lines = [f"{f[1]} {f[2]}; {f[6].replace(',', '; ')};" for f in fields]
        records = records_in(FORMAT.read("\n".join(lines).encode()))
        assert len(records) == len(fields) >= 49
        assert [record.score for record in records] == [int(f[4]) for f in fields]
