"""A small network that assigns the weights of another evaluator, position by position.

After the outlook of Hernandez, Daza & Florez, "Alpha-Beta vs Scout Algorithms for the Othello
Game": "a neural network, which will be responsible for assigning the weights to the factors of the
heuristic"; its input is the state of the game. Chosen here:

    inputs    the phase, what is left of the game; and up to three glances, how much the position is
              out of balance by a set of weights: each is a value of the base, without its sign
    units     eight sums over the inputs, each cut off at nothing and at a whole
    weights   of the base: a row that always counts, and one for each unit, as far as it is on

and the value is the base's with these weights. A glance counts without its sign, so weights are the
same for both sides, and a base that is symmetric and zero-sum stays so. All numbers are whole, and
the same in plain Python and in machine code. It costs a value of the base more for each
glance, and 10 to 20 ns.

How the numbers are found is in `learning/network.py`; here nothing is learned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from plyground.evaluation.calibrated import (
    BY,
    MASKS,
    MOST,
    SHIFT,
    StageMap,
    measure_of,
    number_fields,
    rounded,
    stage_map_from,
)
from plyground.evaluation.spec import Evaluator, EvaluatorSpec, Factor, Factors, evaluate
from plyground.games.rules import State
from plyground.kernel import (
    MIXED,
    SHARE_BITS,
    WHOLE_SHARE,
    Slab,
    compilable,
    with_mixture,
    with_numbers,
)

# A table begins like one of `calibrated.py`. Then: what a step of the phase is, where the glances,
# the units and the rows of weights begin (counted in numbers of 16 bits), how many numbers a glance
# has, by how many bits it is too fine, and how many glances there are.
STEP, GLANCES, UNITS, ROWS, LENGTH, TOO_FINE, COUNT = range(5, 12)
HEADER = 12
MOST_GLANCES, UNIT_COUNT = 3, 8
ALWAYS, PHASE, FIRST_GLANCE = range(3)  # numbers of a unit
INPUTS = FIRST_GLANCE + MOST_GLANCES
UNIT_BITS = 10  # by which the numbers of a unit are finer than shares
MOST_FINE = 30


class Assigned(NamedTuple):
    """The base, and the network as a table of numbers."""

    base: Evaluator
    table: Slab

    def evaluate(self, state: State) -> int:
        value = evaluate(weighed(self.base, self.table, state), state)
        return rounded(value, self.table[SHIFT])


@compilable
def weighed(base: Evaluator, table: Slab, state: State) -> Evaluator:
    """The base with the weights that the network assigns."""
    phase = measure_of(table, state) * table[STEP]
    one = glance(base, table, 0, state)
    two = glance(base, table, 1, state)
    three = glance(base, table, 2, state)
    shares = (
        share(table, 0, phase, one, two, three),
        share(table, 1, phase, one, two, three),
        share(table, 2, phase, one, two, three),
        share(table, 3, phase, one, two, three),
        share(table, 4, phase, one, two, three),
        share(table, 5, phase, one, two, three),
        share(table, 6, phase, one, two, three),
        share(table, 7, phase, one, two, three),
        WHOLE_SHARE,
    )
    return with_mixture(base, table, table[ROWS], shares)


@compilable
def glance(base: Evaluator, table: Slab, number: int, state: State) -> int:
    """How far a position is out of balance by one set of weights, as a share."""
    if number >= table[COUNT]:
        return 0
    at = table[GLANCES] + number * table[LENGTH]
    value = evaluate(with_numbers(base, table, at), state)
    return min(abs(value) >> table[TOO_FINE], WHOLE_SHARE)


@compilable
def share(table: Slab, unit: int, phase: int, one: int, two: int, three: int) -> int:
    """How far a unit is on."""
    at = table[UNITS] + unit * INPUTS
    total = table[at + ALWAYS] * WHOLE_SHARE + table[at + PHASE] * phase
    at += FIRST_GLANCE
    total += table[at] * one + table[at + 1] * two + table[at + 2] * three
    return min(max(total >> UNIT_BITS, 0), WHOLE_SHARE)


# ------------------------------------------------------------------ from Python


@dataclass(frozen=True)
class Form:
    """What the numbers of a network mean."""

    phase: StageMap
    """What is counted; each count is a stage of its own."""
    fitted: tuple[str, ...]
    """The fields of the base whose weights are assigned; the rest is as the base has it."""
    shift: int
    """By how many bits the weights are finer than the values."""
    too_fine: int
    """By how many bits the glances are finer than shares."""
    glances: int

    @property
    def shapes(self) -> list[tuple[int, int]]:
        """Of the parts that the numbers are: glances, units, and rows of weights."""
        columns, inputs = len(self.fitted), FIRST_GLANCE + self.glances
        return [(self.glances, columns), (UNIT_COUNT, inputs), (UNIT_COUNT + 1, columns)]

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return sum(rows * columns for rows, columns in self.shapes)

    def parts(self, numbers: np.ndarray) -> list[np.ndarray]:
        """The weights of each glance, the numbers of each unit, the rows of weights."""
        ends = np.cumsum([rows * columns for rows, columns in self.shapes])
        split = np.split(numbers, ends[:-1])
        return [part.reshape(shape) for part, shape in zip(split, self.shapes, strict=True)]

    def as_data(self) -> dict[str, Any]:
        """As JSON types."""
        return asdict(self)

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Form:
        """Raises KeyError, TypeError or ValueError for what is no form."""
        shift, too_fine, glances = (int(data[name]) for name in ("shift", "too_fine", "glances"))
        known = 0 <= shift <= MOST_FINE and 0 <= too_fine <= MOST_FINE
        if not known or not 0 <= glances <= MOST_GLANCES:
            raise ValueError("these are no numbers of a network")
        fitted = tuple(str(name) for name in data["fitted"])
        return Form(stage_map_from(data["phase"]), fitted, shift, too_fine, glances)


def assigned(base: Evaluator, form: Form, numbers: np.ndarray) -> Assigned:
    """The evaluator with these numbers of 16 bits. Raises ValueError where they do not fit it."""
    fields, masks = number_fields(base), np.array(form.phase.masks, np.uint64).view(np.int64)
    if numbers.shape != (form.size,) or not {*form.fitted} <= {*fields}:
        raise ValueError("the network does not fit the evaluator")
    columns = [fields.index(name) for name in form.fitted]
    glances, units, rows = form.parts(numbers.astype(np.int64))
    usual = np.array([int(getattr(base, name)) for name in fields], np.int64)
    if abs(np.delete(usual, columns)).max(initial=0) >= 1 << 15:
        raise ValueError("a field that no weight is assigned to is too large")
    # What is not assigned is in each glance, and in the row that always counts.
    looks = np.tile(usual, (form.glances, 1))
    looks[:, columns] = glances
    inputs = np.zeros((UNIT_COUNT, INPUTS), np.int64)
    inputs[:, : units.shape[1]] = units
    width = -(-len(fields) // MIXED) * MIXED
    weights = np.zeros((UNIT_COUNT + 1, width), np.int64)
    weights[-1, : len(fields)] = usual
    weights[:, columns] = rows
    shorts = weights.astype(np.int16).ravel().view(np.int64)
    lists = [masks, looks.ravel(), inputs.ravel(), shorts]
    starts = HEADER + np.cumsum([0, *map(len, lists)])
    slab = Slab(int(starts[-1]))
    most = len(form.phase.stages) - 1
    header = {
        BY: form.phase.by,
        MOST: most,
        SHIFT: form.shift,
        MASKS: starts[0],
        STEP: step_of(form.phase),
        GLANCES: starts[1],
        UNITS: starts[2],
        ROWS: 4 * starts[3],
        LENGTH: len(fields),
        TOO_FINE: form.too_fine,
        COUNT: form.glances,
    }
    slab.array[[*header]] = [*header.values()]
    slab.array[HEADER:] = np.concatenate(lists)
    return Assigned(base, slab)


def step_of(phase: StageMap) -> int:
    """What one cell more is, as a share of the whole game."""
    return (1 << SHARE_BITS) // max(1, len(phase.stages) - 1)


# ------------------------------------------------------------------ factor by factor


def factors_of(base: Factors) -> Factors:
    """The parts of a value with the weights that are assigned in this position."""

    def factors(evaluator: Assigned, state: State) -> list[Factor]:
        finer = 1 << evaluator.table[SHIFT]
        own = weighed(evaluator.base, evaluator.table, state)
        return [replace(each, weight=each.weight / finer) for each in base(own, state)]

    return factors


def assigned_spec(
    base: EvaluatorSpec,
    name: str,
    form: Form,
    numbers: np.ndarray,
    scale: str,
    kept: Mapping[str, int] | None = None,
) -> EvaluatorSpec:
    """The description of an evaluator whose weights a network assigns, `kept` where it does not."""

    def build(own: Evaluator) -> Assigned:
        return assigned(own._replace(**(kept or {})), form, numbers)

    fit = base.fit
    return replace(
        base,
        name=name,
        summary=f"{base.name} with weights that a network assigns: {base.summary}",
        scale=scale,
        make=lambda: build(base.make()),
        fit=fit and (lambda made, game, start: build(fit(made.base, game, start))),
        factors=base.factors and factors_of(base.factors),
        is_default=False,
        is_choice=False,
    )
