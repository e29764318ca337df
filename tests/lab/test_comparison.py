"""Two runs side by side: answers that differ are found, and times are compared cell by cell."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from plyground.lab.comparison import Cells, compare
from plyground.lab.run_info import RunInfo
from plyground.lab.spec import Cell
from plyground.store.runs import StoredCell

WHEN = datetime(2026, 1, 2, tzinfo=UTC)
RUN = RunInfo(3, "toy", "d", {"depth": 4, "seed": 1}, False, WHEN, WHEN, 2, 2, 1.0)


def measured(*answers: Any, times: tuple[float, ...] = (1.0,), task: str = "m:f") -> Cells:
    """A cell for each answer, timed in the same way."""
    cells = [Cell(task, {"number": number}) for number in range(len(answers))]
    return {
        cell.key: StoredCell(cell.key, task, cell.arguments, answer, {"search": times}, 1.0)
        for cell, answer in zip(cells, answers, strict=True)
    }


def test_equal_runs_differ_in_nothing() -> None:
    cells = measured({"nodes": 4}, {"nodes": 5})
    found = compare(RUN, RUN, cells, cells)
    assert (found.common, found.alone, found.different) == (2, (0, 0), [])
    assert (found.parameters, found.versions, found.machine) == ({}, {}, {})
    assert found.time_ratio and found.time_ratio.value == pytest.approx(1)


@pytest.mark.parametrize(
    "one, other, place, values",
    [
        ({"nodes": 4}, {"nodes": 5}, "nodes", (4, 5)),
        ({"a": {"b": [1, {"c": 2}]}}, {"a": {"b": [1, {"c": 3}]}}, "a.b[1].c", (2, 3)),
        ({"a": [1, 2]}, {"a": [1]}, "a", ([1, 2], [1])),
        ({"a": 1}, {"a": 1, "b": 2}, "b", ("nothing", 2)),
        ({"a": [1]}, {"a": {"b": 1}}, "a", ([1], {"b": 1})),
        ({"a": 1, "b": 1}, {"a": 2, "b": 2}, "a", (1, 2)),
    ],
    ids=str,
)
def test_the_first_place_where_answers_differ(
    one: Any, other: Any, place: str, values: Any
) -> None:
    found = compare(RUN, RUN, measured({"x": 0}, one), measured({"x": 0}, other))
    [difference] = found.different
    assert (difference.place, difference.values) == (place, values)
    assert difference.cell.arguments == {"number": 1}


def test_cells_that_only_one_has_are_counted() -> None:
    found = compare(RUN, RUN, measured({}, {}, {}), measured({}))
    assert (found.common, found.alone) == (1, (2, 0))
    assert compare(RUN, RUN, measured({}), {}).time_ratio is None


def test_times_are_compared_by_task_and_by_what_was_timed() -> None:
    one = measured({}, {}, times=(2.0, 2.0, 9.0)) | measured({}, times=(5.0,), task="m:g")
    other = measured({}, {}, times=(1.0,)) | measured({}, times=(5.0,), task="m:g")
    found = compare(RUN, RUN, one, other)
    by_task = {each.task: (each.cells, each.ratio.value) for each in found.times}
    assert by_task == {"m:f": (2, pytest.approx(2)), "m:g": (1, pytest.approx(1))}
    assert found.time_ratio
    assert found.time_ratio.value == pytest.approx(4 ** (1 / 3))
    assert found.time_ratio.low < found.time_ratio.value < found.time_ratio.high < math.inf


def test_what_took_no_time_is_not_compared() -> None:
    one, other = measured({}, times=(0.0, 4.0)), measured({}, times=(2.0, 0.0))
    found = compare(RUN, RUN, one, other)
    assert found.time_ratio and found.time_ratio.value == pytest.approx(2)
    assert compare(RUN, RUN, measured({}, times=(0.0,)), other).time_ratio is None
    assert compare(RUN, RUN, measured({}, times=()), other).times == []


def test_parameters_versions_and_machines_that_differ() -> None:
    other = replace(
        RUN, parameters={"depth": 5, "seed": 1}, versions={"numba": "1"}, machine={"cores": 2}
    )
    found = compare(replace(RUN, machine={"cores": 4}), other, {}, {})
    assert found.parameters == {"depth": (4, 5)}
    assert found.versions == {"numba": ("nothing", "1")}
    assert found.machine == {"cores": (4, 2)}
