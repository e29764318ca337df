"""Board files of the Reversi course at Bordeaux: whose turn it is, then the rows, with comments.

    # after four moves
    O
    _ _ _ _ _ _
    _ _ X _ _ _      # a comment may stand behind a row
    ...

The report that asks for them says that its program has a file parser and boards of several sizes,
and shows boards of X, 0 and -, but not the files. Chosen here, as other programs of that course
have it: the first symbol is the side to move, alone in its line; the rows follow, their number and
their length the size of the board; blanks mean nothing; # starts a comment anywhere. White is O, or
0 as the report prints it, and an empty square is _, - or a dot. Several boards may follow each
other. Boards are of 4x4 to 10x10; 2x2, which the course allows, has no move to make.
"""

from __future__ import annotations

from collections.abc import Iterator

from plyground.core.errors import InputError, MalformedText, shorten
from plyground.core.records import PositionRecord
from plyground.formats import othello_records as othello
from plyground.formats.spec import Format, Item, Read, Rejected
from plyground.games.othello import GAME, board_size

COMMENT = "#"

_SYMBOLS = dict.fromkeys("Xx", "X") | dict.fromkeys("Oo0", "O") | dict.fromkeys("_-.", "-")


def _positions(text: str) -> Iterator[Item]:
    lines = _content(text)
    is_lost = False
    for number, line in lines:
        if is_lost and len(line) > 1 and _SYMBOLS.keys() >= set(line):
            continue  # one more row of a board that could not be read
        try:
            yield _read_board(number, line, lines)
            is_lost = False
        except InputError as error:
            yield Rejected(f"line {number}", str(error))
            is_lost = True


def _content(text: str) -> Iterator[tuple[int, str]]:
    """The lines without comments and blanks."""
    for number, line in othello.numbered_lines(text):
        symbols = "".join(line.partition(COMMENT)[0].split())
        if symbols:
            yield number, symbols


def _read_board(number: int, mover: str, lines: Iterator[tuple[int, str]]) -> Item:
    if _SYMBOLS.get(mover) not in ("X", "O"):
        raise MalformedText(f"{shorten(mover)!r}; expected the side to move, X or O")
    rows: list[str] = []
    for place, line in lines:
        rows.append(_read_row(place, line))
        othello.start_of(len(rows[0]))
        if len(rows[-1]) != len(rows[0]):
            raise MalformedText(
                f"line {place} has {len(rows[-1])} squares; expected {len(rows[0])} as above"
            )
        if len(rows) == len(rows[0]):
            text = f"{''.join(rows)} {_SYMBOLS[mover]}"
            state = GAME.parse_position(othello.start_of(len(rows)), text)
            return Read(othello.position_record(state), f"lines {number} to {place}")
    size = f"{len(rows[0])} of them" if rows else "rows of X, O and _"
    raise MalformedText(f"the board ends after {len(rows)} rows; expected {size}")


def _read_row(place: int, line: str) -> str:
    for symbol in line:
        if symbol not in _SYMBOLS:
            raise MalformedText(f"line {place} has a {symbol!r}; expected X, O, _ or a # comment")
    return "".join(_SYMBOLS[symbol] for symbol in line)


def _write_board(position: PositionRecord) -> str:
    state = othello.first_state(position)
    size = board_size(state)
    cells = GAME.format_position(state).replace("-", "_")
    rows = [" ".join(cells[at : at + size]) for at in range(0, size * size, size)]
    return "\n".join([cells[-1], *rows])


def _judge(text: str) -> float:
    first = next(_positions(text), None)
    if isinstance(first, Read):
        return 0.97
    lines = [line for _, line in _content(text)][:2]  # a file that was begun, or has a mistake
    if len(lines) < 2 or _SYMBOLS.get(lines[0]) not in ("X", "O"):
        return 0.0
    return 0.5 if len(lines[1]) in othello.SIZES and _SYMBOLS.keys() >= set(lines[1]) else 0.0


FORMAT = Format(
    name="board-file",
    summary="Othello boards of any size: the side to move, then rows of X, O and _",
    games=(GAME.name,),
    suffixes=(".board",),
    recognises=othello.recogniser(_judge),
    read=othello.reader(_positions, "the side to move, X or O, and rows of X, O and _"),
    write=othello.writer(othello.require_position, "a board file", _write_board, between="\n"),
)
