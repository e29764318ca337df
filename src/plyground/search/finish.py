"""What a finished game is worth to a search: the three ways of telling wins apart."""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.scores import WIN
from plyground.games.rules import State, outcome
from plyground.kernel import verb


class ByDistance(NamedTuple):
    """A win is better the nearer it is, and a loss the farther: the depth left is added."""

    base: int = WIN

    def final_score(self, state: State, depth: int) -> int:
        result = outcome(state)
        if result > 0:
            return self.base + depth
        if result < 0:
            return -self.base - depth
        return 0


class ByMargin(NamedTuple):
    """A win is better the larger it is."""

    base: int = WIN

    def final_score(self, state: State, depth: int) -> int:
        result = outcome(state)
        if result > 0:
            return self.base + result
        if result < 0:
            return result - self.base
        return 0


class AsScored(NamedTuple):
    """The outcome is the value, beside the evaluator's guesses: for trees made of values."""

    weight: int = 1

    def final_score(self, state: State, depth: int) -> int:
        return self.weight * outcome(state)


Finish = ByDistance | ByMargin | AsScored


@verb
def final_score(finish: Finish, state: State, depth: int) -> int:
    """The value of a finished game for the side to move; `depth` is what was left to search."""
    raise NotImplementedError
