"""Run an experiment: what is missing is measured by workers and kept as soon as it is there.

    plan = Plan(experiment, parameters)
    with open_run(plan, store) as run, workers:
        for cell in run.measure(workers): ...

A run that was interrupted or killed goes on where it was: the newest with the same plan, measured
by the same programs, is taken up again; a finished one is not measured again unless asked for. Only
one process at a time measures a plan into a store. Reports are made from what is stored, never from
what is in memory, so they do not depend on how a run came about. Knows no face.
"""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, TypeVar

from plyground.core.errors import InputError, Unsupported
from plyground.lab.parameters import check_parameters
from plyground.lab.run_info import RunInfo
from plyground.lab.spec import Cell, Experiment, Measured, Parameters, digest_of
from plyground.lab.surroundings import machine, versions
from plyground.store.locks import exclusive
from plyground.store.rows import Entry, now
from plyground.store.runs import NewRun, Runs, StoredCell, StoredRun
from plyground.store.store import Store
from plyground.work.workers import Workers

P = TypeVar("P", bound=Parameters)


@dataclass(frozen=True)
class Plan(Generic[P]):
    """An experiment and its parameters, and so all that there is to measure."""

    experiment: Experiment[P]
    parameters: P
    is_quick: bool = False

    @functools.cached_property
    def cells(self) -> Sequence[Cell]:
        return self.experiment.cells(self.parameters)

    @functools.cached_property
    def by_key(self) -> dict[str, Cell]:
        """What is measured, each once, in the order of the experiment."""
        return {cell.key: cell for cell in self.cells}

    @functools.cached_property
    def digest(self) -> str:
        data = {
            "experiment": self.experiment.name,
            "parameters": self.as_data(),
            "cells": list(self.by_key),
        }
        return digest_of(data)

    @functools.cached_property
    def versions(self) -> dict[str, str]:
        return versions(self.by_key.values())

    def as_data(self) -> dict[str, Any]:
        return self.parameters.model_dump(mode="json")

    def check(self) -> None:
        """Complain before anything is opened or written. Raises InputError."""
        if not self.cells:
            raise Unsupported(f"{self.experiment.name}: these parameters leave nothing to measure")


class Run(Generic[P]):
    """A run that this process may fill; see `open_run`."""

    def __init__(
        self, plan: Plan[P], store: Store, known: StoredRun | None, about: Mapping[str, Any]
    ) -> None:
        self.plan, self.is_new = plan, known is None
        self._store, self._runs = store, Runs(store)
        self._stored = known or self._runs.begin(_new_run(plan, about))
        self._done = self._runs.keys(self._stored.id)

    @property
    def info(self) -> RunInfo:
        """How it stands."""
        return info_of(self._stored)

    def measure(self, workers: Workers) -> Iterator[Cell]:
        """Each cell as soon as it is measured and stored; those that are stored are passed over."""
        missing = (
            cell.as_data() for key, cell in self.plan.by_key.items() if key not in self._done
        )
        if not self.info.is_finished:
            for task, answer in workers.run(measure_and_time, missing):
                cell = Cell(**task)
                self._keep(cell, Measured.from_data(answer["measured"]), answer["seconds"])
                yield cell
            number, is_complete = self._stored.id, self._done >= self.plan.by_key.keys()
            self._stored = self._runs.finish(number) if is_complete else self._runs.run(number)

    def _keep(self, cell: Cell, measured: Measured, seconds: float) -> None:
        # Games first: if a kill comes between, the cell is measured again, and they are replaced.
        event = f"lab {self._stored.experiment} {self._stored.id}"
        played = [replace(game, event=event, date=now()) for game in measured.games]
        named = [
            (f"{self._stored.uid}-{cell.key}-{number}", Entry.of(game))
            for number, game in enumerate(played)
        ]
        self._store.add_named(named, repeated=True)
        told = measured.answer, measured.times_s, seconds
        self._runs.add(self._stored.id, StoredCell(cell.key, cell.task, cell.arguments, *told))
        self._done.add(cell.key)

    def close(self) -> None:
        """A run that came to nothing leaves nothing."""
        if not self._done:
            self._runs.delete(self._stored.id)


def measure_and_time(cell: dict[str, Any]) -> dict[str, Any]:
    """Measure a cell, given and answered as data: what a worker does."""
    started_s = time.perf_counter()
    measured = Cell(**cell).measure().as_data()
    return {"measured": measured, "seconds": time.perf_counter() - started_s}


@contextlib.contextmanager
def open_run(
    plan: Plan[P], store: Store, again: bool = False, about: Mapping[str, Any] | None = None
) -> Iterator[Run[P]]:
    """The run of a plan that is to go on, or a finished one, or a new one; new if `again`.

    `about` is what else to remember of the machine, such as how many workers it has. Raises
    Unsupported if another process is measuring this plan.
    """
    plan.check()
    with exclusive(store, f"lab-{plan.digest}") as is_ours:
        if not is_ours:
            raise Unsupported(
                f"{plan.experiment.name} is being measured with these parameters by another "
                "process; wait for it, or stop it"
            )
        known = None if again else newest_of(plan, store)
        run = Run(plan, store, known, about or {})
        try:
            yield run
        finally:
            run.close()


def newest_of(plan: Plan[P], store: Store) -> StoredRun | None:
    """The newest run of a plan that was measured by the very programs that are running now."""
    same = (run for run in Runs(store).runs(digest=plan.digest) if run.versions == plan.versions)
    return next(same, None)


def _new_run(plan: Plan[P], about: Mapping[str, Any]) -> NewRun:
    parameters = plan.as_data()
    seed = parameters.get("seed")
    return NewRun(
        experiment=plan.experiment.name,
        digest=plan.digest,
        parameters=parameters,
        is_quick=plan.is_quick,
        seed=seed if isinstance(seed, int) else None,
        versions=plan.versions,
        machine=machine() | dict(about),
        total=len(plan.by_key),
    )


# ---------------------------------------------------------------------- what was measured


def info_of(stored: StoredRun) -> RunInfo:
    """What is told about a stored run."""
    return RunInfo(
        number=stored.id,
        experiment=stored.experiment,
        digest=stored.digest,
        parameters=stored.parameters,
        is_quick=stored.is_quick,
        started=datetime.fromisoformat(stored.started),
        finished=datetime.fromisoformat(stored.finished) if stored.finished else None,
        cells=stored.total,
        measured=stored.measured,
        seconds=stored.seconds,
        versions=stored.versions,
        machine=stored.machine,
    )


def plan_of(experiment: Experiment[Any], info: RunInfo) -> Plan[Any]:
    """What a stored run was to measure. Raises Unsupported if the experiment has changed since."""
    try:
        plan = Plan(experiment, check_parameters(experiment, info.parameters), info.is_quick)
        is_same = plan.digest == info.digest
    except InputError:
        is_same = False
    if not is_same:
        raise Unsupported(
            f"{info.name} measured something else than {experiment.name} does now; "
            "run the experiment again"
        )
    return plan
