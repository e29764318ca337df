"""Reports of runs as pages show them: of a finished run all of it, of others what was measured.

A report is made of all cells; of some it might say what the rest contradicts, so an unfinished run
has tables and no conclusions. Finished runs do not change, so what was made of them is remembered.
"""

from __future__ import annotations

import functools
import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import Response

from plyground.core.errors import InputError, shorten, unknown
from plyground.lab.catalogue import experiment_names, find_experiment
from plyground.lab.rendering.charts import Picture, data_inside, draw
from plyground.lab.rendering.html import page as html_page
from plyground.lab.rendering.markup import from_markdown
from plyground.lab.rendering.names import PlacedSection, place
from plyground.lab.rendering.numbers import numeric_columns, shown, without_clocks
from plyground.lab.rendering.words import MARKS, command, facts, notices
from plyground.lab.report import Beside, Chart, Claim, Column, Part, Report, Table, Text, Value
from plyground.lab.run_info import RunInfo
from plyground.lab.runner import info_of, plan_of, report_of
from plyground.store.runs import Runs, StoredCell
from plyground.store.store import Store
from plyground.web.answers import REFUSALS, Answer
from plyground.web.lab_runs import RunNumber, known_experiment
from plyground.web.parts import TheStore
from plyground.web.recent import Recent

MOST_ROWS = 100  # of cells that were measured
LONGEST = 40  # letters of a value

router = APIRouter(prefix="/api/lab", tags=["lab"], responses=REFUSALS)
_drawing = threading.Lock()  # the renderer takes all there is
_reports = Recent[tuple[Report, list[PlacedSection]]](64)
_pictures = Recent[Picture](64)


def _file(kind: str, description: str) -> dict[str, Any]:
    """How a route is declared that answers with a file."""
    content = {kind: {"schema": {"type": "string"}}}
    answer = {"description": description, "content": content}
    return {"response_class": Response, "responses": {200: answer}}


PICTURE = _file("image/svg+xml", "A picture.")
PAGE = _file("text/html", "A page that needs nothing beside it.")


class TableInfo(Answer):
    title: str
    note: str
    columns: list[dict[str, Any]]
    numeric: list[bool]
    rows: list[list[str]]


class SectionInfo(Answer):
    title: str
    parts: list[dict[str, Any]]


class ReportInfo(Answer):
    run: str
    number: int
    is_partial: bool
    """Whether the run is not finished: then there are numbers, and no conclusions."""
    notices: list[str]
    summary: str
    facts: list[tuple[str, str]]
    sections: list[SectionInfo]


def placed_report(number: int, store: Store) -> tuple[RunInfo, Report, list[PlacedSection]]:
    """A finished run with its report. Raises Unsupported if it has none."""
    stored = Runs(store).run(number)
    info = info_of(stored)
    experiment = known_experiment(info.experiment)

    def make() -> tuple[Report, list[PlacedSection]]:
        report = report_of(experiment, info, store)
        return report, place(report)

    return info, *_reports.find_or_make(stored.uid, make)


@router.get("/runs/{number}/report", summary="A report", response_model=ReportInfo)
def one_report(number: RunNumber, store: TheStore) -> dict[str, Any]:
    """The report of a run, ready to be drawn; of one that is not finished, what was measured."""
    runs = Runs(store)
    info = info_of(runs.run(number))
    about = {
        "run": info.name,
        "number": number,
        "is_partial": not info.is_finished,
        "notices": list(notices(info)),
        "facts": facts(info),
    }
    if not info.is_finished:
        parts = [_part(table, (), number) for table in measured_tables(info, runs)]
        return {**about, "summary": "", "sections": [{"title": "Measured so far", "parts": parts}]}
    _, report, sections = placed_report(number, store)
    return {
        **about,
        "summary": from_markdown(report.summary),
        "sections": [
            {
                "title": section.title,
                "parts": [_part(part, names, number) for part, names in section.parts],
            }
            for section in sections
        ],
    }


def _part(part: Part, names: Sequence[str], number: int) -> dict[str, Any]:
    match part:
        case Text():
            return {"kind": "text", "html": from_markdown(part.markdown)}
        case Table():
            return {"kind": "table", **table_as_data(part, part)}
        case Beside():
            both = part.published, part.ours
            published = table_as_data(without_clocks(part.published), *both)
            return {
                "kind": "beside",
                "published": published,
                "ours": table_as_data(part.ours, *both),
            }
        case Chart():
            return {
                "kind": "chart",
                "name": names[0],
                "address": f"/api/lab/runs/{number}/charts/{names[0]}",
                "title": part.title,
                "note": part.note,
                "is_timed": part.is_timed,
                **numbers_of(part.title, data_inside(part.spec)),
            }
        case Claim():
            return {"kind": "claim", **asdict(part), "mark": MARKS[part.verdict]}


def numbers_of(title: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What a chart is drawn from, to be read."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = Table(title, [Column(each) for each in names], [[*map(row.get, names)] for row in rows])
    return {"numbers": table_as_data(table, table) if rows else None}


def table_as_data(table: Table, *like: Table) -> dict[str, Any]:
    return {
        "title": table.title,
        "note": table.note,
        "columns": [{"name": each.name, "is_timed": each.is_timed} for each in table.columns],
        "numeric": numeric_columns(*like),
        "rows": [
            [shown(value, column) for value, column in zip(row, table.columns, strict=True)]
            for row in table.rows
        ],
    }


def chart_picture(number: int, name: str, store: Store) -> Picture:
    """A chart of a report. Raises Unsupported."""
    info, _, sections = placed_report(number, store)
    charts = charts_of(sections)
    if name not in charts:
        raise unknown("chart", name, charts)
    key = info.digest, info.started, number, name
    return _pictures.find_or_make(key, functools.partial(drawn, charts[name], name))


def charts_of(sections: Sequence[PlacedSection]) -> dict[str, Chart]:
    """The charts of a report by their names."""
    return {
        names[0]: part
        for section in sections
        for part, names in section.parts
        if isinstance(part, Chart)
    }


def drawn(chart: Chart, name: str) -> Picture:
    with _drawing:
        return draw(chart, name)


@router.get("/runs/{number}/page", summary="A report as a file", **PAGE)
def one_page(number: RunNumber, store: TheStore) -> Response:
    """The report of a finished run as one page, with its pictures and numbers inside."""
    info, report, sections = placed_report(number, store)
    experiment = known_experiment(info.experiment)
    charts = charts_of(sections)
    pictures = {name: chart_picture(number, name, store) for name in charts}
    repeat = command(experiment, info, experiment.name)
    text = html_page(experiment, report, sections, pictures, info, repeat)
    name = f'attachment; filename="{experiment.name}-{number}.html"'
    return Response(text, media_type="text/html", headers={"content-disposition": name})


@router.get("/runs/{number}/charts/{chart}", summary="A chart of a report", **PICTURE)
def one_chart(
    number: RunNumber,
    chart: Annotated[str, Path(pattern="^[a-z0-9-]{1,80}$", description="Its name.")],
    store: TheStore,
) -> Response:
    """A chart as SVG."""
    return picture_response(chart_picture(number, chart, store))


def picture_response(picture: Picture) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(picture.svg, media_type="image/svg+xml", headers=headers)


# ---------------------------------------------------------------------- unfinished runs


def measured_tables(info: RunInfo, runs: Runs) -> list[Table]:
    """A table for each kind of cell, in the order in which the experiment has them."""
    groups: dict[str, list[StoredCell]] = {}
    for cell in _in_order(info, runs):
        groups.setdefault(cell.task, []).append(cell)
    return [_measured(task, cells) for task, cells in groups.items()]


def _in_order(info: RunInfo, runs: Runs) -> list[StoredCell]:
    cells = runs.cells(info.number)
    if info.experiment not in experiment_names():
        return list(cells.values())
    try:
        plan = plan_of(find_experiment(info.experiment), info)
    except InputError:  # of an older version: in any order
        return list(cells.values())
    return [cells[key] for key in plan.by_key if key in cells]


def _measured(task: str, cells: Sequence[StoredCell]) -> Table:
    given = list(dict.fromkeys(name for cell in cells for name in cell.arguments))
    found = list(dict.fromkeys(name for cell in cells for name in _found(cell)))
    columns = [*map(Column, given), *map(Column, found), Column("seconds", is_timed=True)]
    rows = [
        [
            *(_value(cell.arguments.get(name)) for name in given),
            *(_value(cell.answer.get(name)) for name in found),
            cell.seconds,
        ]
        for cell in cells[:MOST_ROWS]
    ]
    note = f"The first {MOST_ROWS} of {len(cells):,}." if len(cells) > MOST_ROWS else ""
    return Table(task.partition(":")[2].replace("_", " "), columns, rows, note)


def _found(cell: StoredCell) -> list[str]:
    """What an answer holds beside the arguments."""
    given = cell.arguments
    return [
        name for name, value in cell.answer.items() if name not in given or given[name] != value
    ]


def _value(value: Any) -> Value:
    if value is None or isinstance(value, int | float):
        return value
    return shorten(value if isinstance(value, str) else json.dumps(value), LONGEST)
