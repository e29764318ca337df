"""Our own records as JSON: an object a line, or one object, or a list of objects.

Nothing is taken on trust: every field has its type, every move is played by the rules of the named
game, and everything else is refused with its place. The lines of a match's journal are read as the
games they hold. Games are found by name only: the text of a record never loads a file.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn, get_args

from plyground.core.errors import InputError, MalformedText, Unsupported, shorten, unknown
from plyground.core.records import Ending, GameRecord, PositionRecord
from plyground.core.scores import Bound, Kind
from plyground.formats.spec import Format, Item, Record, Rejected, attempt
from plyground.formats.text_lines import check_settings, giving_up, text_of
from plyground.games.catalogue import games
from plyground.games.rules import State, play, side
from plyground.games.spec import GameSpec

LINES, DOCUMENT = "jsonl", "json"
MOST_NUMBER = 2**64 - 1
TELLING = frozenset({"game", "pair"})  # fields that make us sure of an object

# ------------------------------------------------------------------ types of fields

Check = Callable[[Any], bool]
Fields = Mapping[str, tuple[Check, str]]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _is_whole(value: Any) -> bool:
    return type(value) is int and abs(value) <= MOST_NUMBER


def _is_setting(value: Any) -> bool:
    if type(value) is float:
        return math.isfinite(value)
    return isinstance(value, bool) or _is_whole(value) or _is_text(value)


def _maps_to(check: Check) -> Check:
    return lambda value: (
        isinstance(value, dict) and all(_is_text(k) and check(v) for k, v in value.items())
    )


def _or_nothing(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _one_of(choices: Iterable[Any]) -> Check:
    known = tuple(choices)
    return lambda value: not isinstance(value, bool | list | dict) and value in known


TEXT = (_is_text, "a text")
WHOLE_OR_NULL = (_or_nothing(_is_whole), "a whole number or null")
COUNT = (lambda value: _is_whole(value) and value >= 0, "a whole number from 0")
SETTINGS = (_maps_to(_is_setting), "an object of numbers, texts, true or false")
TAGS = (_maps_to(_is_text), "an object of texts")

SCORE_FIELDS: Fields = {
    "value": (_is_whole, "a whole number"),
    "kind": (_one_of(get_args(Kind)), f"one of {', '.join(get_args(Kind))}"),
    "bound": (_one_of(get_args(Bound)), f"one of {', '.join(get_args(Bound))}"),
}
MOVE_FIELDS: Fields = {
    "move": TEXT,
    "side": (_one_of((0, 1)), "0 or 1"),
    "time_s": (
        lambda value: type(value) in (int, float) and 0 <= value <= MOST_NUMBER,
        "seconds from 0",
    ),
    "score": (lambda value: isinstance(value, dict), "an object"),
    "depth": COUNT,
    "nodes": COUNT,
    "leaves": COUNT,
    "passes": COUNT,
    "pondered": (lambda value: isinstance(value, bool), "true or false"),
}
GAME_FIELDS: Fields = {
    "game": TEXT,
    "players": (
        lambda value: isinstance(value, list) and len(value) == 2 and all(map(_is_text, value)),
        "a list of two texts",
    ),
    "moves": (lambda value: isinstance(value, list), "a list of moves"),
    "points": (_or_nothing(_one_of((0, 0.5, 1))), "0, 0.5, 1 or null"),
    "outcome": WHOLE_OR_NULL,
    "ended": (_one_of(get_args(Ending)), f"one of {', '.join(get_args(Ending))}"),
    "reason": TEXT,
    "opening": COUNT,
    "settings": SETTINGS,
    "position": (_or_nothing(_is_text), "a text or null"),
    "seed": COUNT,
    "date": TEXT,
    "event": TEXT,
    "tags": TAGS,
}
POSITION_FIELDS: Fields = {
    "game": TEXT,
    "position": TEXT,
    "settings": SETTINGS,
    "scores": (_maps_to(_is_whole), "an object of whole numbers"),
    "score": WHOLE_OR_NULL,
    "tags": TAGS,
}


def _check_fields(what: str, data: Any, fields: Fields, needed: tuple[str, ...]) -> None:
    if not isinstance(data, dict):
        raise MalformedText(f"{what}: expected an object, found {_shown(data)}")
    for name in needed:
        if name not in data:
            raise MalformedText(f"{what}: {name} is missing")
    for name, value in data.items():
        if name not in fields:
            raise unknown(f"field of {what}", name, fields)
        is_right, expected = fields[name]
        if not is_right(value):
            raise MalformedText(f"{what}: {name} is {_shown(value)}; expected {expected}")


def _shown(value: Any) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return shorten(ascii(value) if isinstance(value, str) else json.dumps(value))


# ------------------------------------------------------------------ from data to records


def _record(data: Any) -> Record:
    """The record that this is. Raises InputError for anything else, and for illegal moves."""
    is_position = isinstance(data, dict) and "moves" not in data and "position" in data
    return _position(data) if is_position else _game(data)


def _position(data: Any) -> PositionRecord:
    _check_fields("a position", data, POSITION_FIELDS, ("game", "position"))
    spec, start = _start_of(data)
    state = spec.parse_position(start, data["position"])
    for text in data.get("scores", {}):
        spec.parse_move(state, text)
    return PositionRecord.from_data(data | {"game": spec.name})


def _game(data: Any) -> GameRecord:
    _check_fields("a game", data, GAME_FIELDS, ("game", "players", "moves"))
    spec, state = _start_of(data)
    if data.get("position") is not None:
        state = spec.parse_position(state, data["position"])
    for number, move in enumerate(data["moves"], start=1):
        state = _after(spec, state, move, f"move {number}")
    if data.get("opening", 0) > len(data["moves"]):
        raise MalformedText("a game: its opening is longer than the game")
    return GameRecord.from_data({"points": None} | data | {"game": spec.name})


def _after(spec: GameSpec, state: State, data: Any, what: str) -> State:
    _check_fields(what, data, MOVE_FIELDS, ("move", "side"))
    if "score" in data:
        _check_fields(f"{what}, score", data["score"], SCORE_FIELDS, ("value", "kind"))
    try:
        move = spec.parse_move(state, data["move"])
    except InputError as error:
        raise type(error)(f"{what}: {error}") from None
    if data["side"] != side(state):
        raise MalformedText(f"{what}: side is {data['side']}, but {int(side(state))} is to move")
    return play(state, move)


def _start_of(data: Mapping[str, Any]) -> tuple[GameSpec, State]:
    by_name = {name: game for game in games().values() for name in (game.name, *game.aliases)}
    if data["game"] not in by_name:
        raise unknown("game", data["game"], by_name)
    spec = by_name[data["game"]]
    return spec, spec.initial(**check_settings(spec, data.get("settings", {})))


# ------------------------------------------------------------------ reading


@giving_up
def read(data: bytes) -> Iterator[Item]:
    """The records of any layout."""
    text = text_of(data)
    document = None if _begins_with_an_object_line(text) else _loads_or_none(text)
    if isinstance(document, list):
        for number, data in enumerate(document, start=1):
            yield from _read_data(data, f"item {number}")
    elif document is not None:
        yield from _read_data(document, "record")
    else:
        for number, line in enumerate(io.StringIO(text, newline=None), start=1):
            place = f"line {number}"
            try:
                if line.strip():
                    yield from _read_data(_loads(line), place)
            except MalformedText as error:
                yield Rejected(place, str(error))


def _begins_with_an_object_line(text: str) -> bool:
    first = text.lstrip()[:1]
    end = text.find("\n", len(text) - len(text.lstrip()))
    return first == "{" and end >= 0 and isinstance(_loads_or_none(text[:end]), dict)


def _read_data(data: Any, place: str) -> Iterator[Item]:
    """One record; of a line of a journal, its games."""
    if isinstance(data, dict) and "pair" in data and isinstance(data.get("games"), list):
        for number, each in enumerate(data["games"], start=1):
            yield attempt(f"{place}, game {number}", _record, each)
    else:
        yield attempt(place, _record, data)


def _loads_or_none(text: str) -> Any:
    try:
        return _loads(text)
    except MalformedText:
        return None


def _loads(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise MalformedText(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except (ValueError, RecursionError) as error:  # numbers, and nesting, without end
        raise MalformedText(f"not JSON that can be read: {shorten(str(error))}") from None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


# ------------------------------------------------------------------ writing


def write_lines(records: Iterable[Record]) -> bytes:
    """An object a line."""
    return b"".join(_bytes(record) + b"\n" for record in records)


def write_document(records: Iterable[Record]) -> bytes:
    """A list of objects, one a line."""
    return b"[\n" + b",\n".join(map(_bytes, records)) + b"\n]\n"


def _bytes(record: Record) -> bytes:
    try:
        text = json.dumps(
            record.as_data(), ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
        return text.encode()
    except (TypeError, ValueError) as error:
        raise Unsupported(f"a record that JSON cannot hold: {shorten(str(error))}") from None


def recognises_lines(data: bytes) -> float:
    """A first line that is an object, or, where that is cut, one that begins like a record."""
    text = text_of(data).lstrip()
    first, end, _ = text.partition("\n")
    if not text.startswith("{"):
        return 0.0
    found = _loads_or_none(first)
    if found is None:
        return 0.6 if not end and any(f'"{name}"' in first for name in TELLING) else 0.0
    return 0.95 if found.keys() & TELLING else 0.3


def recognises_document(data: bytes) -> float:
    """A list, or an object over several lines."""
    text = text_of(data).lstrip()
    if text[:1] not in ("{", "["):
        return 0.0
    found = _loads_or_none(text)
    if found is None:
        return 0.5 if any(f'"{name}"' in text for name in TELLING) else 0.0
    first = found[0] if isinstance(found, list) and found else found
    return 0.9 if isinstance(first, dict) and first.keys() & TELLING else 0.3


FORMATS = (
    Format(
        name=LINES,
        summary="records of games and positions as JSON, one a line; journals of matches",
        games=(),
        suffixes=(".jsonl", ".ndjson"),
        recognises=recognises_lines,
        read=read,
        write=write_lines,
    ),
    Format(
        name=DOCUMENT,
        summary="records of games and positions as one list of JSON",
        games=(),
        suffixes=(".json",),
        recognises=recognises_document,
        read=read,
        write=write_document,
    ),
)
