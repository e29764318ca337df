"""Records as JSON: everything survives, and nothing is believed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from format_tools import check_items, only_rejection, random_moves, records_in
from hypothesis import given, settings
from hypothesis import strategies as some
from match_tools import played

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord, MoveRecord, PositionRecord
from plyground.core.scores import Score
from plyground.formats.json_record import (
    read,
    recognises_document,
    recognises_lines,
    write_document,
    write_lines,
)
from plyground.formats.replay import record_of
from plyground.formats.spec import Read, Rejected
from plyground.games.catalogue import find_game
from plyground.games.rules import play
from plyground.matches.pair import Pair

CHOICES = [
    ("othello", {}),
    ("othello", {"size": 4}),
    ("othello", {"size": 10}),
    ("connect4", {"width": 5, "height": 4, "connect": 3}),
    ("double-card", {"first_goal": "dots", "overlap": False}),
    ("kalah", {"captures": False, "pits": 4}),
    ("mnk", {}),
    ("synthetic", {}),
]
QUICKLY = settings(max_examples=40)

texts = some.text(max_size=12)
counts = some.integers(0, 10**12)
scores = some.builds(
    Score,
    some.integers(-(10**9), 10**9),
    some.sampled_from(["heuristic", "proven", "win", "loss"]),
    some.sampled_from(["exact", "lower", "upper"]),
)
times = some.integers(0, 10**12).map(lambda microseconds: round(microseconds / 10**6, 6))


@some.composite
def game_records(draw):
    """A legal game, from its beginning or from a position, with anything else about it."""
    name, chosen = draw(some.sampled_from(CHOICES))
    game = find_game(name)
    start, position = game.initial(**chosen), None
    if draw(some.booleans()):
        for move in random_moves(game, start, draw(some.integers(0, 99)), 3):
            start = play(start, move)
        position = game.format_position(start)
    moves = random_moves(game, start, draw(some.integers(0, 99)), draw(some.integers(0, 8)))
    record = record_of(game, start, moves, chosen, position, draw(tags))
    told = [
        MoveRecord(
            move.move,
            move.side,
            draw(times),
            draw(some.none() | scores),
            draw(some.integers(0, 200)),
            draw(counts),
            draw(some.booleans()),
            draw(counts),
            draw(counts),
        )
        for move in record.moves
    ]
    return replace(
        record,
        moves=told,
        players=(draw(texts), draw(texts)),
        points=draw(some.sampled_from([None, 0.0, 0.5, 1.0])),
        outcome=draw(some.none() | some.integers(-100, 100)),
        ended=draw(some.sampled_from(["over", "illegal move", "resigned", "unfinished"])),
        reason=draw(texts),
        opening=draw(some.integers(0, len(told))),
        seed=draw(some.integers(0, 2**64 - 1)),
        date=draw(texts),
        event=draw(texts),
    )


tags = some.dictionaries(texts, texts, max_size=3)


@some.composite
def position_records(draw):
    name, chosen = draw(some.sampled_from(CHOICES))
    game = find_game(name)
    state = game.initial(**chosen)
    for move in random_moves(game, state, draw(some.integers(0, 99)), draw(some.integers(0, 6))):
        state = play(state, move)
    values = {game.format_move(state, m): draw(some.integers(-9, 9)) for m in game.legal(state)}
    score = draw(some.none() | some.integers(-64, 64))
    position = game.format_position(state)
    return PositionRecord(game.name, position, chosen, values, score, draw(tags))


lists = some.lists(game_records() | position_records(), max_size=3)


# ------------------------------------------------------------------ round trips


@QUICKLY
@given(lists)
def test_lines_are_read_again(records):
    data = write_lines(records)
    assert records_in(read(data)) == records
    assert data.count(b"\n") == len(records)


@QUICKLY
@given(lists)
def test_a_document_is_read_again(records):
    assert records_in(read(write_document(records))) == records
    assert len(json.loads(write_document(records))) == len(records)


GAME = {
    "game": "connect4",
    "players": ["a", "b"],
    "moves": [{"move": "4", "side": 0}, {"move": "4", "side": 1}],
    "points": None,
    "ended": "unfinished",
    "seed": 0,
}
POSITION = {"game": "connect4", "position": "---X---".rjust(42, "-")}


def read_one(data) -> list:
    return list(read(json.dumps(data).encode()))


@pytest.mark.parametrize(
    "layout", ["one line", "over lines", "a list", "lines", "a list over lines"]
)
def test_any_layout(layout):
    text = {
        "one line": json.dumps(GAME),
        "over lines": json.dumps(GAME, indent=2),
        "a list": json.dumps([GAME, POSITION]),
        "lines": f"\n{json.dumps(GAME)}\r\n\n{json.dumps(POSITION)}\n",
        "a list over lines": json.dumps([GAME, POSITION], indent=1),
    }[layout]
    places = [item.place for item in read(text.encode())]
    records = records_in(read(text.encode()))
    assert isinstance(records[0], GameRecord)
    assert (
        places
        == {
            "one line": ["record"],
            "over lines": ["record"],
            "a list": ["item 1", "item 2"],
            "lines": ["line 2", "line 4"],
            "a list over lines": ["item 1", "item 2"],
        }[layout]
    )


def test_fields_with_a_default_may_be_missing():
    (record,) = records_in(read_one({k: GAME[k] for k in ("game", "players", "moves")}))
    assert (record.points, record.ended, record.seed) == (None, "over", 0)


def test_a_game_may_be_named_by_an_alias():
    (record,) = records_in(read_one(GAME | {"game": "c4"}))
    assert record.game == "connect4"


def test_a_journal_is_read_as_its_games():
    pair = {"game": "connect4", "players": ["a", "b"]}
    line = json.dumps({"key": "0123", "pair": pair, "games": [GAME, GAME | {"game": "no"}]})
    items = list(read(f"{line}\n{line}\n".encode()))
    assert [item.place for item in items] == [
        "line 1, game 1",
        "line 1, game 2",
        "line 2, game 1",
        "line 2, game 2",
    ]
    assert [type(item) for item in items] == [Read, Rejected, Read, Rejected]


@pytest.mark.parametrize("game", ["othello", "connect4", "double-card", "kalah"])
def test_what_a_match_writes_is_read(game):
    pair = played(Pair(game, ("random", "first"), seed=3))
    line = json.dumps(pair.as_data()) + "\n"
    assert records_in(read(line.encode())) == [*pair.games]
    assert recognises_lines(line.encode()) == 0.95


# ------------------------------------------------------------------ what is refused

MOVE = GAME["moves"][0]


@pytest.mark.parametrize(
    "change, complaint",
    [
        ({"game": "conect4"}, "unknown game 'conect4'; did you mean connect4?"),
        ({"game": 4}, "a game: game is 4; expected a text"),
        ({"game": "examples/hexapawn.py"}, "unknown game 'examples/hexapawn.py'"),
        ({"game": "plyground.games.kalah"}, "unknown game"),
        ({"players": ["a"]}, "players is a list; expected a list of two texts"),
        ({"players": ["a", None]}, "expected a list of two texts"),
        ({"players": "ab"}, "expected a list of two texts"),
        ({"moves": "44"}, "moves is '44'; expected a list of moves"),
        ({"moves": ["4"]}, "move 1: expected an object, found '4'"),
        ({"moves": [{"move": "4"}]}, "move 1: side is missing"),
        ({"moves": [MOVE | {"side": True}]}, "move 1: side is true; expected 0 or 1"),
        ({"moves": [MOVE | {"side": 1}]}, "move 1: side is 1, but 0 is to move"),
        ({"moves": [MOVE | {"move": 4}]}, "move 1: move is 4; expected a text"),
        ({"moves": [MOVE | {"move": "8"}]}, "move 1: '8' is not a column"),
        ({"moves": [MOVE, MOVE]}, "move 2: side is 0, but 1 is to move"),
        ({"moves": [MOVE | {"depth": -1}]}, "depth is -1; expected a whole number from 0"),
        ({"moves": [MOVE | {"nodes": 1.5}]}, "nodes is 1.5; expected a whole number from 0"),
        ({"moves": [MOVE | {"passes": -1}]}, "passes is -1; expected a whole number from 0"),
        ({"moves": [MOVE | {"time_s": "1"}]}, "time_s is '1'; expected seconds from 0"),
        ({"moves": [MOVE | {"pondered": 1}]}, "pondered is 1; expected true or false"),
        ({"moves": [MOVE | {"thought": "x"}]}, "unknown field of move 1 'thought'"),
        ({"moves": [MOVE | {"score": 3}]}, "score is 3; expected an object"),
        ({"moves": [MOVE | {"score": {"value": 3}}]}, "move 1, score: kind is missing"),
        (
            {"moves": [MOVE | {"score": {"value": 3, "kind": "lucky"}}]},
            "kind is 'lucky'; expected one of heuristic, proven, win, loss",
        ),
        ({"points": 0.7}, "points is 0.7; expected 0, 0.5, 1 or null"),
        ({"points": True}, "points is true; expected"),
        ({"outcome": 1.0}, "outcome is 1.0; expected a whole number or null"),
        ({"outcome": 2**70}, "expected a whole number or null"),
        ({"ended": "badly"}, "ended is 'badly'; expected one of over, illegal move"),
        ({"ended": []}, "ended is a list; expected one of"),
        ({"opening": 3}, "its opening is longer than the game"),
        ({"settings": {"width": 99}}, "width=99: expected a whole number from 2 to 32"),
        ({"settings": {"wide": 9}}, "unknown parameter of connect4 'wide'"),
        ({"settings": {"width": [7]}}, "settings is an object; expected an object of numbers"),
        ({"settings": []}, "settings is a list; expected an object"),
        ({"position": "nonsense"}, "unexpected 'n' at character 1 of the board"),
        ({"tags": {"a": 1}}, "tags is an object; expected an object of texts"),
        ({"seed": -1}, "seed is -1; expected a whole number from 0"),
        ({"date": 1990}, "date is 1990; expected a text"),
        ({"winner": "a"}, "unknown field of a game 'winner'"),
        ({"event": "\ud800"}, "event is '\\ud800'; expected a text"),
    ],
)
def test_a_game_with_something_wrong_is_rejected(change, complaint):
    found = only_rejection(read_one(GAME | change))
    assert found.startswith("record: ")
    assert complaint in found
    assert len(found) < 300


@pytest.mark.parametrize(
    "change, complaint",
    [
        ({"position": ""}, "the board has 0 cells; expected 42"),
        ({"position": None}, "position is null; expected a text"),
        ({"scores": {"9": 1}}, "'9' is not a column"),
        ({"scores": {"4": 1.5}}, "expected an object of whole numbers"),
        ({"score": "1"}, "score is '1'; expected a whole number or null"),
        ({"players": ["a", "b"]}, "unknown field of a position 'players'"),
    ],
)
def test_a_position_with_something_wrong_is_rejected(change, complaint):
    assert complaint in only_rejection(read_one(POSITION | change))


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("{", "line 1: not JSON: Expecting property name"),
        ("1", "record: a game: expected an object, found 1"),
        ('"x"', "record: a game: expected an object, found 'x'"),
        ("{}", "record: a game: game is missing"),
        ("[[]]", "item 1: a game: expected an object, found a list"),
        ("[" * 100_000, "line 1: not JSON that can be read"),
        ("[" + "9" * 5000 + "]", "line 1: not JSON that can be read"),
        ('{"game": NaN}', "line 1: not JSON that can be read: NaN is not a number"),
        ("\x00", "line 1: not JSON"),
        ("\ufffd", "line 1: not JSON"),
        ("hello", "line 1: not JSON"),
    ],
)
def test_what_is_not_a_record_is_rejected(text, complaint):
    assert only_rejection(read(text.encode())).startswith(complaint)


def test_one_bad_line_does_not_spoil_the_others():
    line = json.dumps(GAME)
    items = list(read(f"{line}\n{line[:-9]}\n{line}\n".encode()))
    assert [type(item) for item in items] == [Read, Rejected, Read]
    assert items[1].place == "line 2"


def test_nothing_is_nothing():
    assert list(read(b"")) == list(read(b"\n\n")) == list(read(b"[]")) == []


def test_a_record_never_runs_a_file(tmp_path):
    trap = tmp_path / "trap.py"
    sprung = tmp_path / "sprung"
    trap.write_text(f"open({str(sprung)!r}, 'w').close()\n")
    assert "unknown game" in only_rejection(read_one(GAME | {"game": str(trap)}))
    assert not Path(sprung).exists()


anything = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | texts,
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(texts, inner, max_size=3),
)
FIELDS = ["game", "players", "moves", "position", "settings", "scores", "tags", "pair", "games"]


@settings(max_examples=150)
@given(some.dictionaries(some.sampled_from(FIELDS) | texts, anything, max_size=5), some.booleans())
def test_any_json_is_a_record_or_rejected(data, with_game):
    data = GAME | data if with_game else data
    assert check_items(read(json.dumps(data).encode())) >= ("games" not in data)


def test_a_record_that_json_cannot_hold_is_refused():
    for event in ("\ud800", float("nan")):
        with pytest.raises(Unsupported, match="a record that JSON cannot hold"):
            write_lines([GameRecord("connect4", ("", ""), [], event=event)])


# ------------------------------------------------------------------ recognising

LINE = json.dumps(GAME)


@pytest.mark.parametrize(
    "text, lines, document",
    [
        (LINE, 0.95, 0.9),
        (f"{LINE}\n{LINE}\n", 0.95, 0.5),
        (LINE[:40], 0.6, 0.5),
        (json.dumps(GAME, indent=2), 0.0, 0.9),
        (json.dumps([GAME]), 0.0, 0.9),
        (json.dumps([GAME])[:50], 0.0, 0.5),
        ('{"a": 1}', 0.3, 0.3),
        ("[]", 0.0, 0.3),
        ("[1]", 0.0, 0.3),
        ("{", 0.0, 0.0),
        ("[Event", 0.0, 0.0),
        ("f5d6", 0.0, 0.0),
        ("", 0.0, 0.0),
    ],
)
def test_recognising(text, lines, document):
    assert recognises_lines(text.encode()) == lines
    assert recognises_document(text.encode()) == document
