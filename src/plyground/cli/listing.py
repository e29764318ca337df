"""Long lists in a terminal: a line each, columns aligned, long names cut to what fits.

Into a pipe everything is written in full.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size

from plyground.cli.common import out

GAP = "  "
NARROWEST = 6  # what is left of a column that gives way
TOGETHER = 500  # lines that are printed at once


@dataclass(frozen=True)
class Column:
    """A title, and how the column behaves."""

    title: str
    is_number: bool = False
    gives_way: bool = False
    """Whether it may be cut where the line is too long."""


def printable(text: str) -> str:
    """The text in one line, without anything that a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def counted(number: int, thing: str) -> str:
    """`1 game`, `1,200 games`."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def print_rows(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    """Print them below their titles."""
    widths = fitted(columns, rows, out.width if out.is_terminal else None)
    _print(_line(columns, [column.title for column in columns], widths), "bold")
    for first in range(0, len(rows), TOGETHER):
        lines = (_line(columns, row, widths) for row in rows[first : first + TOGETHER])
        _print("\n".join(lines), "")


def _print(text: str, style: str) -> None:
    if out.is_terminal:  # and still too narrow
        out.print(text, style=style, markup=False, no_wrap=True, overflow="crop")
    else:
        out.print(text, style=style, markup=False, soft_wrap=True)


def fitted(columns: Sequence[Column], rows: Iterable[Sequence[str]], room: int | None) -> list[int]:
    """The widths of columns; the widest of those that give way do so until all fit the room."""
    widths = [cell_len(column.title) for column in columns]
    for row in rows:
        widths = [max(width, cell_len(cell)) for width, cell in zip(widths, row, strict=True)]
    yielding = [number for number, column in enumerate(columns) if column.gives_way]
    while room is not None and yielding and sum(widths) + len(GAP) * (len(widths) - 1) > room:
        widest = max(yielding, key=lambda number: widths[number])
        if widths[widest] <= NARROWEST:
            break
        widths[widest] -= 1
    return widths


def _line(columns: Sequence[Column], row: Sequence[str], widths: Sequence[int]) -> str:
    cells = (
        _cell(text, width, column.is_number)
        for text, width, column in zip(row, widths, columns, strict=True)
    )
    return GAP.join(cells).rstrip()


def _cell(text: str, width: int, is_number: bool) -> str:
    length = cell_len(text)
    if length > width:
        dots = "…" if out.encoding.lower().startswith("utf") else "."
        return set_cell_size(text, width - 1) + dots
    blanks = " " * (width - length)
    return blanks + text if is_number else text + blanks
