"""What an evaluator is: a `NamedTuple` of weights with a method `evaluate(state)`.

The value is an integer for the side to move, well inside the band of guesses (`core/scores.py`).
Other weights give other values, but never other code, so nothing is compiled again. `factors` names
the parts that a value is made of, and where on the board they lie; `plyground explain` prints them,
and the web app draws them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plyground.evaluation.pictures import Amounts
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.kernel import verb

Evaluator = Any  # any NamedTuple with a method evaluate(state)


@verb
def evaluate(evaluator: Evaluator, state: State) -> int:
    """The worth of a state for the side to move, in the evaluator's units."""
    raise NotImplementedError


@dataclass(frozen=True)
class Factor:
    """One part of an evaluation: a name, its value for the side to move, its weight."""

    name: str
    value: float
    weight: float
    cells: Amounts = ()
    """Cells of the board with what each adds to the value; empty if it is not a matter of cells."""

    @property
    def share(self) -> float:
        """What it adds to the evaluation."""
        return self.value * self.weight


Factors = Callable[[Evaluator, State], list[Factor]]


@dataclass(frozen=True)
class EvaluatorSpec:
    """An evaluator with its description."""

    name: str
    games: tuple[type, ...]
    """The state classes it can judge; empty for any."""
    summary: str
    source: str
    """The publication it comes from."""
    scale: str
    """What one unit means."""
    make: Callable[[], Evaluator]
    """The evaluator with its default weights."""
    fit: Callable[[Evaluator, GameSpec, State], Evaluator] | None = None
    """Adds what an evaluator for any game must know of one, which begins in a state."""
    factors: Factors | None = None
    """The parts of a value; their shares add up to it, but for rounding."""
    is_symmetric: bool = True
    """Whether it gives symmetric positions the same value, so that they may share table entries."""
    is_zero_sum: bool = True
    """Whether the other side to move on the same board gives the opposite value."""
    is_default: bool = False
    """Whether it is the default of its games."""
    is_choice: bool = False
    """Whether it stands for the one that is chosen for a game."""
    unit: float = 0.0
    """What a point of the game's margin is as a value, where values stand for margins."""
    version: str = ""
    """A digest of its numbers, if it is a file of weights: other weights are another evaluator."""
    is_listed: bool = True
    """Whether lists show it; others are found by those who know their names."""
    suits: Callable[[State], bool] | None = None
    """Whether it can judge games that begin so, where not all of its classes."""

    def make_for(self, game: GameSpec, start: State) -> Evaluator:
        """The evaluator for games that begin so."""
        made = self.make()
        return self.fit(made, game, start) if self.fit else made
