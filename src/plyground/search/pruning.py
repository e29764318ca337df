"""Pruning that may be wrong: leave out moves that look useless.

It is unsound: a search with it is minimax of a smaller game. Source: the report of a Double Card
program (2019) that discards isolated cards and reports a great gain.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.games.rules import State, is_isolated
from plyground.kernel import Slab, verb


class Isolated(NamedTuple):
    """Leave out moves that are far from everything, unless all are."""

    at_least: int = 1  # moves that stay in any case

    def prune(self, state: State, moves: Slab, start: int, end: int) -> int:
        kept = start
        for i in range(start, end):
            if not is_isolated(state, moves[i]):
                moves[kept], moves[i] = moves[i], moves[kept]
                kept += 1
        return max(kept, min(end, start + self.at_least)) if kept > start else end


@verb
def prune(pruning: Isolated | None, state: State, moves: Slab, start: int, end: int) -> int:
    """Drop moves from a list and return its new end; without pruning, all stay."""
    return end
