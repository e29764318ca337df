"""Whatever the bytes: readers give items, recognisers a number, writers bytes or a refusal.

Inputs are arbitrary, or short texts of every format with parts changed, lost, doubled, or taken
from a text of another format. With `-m full` there are many more of them, of whole samples too.
"""

from __future__ import annotations

import random

import pytest
from format_tools import check_items
from hypothesis import given, settings
from hypothesis import strategies as st
from othello_format_tools import SAMPLES, START, sample

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord, PositionRecord
from plyground.formats import (
    board_file,
    boards,
    compressed_board,
    ggf,
    logistello,
    obf,
    othello_pgn,
    othello_sgf,
    transcript,
)
from plyground.formats.spec import Format, Read

SINGLE = (
    transcript,
    obf,
    ggf,
    othello_pgn,
    othello_sgf,
    logistello,
    compressed_board,
    board_file,
)
FORMATS = {each.name: each for each in (*boards.FORMATS, *(module.FORMAT for module in SINGLE))}
EACH = pytest.mark.parametrize("found", FORMATS.values(), ids=FORMATS)
MEGABYTE = 2**20
MOST_ITEMS = 1001  # of nonsense, before a reader gives up

SHORT = {
    "othello-board": f"{START}\n{START[:64]} -4\n----\n-OX-\n-XO-\n----\nX to move\n",
    "othello-fen": "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1\n4/1pP1/1Pp1/4 w\n",
    "othello-transcript": f"f5d6c3 d3\n1. F5 f4 2. E3 f6: +12\n\n{START} f5pad6\nf5\nd6\n40-24\n",
    "obf": f"% x\n{START}; F5:+0; d3:-2; +3; % y\n",
    "ggf": f"2 (;GM[Othello]PB[a]RE[+2.0:r]TY[8]BO[8 {START}]B[F5/1.5/2]W[D6//1:00];)(;B[d3];)",
    "othello-pgn": '[Black "a\\"b"]\n[Date "2004.??.??"]\n\n1. f5 {x} d6 (1... f6) 2. c3 1-0\n',
    "othello-sgf": "(;GM[2]SZ[8]PB[a\\]b]RE[B+R]AB[a1:b2][c1]PL[B];B[f5](;W[d6])(;W[f6]))",
    "logistello": "+d3-c3+c4-e3: -04 10\n+f5-d6: +12\n",
    "compressed-board": "0-3-3, 1-3-4, 1-4-3, 0-4-4\n1-0-0 white\n",
    "board-file": "# x\nX\n_ _ _ _\n_ O X _\n_ X O _\n_ _ _ _ # y\n",
}
# What would take a careless reader a long time or much memory.
TIRING = ["(;", "(;A[", "(;A[]", "[", '[a "', "{", "(", "f5", "f5 d6\n", "\n", "X\n", "-", "-" * 8]
TIRING += ["\\", "(;A[\\", "1-0 ", "1-1-1,", "+d3", "\u3000", "\ufdfa", "\ufdfa\n", "|", "%", "\0"]


def check(found: Format, data: bytes) -> None:
    """Everything that is promised for any bytes."""
    items = list(found.read(data))
    assert check_items(items) >= 1
    assert 0.0 <= found.recognises(data) <= 1.0
    records = [item.record for item in items if isinstance(item, Read)]
    for record in records:
        data_of = record.as_data()
        assert type(record).from_data(data_of).as_data() == data_of
        assert isinstance(record, GameRecord | PositionRecord)
    assert found.write is not None
    try:
        written = found.write(records)
    except Unsupported:
        return
    again = [item.record for item in found.read(written) if isinstance(item, Read)]
    assert [gist(record) for record in again] == [gist(record) for record in records]


def gist(record: GameRecord | PositionRecord) -> tuple[object, ...]:
    """What every format holds of a record."""
    moves = record.moves if isinstance(record, GameRecord) else ()
    played = tuple((move.move, move.side) for move in moves)
    return type(record), record.position, dict(record.settings), played


def mutants(seeds: list[bytes], count: int, seed: int) -> list[bytes]:
    """Texts with some of their parts spoilt."""
    chooser = random.Random(seed)
    made = []
    for _ in range(count):
        text = bytearray(chooser.choice(seeds))
        for _ in range(chooser.choice((1, 1, 2, 5))):
            begin = chooser.randrange(len(text) + 1)
            end = min(len(text), begin + chooser.choice((0, 1, 1, 2, 8)))
            other = chooser.choice(seeds)
            at = chooser.randrange(len(other))
            text[begin:end] = chooser.choice(
                (
                    b"",
                    bytes([chooser.randrange(256)]),
                    bytes([chooser.choice(b'()[];:-+/\\"{}#%.0189aAxXoO \n')]),
                    bytes(text[begin:end]) * 3,
                    other[at : at + chooser.randrange(1, 20)],
                )
            )
        made.append(bytes(text))
    return made


def test_the_short_texts_are_what_they_should_be():
    """A spoilt text says little if the whole one could not be read."""
    for name, text in SHORT.items():
        items = list(FORMATS[name].read(text.encode()))
        assert any(isinstance(item, Read) for item in items), name
        surest = max(FORMATS.values(), key=lambda each: each.recognises(text.encode()))
        assert surest.name == name


def test_every_sample_is_recognised_by_its_own_format_first():
    own = {
        "games.txt": "othello-transcript",
        "endgames.scr": "othello-board",
        "ffo.obf": "obf",
        "games.ggf": "ggf",
        "games.pgn": "othello-pgn",
        "games.sgf": "othello-sgf",
        "logistello.gam": "logistello",
        "board.cboard": "compressed-board",
        "course.board": "board-file",
    }
    for file, name in own.items():
        sure = {each.name: each.recognises(sample(file)) for each in FORMATS.values()}
        assert sure.pop(name) >= 0.9 > max(sure.values()), file


@EACH
@settings(max_examples=30)
@given(st.one_of(st.binary(), st.text().map(str.encode)))
def test_arbitrary_bytes(found, data):
    check(found, data)


@EACH
def test_spoilt_texts(found):
    own = SHORT[found.name].encode()
    others = [text.encode() for text in SHORT.values()]
    for data in mutants([own] * 20 + others, 300, seed=1):
        check(found, data)


@EACH
def test_a_long_file_of_something_else_ends_soon(found):
    for data in (random.Random(2).randbytes(10 * MEGABYTE), b"\xff\xfe" * MEGABYTE):
        assert 1 <= check_items(found.read(data)) <= MOST_ITEMS
        assert 0.0 <= found.recognises(data) < 0.5


@EACH
def test_tiring_texts_end_soon(found):
    for part in TIRING:
        data = part.encode() * (MEGABYTE // 4 // len(part.encode()))
        for count, _ in enumerate(found.read(data), start=1):
            if count > MOST_ITEMS:
                break  # there are real games in it
        assert 0.0 <= found.recognises(data) <= 1.0


@pytest.mark.full
@EACH
def test_very_many_spoilt_texts(found):
    whole = [path.read_bytes() for path in sorted(SAMPLES.iterdir())]
    seeds = [SHORT[found.name].encode()] * 200 + [text.encode() for text in SHORT.values()] + whole
    for round_of_thousands in range(20):
        for data in mutants(seeds, 1000, seed=100 + round_of_thousands):
            check(found, data)


@pytest.mark.full
@EACH
def test_ten_megabytes_of_tiring_texts(found):
    for part in TIRING:
        data = part.encode() * (10 * MEGABYTE // len(part.encode()))
        for count, _ in enumerate(found.read(data), start=1):
            if count > MOST_ITEMS:
                break
        assert 0.0 <= found.recognises(data) <= 1.0


@pytest.mark.parametrize("name", ["ggf", "othello-pgn", "othello-sgf", "obf"])
def test_half_a_character_in_a_name_is_written_as_a_question_mark(name):
    half = "a\ud800b"
    record = GameRecord("othello", (half, ""), [], ended="unfinished")
    position = PositionRecord("othello", START, tags={"comment": half})
    write = FORMATS[name].write
    assert write is not None
    assert b"a?b" in write([position if name == "obf" else record])
