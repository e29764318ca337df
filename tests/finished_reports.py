"""The reports in docs/experiments, made from the runs that are kept beside them.

    python tests/finished_reports.py                 write all reports again
    python tests/finished_reports.py STORE NAME...   first take the newest runs of a store

A run is kept as `NAME.jsonl.gz`; its report is `NAME.md` with the tables and pictures in `NAME/`.
`test_finished_reports.py` holds that text and tables say what the runs say.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plyground.lab.catalogue import find_experiment
from plyground.lab.rendering.markdown import document
from plyground.lab.rendering.names import named_tables, place
from plyground.lab.rendering.numbers import table_csv
from plyground.lab.rendering.words import MARKS, command
from plyground.lab.rendering.writing import write_report
from plyground.lab.report import Claim, Report, Verdict
from plyground.lab.run_info import RunInfo
from plyground.lab.runner import info_of, report_of
from plyground.lab.spec import Experiment
from plyground.store.run_files import read_run, write_run
from plyground.store.runs import Runs
from plyground.store.store import Store

FOLDER = Path(__file__).parent.parent / "docs" / "experiments"
INDEX = "README.md"
ENDING = ".jsonl.gz"
OPENING = """\
# Finished experiments

See which published claims hold: every experiment of the lab, run in full.

Each report is made from the run beside it, which
`plyground lab import` reads; `plyground lab run NAME` measures it anew. Answers are the same on
every machine; times (marked ⏱ in the reports) are those of two shared cores.
What was tried along the way, failures too, is in the [log](LOG.md).

| | question | reproduced | in direction | contradicted | cannot be tested |
|---|---|---|---|---|---|
"""
VERDICTS = (Verdict.REPRODUCED, Verdict.IN_DIRECTION, Verdict.CONTRADICTED, Verdict.NOT_TESTABLE)


def names() -> list[str]:
    """The experiments whose runs are kept."""
    return sorted(path.name.removesuffix(ENDING) for path in FOLDER.glob(f"*{ENDING}"))


def finished(name: str) -> tuple[Experiment[Any], RunInfo, Report]:
    """A kept run and its report."""
    with tempfile.TemporaryDirectory() as folder, Store(str(Path(folder, "runs.db"))) as store:
        number, _ = Runs(store).take(read_run(FOLDER / (name + ENDING)))
        info, experiment = info_of(Runs(store).run(number)), find_experiment(name)
        return experiment, info, report_of(experiment, info, store)


def texts(experiment: Experiment[Any], info: RunInfo, report: Report) -> Iterator[tuple[str, str]]:
    """The files of a report that are the same whatever draws the pictures."""
    sections = place(report)
    repeat = command(experiment, info, experiment.name)
    name = experiment.name
    yield f"{name}.md", document(experiment, report, sections, name, info, repeat)
    for table_name, table in named_tables(sections):
        yield f"{name}/{table_name}.csv", table_csv(table)


def index(reports: list[tuple[Experiment[Any], Report]]) -> str:
    """The page that leads to all reports, with what each has found."""
    rows, summaries = [], []
    for experiment, report in reports:
        claims = [p for section in report.sections for p in section.parts if isinstance(p, Claim)]
        counts = Counter(claim.verdict for claim in claims)
        told = " | ".join(f"{MARKS[v]} {counts[v]}" if counts[v] else "" for v in VERDICTS)
        rows.append(
            f"| [{experiment.title}]({experiment.name}.md) | {experiment.question} | {told} |"
        )
        summaries.append(f"## {experiment.title}\n\n{report.summary}\n")
    return OPENING + "\n".join(rows) + "\n\n" + "\n".join(summaries)


def write_all() -> None:
    """Write every report and the index."""
    found = [finished(name) for name in names()]
    for experiment, info, report in found:
        shutil.rmtree(FOLDER / experiment.name, ignore_errors=True)
        written = write_report(experiment, report, info, FOLDER)
        written.html.unlink()
        for path in written.files:
            if path.suffix == ".png":  # the same as the SVG beside it
                path.unlink()
    (FOLDER / INDEX).write_text(index([(each, report) for each, _, report in found]))


def take(address: str, wanted: list[str]) -> None:
    """Keep the newest finished runs of a store."""
    with Store(address) as store:
        runs = Runs(store)
        for name in wanted:
            newest = next(run for run in runs.runs(name) if run.finished and not run.is_quick)
            write_run(runs.whole(newest.id), FOLDER / (name + ENDING))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        take(sys.argv[1], sys.argv[2:])
    write_all()
