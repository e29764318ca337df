"""Reports of runs: the page that others embed or save, and its tables, charts and measurements.

A report is made of all cells; of some it might say what the rest contradicts, so an unfinished run
has tables and no conclusions. Finished runs do not change, so what was made of them is remembered.
"""

from __future__ import annotations

import threading
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response

from plyground.core.errors import unknown
from plyground.lab.as_data import report_as_data, run_as_data
from plyground.lab.rendering.names import MEASUREMENTS
from plyground.lab.rendering.writing import Rendered, render
from plyground.lab.report import Report
from plyground.lab.run_results import RunResults, find_results
from plyground.lab.run_tables import maker_of
from plyground.store.store import Store
from plyground.web.answers import REFUSALS
from plyground.web.lab_runs import experiment_of, known_experiment
from plyground.web.parts import TheStore
from plyground.web.recent import Recent

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; "
    "base-uri 'none'; form-action 'none'"
)
KINDS = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".jsonl.gz": "application/gzip",
    ".md": "text/markdown",
    ".parquet": "application/vnd.apache.parquet",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}

router = APIRouter(prefix="/api/lab/runs/{run}", tags=["lab"], responses=REFUSALS)
RunText = Annotated[
    str,
    Path(
        pattern="^([0-9]{1,16}|[a-z0-9-]{1,80}@shipped)$",
        description="The number of a run, or NAME@shipped for the one that comes with Plyground.",
    ),
]
_drawing = threading.Lock()  # the renderer takes all there is
_reports = Recent[Report](64)
_rendered = Recent[Rendered](16)


def file_answer(kind: str, description: str) -> dict[str, Any]:
    """How a route is declared that answers with a file."""
    content = {kind: {"schema": {"type": "string"}}}
    answer = {"description": description, "content": content}
    return {"response_class": Response, "responses": {200: answer}}


def report_of(results: RunResults, store: Store) -> Report:
    """The report of a finished run. Raises Unsupported if it has none."""
    experiment = known_experiment(results.info.experiment)
    return _reports.find_or_make(_key(results, store), lambda: results.report(experiment))


def rendered(results: RunResults, store: Store) -> Rendered:
    """A run as pages show it: its report, or what is measured so far."""
    experiment = experiment_of(results.info.experiment)

    def draw(report: Report) -> Rendered:
        return render(experiment, report, results.info, measured=results.measurements)

    if not results.info.is_finished:
        return draw(results.report_so_far())
    key = _key(results, store)
    if found := _rendered.find(key):
        return found
    with _drawing:  # a page asks for many charts at once: the first draws them all
        return _rendered.find_or_make(key, lambda: draw(report_of(results, store)))


def _key(results: RunResults, store: Store) -> tuple[object, ...]:
    info = results.info
    return store.address, info.name, info.digest, info.started


@router.get("/report", summary="A report as data")
def one_report(run: RunText, store: TheStore) -> dict[str, Any]:
    """The report of a finished run: texts, tables, charts and claims in the order of reading."""
    results = find_results(run, store)
    return {"run": run_as_data(results.info), **report_as_data(report_of(results, store))}


@router.get("/page", summary="A report as a page", **file_answer("text/html", "A page."))
def one_page(
    run: RunText,
    store: TheStore,
    save: Annotated[bool, Query(description="Whether it is to be saved, not shown.")] = False,
) -> Response:
    """The report as one page that needs nothing beside it; of an unfinished run, what there is."""
    results = find_results(run, store)
    text = rendered(results, store).html
    answer = _answer(text, "text/html", f"{_file_name(results)}.html" if save else None)
    answer.headers["content-security-policy"] = POLICY
    return answer


@router.get("/files/{file}", summary="A file of a report", **file_answer("text/csv", "A file."))
def one_file(
    run: RunText,
    file: Annotated[
        str, Path(pattern="^[a-z0-9-]{1,90}(\\.[a-z0-9]{1,8}){1,2}$", description="Its name.")
    ],
    store: TheStore,
) -> Response:
    """A table (CSV, Parquet), a chart (SVG, PNG), the report in Markdown, or `measurements`.

    The measurements are all that the run measured, as CSV, JSON, Parquet, or JSONL.GZ for stores.
    """
    results = find_results(run, store)
    name, dot, ending = file.partition(".")
    if name == MEASUREMENTS:
        content = maker_of(file)(results)
    else:
        found = rendered(results, store)
        files = {**found.files, "report.md": found.markdown.encode()}
        if file not in files:
            raise unknown("file", file, [*files, f"{MEASUREMENTS}.csv", f"{MEASUREMENTS}.parquet"])
        content = files[file]
    saved_as = f"{_file_name(results)}-{file}" if ending != "svg" else None
    return _answer(content, KINDS[dot + ending], saved_as)


def _file_name(results: RunResults) -> str:
    return results.info.name.replace("@", "-")


def _answer(content: bytes | str, kind: str, saved_as: str | None) -> Response:
    headers = {"cache-control": "no-store"}
    if saved_as:
        headers["content-disposition"] = f'attachment; filename="{saved_as}"'
    return Response(content, media_type=kind, headers=headers)
