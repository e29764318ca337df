"""Connect Four as people write it: columns in a row, `4453`, and boards of X, O and dots.

A line of moves is a game; followed by a number, as in the test sets of solvers, it is a position
with its score as those sets count it: 1 for a win with the last stone of a side, 2 with the last
but one and so on, negative for a loss. Boards are drawn top row first, in lines or glued, and their
shape gives their size. A comment such as `# width=8` sets the size for lines of moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from plyground.core.errors import InputError, MalformedText, Unsupported
from plyground.core.records import GameRecord, PositionRecord
from plyground.formats.replay import record_of
from plyground.formats.spec import Format, Item, Read, Record, Rejected, attempt, lines_place
from plyground.formats.text_lines import (
    Line,
    check_settings,
    giving_up,
    head_of,
    lines_of,
    not_default,
    require_game,
    with_settings,
    write_settings,
)
from plyground.games import squares
from plyground.games.connect_four import GAME
from plyground.games.rules import cells_left

WIDEST = 9  # columns that one digit can name
USUAL_CELLS = 42  # of 7x6, the one size at which a board may be glued without marks between rows
MOST_ROWS = 32  # of a board in lines, with one for the side to move
CLEARLY_MANY = 4  # moves that are unlikely to be a number with another meaning

MOVES, GRID = "connect4", "connect4-grid"

_MOVES = re.compile(r"[1-9]+|[1-9](?:[\s,;]+[1-9])*", re.ASCII)
_LABELS = re.compile(r"[0-9\s|]{1,99}", re.ASCII)  # over or under the columns of a board
_SCORED = re.compile(r"([1-9]+)[\s,;]+([+-]?[0-9]{1,3})", re.ASCII)

# ------------------------------------------------------------------ moves


@giving_up
def read_moves(data: bytes) -> Iterator[Item]:
    """A game or a scored position for each line."""
    for line in lines_of(GAME, data):
        if isinstance(line, Rejected):
            yield line
        elif line.text:
            yield attempt(line.place, _read_line, line)


def _read_line(line: Line) -> Record:
    text, score = _split_score(line.text)
    most = cells_left(line.start)
    if len(text) > 4 * most or sum(symbol.isdigit() for symbol in text) > most:
        raise MalformedText(f"more moves than the board has cells; expected at most {most}")
    moves = GAME.parse_moves(line.start, text)
    if score is None:
        return record_of(GAME, line.start, moves, line.settings)
    position = GAME.format_position(GAME.replay(line.start, moves))
    return PositionRecord(GAME.name, position, line.settings, score=score, tags={"moves": text})


def _split_score(text: str) -> tuple[str, int | None]:
    """`44 1` is a position and its score; `4 1` are two moves, and `4 +1` is a score again."""
    found = _SCORED.fullmatch(text)
    if found is None or (_MOVES.fullmatch(text) and len(found[1]) == 1):
        return text, None
    return found[1], int(found[2])


def write_moves(records: Iterable[Record]) -> bytes:
    """A line for each game or scored position; a comment where the board changes."""
    text = ""
    for record, settings, are_new in with_settings(GAME, records, MOVES):
        if int(settings["width"]) > WIDEST:
            raise Unsupported(f"{MOVES} names columns by one digit: at most {WIDEST} of them")
        text += write_settings(dict(sorted(settings.items()))) if are_new else ""
        text += f"{_write_line(record)}\n"
    return text.encode()


def _write_line(record: Record) -> str:
    if isinstance(record, GameRecord):
        if record.position is not None:
            raise Unsupported(f"{MOVES} holds games from the empty board only")
        text = "".join(move.move for move in record.moves)
    else:
        text = record.tags.get("moves", "")
        if not text or record.score is None:
            raise Unsupported(f"{MOVES} holds positions with their moves and score; try {GRID}")
        sign = "+" if len(text) == 1 and 0 < record.score <= WIDEST else ""
        text = f"{text} {sign}{record.score}"
    if not text:
        raise Unsupported(f"{MOVES} cannot hold a game without moves")
    return text


def recognises_moves(data: bytes) -> float:
    moves, read = 0, 0
    for line in (lines := head_of(GAME, data)):
        if isinstance(line, Rejected):
            return 0.0
        text, score = _split_score(line.text)
        if not _MOVES.fullmatch(text):
            return 0.0
        try:
            _read_line(line)
        except InputError:
            continue
        read += 1
        moves += len(text) + (score is not None)
    if not read:
        return 0.0
    return (0.9 if moves >= CLEARLY_MANY else 0.5) * read / len(lines)


# ------------------------------------------------------------------ boards


@giving_up
def read_grids(data: bytes) -> Iterator[Item]:
    """A position for each board."""
    rows: list[Line] = []
    is_label = False
    for line in lines_of(GAME, data):
        if isinstance(line, Rejected):
            yield line
            continue
        if "/" in line.text or len((line.text.split() or [""])[0]) == USUAL_CELLS:  # glued
            yield from _finish(rows)
            yield attempt(line.place, _read_grid, line.text.replace("/", " ").split())
            continue
        if not line.text or len(rows) == MOST_ROWS:
            yield from _finish(rows)
        is_label = not is_label and bool(_LABELS.fullmatch(line.text))
        if line.text and not is_label:
            rows.append(line)
    yield from _finish(rows)


def _finish(rows: list[Line]) -> Iterator[Item]:
    if rows:
        place = lines_place(rows[0].number, rows[-1].number)
        yield attempt(place, _read_grid, [row.text for row in rows])
        rows.clear()


def _read_grid(words: list[str]) -> PositionRecord:
    side = words.pop() if len(words) > 1 and len(words[-1]) == 1 else ""
    marks = str.maketrans("", "", squares.IGNORED_SYMBOLS)
    rows = [row for row in (word[:1000].translate(marks) for word in words[:1000]) if row]
    if len(rows) == 1 and len(rows[0]) == USUAL_CELLS:
        rows = [rows[0][at : at + 7] for at in range(0, USUAL_CELLS, 7)]
    if not rows or len({len(row) for row in rows}) != 1:
        raise MalformedText("the rows of a board must be of one length")
    settings = GAME.settings({"width": str(len(rows[0])), "height": str(len(rows))})
    state = GAME.parse_position(GAME.initial(**settings), f"{''.join(rows)} {side}")
    return PositionRecord(GAME.name, GAME.format_position(state), not_default(GAME, settings))


def write_grids(records: Iterable[Record]) -> bytes:
    """Each position as lines of X, O and dots, an empty line between; scores are left out."""
    return "\n".join(_write_grid(record) for record in records).encode()


def _write_grid(record: Record) -> str:
    require_game(GAME, record.game, GRID)
    if isinstance(record, GameRecord):
        raise Unsupported(f"{GRID} holds positions, not games; try {MOVES}")
    unusual = not_default(GAME, check_settings(GAME, record.settings))
    if "connect" in unusual:
        raise Unsupported(f"{GRID} cannot tell that {unusual['connect']} in a row win")
    return record.position.replace("-", ".").replace("/", "\n") + "\n"


def recognises_grids(data: bytes) -> float:
    first = next(read_grids(data), None)
    if not isinstance(first, Read):
        return 0.0
    return 0.55 if first.record.settings else 0.95  # another game may have a board of that size


FORMATS = (
    Format(
        name=MOVES,
        summary="Connect Four games as columns, 4453, one a line; or with a score, as positions",
        games=(GAME.name,),
        suffixes=(".c4", ".txt"),
        recognises=recognises_moves,
        read=read_moves,
        write=write_moves,
    ),
    Format(
        name=GRID,
        summary="Connect Four boards of X, O and dots, the top row first",
        games=(GAME.name,),
        suffixes=(".c4grid", ".txt"),
        recognises=recognises_grids,
        read=read_grids,
        write=write_grids,
    ),
)
