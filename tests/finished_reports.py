"""The reports in docs/experiments, made from the runs that come with the package.

    python tests/finished_reports.py                 write all reports and cards again
    python tests/finished_reports.py STORE NAME...   first ship the newest full runs of a store

A store must hold a quick run too: how long it took is shown beside it. A report is `NAME.md` with
the tables and pictures in `NAME/`; `test_finished_reports.py` holds that text and tables say what
the runs say.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plyground.lab.catalogue import experiment_names, find_experiment
from plyground.lab.rendering.charts import data_inside
from plyground.lab.rendering.markdown import document
from plyground.lab.rendering.names import named_charts, named_tables, place
from plyground.lab.rendering.numbers import table_csv
from plyground.lab.rendering.words import MARKS, command
from plyground.lab.rendering.writing import write_report
from plyground.lab.report import Report, Verdict
from plyground.lab.run_info import RunInfo
from plyground.lab.run_results import ship, shipped_card, shipped_results, stored_results, tally
from plyground.lab.spec import Experiment
from plyground.store.runs import Runs
from plyground.store.store import Store

FOLDER = Path(__file__).parent.parent / "docs" / "experiments"
INDEX = "README.md"
OPENING = """\
# Finished experiments

See which published claims hold: every experiment of the lab, run in full.

Each report is made from the run that comes with Plyground: `plyground lab report NAME` shows it,
and `plyground lab run NAME` measures it anew. Answers are the same on every machine; times
(marked ⏱ in the reports) are those of two shared cores.
What was tried along the way, failures too, is in the [log](LOG.md).

| | question | reproduced | in direction | contradicted | cannot be decided |
|---|---|---|---|---|---|
"""


def names() -> list[str]:
    """The experiments whose runs are shipped."""
    return [name for name in experiment_names() if shipped_card(name)]


def finished(name: str) -> tuple[Experiment[Any], RunInfo, Report]:
    """A shipped run and its report."""
    results, experiment = shipped_results(name), find_experiment(name)
    return experiment, results.info, results.report(experiment)


def texts(experiment: Experiment[Any], info: RunInfo, report: Report) -> Iterator[tuple[str, str]]:
    """The files of a report that are the same whatever draws the pictures."""
    sections = place(report)
    name, charts = experiment.name, named_charts(sections)
    data = [each for each, chart in charts if data_inside(chart.spec)]
    data += [each for each, _ in named_tables(sections)]
    files = {f"{each}.csv" for each in data}
    known = {"experiment": experiment, "report": report, "sections": sections, "info": info}
    repeat = command(experiment, info, name)
    yield f"{name}.md", document(folder=name, repeat=repeat, files=files, **known)
    for table_name, table in named_tables(sections):
        yield f"{name}/{table_name}.csv", table_csv(table)


def index(reports: list[tuple[Experiment[Any], Report]]) -> str:
    """The page that leads to all reports, with what each has found."""
    rows, summaries = [], []
    for experiment, report in reports:
        counts = tally(report)
        told = " | ".join(f"{MARKS[v]} {counts[v]}" if counts[v] else "" for v in Verdict)
        rows.append(
            f"| [{experiment.title}]({experiment.name}.md) | {experiment.question} | {told} |"
        )
        summaries.append(f"## {experiment.title}\n\n{report.summary}\n")
    return OPENING + "\n".join(rows) + "\n\n" + "\n".join(summaries)


def write_all() -> None:
    """Write every card, every report and the index."""
    for name in names():
        card = shipped_card(name)
        assert card
        ship(shipped_results(name), card.quick_seconds)
    found = [finished(name) for name in names()]
    for experiment, info, report in found:
        shutil.rmtree(FOLDER / experiment.name, ignore_errors=True)
        written = write_report(experiment, report, info, FOLDER)
        written.html.unlink()
        for path in written.files:
            if path.suffix in (".png", ".parquet"):  # the same as SVG and CSV beside it
                path.unlink()
        for file, text in texts(experiment, info, report):
            (FOLDER / file).write_text(text, encoding="utf-8")
    (FOLDER / INDEX).write_text(index([(each, report) for each, _, report in found]))


def take(address: str, wanted: list[str]) -> None:
    """Ship the newest finished runs of a store."""
    with Store(address) as store:
        for name in wanted:
            runs = [run for run in Runs(store).runs(name) if run.finished]
            full = next(run for run in runs if not run.is_quick)
            quick = next(run for run in runs if run.is_quick)
            ship(stored_results(full.id, store), quick.seconds)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        take(sys.argv[1], sys.argv[2:])
    write_all()
