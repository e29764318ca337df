r"""PGN for Othello, as Edax and xboard write it: tags in brackets, then moves in numbered pairs.

    [Event "?"]
    [Black "a"]
    [White "b"]
    [Result "1-0"]

    1. f5 d6 2. c3 d3 3. pass ... {a wins 40-24} 1-0

Black is the first player and `1-0` means that black won; a result may be in discs instead. A game
that began elsewhere, or on a board of another size, has a FEN tag. Comments and variations are
skipped. What Plyground has no field for becomes tags under their own names.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field

from plyground.core.errors import MalformedText
from plyground.core.records import ON_THE_BOARD, Ending, GameRecord
from plyground.formats import othello_records as othello
from plyground.formats.boards import format_fen, parse_fen
from plyground.formats.spec import Format, Item, Read, Rejected, attempt
from plyground.games.othello import GAME
from plyground.games.rules import side

MOST_PARTS = 5000  # of a game: tags, moves, comments
WIDTH = 79
NOT_KNOWN = "?"

_PART = re.compile(
    r"""\[\s*(?P<tag>\w{1,40})\s+"(?P<value>(?:[^"\\\n]|\\.){0,2000})"\s*\]
    |(?P<skipped>\{[^}]*\}?|;[^\n]*|\$[0-9]+)
    |(?P<bracket>[()])
    |(?P<word>[^\s{}()\[\];]{1,100})
    |(?P<other>\S)""",
    re.VERBOSE | re.ASCII,
)
_DISCS = re.compile(r"([0-9]{1,3})-([0-9]{1,3})", re.ASCII)
_DROP = re.compile(r"^[Pp]@(?=\w)|[!?]+$")  # how xboard writes a disc that is put down; praise
_POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5, "½-½": 0.5}
_RESULTS = {1.0: "1-0", 0.0: "0-1", 0.5: "1/2-1/2", None: "*"}
_ENDINGS: dict[str, Ending] = {
    "time": "time",
    "time forfeit": "time",
    "resigned": "resigned",
    "forfeit": "forfeit",
    "illegal move": "illegal move",
    "rules infraction": "illegal move",
    "length": "length",
}
_DATES = ("Date", "UTCDate", "UTCTime")
_OURS = ("Event", "Black", "White", "Result", "FEN", "SetUp", "Termination", *_DATES)

# ------------------------------------------------------------------ reading


@dataclass
class _Game:
    """The parts of a game as they stand in the file."""

    tags: dict[str, str] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    result: str = ""
    parts: int = 0
    depth: int = 0
    """Of the variations that are being skipped."""


def _games(text: str) -> Iterator[Item]:
    game, number = _Game(), 1
    for part in _PART.finditer(text):
        if game.result or (part["tag"] and game.words):
            yield attempt(f"game {number}", _read_game, game)
            game, number = _Game(), number + 1
        game.parts += 1
        if game.parts > MOST_PARTS:
            yield Rejected(f"game {number}", f"more than {MOST_PARTS:,} parts; not read further")
            return
        _add(game, part)
    if game.parts:
        yield attempt(f"game {number}", _read_game, game)


def _add(game: _Game, part: re.Match[str]) -> None:
    if part["tag"]:
        game.tags[part["tag"]] = re.sub(r"\\(.)", r"\1", part["value"])
    elif part["bracket"]:
        game.depth = max(0, game.depth + (1 if part["bracket"] == "(" else -1))
    elif part["skipped"] or game.depth:
        return
    elif (word := part["word"]) and (word in _POINTS or word == "*" or _DISCS.fullmatch(word)):
        game.result = word
    else:
        game.words.append(word or part["other"])


def _read_game(game: _Game) -> GameRecord:
    header = {name: "" if value == NOT_KNOWN else value for name, value in game.tags.items()}
    replay = othello.Replay(parse_fen(header["FEN"]) if header.get("FEN") else othello.start_of())
    for word in game.words:
        for token in GAME.split_moves(_DROP.sub("", word)):
            if not token.isdecimal():
                replay.play(token)
    if not game.tags and not game.words:
        raise MalformedText("a result without a game")
    return replay.record(
        _read_result(game.result, header),
        (header.get("Black", ""), header.get("White", "")),
        _read_date(header),
        header.get("Event", ""),
        {name: value for name, value in header.items() if name not in _OURS and value},
    )


def _read_result(text: str, header: dict[str, str]) -> othello.Result:
    """By the word that ends the moves, or by the tag if that says more."""
    ended = _ENDINGS.get(header.get("Termination", "").lower(), "over")
    for word in (text, header.get("Result", "")):
        if word in _POINTS:
            return othello.Result.decided(word, _POINTS[word], ended)
        if discs := _DISCS.fullmatch(word):
            return othello.Result.counted(word, int(discs[1]) - int(discs[2]), ended)
    return othello.UNKNOWN


def _read_date(header: dict[str, str]) -> str:
    date = header.get("UTCDate") or header.get("Date", "")
    return othello.parse_date(f"{date} {header['UTCTime']} UTC" if header.get("UTCTime") else date)


# ------------------------------------------------------------------ writing


def _write_game(record: GameRecord) -> str:
    start = othello.first_state(record)
    header = {
        "Event": record.event or NOT_KNOWN,
        "Site": record.tags.get("Site") or NOT_KNOWN,
        "Date": _write_date(record.date),
        "Round": record.tags.get("Round") or NOT_KNOWN,
        "Black": record.players[0] or NOT_KNOWN,
        "White": record.players[1] or NOT_KNOWN,
        "Result": _RESULTS[record.points],
    }
    if "T" in record.date:
        header["UTCTime"] = record.date[11:19]
    if record.points is not None and (record.ended not in ON_THE_BOARD or record.ended == "length"):
        header["Termination"] = record.ended
    if start != othello.start_of():
        header |= {"SetUp": "1", "FEN": format_fen(start)}
    for name, value in record.tags.items():
        if re.fullmatch("[A-Z][A-Za-z]{2,39}", name) and name not in (*_OURS, "Site", "Round"):
            header[name] = value
    tags = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in header.items())
    words = [*_numbered(record, side(start)), _RESULTS[record.points]]
    moves = textwrap.fill(" ".join(words), WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"{tags}\n{moves}"


def _write_date(date: str) -> str:
    known = date[:10].split("-") if date else []
    return ".".join(known + ["????", "??", "??"][len(known) :])


def _escape(value: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", " ".join(value.split()))


def _numbered(record: GameRecord, first: int) -> Iterator[str]:
    """The moves, with a number before each of black's and before the first."""
    for ply, move in enumerate(record.moves, start=first):
        if ply % 2 == 0:
            yield f"{ply // 2 + 1}."
        elif ply == first:
            yield "1..."
        yield move.move


# ------------------------------------------------------------------ recognising


def _judge(text: str) -> float:
    first = next(_games(text), None)
    if not isinstance(first, Read) or not isinstance(first.record, GameRecord):
        return 0.0
    has_tags = re.match(r'\s*\[\s*\w+\s+"', text) is not None
    if not first.record.moves:
        return 0.2 if has_tags else 0.0
    return 0.97 if has_tags else 0.5


FORMAT = Format(
    name="othello-pgn",
    summary="Othello games in Portable Game Notation (Edax, xboard)",
    games=(GAME.name,),
    suffixes=(".pgn",),
    recognises=othello.recogniser(_judge),
    read=othello.reader(_games, 'tags such as [Black "a"] and moves such as 1. f5 d6'),
    write=othello.writer(othello.require_game, "PGN", _write_game, between="\n"),
)
