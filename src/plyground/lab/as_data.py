"""Reports, runs and comparisons as plain data and short texts, in the same words for every face.

Knows no face, no store and no experiment.
"""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from plyground.core.errors import shorten
from plyground.lab.comparison import Comparison
from plyground.lab.report import Part, Report
from plyground.lab.run_info import RunInfo
from plyground.lab.spec import Cell
from plyground.lab.statistics import Estimate

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
        {"title": section.title, "parts": [_part_as_data(part) for part in section.parts]}
        for section in report.sections
    ]
    return {"summary": report.summary, "sections": _finite(sections)}


def _part_as_data(part: Part) -> dict[str, Any]:
    return {"kind": type(part).__name__.lower(), **asdict(part)}


def _finite(data: Any) -> Any:
    """JSON has no number for what is not known or has no bound."""
    if isinstance(data, dict):
        return {name: _finite(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def comparison_as_data(one: RunInfo, other: RunInfo, found: Comparison) -> dict[str, Any]:
    return {
        "runs": [run_as_data(one), run_as_data(other)],
        "common": found.common,
        "alone": list(found.alone),
        "different": [
            {"cell": each.cell.as_data(), "place": each.place, "values": list(each.values)}
            for each in found.different
        ],
        "time_ratio": _estimate_as_data(found.time_ratio) if found.time_ratio else None,
        "times": [
            {
                "task": each.task,
                "timed": each.timed,
                "cells": each.cells,
                "ratio": _estimate_as_data(each.ratio),
            }
            for each in found.times
        ],
        "parameters": {name: list(values) for name, values in found.parameters.items()},
        "versions": {name: list(values) for name, values in found.versions.items()},
        "machine": {name: list(values) for name, values in found.machine.items()},
    }


def _estimate_as_data(estimate: Estimate) -> dict[str, float | None]:
    """A ratio; of a single pair no interval is known."""
    is_known = estimate.low > 0
    return {
        "value": estimate.value,
        "low": estimate.low if is_known else None,
        "high": estimate.high if is_known else None,
    }
