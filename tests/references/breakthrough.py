"""Naive Breakthrough: two sets of squares, (column, row) pairs counted from White's side."""

import copy
from typing import Self

from .grid import Cell, square_cell, square_text


class NaiveBreakthrough:
    def __init__(self, columns: int = 8, rows: int = 8) -> None:
        self.columns, self.rows = columns, rows
        self.mover = 0
        self.pieces = [
            {(column, row) for column in range(columns) for row in pair}
            for pair in ((0, 1), (rows - 2, rows - 1))
        ]

    def legal(self) -> list[str]:
        """By the row of the origin from Black's side, then its column, then that of the target."""
        if self.over():
            return []
        origins = sorted(self.pieces[self.mover], key=lambda cell: (-cell[1], cell[0]))
        return [
            square_text(origin) + square_text(target)
            for origin in origins
            for target in self._targets(origin)
        ]

    def play(self, move: str) -> None:
        origin, target = square_cell(move[:2]), square_cell(move[2:])
        self.pieces[self.mover].remove(origin)
        self.pieces[self.mover].add(target)
        self.pieces[1 - self.mover].discard(target)
        self.mover = 1 - self.mover

    def copy(self) -> Self:
        twin = copy.copy(self)
        twin.pieces = [set(pieces) for pieces in self.pieces]
        return twin

    def side(self) -> int:
        return self.mover

    def over(self) -> bool:
        return self.outcome() != 0

    def outcome(self) -> int:
        white, black = self.pieces
        if not black or any(row == self.rows - 1 for _, row in white):
            return 1
        return -1 if not white or any(row == 0 for _, row in black) else 0

    def cells(self) -> tuple[str, ...]:
        white, black = self.pieces
        places = [(c, r) for r in reversed(range(self.rows)) for c in range(self.columns)]
        return tuple("first" if p in white else "second" if p in black else "" for p in places)

    def _targets(self, origin: Cell) -> list[Cell]:
        column, row = origin
        ahead = row + (1 if self.mover == 0 else -1)
        mine, theirs = self.pieces[self.mover], self.pieces[1 - self.mover]
        targets = [(column - 1, ahead), (column, ahead), (column + 1, ahead)]
        return [
            target
            for target in targets
            if 0 <= target[0] < self.columns
            and target not in mine
            and not (target in theirs and target[0] == column)
        ]
