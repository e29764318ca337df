"""The lab in tests: the toy experiment in the catalogue, held, run as a process, and compared."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from command_line import environment
from match_tools import Command
from patience import until

from plyground.lab import study
from plyground.lab.document import judge
from plyground.lab.frames import Measurements
from plyground.lab.report import Claim, Report, Verdict
from plyground.lab.spec import Cell, Experiment, Measured, Parameters

TESTS = Path(__file__).parent
CATALOGUE = TESTS / "lab" / "catalogue"
PLAIN = {"NUMBA_DISABLE_JIT": "1"}  # for so little work the compiler would take too long


class Held:
    """The steps of a folder, as far as workers have begun them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)

    def hold(self, number: int) -> None:
        Path(self.folder, f"hold-{number}").touch()

    def let_go(self, number: int) -> None:
        Path(self.folder, f"hold-{number}").unlink()

    def wait(self, number: int) -> None:
        """Until somebody waits in this step."""
        until(Path(self.folder, f"waiting-{number}").exists)

    @property
    def begun(self) -> list[int]:
        """The steps that were begun, in their order."""
        path = Path(self.folder, "begun")
        return [int(line) for line in path.read_text().split()] if path.exists() else []


class LabCommand(Command):
    """`plyground lab` as a process of its own that knows the toy."""

    def __init__(self, *arguments: str | Path, **changes: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, TESTS / "lab_program.py", "lab", *map(str, arguments)],
            env=environment(**PLAIN, **changes),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
        self.said = ""


def measured(
    experiment: Experiment[Any], parameters: Parameters, measure: Any = Cell.measure
) -> Measurements:
    """All cells, measured here and now."""
    return Measurements((cell, measure(cell)) for cell in experiment.cells(parameters))


def measured_again(run: Measurements, wanted: Callable[[Mapping[str, Any]], bool]) -> int:
    """How many cells have such arguments; measured anew, each must have the same answer."""
    again = [(cell, found) for cell, found in run if wanted(cell.arguments)]
    for cell, found in again:
        assert cell.measure().answer == found.answer
    return len(again)


def verdict_of(experiment: Experiment[Any], claim: str, **findings: Any) -> Verdict:
    """What becomes of a claim of a study if this is what was found."""
    return judged(experiment, claim, **findings).verdict


def judged(experiment: Experiment[Any], claim: str, **findings: Any) -> Claim:
    """The same with its reason; what only its words need may be missing from the findings."""
    assert experiment.published is not None
    data = experiment.published.claims[claim]
    bare = data.model_copy(update={"told": "", "printed": "", "note": ""})
    study = replace(experiment.published, claims={claim: bare})
    return judge(claim, study, findings)


def check_times_decide_nothing_else(
    experiment: Experiment[Any], parameters: Parameters, run: Measurements
) -> tuple[Report, Report]:
    """On a machine where everything takes another time all is the same but what is marked as timed.

    Returns the reports of both.
    """
    chance, changed = random.Random(1), []
    for cell, found in run:
        times = {name: [chance.random() for _ in each] for name, each in found.times_s.items()}
        changed.append((cell, Measured(found.answer, times)))
    before = study.report(experiment, parameters, run)
    after = study.report(experiment, parameters, Measurements(changed))
    _check_equal_but_times(before, after)
    return before, after


def _check_equal_but_times(before: Report, after: Report) -> None:
    assert before.summary == after.summary
    for one, other in zip(before.claims, after.claims, strict=True):
        assert one.is_timed or one == other
    for mine, yours in zip(before.tables, after.tables, strict=True):
        for place, column in enumerate(mine.columns):
            if not column.is_timed:
                assert [row[place] for row in mine.rows] == [row[place] for row in yours.rows]


def untimed(report: dict[str, Any]) -> Any:
    """A report as data without what clocks have measured, and without the run it is of."""
    return {"summary": report["summary"], "sections": _untimed(report["sections"])}


def _untimed(data: Any) -> Any:
    if isinstance(data, list):
        return [_untimed(each) for each in data]
    if not isinstance(data, dict):
        return data
    if "columns" in data:
        kept = [place for place, column in enumerate(data["columns"]) if not column["is_timed"]]
        return data | {"rows": [[row[place] for place in kept] for row in data["rows"]]}
    return {name: _untimed(value) for name, value in data.items()}
