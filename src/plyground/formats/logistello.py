"""Game lists of Logistello: the colour and the square of every move, then the result for black.

    +d3-c3+c4-e3+c2-b3+d2-e1...-b8+b7: -04 10

`+` is black and `-` white; a pass shows as two moves of one colour in a row. Logistello counted the
discs on the board, here as everywhere else empty squares are the winner's: where that makes a
difference, its own number is the tag `result`. What the last number counts is not documented; it
becomes the tag `count`, and is written as 1 where it is not known.
Games begin at the usual first position of 8x8. A long list is replayed by compiled rules, a short
one is not worth waiting for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np

from plyground.core.errors import MalformedText, Unsupported, shorten
from plyground.core.records import GameRecord, MoveRecord
from plyground.formats import othello_records as othello
from plyground.formats.replay import ALL_LEGAL, NO_MOVE, replay_many
from plyground.formats.spec import Format, Item, Read, attempt
from plyground.games.othello import GAME, PASS

TITLE = "a list of Logistello's"
MANY = 1000  # lines; fewer are replayed by plain Python before the compiler has been loaded
MOST_MOVES = 60  # without passes

_LINE = re.compile(
    r"((?:[+-][a-h][1-8]){1,60})\s*:\s*([+-]?[0-9]{1,2})(?:\s+([0-9]{1,9}))?", re.ASCII
)
_COLOURS = "+-"

# ------------------------------------------------------------------ reading


def _games(text: str) -> Iterator[Item]:
    lines = ((number, line) for number, line in othello.numbered_lines(text) if line)
    while some := list(islice(lines, MANY)):
        are_many = len(some) == MANY and any(_LINE.fullmatch(line) for _, line in some)
        yield from _replayed_together(some) if are_many else _replayed_singly(some)


def _replayed_singly(lines: list[tuple[int, str]]) -> Iterator[Item]:
    for number, line in lines:
        yield attempt(f"line {number}", _read_line, line)


def _read_line(line: str) -> GameRecord:
    found = _LINE.fullmatch(line)
    if found is None:
        raise MalformedText(f"{shorten(line)!r}; expected moves and a result, +d3-c3+c4: -04 10")
    replay = othello.Replay(othello.start_of())
    for colour, square in _moves_of(found[1]):
        replay.play(square, _COLOURS.index(colour))
    result, tags = _ending_of(found)
    return replay.record(result, tags=tags)


def _moves_of(text: str) -> list[tuple[str, str]]:
    return [(text[at], text[at + 1 : at + 3]) for at in range(0, len(text), 3)]


def _ending_of(found: re.Match[str]) -> tuple[othello.Result, dict[str, str]]:
    """The result of a game, and its tags."""
    tags = {"count": found[3]} if found[3] else {}
    return othello.Result.counted(found[2], int(found[2])), tags


# ------------------------------------------------------------------ many at once


def _replayed_together(lines: list[tuple[int, str]]) -> Iterator[Item]:
    """The same items; what compiled rules complain about is left to plain Python to explain."""
    matches = [_LINE.fullmatch(line) for _, line in lines]
    rows = np.full((len(lines), MOST_MOVES), NO_MOVE, np.int32)
    for row, found in zip(rows, matches, strict=True):
        if found:
            moves = _moves_of(found[1])
            row[: len(moves)] = [_MOVES[square] for _, square in moves]
    start = othello.start_of()
    played = replay_many(GAME, start, rows, PASS)
    for place, (line, found) in enumerate(zip(lines, matches, strict=True)):
        plies = played.moves[place, : played.plies[place]].tolist()
        records = [othello.MOVE_RECORDS[ply % 2][move] for ply, move in enumerate(plies)]
        if found and played.illegal[place] == ALL_LEGAL and _colours_of(records) == found[1][::3]:
            final = int(played.outcomes[place]) if played.is_over[place] else None
            result, tags = _ending_of(found)
            record = othello.game_record(start, records, final, result, tags=tags)
            yield Read(record, f"line {line[0]}")
        else:
            yield from _replayed_singly([line])


def _colours_of(moves: Iterable[MoveRecord]) -> str:
    return "".join(_COLOURS[move.side] for move in moves if move.move != "pass")


_MOVES = {record.move: move for move, record in enumerate(othello.MOVE_RECORDS[0])}

# ------------------------------------------------------------------ writing and recognising


def _write_line(record: GameRecord) -> str:
    if othello.require_size(othello.first_state(record), TITLE) != othello.start_of():
        raise Unsupported(f"{TITLE} holds games from the usual first position only")
    if record.outcome is None:
        raise Unsupported(f"{TITLE} holds games with a result in discs only")
    moves = "".join(f"{_COLOURS[m.side]}{m.move}" for m in record.moves if m.move != "pass")
    if not moves:
        raise Unsupported(f"{TITLE} holds games with moves only")
    return f"{moves}: {record.outcome:+03d} {record.tags.get('count', '1')}"


def _judge(text: str) -> float:
    return 0.98 if isinstance(next(_games(text), None), Read) else 0.0


FORMAT = Format(
    name="logistello",
    summary="Othello games with colours and results, as Logistello listed them",
    games=(GAME.name,),
    suffixes=(".gam",),
    recognises=othello.recogniser(_judge),
    read=othello.reader(_games, "lines such as +d3-c3+c4: -04 10"),
    write=othello.writer(othello.require_game, TITLE, _write_line),
)
