"""What `plyground lab` prints: lists, claims with verdicts, comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from rich.markdown import Markdown
from rich.markup import escape
from rich.padding import Padding

from plyground.cli.common import out, print_plain, print_table
from plyground.core.errors import shorten
from plyground.lab.as_data import cell_text, run_as_data
from plyground.lab.comparison import Change, Comparison
from plyground.lab.parameters import parameters_as_data
from plyground.lab.rendering.words import MARKS
from plyground.lab.report import Report, Verdict
from plyground.lab.run_info import RunInfo
from plyground.lab.run_results import ShippedCard
from plyground.lab.spec import Experiment
from plyground.lab.statistics import Estimate
from plyground.store.runs import DamagedRun

SHOWN_DIFFERENCES = 10
INDENT = 4
COLOURS = {
    Verdict.REPRODUCED: "green",
    Verdict.IN_DIRECTION: "yellow",
    Verdict.CONTRADICTED: "red",
    Verdict.NOT_TESTABLE: "dim",
}


# ---------------------------------------------------------------------- experiments


class Listed(NamedTuple):
    """An experiment in a list."""

    experiment: Experiment[Any]
    last: RunInfo | None
    shipped: ShippedCard | None


def print_experiments(listed: Sequence[Listed]) -> None:
    """A line for each, with what became of its claims and its last run."""
    rows = []
    for experiment, last, shipped in listed:
        source = experiment.source
        named = escape(f"{source.authors} ({source.year})") if source else ""
        verdicts = _tally(shipped.verdicts) if shipped else ""
        rows.append((experiment.name, escape(experiment.title), named, verdicts, _last_run(last)))
    print_table(("name", "title", "source", "claims", "your last run"), rows)
    out.print(", ".join(f"[{COLOURS[each]}]{MARKS[each]}[/] {each}" for each in Verdict))
    out.print("[dim]`plyground lab report NAME` shows what we found, `... run NAME` repeats it[/]")


def _tally(verdicts: Mapping[str, int]) -> str:
    return " ".join(
        f"[{COLOURS[each]}]{MARKS[each]}[/]{verdicts[each]}"
        for each in Verdict
        if verdicts.get(each)
    )


def listed_as_data(listed: Listed) -> dict[str, Any]:
    """The same for programs."""
    experiment, last, shipped = listed
    card = asdict(shipped) | {"finished": shipped.finished.isoformat()} if shipped else None
    last_run = run_as_data(last) if last else None
    return {**experiment_as_data(experiment), "last_run": last_run, "shipped": card}


def _last_run(run: RunInfo | None) -> str:
    if run is None:
        return ""
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
    for row in parameters_as_data(experiment):
        quick = f"  [dim]with --quick[/] {escape(row['quick'])}"
        is_other = row["quick"] != row["default"]
        out.print(f"[bold]{row['name']}[/]={escape(row['default'])}{quick if is_other else ''}")
        what = f"{escape(row['description'])} [dim]({escape(row['allowed'])})[/]"
        out.print(Padding(what, (0, 0, 0, INDENT)))
    out.print()
    out.print(f"{cells} cells to measure; {quick_cells} with --quick")


def experiment_as_data(experiment: Experiment[Any]) -> dict[str, Any]:
    source = str(experiment.source) if experiment.source else None
    return {"name": experiment.name, "title": experiment.title, "source": source}


# ---------------------------------------------------------------------- runs


def print_runs(listed: Sequence[tuple[RunInfo, str]]) -> None:
    """A line for each, with the options it was asked for with."""
    if not listed:
        out.print("no runs yet; `plyground lab list` lists the experiments")
        return
    rows = []
    for run, options in listed:
        cells = str(run.cells) if run.is_finished else f"{run.measured} of {run.cells}"
        started, work = f"{run.started:%Y-%m-%d %H:%M}", _duration(run.seconds)
        rows.append((escape(run.name), started, cells, work, escape(options)))
    titles = ("run", "started (UTC)", "cells", "work", "options")
    print_table(titles, rows, right=("cells", "work"))


def print_damaged(found: Sequence[DamagedRun]) -> None:
    """A line for each run that cannot be read."""
    for run in found:
        out.print(f"[red]damaged[/] {escape(run.name)}: {escape(run.problem)}", soft_wrap=True)


def _duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds / 60:.1f} min"


def print_outcome(run: RunInfo, report: Report) -> None:
    """What came out, in a few lines."""
    work = f"{run.cells} cells, {_duration(run.seconds)} of work"
    out.print(f"[bold]{escape(run.name)}[/]: {work}", soft_wrap=True)
    out.print(Markdown(report.summary))
    if not report.claims:
        return
    rows = []
    for claim in report.claims:
        timed = " [dim](by time)[/]" if claim.is_timed else ""
        rows.append((escape(claim.text), f"[{COLOURS[claim.verdict]}]{claim.verdict}[/]{timed}"))
    out.print()
    print_table(("claim", "verdict"), rows)
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
    first, second = _readable(one.machine), _readable(other.machine)
    machine = {name: (first.get(name, ""), second.get(name, "")) for name in {**first, **second}}
    _print_changes("machine", names, machine)


def _print_answers(found: Comparison) -> None:
    if not found.common:
        return
    if not found.different:
        out.print("[green]all answers are equal[/]")
        return
    out.print(f"[red]{len(found.different)} of {found.common} answers differ:[/]")
    for each in found.different[:SHOWN_DIFFERENCES]:
        first, second = (shorten(str(value), 30) for value in each.values)
        print_plain(f"  {cell_text(each.cell)}: {each.place} is {first}, and {second}")
    if len(found.different) > SHOWN_DIFFERENCES:
        out.print(f"  and {len(found.different) - SHOWN_DIFFERENCES} more")


def _print_times(names: tuple[str, str], found: Comparison) -> None:
    if found.time_ratio is None:
        return
    out.print(f"times of {names[0]} over those of {names[1]}: {_ratio(found.time_ratio)}")
    rows = []
    for each in found.times:
        task = escape(each.task.partition(":")[2])
        rows.append((task, escape(each.timed), str(each.cells), _ratio(each.ratio)))
    print_table(("task", "timed", "cells", "ratio"), rows, right=("cells",))


def _ratio(estimate: Estimate) -> str:
    """One cell alone has no interval."""
    return f"{estimate.value:.3g}" if estimate.low == 0 else str(estimate)


def _print_changes(what: str, names: tuple[str, str], changes: Mapping[str, Change]) -> None:
    if changes:
        rows = [[escape(str(each)) for each in (name, *both)] for name, both in changes.items()]
        print_table((what, *names), rows)


def _readable(machine: Mapping[str, Any]) -> dict[str, Any]:
    """With sizes in GiB."""
    return {
        name.removesuffix("_bytes"): f"{value / 2**30:.1f} GiB"
        if name.endswith("_bytes")
        else value
        for name, value in machine.items()
    }
