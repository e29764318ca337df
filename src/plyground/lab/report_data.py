"""A report as plain data, for programs: each part with its kind. Knows no format of pages."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from plyground.lab.report import Part, Report


def report_as_data(report: Report) -> dict[str, Any]:
    """The whole report, ready for JSON."""
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
