"""Two runs of an experiment side by side, as a page shows them: answers, curves, what differs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response

from plyground.core.errors import InputError, Unsupported, unknown
from plyground.lab.as_data import cell_text, comparison_as_data
from plyground.lab.charts import lines
from plyground.lab.comparison import compare
from plyground.lab.report import Chart
from plyground.lab.run_info import RunInfo
from plyground.lab.runner import info_of, measured_in
from plyground.store.runs import Runs, StoredCell
from plyground.store.store import Store
from plyground.web.answers import REFUSALS, Answer
from plyground.web.lab_reports import (
    PICTURE,
    charts_of,
    drawn,
    numbers_of,
    picture_response,
    placed_report,
)
from plyground.web.parts import TheStore

MOST_CHARTS = 8
MOST_DIFFERENT = 100  # answers that differ
router = APIRouter(prefix="/api/lab", tags=["lab"], responses=REFUSALS)
RunQuery = Annotated[int, Query(ge=1, le=2**53, description="The number of a run.")]
COUNTS = ("leaves", "nodes")  # what is drawn of answers, if they have it


class ComparisonInfo(Answer):
    runs: list[dict[str, Any]]
    common: int
    alone: tuple[int, int]
    differing: int
    different: list[dict[str, Any]]
    """The first hundred."""
    time_ratio: dict[str, float | None] | None
    times: list[dict[str, Any]]
    parameters: dict[str, list[str]]
    versions: dict[str, list[str]]
    machine: dict[str, list[str]]
    charts: list[dict[str, Any]]
    reports: list[dict[str, Any]]


def two_runs(one: int, other: int, store: Store) -> tuple[RunInfo, RunInfo]:
    """Both, of one experiment. Raises Unsupported."""
    runs = Runs(store)
    first, second = info_of(runs.run(one)), info_of(runs.run(other))
    if first.experiment != second.experiment:
        differ = f"{first.name} and {second.name} are runs of different experiments"
        raise Unsupported(f"{differ}; two of one can be compared").at("other")
    return first, second


@router.get("/compare", summary="Compare two runs", response_model=ComparisonInfo)
def compare_runs(one: RunQuery, other: RunQuery, store: TheStore) -> dict[str, Any]:
    """Whether two runs of an experiment have the same answers, and which was faster."""
    first, second = two_runs(one, other, store)
    runs = Runs(store)
    found = compare(first, second, measured_in(runs, first), measured_in(runs, second))
    data = comparison_as_data(first, second, found)
    data["different"] = [
        {
            "cell": cell_text(each.cell),
            "place": each.place,
            "values": [_short(value) for value in each.values],
        }
        for each in found.different[:MOST_DIFFERENT]
    ]
    for group in ("parameters", "versions", "machine"):
        data[group] = {name: [_short(v) for v in values] for name, values in data[group].items()}
    data["differing"] = len(found.different)
    query = f"one={one}&other={other}"
    data["charts"] = [
        {
            "title": title,
            "address": f"/api/lab/compare/charts/{place}?{query}",
            **numbers_of(title, rows),
        }
        for place, (title, rows) in enumerate(_curves(one, other, store))
    ]
    data["reports"] = _both_charts(first, second, store)
    return data


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 200 else text[:197] + "..."


def _both_charts(first: RunInfo, second: RunInfo, store: Store) -> list[dict[str, Any]]:
    """The charts that the reports of both have."""
    try:
        reports = [placed_report(each.number, store)[2] for each in (first, second)]
    except InputError:  # one is not finished, or of an older version
        return []
    named = [charts_of(sections) for sections in reports]
    return [
        {
            "title": part.title,
            "addresses": [f"/api/lab/runs/{each.number}/charts/{name}" for each in (first, second)],
        }
        for name, part in named[0].items()
        if name in named[1]
    ]


def _curves(one: int, other: int, store: Store) -> list[tuple[str, list[dict[str, Any]]]]:
    """What both runs have measured, cell by cell, in the order of the first's values."""
    runs = Runs(store)
    cells = runs.cells(one), runs.cells(other)
    common = [key for key in cells[0] if key in cells[1]]
    tasks = list(dict.fromkeys(cells[0][key].task for key in common))
    found = []
    for task in tasks:
        keys = [key for key in common if cells[0][key].task == task]
        for what in ("seconds", *COUNTS):
            values = [[_value(each[key], what) for key in keys] for each in cells]
            if len(keys) < 2 or any(value is None for group in values for value in group):
                continue
            order = sorted(range(len(keys)), key=lambda at: (values[0][at], keys[at]))
            rows = [
                {"cell": place + 1, what: values[side][at], "run": f"run {number}"}
                for side, number in enumerate((one, other))
                for place, at in enumerate(order)
            ]
            found.append((f"{task.partition(':')[2]}: {what}", rows))
            if what != "seconds":
                break
    return found[:MOST_CHARTS]


def _value(cell: StoredCell, what: str) -> float | None:
    value = cell.seconds if what == "seconds" else cell.answer.get(what)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


@router.get("/compare/charts/{place}", summary="Two runs in one chart", **PICTURE)
def one_curve(
    place: Annotated[int, Path(ge=0, le=100, description="Which chart.")],
    one: RunQuery,
    other: RunQuery,
    store: TheStore,
) -> Response:
    """What both measured, cell by cell, as SVG."""
    two_runs(one, other, store)
    curves = _curves(one, other, store)
    if place >= len(curves):
        raise unknown("chart", str(place), [str(at) for at in range(len(curves))])
    title, rows = curves[place]
    what = title.rpartition(" ")[2]
    ends = _positive(rows, what)
    spec = lines(rows, "cell", what, "run", log=ends, x_title="cells, by the first run")
    return picture_response(drawn(Chart("curve", title, spec), f"curve-{place}"))


def _positive(rows: Sequence[Mapping[str, Any]], what: str) -> bool:
    """Whether a logarithmic axis shows all, and more."""
    values = [row[what] for row in rows]
    return min(values) > 0 and max(values) > 20 * min(values)
