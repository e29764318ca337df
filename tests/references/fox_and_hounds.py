"""Naive Fox and Hounds: squares are (column, row) pairs counted from the fox's side."""

import copy
from typing import Self

from .grid import Cell, square_cell, square_text


class NaiveFoxAndHounds:
    def __init__(self, size: int = 8) -> None:
        self.size = size
        self.mover = 0
        self.fox: Cell = ({4: 2, 6: 2, 8: 4}[size], 0)
        self.hounds = {(column, size - 1) for column in range(1, size, 2)}

    def legal(self) -> list[str]:
        """By the origin, row by row from the hounds' side; then the targets in the same order."""
        if self._is_home():
            return []
        moves = []
        for origin in sorted(self.hounds if self.mover else {self.fox}, key=self._reading):
            targets = self._free_neighbours(origin)
            if self.mover == 1:
                targets = [target for target in targets if target[1] < origin[1]]
            moves += [square_text(origin) + square_text(target) for target in targets]
        return moves

    def play(self, move: str) -> None:
        origin, target = square_cell(move[:2]), square_cell(move[2:])
        if self.mover == 0:
            self.fox = target
        else:
            self.hounds = self.hounds - {origin} | {target}
        self.mover = 1 - self.mover

    def copy(self) -> Self:
        return copy.copy(self)

    def side(self) -> int:
        return self.mover

    def over(self) -> bool:
        return not self.legal()

    def outcome(self) -> int:
        """Whoever cannot move has lost, and the hounds have if the fox is home."""
        return 1 if self._is_home() or self.mover == 1 else -1

    def cells(self) -> tuple[str, ...]:
        return tuple(
            self._content((column, row))
            for row in reversed(range(self.size))
            for column in range(self.size)
        )

    def _content(self, cell: Cell) -> str:
        if cell == self.fox:
            return "first"
        if cell in self.hounds:
            return "second"
        return "" if sum(cell) % 2 == 0 else " "

    def _is_home(self) -> bool:
        return self.fox[1] == self.size - 1

    def _free_neighbours(self, origin: Cell) -> list[Cell]:
        column, row = origin
        around = [(column + right, row + up) for right in (-1, 1) for up in (-1, 1)]
        inside = [cell for cell in around if {*cell} <= {*range(self.size)}]
        return sorted({*inside} - self.hounds - {self.fox}, key=self._reading)

    def _reading(self, cell: Cell) -> tuple[int, int]:
        return -cell[1], cell[0]
