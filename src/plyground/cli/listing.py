"""Long lists in a terminal: a line each, columns aligned, long names cut to what fits.

Into a pipe everything is written in full.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.cells import cell_len, set_cell_size

from plyground.cli.common import out

GAP = "  "
NARROWEST = 6  # what is left of a column that is cut
TOGETHER = 500  # lines that are printed at once


def printable(text: str) -> str:
    """The text in one line, without anything that a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def counted(number: int, thing: str) -> str:
    """`1 game`, `1,200 games`."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def print_rows(
    titles: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Collection[str] = (),
    cut: Collection[str] = (),
) -> None:
    """Print rows below their titles: numbers to the `right`, and those in `cut` cut to fit."""
    widths = _fitted(titles, rows, cut)

    def line(row: Sequence[str]) -> str:
        cells = zip(row, widths, titles, strict=True)
        return GAP.join(_cell(text, width, title in right) for text, width, title in cells).rstrip()

    _print(line(titles), "bold")
    for first in range(0, len(rows), TOGETHER):
        _print("\n".join(map(line, rows[first : first + TOGETHER])), "")


def _print(text: str, style: str) -> None:
    if out.is_terminal:  # and still too narrow
        out.print(text, style=style, markup=False, no_wrap=True, overflow="crop")
    else:
        out.print(text, style=style, markup=False, soft_wrap=True)


def _fitted(
    titles: Sequence[str], rows: Sequence[Sequence[str]], cut: Collection[str]
) -> list[int]:
    """The widths of columns; the widest of those that may be cut is, until all fit the terminal."""
    widths = [cell_len(title) for title in titles]
    for row in rows:
        widths = [max(width, cell_len(cell)) for width, cell in zip(widths, row, strict=True)]
    yielding = [number for number, title in enumerate(titles) if title in cut]
    while out.is_terminal and yielding and sum(widths) + len(GAP) * (len(widths) - 1) > out.width:
        widest = max(yielding, key=lambda number: widths[number])
        if widths[widest] <= NARROWEST:
            break
        widths[widest] -= 1
    return widths


def _cell(text: str, width: int, is_number: bool) -> str:
    length = cell_len(text)
    if length > width:
        dots = "…" if out.encoding.lower().startswith("utf") else "."
        return set_cell_size(text, width - 1) + dots
    blanks = " " * (width - length)
    return blanks + text if is_number else text + blanks
