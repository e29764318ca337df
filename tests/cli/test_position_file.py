"""Wherever a position is taken, a file or a text in any format will do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Result, one_line, refusal, run
from format_tools import random_game
from user_games import write_game

from plyground.core.errors import InputError
from plyground.core.records import GameRecord, PositionRecord
from plyground.formats.catalogue import formats
from plyground.formats.spec import Format, Record
from plyground.games.catalogue import find_game, games
from plyground.games.position import BasePosition
from plyground.kernel import plain_python

F5 = "---------------------------OX------XXX-------------------------- O"
WRITTEN = [each for each in formats().values() if each.write and each.name != "wthor"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are named as people name them: in the folder where they are."""
    monkeypatch.chdir(tmp_path)


def shown(*arguments: str) -> dict:
    """The position as data."""
    result = run("show", *arguments, "--json")
    assert result.status == 0, result.err
    return json.loads(result.out)


def last(record: Record) -> BasePosition:
    """Where a record leads, by the rules alone."""
    moves = [move.move for move in record.moves] if isinstance(record, GameRecord) else []
    return BasePosition.begin(record.game, record.settings, record.position, moves)


def written(found: Format, game: str) -> GameRecord | PositionRecord | None:
    """Something that a format can hold, written to `file`."""
    record, whole = (random_game(find_game(game), seed=3, most=most) for most in (7, 500))
    for each in (record, PositionRecord(game, last(record).text), whole):
        try:
            assert found.write
            Path("file").write_bytes(found.write([each]))
        except InputError:
            continue
        return each
    return None


# ------------------------------------------------------------------ every format, every command


@pytest.mark.parametrize("found", WRITTEN, ids=lambda each: each.name)
def test_a_file_of_every_format_is_a_position(found):
    for game in found.games or ("kalah", "mnk"):
        record = written(found, game)
        assert record, game
        assert shown(game, "--position", "file")["position"] == last(record).text


def test_an_archive_of_other_games_is_one_too():
    archive = Path(__file__).parents[1] / "data" / "formats" / "WTH_1999.wtb"
    told = shown("othello", "--position", f"{archive}#2")
    assert told["over"]
    assert told != shown("othello", "--position", f"{archive}#1")


COMMANDS = [
    ("show", "othello"),
    ("search", "othello", "-a", "greedy"),
    ("explain", "othello"),
    ("perft", "othello", "-d", "2"),
    ("store", "explore", "othello"),
    ("match", "random", "first", "-g", "othello", "-n", "2", "--no-store", "--out", "games"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_every_command_that_takes_a_position_takes_a_file(command):
    Path("game.txt").write_text("f5\n")
    told = []
    with plain_python():
        for given in ("game.txt", F5):
            result = run(*command, "--position", given, "--json")
            assert result.status == 0, result.err
            told.append(json.loads(result.out))
    for each in told:
        each.pop("time_s", None)
    assert told[0] == told[1]
    if command[0] == "match":  # and it went on with the same games
        assert len(Path("games").read_text().splitlines()) == 1


def test_solving_takes_a_file_as_well():
    nearly_over = "X" * 62 + "O- X"
    Path("end.scr").write_text(f"{nearly_over}\n")
    told = [
        json.loads(run("solve", "othello", "--position", given, "--json").out)["score"]
        for given in ("end.scr", nearly_over)
    ]
    assert told[0] == told[1]


# ------------------------------------------------------------------ which of several


def test_of_several_the_first_is_taken_and_said_or_the_one_with_a_number():
    Path("games.c4").write_text("44\n445\n9\n4455\n")
    result = run("show", "connect4", "--position", "games.c4", "--json")
    assert result.err == "games.c4 holds several: the first is taken; next is games.c4#2\n"
    positions = [BasePosition.begin("connect4", moves=moves).text for moves in ("44", "445")]
    assert json.loads(result.out)["position"] == positions[0]
    second = run("show", "connect4", "--position", "games.c4#2", "--json")
    assert (json.loads(second.out)["position"], second.err) == (positions[1], "")


def test_the_number_of_what_cannot_be_read_gives_its_reason():
    Path("games.c4").write_text("44\n4444444\n")
    assert "line 2" in one_line(run("show", "connect4", "--position", "games.c4#2"))
    for number in (0, 3, "9" * 50):
        told = one_line(run("show", "connect4", "--position", f"games.c4#{number}"))
        assert told.endswith(", only 1 to 2")


def test_a_file_may_have_a_number_in_its_name():
    Path("game#2").write_text("445\n")
    assert shown("connect4", "--position", "game#2") == shown("connect4", "--moves", "445")


# ------------------------------------------------------------------ what is no file


def test_the_notation_of_the_game_goes_before_a_file_of_that_name():
    Path("XO- --- ---").write_text('{"game": "mnk", "position": "--- --- ---"}')
    told = shown("tictactoe", "--position", "XO- --- ---")
    assert told == shown("tictactoe", "--moves", "a1 b1")


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("othello", "f5"),
        ("othello", "8/8/8/3ppp2/3Pp3/8/8/8 w - - 0 1"),
        ("othello", '[Black "a"]\n[White "b"]\n\n1. f5'),
        ("connect4", "44"),
        ("tictactoe", '{"game": "mnk", "position": "XO- --- ---"}'),
    ],
)
def test_a_pasted_text_in_any_format_is_a_position(game, text):
    moves = {"othello": "f5", "connect4": "44", "tictactoe": "a1 b1"}[game]
    assert shown(game, "--position", text) == shown(game, "--moves", moves)


@pytest.mark.parametrize("text", ["4453", "zz", "f5f5f5", '{"game": "othello"}'])
def test_what_is_no_position_of_the_game_is_refused_by_the_game(text):
    assert "expected X for the first player" in one_line(run("show", "mnk", "--position", text))


def test_a_file_may_hold_the_notation_of_the_game():
    text = BasePosition.begin("kalah", moves="3 1").text
    Path("seeds.txt").write_text(f"{text}\n")
    assert shown("kalah", "--position", "seeds.txt") == shown("kalah", "--position", text)


# ------------------------------------------------------------------ bad files


def test_a_file_of_another_game_is_refused():
    Path("game.c4").write_text("4453\n")
    told = one_line(run("show", "othello", "--position", "game.c4"))
    assert told == "game.c4: it is in the format connect4, not of othello"
    Path("game.json").write_text('{"game": "mnk", "position": "XO- --- ---"}')
    told = one_line(run("show", "othello", "--position", "game.json"))
    assert told == "game.json: it is of mnk, not of othello"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "there is nothing in it"),
        (b"what?\n\nwhy?\n", "in no format that is known"),
        (b"2832\n-4.0\n\n-52.0\n-4.0\n", "a trace does not tell which"),
        (b"0 2 A 1; 0 2 A 1\n", "move 2"),
    ],
)
def test_a_file_that_holds_no_position_is_refused_in_a_line(content, reason):
    Path("a file").write_bytes(content)
    for command in (("show", "double-card", "--position"), ("play", "--from")):
        told = one_line(run(*command, "a file"))
        assert told.startswith("a file: ")
        assert reason in told


def test_a_file_that_is_not_there_is_named():
    told = one_line(run("show", "othello", "--position", "nothing.pgn"))
    assert told == "cannot read nothing.pgn: No such file or directory"


# ------------------------------------------------------------------ settings


def test_a_board_of_another_size_says_so_itself():
    Path("small.scr").write_text(BasePosition.begin("othello", {"size": 6}).text)
    assert len(shown("othello", "--position", "small.scr")["board"]["cells"]) == 36
    told = refusal(run("show", "othello", "--set", "size=8", "--position", "small.scr"))
    assert told.startswith("error: small.scr: ")


def test_settings_that_are_given_go_before_those_of_a_file():
    Path("game.dc").write_text("0 2 A 1; 0 8 B 1\n")
    told = shown("double-card", "--position", "game.dc", "--set", "line=5")
    begun = BasePosition.begin("double-card", {"line": 5}, moves="0 2 A 1; 0 8 B 1")
    assert told["position"] == begun.text


# ------------------------------------------------------------------ going on with a game


def seen(result: Result) -> str:
    assert result.status == 0, result.err
    return result.out


def test_a_game_in_any_format_is_gone_on_with_and_its_moves_can_be_taken_back():
    Path("game.sgf").write_text("(;GM[2]SZ[8]PB[a];B[f5];W[d6])")
    asked = ("play", "--from", "game.sgf", "--first", "human", "--second", "human", "--no-store")
    seen(run(*asked, typed="c3\ns three.json\nu\nu\ns one.json\nq\n"))
    assert json.loads(Path("three.json").read_text())["moves"] == ["f5", "d6", "c3"]
    assert json.loads(Path("one.json").read_text())["moves"] == ["f5"]
    assert Path("game.sgf").read_text().startswith("(;GM")


def test_a_position_in_a_file_is_played_by_whoever_is_seated():
    Path("end.scr").write_text("X" * 62 + "O- X\n")
    told = seen(run("play", "--from", "end.scr", "--first", "first", "--second", "first"))
    assert "Black plays h8" in told
    assert "(Black 64, White 0)" in told


def test_a_finished_game_is_not_gone_on_with():
    Path("end.c4").write_text("1212121\n")
    told = one_line(run("play", "--from", "end.c4"))
    assert told == "end.c4: this game is over: there is nothing to go on with"


def test_a_record_of_a_users_own_game_opens_where_its_file_is_named(request):
    request.addfinalizer(lambda: games().pop("heap", None))
    write_game(Path("heap.py"))
    moves = [{"move": "2", "side": 0}, {"move": "1", "side": 1}]
    record = {"game": "heap", "players": ["", ""], "moves": moves}
    Path("record.json").write_text(json.dumps(record))
    assert shown("./heap.py", "--position", "record.json")["position"] == "7 0"
    asked = ("play", "./heap.py", "--from", "record.json", "--second", "first")
    seen(run(*asked, typed="s saved.json\nq\n"))
    assert json.loads(Path("saved.json").read_text())["moves"] == ["2", "1"]
