"""What `plyground lab` prints: lists, claims with verdicts, comparisons; and the same as data.

Decides nothing, and reads no store.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.markdown import Markdown
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from plyground.cli.common import out
from plyground.core.errors import shorten
from plyground.lab.as_data import cell_text, run_as_data
from plyground.lab.comparison import Change, Comparison
from plyground.lab.parameters import allowed, as_text, read_parameters
from plyground.lab.report import Report, Verdict
from plyground.lab.run_info import RunInfo
from plyground.lab.spec import Experiment
from plyground.lab.statistics import Estimate
from plyground.store.runs import DamagedRun

SHOWN_DIFFERENCES = 10
INDENT = 4
NEWS_WIDTH = 32  # of a cell, beside a bar
COLOURS = {
    Verdict.REPRODUCED: "green",
    Verdict.IN_DIRECTION: "yellow",
    Verdict.CONTRADICTED: "red",
    Verdict.NOT_TESTABLE: "dim",
}


def _table(*columns: str, right: Iterable[str] = ()) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in columns:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    return table


# ---------------------------------------------------------------------- experiments


def print_experiments(listed: Sequence[tuple[Experiment[Any], RunInfo | None]]) -> None:
    """A line for each, with its last run."""
    table = _table("name", "title", "source", "last run")
    for experiment, last in listed:
        source = experiment.source
        table.add_row(
            experiment.name,
            escape(experiment.title),
            escape(f"{source.authors} ({source.year})") if source else "",
            "" if last is None else _last_run(last),
        )
    out.print(table)
    out.print("[dim]`plyground lab show NAME` tells more, `plyground lab run NAME` runs it[/]")


def _last_run(run: RunInfo) -> str:
    size = "quick, " if run.is_quick else ""
    state = f"{run.finished:%Y-%m-%d}" if run.finished else f"{run.measured} of {run.cells} cells"
    return f"{run.number}: {size}{state}"


def print_details(experiment: Experiment[Any], cells: int, quick_cells: int) -> None:
    """All that is to be known before a run."""
    out.print(f"[bold]{experiment.name}[/]: {escape(experiment.title)}", soft_wrap=True)
    out.print(escape(experiment.question))
    if experiment.source:
        out.print(f"[dim]after {escape(str(experiment.source))}[/]")
    out.print()
    for row in _parameters(experiment):
        quick = f"  [dim]with --quick[/] {escape(row['quick'])}"
        is_other = row["quick"] != row["default"]
        out.print(f"[bold]{row['name']}[/]={escape(row['default'])}{quick if is_other else ''}")
        what = f"{escape(row['description'])} [dim]({escape(row['allowed'])})[/]"
        out.print(Padding(what, (0, 0, 0, INDENT)))
    out.print()
    out.print(f"{cells} cells to measure; {quick_cells} with --quick")


def _parameters(experiment: Experiment[Any]) -> list[dict[str, str]]:
    usual, quick = (read_parameters(experiment, is_quick, {}) for is_quick in (False, True))
    return [
        {
            "name": name,
            "default": as_text(getattr(usual, name), field),
            "quick": as_text(getattr(quick, name), field),
            "allowed": allowed(field),
            "description": field.description or "",
        }
        for name, field in experiment.parameters.model_fields.items()
    ]


def experiment_as_data(experiment: Experiment[Any], last: RunInfo | None) -> dict[str, Any]:
    return {
        "name": experiment.name,
        "title": experiment.title,
        "source": str(experiment.source) if experiment.source else None,
        "last_run": run_as_data(last) if last else None,
    }


def details_as_data(experiment: Experiment[Any], cells: int, quick_cells: int) -> dict[str, Any]:
    return {
        "name": experiment.name,
        "title": experiment.title,
        "question": experiment.question,
        "source": str(experiment.source) if experiment.source else None,
        "parameters": _parameters(experiment),
        "cells": cells,
        "quick_cells": quick_cells,
    }


# ---------------------------------------------------------------------- runs


def print_runs(listed: Sequence[tuple[RunInfo, str]]) -> None:
    """A line for each, with the options it was asked for with."""
    if not listed:
        out.print("no runs yet; `plyground lab list` lists the experiments")
        return
    table = _table("run", "started (UTC)", "cells", "work", "options", right=("cells", "work"))
    for run, options in listed:
        table.add_row(
            escape(run.name),
            f"{run.started:%Y-%m-%d %H:%M}",
            str(run.cells) if run.is_finished else f"{run.measured} of {run.cells}",
            _duration(run.seconds),
            escape(options),
        )
    out.print(table)


def print_damaged(found: Sequence[DamagedRun]) -> None:
    """A line for each run that cannot be read."""
    for run in found:
        out.print(f"[red]damaged[/] {escape(run.name)}: {escape(run.problem)}", soft_wrap=True)


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.1f} min"


def print_outcome(run: RunInfo, report: Report) -> None:
    """What came out, in a few lines."""
    work = f"{run.cells} cells, {_duration(run.seconds)} of work"
    out.print(f"[bold]{escape(run.name)}[/]: {work}", soft_wrap=True)
    out.print(Markdown(report.summary))
    if not report.claims:
        return
    table = _table("claim", "verdict")
    for claim in report.claims:
        colour = COLOURS[claim.verdict]
        timed = " [dim](by time)[/]" if claim.is_timed else ""
        table.add_row(escape(claim.text), f"[{colour}]{claim.verdict}[/]{timed}")
    out.print()
    out.print(table)
    out.print()


# ---------------------------------------------------------------------- comparisons


def print_comparison(one: RunInfo, other: RunInfo, found: Comparison) -> None:
    """Answers first, then times, then what may explain either."""
    names = escape(one.name), escape(other.name)
    out.print(
        f"{found.common} cells in common; only in {names[0]}: {found.alone[0]}, "
        f"only in {names[1]}: {found.alone[1]}",
        soft_wrap=True,
    )
    _print_answers(found)
    _print_times(names, found)
    _print_changes("parameter", names, found.parameters)
    _print_changes("version", names, found.versions)
    _print_changes("machine", names, _both(one.machine, other.machine))


def _print_answers(found: Comparison) -> None:
    if not found.common:
        return
    if not found.different:
        out.print("[green]all answers are equal[/]")
        return
    out.print(f"[red]{len(found.different)} of {found.common} answers differ:[/]")
    for each in found.different[:SHOWN_DIFFERENCES]:
        first, second = (shorten(str(value), 30) for value in each.values)
        line = f"  {cell_text(each.cell)}: {each.place} is {first}, and {second}"
        out.print(line, markup=False, soft_wrap=True)
    if len(found.different) > SHOWN_DIFFERENCES:
        out.print(f"  and {len(found.different) - SHOWN_DIFFERENCES} more")


def _print_times(names: tuple[str, str], found: Comparison) -> None:
    if found.time_ratio is None:
        return
    out.print(f"times of {names[0]} over those of {names[1]}: {_ratio(found.time_ratio)}")
    table = _table("task", "timed", "cells", "ratio", right=("cells",))
    for each in found.times:
        task = each.task.partition(":")[2]
        table.add_row(escape(task), escape(each.timed), str(each.cells), _ratio(each.ratio))
    out.print(table)


def _ratio(estimate: Estimate) -> str:
    """One cell alone has no interval."""
    if estimate.low == 0:
        return f"{estimate.value:.3g}"
    return str(estimate)


def _print_changes(what: str, names: tuple[str, str], changes: Mapping[str, Change]) -> None:
    if changes:
        table = _table(what, *names)
        for name, values in changes.items():
            table.add_row(escape(name), *[escape(str(value)) for value in values])
        out.print(table)


def _both(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Change]:
    first, second = (_readable(machine) for machine in (one, other))
    return {name: (first.get(name, ""), second.get(name, "")) for name in {**first, **second}}


def _readable(machine: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name.removesuffix("_bytes"): f"{value / 2**30:.1f} GiB"
        if name.endswith("_bytes")
        else value
        for name, value in machine.items()
    }
