"""Two runs of an experiment side by side, as a page shows them: answers, curves, what differs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response

from plyground.core.errors import InputError, Unsupported, unknown
from plyground.lab.as_data import cell_text, comparison_as_data
from plyground.lab.comparison import compare
from plyground.lab.rendering.charts import draw
from plyground.lab.rendering.names import named_charts, place
from plyground.lab.report import Chart
from plyground.lab.run_info import SHIPPED
from plyground.lab.run_results import RunResults, find_results
from plyground.store.store import Store
from plyground.web.answers import REFUSALS, Answer
from plyground.web.lab_reports import file_answer, report_of
from plyground.web.parts import TheStore

if TYPE_CHECKING:
    import polars

MOST_CHARTS = 8
MOST_DIFFERENT = 100  # answers that differ
router = APIRouter(prefix="/api/lab", tags=["lab"], responses=REFUSALS)
RunQuery = Annotated[
    str, Query(max_length=100, description="The number of a run, or NAME@shipped.")
]
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


def two_runs(one: str, other: str, store: Store) -> tuple[RunResults, RunResults]:
    """Both, of one experiment. Raises InputError."""
    first, second = find_results(one, store), find_results(other, store)
    if first.info.experiment != second.info.experiment:
        differ = f"{first.info.name} and {second.info.name} are runs of different experiments"
        raise Unsupported(f"{differ}; two of one can be compared").at("other")
    return first, second


@router.get("/compare", summary="Compare two runs", response_model=ComparisonInfo)
def compare_runs(one: RunQuery, other: RunQuery, store: TheStore) -> dict[str, Any]:
    """Whether two runs of an experiment have the same answers, and which was faster."""
    first, second = two_runs(one, other, store)
    found = compare(first.info, second.info, first.cells, second.cells)
    data = comparison_as_data(first.info, second.info, found)
    data["different"] = [
        {"cell": cell_text(each.cell), "place": each.place, "values": [*map(_short, each.values)]}
        for each in found.different[:MOST_DIFFERENT]
    ]
    for group in ("parameters", "versions", "machine"):
        data[group] = {name: [*map(_short, values)] for name, values in data[group].items()}
    data["differing"] = len(found.different)
    query = urlencode({"one": one, "other": other}, safe="@")
    data["charts"] = [
        {
            "title": title,
            "address": f"/api/lab/compare/charts/{place}?{query}",
            "columns": rows.columns,
            "rows": rows.rows(),
        }
        for place, (title, rows) in enumerate(_curves(first, second))
    ]
    data["reports"] = _both_charts(first, second, store)
    return data


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 200 else text[:197] + "..."


def _both_charts(first: RunResults, second: RunResults, store: Store) -> list[dict[str, Any]]:
    """The charts that the reports of both have."""
    try:
        reports = [report_of(each, store) for each in (first, second)]
    except InputError:  # one is not finished, or of an older version
        return []
    first_charts, other_charts = (dict(named_charts(place(each))) for each in reports)
    runs = [each.info.number or each.info.name for each in (first, second)]
    return [
        {
            "title": chart.title,
            "addresses": [f"/api/lab/runs/{run}/files/{name}.svg" for run in runs],
        }
        for name, chart in first_charts.items()
        if name in other_charts
    ]


def _curves(first: RunResults, second: RunResults) -> list[tuple[str, polars.DataFrame]]:
    """What both runs have measured, cell by cell, in the order of the first's values."""
    import polars

    names = [f"run {run.info.number or SHIPPED}" for run in (first, second)]
    both = _numbers(first).join(_numbers(second), ["task", "key"], maintain_order="left")
    found = []
    for (task,), cells in both.group_by("task", maintain_order=True):
        for what in ("seconds", *COUNTS):
            sides = {what: names[0], f"{what}_right": names[1]}
            if len(cells) < 2 or any(cells[side].has_nulls() for side in sides):
                continue
            ordered = cells.sort(what, "key").with_row_index("cell", 1)
            rows = ordered.unpivot(list(sides), index="cell", variable_name="run")
            name = polars.col("run").replace_strict(sides)
            rows = rows.select("cell", polars.col("value").alias(what), name)
            found.append((f"{str(task).partition(':')[2]}: {what}", rows))
            if what != "seconds":
                break
    return found[:MOST_CHARTS]


def _numbers(run: RunResults) -> polars.DataFrame:
    """A row for each cell that was measured; what is no number is empty."""
    import polars

    cells = run.cells.values()
    columns: dict[str, list[Any]] = {
        "task": [cell.task for cell in cells],
        "key": [cell.key for cell in cells],
        "seconds": [cell.seconds for cell in cells],
        **{what: [_number(cell.answer.get(what)) for cell in cells] for what in COUNTS},
    }
    texts = {"task": polars.String, "key": polars.String}
    return polars.DataFrame(columns, schema_overrides=texts, strict=False)


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


@router.get(
    "/compare/charts/{place}",
    summary="Two runs in one chart",
    **file_answer("image/svg+xml", "A picture."),
)
def one_curve(
    place: Annotated[int, Path(ge=0, le=100, description="Which chart.")],
    one: RunQuery,
    other: RunQuery,
    store: TheStore,
) -> Response:
    """What both measured, cell by cell, as SVG."""
    from plyground.lab.charts import lines  # Altair waits for the first chart

    curves = _curves(*two_runs(one, other, store))
    if place >= len(curves):
        raise unknown("chart", str(place), [str(at) for at in range(len(curves))])
    title, rows = curves[place]
    what = title.rpartition(" ")[2]
    least, most = min(rows[what]), max(rows[what])
    is_wide = 0 < 20 * least < most
    spec = lines(rows, "cell", what, "run", log=is_wide, x_title="cells, by the first run")
    picture = draw(Chart("curve", title, spec), f"curve-{place}")
    headers = {"cache-control": "no-store"}
    return Response(picture.svg, media_type="image/svg+xml", headers=headers)
