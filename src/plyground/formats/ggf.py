"""GGF, the Generic Game Format of the GGS server: what NBoard and most Othello programs exchange.

    (;GM[Othello]PC[GGS/os]DT[2004.09.18_05:54:38.MDT]PB[a]PW[b]RE[+12.00]TI[15:00]TY[8]
    BO[8 ---------------------------O*------*O--------------------------- *]
    B[F5//2.45]W[D6/-1.25/3.1]...;)

A value ends at the first ] and there is no way to write one, so brackets in names become
parentheses. A move may carry an evaluation in discs and a time in seconds. Passes are written.
Properties that Plyground has no field for become tags under their own names.

A win by resignation or on time that was not counted is all the discs of the board, and is read as
such a win without a count. Anti-Othello is another game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from plyground.core.errors import InputError, MalformedText, Unsupported, shorten
from plyground.core.records import Ending, GameRecord, MoveRecord
from plyground.core.scores import Score
from plyground.formats import othello_records as othello
from plyground.formats.spec import Format, Item, Read, Rejected
from plyground.games.othello import GAME, board_size
from plyground.games.rules import State

LONGEST_VALUE = 10_000  # characters
MOST_PROPERTIES = 1000  # of a game

_NAME = re.compile(r"\s*([A-Za-z]{1,8})\s*\[", re.ASCII)
_END = re.compile(r"\s*;?\s*\)")
_RESULT = re.compile(r"\s*([+-]?[0-9]{1,4}(?:\.[0-9]{0,6})?)\s*(?::([a-z]))?.*", re.DOTALL | re.I)
_NUMBER = re.compile(r"[+-]?[0-9]{1,6}(?:\.[0-9]{0,9})?", re.ASCII)
_CLOCK = re.compile(r"(?:([0-9]{1,3}):)?([0-9]{1,6}(?:\.[0-9]{0,9})?)", re.ASCII)
_ENDINGS: dict[str, Ending] = {"r": "resigned", "t": "time"}
_LETTERS = {"resigned": ":r", "time": ":t", "forfeit": ":r", "illegal move": ":r"}
_DATE_MARKS = str.maketrans({"-": ".", "T": "_", "Z": ".GMT"})  # 2004.09.18_05:54:38.GMT
_SIDES = {"B": othello.BLACK, "W": othello.WHITE}
_OURS = ("GM", "PC", "DT", "PB", "PW", "RE", "TY", "BO", "B", "W")

# ------------------------------------------------------------------ reading


@dataclass(frozen=True)
class _Properties:
    """What stands between (; and ;)."""

    single: dict[str, str]
    moves: list[tuple[int, str]]


def _games(text: str) -> Iterator[Item]:
    number, place = 0, 0
    while (begin := text.find("(;", place)) >= 0:
        number += 1
        place = begin + 2
        try:
            properties, place = _read_properties(text, place)
            yield Read(_read_game(properties), f"game {number}")
        except InputError as error:
            yield Rejected(f"game {number}", str(error))


def _read_properties(text: str, place: int) -> tuple[_Properties, int]:
    """The properties of a game, and where the rest of the text begins."""
    found = _Properties({}, [])
    for _ in range(MOST_PROPERTIES):
        if end := _END.match(text, place):
            return found, end.end()
        name = _NAME.match(text, place)
        if name is None:
            shown = shorten(text[place : place + 40])
            raise MalformedText(f"expected a property such as PB[name] or ;) at {shown!r}")
        end_of_value = text.find("]", name.end(), name.end() + LONGEST_VALUE)
        if end_of_value < 0:
            raise MalformedText(f"the value of {name[1]} has no ] at its end")
        place = end_of_value + 1
        value = text[name.end() : end_of_value].strip()
        if name[1].upper() in _SIDES:
            found.moves.append((_SIDES[name[1].upper()], value))
        else:
            found.single.setdefault(name[1].upper(), value)
    raise MalformedText(f"a game of more than {MOST_PROPERTIES} properties")


def _read_game(properties: _Properties) -> GameRecord:
    header = properties.single
    if header.get("GM", "othello").lower() not in ("othello", "reversi"):
        raise Unsupported(f"GM[{shorten(header['GM'])}] is another game")
    if "a" in header.get("TY", "").lower():
        raise Unsupported(f"TY[{shorten(header['TY'])}] is Anti-Othello, another game")
    replay = othello.Replay(_read_start(header))
    for side, value in properties.moves:
        move, _, rest = value.partition("/")
        evaluation, _, time = rest.partition("/")
        replay.play(move, side, _read_time(time), _read_evaluation(evaluation))
    tags = {name: value for name, value in header.items() if name not in _OURS and value}
    if not re.fullmatch("[0-9]*", header.get("TY", "")):
        tags["TY"] = header["TY"]
    date = othello.parse_date(header.get("DT", ""))
    if ":" in header.get("DT", "") and "T" not in date:
        tags["DT"] = header["DT"]  # a time of day in a zone that we do not know
    return replay.record(
        _read_result(header.get("RE", ""), board_size(replay.start)),
        (header.get("PB", ""), header.get("PW", "")),
        date,
        header.get("PC", ""),
        tags,
    )


def _read_start(header: dict[str, str]) -> State:
    size = re.search(r"[0-9]{1,3}", header.get("BO") or header.get("TY") or "", re.ASCII)
    start = othello.start_of(int(size[0]) if size else othello.USUAL_SIZE)
    if "BO" not in header:
        return start
    if size is None or header["BO"][: size.start()].strip():
        raise MalformedText(f"BO[{shorten(header['BO'])}]: expected the size before the board")
    return GAME.parse_position(start, header["BO"][size.end() :])


def _read_result(text: str, size: int) -> othello.Result:
    found = _RESULT.fullmatch(text)
    if found is None:
        return othello.UNKNOWN
    value, ended = float(found[1]), _ENDINGS.get((found[2] or "").lower(), "over")
    is_convention = ended != "over" and abs(value) == size * size
    if is_convention or not value.is_integer():
        return othello.Result.decided(text, 0.5 if value == 0 else float(value > 0), ended)
    return othello.Result.counted(text, int(value), ended)


def _read_evaluation(text: str) -> Score | None:
    found = _NUMBER.fullmatch(text.strip())
    return Score(round(float(found[0])), "heuristic") if found else None


def _read_time(text: str) -> float:
    """Seconds, or minutes and seconds."""
    found = _CLOCK.match(text.strip())
    return 60 * int(found[1] or 0) + float(found[2]) if found else 0.0


# ------------------------------------------------------------------ writing


def _write_game(record: GameRecord) -> str:
    start = othello.first_state(record)
    size = board_size(start)
    board = GAME.format_position(start).replace("X", "*")
    header = {
        "GM": "Othello",
        "PC": record.event,
        "DT": record.tags.get("DT") or record.date.translate(_DATE_MARKS),
        "PB": record.players[0],
        "PW": record.players[1],
        "RE": _write_result(record, size),
        "TY": record.tags.get("TY") or str(size),
    }
    for name, value in record.tags.items():
        if name not in _OURS and re.fullmatch("[A-Z]{2}", name):
            header[name] = value
    header["BO"] = f"{size} {board}"
    properties = "".join(f"{name}[{_clean(value)}]" for name, value in header.items() if value)
    return f"(;{properties}{''.join(map(_write_move, record.moves))};)"


def _clean(value: str) -> str:
    return " ".join(value.replace("[", "(").replace("]", ")").split())


def _write_result(record: GameRecord, size: int) -> str:
    if record.points is None:
        return "?"
    letter = _LETTERS.get(record.ended, "")
    if record.outcome is not None:
        return f"{record.outcome:+d}.00{letter}"
    if record.points == 0.5:
        return "0.00"
    return f"{'+' if record.points else '-'}{size * size}.00{letter or ':r'}"


def _write_move(move: MoveRecord) -> str:
    name = "PA" if move.move == "pass" else move.move.upper()
    has_discs = move.score is not None and move.score.kind in ("heuristic", "proven")
    evaluation = f"{move.score.value}.00" if move.score and has_discs else ""
    time = f"{move.time_s:.3f}" if move.time_s else ""
    return f"{'BW'[move.side]}[{'/'.join([name, evaluation, time]).rstrip('/')}]"


# ------------------------------------------------------------------ recognising


def _judge(text: str) -> float:
    begin = text.find("(;")
    if begin < 0 or text[:begin].strip(" \t\r\n0123456789"):
        return 0.0
    game = re.search(r"GM\s*\[\s*([^\]]*)", text)
    if game:
        return 0.98 if game[1].strip().lower() in ("othello", "reversi") else 0.0
    return 0.5 if re.search(r"BO\s*\[\s*[0-9]", text) else 0.05


FORMAT = Format(
    name="ggf",
    summary="Othello games in the Generic Game Format of GGS and NBoard",
    games=(GAME.name,),
    suffixes=(".ggf",),
    recognises=othello.recogniser(_judge),
    read=othello.reader(_games, "games such as (;GM[Othello]PB[a]PW[b]B[f5]W[d6];)"),
    write=othello.writer(othello.require_game, "GGF", _write_game),
)
