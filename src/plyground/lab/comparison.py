"""Two runs of one experiment side by side: whether answers are the same, and which was faster.

Cells that both have measured are compared: answers must be equal, whatever the machine; times are
compared cell by cell, as ratios. Knows no experiment and no face.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from plyground.lab.run_info import RunInfo
from plyground.lab.spec import Cell
from plyground.lab.statistics import Estimate, ratio
from plyground.store.runs import StoredCell

MISSING = "nothing"
Change = tuple[Any, Any]
Cells = Mapping[str, StoredCell]
"""What was measured, by the keys of the cells."""


@dataclass(frozen=True)
class Difference:
    """A cell whose answers are not the same, and the first place where they differ."""

    cell: Cell
    place: str
    """As in `searches[3].nodes`."""
    values: Change


@dataclass(frozen=True)
class TimeRatio:
    """How many times longer the first run took for the cells of a task."""

    task: str
    timed: str
    cells: int
    ratio: Estimate


@dataclass(frozen=True)
class Comparison:
    """Two runs, the first over the second."""

    common: int
    """Cells that both have measured."""
    alone: tuple[int, int]
    """Cells that only one has."""
    different: Sequence[Difference]
    time_ratio: Estimate | None
    """Over all that was timed; None if nothing was."""
    times: Sequence[TimeRatio]
    parameters: Mapping[str, Change]
    """Those that differ."""
    versions: Mapping[str, Change]
    machine: Mapping[str, Change]


def compare(one: RunInfo, other: RunInfo, of_one: Cells, of_other: Cells) -> Comparison:
    """Both runs, cell by cell."""
    common = [key for key in of_one if key in of_other]
    pairs: dict[tuple[str, str], list[tuple[float, float]]] = {}
    different = []
    for key in common:
        first, second = of_one[key], of_other[key]
        if found := next(_differences(first.answer, second.answer, ""), None):
            different.append(Difference(Cell(first.task, first.arguments), *found))
        for name in first.times_s:
            times = _typical(first.times_s[name]), _typical(second.times_s.get(name, ()))
            if all(times):
                pairs.setdefault((first.task, name), []).append(times)
    together = [pair for group in pairs.values() for pair in group]
    return Comparison(
        common=len(common),
        alone=(len(of_one) - len(common), len(of_other) - len(common)),
        different=different,
        time_ratio=ratio(together) if together else None,
        times=[TimeRatio(*names, len(group), ratio(group)) for names, group in pairs.items()],
        parameters=_changes(one.parameters, other.parameters),
        versions=_changes(one.versions, other.versions),
        machine=_changes(one.machine, other.machine),
    )


def _typical(times_s: Sequence[float]) -> float:
    """The middle one; what took no time at all was not measured."""
    positive = [each for each in times_s if each > 0]
    return median(positive) if positive else 0.0


def _changes(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Change]:
    return {
        name: (one.get(name, MISSING), other.get(name, MISSING))
        for name in {**one, **other}
        if one.get(name, MISSING) != other.get(name, MISSING)
    }


def _differences(one: Any, other: Any, place: str) -> Iterator[tuple[str, Change]]:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for name, values in _changes(one, other).items():
            yield from _differences(*values, f"{place}.{name}" if place else name)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, values in enumerate(zip(one, other, strict=True)):
            yield from _differences(*values, f"{place}[{number}]")
    elif one != other:
        yield place, (one, other)
