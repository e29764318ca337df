"""Squares and boards as text: `f5`, `f5d6c3`, and diagrams of one symbol per cell.

Squares are named by a column letter and a row number, row 1 on top, and numbered row by row from
a1 = 0. Shared by the games that are played on a rectangle.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence

from plyground.core.errors import MalformedText, shorten

FIRST_SYMBOLS = "Xx*bB#@●"
SECOND_SYMBOLS = "Oo0wW○"
EMPTY_SYMBOLS = "-._"
IGNORED_SYMBOLS = " \t\r\n/|,"
PASS_WORDS = frozenset({"pass", "pa", "ps", "--", "@@", "@@@@"})
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def ordinary(text: str) -> str:
    """The text with full-width and other look-alike characters made ordinary.

    Character by character: the normal form of a whole text also puts accents in order, and takes a
    minute for a hundred thousand of them.
    """
    if text.isascii():
        return text
    return "".join(unicodedata.normalize("NFKC", character) for character in text)


def plain_text(text: str) -> str:
    """The same in lower case."""
    return ordinary(text).lower()


def square_name(square: int, columns: int) -> str:
    """`f5` for a square's number."""
    return f"{LETTERS[square % columns]}{square // columns + 1}"


def parse_square(text: str, columns: int, rows: int) -> int:
    """The number of the square that `f5`, `F5` or ` f5 ` names."""
    name = plain_text(text).strip()
    last = f"{LETTERS[columns - 1]}{rows}"
    if not re.fullmatch(r"[a-z][0-9]{1,2}", name, re.ASCII):
        wrong = next((c for c in name if c not in LETTERS + "0123456789"), "")
        named = shorten(text)
        problem = f"unexpected {wrong!r} in {named!r}" if wrong else f"{named!r} is not a square"
        raise MalformedText(f"{problem}; expected a square from a1 to {last}")
    column, row = LETTERS.index(name[0]), int(name[1:]) - 1
    if column >= columns:
        raise MalformedText(
            f"column {name[0]!r} is off the board; expected a to {LETTERS[columns - 1]}"
        )
    if not 0 <= row < rows:
        raise MalformedText(f"row {name[1:]} is off the board; expected 1 to {rows}")
    return row * columns + column


def parse_number(text: str, noun: str, most: int, digits: int = 2) -> int:
    """The number, from 0, of a column or pit that people count from 1."""
    word = plain_text(text).strip()
    if not re.fullmatch(rf"[0-9]{{1,{digits}}}", word, re.ASCII) or not 1 <= int(word) <= most:
        raise MalformedText(
            f"{shorten(text)!r} is not a {noun}; expected a number from 1 to {most}"
        )
    return int(word) - 1


def write_number(state: object, move: int) -> str:
    """A move that is the number of a column, pit or branch, counted from 1."""
    return str(move + 1)


def is_pass(text: str) -> bool:
    """Whether the text is one of the spellings of a pass."""
    return plain_text(text).strip() in PASS_WORDS


def split_squares(text: str) -> list[str]:
    """The moves of a transcript: `f5d6c3`, `f5 d6 c3`, `1. f5 d6 2. c3 d3`, passes among them.

    What is not a move is returned as it stands, for the reader of moves to complain about.
    """
    words = re.sub(r"\b\d+\.+", " ", plain_text(text))
    pattern = r"[a-z]\d+|pass|pa|ps|-{2,}|@{2,}|[^\s,;]+"
    tokens = []
    for word in re.split(r"[\s,;]+", words):
        tokens += re.findall(pattern, word)
    return tokens


def read_diagram(text: str, cells: int) -> tuple[int, int, str]:
    """The first and the second player's cells as bits, and the text that follows the diagram."""
    first = second = count = 0
    for place, symbol in enumerate(text):
        if count == cells:
            return first, second, text[place:]
        if symbol in IGNORED_SYMBOLS:
            continue
        if symbol in FIRST_SYMBOLS:
            first |= 1 << count
        elif symbol in SECOND_SYMBOLS:
            second |= 1 << count
        elif symbol not in EMPTY_SYMBOLS:
            raise MalformedText(
                f"unexpected {symbol!r} at character {place + 1} of the board; "
                "expected X for the first player, O for the second, - for an empty cell"
            )
        count += 1
    if count < cells:
        raise MalformedText(f"the board has {count} cells; expected {cells}")
    return first, second, ""


def read_turns(text: str, cells: int, pieces: str) -> tuple[int, int, int]:
    """Both players' cells, and whose turn it is by their count: each turn adds a piece."""
    first, second, rest = read_diagram(text, cells)
    extra = first.bit_count() - second.bit_count()
    if extra not in (0, 1):
        raise MalformedText(
            f"{first.bit_count()} {pieces} X and {second.bit_count()} {pieces} O; "
            "expected as many X as O, or one more"
        )
    if rest.strip(IGNORED_SYMBOLS) and read_side(rest) != extra:
        raise MalformedText(f"by the count of {pieces} it is {'XO'[extra]} who moves")
    return first, second, extra


def write_diagram(first: int, second: int, cells: int) -> str:
    """The cells as one line of X, O and -."""
    return "".join(map("-XO".__getitem__, _owners(first, second, cells)))


def write_rows(first: int, second: int, columns: int, rows: int) -> str:
    """The same with a / between rows."""
    diagram = write_diagram(first, second, columns * rows)
    return "/".join(diagram[i : i + columns] for i in range(0, len(diagram), columns))


def read_side(text: str) -> int:
    """The player to move, 0 or 1, as one symbol or a word for a colour."""
    word = text.strip(IGNORED_SYMBOLS)
    if word in tuple(FIRST_SYMBOLS) or plain_text(word) in ("black", "first"):
        return 0
    if word in tuple(SECOND_SYMBOLS) or plain_text(word) in ("white", "second"):
        return 1
    found = f"found {shorten(word)!r}" if word else "found nothing"
    raise MalformedText(f"after the board expected the side to move, X or O; {found}")


def cell_owners(first: int, second: int, cells: int) -> tuple[str, ...]:
    """The cells as a `Board` wants them."""
    return tuple(map(("", "first", "second").__getitem__, _owners(first, second, cells)))


def _owners(first: int, second: int, cells: int) -> Iterator[int]:
    """0, 1 or 2 for each cell; by their digits, since to shift long numbers takes longer."""
    digits = (f"{bits:0{cells}b}"[: -cells - 1 : -1] for bits in (first, second))
    return (1 if one == "1" else 2 if two == "1" else 0 for one, two in zip(*digits, strict=True))


def line_of(marks: Sequence[str], columns: int, length: int) -> tuple[int, ...]:
    """The first `length` cells in a row that hold the same mark; empty if there are none."""
    for line in lines_on(len(marks) // columns, columns, length):
        mark = marks[line[0]]
        if mark and all(marks[cell] == mark for cell in line):
            return line
    return ()


@functools.cache
def lines_on(rows: int, columns: int, length: int) -> tuple[tuple[int, ...], ...]:
    """All lines of cells on a board; made once, for a page shows nine boards for a move."""
    return tuple(
        tuple((row + i * down) * columns + column + i * right for i in range(length))
        for row, column in itertools.product(range(rows), range(columns))
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        if row + down * (length - 1) < rows and 0 <= column + right * (length - 1) < columns
    )
