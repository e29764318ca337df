"""Othello positions as boards: 64 symbols and the side to move, drawings, and FEN-like lines.

    ---------------------------OX------XO--------------------------- X
    8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1

A board is one line of 16, 36, 64 or 100 symbols, or a drawing of as many rows as columns, with or
without labels and frames, and a line that says whose turn it is; a blank line ends a drawing. X
and O may be any of the symbols people use. What a symbol means can depend on the others:

* 0 is white, as it looks like O; but with 1 and empty squares it is black and 1 is white, and in a
  board of 0, 1 and 2 it is empty, 1 black and 2 white;
* next to X, a * marks a square where one may play.

A number after the side is the score for the side to move. A number in place of the side means that
X is to move, whoever that is; without anything black is to move, and the tag `side` says so.

FEN counts rows from the bottom: p is black, P white, a number so many empty squares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from plyground.core.errors import MalformedText, shorten
from plyground.core.records import PositionRecord
from plyground.formats import othello_records as othello
from plyground.formats.othello_records import BLACK, SIZES, WHITE
from plyground.formats.spec import Format, Item, Read, Rejected, attempt
from plyground.games import squares
from plyground.games.othello import GAME, board_size
from plyground.games.rules import State, side

BOARD, FEN = "othello-board", "othello-fen"
COMMENT = "%"
MOST_LINES = 40  # of a drawing with everything around it

_BLACK = squares.FIRST_SYMBOLS + "⚫"
_WHITE = squares.SECOND_SYMBOLS + "⚪◯"
_EMPTY = squares.EMPTY_SYMBOLS + "+·・"
_SYMBOLS = frozenset(_BLACK + _WHITE + _EMPTY)
_DIGITS = frozenset("012")
_USUAL = {symbol: "X" for symbol in _BLACK}
_USUAL |= {symbol: "O" for symbol in _WHITE} | {symbol: "-" for symbol in _EMPTY}
_MEMBERS = {size * size: size for size in SIZES}

_WORDS = {"black": BLACK, "first": BLACK, "white": WHITE, "second": WHITE}
_SIDE = re.compile(
    rf"[\s,;:]*(black|white|first|second|[{re.escape(_BLACK + _WHITE)}12])"
    r"(?=[\s,;:]|$|[a-j][0-9])[\s,;:]*",
    re.IGNORECASE,
)
_MORE_SQUARES = re.compile(
    rf"[{re.escape(_EMPTY)}]|[{re.escape(_BLACK + _WHITE)}][{re.escape(''.join(_SYMBOLS))}](?!\d)"
)
_TURN = re.compile(
    r"(?<!\w)(black|white|[x0o*●○])\W{0,2}s?\s+(?:player\W{0,2}s?\s+)?(?:to\s+(?:move|play)|turn)"
    r"|(?:to\s+(?:move|play)|turn|player|side)\W{1,3}(black|white|[x0o*●○])(?!\w)",
    re.IGNORECASE,
)
# Tried only where blanks begin: at each of a long run it would take the square of its length.
_ROW_LABELS = re.compile(r"^[1-9][0-9]?[\s|]+|(?<![\s|])[\s|]+[1-9][0-9]?$")
_LABEL = re.compile(r"[A-Za-z][A-Za-z ]{0,30}:\s*")
_NUMBER = re.compile(r"[+-]?[0-9]{1,3}(?:\.0*)?", re.ASCII)

# ------------------------------------------------------------------ one line


@dataclass(frozen=True)
class FoundBoard:
    """A board that was found at the beginning of a text."""

    cells: str
    """Of X, O and -, row by row."""
    side: int | None
    """Who is to move, if the text says so."""
    rest: str
    """What follows."""

    @property
    def state(self) -> State:
        """The position, with black to move if nothing is said."""
        start = othello.start_of(_MEMBERS[len(self.cells)])
        return GAME.parse_position(start, f"{self.cells} {'XO'[self.side or BLACK]}")


def find_board(text: str) -> FoundBoard | None:
    """The board that a text begins with, of the largest size it has symbols for."""
    line = squares.ordinary(text).strip()
    places = _symbol_places(line)
    count = max((cells for cells in _MEMBERS if cells <= len(places)), default=0)
    if not count:
        return None
    given = "".join(line[place] for place in places[:count])
    meaning = _meaning(given)
    if any(symbol not in meaning for symbol in given):
        return None
    rest = line[places[count - 1] + 1 :]
    if _MORE_SQUARES.match(rest) and not _NUMBER.match(rest):
        return None
    mover = _SIDE.match(rest)
    found = None if mover is None else _side_of(mover[1], meaning, given)
    if mover is not None and found is not None:
        rest = rest[mover.end() :]
    return FoundBoard("".join(meaning[symbol] for symbol in given), found, rest.strip())


def _symbol_places(line: str) -> list[int]:
    """Where the symbols are; a first word that is longer than a row must hold all the squares."""
    first = line.split(maxsplit=1)[0] if line else ""
    if len(first.strip(squares.IGNORED_SYMBOLS)) > max(SIZES):
        line = first
    places: list[int] = []
    for place, symbol in enumerate(line):
        if symbol in _SYMBOLS or symbol in _DIGITS:
            places.append(place)
        elif symbol not in squares.IGNORED_SYMBOLS:
            break
        if len(places) == max(_MEMBERS):
            break
    return places


def _meaning(given: str) -> dict[str, str]:
    """What each symbol of a board stands for."""
    used = set(given)
    if used & set("12"):
        if used <= _DIGITS:
            return {"0": "-", "1": "X", "2": "O"}
        return {"0": "X", "1": "O"} | dict.fromkeys(_EMPTY, "-")
    if "*" in used and used & set("Xx"):
        return _USUAL | {"*": "-"}
    return _USUAL


def _side_of(word: str, meaning: dict[str, str], given: str) -> int | None:
    if word.lower() in _WORDS:
        return _WORDS[word.lower()]
    if word in "012" and word not in given:
        return None  # a score
    return {"X": BLACK, "O": WHITE}.get(meaning.get(word) or _USUAL.get(word, "-"))


def _line_record(line: str) -> PositionRecord:
    text = _LABEL.sub("", line, count=1) if _LABEL.match(line) else line
    board = find_board(text)
    if board is None:
        count = len(_symbol_places(text))
        raise MalformedText(
            f"no board in {shorten(line)!r}: it begins with {count} squares; "
            "expected 64 (or 16, 36, 100) and then X or O"
        )
    if not board.rest:
        return othello.position_record(board.state, tags=_side_tag(board.side))
    if not _NUMBER.fullmatch(board.rest):
        found = shorten(board.rest)
        raise MalformedText(
            f"after the board expected X or O, then perhaps a score; found {found!r}"
        )
    return othello.position_record(board.state, score=int(float(board.rest)))


def _side_tag(mover: int | None) -> dict[str, str]:
    return {"side": "not given"} if mover is None else {}


# ------------------------------------------------------------------ drawings


def _row(line: str) -> str | None:
    """The cells of a row of a drawing, if the line is one."""
    text = squares.ordinary(line)
    if "|" in text:
        boxes = [box.strip() or "-" for box in text.strip("| ").split("|")]
        if all(len(box) == 1 or box.isdecimal() for box in boxes):
            text = " ".join(boxes)
    text = _ROW_LABELS.sub("", text)
    cells = "".join(symbol for symbol in text if symbol not in squares.IGNORED_SYMBOLS)
    return cells if len(cells) in SIZES and _SYMBOLS.issuperset(cells) else None


def _drawing_record(rows: list[str], caption: list[str]) -> PositionRecord:
    by_size = {size: [*same] for size, same in groupby(sorted(rows, key=len), key=len)}
    whole = [size for size, same in by_size.items() if size == len(same)]
    if not whole:
        size, same = max(by_size.items(), key=lambda item: len(item[1]))
        raise MalformedText(f"the drawing has {len(same)} rows of {size} squares; expected {size}")
    given = "".join(by_size[whole[0]])
    meaning = _meaning(given)
    mover = _turn_of(caption)
    board = FoundBoard("".join(meaning[symbol] for symbol in given), mover, "")
    return othello.position_record(board.state, tags=_side_tag(mover))


def _turn_of(caption: list[str]) -> int | None:
    """Whose turn it is, by the text around a drawing."""
    for line in caption:
        if len(line) == 1 and line in _BLACK + _WHITE:
            return BLACK if line in _BLACK else WHITE
        if found := _TURN.search(line):
            word = (found[1] or found[2]).lower()
            return BLACK if word in ("black", "x", "*", "●") else WHITE
    return None


# ------------------------------------------------------------------ many boards


@dataclass(frozen=True)
class _Line:
    number: int
    text: str
    row: str | None


def _positions(text: str) -> Iterator[Item]:
    block: list[_Line] = []
    for number, line in othello.numbered_lines(text):
        line = line.split(COMMENT, 1)[0].strip()
        if not line or len(block) == MOST_LINES:
            yield from _finish(block)
            block = []
        if not line:
            continue
        alone = attempt(f"line {number}", _line_record, line)
        if isinstance(alone, Read) and not any(other.row for other in block):
            yield from _finish(block)
            block = []
            yield alone
        else:
            block.append(_Line(number, line, _row(line)))
    yield from _finish(block)


def _finish(block: list[_Line]) -> Iterator[Item]:
    """A drawing if there are rows in these lines, else what is wrong with each of them."""
    rows = [line.row for line in block if line.row]
    if not rows:
        yield from (attempt(f"line {line.number}", _line_record, line.text) for line in block)
        return
    caption = [line.text for line in block if not line.row]
    place = f"lines {block[0].number} to {block[-1].number}"
    yield attempt(place, _drawing_record, rows, caption)


def _write_board(position: PositionRecord) -> str:
    text = GAME.format_position(othello.first_state(position))
    return text if position.score is None else f"{text} {position.score:+d}"


def _judge_boards(text: str) -> float:
    first = next(_positions(text), None)
    if first is None or isinstance(first, Rejected):
        return 0.0
    is_drawing = first.place.startswith("lines")
    return 0.7 if is_drawing or first.record.settings else 0.95


# ------------------------------------------------------------------ FEN

_FEN = re.compile(r"\s*([pP0-9]+(?:/[pP0-9]+){3,})\s+([bBwW])(?:\s.*)?", re.DOTALL | re.ASCII)
_FEN_CELL = re.compile(r"[pP]|[0-9]{1,2}", re.ASCII)
_FEN_SYMBOLS = str.maketrans("XO", "pP")


def parse_fen(text: str) -> State:
    """The position that a FEN-like line describes; what follows the side is not looked at."""
    found = _FEN.fullmatch(text)
    if found is None:
        raise MalformedText(
            f"{shorten(text)!r} is not a FEN; expected rows such as 3pP3 with / between them, "
            "then b or w"
        )
    rows = found[1].split("/")
    start = othello.start_of(len(rows))
    cells = "".join(_fen_row(row, len(rows)) for row in reversed(rows))
    return GAME.parse_position(start, f"{cells} {found[2].lower()}")


def _fen_row(row: str, size: int) -> str:
    meaning = {"p": "X", "P": "O"}
    parts = _FEN_CELL.findall(row[: 2 * size])
    cells = "".join(meaning[part] if part in meaning else "-" * int(part) for part in parts)
    if len(cells) != size:
        raise MalformedText(f"row {shorten(row)!r} has {len(cells)} squares; expected {size}")
    return cells


def format_fen(state: State) -> str:
    """The position as a FEN-like line."""
    size = board_size(state)
    cells = GAME.format_position(state)[: size * size]
    rows = [cells[at : at + size] for at in range(0, size * size, size)]
    board = re.sub("-+", lambda run: str(len(run[0])), "/".join(reversed(rows)))
    return f"{board.translate(_FEN_SYMBOLS)} {'bw'[side(state)]} - - 0 1"


_fen_positions = othello.each_line(
    lambda line: othello.position_record(parse_fen(line)), COMMENT, "#"
)


def _judge_fen(text: str) -> float:
    return 0.97 if isinstance(next(_fen_positions(text), None), Read) else 0.0


FORMATS = (
    Format(
        name=BOARD,
        summary="Othello boards: 64 symbols and the side to move, or drawings",
        games=(GAME.name,),
        suffixes=(".scr",),
        recognises=othello.recogniser(_judge_boards),
        read=othello.reader(_positions, "boards of 64 symbols and the side to move"),
        write=othello.writer(othello.require_position, "a list of boards", _write_board),
    ),
    Format(
        name=FEN,
        summary="Othello positions as FEN, rows from the bottom, p black and P white",
        games=(GAME.name,),
        suffixes=(".fen",),
        recognises=othello.recogniser(_judge_fen),
        read=othello.reader(_fen_positions, "lines such as 8/8/8/3pP3/3Pp3/8/8/8 b"),
        write=othello.writer(
            othello.require_position, "FEN", lambda record: format_fen(othello.first_state(record))
        ),
    ),
)
