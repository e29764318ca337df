"""Where the factors of Double Card lie: halves with what each adds, for one goal at a time.

`double_card.py` says what is counted; here it is found again, line by line on the board as data,
and shared out among the halves that make it up.
"""

from __future__ import annotations

from collections.abc import Iterator

from plyground.core.board import Board
from plyground.evaluation.pictures import Amounts, lines, summed, whole_lines

FOUR, ALIVE_THREE, DEAD_THREE, ALIVE_TWO, DEAD_TWO, UNAVAILABLE = range(6)


def coordinates_on(board: Board, content: str) -> Amounts:
    """10 * (row - 1) + column, rows from below, both counted from 1, of every such half."""
    places = [divmod(i, board.columns) for i, held in enumerate(board.cells) if held == content]
    return tuple(
        (row * board.columns + column, 10 * (board.rows - 1 - row) + column + 1)
        for row, column in places
    )


def occurrences_on(board: Board, dots: bool, length: int, least: int) -> tuple[Amounts, Amounts]:
    """Over the stretches with n halves of a kind, n at least so many: 1 for each half, and n."""
    halves: list[tuple[int, float]] = []
    mates: list[tuple[int, float]] = []
    for line in lines(board.rows, board.columns, length):
        for cells in _by_kind(board, line, dots).values():
            if len(cells) >= least:
                halves += [(cell, 1) for cell in cells]
                mates += [(cell, len(cells)) for cell in cells]
    return summed(halves), summed(mates)


def situations_on(board: Board, dots: bool, length: int) -> list[Amounts]:
    """Each situation of `Patterns`, in its order."""
    found: list[list[list[int]]] = [[] for _ in range(UNAVAILABLE + 1)]
    for line in whole_lines(board.rows, board.columns):
        for kind in _by_kind(board, line, dots):
            for situation, cells in _along(board, line, kind, dots, length):
                found[situation].append(cells)
    dead, alive = found[DEAD_THREE], found[ALIVE_TWO]
    double_dead = dead if len(dead) > 1 else []
    double_alive = alive if len(alive) > 1 and not double_dead else []
    one_of_each = dead + alive if len(dead) == len(alive) == 1 else []
    combinations = [
        [[cell for cells in parts for cell in cells]] if parts else []
        for parts in (double_dead, double_alive, one_of_each)
    ]
    return [_shared(groups) for groups in (*found, *combinations)]


def _by_kind(board: Board, line: tuple[int, ...] | list[int], dots: bool) -> dict[str, list[int]]:
    """The halves of a line, by colour or by dot."""
    kinds: dict[str, list[int]] = {}
    for cell in line:
        if content := str(board.cells[cell]):
            kinds.setdefault(content[dots], []).append(cell)
    return kinds


def _along(
    board: Board, line: list[int], kind: str, dots: bool, length: int
) -> Iterator[tuple[int, list[int]]]:
    """The situations of one kind of half on a line from edge to edge, with their halves.

    The line is read as O for the kind, X for an empty cell and @ for all else, the edge included,
    as the report writes it.
    """
    marks = "".join(
        "X" if not board.cells[cell] else "O" if str(board.cells[cell])[dots] == kind else "@"
        for cell in line
    )
    text = f"@{marks}@"
    for start in range(1, len(marks) - length + 2):
        stretch, before, after = text[start : start + length], text[start - 1], text[start + length]
        own = [line[start - 1 + i] for i, mark in enumerate(stretch) if mark == "O"]
        lacking = stretch.count("X")
        if "@" in stretch or lacking > 2:
            continue
        if lacking == 0:
            yield FOUR, own
            continue
        alive, dead = (ALIVE_THREE, DEAD_THREE) if lacking == 1 else (ALIVE_TWO, DEAD_TWO)
        if stretch[0] == "X" and after == "X":
            yield alive, own
        for _ in range([before, after].count("@")):
            yield dead, own
    for start in range(1, len(marks) + 1):
        for run in range(1, length):
            if text[start - 1 : start + run + 1] == "@" + "O" * run + "@":
                yield UNAVAILABLE, line[start - 1 : start - 1 + run]


def _shared(groups: list[list[int]]) -> Amounts:
    """Each group is one, and its cells share it."""
    return summed((cell, 1 / len(cells)) for cells in groups for cell in cells)
