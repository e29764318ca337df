"""What numbers mean while learning: points of a game, what an evaluator says, shares in files.

Where winning by more is worth more, a value is the margin to expect. Elsewhere it is how good the
chances are: the inverse hyperbolic tangent of points from -1 to 1, which are -1 lost, 0 even.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.scores import WIN
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.kernel import compilable

UNIT_OF_MARGIN = 100
UNIT_OF_CHANCES = 1000
WHOLE = 32767  # a share of 1
USUAL_MARGIN = 64.0
SPREADS = 8  # in the greatest win


class Scale(NamedTuple):
    """How the values of an evaluator, points and shares hang together."""

    unit: float
    """What an evaluator says for 1."""
    most: float
    """Points of the greatest win."""
    has_margin: int
    spread: float = 1.0
    """A difference that matters, as evaluators count: a few points, or a good chance."""

    @property
    def text(self) -> str:
        """What one unit of the evaluator means."""
        if self.has_margin:
            return f"{self.unit:.0f} is a point"
        return f"{self.unit:.0f} is a chance of 88 %"


def scale_of(game: GameSpec, start: State) -> Scale:
    """The scale of a game."""
    if not game.has_margin:
        return Scale(float(UNIT_OF_CHANCES), 1.0, 0)
    most = float(game.score_limit(start)) if game.score_limit else USUAL_MARGIN
    return Scale(float(UNIT_OF_MARGIN), most, 1, most / SPREADS)


@compilable
def points_of(scale: Scale, value: int) -> float:
    """The points that the value of a search stands for."""
    if value >= WIN:
        return min(float(value - WIN), scale.most) if scale.has_margin else 1.0
    if value <= -WIN:
        return max(float(value + WIN), -scale.most) if scale.has_margin else -1.0
    return expected(scale, value / scale.unit)


@compilable
def expected(scale: Scale, total: float) -> float:
    """The points to expect where the weights add up to this."""
    if scale.has_margin:
        return min(max(total, -scale.most), scale.most)
    # tanh, without a call: exact to 1e-7 is more than enough, and the same on every machine
    grown = 2.718281828459045 ** (-2.0 * abs(total)) if abs(total) < 20.0 else 0.0
    chance = (1.0 - grown) / (1.0 + grown)
    return chance if total >= 0 else -chance


@compilable
def won_points(scale: Scale, outcome: int) -> float:
    """The points of a finished game."""
    if scale.has_margin:
        return float(outcome)
    return 1.0 if outcome > 0 else -1.0 if outcome < 0 else 0.0
