"""Double Card as the course wrote it: `0 5 A 2; F 2 F 3 3 A 2`, one game or one move a line.

`0 R C N` lays a card of rotation R at column C, row N; `C N C N R C N` moves one. Reading takes
either case, cells glued or apart, and the halves of a card in either order; writing is strict. In
lines without semicolons every line is a move. An empty line ends a game. A comment such as
`# first_goal=dots` sets rules that do not follow from the moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from plyground.core.errors import MalformedText, Unsupported
from plyground.core.records import GameRecord
from plyground.formats.replay import record_of
from plyground.formats.spec import Format, Item, Record, Rejected, attempt, lines_place
from plyground.formats.text_lines import (
    Line,
    giving_up,
    head_of,
    lines_of,
    with_settings,
    write_settings,
)
from plyground.games import squares
from plyground.games.double_card import GAME

BETWEEN = ";"
MOST_MOVES = 1023  # of a game, by any settings
LONGEST = 32 * MOST_MOVES  # characters of a game

GAMES, MOVES = "double-card", "double-card-moves"

_MOVE = re.compile(
    r"(?:0\s*[1-8]|[A-H]\s*[0-9]{1,2}\s*[A-H]\s*[0-9]{1,2}\s*[1-8])\s*[A-H]\s*[0-9]{1,2}",
    re.ASCII | re.IGNORECASE,
)

# ------------------------------------------------------------------ reading


@giving_up
def read(data: bytes) -> Iterator[Item]:
    """The games of a text, whichever way they are laid out."""
    lines: list[Line] = []  # of the game that is being gathered
    for line in lines_of(GAME, data):
        if isinstance(line, Rejected):
            yield from _finish(lines)
            yield line
            continue
        if not line.text or not _go_together(lines, line):
            yield from _finish(lines)
        if len(lines) > MOST_MOVES:
            lines[-1] = line  # too long already: only where it ends is still of interest
        elif line.text:
            lines.append(line)
    yield from _finish(lines)


def _go_together(lines: list[Line], line: Line) -> bool:
    """Whether a line continues the game: after a semicolon, or where neither has any."""
    if not lines:
        return True
    first, last = lines[0], lines[-1]
    if line.start is not last.start:
        return False
    if last.text.endswith(BETWEEN):
        return True
    if BETWEEN in first.text or BETWEEN in last.text or BETWEEN in line.text:
        return False
    return len(lines) > 1 or _is_like_a_move(first.text)


def _is_like_a_move(text: str) -> bool:
    return bool(_MOVE.fullmatch(text)) or squares.is_pass(text[:10])


def _finish(lines: list[Line]) -> Iterator[Item]:
    if lines:
        yield attempt(lines_place(lines[0].number, lines[-1].number), _read_game, lines)
        lines.clear()


def _read_game(lines: list[Line]) -> GameRecord:
    first, text = lines[0], "\n".join(line.text for line in lines)
    if len(text) > LONGEST or len(lines) > MOST_MOVES:
        raise MalformedText(f"too long for a game; expected at most {MOST_MOVES:,} moves")
    moves = GAME.parse_moves(first.start, text)
    if not moves:
        raise MalformedText("no moves; expected moves such as 0 5 A 1, semicolons between")
    return record_of(GAME, first.start, moves, first.settings)


def _recognises(data: bytes, with_semicolons: bool) -> float:
    texts = [line.text for line in head_of(GAME, data) if isinstance(line, Line)]
    if not texts or any(BETWEEN in text for text in texts) != with_semicolons:
        return 0.0
    moves = [move for text in texts for move in GAME.split_moves(text[:LONGEST])]
    known = sum(map(_is_like_a_move, moves))
    return 0.95 * known / len(moves) if moves and known > len(moves) / 2 else 0.0


recognises_games = partial(_recognises, with_semicolons=True)
recognises_moves = partial(_recognises, with_semicolons=False)


# ------------------------------------------------------------------ writing


def _write(records: Iterable[Record], name: str, between_moves: str, between_games: str) -> bytes:
    parts: list[str] = []
    for record, settings, are_new in with_settings(GAME, records, name):
        if not isinstance(record, GameRecord) or record.position is not None:
            raise Unsupported(f"{name} holds games from the empty board only")
        if not record.moves:
            raise Unsupported(f"{name} cannot hold a game without moves")
        part = write_settings(settings) if are_new else ""
        part += between_moves.join(move.move for move in record.moves) + "\n"
        if len(record.moves) == 1 and not between_games:
            part += "\n"  # without a semicolon only an empty line ends a game
        parts.append(part)
    return between_games.join(parts).encode()


write_games = partial(_write, name=GAMES, between_moves=f"{BETWEEN} ", between_games="")
write_moves = partial(_write, name=MOVES, between_moves="\n", between_games="\n")


FORMATS = (
    Format(
        name=GAMES,
        summary="Double Card games as the course writes moves, 0 5 A 1; 0 2 C 1, one game a line",
        games=(GAME.name,),
        suffixes=(".dc", ".txt"),
        recognises=recognises_games,
        read=read,
        write=write_games,
    ),
    Format(
        name=MOVES,
        summary="Double Card games, one move a line, an empty line after each game",
        games=(GAME.name,),
        suffixes=(".dcmoves",),
        recognises=recognises_moves,
        read=read,
        write=write_moves,
    ),
)
