"""Reports, runs and comparisons as plain data and short texts, in the same words for every face.

Knows no face, no store and no experiment.
"""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from plyground.core.errors import shorten
from plyground.lab.comparison import Comparison
from plyground.lab.report import Report
from plyground.lab.run_info import RunInfo
from plyground.lab.spec import Cell

CELL_WIDTH = 60


def cell_text(cell: Cell, width: int = CELL_WIDTH) -> str:
    """A cell in one short line: what is measured, and of what."""
    _, _, task = cell.task.partition(":")
    words = [
        value if isinstance(value, str) else f"{name}={value}"
        for name, value in cell.arguments.items()
    ]
    return shorten(" ".join([task, *words]), width)


def run_as_data(run: RunInfo) -> dict[str, Any]:
    finished = run.finished.isoformat() if run.finished else None
    times = {"started": run.started.isoformat(), "finished": finished}
    return {"name": run.name, **asdict(run), **times}


def report_as_data(report: Report) -> dict[str, Any]:
    """The whole report, ready for JSON: each part with its kind."""
    sections = [
        {"title": section.title, "parts": [{"kind": p.kind, **asdict(p)} for p in section.parts]}
        for section in report.sections
    ]
    return {"summary": report.summary, "sections": _finite(sections)}


def _finite(data: Any) -> Any:
    """JSON has no number for what is not known or has no bound."""
    if isinstance(data, dict):
        return {name: _finite(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def comparison_as_data(one: RunInfo, other: RunInfo, found: Comparison) -> dict[str, Any]:
    data = _finite(asdict(found))
    for ratio in [data["time_ratio"], *(each["ratio"] for each in data["times"])]:
        if ratio and not ratio["low"]:  # of a single pair no interval is known
            ratio.update(low=None, high=None)
    return {"runs": [run_as_data(one), run_as_data(other)], **data}
