"""Calibrating: the weights of an evaluator that is there, fitted to games, each with its error.

What a value is a sum of is known (`material.py`). The sum that comes nearest to the lessons is a
matter of **least squares** where a game has a margin, and elsewhere of logistic regression
(`scale.py`: points are tanh of the sum), by Newton's method; each stage of the game has weights of
its own.

How far a weight may be from what more games would give is its **standard error**. Positions of one
game are alike, so games are what counts, not positions: the sandwich estimator with games as
clusters (Liang & Zeger 1986, "Longitudinal Data Analysis Using Generalized Linear Models").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plyground.core.errors import Unsupported
from plyground.evaluation.calibrated import (
    FINEST,
    MOST_NUMBER,
    Calibrated,
    Layout,
    StageMap,
    calibrated,
    number_fields,
)
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.kernel import kernel
from plyground.learning.lessons import Lessons
from plyground.learning.material import Material, fittable, gather, stage_map
from plyground.learning.scale import Scale, scale_of

TEMPO = "to move"
AT_ONCE = 256  # games
MOST_STEPS, MOST_HALVINGS, NEAR = 50, 20, 1e-9
LEAST_RIDGE = 1e-6  # so that there is one answer where factors are sums of each other
NOTHING_LEFT = 1e-9  # of a factor's variance, when others explain it

# ------------------------------------------------------------------ sums over all positions


@kernel
def add_up(
    factors: np.ndarray,
    offsets: np.ndarray,
    wanted: np.ndarray,
    stages: np.ndarray,
    weights: np.ndarray,
    has_margin: int,
    residuals: np.ndarray,
    gradient: np.ndarray,
    curvature: np.ndarray,
) -> float:
    """Newton's sums at these weights, by stage: X'(y - p) and X'VX; and what is to be least.

    In the order of the positions and without a library, so that they are the same everywhere.
    """
    columns, loss = factors.shape[1], 0.0
    gradient[:] = 0.0
    curvature[:] = 0.0
    for row in range(len(factors)):
        stage, own = stages[row], factors[row]
        total = offsets[row]
        for i in range(columns):
            total += weights[stage, i] * own[i]
        said, steep = total, 1.0
        if not has_margin:
            said = np.tanh(total)
            steep = 1.0 - said * said
            size = abs(total)  # log cosh, which would overflow
            loss += size + np.log1p(np.exp(-2.0 * size)) - wanted[row] * total
        residual = wanted[row] - said
        residuals[row] = residual
        if has_margin:
            loss += 0.5 * residual * residual
        for i in range(columns):
            if own[i] != 0.0:
                gradient[stage, i] += own[i] * residual
                for j in range(i + 1):
                    curvature[stage, i, j] += steep * own[i] * own[j]
    return loss


@kernel
def write_scores(
    factors: np.ndarray,
    residuals: np.ndarray,
    stages: np.ndarray,
    owners: np.ndarray,
    first: int,
    scores: np.ndarray,
) -> int:
    """What each game adds to the gradient, of all stages; where the first game left out begins.

    Of `scores` there are [game, stage, column]. Rows are those of one game after the other.
    """
    scores[:] = 0.0
    row, begun = first, owners[first]
    while row < len(factors) and owners[row] - begun < len(scores):
        own = scores[owners[row] - begun, stages[row]]
        for i in range(factors.shape[1]):
            own[i] += factors[row, i] * residuals[row]
        row += 1
    return row


# ------------------------------------------------------------------ the fit


class Fit:
    """Weights of all stages that come nearest to what is wanted."""

    def __init__(
        self, material: Material, stages: int, has_margin: int, ridge: float, smooth: float
    ) -> None:
        self.material, self.has_margin = material, has_margin
        columns = material.factors.shape[1]
        self.shape = stages, columns
        squares = np.square(material.factors, dtype=np.float64).mean(axis=0)
        self.penalty = self._penalty(np.where(squares > 0, squares, 1.0), ridge, smooth)
        self.residuals = np.zeros(len(material.wanted))
        self.gradient = np.zeros(self.shape)
        self.curvature = np.zeros((stages, columns, columns))
        self.weights = np.zeros(self.shape)

    def _penalty(self, squares: np.ndarray, ridge: float, smooth: float) -> np.ndarray:
        """As if so many positions said: a weight is 0, and what it is at the next stage."""
        every = np.eye(self.shape[0])
        step = np.diff(every, axis=0)
        between = max(ridge, LEAST_RIDGE) * every + smooth * step.T @ step
        return np.kron(between, np.diag(squares))

    def run(self) -> None:
        """Newton's steps, each halved until it is one downwards. With a margin one is enough."""
        loss = self._sums(self.weights)
        for _ in range(MOST_STEPS):
            down = self._solved(self.gradient.ravel() - self.penalty @ self.weights.ravel())
            step, before = down.reshape(self.shape), self.weights
            for _ in range(MOST_HALVINGS):
                new_loss = self._sums(before + step)
                if new_loss <= loss + NEAR * abs(loss):
                    break
                step = step / 2
            self.weights, loss = before + step, new_loss
            if self.has_margin or abs(step).max() <= NEAR * (1.0 + abs(self.weights).max()):
                break

    def _sums(self, weights: np.ndarray) -> float:
        own = self.material
        loss = add_up(
            own.factors,
            own.offsets,
            own.wanted,
            own.stages,
            weights,
            self.has_margin,
            self.residuals,
            self.gradient,
            self.curvature,
        )
        lower = np.tril(self.curvature, -1)
        self.curvature += lower.swapaxes(1, 2)
        flat = weights.ravel()
        return float(loss + 0.5 * flat @ self.penalty @ flat)

    def _solved(self, right: np.ndarray) -> np.ndarray:
        stages, columns = self.shape
        whole = self.penalty.copy()
        for stage in range(stages):
            own = slice(stage * columns, (stage + 1) * columns)
            whole[own, own] += self.curvature[stage]
        solved: np.ndarray = np.linalg.solve(whole, right)
        return solved

    def errors(self) -> np.ndarray:
        """Standard errors: bread, meat, bread; of which the meat is made of whole games."""
        own, size = self.material, self.weights.size
        meat, row, games = np.zeros((size, size)), 0, 0
        scores = np.zeros((AT_ONCE, *self.shape))
        while row < len(own.factors):
            row = write_scores(own.factors, self.residuals, own.stages, own.owners, row, scores)
            flat = scores.reshape(AT_ONCE, size)
            meat += flat.T @ flat
            games += int(flat.any(axis=1).sum())
        bread = self._solved(np.eye(size))
        variances = np.diag(bread @ meat @ bread.T) * (games / max(games - 1, 1))
        errors: np.ndarray = np.sqrt(np.maximum(variances, 0.0)).reshape(self.shape)
        return errors


# ------------------------------------------------------------------ the result


@dataclass(frozen=True)
class Calibration:
    """The weights of an evaluator, by stage and field, and how sure they are."""

    base: Evaluator = field(repr=False)
    """With what its other fields are."""
    scale: Scale
    stages: StageMap
    names: tuple[str, ...]
    """The fields that were fitted; the worth of having the move last, if it was."""
    kept: dict[str, int]
    """The fields that were not."""
    weights: np.ndarray
    """[stage, field], in points for 1 of a factor (where there is no margin: before tanh)."""
    errors: np.ndarray
    """The standard error of each; NaN where a factor was always 0."""
    deviations: np.ndarray
    """The standard deviation of each factor at each stage."""
    positions: np.ndarray
    """At each stage."""
    explained_by_stage: np.ndarray
    explained: float
    """Of the variance of what was wanted, in the games that were learned from."""
    games: int
    shared: tuple[str, ...]
    """Fields that are sums of each other everywhere: only together their weights mean something."""
    has_offset: bool = False
    """Whether fields that were not fitted add something."""

    def rows(self, normed: bool = False) -> list[dict[str, Any]]:
        """A row for each weight. Normed, it is for a standard deviation of its factor."""
        found = []
        for stage in range(self.stages.count):
            least, most = self.stages.range_of(stage)
            for column, name in enumerate(self.names):
                size = float(self.deviations[stage, column]) if normed else 1.0
                error = float(self.errors[stage, column])
                found.append(
                    {
                        "stage": stage,
                        "from": least,
                        "to": most,
                        "positions": int(self.positions[stage]),
                        "field": name,
                        "weight": float(self.weights[stage, column]) * size,
                        "error": None if np.isnan(error) else error * size,
                    }
                )
        return found

    @property
    def layout(self) -> Layout:
        """Where the numbers of the weights belong, and how fine they are."""
        has_tempo = self.names[-1] == TEMPO
        fitted = self.names[:-1] if has_tempo else self.names
        most, shift = float(abs(self.weights).max()) * self.scale.unit, FINEST
        while shift and most * 2**shift > MOST_NUMBER:
            shift -= 1
        return Layout(self.stages, fitted, has_tempo, 0 if self.has_offset else shift)

    @property
    def numbers(self) -> np.ndarray:
        """The weights as whole numbers of 16 bits."""
        whole = np.rint(self.weights * self.scale.unit * 2**self.layout.shift)
        return np.clip(whole, -MOST_NUMBER, MOST_NUMBER).astype(np.int16)

    def make(self) -> Calibrated:
        """The evaluator."""
        return calibrated(self.base, self.layout, self.numbers)


def calibrate(
    game: GameSpec,
    start: State,
    base: Evaluator,
    lessons: Lessons,
    stages: int | Sequence[int] | None = None,
    *,
    ridge: float = 1.0,
    smooth: float = 0.0,
    has_tempo: bool = False,
    fields: Iterable[str] | None = None,
) -> Calibration:
    """Fit the weights of an evaluator to games, for each stage. Raises Unsupported.

    `ridge` is how many positions say that a weight is 0, `smooth` how many say that it is what it
    is at the next stage; both keep weights sane that few positions tell of, and lie a little, so
    that errors then tell too little. With `has_tempo` having the move is worth something as well.
    Only `fields`, if they are given, are fitted, whether values are sums over them or not.
    """
    if not lessons.positions:
        raise Unsupported("there are no positions to learn from")
    scale, split = scale_of(game, start), stage_map(game, start, stages)
    if fields is None:
        fitted, kept = fittable(start, base, lessons)
    else:
        fitted = tuple(fields)
        kept = {k: int(getattr(base, k)) for k in number_fields(base) if k not in fitted}
    layout = Layout(split, fitted, has_tempo)
    material = gather(start, base, lessons, layout, kept, scale)
    fit = Fit(material, split.count, scale.has_margin, ridge, smooth)
    fit.run()
    counts, means, deviations, explained = _by_stage(material, fit)
    return Calibration(
        base=base._replace(**kept),
        scale=scale,
        stages=split,
        names=(*fitted, *([TEMPO] if has_tempo else [])),
        kept=kept,
        weights=fit.weights,
        errors=np.where((deviations > 0) | (means != 0), fit.errors(), np.nan),
        deviations=deviations,
        positions=counts,
        explained_by_stage=explained,
        explained=_explained(material.wanted, fit.residuals),
        games=lessons.games,
        shared=_shared([*fitted], material.factors),
        has_offset=bool(material.offsets.any()),
    )


def _by_stage(material: Material, fit: Fit) -> tuple[np.ndarray, ...]:
    """Positions, means and deviations of factors, and the fraction explained, of each stage."""
    stages, columns = fit.shape
    counts, explained = np.zeros(stages, np.int64), np.zeros(stages)
    means, deviations = np.zeros((stages, columns)), np.zeros((stages, columns))
    for stage in range(stages):
        rows = np.flatnonzero(material.stages == stage)
        if len(rows):
            own = material.factors[rows]
            counts[stage] = len(rows)
            means[stage] = own.mean(axis=0, dtype=np.float64)
            deviations[stage] = own.std(axis=0, dtype=np.float64)
            explained[stage] = _explained(material.wanted[rows], fit.residuals[rows])
    return counts, means, deviations, explained


def _explained(wanted: np.ndarray, residuals: np.ndarray) -> float:
    variance = float(wanted.var())
    return 1.0 - float(np.square(residuals).mean()) / variance if variance else 0.0


def _shared(names: list[str], factors: np.ndarray) -> tuple[str, ...]:
    """The factors that are sums of others at all positions."""
    own = factors[:, : len(names)]
    size = np.sqrt(np.square(own, dtype=np.float64).mean(axis=0))
    alike = np.zeros((len(names), len(names)))
    for first in range(0, len(own), 2**16):
        part = own[first : first + 2**16] / np.where(size > 0, size, 1.0)
        alike += part.T @ part
    values, vectors = np.linalg.eigh(alike / len(own) + np.diag(1.0 * (size == 0)))
    nothing = vectors[:, values < NOTHING_LEFT]
    return tuple(
        name for i, name in enumerate(names) if np.square(nothing[i]).sum() > NOTHING_LEFT**0.5
    )
