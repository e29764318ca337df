"""The runs of an experiment, as pages list them.

What was measured is read from the store; which runs are under way is known from their jobs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import Field

from plyground.core.errors import MalformedText, unknown
from plyground.lab.catalogue import experiment_names, find_experiment
from plyground.lab.parameters import as_text
from plyground.lab.run_info import SHIPPED
from plyground.lab.run_results import RunResults, shipped_card, shipped_results
from plyground.lab.runner import info_of
from plyground.lab.spec import Experiment, Parameters
from plyground.store.runs import Runs, StoredRun, run_of
from plyground.store.store import Store
from plyground.web.answers import REFUSALS, Answer
from plyground.web.job_routes import JobInfo, job_as_data
from plyground.web.parts import TheStore
from plyground.web.recent import Recent
from plyground.work.jobs import Job
from plyground.work.jobs import jobs as all_jobs

router = APIRouter(prefix="/api/lab", tags=["lab"], responses=REFUSALS)
ExperimentName = Annotated[str, Path(min_length=1, max_length=100, description="Its name.")]
_digests = Recent[str](1000)  # of the answers of finished runs, which do not change


class RunRow(Answer, extra="ignore"):
    """A run in a table; one that is only starting has no number yet."""

    number: int | None
    """0 for the run that comes with the package."""
    name: str
    id: str = ""
    """Its number, or NAME@shipped: how addresses name it."""
    state: str
    job: JobInfo | None = None
    started: str = ""
    finished: str | None = None
    cells: int = 0
    measured: int = 0
    seconds: float = 0.0
    quick: bool = False
    seed: int | None = None
    code: str = ""
    version: str = ""
    digest: str = ""
    parameters: dict[str, str] = Field(default_factory=dict)
    answers: str = ""
    """Of a repetition: whether they are those of the first run that measured the same."""


def known_experiment(name: str) -> Experiment[Any]:
    """An experiment of the catalogue; a file is for the command line. Raises Unsupported."""
    if name not in experiment_names():
        raise unknown("experiment", name, experiment_names())
    return find_experiment(name)


def experiment_of(name: str) -> Experiment[Any]:
    """The experiment of a run; one in a file that nobody named has but its name."""
    if name in experiment_names():
        return find_experiment(name)
    about = "An experiment of your own, run on the command line."
    return Experiment(name, name, about, Parameters, {}, lambda _: ())


def jobs_of(name: str, known: Sequence[Job], store: Store) -> list[Job]:
    """Those that measure an experiment into this store, the newest first."""
    return [
        job
        for job in known
        if job.kind == "lab"
        and job.about.get("experiment") == name
        and job.about.get("store") == store.address
    ]


@router.get("/experiments/{name}/runs", summary="Its runs", response_model=list[RunRow])
def list_runs(name: ExperimentName, store: TheStore) -> list[dict[str, Any]]:
    """The runs of an experiment, the newest first, with the jobs that measure them."""
    runs, jobs = Runs(store), jobs_of(name, all_jobs(), store)
    shipped = [run_of(shipped_results(name).whole)] if shipped_card(name) else []
    listed = [*runs.runs(name), *shipped]
    first = {run.digest: run for run in listed if run.finished}  # of equal ones the last counts
    starting = [  # jobs that have no run yet
        {"number": None, "name": "starting", "state": job.state, "job": job_as_data(job)}
        for job in jobs
        if "run" not in job.about and job.state in ("running", "failed")
    ]
    return [
        *starting,
        *(
            {**run_row(run, jobs), "answers": _answers(run, first.get(run.digest, run), store)}
            for run in listed
        ),
        *(
            {"number": run.id, "name": run.name, "state": "damaged", "answers": run.problem}
            for run in runs.damaged(name)
        ),
    ]


def run_row(run: StoredRun, jobs: Sequence[Job]) -> dict[str, Any]:
    """A run in a table."""
    name = f"{run.experiment}@{run.id or SHIPPED}"
    job = next((each for each in jobs if each.about.get("run") == run.id), None)
    state = "stopped" if job is None or job.state == "done" else job.state
    return {
        **vars(run),
        "number": run.id,
        "name": name,
        "id": str(run.id or name),
        "state": SHIPPED if not run.id else "done" if run.finished else state,
        "cells": run.total,
        "quick": run.is_quick,
        "code": run.versions.get("code", ""),
        "version": run.versions.get("plyground", ""),
        "parameters": _texts(run),
        "job": job_as_data(job) if job else None,
    }


def _texts(run: StoredRun) -> dict[str, str]:
    """Parameters as they would be typed, as far as the experiment is known."""
    fields = experiment_of(run.experiment).parameters.model_fields
    return {
        name: as_text(value, fields[name]) if name in fields else json.dumps(value)
        for name, value in run.parameters.items()
    }


def _answers(run: StoredRun, first: StoredRun, store: Store) -> str:
    """Whether a repetition has the answers of the first run that measured the same."""
    if not run.finished or first.id == run.id:
        return ""
    try:
        same = _digest(first, store) == _digest(run, store)
    except MalformedText as error:
        return str(error)
    return f"{'identical to' if same else 'other than'} {first.id or SHIPPED}"


def _digest(run: StoredRun, store: Store) -> str:
    def make() -> str:
        cells = RunResults(info_of(run), store if run.id else None).cells
        answers = {key: cell.answer for key, cell in cells.items()}
        return hashlib.sha256(json.dumps(answers, sort_keys=True).encode()).hexdigest()

    return _digests.find_or_make((run.experiment, run.id, run.started), make)
