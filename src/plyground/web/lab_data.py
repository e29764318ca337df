"""Experiments, runs and reports as pages show them.

What was measured is read from the store; which runs are under way is told by jobs. Finished runs do
not change, so what was made of them is kept. Knows no route.
"""

from __future__ import annotations

import functools
import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

from plyground.core.errors import MalformedText, unknown
from plyground.lab.catalogue import experiment_names, find_experiment
from plyground.lab.parameters import allowed, as_text, read_parameters, shape
from plyground.lab.published_data import study_of
from plyground.lab.rendering.charts import Picture, data_inside, draw
from plyground.lab.rendering.markup import from_markdown
from plyground.lab.rendering.names import PlacedSection, place
from plyground.lab.rendering.numbers import numeric_columns, shown, without_clocks
from plyground.lab.rendering.words import MARKS, facts, notices
from plyground.lab.report import Beside, Chart, Claim, Column, Part, Report, Table, Text
from plyground.lab.run_info import RunInfo
from plyground.lab.runner import info_of, report_of
from plyground.lab.spec import Experiment
from plyground.store.runs import Runs, StoredRun
from plyground.store.store import Store
from plyground.web.job_routes import job_as_data
from plyground.web.lab_partial import measured_tables
from plyground.work.jobs import Job
from plyground.work.jobs import jobs as all_jobs

MOST_KEPT = 64
T = TypeVar("T")
_drawing = threading.Lock()  # the renderer takes all there is
_guard = threading.Lock()
_kept: OrderedDict[Hashable, Any] = OrderedDict()


def once(key: Hashable, make: Callable[[], T]) -> T:
    """What was made for this key before, or is made now."""
    with _guard:
        if key in _kept:
            _kept.move_to_end(key)
            found: T = _kept[key]
            return found
    made = make()
    with _guard:
        _kept[key] = made
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return made


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
    experiment = find_experiment(name)
    source = str(experiment.source) if experiment.source else None
    told = {"title": experiment.title, "question": experiment.question, "source": source}
    return {**told, "is_own": False}


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
        "published": [_table(without_clocks(table), table) for table in tables],
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

    return once(("answers", run.uid), make)


# ---------------------------------------------------------------------- reports


def placed_report(number: int, store: Store) -> tuple[RunInfo, Report, list[PlacedSection]]:
    """A finished run with its report. Raises Unsupported if it has none."""
    stored = Runs(store).run(number)
    info = info_of(stored)
    experiment = known_experiment(info.experiment)

    def make() -> tuple[Report, list[PlacedSection]]:
        report = report_of(experiment, info, store)
        return report, place(report)

    return info, *once(("report", stored.uid), make)


def report_data(number: int, store: Store) -> dict[str, Any]:
    """A report, ready to be drawn: numbers are rounded for the eye.

    Of a run that is not finished: what was measured.
    """
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
            return {"kind": "table", **_table(part, part)}
        case Beside():
            both = part.published, part.ours
            published = _table(without_clocks(part.published), *both)
            return {"kind": "beside", "published": published, "ours": _table(part.ours, *both)}
        case Chart():
            address = f"/api/lab/runs/{number}/charts/{names[0]}"
            told = {"title": part.title, "note": part.note, "is_timed": part.is_timed}
            numbers = numbers_of(part.title, data_inside(part.spec))
            return {"kind": "chart", "name": names[0], "address": address, **told, **numbers}
        case Claim():
            return {"kind": "claim", **asdict(part), "mark": MARKS[part.verdict]}


def numbers_of(title: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What a chart is drawn from, to be read."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = Table(title, [Column(each) for each in names], [[*map(row.get, names)] for row in rows])
    return {"numbers": _table(table, table) if rows else None}


def _table(table: Table, *like: Table) -> dict[str, Any]:
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
    charts = {
        names[0]: part
        for section in sections
        for part, names in section.parts
        if isinstance(part, Chart)
    }
    if name not in charts:
        raise unknown("chart", name, charts)
    key = "chart", info.digest, info.started, number, name
    return once(key, functools.partial(drawn, charts[name], name))


def drawn(chart: Chart, name: str) -> Picture:
    with _drawing:
        return draw(chart, name)
