"""Runs of the lab's experiments: the measurements as a frame, the report as a page."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from plyground.lab.catalogue import find_experiment
from plyground.lab.frames import Measurements
from plyground.lab.run_results import RunResults
from plyground.lab.runner import info_of
from plyground.lab.spec import Experiment
from plyground.public.frames import Row, Rows, html_table, text_table
from plyground.store.runs import Runs as StoredRuns
from plyground.store.store import Store

if TYPE_CHECKING:
    import polars


class Page(str):
    """A self-contained HTML page: a text, which draws itself in a notebook."""

    def _repr_html_(self) -> str:
        style = "width:100%;height:640px;border:1px solid currentColor"
        page = html.escape(self, quote=True)
        return f'<iframe style="{style}" title="report" srcdoc="{page}"></iframe>'


class LabRun(Rows):
    """One run of an experiment; its display is the report, its frame the measurements."""

    def __init__(
        self,
        results: RunResults,
        experiment: Experiment[Any] | None = None,
        frame: Callable[[Measurements], polars.DataFrame] = Measurements.frame,
    ) -> None:
        self._results, self.info = results, results.info
        self._experiment, self._frame = experiment, frame

    @property
    def name(self) -> str:
        """The experiment and the number of the run, as in `connect4-mtdf@3`."""
        return self.info.name

    def frame(self) -> polars.DataFrame:
        """A row for each measurement: its parameters and what was measured."""
        return self._frame(self._results.measurements)

    def rows(self) -> Sequence[Row]:
        """The rows of the frame."""
        return self.frame().to_dicts()

    def report(self) -> Page:
        """The report as one self-contained HTML page. Raises Unsupported for unfinished runs."""
        return self._page

    @cached_property
    def _page(self) -> Page:
        from plyground.lab.rendering.writing import render

        experiment = self._experiment or find_experiment(self.info.experiment)
        file = "FILE.py" if self._experiment else None  # to run it by a command, it needs one
        report, measured = self._results.report(experiment), self._results.measurements
        return Page(render(experiment, report, self.info, file, measured).html)

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
        return self.report()._repr_html_()


class LabRuns(Rows, tuple[LabRun, ...]):
    """Runs of experiments, the newest first; a sequence with a table as its display."""

    columns = ("run", "started", "cells", "measured", "seconds", "quick")

    @property
    def _caption(self) -> str:
        return f"{len(self)} runs"

    def rows(self) -> Sequence[Row]:
        """A row for each run."""
        return [each.row() for each in self]


def runs_in(store: Store, experiment: str | None) -> LabRuns:
    """The runs of an experiment, or of all."""
    found = StoredRuns(store).runs(experiment)
    return LabRuns(LabRun(RunResults(info_of(each), store)) for each in found)
