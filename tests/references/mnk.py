"""Naive m,n,k-game: k in a row on m columns and n rows; Tic-tac-toe is 3,3,3."""

import copy
from typing import Self

from .grid import Cell, has_line, square_cell, square_text


class NaiveMnk:
    def __init__(self, m: int = 3, n: int = 3, k: int = 3) -> None:
        self.columns, self.rows, self.line = m, n, k
        self.marks: dict[Cell, int] = {}

    def legal(self) -> list[str]:
        if self.outcome() != 0:
            return []
        return [square_text(cell) for cell in self._squares() if cell not in self.marks]

    def play(self, move: str) -> None:
        self.marks[square_cell(move)] = self.side()

    def copy(self) -> Self:
        twin = copy.copy(self)
        twin.marks = dict(self.marks)
        return twin

    def side(self) -> int:
        return len(self.marks) % 2

    def over(self) -> bool:
        return not self.legal()

    def outcome(self) -> int:
        return self._lined_up(0) - self._lined_up(1)

    def cells(self) -> tuple[str, ...]:
        names = {None: "", 0: "first", 1: "second"}
        return tuple(names[self.marks.get(cell)] for cell in self._squares())

    def _squares(self) -> list[Cell]:
        return [(column, row) for row in range(self.rows) for column in range(self.columns)]

    def _lined_up(self, player: int) -> bool:
        return has_line({cell for cell, mark in self.marks.items() if mark == player}, self.line)
