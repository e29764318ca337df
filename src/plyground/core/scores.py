"""Scores: the bands of the one integer range that searches use, and what people see.

Inside a search a score is an integer for the side to move. Three bands, so that any proven result
beats any guess, and all fit 32 bits of a table entry:

    -INFINITY < losses <= -WIN < guesses of an evaluator < WIN <= wins < INFINITY

What a win is worth beyond WIN is decided by the finish (`search/finish.py`): how near it is, or by
how much it is won. Outside a search a `Score` says what its number means.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

INFINITY = 2**30
WIN = 2**29

Kind = Literal["heuristic", "proven", "win", "loss"]
Bound = Literal["exact", "lower", "upper"]
OPPOSITE_BOUND: dict[Bound, Bound] = {"exact": "exact", "lower": "upper", "upper": "lower"}
OPPOSITE_KIND: dict[Kind, Kind] = {
    "heuristic": "heuristic",
    "proven": "proven",
    "win": "loss",
    "loss": "win",
}


@dataclass(frozen=True)
class Score:
    """A score as it is shown: a number, what it means, and how sure it is."""

    value: int
    """heuristic: the evaluator's units; proven: the final score; win, loss: moves until then."""
    kind: Kind
    """heuristic, proven, win or loss."""
    bound: Bound = "exact"
    """exact, or lower or upper if the true score may be above or below."""

    def __neg__(self) -> Score:
        """The same score seen by the other player."""
        value = self.value if self.kind in ("win", "loss") else -self.value
        return replace(
            self, value=value, kind=OPPOSITE_KIND[self.kind], bound=OPPOSITE_BOUND[self.bound]
        )

    def __str__(self) -> str:
        """`+3`, `win in 9`, `>= -2`."""
        sign = {"exact": "", "lower": ">= ", "upper": "<= "}[self.bound]
        if self.kind in ("win", "loss"):
            return f"{sign}{self.kind} in {self.value}"
        return f"{sign}{self.value:+d}"
