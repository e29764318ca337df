"""Which format it is; and all readers together, given anything."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from format_tools import check_items, random_game, records_in

from plyground.core.errors import InputError, MalformedText, Unsupported
from plyground.core.records import GameRecord, PositionRecord
from plyground.formats.catalogue import (
    BY_NAME_ALONE,
    find_format,
    formats,
    formats_of_suffix,
    in_words,
    read_anything,
    recognise,
    writer_for,
)
from plyground.formats.spec import Format, Read, Rejected
from plyground.games.catalogue import find_game, games

DATA = Path(__file__).parent.parent / "data" / "formats"
FILES = sorted(DATA.iterdir())
MEGABYTE = 2**20
EACH_FORMAT = pytest.mark.parametrize("found", formats().values(), ids=lambda each: each.name)

# Formats of other games and of the whole program; Othello's own are tested beside them.
SAMPLES = [
    ("games.c4", "connect4", "Connect Four, 6 games"),
    ("scored.c4", "connect4", "Connect Four, 2 positions"),
    ("boards.c4grid", "connect4-grid", "Connect Four grid, 3 positions"),
    ("games.dc", "double-card", "Double Card, 3 games"),
    ("games.dcmoves", "double-card-moves", "Double Card moves, 3 games"),
    ("game.trace", "double-card-trace", "Double Card trace, 1 not readable"),
    ("records.jsonl", "jsonl", "jsonl, 2 games, 1 position"),
    ("records.json", "json", "json, 2 games, 1 position"),
    ("WTH_1999.wtb", "wthor", "Othello wthor, 5 games"),
    ("WTH.JOU", "wthor-names", "Othello wthor-names, 1 not readable"),
    ("WTH.TRN", "wthor-names", "Othello wthor-names, 1 not readable"),
]


# ------------------------------------------------------------------ the list


def test_every_format_is_in_order():
    for name, each in formats().items():
        assert isinstance(each, Format)
        assert each.name == name == name.lower()
        assert each.summary
        assert each.suffixes
        assert all(suffix.startswith(".") and suffix.islower() for suffix in each.suffixes)
        assert set(each.games) <= games().keys()
    assert list(formats()) == sorted(formats())


def test_formats_are_found_by_name():
    assert find_format(" Wthor ").name == "wthor"
    with pytest.raises(Unsupported, match="unknown format 'wthr'; did you mean wthor"):
        find_format("wthr")


def test_formats_are_found_by_suffix():
    assert [each.name for each in formats_of_suffix("WTH_1990.WTB")] == ["wthor"]
    assert {"connect4", "double-card"} <= {each.name for each in formats_of_suffix("a.txt")}
    assert formats_of_suffix("a") == formats_of_suffix("a.b") == formats_of_suffix("") == []


CONNECT_FOUR = find_game("connect4")


@pytest.mark.parametrize(
    "name, records, expected",
    [
        ("a.wtb", [], "wthor"),
        ("a.jsonl", [], "jsonl"),
        ("a.c4", [], "connect4"),
        ("a.txt", [random_game(CONNECT_FOUR, 1)], "connect4"),
        ("a.txt", [PositionRecord("connect4", "-" * 42)], "connect4-grid"),
        ("a.txt", [random_game(find_game("double-card"), 1, 5)], "double-card"),
        ("a.txt", [random_game(find_game("othello"), 1)], "othello-transcript"),
    ],
)
def test_the_name_of_a_file_and_what_goes_into_it_tell_the_format(name, records, expected):
    assert writer_for(name, records).name == expected


@pytest.mark.parametrize(
    "name, records, complaint",
    [
        ("a.txt", [], "say which format to write: connect4, connect4-grid"),
        ("a.txt", [random_game(find_game("kalah"), 1)], "say which format to write"),
        ("a.jou", [], "the name 'a.jou' says no format; known: .*wthor"),
        ("a", [], "says no format"),
    ],
)
def test_a_name_that_tells_too_little(name, records, complaint):
    with pytest.raises(Unsupported, match=complaint):
        writer_for(name, records)


# ------------------------------------------------------------------ recognising


@pytest.mark.parametrize("file, name, words", SAMPLES)
def test_samples_are_recognised_by_their_content(file, name, words):
    data = (DATA / file).read_bytes()
    for called in ("", "a.txt", "a.pgn", file):
        found, sure = recognise(data, called)
        assert (found.name, sure > 0.5) == (name, True)
    reading = read_anything(data)
    assert reading.in_words() == words
    assert reading.format.name == name


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_something_is_read_of_every_sample_unless_it_holds_no_records(path):
    reading = read_anything(path.read_bytes(), path.name)
    assert reading.sure > 0.5
    assert path.suffix.lower() in reading.format.suffixes
    assert any(isinstance(item, Read) for item in reading) == (reading.format.write is not None)


@pytest.mark.parametrize("file, name", [sample[:2] for sample in SAMPLES[:5] + SAMPLES[6:9]])
def test_samples_are_written_and_read_again(file, name):
    found, data = find_format(name), (DATA / file).read_bytes()
    records = records_in(found.read(data))
    assert found.write is not None
    written = found.write(records)
    assert records_in(found.read(written)) == records
    assert recognise(written)[0] is found
    if file != "scored.c4":  # which has a comment
        assert written == data


@pytest.mark.parametrize(
    "text, words",
    [
        ("f5d6c3d3c4f4f6f3e6e7d7c5", "Othello transcript, 12 moves"),
        ("f5", "Othello transcript, 1 move"),
        ("4453", "Connect Four, 4 moves"),
        ("4453\n4444444\n12345\n", "Connect Four, 2 games, 1 not readable"),
        ("0 5 A 1; 0 2 C 1", "Double Card, 2 moves"),
        ("0 5 A 1\n0 2 C 1", "Double Card moves, 2 moves"),
        (json.dumps(random_game(find_game("kalah"), 1, 5).as_data()), "Kalah jsonl, 5 moves"),
    ],
)
def test_a_paste_is_told_in_words(text, words):
    assert read_anything(text.encode()).in_words() == words


def test_the_name_decides_only_where_content_does_not():
    assert recognise(b"4453", "a.pgn")[0].name == "connect4"
    found, sure = recognise(b"nothing of the kind", "a.wtb")
    assert (found.name, sure) == ("wthor", BY_NAME_ALONE)
    found, sure = recognise(b"nothing of the kind", "A.JSONL")
    assert (found.name, sure) == ("jsonl", BY_NAME_ALONE)


def test_between_equally_sure_formats_the_name_decides():
    nothing = b'{"a": 1}'
    sure = {each.name: each.recognises(nothing) for each in formats().values()}
    assert sure["json"] == sure["jsonl"] == max(sure.values())
    assert recognise(nothing, "a.jsonl")[0].name == "jsonl"
    assert recognise(nothing, "a.json")[0].name == "json"


@pytest.mark.parametrize("data", [b"hello, world", b"\x00\x01\x02", b"%PDF-1.4", b"GIF89a"])
def test_what_nothing_fits_is_refused_with_what_is_known(data):
    with pytest.raises(MalformedText, match=r"in no format .* known: .*connect4.*wthor"):
        recognise(data)


@pytest.mark.parametrize("name", ["", "a.wtb"])
def test_nothing_is_told_as_nothing(name):
    for data in (b"", b" \n\t\n"):
        with pytest.raises(MalformedText, match="there is nothing in it; known: "):
            read_anything(data, name)


def test_words_for_records_of_several_games():
    items = [
        Read(GameRecord("othello", ("", ""), []), "line 1"),
        Read(GameRecord("kalah", ("", ""), []), "line 2"),
        Rejected("line 3", "no"),
    ]
    assert in_words(find_format("jsonl"), items) == "jsonl, 2 games, 1 not readable"
    assert in_words(find_format("jsonl"), []) == "jsonl"
    assert in_words(find_format("obf"), items[2:]) == "Othello obf, 1 not readable"


# ------------------------------------------------------------------ any bytes at all

LIKELY = (
    b"abcdefghABCDEFGHxXoO*-._/|,;:=+!?()[]{}<>\"' \t\n\r\\#%&@0123456789\x00\x14\x18\xff\xfe\xe9"
)
PIECES = [
    *(b"f5", b"d3", b"pass", b"--", b"[", b"]", b"{", b"}", b"(;", b";)", b"(;GM[Othello]"),
    *(b"BO[8 ", b"B[f5//1.2]", b'[Event "x"]\n', b"1. ", b"0 5 A 1;", b"A 6 B 6 1 C 7;"),
    *(b"# width=9\n", b"# first_goal=dots\n", b"\n\n", b"4453 11", b"-4.5\n", b"2832\n"),
    *(b'{"game":"othello",', b'"moves":[', b'{"move":"f5","side":0}', b'"pair":{},"games":['),
    *(b"XO-" * 30, b"X" * 64, b"-" * 42, b"9" * 400, b"\\ud800", b"\xff\xfe", b"\xef\xbb\xbf"),
]
SOURCES = [path.read_bytes() for path in FILES]


def nonsense(dice: random.Random) -> bytes:
    """Something at random: bytes, likely letters, pieces, or a sample that was spoilt."""
    kind = dice.randrange(4)
    if kind == 0:
        return dice.randbytes(dice.randrange(400))
    if kind == 1:
        return bytes(dice.choices(LIKELY, k=dice.randrange(400)))
    if kind == 2:
        return b"".join(dice.choices(PIECES, k=dice.randrange(30)))
    data = bytearray(dice.choice(SOURCES)[:1500])
    for _ in range(dice.randrange(1, 9)):
        start = dice.randrange(len(data) + 1)
        end = start + dice.randrange(4)
        middle = dice.choice([b"", bytes(data[start:end]) * 2, dice.choice(PIECES)])
        data[start:end] = middle
    return bytes(data)


def read_all(found: Format, data: bytes) -> None:
    """Everything a format does with bytes; any exception fails the test."""
    assert 0.0 <= found.recognises(data) <= 1.0
    items = list(found.read(data))
    check_items(items)
    records = [item.record for item in items if isinstance(item, Read)]
    if found.write is not None and records:
        try:
            written = found.write(records)
        except InputError as error:
            assert str(error)
        else:
            assert check_items(found.read(written)) >= 1


def fuzz(found: Format, seed: str, rounds: int) -> None:
    dice = random.Random(seed)
    for _ in range(rounds):
        read_all(found, nonsense(dice))


@EACH_FORMAT
def test_any_bytes_are_read_or_rejected(found):
    fuzz(found, found.name, rounds=60)


@pytest.mark.full
@EACH_FORMAT
@pytest.mark.parametrize("seed", range(20))
def test_many_more_bytes_are_read_or_rejected(found, seed):
    fuzz(found, f"{found.name} {seed}", rounds=500)


def test_any_bytes_are_recognised_or_refused():
    dice = random.Random(7)
    for _ in range(200):
        data, name = nonsense(dice), dice.choice(["", "a.txt", "a.wtb", "a.json"])
        try:
            reading = read_anything(data, name)
        except MalformedText as error:
            assert "known: " in str(error)
        else:
            assert 0.0 < reading.sure <= 1.0
            assert reading.in_words()


def filled(piece: bytes, megabytes: int = 10) -> bytes:
    size = megabytes * MEGABYTE
    return (piece * (size // len(piece) + 1))[:size]


@EACH_FORMAT
def test_ten_megabytes_of_garbage_end_soon(found):
    data = random.Random(1).randbytes(10 * MEGABYTE)
    assert found.recognises(data) == 0.0
    assert check_items(found.read(data)) <= 1001


GARBAGE = [
    *(b"\0", b"\n", b" ", b"4", b"8\n", b"[", b"{", b"(;", b";", b"0 1 A 1;", b"0 1 A 1\n"),
    *(b"f5", b"-", b"X-O\n", b"{}\n", b'"', b"/", b"/\n", b"(;GM[Othello]", b"# a=1\n"),
    *(b"# width=9\n", b'[Event "x"]\n', b"\n[\n", b"1234567 ", b"a\0", b"{}, ", b"a=a=", b"\xff"),
]


@pytest.mark.full
@pytest.mark.parametrize("piece", GARBAGE)
@EACH_FORMAT
def test_ten_megabytes_of_one_thing_end_soon(found, piece):
    data = filled(piece)
    assert 0.0 <= found.recognises(data) <= 1.0
    assert check_items(found.read(data)) <= 2 * MEGABYTE
