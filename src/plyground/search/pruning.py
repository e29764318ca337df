"""Moves that are left out of a list: useless ones by their looks, and those behind a win.

`Isolated` is unsound: a search with it is minimax of a smaller game. Source: the report of a Double
Card program (2019) that discards isolated cards and reports a great gain. `FirstWin` is sound; its
source is the same report, whose program stops when a game is won.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.games.rules import State, is_isolated, is_over, outcome, play, turn
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


class FirstWin(NamedTuple):
    """Leave out the moves behind the first that wins at once.

    Value, move and line are those of the search without it: where all wins are equal, or the
    nearest is best, no later move can be better. Where larger wins are better, one could.
    """

    least: int = 1  # the outcome that is a win

    def stop_at_win(self, state: State, moves: Slab, start: int, end: int) -> int:
        for i in range(start, end):
            child = play(state, moves[i])
            if is_over(child) and turn(state, child) * outcome(child) >= self.least:
                return i + 1
        return end


PRUNINGS = {"isolated": Isolated()}
STOPS = {"win": FirstWin()}


@verb
def prune(pruning: Isolated | None, state: State, moves: Slab, start: int, end: int) -> int:
    """Drop moves from a list and return its new end; without pruning, all stay."""
    return end


@verb
def stop_at_win(first_win: FirstWin | None, state: State, moves: Slab, start: int, end: int) -> int:
    """The end of a sorted list: behind the first move that wins, if searches are to stop there."""
    return end
