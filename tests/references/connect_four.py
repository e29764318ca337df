"""Naive Connect Four on any board; row 0 is the bottom row here."""

import copy
from typing import Self

from .grid import has_line


class NaiveConnectFour:
    def __init__(self, width: int = 7, height: int = 6, connect: int = 4) -> None:
        self.height, self.connect = height, connect
        self.columns: list[list[int]] = [[] for _ in range(width)]

    def legal(self) -> list[str]:
        if self.outcome() != 0:
            return []
        columns = enumerate(self.columns, start=1)
        return [str(number) for number, column in columns if len(column) < self.height]

    def play(self, move: str) -> None:
        self.columns[int(move) - 1].append(self.side())

    def copy(self) -> Self:
        twin = copy.copy(self)
        twin.columns = [list(column) for column in self.columns]
        return twin

    def side(self) -> int:
        return sum(len(column) for column in self.columns) % 2

    def over(self) -> bool:
        return not self.legal()

    def outcome(self) -> int:
        return self._connected(0) - self._connected(1)

    def cells(self) -> tuple[str, ...]:
        names = ("first", "second")
        return tuple(
            names[column[row]] if row < len(column) else ""
            for row in reversed(range(self.height))
            for column in self.columns
        )

    def _connected(self, player: int) -> bool:
        discs = {
            (x, y)
            for x, column in enumerate(self.columns)
            for y, owner in enumerate(column)
            if owner == player
        }
        return has_line(discs, self.connect)
