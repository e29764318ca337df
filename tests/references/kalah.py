"""Naive Kalah with any number of pits and seeds, with or without captures."""

import copy
from typing import Self


class NaiveKalah:
    def __init__(self, pits: int = 6, seeds: int = 4, captures: bool = True) -> None:
        self.pits, self.captures = pits, captures
        self.mover = 0
        # Each player's pits in sowing order, the store last.
        self.rows = [[seeds] * pits + [0] for _ in range(2)]

    def legal(self) -> list[str]:
        own = self.rows[self.mover]
        return [str(pit + 1) for pit in range(self.pits) if own[pit] > 0]

    def play(self, move: str) -> None:
        row, pit = self._sow(int(move) - 1)
        if self.captures and row == self.mover and pit < self.pits:
            self._capture(pit)
        if not (row == self.mover and pit == self.pits):
            self.mover = 1 - self.mover
        if not all(any(row[: self.pits]) for row in self.rows):
            self.rows = [[0] * self.pits + [sum(row)] for row in self.rows]

    def copy(self) -> Self:
        twin = copy.copy(self)
        twin.rows = [list(row) for row in self.rows]
        return twin

    def side(self) -> int:
        return self.mover

    def over(self) -> bool:
        return not self.legal()

    def outcome(self) -> int:
        first, second = self.rows
        return first[-1] - second[-1]

    def cells(self) -> tuple[int, ...]:
        """Second store, second pits from the last to the first, first store, first pits."""
        first, second = self.rows
        return (*reversed(second), first[-1], *first[:-1])

    def _sow(self, pit: int) -> tuple[int, int]:
        """Sows the mover's pit; returns the row and the place of the last seed."""
        track = [(self.mover, place) for place in range(self.pits + 1)]
        track += [(1 - self.mover, place) for place in range(self.pits)]
        seeds, self.rows[self.mover][pit] = self.rows[self.mover][pit], 0
        for step in range(1, seeds + 1):
            row, place = track[(pit + step) % len(track)]
            self.rows[row][place] += 1
        return row, place

    def _capture(self, pit: int) -> None:
        """Takes the last seed and the opposite ones, if the pit was empty and there are some."""
        own, other = self.rows[self.mover], self.rows[1 - self.mover]
        opposite = self.pits - 1 - pit
        if own[pit] == 1 and other[opposite] > 0:
            own[self.pits] += own[pit] + other[opposite]
            own[pit] = other[opposite] = 0
