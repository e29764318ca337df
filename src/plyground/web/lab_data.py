"""Experiments and their runs as pages show them.

What was measured is read from the store; which runs are under way is known from their jobs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import Field

from plyground.core.errors import MalformedText, unknown
from plyground.lab.catalogue import experiment_names, find_experiment
from plyground.lab.parameters import Shape, allowed, as_text, read_parameters, shape
from plyground.lab.published_data import study_of
from plyground.lab.rendering.numbers import numeric_columns, shown, without_clocks
from plyground.lab.report import Table
from plyground.lab.spec import Experiment
from plyground.store.runs import Runs, StoredRun
from plyground.store.store import Store
from plyground.web.answers import Answer
from plyground.web.job_routes import JobInfo, job_as_data
from plyground.web.recent import Recent
from plyground.work.jobs import Job
from plyground.work.jobs import jobs as all_jobs

_digests = Recent[str](1000)  # of the answers of finished runs, which do not change


class RunRow(Answer):
    """A run in a table; one that is only starting has no number yet."""

    number: int | None
    name: str
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


class ExperimentInfo(Answer):
    name: str
    title: str
    question: str
    source: str | None
    is_own: bool
    """Whether it is a file of one's own, run on the command line."""
    runs: int
    last_run: RunRow | None
    job: JobInfo | None


@dataclass(frozen=True, kw_only=True)
class FieldInfo(Shape):
    """What can be set, and what a page must know to check it."""

    name: str
    description: str
    allowed: str
    default: str
    quick: str


class TableInfo(Answer):
    title: str
    note: str
    columns: list[dict[str, Any]]
    numeric: list[bool]
    rows: list[list[str]]


class ExperimentPage(ExperimentInfo):
    fields: list[FieldInfo]
    published: list[TableInfo]


# ---------------------------------------------------------------------- experiments


def known_experiment(name: str) -> Experiment[Any]:
    """An experiment of the catalogue; a file is for the command line. Raises Unsupported."""
    if name not in experiment_names():
        raise unknown("experiment", name, experiment_names())
    return find_experiment(name)


def catalogue(store: Store) -> list[dict[str, Any]]:
    """All experiments, those of the catalogue first, each with its last run."""
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
    return {
        "name": name,
        **_about(name),
        "runs": len(own),
        "last_run": run_row(own[0], jobs) if own else None,
        "job": next((job_as_data(job) for job in jobs if job.state == "running"), None),
    }


def _about(name: str) -> dict[str, Any]:
    if name not in experiment_names():
        question = "An experiment of your own, run on the command line."
        return {"title": name, "question": question, "source": None, "is_own": True}
    found = find_experiment(name)
    source = str(found.source) if found.source else None
    return {"title": found.title, "question": found.question, "source": source, "is_own": False}


def details(name: str, store: Store) -> dict[str, Any]:
    """An experiment with its form and what its study printed."""
    stored = Runs(store).runs(name)
    if name not in experiment_names() and not stored and not Runs(store).damaged(name):
        raise unknown("experiment", name, experiment_names())
    data = _entry(name, stored, all_jobs(), store)
    if data["is_own"]:
        return {**data, "fields": [], "published": []}
    experiment = find_experiment(name)
    study = study_of(experiment.source)
    tables = study.tables.values() if study else ()
    return {
        **data,
        "fields": _fields(experiment),
        "published": [table_as_data(without_clocks(table), table) for table in tables],
    }


def _fields(experiment: Experiment[Any]) -> list[dict[str, Any]]:
    usual, quick = (read_parameters(experiment, is_quick, {}) for is_quick in (False, True))
    return [
        {
            "name": name,
            "description": field.description or "",
            "allowed": allowed(field),
            "default": as_text(getattr(usual, name), field),
            "quick": as_text(getattr(quick, name), field),
            **asdict(shape(field)),
        }
        for name, field in experiment.parameters.model_fields.items()
    ]


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


# ---------------------------------------------------------------------- runs


def jobs_of(name: str, known: Sequence[Job], store: Store) -> list[Job]:
    """Those that measure an experiment into this store, the newest first."""
    return [
        job
        for job in known
        if job.kind == "lab"
        and job.about.get("experiment") == name
        and job.about.get("store") == store.address
    ]


def run_rows(name: str, store: Store) -> list[dict[str, Any]]:
    """The runs of an experiment, the newest first; before them jobs that have no run yet."""
    runs, jobs = Runs(store), jobs_of(name, all_jobs(), store)
    stored = runs.runs(name)
    first: dict[str, StoredRun] = {}
    for run in reversed(stored):
        if run.finished:
            first.setdefault(run.digest, run)
    starting = [
        {"number": None, "name": "starting", "state": job.state, "job": job_as_data(job)}
        for job in jobs
        if "run" not in job.about and job.state in ("running", "failed")
    ]
    return [
        *starting,
        *(
            {**run_row(run, jobs), "answers": _answers(runs, run, first.get(run.digest))}
            for run in stored
        ),
        *(
            {"number": run.id, "name": run.name, "state": "damaged", "answers": run.problem}
            for run in runs.damaged(name)
        ),
    ]


def run_row(run: StoredRun, jobs: Sequence[Job]) -> dict[str, Any]:
    """A run in a table."""
    job = next((each for each in jobs if each.about.get("run") == run.id), None)
    state = job.state if job else "stopped"
    return {
        "number": run.id,
        "name": f"{run.experiment}@{run.id}",
        "state": "done" if run.finished else "stopped" if state == "done" else state,
        "started": run.started,
        "finished": run.finished,
        "cells": run.total,
        "measured": run.measured,
        "seconds": run.seconds,
        "quick": run.is_quick,
        "seed": run.seed,
        "code": run.versions.get("code", ""),
        "version": run.versions.get("plyground", ""),
        "digest": run.digest,
        "parameters": _texts(run),
        "job": job_as_data(job) if job else None,
    }


def _texts(run: StoredRun) -> dict[str, str]:
    """Parameters as they would be typed, as far as the experiment is known."""
    fields = {}
    if run.experiment in experiment_names():
        fields = find_experiment(run.experiment).parameters.model_fields
    return {
        name: as_text(value, fields[name]) if name in fields else json.dumps(value)
        for name, value in run.parameters.items()
    }


def _answers(runs: Runs, run: StoredRun, first: StoredRun | None) -> str:
    """Whether a repetition has the answers of the first run that measured the same."""
    if not run.finished or first is None or first.id == run.id:
        return ""
    try:
        one, other = (_digest(runs, each) for each in (first, run))
    except MalformedText as error:
        return str(error)
    return f"identical to {first.id}" if one == other else f"other than {first.id}"


def _digest(runs: Runs, run: StoredRun) -> str:
    def make() -> str:
        answers = {key: cell.answer for key, cell in runs.cells(run.id).items()}
        return hashlib.sha256(json.dumps(answers, sort_keys=True).encode()).hexdigest()

    return _digests.find_or_make(run.uid, make)
