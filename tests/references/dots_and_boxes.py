"""Naive Dots and Boxes: a line is a pair of neighbouring dots, a dot a (column, row) pair."""

import copy
from typing import Self

from .grid import Cell, square_text

Line = tuple[Cell, Cell]


class NaiveDotsAndBoxes:
    def __init__(self, rows: int = 3, columns: int = 3) -> None:
        self.rows, self.columns = rows, columns
        self.mover = 0
        self.lines: set[Line] = set()
        self.owners: dict[Cell, int] = {}  # of closed boxes, by their upper left dot

    def legal(self) -> list[str]:
        """The names of the lines between dots, as one reads the drawing."""
        free = {name for line, name in self._names().items() if line not in self.lines}
        return sorted(free, key=lambda name: (int(name[1:]), name[0]))

    def play(self, move: str) -> None:
        (line,) = (line for line, name in self._names().items() if name == move)
        self.lines = self.lines | {line}
        closed = [box for box in self._boxes() if box not in self.owners and self._is_closed(box)]
        self.owners = {**self.owners, **dict.fromkeys(closed, self.mover)}
        if not closed:
            self.mover = 1 - self.mover

    def copy(self) -> Self:
        return copy.copy(self)

    def side(self) -> int:
        return self.mover

    def over(self) -> bool:
        return len(self.lines) == len(self._names())

    def outcome(self) -> int:
        owners = list(self.owners.values())
        return owners.count(0) - owners.count(1)

    def cells(self) -> tuple[str, ...]:
        """The drawing: dots at even places, lines and boxes between them."""
        drawn = {(2 * c, 2 * r): "•" for c in range(self.columns + 1) for r in range(self.rows + 1)}
        for (one_column, one_row), (column, row) in self.lines:
            drawn[one_column + column, one_row + row] = "—" if row == one_row else "|"
        for (column, row), owner in self.owners.items():
            drawn[2 * column + 1, 2 * row + 1] = ("first", "second")[owner]
        places = [(x, y) for y in range(2 * self.rows + 1) for x in range(2 * self.columns + 1)]
        return tuple(drawn.get(place, "") for place in places)

    def _names(self) -> dict[Line, str]:
        """Each line and its name: its place in a drawing twice as wide and high."""
        names = {}
        for column in range(self.columns + 1):
            for row in range(self.rows + 1):
                if column < self.columns:
                    across = (column, row), (column + 1, row)
                    names[across] = square_text((2 * column + 1, 2 * row))
                if row < self.rows:
                    down = (column, row), (column, row + 1)
                    names[down] = square_text((2 * column, 2 * row + 1))
        return names

    def _boxes(self) -> list[Cell]:
        return [(column, row) for column in range(self.columns) for row in range(self.rows)]

    def _is_closed(self, box: Cell) -> bool:
        column, row = box
        right, below, opposite = (column + 1, row), (column, row + 1), (column + 1, row + 1)
        sides = {(box, right), (box, below), (right, opposite), (below, opposite)}
        return sides <= self.lines
