"""Game lists of Logistello, by plain Python and by compiled rules."""

from __future__ import annotations

import gzip
import os
from dataclasses import replace
from pathlib import Path

import pytest
from format_tools import only_rejection, records_in
from hypothesis import given
from othello_format_tools import QUICKLY, START, games, random_record, sample, write

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord, PositionRecord
from plyground.formats import logistello
from plyground.formats.logistello import FORMAT
from plyground.formats.spec import Read, Rejected

ARCHIVE = os.environ.get("PLYGROUND_ARCHIVES", "")


def test_the_sample():
    records = records_in(FORMAT.read(sample("logistello.gam")))
    assert [record.outcome for record in records] == [-4, 0, 2, -4, 4, 2]
    assert all(record.ended == "over" for record in records)
    assert [len(record.moves) for record in records[:4]] == [60, 61, 61, 60]
    assert all(record.tags["count"] == "10" for record in records)


def test_discs_alone_were_counted_where_squares_are_empty():
    records = records_in(FORMAT.read(sample("logistello.gam")))
    assert [record.tags.get("result") for record in records] == [None] * 4 + ["+03", "+01"]


@pytest.mark.parametrize(
    "line, reason",
    [
        ("+d3-c3", "line 1: '+d3-c3'; expected moves and a result, +d3-c3+c4: -04 10"),
        ("+d3+c3: +02 1", "line 1: move 2, 'c3': it is White's turn"),
        ("-d3: +02 1", "line 1: move 1, 'd3': it is Black's turn"),
        ("+d3-d3: +02 1", "line 1: move 2, 'd3': d3 is illegal: the square is taken"),
        ("+i3: +02 1", "line 1: '+i3: +02 1'; expected moves"),
        ("", "line 1: nothing to read"),
    ],
)
def test_what_is_wrong_is_said(line, reason):
    assert only_rejection(FORMAT.read(line.encode())).startswith(reason)


def test_a_result_of_a_game_that_is_not_finished_is_believed():
    (record,) = records_in(FORMAT.read(b"+d3-c3:+12"))
    assert (record.points, record.outcome, record.ended, record.tags) == (1.0, 12, "over", {})


def test_compiled_rules_and_plain_python_agree(monkeypatch):
    spoilt = ["+d3+c3: +02 1", "nonsense", "+d3-c3: -02 7", "+d3-d3: +00 1"]
    lines = [*sample("logistello.gam").decode().splitlines(), *spoilt]
    data = "\n".join(lines).encode()
    singly = list(FORMAT.read(data))
    monkeypatch.setattr(logistello, "MANY", len(lines))
    monkeypatch.setattr(logistello, "_read_line", only_spoilt(logistello._read_line, spoilt))
    together = list(FORMAT.read(data))
    assert together == singly
    assert [type(item) for item in together] == [Read] * 6 + [Rejected, Rejected, Read, Rejected]


def only_spoilt(read_line, spoilt):
    """Plain Python as it is, for lines that compiled rules cannot explain."""

    def read(line):
        assert line in spoilt
        return read_line(line)

    return read


@QUICKLY
@given(games(sizes=(8,), elsewhere=False))
def test_games_are_read_as_they_were_written(record):
    record = replace(record, tags={"count": "3"})
    if record.outcome is None or not record.moves:
        with pytest.raises(Unsupported, match="with a result in discs only"):
            write(FORMAT, record)
    else:
        assert records_in(FORMAT.read(write(FORMAT, record, record))) == [record, record]


def test_the_first_line_is_written_as_it_was():
    first = sample("logistello.gam").splitlines()[0] + b"\n"
    assert write(FORMAT, *records_in(FORMAT.read(first))) == first
    assert write(FORMAT, replace(random_record(3), tags={})).endswith(b" 1\n")


def test_what_it_cannot_hold_is_refused():
    told = {"points": 1.0, "outcome": 2}
    with pytest.raises(Unsupported, match="holds games, not single positions"):
        write(FORMAT, PositionRecord("othello", START))
    with pytest.raises(Unsupported, match="boards of 8x8 only, not of 6x6"):
        write(FORMAT, random_record(1, 6))
    with pytest.raises(Unsupported, match="from the usual first position only"):
        write(FORMAT, replace(random_record(1, elsewhere=True), **told))
    with pytest.raises(Unsupported, match="with moves only"):
        write(FORMAT, GameRecord("othello", ("", ""), [], **told))


def test_recognising():
    assert FORMAT.recognises(sample("logistello.gam")) == 0.98
    assert FORMAT.recognises(b"f5d6c3") == FORMAT.recognises(b"") == 0.0
    assert FORMAT.recognises(b"-4 +3") == 0.0


if ARCHIVE:

    def test_the_whole_list():
        """Every game is legal to its end; only the counting of empty squares differs."""
        path = Path(ARCHIVE) / "othello" / "logistello-games.gam.gz"
        count, disagreeing = 0, []
        for item in FORMAT.read(gzip.decompress(path.read_bytes())):
            assert isinstance(item, Read), item
            assert item.record.ended == "over"
            count += 1
            if "result" in item.record.tags:
                disagreeing.append(item.record)
        assert (count, len(disagreeing)) == (121_123, 1_477)
        for record in disagreeing:
            told, empty = (
                int(record.tags["result"]),
                60 - sum(m.move != "pass" for m in record.moves),
            )
            assert empty > 0
            assert record.outcome == told + (empty if told > 0 else -empty)
