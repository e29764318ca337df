"""Experiments: what each asks, what can be set, and how a run of it is begun.

A run that is begun here is what `plyground lab run` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from plyground.core.errors import unknown
from plyground.core.places import data_folder
from plyground.lab.catalogue import experiment_names
from plyground.lab.parameters import (
    Shape,
    options_for,
    parameters_as_data,
    read_parameters,
    shape,
)
from plyground.lab.run_results import ShippedCard, shipped_card
from plyground.lab.runner import Plan, newest_of
from plyground.store.runs import Runs, StoredRun
from plyground.store.store import Store
from plyground.web.answers import REFUSALS, Answer
from plyground.web.job_routes import JobInfo, job_as_data
from plyground.web.lab_runs import (
    ExperimentName,
    RunRow,
    experiment_of,
    jobs_of,
    known_experiment,
    run_row,
)
from plyground.web.parts import TheJobs, TheStore
from plyground.web.wire import Name, Wire
from plyground.work.jobs import Job
from plyground.work.jobs import jobs as all_jobs

router = APIRouter(prefix="/api/lab/experiments", tags=["lab"], responses=REFUSALS)


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


class ExperimentInfo(Answer):
    name: str
    title: str
    question: str
    source: str | None
    is_own: bool
    """Whether it is a file of one's own, run on the command line."""
    runs: int
    last_run: RunRow | None
    shipped: ShippedCard | None
    """The finished run that comes with the package."""
    job: JobInfo | None


@dataclass(frozen=True, kw_only=True)
class FieldInfo(Shape):
    """What can be set, and what a page must know to check it."""

    name: str
    description: str
    allowed: str
    default: str
    quick: str


class ExperimentPage(ExperimentInfo):
    fields: list[FieldInfo]


class PlanInfo(Answer):
    cells: int
    run: int | None
    """The run to resume, or the finished one."""
    measured: int
    is_finished: bool
    seconds: float | None
    """What the rest may take on one worker: as long as in the newest run of the same size."""


# ---------------------------------------------------------------------- what there is


@router.get("", summary="All experiments", response_model=list[ExperimentInfo])
def list_experiments(store: TheStore) -> list[dict[str, Any]]:
    """The experiments of published studies, and those of one's own that were run; the last runs."""
    stored = Runs(store).runs()
    names = experiment_names()
    damaged = {run.experiment for run in Runs(store).damaged()}
    others = sorted(({run.experiment for run in stored} | damaged) - {*names})
    jobs = all_jobs()
    return [_entry(name, stored, jobs, store) for name in (*names, *others)]


def _entry(
    name: str, stored: Sequence[StoredRun], known: Sequence[Job], store: Store
) -> dict[str, Any]:
    own = [run for run in stored if run.experiment == name]
    jobs = jobs_of(name, known, store)
    experiment, card = experiment_of(name), shipped_card(name)
    return {
        "name": name,
        "title": experiment.title,
        "question": experiment.question,
        "source": str(experiment.source) if experiment.source else None,
        "is_own": name not in experiment_names(),
        "shipped": asdict(card) if card else None,
        "runs": len(own),
        "last_run": run_row(own[0], jobs) if own else None,
        "job": next((job_as_data(job) for job in jobs if job.state == "running"), None),
    }


@router.get("/{name}", summary="One experiment", response_model=ExperimentPage)
def one_experiment(name: ExperimentName, store: TheStore) -> dict[str, Any]:
    """Its question and what can be set."""
    stored = Runs(store).runs(name)
    if name not in experiment_names() and not stored and not Runs(store).damaged(name):
        raise unknown("experiment", name, experiment_names())
    experiment = experiment_of(name)
    shapes = map(shape, experiment.parameters.model_fields.values())
    fields = zip(parameters_as_data(experiment), shapes, strict=True)
    data = _entry(name, stored, all_jobs(), store)
    return {**data, "fields": [told | asdict(form) for told, form in fields]}


# ---------------------------------------------------------------------- runs to begin


@router.post("/{name}/plan", summary="Plan a run", response_model=PlanInfo)
def plan_run(name: ExperimentName, wanted: PlanIn, store: TheStore) -> dict[str, Any]:
    """How much there would be to measure, and whether a run has measured it already."""
    plan = _plan(name, wanted)
    known = newest_of(plan, store)
    missing = len(plan.by_key) - (known.measured if known else 0)
    return {
        "cells": len(plan.by_key),
        "run": known.id if known else None,
        "measured": known.measured if known else 0,
        "is_finished": bool(known and known.finished),
        "seconds": _estimate(plan, missing, store),
    }


def _plan(name: str, wanted: PlanIn) -> Plan[Any]:
    experiment = known_experiment(name)
    plan = Plan(experiment, read_parameters(experiment, wanted.quick, wanted.values), wanted.quick)
    plan.check()
    return plan


def _estimate(plan: Plan[Any], missing: int, store: Store) -> float | None:
    """What the missing cells may take, judged by the newest run of the same size."""
    runs = Runs(store).runs(plan.experiment.name)
    like = (run for run in runs if run.is_quick == plan.is_quick and run.measured)
    newest, card = next(like, None), shipped_card(plan.experiment.name)
    if newest:
        return missing * newest.seconds / newest.measured
    if not card:
        return None
    return (card.quick_seconds if plan.is_quick else card.seconds) * missing / len(plan.by_key)


@router.post("/{name}/runs", summary="Begin a run", response_model=JobInfo)
def begin_run(
    name: ExperimentName, wanted: RunIn, store: TheStore, room: TheJobs
) -> dict[str, Any]:
    """Measure an experiment as a job, or go on with it."""
    room.demand_processors(wanted.workers, "workers")
    plan = _plan(name, wanted)
    words = ["lab", "run", name, *options_for(plan.experiment, plan.parameters, plan.is_quick)]
    words += ["--jobs", str(wanted.workers), "--no-report", *room.store_words]
    words += ["--again"] if wanted.again else []
    about = {"experiment": name, "store": store.address, "quick": plan.is_quick}
    title, total = plan.experiment.title, len(plan.by_key)
    return job_as_data(room.start("lab", title, words, about, data_folder(), total, "cells"))
