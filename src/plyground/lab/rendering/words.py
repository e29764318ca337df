"""What every report says in the same words: headings, marks of verdicts, and how it was run.

Knows no format.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from plyground.lab.parameters import as_text, check_parameters, options_for
from plyground.lab.report import Claim, Verdict
from plyground.lab.run_info import RunInfo
from plyground.lab.spec import Experiment

CLAIMS = "What became of the claims"
RUN = "How it was run"
MEANINGS_OF = "What the verdicts mean"
REPEAT = "To measure the same again:"
MEASURED = "All that was measured, a row for each measurement:"
DIFFERS = "differs from run to run"
MARKS = {
    Verdict.REPRODUCED: "\N{CHECK MARK}",
    Verdict.IN_DIRECTION: "\N{ALMOST EQUAL TO}",
    Verdict.CONTRADICTED: "\N{MULTIPLICATION X}",
    Verdict.NOT_TESTABLE: "?",
}


def told(claim: Claim) -> list[tuple[str, str]]:
    """What a claim rests on."""
    published = f"{claim.published} ({claim.place})" if claim.place else claim.published
    parts = [("Published", published), ("Ours", claim.ours), ("Rule", claim.rule)]
    parts += [("Why", claim.reason), ("Note", claim.note)]
    return [(name, text) for name, text in parts if text]


def notices(info: RunInfo) -> Iterator[str]:
    """What a reader must know before the numbers."""
    if not info.is_finished:
        yield f"This run is not finished: {info.measured} of {info.cells} cells are measured."
    if info.is_quick:
        yield (
            "Quick parameters: they answer in seconds, with few repetitions and at low depth. "
            "Conclusions need the full run."
        )


def parameters(experiment: Experiment[Any], info: RunInfo) -> list[tuple[str, str, str]]:
    """Each parameter with its value and what it means."""
    fields = experiment.parameters.model_fields
    return [
        (name, as_text(info.parameters[name], field), field.description or "")
        for name, field in fields.items()
        if name in info.parameters
    ]


def command(experiment: Experiment[Any], info: RunInfo, asked_as: str) -> str:
    """What one types to measure the same again."""
    chosen = check_parameters(experiment, info.parameters)
    options = options_for(experiment, chosen, info.is_quick)
    return shlex.join(["plyground", "lab", "run", asked_as, *options])


def facts(info: RunInfo) -> list[tuple[str, str]]:
    """When, for how long, with what and where."""
    cells = f"{info.cells:,}"
    if info.measured != info.cells:
        cells = f"{info.measured:,} of {cells} measured"
    known = [
        ("Run", info.name),
        ("Started", _moment(info.started)),
        ("Finished", _moment(info.finished) if info.finished else "not yet"),
        ("Cells", cells),
        ("Work in all cells", _duration(info.seconds)),
        ("Versions", ", ".join(f"{name} {number}" for name, number in info.versions.items())),
        ("Machine", _machine(info.machine)),
        ("Digest", info.digest),
    ]
    return [(name, value) for name, value in known if value]


def _moment(when: datetime) -> str:
    return f"{when.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def _machine(machine: Mapping[str, Any]) -> str:
    told = {name: f"{name} {value}" for name, value in machine.items()}
    told |= {name: str(machine[name]) for name in ("processor", "system") if name in machine}
    if "memory_bytes" in machine:
        told["memory_bytes"] = f"memory {machine['memory_bytes'] / 2**30:.1f} GiB"
    return ", ".join(told.values())
