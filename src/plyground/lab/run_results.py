"""What runs measured: those of a store, and the finished ones that come with the package.

A finished full run of every study lies beside it, so that its report can be read before anything is
run: `run.jsonl.gz`, and in `run.json` what a list says of it. It is called NAME@shipped.
"""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from plyground.core.errors import (
    MalformedText,
    PlygroundError,
    Unsupported,
    shorten,
    unknown,
)
from plyground.core.files import write_whole
from plyground.lab import study
from plyground.lab.catalogue import CATALOGUE, experiment_names, find_experiment
from plyground.lab.document import table_of
from plyground.lab.frames import Measurements
from plyground.lab.parameters import check_parameters
from plyground.lab.report import Part, Report, Section, Verdict
from plyground.lab.run_info import SHIPPED, RunInfo
from plyground.lab.runner import info_of, plan_of
from plyground.lab.spec import Cell, Experiment, Measured
from plyground.store.run_files import read_run, write_run
from plyground.store.runs import Runs, StoredCell, WholeRun, cells_of, run_of
from plyground.store.store import Store

RUN, CARD = "run.jsonl.gz", "run.json"
MOST_ROWS = 100  # of what is measured so far
MOST_DIGITS = 18  # of a run's number: what every database can hold


@dataclass(frozen=True)
class RunResults:
    """A run and what it measured."""

    info: RunInfo
    _store: Store | None = None

    @functools.cached_property
    def whole(self) -> WholeRun:
        """All of it, to be written to a file."""
        if self._store is not None:
            return Runs(self._store).whole(self.info.number)
        return _shipped(self.info.experiment)

    @functools.cached_property
    def cells(self) -> Mapping[str, StoredCell]:
        """What was measured, by the keys of the cells."""
        if self._store is not None:
            return Runs(self._store).cells(self.info.number)
        return cells_of(self.whole)

    @property
    def measurements(self) -> Measurements:
        """The same, to be had as frames."""
        return Measurements(
            (Cell(cell.task, cell.arguments), Measured(dict(cell.answer), cell.times_s))
            for cell in self.cells.values()
        )

    def report(self, experiment: Experiment[Any] | None = None) -> Report:
        """Its report. Raises Unsupported if it is not finished, or not of these cells."""
        info = self.info
        if not info.is_finished:
            raise Unsupported(f"{info.name}: {info.measured} of {info.cells} cells are measured")
        experiment = experiment or find_experiment(info.experiment)
        # What is shipped is tested to fit; to list its cells might take a compiler.
        plan = plan_of(experiment, info) if self._store else None
        parameters = plan.parameters if plan else check_parameters(experiment, info.parameters)
        measurements = self.measurements  # what is damaged in the store says so itself
        try:
            return study.report(experiment, parameters, measurements)
        except PlygroundError:
            raise
        except Exception as error:
            # Answers are what each experiment makes of them: only its report finds a damaged one.
            problem = shorten(f"{type(error).__name__}: {error}", 80)
            message = f"{info.name}: no report can be made of what was measured ({problem})"
            raise MalformedText(message) from error

    def report_so_far(self) -> Report:
        """What is measured, if not all is: numbers, and no conclusions that the rest may change."""
        found = self.measurements
        tables: list[Part] = []
        for task in found.tasks:
            frame = found.frame(task)
            note = f"The first {MOST_ROWS} of {len(frame):,}." if len(frame) > MOST_ROWS else ""
            name = task.rpartition(":")[2].replace("_", " ")
            tables.append(table_of(frame.head(MOST_ROWS), name, note))
        return Report("", [Section("Measured so far", tables)])


# ---------------------------------------------------------------------- which run is meant


def stored_results(number: int, store: Store) -> RunResults:
    """A run of a store. Raises Unsupported if there is none of this number."""
    return RunResults(info_of(Runs(store).run(number)), store)


def shipped_results(name: str) -> RunResults:
    """The run that comes with the package. Raises Unsupported if this experiment has none."""
    if not _file(name, RUN).is_file():
        raise Unsupported(f"no finished run of {name} comes with Plyground; `plyground lab run` it")
    return RunResults(info_of(run_of(_shipped(name))))


def find_results(text: str, store: Store, name: str = "") -> RunResults:
    """The run that is meant by NAME, NAME@3, 3 or NAME@shipped. Raises InputError.

    NAME alone is the newest finished run in the store, or the shipped one; a run that is not
    finished only if there is no other. `name` is the experiment's, if it is known (of a file, say).
    """
    called, number = parse_run(text)
    wanted = name or (known_name(called, store) if called else "")
    if number is not None:
        found = stored_results(number, store)
        if wanted and wanted != found.info.experiment:
            raise Unsupported(f"{text}: run {number} is one of {found.info.experiment}")
        return found
    if text.endswith(f"@{SHIPPED}"):
        return shipped_results(wanted)
    listed = [info_of(run) for run in Runs(store).runs(wanted)]
    newest = next((run for run in listed if run.is_finished), None)
    if newest is None and _file(wanted, RUN).is_file():
        return shipped_results(wanted)
    if not listed:
        raise Unsupported(f"{wanted} has not been run yet; `plyground lab run {called}` does it")
    return RunResults(newest or listed[0], store)


def parse_run(text: str) -> tuple[str, int | None]:
    """The name, if one is given, and the number, if one is given. Raises MalformedText."""
    name, at, which = text.rpartition("@")
    if which.isdecimal() and len(which) <= MOST_DIGITS and bool(name) == bool(at):
        return name, int(which)
    if at and which == SHIPPED and name:
        return name, None
    if at or text.isdecimal():
        problem = f"run {shorten(text)!r}: expected NAME, NAME@NUMBER, NAME@{SHIPPED} or NUMBER"
        raise MalformedText(problem)
    return text, None


def known_name(name: str, store: Store) -> str:
    """The name of an experiment, also of one of which only runs are left. Raises InputError."""
    names = {*experiment_names(), *(run.experiment for run in Runs(store).runs())}
    if name not in names:
        raise unknown("experiment", name, sorted(names))
    return name


# ---------------------------------------------------------------------- runs that are shipped


@dataclass(frozen=True)
class ShippedCard:
    """What is known of a shipped run without reading it."""

    finished: datetime
    seconds: float
    """Of work, in the full run."""
    quick_seconds: float
    verdicts: Mapping[str, int]
    """How many claims came out how."""
    summary: str
    """The findings, in Markdown."""


def shipped_card(name: str) -> ShippedCard | None:
    """What is known of the run that comes with an experiment; None if there is none."""
    file = _file(name, CARD)
    if not file.is_file():
        return None
    data = json.loads(file.read_text(encoding="utf-8"))
    return ShippedCard(**data | {"finished": datetime.fromisoformat(data["finished"])})


def tally(report: Report) -> dict[str, int]:
    """How many claims came out how, in the order of the verdicts."""
    counts = Counter(claim.verdict for claim in report.claims)
    return {str(verdict): counts[verdict] for verdict in Verdict}


def ship(run: RunResults, quick_seconds: float) -> Iterable[Path]:
    """Put a finished run beside its study, in the place of the one that is there."""
    name, report = run.info.experiment, run.report()
    assert run.info.finished is not None
    card = ShippedCard(
        run.info.finished, run.info.seconds, quick_seconds, tally(report), report.summary
    )
    data = asdict(card) | {"finished": card.finished.isoformat()}
    files = _file(name, RUN), _file(name, CARD)
    write_run(run.whole, files[0])
    write_whole(files[1], json.dumps(data, indent=1).encode() + b"\n")
    _shipped.cache_clear()
    return files


def _file(name: str, file: str) -> Path:
    return CATALOGUE / name.replace("-", "_") / file


@functools.lru_cache(maxsize=4)
def _shipped(name: str) -> WholeRun:
    return read_run(_file(name, RUN))
