"""Runs of experiments in the store: begun, filled cell by cell, finished, and read back.

Every method is one transaction: what it has returned from is stored, whatever happens to the
process then. What was measured is stored as text and read back as plain data; what a task or an
answer means is not known here.
"""

from __future__ import annotations

import contextlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, RowMapping, Update, delete, func, insert, select, update

from plyground.core.errors import MalformedText, Unsupported, shorten
from plyground.store import schema
from plyground.store.database import queue_up
from plyground.store.rows import now
from plyground.store.run_rows import CellColumns, RunColumns, checked
from plyground.store.store import Store
from plyground.store.waiting import retried

Data = Mapping[str, Any]

_RUNS = (
    select(
        schema.runs,
        func.count(schema.cells.c.key).label("measured"),
        func.coalesce(func.sum(schema.cells.c.seconds), 0.0).label("seconds"),
    )
    .select_from(schema.runs.outerjoin(schema.cells))
    .group_by(schema.runs.c.id)
)


@dataclass(frozen=True)
class NewRun:
    """What is known of a run before anything is measured."""

    experiment: str
    digest: str
    """Equal digests measure the same."""
    parameters: Data
    is_quick: bool
    seed: int | None
    versions: Mapping[str, str]
    machine: Data
    total: int
    """Of cells."""


@dataclass(frozen=True)
class StoredRun(NewRun):
    """A run with its number in the store."""

    id: int
    uid: str
    """The same in every store."""
    started: str
    finished: str | None
    measured: int
    """How many cells are there."""
    seconds: float
    """Of work in all of them."""


@dataclass(frozen=True)
class DamagedRun:
    """A run in the store that nothing can be made of."""

    id: int
    experiment: str
    problem: str

    @property
    def name(self) -> str:
        return f"{self.experiment}@{self.id}"


@dataclass(frozen=True)
class StoredCell:
    """A cell that was measured."""

    key: str
    task: str
    arguments: Data
    answer: Data
    times_s: Mapping[str, Sequence[float]]
    seconds: float


@dataclass(frozen=True)
class WholeRun:
    """A run and its cells as rows, to be taken to another store."""

    run: Data
    cells: Sequence[Data]


class Runs:
    """The runs of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # ------------------------------------------------------------------ writing

    def begin(self, run: NewRun) -> StoredRun:
        """A new run without any cells."""
        new = {"uid": uuid.uuid4().hex, "started": now(), "finished": None}
        number, _ = self.take(WholeRun(_values(run) | new, ()))  # once, however often it is tried
        return self.run(number)

    @retried
    def add(self, number: int, cell: StoredCell) -> None:
        """Store a measured cell, for good; one that is there already stays as it is."""
        with self._store.writing() as connection:
            self._add(connection, [_cell_values(number, cell) | {"measured": now()}])

    @retried
    def finish(self, number: int) -> StoredRun:
        """Say that all is measured."""
        with self._store.writing() as connection:
            connection.execute(_ending(number, now()))
        return self.run(number)

    @retried
    def delete(self, number: int) -> None:
        """Forget a run with its cells; games that were played in it stay."""
        with self._store.writing() as connection:
            connection.execute(delete(schema.runs).where(schema.runs.c.id == number))

    def merge(self, other: Runs) -> int:
        """Take over runs of another store, and cells of those that are here already.

        Returns how many runs were not here before. What is damaged stays where it is.
        """
        new = 0
        for run in reversed(other.runs()):
            with contextlib.suppress(MalformedText):
                new += self.take(other.whole(run.id))[1]
        return new

    @retried
    def take(self, whole: WholeRun) -> tuple[int, bool]:
        """Take over a run, or the cells of it that are missing: its number, whether it is new."""
        with self._store.writing() as connection:
            queue_up(connection)
            known = select(schema.runs.c.id).where(schema.runs.c.uid == whole.run["uid"])
            number = connection.execute(known).scalar()
            is_new = number is None
            if number is None:
                inserted = connection.execute(insert(schema.runs), dict(whole.run))
                number = inserted.inserted_primary_key[0]  # type: ignore[index]
            elif whole.run["finished"] is not None:
                connection.execute(_ending(number, whole.run["finished"]))
            self._add(connection, [{**cell, "run_id": number} for cell in whole.cells])
        return int(number), is_new

    def _add(self, connection: Connection, rows: Sequence[Data]) -> None:
        if rows:
            statement = self._store.insert_missing(schema.cells)
            connection.execute(statement, [dict(row) for row in rows])

    # ------------------------------------------------------------------ reading

    def run(self, number: int) -> StoredRun:
        """One run. Raises Unsupported if there is none of this number."""
        rows = self._store.read(_RUNS.where(schema.runs.c.id == number))
        if not rows:
            raise Unsupported(f"no run has number {number}; `plyground lab runs` lists them")
        run = _run_of(rows[0])
        if isinstance(run, DamagedRun):
            raise MalformedText(f"{run.name} is damaged: {run.problem}")
        return run

    def runs(self, experiment: str | None = None, digest: str | None = None) -> list[StoredRun]:
        """The runs of an experiment, or of one digest, or all; the newest first, none damaged."""
        return [run for run in self._listed(experiment, digest) if isinstance(run, StoredRun)]

    def damaged(self, experiment: str | None = None) -> list[DamagedRun]:
        """The runs that cannot be read, the newest first: to be shown beside the others."""
        return [run for run in self._listed(experiment) if isinstance(run, DamagedRun)]

    def _listed(
        self, experiment: str | None = None, digest: str | None = None
    ) -> list[StoredRun | DamagedRun]:
        query = _RUNS.order_by(schema.runs.c.id.desc())
        if experiment is not None:
            query = query.where(schema.runs.c.experiment == experiment)
        if digest is not None:
            query = query.where(schema.runs.c.digest == digest)
        return [_run_of(row) for row in self._store.read(query)]

    def cells(self, number: int) -> dict[str, StoredCell]:
        """What was measured in a run, by its keys, in the order of these. Raises MalformedText."""
        return {row["key"]: _cell_of(row) for row in self._cell_rows(number)}

    def keys(self, number: int) -> set[str]:
        """Which cells of a run are measured."""
        query = select(schema.cells.c.key).where(schema.cells.c.run_id == number)
        return {row["key"] for row in self._store.read(query)}

    def whole(self, number: int) -> WholeRun:
        """A run as it is stored, without its number, which is another in every store."""
        run = self.run(number)
        own = {"uid": run.uid, "started": run.started, "finished": run.finished}
        cells = [checked(CellColumns, row) for row in self._cell_rows(number)]
        return WholeRun(_values(run) | own, cells)

    def _cell_rows(self, number: int) -> Sequence[RowMapping]:
        table = schema.cells
        return self._store.read(select(table).where(table.c.run_id == number).order_by(table.c.key))


def run_of(whole: WholeRun) -> StoredRun:
    """A run that is in no store, with 0 for its number. Raises MalformedText."""
    cells = whole.cells
    about = {"id": 0, "measured": len(cells), "seconds": sum(cell["seconds"] for cell in cells)}
    found = _run_of({**whole.run, **about})
    if isinstance(found, DamagedRun):
        raise MalformedText(f"{found.name} is damaged: {found.problem}")
    return found


def cells_of(whole: WholeRun) -> dict[str, StoredCell]:
    """What was measured in it, by its keys. Raises MalformedText."""
    return {row["key"]: _cell_of({"run_id": 0, **row}) for row in whole.cells}


def _values(run: NewRun) -> dict[str, Any]:
    return {
        "experiment": run.experiment,
        "digest": run.digest,
        "parameters": _json(run.parameters),
        "quick": run.is_quick,
        "seed": None if run.seed is None else str(run.seed),
        "versions": _json(run.versions),
        "machine": _json(run.machine),
        "total": run.total,
    }


def _cell_values(number: int, cell: StoredCell) -> dict[str, Any]:
    return {
        "run_id": number,
        "key": cell.key,
        "task": cell.task,
        "arguments": _json(cell.arguments),
        "answer": _json(cell.answer),
        "times": _json({name: list(times) for name, times in cell.times_s.items()}),
        "seconds": cell.seconds,
    }


def _json(data: Data) -> str:
    return json.dumps(dict(data))  # in plain letters: what a database takes whatever is said


def _ending(number: int, when: str) -> Update:
    """A run that is finished stays as it is."""
    which = (schema.runs.c.id == number) & schema.runs.c.finished.is_(None)
    return update(schema.runs).where(which).values(finished=when)


def _run_of(row: Data | RowMapping) -> StoredRun | DamagedRun:
    try:
        run = checked(RunColumns, row)
    except MalformedText as error:
        return DamagedRun(row["id"], shorten(str(row["experiment"])), str(error))
    run |= {name: json.loads(run[name]) for name in ("parameters", "versions", "machine")}
    run["is_quick"] = run.pop("quick")
    run["seed"] = None if run["seed"] is None else int(run["seed"])
    seconds = float(row["seconds"])
    return StoredRun(**run, id=row["id"], measured=row["measured"], seconds=seconds)


def _cell_of(row: Data | RowMapping) -> StoredCell:
    try:
        cell = checked(CellColumns, row)
    except MalformedText as error:
        place = f"run {row['run_id']}, cell {shorten(str(row['key']))}"
        raise MalformedText(f"{place}, is damaged: {error}") from None
    arguments, answer, times = (json.loads(cell[name]) for name in ("arguments", "answer", "times"))
    return StoredCell(cell["key"], cell["task"], arguments, answer, times, cell["seconds"])
