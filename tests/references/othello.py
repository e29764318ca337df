"""Naive Othello on a square board of any even size; black is the first player."""

import copy
from typing import Self

from .grid import Cell, square_cell, square_text

BLACK, WHITE = 0, 1
DIRECTIONS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


class NaiveOthello:
    def __init__(self, size: int = 8) -> None:
        low, high = size // 2 - 1, size // 2
        self.size = size
        self.mover = BLACK
        self.discs: dict[Cell, int] = {
            (low, low): WHITE,
            (high, low): BLACK,
            (low, high): BLACK,
            (high, high): WHITE,
        }

    def legal(self) -> list[str]:
        placings = self._placings(self.mover)
        if not placings and self._placings(1 - self.mover):
            return ["pass"]
        return placings

    def play(self, move: str) -> None:
        if move != "pass":
            cell = square_cell(move)
            for turned in [cell, *self._flips(cell, self.mover)]:
                self.discs[turned] = self.mover
        self.mover = 1 - self.mover

    def copy(self) -> Self:
        twin = copy.copy(self)
        twin.discs = dict(self.discs)
        return twin

    def side(self) -> int:
        return self.mover

    def over(self) -> bool:
        return not self.legal()

    def outcome(self) -> int:
        """The disc difference; the empty squares go to the winner."""
        discs = list(self.discs.values())
        black, white = discs.count(BLACK), discs.count(WHITE)
        if black > white:
            return self.size**2 - 2 * white
        if white > black:
            return 2 * black - self.size**2
        return 0

    def cells(self) -> tuple[str, ...]:
        names = {None: "", BLACK: "first", WHITE: "second"}
        return tuple(names[self.discs.get(cell)] for cell in self._squares())

    def _squares(self) -> list[Cell]:
        return [(column, row) for row in range(self.size) for column in range(self.size)]

    def _placings(self, player: int) -> list[str]:
        return [square_text(cell) for cell in self._squares() if self._flips(cell, player)]

    def _flips(self, cell: Cell, player: int) -> list[Cell]:
        """The discs that turn over when the player places one here; none: not allowed."""
        if cell in self.discs:
            return []
        flips = []
        for right, down in DIRECTIONS:
            enclosed = []
            column, row = cell[0] + right, cell[1] + down
            while self.discs.get((column, row)) == 1 - player:
                enclosed.append((column, row))
                column, row = column + right, row + down
            if self.discs.get((column, row)) == player:
                flips += enclosed
        return flips
