"""A calibrated evaluator: another one, whose weights are read from a table as the game goes on.

The other one is its **base**, a `NamedTuple` with weights as fields of whole numbers. A **stage**
of the game is told by what is left of it, empty cells or pieces, and has a row in the table with a
number for each of the base's fields. The base is asked as if these were its weights, so whatever
it counts is counted by its own code.

Weights that were fitted are no whole numbers. So the numbers of the table are theirs times a power
of two, and the base's answer is divided by it, rounded to the nearest: alike for both sides.

How weights are found is in `learning/calibrating.py`; here nothing is fitted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from plyground.bits import popcount, unsigned, words
from plyground.evaluation.ntuples import BY_CELLS_LEFT, BY_NOTHING, BY_PIECES
from plyground.evaluation.spec import Evaluator, EvaluatorSpec, Factor, Factors, evaluate
from plyground.games.rules import State, cells_left
from plyground.kernel import Slab, compilable, with_numbers

# What a table begins with: what tells stages apart and the most of it, by how many bits its numbers
# are finer than the values, how many numbers a row has, and where the masks of the pieces are. Then
# follows, for each count of cells or pieces, where the row of its stage begins.
BY, MOST, SHIFT, WIDTH, MASKS = range(5)
ROWS = 5
FINEST = 14  # bits
MOST_NUMBER = 2**15 - 1  # files hold 16 bits for each


class Calibrated(NamedTuple):
    """The base, and the table of its weights."""

    base: Evaluator
    table: Slab

    def evaluate(self, state: State) -> int:
        table = self.table
        row = row_of(table, state)
        value = evaluate(with_numbers(self.base, table, row), state)
        return rounded(value + table[row + table[WIDTH]], table[SHIFT])


@compilable
def measure_of(table: Slab, state: State) -> int:
    """How far a game is: empty cells or pieces, but never what the table has no row for."""
    measure = 0
    if table[BY] == BY_CELLS_LEFT:
        measure = cells_left(state)
    elif table[BY] == BY_PIECES:
        for field, word in enumerate(words(state)):
            measure += popcount(word & unsigned(table[table[MASKS] + field]))
    return min(max(measure, 0), table[MOST])


@compilable
def row_of(table: Slab, state: State) -> int:
    """Where the row of this stage of the game begins."""
    return table[ROWS + measure_of(table, state)]


@compilable
def rounded(value: int, shift: int) -> int:
    """The value divided by a power of two, to the nearest whole number; halves away from 0."""
    size = (abs(value) + (1 << shift >> 1)) >> shift
    return size if value >= 0 else -size


# ------------------------------------------------------------------ from Python


@dataclass(frozen=True)
class StageMap:
    """What tells the stages of a game apart."""

    by: int
    """By nothing, by empty cells, or by pieces."""
    stages: tuple[int, ...]
    """The stage for each count of them."""
    masks: tuple[int, ...] = ()
    """Where a state has its pieces: the bits of each of its fields."""

    @property
    def count(self) -> int:
        return max(self.stages) + 1

    def range_of(self, stage: int) -> tuple[int, int]:
        """The least and the most empty cells, or pieces, of a stage; it has some."""
        counts = [count for count, each in enumerate(self.stages) if each == stage]
        return counts[0], counts[-1]

    @property
    def name(self) -> str:
        """What is counted."""
        return {BY_NOTHING: "", BY_CELLS_LEFT: "empty cells", BY_PIECES: "pieces"}[self.by]

    @staticmethod
    def even(by: int, most: int, count: int, masks: Sequence[int] = ()) -> StageMap:
        """So many stages of about the same length."""
        stages = tuple(min(count - 1, number * count // (most + 1)) for number in range(most + 1))
        return StageMap(by, stages, tuple(masks))

    @staticmethod
    def beginning(by: int, most: int, least: Sequence[int], masks: Sequence[int] = ()) -> StageMap:
        """Stages of which each begins at a count, the first at 0."""
        stages = tuple(sum(number >= count for count in least[1:]) for number in range(most + 1))
        return StageMap(by, stages, tuple(masks))


@dataclass(frozen=True)
class Layout:
    """Which fields of a base have fitted weights, and at which stages of a game they change."""

    stages: StageMap
    fitted: tuple[str, ...]
    """The fields that have a column of numbers, in this order; the rest is as the base has it."""
    has_tempo: bool = False
    """Whether a last column is the worth of having the move, which no field says."""
    shift: int = 0
    """By how many bits the numbers are finer than the values."""

    @property
    def columns(self) -> int:
        return len(self.fitted) + self.has_tempo

    def as_data(self) -> dict[str, Any]:
        """As JSON types."""
        return asdict(self)

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Layout:
        """Raises KeyError, TypeError or ValueError for what is no layout."""
        stages, shift = stage_map_from(data["stages"]), int(data["shift"])
        if not 0 <= shift <= FINEST:
            raise ValueError(f"numbers cannot be finer by {shift} bits")
        fitted = tuple(str(name) for name in data["fitted"])
        return Layout(stages, fitted, bool(data["has_tempo"]), shift)


def stage_map_from(data: Mapping[str, Any]) -> StageMap:
    """Stages as data. Raises KeyError, TypeError or ValueError for what is none."""
    stages = StageMap(
        int(data["by"]),
        tuple(int(stage) for stage in data["stages"]),
        tuple(int(mask) for mask in data["masks"]),
    )
    known = stages.by in (BY_NOTHING, BY_CELLS_LEFT, BY_PIECES)
    if not known or not stages.stages or {*stages.stages} != {*range(stages.count)}:
        raise ValueError("these are no stages of a game")
    if stages.by == BY_PIECES and not stages.masks:
        raise ValueError("nothing says where the pieces are")
    return stages


def number_fields(base: Evaluator) -> tuple[str, ...]:
    """The fields of an evaluator that are whole numbers."""
    return tuple(k for k, v in base._asdict().items() if type(v) in (int, np.int64))


def calibrated(base: Evaluator, layout: Layout, numbers: np.ndarray) -> Calibrated:
    """The evaluator with these numbers: a row for each stage, a column for each fitted field.

    Raises ValueError where they do not fit the base.
    """
    fields, stages = number_fields(base), layout.stages
    if numbers.shape != (stages.count, layout.columns) or not {*layout.fitted} <= {*fields}:
        raise ValueError("the weights do not fit the evaluator")
    rows = np.zeros((stages.count, len(fields) + 1), np.int64)
    rows[:, :-1] = [int(getattr(base, name)) for name in fields]
    for column, name in enumerate(layout.fitted):
        rows[:, fields.index(name)] = numbers[:, column]
    if layout.has_tempo:
        rows[:, -1] = numbers[:, -1]
    return Calibrated(base, _table(stages, layout.shift, rows))


def bare_table(stages: StageMap) -> Slab:
    """A table that tells stages apart, and has no weights."""
    return _table(stages, 0, np.zeros((stages.count, 1), np.int64))


def _table(stages: StageMap, shift: int, rows: np.ndarray) -> Slab:
    masks = np.array(stages.masks, np.uint64).view(np.int64)
    masks_at = ROWS + len(stages.stages)
    rows_at = masks_at + len(masks)
    slab = Slab(rows_at + rows.size)
    width = rows.shape[1]
    slab.array[:ROWS] = stages.by, len(stages.stages) - 1, shift, width - 1, masks_at
    slab.array[ROWS:masks_at] = [rows_at + width * stage for stage in stages.stages]
    slab.array[masks_at:rows_at] = masks
    slab.array[rows_at:] = rows.ravel()
    return slab


# ------------------------------------------------------------------ factor by factor


def at_stage(evaluator: Calibrated, state: State) -> Evaluator:
    """The base with the numbers of the state's stage as its weights."""
    return with_numbers(evaluator.base, evaluator.table, row_of(evaluator.table, state))


def factors_of(base: Factors) -> Factors:
    """The parts of a calibrated value, given those of its base."""

    def factors(evaluator: Calibrated, state: State) -> list[Factor]:
        table = evaluator.table
        finer = 1 << table[SHIFT]
        parts = base(at_stage(evaluator, state), state)
        found = [replace(each, weight=each.weight / finer) for each in parts]
        if tempo := table[row_of(table, state) + table[WIDTH]]:
            found.append(Factor("to move", 1, tempo / finer))
        return found

    return factors


def calibrated_spec(
    base: EvaluatorSpec,
    name: str,
    layout: Layout,
    numbers: np.ndarray,
    scale: str,
    kept: Mapping[str, int] | None = None,
) -> EvaluatorSpec:
    """The description of an evaluator whose base has these weights, and `kept` where not fitted."""

    def build(own: Evaluator) -> Calibrated:
        return calibrated(own._replace(**(kept or {})), layout, numbers)

    fit = base.fit
    return replace(
        base,
        name=name,
        summary=f"{base.name} with weights fitted to games: {base.summary}",
        scale=scale,
        make=lambda: build(base.make()),
        fit=fit and (lambda made, game, start: build(fit(made.base, game, start))),
        factors=base.factors and factors_of(base.factors),
        is_zero_sum=base.is_zero_sum and not layout.has_tempo,
        is_default=False,
        is_choice=False,
    )
