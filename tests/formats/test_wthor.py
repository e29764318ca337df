"""WTHOR files: read, checked by the rules, and written again to the byte.

With PLYGROUND_ARCHIVES set to a folder that has `wthor` in it, the whole archive is read as well.
"""

from __future__ import annotations

import os
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from format_tools import only_rejection, random_game, records_in
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.errors import MalformedText, Unsupported
from plyground.core.records import PositionRecord
from plyground.formats import wthor
from plyground.formats.spec import Read, Rejected
from plyground.formats.wthor import (
    FORMATS,
    PLAYER_BYTES,
    TOURNAMENT_BYTES,
    parse_games,
    parse_names,
    read,
    read_archive,
    recognises,
    recognises_names,
    write_archive,
    write_games,
)
from plyground.games.othello import GAME
from plyground.games.rules import outcome

ARCHIVES = os.environ.get("PLYGROUND_ARCHIVES", "")
NAMES = ("Tastet Marc", "Feldborg Karsten", "Müller Jörg", "???")
EVENTS = ("World Championship", "Coupe de Noël", "Diverses parties")


def some_records(number=12, year=1990):
    """Random games with names; the third is broken off and has a score all the same."""
    records = []
    for seed in range(number):
        record = random_game(GAME, seed, most=40 if seed == 2 else 500)
        if record.outcome is None:
            record = replace(record, outcome=-12, points=0.0)
        players = NAMES[seed % 4], NAMES[(seed + 1) % 4]
        event = EVENTS[seed % 3]
        records.append(replace(record, players=players, event=event, date=str(year)))
    return records


@pytest.fixture
def folder(tmp_path) -> Path:
    archive = tmp_path / "wthor"
    archive.mkdir()
    for name, data in write_archive([*some_records(), *some_records(5, 1991)]).items():
        (archive / name).write_bytes(data)
    (archive / "README.txt").write_text("not a file of WTHOR")
    return archive


def one_game(moves=(), score=32, theoretical=32, **header):
    """The bytes of a file of one game, written by hand."""
    told = {"games": 1, "names": 0, "year": 1990, "size": 8, "kind": 0, "depth": 24} | header
    head = struct.pack("<4BIHH4B", 20, 24, 2, 20, *told.values(), 0)
    return head + struct.pack("<HHHBB60s", 1, 2, 3, score, theoretical, bytes(moves))


# ------------------------------------------------------------------ one file


def test_a_game_by_hand():
    """The shortest game there is: f5 d6 c5 f4 e3 f6 g5 e6 e7, and white has no disc left."""
    squares = "56 64 53 46 35 66 57 65 75"
    (record,) = records_in(read(one_game(map(int, squares.split()), 64, 37)))
    assert " ".join(move.move for move in record.moves) == "f5 d6 c5 f4 e3 f6 g5 e6 e7"
    assert (record.points, record.outcome, record.ended) == (1.0, 64, "over")
    assert (record.date, record.event, record.players) == ("1990", "", ("", ""))
    told = {"theoretical_score": "37", "theoretical_depth": "24"}
    numbers = {"tournament": "1", "black": "2", "white": "3"}
    assert record.tags.items() >= (told | numbers).items()


@pytest.mark.parametrize("score, points, outcome_", [(33, 1.0, 2), (32, 0.5, 0), (0, 0.0, -64)])
def test_a_game_that_was_broken_off_has_the_score_it_was_given(score, points, outcome_):
    (record,) = records_in(read(one_game([56, 64], score)))
    assert (record.points, record.outcome, record.ended) == (points, outcome_, "unfinished")
    assert len(record.moves) == 2


def test_no_depth_in_the_header_is_that_of_old_files():
    (record,) = records_in(read(one_game([56], depth=0)))
    assert record.tags["theoretical_depth"] == "22"
    assert write_games([record]) == one_game([56], depth=0)


def test_size_0_is_8():
    assert len(records_in(read(one_game([56], size=0)))) == 1


@pytest.mark.parametrize(
    "data, complaint",
    [
        (one_game([11]), "game 1: move 1: a1 cannot be played there"),
        (one_game([56, 64, 64]), "game 1: move 3: d6 cannot be played there"),
        (one_game([56, 19]), "game 1: move 2: 19 is not a square; expected 11 to 88"),
        (one_game([56, 0, 64]), "game 1: there are moves after its end"),
        (one_game([56], score=65), "game 1: a score of 65 discs; expected 0 to 64"),
        (one_game([56])[:10], "file: 10 bytes are too few for a header of 16"),
        (b"", "file: 0 bytes are too few"),
        (one_game([56], size=10), "file: games on a board of 10x10 are not read; expected 8x8"),
        (one_game([56], size=9), "file: this is not the header of a WTHOR file"),
        (one_game([56], kind=2), "file: this is not the header of a WTHOR file"),
        (one_game([56], names=1), "file: a file of names, not of games"),
        (b"PK\x03\x04" + b"\xff" * 100, "file: this is not the header"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(data, complaint):
    assert only_rejection(read(data)).startswith(complaint)


def test_a_file_that_was_cut_off_is_read_as_far_as_it_goes():
    data = write_games([replace(record, event="", players=("", "")) for record in some_records()])
    items = list(read(data[:-1]))
    assert [type(item) for item in items] == [Read] * 11 + [Rejected]
    assert items[-1].reason == "831 bytes, but 12 games take 832"
    items = list(read(data + b"!"))
    assert [type(item) for item in items] == [Read] * 12 + [Rejected]
    assert items[-1].reason == "833 bytes, but 12 games take 832"


def test_one_bad_game_does_not_spoil_the_others():
    records = [replace(record, event="", players=("", "")) for record in some_records()]
    data = bytearray(write_games(records))
    data[16 + 68 * 4 + 8 + 5] = 88  # the sixth move of the fifth game
    items = list(read(bytes(data)))
    assert [item.place for item in items if isinstance(item, Rejected)] == ["game 5"]
    assert [item.place for item in items[:2]] == ["game 1", "game 2"]
    assert len(items) == 12


# ------------------------------------------------------------------ archives


def test_an_archive_gives_back_what_was_written(folder):
    archive = read_archive(folder)
    expected = [*some_records(), *some_records(5, 1991)]
    records = records_in(archive)
    assert len(archive) == len(records) == 17
    for record, wanted in zip(records, expected, strict=True):
        assert [*record.moves] == [*wanted.moves]
        for name in ("players", "event", "date", "points", "outcome", "ended", "game"):
            assert getattr(record, name) == getattr(wanted, name), name


def test_places_in_an_archive_name_the_file(folder):
    places = [item.place for item in read_archive(folder)]
    assert places[0] == "WTH_1990.wtb, game 1"
    assert places[12] == "WTH_1991.wtb, game 1"
    assert places[-1] == "WTH_1991.wtb, game 5"


def test_an_archive_has_arrays_for_bulk_work(folder):
    archive = read_archive(folder)
    assert archive.years.tolist() == [1990] * 12 + [1991] * 5
    assert archive.is_sound.all()
    assert archive.replayed.plies.tolist() == [len(r.moves) for r in records_in(archive)]
    agree = archive.replayed.outcomes == archive.outcomes
    assert (agree == archive.replayed.is_over).all()
    assert archive.replayed.is_over.tolist().count(False) == 2


def test_every_file_is_written_again_to_the_byte(folder):
    for path in folder.glob("*.wtb"):
        data = path.read_bytes()
        assert parse_games(data).as_bytes() == data
        assert write_games(records_in(read(data))) == data
    for name, width in (("WTH.JOU", PLAYER_BYTES), ("WTH.TRN", TOURNAMENT_BYTES)):
        data = (folder / name).read_bytes()
        assert parse_names(data, width).as_bytes() == data


def test_records_of_an_archive_are_written_to_the_byte_with_their_names(folder):
    items = read_archive(folder)
    of_1991 = [item.record for item in items if "1991" in item.place]
    assert write_games(of_1991) == (folder / "WTH_1991.wtb").read_bytes()


def test_the_header_comes_back_to_the_byte():
    data = one_game([56, 64], 30, 255, depth=24, year=2024)
    assert write_games(records_in(read(data))) == data


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 65535), st.integers(0, 64), st.integers(0, 255)), max_size=5),
    st.tuples(*[st.integers(0, 12)] * 4),
    st.integers(0, 65535),
    st.sampled_from([0, 8]),
    st.integers(0, 1),
    st.integers(0, 255),
    st.integers(0, 255),
)
def test_any_sound_file_is_written_again_to_the_byte(games, created, year, size, kind, depth, last):
    head = struct.pack(
        "<4BIHH4B", *created, len(games), 0, year if games else 0, size, kind, depth, last
    )
    rows = [
        struct.pack("<HHHBB60s", name, 65535 - name, name // 2, score, theory, bytes([56, 64]))
        for name, score, theory in games
    ]
    data = head + b"".join(rows)
    assert parse_games(data).as_bytes() == data
    if games and year < 10000:
        assert write_games(records_in(read(data))) == data


def test_names_are_latin_1_and_end_at_a_zero(folder):
    players = parse_names((folder / "WTH.JOU").read_bytes(), PLAYER_BYTES)
    assert set(players.names) == set(NAMES)
    assert players.names[0] == "???"
    assert b"M\xfcller J\xf6rg\0" in players.as_bytes()
    tournaments = parse_names((folder / "WTH.TRN").read_bytes(), TOURNAMENT_BYTES)
    assert tournaments.names == ("Diverses parties", "World Championship", "Coupe de Noël")


def test_files_may_be_given_one_by_one(folder):
    archive = read_archive([folder / "WTH_1991.wtb", folder / "WTH.JOU"])
    record = archive.record(0)
    assert len(archive) == 5
    assert record.players == ("Tastet Marc", "Feldborg Karsten")
    assert record.event == ""


def test_a_bad_file_of_games_is_rejected_and_the_others_are_read(folder):
    (folder / "WTH_1989.WTB").write_bytes(b"nothing of the kind")
    items = list(read_archive(folder))
    assert items[0] == Rejected("WTH_1989.WTB", "this is not the header of a WTHOR file")
    assert len(items) == 18


def test_a_folder_without_games_is_refused(tmp_path):
    with pytest.raises(Unsupported, match=r"no games of WTHOR there; .* \.wtb"):
        read_archive(tmp_path)


def test_names_that_cannot_be_read_are_refused(folder):
    (folder / "WTH.JOU").write_bytes((folder / "WTH.JOU").read_bytes()[:-1])
    with pytest.raises(MalformedText, match=r"WTH\.JOU: 95 bytes, but 4 names take 96"):
        read_archive(folder)


def test_files_that_are_not_there_are_told(folder, tmp_path):
    missing = tmp_path / "WTH_1900.wtb"
    items = list(read_archive([missing, folder / "WTH_1990.wtb"]))
    assert items[0] == Rejected("WTH_1900.wtb", "it cannot be read: No such file or directory")
    with pytest.raises(Unsupported, match=r"WTH\.JOU: it cannot be read"):
        read_archive([folder / "WTH_1990.wtb", tmp_path / "WTH.JOU"])
    with pytest.raises(Unsupported, match="cannot read the folder nowhere: No such file"):
        read_archive(tmp_path / "nowhere")


def test_two_files_of_names_are_refused(folder):
    (folder / "WTH2.JOU").write_bytes((folder / "WTH.JOU").read_bytes())
    with pytest.raises(Unsupported, match=r"WTH\.JOU and WTH2\.JOU: expected one"):
        read_archive(folder)


# ------------------------------------------------------------------ what cannot be written


def sound():
    return replace(some_records(1)[0], players=("", ""), event="")


@pytest.mark.parametrize(
    "record, complaint",
    [
        (PositionRecord("othello", GAME.format_position(GAME.initial())), "games from the usual"),
        (replace(sound(), game="connect4"), "wthor holds games of othello, not of connect4"),
        (replace(sound(), settings={"size": 6}), "8x8 squares only"),
        (replace(sound(), position="X" * 64 + " X"), "from the usual beginning only"),
        (replace(sound(), outcome=None), "with an even final score only"),
        (replace(sound(), outcome=3), "with an even final score only"),
        (replace(sound(), outcome=66), "with an even final score only"),
        (replace(sound(), players=("Tastet Marc", "")), "'Tastet Marc' has no number"),
        (replace(sound(), event="A cup"), "'A cup' has no number; write an archive"),
        (replace(sound(), tags={"black": "70000"}), "black '70000': wthor holds numbers up to"),
        (replace(sound(), tags={"theoretical_score": "x"}), "theoretical_score 'x'"),
        (replace(sound(), moves=sound().moves * 2), "up to 60 moves"),
        (replace(sound(), moves=[replace(sound().moves[0], move="z9")]), "up to 60 moves"),
    ],
)
def test_what_the_format_cannot_hold(record, complaint):
    with pytest.raises(Unsupported, match=complaint):
        write_games([record])


def test_games_of_two_years_do_not_go_into_one_file():
    records = [replace(sound(), date=year) for year in ("1990", "1991-05-01")]
    with pytest.raises(Unsupported, match="of one year; these are of 1990 to 1991"):
        write_games(records)
    assert {"WTH_1990.wtb", "WTH_1991.wtb"} < write_archive(records).keys()


@pytest.mark.parametrize(
    "name, complaint", [("長い", "Latin-1 only"), ("x" * 20, "up to 19"), ("a\0b", "up to 19")]
)
def test_names_that_the_archive_cannot_hold(name, complaint):
    with pytest.raises(Unsupported, match=complaint):
        write_archive([replace(sound(), players=(name, ""))])


def test_an_archive_has_room_for_so_many_names(monkeypatch):
    monkeypatch.setattr(wthor, "MOST_NAMES", 2)
    with pytest.raises(Unsupported, match="3 names; wthor holds at most 2"):
        write_archive([replace(sound(), players=("a", "b"))])


# ------------------------------------------------------------------ recognising


def test_files_are_recognised_by_content(folder):
    games = (folder / "WTH_1990.wtb").read_bytes()
    assert recognises(games) == 1.0
    assert 0.5 < recognises(games[:200]) < 1.0
    assert recognises(games + b"x") == 0.0
    assert recognises(b"f5d6c3d3c4") == 0.0
    assert recognises(one_game([11])) == 0.0
    for name in ("WTH.JOU", "WTH.TRN"):
        assert recognises_names((folder / name).read_bytes()) == 1.0
        assert recognises((folder / name).read_bytes()) == 0.0
        assert recognises_names(games) == 0.0
    assert recognises_names((folder / "WTH.JOU").read_bytes()[:80]) == 0.5
    assert recognises_names(b"f5") == 0.0


def test_an_empty_file_of_games_is_one():
    data = write_games([])
    assert recognises(data) == 0.6
    assert records_in(read(data)) == []


def test_names_hold_no_games(folder):
    names = next(each for each in FORMATS if each.name == "wthor-names")
    assert "the games are in the .wtb files" in only_rejection(names.read(b""))
    assert names.write is None


# ------------------------------------------------------------------ the whole archive

if ARCHIVES:
    WHOLE = Path(ARCHIVES) / "wthor"

    @pytest.fixture(scope="module")
    def whole():
        return read_archive(WHOLE)

    def test_all_games_of_the_archive_are_legal(whole):
        assert len(whole) == 137_548
        assert whole.is_sound.all()
        assert not whole.rejected
        assert not any(file.complaint for file in whole.files)

    def test_scores_of_the_archive_agree_with_the_board(whole):
        """All games that were played to their end agree; of the others, by count, a few do."""
        over = whole.replayed.is_over
        assert (whole.replayed.outcomes[over] == whole.outcomes[over]).all()
        by_count = 0
        for number in np.flatnonzero(~over):
            moves = whole.replayed.moves[number, : whole.replayed.plies[number]]
            state = GAME.replay(whole.start, moves.tolist())
            by_count += outcome(state) * (-1 if state.side else 1) == whole.outcomes[number]
        assert (over.sum(), by_count, over.sum() + by_count) == (137_135, 31, 137_166)

    def test_the_archive_is_written_again_to_the_byte(whole):
        for file in whole.files:
            assert file.as_bytes() == (WHOLE / file.name).read_bytes()
        for name, width in (("WTH.JOU", PLAYER_BYTES), ("WTH.TRN", TOURNAMENT_BYTES)):
            data = (WHOLE / name).read_bytes()
            assert parse_names(data, width).as_bytes() == data

    @pytest.mark.parametrize("year", [1977, 1990, 2015, 2025])
    def test_a_year_is_written_again_from_its_records(whole, year):
        records = [whole.record(int(number)) for number in np.flatnonzero(whole.years == year)]
        assert write_games(records) == (WHOLE / f"WTH_{year}.wtb").read_bytes()

    def test_every_file_of_the_archive_is_recognised(whole):
        for path in WHOLE.iterdir():
            by_content = recognises if path.suffix.lower() == ".wtb" else recognises_names
            assert by_content(path.read_bytes()) == 1.0, path.name
            assert by_content(path.read_bytes()[:65536]) >= 0.5, path.name

    def test_names_of_the_archive(whole):
        assert whole.players[1] == "Tastet Marc"
        assert whole.tournaments[0] == "Diverses parties"
        assert all(
            name and event for name, event in zip(whole.players, whole.tournaments, strict=False)
        )
