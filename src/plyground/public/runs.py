"""Runs of the lab's experiments: the measurements as a frame, the report as a page."""

from __future__ import annotations

import html
import tempfile
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from plyground.lab.catalogue import find_experiment
from plyground.lab.rendering.writing import write_report
from plyground.lab.run_info import RunInfo
from plyground.lab.runner import info_of, measured_in, report_of
from plyground.public.frames import Row, Rows, html_table, text_table
from plyground.store.runs import Runs as StoredRuns
from plyground.store.store import Store

PLAIN = (bool, int, float, str, type(None))


class LabRun(Rows):
    """One run of an experiment; its display is the report, its frame the measurements."""

    def __init__(self, store: Store, info: RunInfo) -> None:
        self._store, self.info = store, info

    @property
    def name(self) -> str:
        """The experiment and the number of the run, as in `connect4-mtdf@3`."""
        return self.info.name

    def rows(self) -> Sequence[Row]:
        """A row for each measurement: its parameters and what was measured."""
        measured = measured_in(StoredRuns(self._store), self.info)
        rows = [
            {"task": cell.task.rpartition(":")[2], **_plain(cell.arguments), **_plain(found.answer)}
            for cell, found in measured.values()
        ]
        names = list(dict.fromkeys(name for row in rows for name in row))
        return [{name: row.get(name) for name in names} for row in rows]

    @cached_property
    def report(self) -> str:
        """The report as one self-contained HTML page. Raises Unsupported for unfinished runs."""
        experiment = find_experiment(self.info.experiment)
        report = report_of(experiment, self.info, self._store)
        with tempfile.TemporaryDirectory() as folder:
            written = write_report(experiment, report, self.info, Path(folder))
            return written.html.read_text(encoding="utf-8")

    def row(self) -> Row:
        """The run as a row of a list."""
        info = self.info
        return {
            "run": info.name,
            "started": f"{info.started:%Y-%m-%d %H:%M}",
            "cells": info.cells,
            "measured": info.measured,
            "seconds": info.seconds,
            "quick": info.is_quick,
        }

    def __repr__(self) -> str:
        return text_table([self.row()])

    def _repr_html_(self) -> str:
        if not self.info.is_finished:
            return html_table([self.row()], "not finished")
        page = html.escape(self.report, quote=True)
        style = "width:100%;height:640px;border:1px solid currentColor"
        return f'<iframe style="{style}" title="{html.escape(self.name)}" srcdoc="{page}"></iframe>'


class LabRuns(Sequence[LabRun], Rows):
    """Runs of experiments, the newest first; a sequence with a table as its display."""

    columns = ("run", "started", "cells", "measured", "seconds", "quick")

    def __init__(self, store: Store, experiment: str | None) -> None:
        found = StoredRuns(store).runs(experiment)
        self._runs = tuple(LabRun(store, info_of(each)) for each in found)

    def __getitem__(self, place: Any) -> Any:
        return self._runs[place]

    def __len__(self) -> int:
        return len(self._runs)

    def __iter__(self) -> Iterator[LabRun]:
        return iter(self._runs)

    @property
    def _caption(self) -> str:
        return f"{len(self)} runs"

    def rows(self) -> Sequence[Row]:
        """A row for each run."""
        return [each.row() for each in self._runs]


def _plain(data: Any) -> dict[str, Any]:
    """The values that fit into a cell of a frame; lists and tables stay in the report."""
    return {name: value for name, value in data.items() if isinstance(value, PLAIN)}
