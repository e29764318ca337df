"""What is told about a run beside its numbers: which one it was, when, on what machine.

Knows no store, no experiment and no format of reports.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

SHIPPED = "shipped"


@dataclass(frozen=True)
class RunInfo:
    """One run of an experiment."""

    number: int
    """Unique in its store; 0 for the run that comes with the package."""
    experiment: str
    digest: str
    """Of the experiment's name, its parameters and its cells: equal digests measure the same."""
    parameters: Mapping[str, Any]
    is_quick: bool
    """Whether it was asked for with the quick parameters."""
    started: datetime
    """With its time zone, as all moments here."""
    finished: datetime | None
    """When the last cell was measured; None while some are missing."""
    cells: int
    """All there are."""
    measured: int
    """Those that are done."""
    seconds: float
    """Of work in all cells, on however many workers."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """plyground, python, numpy, numba; code is a digest of the sources that measured."""
    machine: Mapping[str, Any] = field(default_factory=dict)
    """Of the one that began the run: processor, cores, memory_bytes, system, load (of the last
    minute, before), workers (at the same time) and, on other machines than this, cluster."""

    @property
    def name(self) -> str:
        """How it is asked for, as in `connect4-mtdf@3`."""
        return f"{self.experiment}@{self.number or SHIPPED}"

    @property
    def is_finished(self) -> bool:
        return self.finished is not None
