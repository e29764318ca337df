"""The lab: experiments, runs begun as jobs, reports with their charts, and two runs compared.

A run that is begun here is what `plyground lab run` does. Answers are made in `lab_data.py`,
`lab_reports.py` and `lab_comparison.py`.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from pydantic import Field

from plyground.core.places import data_folder
from plyground.lab.parameters import options_for, read_parameters
from plyground.lab.rendering.html import page as html_page
from plyground.lab.rendering.words import command
from plyground.lab.runner import Plan, newest_of
from plyground.store.runs import Runs
from plyground.store.store import Store
from plyground.web import lab_comparison, lab_data, lab_reports
from plyground.web.answers import REFUSALS, Answer
from plyground.web.job_routes import JobInfo, job_as_data
from plyground.web.lab_comparison import ComparisonInfo
from plyground.web.lab_data import ExperimentInfo, ExperimentPage, RunRow
from plyground.web.lab_reports import ReportInfo
from plyground.web.parts import TheJobs, TheStore
from plyground.web.wire import Name, Wire

router = APIRouter(prefix="/api/lab", tags=["lab"], responses=REFUSALS)
Experiment = Annotated[str, Path(min_length=1, max_length=100, description="Its name.")]
Number = Annotated[int, Path(ge=1, le=2**53, description="The number of a run.")]
RunQuery = Annotated[int, Query(ge=1, le=2**53, description="The number of a run.")]
PICTURE: dict[str, Any] = {
    "description": "A picture.",
    "content": {"image/svg+xml": {"schema": {"type": "string"}}},
}
PAGE: dict[str, Any] = {
    "description": "A page that needs nothing beside it.",
    "content": {"text/html": {"schema": {"type": "string"}}},
}


class PlanIn(Wire):
    """The parameters of a run, as one would type them."""

    quick: bool = False
    values: Annotated[
        dict[Name, Annotated[str, Field(max_length=2000)]],
        Field(max_length=60, default_factory=dict),
    ]


class RunIn(PlanIn):
    """A run to begin."""

    workers: Annotated[int, Field(ge=1, le=256)] = 1
    again: bool = False
    """Whether to measure anew what is measured."""


class PlanInfo(Answer):
    cells: int
    run: int | None
    """The run to resume, or the finished one."""
    measured: int
    is_finished: bool
    seconds: float | None
    """What the rest may take on one worker, judged by the newest run of the same size."""


@router.get("/experiments", summary="All experiments", response_model=list[ExperimentInfo])
def list_experiments(store: TheStore) -> list[dict[str, Any]]:
    """The experiments of published studies, and those of one's own that were run; the last runs."""
    return lab_data.catalogue(store)


@router.get("/experiments/{name}", summary="One experiment", response_model=ExperimentPage)
def one_experiment(name: Experiment, store: TheStore) -> dict[str, Any]:
    """Its question, what can be set, and what its study printed."""
    return lab_data.details(name, store)


@router.post("/experiments/{name}/plan", summary="Plan a run", response_model=PlanInfo)
def plan_run(name: Experiment, wanted: PlanIn, store: TheStore) -> dict[str, Any]:
    """How much there would be to measure, and whether a run has measured it already."""
    plan = _plan(name, wanted)
    known = newest_of(plan, store)
    missing = len(plan.by_key) - (known.measured if known else 0)
    return {
        "cells": len(plan.by_key),
        "run": known.number if known else None,
        "measured": known.measured if known else 0,
        "is_finished": bool(known and known.is_finished),
        "seconds": _estimate(plan, missing, store),
    }


def _plan(name: str, wanted: PlanIn) -> Plan[Any]:
    experiment = lab_data.known_experiment(name)
    plan = Plan(experiment, read_parameters(experiment, wanted.quick, wanted.values), wanted.quick)
    plan.check()
    return plan


def _estimate(plan: Plan[Any], missing: int, store: Store) -> float | None:
    """What the missing cells may take, judged by the newest run of the same size."""
    runs = Runs(store).runs(plan.experiment.name)
    like = (run for run in runs if run.is_quick == plan.is_quick and run.measured)
    newest = next(like, None)
    return missing * newest.seconds / newest.measured if newest else None


@router.post("/experiments/{name}/runs", summary="Begin a run", response_model=JobInfo)
def begin_run(name: Experiment, wanted: RunIn, store: TheStore, room: TheJobs) -> dict[str, Any]:
    """Measure an experiment as a job, or go on with it."""
    room.demand_processors(wanted.workers, "workers")
    plan = _plan(name, wanted)
    words = ["lab", "run", name, *options_for(plan.experiment, plan.parameters, plan.is_quick)]
    words += ["--jobs", str(wanted.workers), "--no-report", *room.store_words]
    words += ["--again"] if wanted.again else []
    about = {"experiment": name, "store": store.address, "quick": plan.is_quick}
    title, total = plan.experiment.title, len(plan.by_key)
    return job_as_data(room.start("lab", title, words, about, data_folder(), total, "cells"))


@router.get("/experiments/{name}/runs", summary="Its runs", response_model=list[RunRow])
def list_runs(name: Experiment, store: TheStore) -> list[dict[str, Any]]:
    """The runs of an experiment, the newest first, with the jobs that measure them."""
    return lab_data.run_rows(name, store)


@router.get("/runs/{number}/report", summary="A report", response_model=ReportInfo)
def one_report(number: Number, store: TheStore) -> dict[str, Any]:
    """The report of a run, ready to be drawn; of one that is not finished, what was measured."""
    return lab_reports.report_data(number, store)


@router.get(
    "/runs/{number}/page",
    summary="A report as a file",
    response_class=Response,
    responses={200: PAGE},
)
def one_page(number: Number, store: TheStore) -> Response:
    """The report of a finished run as one page, with its pictures and numbers inside."""
    info, report, sections = lab_reports.placed_report(number, store)
    experiment = lab_data.known_experiment(info.experiment)
    charts = lab_reports.charts_of(sections)
    pictures = {name: lab_reports.chart_picture(number, name, store) for name in charts}
    repeat = command(experiment, info, experiment.name)
    text = html_page(experiment, report, sections, pictures, info, repeat)
    name = f'attachment; filename="{experiment.name}-{number}.html"'
    return Response(text, media_type="text/html", headers={"content-disposition": name})


@router.get(
    "/runs/{number}/charts/{chart}",
    summary="A chart of a report",
    response_class=Response,
    responses={200: PICTURE},
)
def one_chart(
    number: Number,
    chart: Annotated[str, Path(pattern="^[a-z0-9-]{1,80}$", description="Its name.")],
    store: TheStore,
) -> Response:
    """A chart as SVG."""
    return _picture(lab_reports.chart_picture(number, chart, store).svg)


@router.get("/compare", summary="Compare two runs", response_model=ComparisonInfo)
def compare_runs(one: RunQuery, other: RunQuery, store: TheStore) -> dict[str, Any]:
    """Whether two runs of an experiment have the same answers, and which was faster."""
    return lab_comparison.comparison(one, other, store)


@router.get(
    "/compare/charts/{place}",
    summary="Two runs in one chart",
    response_class=Response,
    responses={200: PICTURE},
)
def one_curve(
    place: Annotated[int, Path(ge=0, le=100, description="Which chart.")],
    one: RunQuery,
    other: RunQuery,
    store: TheStore,
) -> Response:
    """What both measured, cell by cell, as SVG."""
    return _picture(lab_comparison.curve_picture(one, other, place, store).svg)


def _picture(svg: str) -> Response:
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": "no-store"})
