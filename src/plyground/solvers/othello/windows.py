"""Which minimal window to search next, given what is proved so far.

Windows begin at a guess and go outwards, four discs and then eight at a time; once the score lies
between two of them, they close in on the bound that was found last, which usually is the score.
"""

from __future__ import annotations

FIRST_STEP, STEP = 4, 8


class Windows:
    """The bounds of a score, which come closer with every answer."""

    def __init__(self, low: int, high: int, guess: int = 0) -> None:
        self._least, self._most = low, high
        self.low, self.high = low, high
        self._target, self._step = guess, FIRST_STEP

    @property
    def is_open(self) -> bool:
        return self.low < self.high

    @property
    def alpha(self) -> int:
        """Ask whether the score is above this."""
        return min(max(self._target, self.low + 1), self.high) - 1

    def learn(self, value: int) -> None:
        """The answer: a bound on the score, on the side of alpha where the score is."""
        if value > self.alpha:
            self.low = min(value, self._most)
            self._target = self.low + (self._step if self.high == self._most else 2)
        else:
            self.high = max(value, self._least)
            self._target = self.high - (self._step if self.low == self._least else 0)
        self._step = STEP
