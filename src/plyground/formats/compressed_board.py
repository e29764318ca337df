"""The board as a phone app saves it: `player-i-j` for every disc, i its column and j its row.

    0-3-3, 1-3-4, 1-4-3, 0-4-4

After "Driving the game board" in a paper on a mobile Othello with SCOUT: a cell is saved as the
player, 0 white and 1 black, with its column and row, columns in the outer order: player-0-0,
player-0-1, and so on. What the text leaves open is chosen here: columns and rows count from 0 at
a1, as its matrix does; a player is 0 or 1, so empty cells are left out; a comma stands between
discs, and reading takes blanks and semicolons as well; a line is a board. The text does not save
whose turn it is: that is black, with whose pieces the app always searches, unless the word white
ends the line. The matrix is 8x8.
"""

from __future__ import annotations

import re

from plyground.core.errors import MalformedText, shorten
from plyground.core.records import PositionRecord
from plyground.formats import othello_records as othello
from plyground.formats.othello_records import USUAL_SIZE
from plyground.formats.spec import Format, Read
from plyground.games.othello import GAME
from plyground.games.rules import side

TITLE = "a compressed board"
PLAYERS = "OX"  # the symbols of players 0 and 1
CLEARLY_MANY = 4  # discs; fewer might be a date

_DISC = re.compile(r"([0-9]+)-([0-9]+)-([0-9]+)", re.ASCII)


def _read_line(line: str) -> PositionRecord:
    words = [word for word in re.split(r"[\s,;]+", line) if word]
    mover = words.pop().lower() if words and words[-1].lower() in ("black", "white") else "black"
    cells = ["-"] * USUAL_SIZE**2
    for word in words:
        square, symbol = _read_disc(word)
        if cells[square] != "-":
            raise MalformedText(f"{word}: that cell was given before")
        cells[square] = symbol
    state = GAME.parse_position(othello.start_of(), f"{''.join(cells)} {mover}")
    return othello.position_record(state)


def _read_disc(word: str) -> tuple[int, str]:
    """The square and the symbol of `player-i-j`."""
    found = _DISC.fullmatch(word)
    if found is None:
        raise MalformedText(f"{shorten(word)!r}: expected player-column-row, such as 1-3-4")
    if found[1] not in ("0", "1"):
        raise MalformedText(f"{shorten(word)!r}: a player is 0 (white) or 1 (black)")
    column, row = found[2], found[3]
    if any(len(place) > 1 or int(place) >= USUAL_SIZE for place in (column, row)):
        raise MalformedText(f"{shorten(word)!r}: columns and rows go from 0 to {USUAL_SIZE - 1}")
    return int(row) * USUAL_SIZE + int(column), PLAYERS[int(found[1])]


def _write_line(position: PositionRecord) -> str:
    state = othello.require_size(othello.first_state(position), TITLE)
    cells = GAME.format_position(state)
    words = [
        f"{PLAYERS.index(cells[row * USUAL_SIZE + column])}-{column}-{row}"
        for column in range(USUAL_SIZE)
        for row in range(USUAL_SIZE)
        if cells[row * USUAL_SIZE + column] in PLAYERS
    ]
    if side(state) == othello.WHITE or not words:
        words.append("white" if side(state) == othello.WHITE else "black")
    return ", ".join(words)


_positions = othello.each_line(_read_line)


def _judge(text: str) -> float:
    first = next(_positions(text), None)
    if not isinstance(first, Read) or first.record.position is None:
        return 0.0
    discs = sum(symbol in PLAYERS for symbol in first.record.position[: USUAL_SIZE**2])
    return 0.97 if discs >= CLEARLY_MANY else 0.4 if discs else 0.0


FORMAT = Format(
    name="compressed-board",
    summary="An Othello board as its discs, player-column-row (1-3-4)",
    games=(GAME.name,),
    suffixes=(".cboard",),
    recognises=othello.recogniser(_judge),
    read=othello.reader(_positions, "discs such as 0-3-3, 1-3-4, 1-4-3, 0-4-4"),
    write=othello.writer(othello.require_position, TITLE, _write_line),
)
