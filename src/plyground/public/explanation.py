"""The value of a position by an evaluator: factor by factor, and where on the board each lies."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plyground.drawing.pictures import picture
from plyground.evaluation.spec import Evaluator, Factor, evaluate
from plyground.players.judging import read_evaluator
from plyground.public.frames import Row, Rows
from plyground.public.searching import evaluator_of

if TYPE_CHECKING:
    from plyground.public.position import Position

MOST_PICTURES = 6


@dataclass(frozen=True, repr=False)
class Explanation(Rows):
    """The value of a position by an evaluator, and its factors; see `Position.explain`.

    Its display is a table of the factors, in a notebook with boards that show where they lie.
    """

    position: Position
    """The explained position."""
    evaluator: str
    """The name of the evaluator."""
    value: int
    """The value for the side to move."""
    scale: str
    """What one unit of the value means; empty for an evaluator of your own."""
    points: float | None
    """The value as points of the game, such as discs, if the evaluator says what they are."""
    factors: tuple[Factor, ...]
    """The parts of the value; empty if the evaluator names none."""

    def rows(self) -> Sequence[Row]:
        """A row for each factor: its name, value, weight, and share, the product of the two."""
        return [
            {"factor": each.name, "value": each.value, "weight": each.weight, "share": each.share}
            for each in self.factors
        ]

    @property
    def _caption(self) -> str:
        unit = f" ({self.scale})" if self.scale else ""
        unit = unit if self.points is None else f" ({self.points:+.1f} points)"
        return f"{self.value:+d} for {self.position.side}, by {self.evaluator}{unit}"

    def _repr_html_(self) -> str:
        drawn = [each for each in self.factors if each.cells and each.share][:MOST_PICTURES]
        sign = 1 if self.position.mover == 0 else -1  # pictures show what helps the first player
        pictures = "".join(
            '<figure style="display:inline-block;margin:4px;text-align:center">'
            + picture(
                self.position.svg(
                    shares=[(cell, sign * amount * each.weight) for cell, amount in each.cells],
                    width=180,
                )
            )
            + f"<figcaption>{html.escape(each.name)} {each.share:+g}</figcaption></figure>"
            for each in drawn
        )
        return super()._repr_html_() + (f"<div>{pictures}</div>" if drawn else "")


def explain_position(position: Position, evaluator: str | Evaluator | None) -> Explanation:
    """See `Position.explain`."""
    if evaluator is not None and not isinstance(evaluator, str):
        judge, name, _ = evaluator_of(position, evaluator)
        return Explanation(position, name, int(evaluate(judge, position.state)), "", None, ())
    judge, spec = read_evaluator(evaluator, position.game, position.start)
    value = int(evaluate(judge, position.state))
    factors = tuple(spec.factors(judge, position.state)) if spec.factors else ()
    points = value / spec.unit if spec.unit else None
    return Explanation(position, spec.name, value, spec.scale, points, factors)
