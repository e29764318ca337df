"""Where on the board a factor lies: amounts by cell, which add up to the factor's value.

Plain Python on single positions. Evaluators count whole sets at once; here each cell is named, in
the order of the game's board as data, and the tests compare the sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from plyground.core.board import Board
from plyground.games.spec import PLAYERS

Amounts = tuple[tuple[int, float], ...]
"""Cells with what each adds; a cell that counts for both sides comes twice."""

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))  # down and right: along each direction once


def bits_of(number: int) -> list[int]:
    """The places of the bits that are set, from the lowest."""
    return [place for place in range(number.bit_length()) if number >> place & 1]


def balance_on(mine: Iterable[int], theirs: Iterable[int], amount: float = 1) -> Amounts:
    """Each of my cells adds an amount, each of the other side's takes it away."""
    return (*((cell, amount) for cell in mine), *((cell, -amount) for cell in theirs))


def negated(amounts: Amounts) -> Amounts:
    """The amounts for the other side."""
    return tuple((cell, -amount) for cell, amount in amounts)


def summed(amounts: Iterable[tuple[int, float]]) -> Amounts:
    """One amount for each cell and side."""
    sums: dict[tuple[int, bool], float] = {}
    for cell, amount in amounts:
        sums[cell, amount > 0] = sums.get((cell, amount > 0), 0) + amount
    return tuple((cell, amount) for (cell, _), amount in sums.items())


def owners(board: Board, mover: int) -> list[int]:
    """For each cell: 1 if it is the mover's, -1 if the other side's, 0 if nobody's."""
    signs = {"": 0, PLAYERS[mover]: 1, PLAYERS[1 - mover]: -1}
    return [signs.get(str(content), 0) for content in board.cells]


def lines(rows: int, columns: int, length: int) -> Iterator[tuple[int, ...]]:
    """Every line of so many cells on a board, each once."""
    for row in range(rows):
        for column in range(columns):
            for down, right in STEPS:
                last_row, last_column = row + down * (length - 1), column + right * (length - 1)
                if last_row < rows and 0 <= last_column < columns:
                    step = down * columns + right
                    yield tuple(row * columns + column + step * i for i in range(length))


def whole_lines(rows: int, columns: int) -> Iterator[list[int]]:
    """Every line from edge to edge."""
    for row in range(rows):
        for column in range(columns):
            for down, right in STEPS:
                if row >= down and 0 <= column - right < columns:
                    continue  # it began before
                cells, at, across = [], row, column
                while at < rows and 0 <= across < columns:
                    cells.append(at * columns + across)
                    at, across = at + down, across + right
                yield cells


def open_lines_on(
    board: Board, mover: int, length: int, has_right_number: Callable[[int], bool]
) -> Amounts:
    """The lines in which one side alone has the right number of stones, each spread over its cells.

    So a cell shows how many such lines pass through it, each as a fraction of a line.
    """
    whose, found = owners(board, mover), list[tuple[int, float]]()
    for line in lines(board.rows, board.columns, length):
        stones = [whose[cell] for cell in line if whose[cell]]
        if len(set(stones)) == 1 and has_right_number(len(stones)):
            found += [(cell, stones[0] / length) for cell in line]
    return summed(found)
