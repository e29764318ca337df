"""`plyground lab`: experiments listed, run, reported and compared; and a user's own begun."""

from __future__ import annotations

import contextlib
import re
import shlex
import webbrowser
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from plyground.cli import lab_tables as tables
from plyground.cli import options
from plyground.cli.common import (
    INTERRUPTED,
    err,
    parse_settings,
    print_json,
    print_plain,
    spinning,
    write_example,
)
from plyground.cli.meter import NEWS_WIDTH, Meter
from plyground.cli.running import (
    as_job,
    interruptible,
    name_given,
    naming_options,
    open_workers,
    typed,
)
from plyground.core.errors import Unsupported, system_errors_as
from plyground.core.files import write_whole
from plyground.core.places import data_folder
from plyground.kernel import on_compiling
from plyground.lab.as_data import cell_text, comparison_as_data, report_as_data, run_as_data
from plyground.lab.catalogue import (
    USER_FILE,
    experiment_names,
    experiments,
    find_experiment,
    name_in,
)
from plyground.lab.comparison import compare
from plyground.lab.parameters import (
    check_parameters,
    options_for,
    parameters_as_data,
    read_parameters,
)
from plyground.lab.report import Report
from plyground.lab.run_info import RunInfo
from plyground.lab.run_results import (
    RunResults,
    find_results,
    known_name,
    parse_run,
    shipped_card,
    stored_results,
)
from plyground.lab.run_tables import maker_of
from plyground.lab.runner import Plan, Run, info_of, open_run, plan_of
from plyground.lab.spec import Experiment
from plyground.store.run_files import read_run
from plyground.store.runs import Runs
from plyground.store.shelter import open_store
from plyground.store.store import Store

DIFFERENT = 1  # exit status
AGAIN = "--again"

app = typer.Typer(
    name="lab",
    help="Repeat the experiments of published studies, and make your own.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

ExperimentArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME|FILE", help="An experiment, or the file of your own, .toml or .py."
    ),
]
RunArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="NAME for its newest finished run, NAME@3, 3, or NAME@shipped for the one that comes "
        "with Plyground.",
    ),
]
QuickOption = Annotated[bool, typer.Option("--quick", help="Smaller: seconds, not minutes.")]
JobsOption = Annotated[
    int,
    typer.Option(
        "--jobs", "-j", min=1, max=1024, help="Cells to measure at once; more disturb the times."
    ),
]
OutOption = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="The folder for the report.")
]


# ---------------------------------------------------------------------- what there is


@app.command("list")
def list_(store: options.Store = None, json: options.Json = False) -> None:
    """List the experiments: what became of the claims, and the last run of one's own."""
    with open_store(store) as opened:
        newest = {run.experiment: info_of(run) for run in reversed(Runs(opened).runs())}
        damaged = Runs(opened).damaged()
    listed = [
        tables.Listed(each, newest.get(each.name), shipped_card(each.name))
        for each in experiments()
    ]
    if json:
        print_json([tables.listed_as_data(each) for each in listed])
    else:
        tables.print_experiments(listed)
        tables.print_damaged(damaged)


@app.command()
def show(name: ExperimentArgument, with_: options.With = None, json: options.Json = False) -> None:
    """Show an experiment's question, where it comes from, and its parameters."""
    name_given([*_code(name), *(with_ or ())], None)
    experiment = find_experiment(name)
    plans = [Plan(experiment, read_parameters(experiment, quick, {})) for quick in (False, True)]
    cells, quick_cells = (len(plan.by_key) for plan in plans)
    if json:
        data = tables.experiment_as_data(experiment) | {"question": experiment.question}
        data["parameters"] = parameters_as_data(experiment)
        print_json(data | {"cells": cells, "quick_cells": quick_cells})
    else:
        tables.print_details(experiment, cells, quick_cells)
        print_plain(f"run it with: {_command('run', name, *naming_options(with_, None))}")


@app.command()
def runs(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Of this one only.")] = None,
    store: options.Store = None,
    json: options.Json = False,
) -> None:
    """List the runs there are, the newest first."""
    with open_store(store) as opened:
        known = Runs(opened)
        wanted = None if name is None else _experiment_name(name, opened)
        found = [info_of(run) for run in known.runs(wanted)]
        damaged = known.damaged(wanted)
    if json:
        broken = [{"name": run.name, **asdict(run)} for run in damaged]
        print_json([*(run_as_data(run) for run in found), *broken])
    else:
        tables.print_runs([(run, _options_of_run(run)) for run in found])
        tables.print_damaged(damaged)


@app.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="A file that is not there.")],
) -> None:
    """Write an example of an experiment of your own."""
    from plyground.lab.grid.file import EXAMPLE

    if file.suffix.lower() != USER_FILE:
        raise Unsupported(f"{file}: an experiment's file ends in {USER_FILE}")
    write_example(file, EXAMPLE)
    print_plain(f"wrote {file}; run it with: {_command('run', str(file))}")


# ---------------------------------------------------------------------- a run


@app.command()
def run(
    name: ExperimentArgument,
    quick: QuickOption = False,
    jobs: JobsOption = 1,
    cluster: options.Cluster = None,
    with_: options.With = None,
    engine: options.Engine = None,
    set_: options.Settings = None,
    store: options.Store = None,
    again: Annotated[
        bool, typer.Option(AGAIN, help="Measure anew, even what is measured.")
    ] = False,
    report: Annotated[bool, typer.Option(help="Write the report when all is measured.")] = True,
    out_: OutOption = None,
) -> None:
    """Measure an experiment, or resume it, and show what became of the claims."""
    name_given([*_code(name), *(with_ or ())], engine)
    experiment = find_experiment(name)
    plan = Plan(experiment, read_parameters(experiment, quick, parse_settings(set_ or [])), quick)
    plan.check()  # complaints come before anything is opened
    words = [word for word in typed() if word != AGAIN]  # it goes on, not again
    with contextlib.ExitStack() as stack:
        opened = stack.enter_context(open_store(store))
        workers = stack.enter_context(open_workers(jobs, cluster))
        facts = {"workers": workers.count} | ({"cluster": "yes"} if cluster else {})
        about = {"experiment": experiment.name, "store": opened.address, "quick": quick}
        begun = stack.enter_context(open_run(plan, opened, again, facts))
        about["run"] = begun.info.number
        job = stack.enter_context(as_job("lab", experiment.title, about, words))
        earlier = [] if again else Runs(opened).runs(digest=plan.digest)
        _announce(begun, [info_of(each) for each in earlier])
        meter = Meter(begun.info.cells, begun.info.measured, "cells", report=job.report)
        with on_compiling(meter.compiling), interruptible(workers, "cells", job), meter:
            for cell in begun.measure(workers):
                meter.advance(1, escape(cell_text(cell, NEWS_WIDTH)))
        if not begun.info.is_finished:
            if again and not begun.info.measured:
                job.report(words=typed())  # nothing is left of this run, so it must be begun again
            resume = _resuming(name, plan, naming_options(with_, engine), store)
            print_plain(f"{_progress(begun.info)}; go on with: {resume}", err)
            raise SystemExit(INTERRUPTED)
        results = stored_results(begun.info.number, opened)
        with spinning(err, _making):
            found = results.report(experiment)
        tables.print_outcome(results.info, found)
        if report:
            with spinning(err, _making):
                page = _write(experiment, found, results, out_, name)
            print_plain(f"report: {page}")


def _making(seconds: float) -> str:
    """While a report is made, which takes seconds where much was measured."""
    return f"making the report, {seconds:.0f} s"


def _announce(begun: Run[Any], same: Sequence[RunInfo]) -> None:
    """Say which run it is; and if none of those that measured the same could be resumed, why."""
    info = begun.info
    others = [run for run in same if run.number != info.number]
    if info.is_finished:
        when = f"{info.finished:%Y-%m-%d %H:%M}"
        line = f"{info.name} measured all this on {when} UTC; --again measures it anew"
    elif begun.is_new:
        line = f"{info.name}: {info.cells} cells"
        if others:
            changed = ", ".join(compare(info, others[0], {}, {}).versions)
            line += f"; {others[0].name} was measured with other versions ({changed})"
    else:
        line = f"{info.name} goes on: {_progress(info)}"
    print_plain(line, err)


def _progress(info: RunInfo) -> str:
    return f"{info.measured} of {info.cells} cells are measured"


# ---------------------------------------------------------------------- reports


@app.command()
def report(
    run: Annotated[
        str,
        typer.Argument(
            metavar="NAME|RUN",
            help="NAME for its newest finished run, or for the one that comes with Plyground if "
            "there is none; NAME@3; NAME@shipped.",
        ),
    ],
    out_: OutOption = None,
    with_: options.With = None,
    open_: Annotated[bool, typer.Option("--open", help="Show it in the browser.")] = False,
    store: options.Store = None,
    json: options.Json = False,
) -> None:
    """Write the report of a finished run: a page, Markdown, pictures and numbers."""
    name_given(with_, None)
    with open_store(store) as opened:
        results = _find(run, opened)
        info = results.info
        experiment = _experiment_of(run, info)
        if not info.is_finished:
            name, plan = parse_run(run)[0] or info.experiment, plan_of(experiment, info)
            resume = _resuming(name, plan, naming_options(with_, None), store)
            raise Unsupported(f"{info.name}: {_progress(info)}; `{resume}` goes on")
        with spinning(err, _making):
            found = results.report(experiment)
    if json:
        print_json({"run": run_as_data(info), **report_as_data(found)})
    if not json or out_ is not None or open_:
        with spinning(err, _making):
            page = _write(experiment, found, results, out_, run.rpartition("@")[0] or run)
        if not json:
            tables.print_outcome(info, found)
            print_plain(f"report: {page}")
        if open_:
            webbrowser.open(page.absolute().as_uri())


def _write(
    experiment: Experiment[Any], found: Report, run: RunResults, folder: Path | None, named: str
) -> Path:
    """Write a report, of an experiment that was named so, and return its page."""
    from plyground.lab.rendering.writing import write_report

    usual = re.sub(r"[^\w.-]+", "-", run.info.name)
    place = folder or data_folder() / "lab" / usual
    with system_errors_as(f"cannot write to {place}"):
        file = named if named.lower().endswith((USER_FILE, ".py")) else None
        return write_report(experiment, found, run.info, place, file, run.measurements).html


@app.command("compare")
def compare_(
    one: RunArgument,
    other: RunArgument,
    store: options.Store = None,
    json: options.Json = False,
) -> None:
    """Compare two runs: whether they have the same answers, and which was faster.

    Status 1 if an answer differs.
    """
    with open_store(store) as opened:
        runs = _find(one, opened), _find(other, opened)
        first, second = (each.info for each in runs)
        if first.experiment != second.experiment:
            raise Unsupported(
                f"{first.name} and {second.name} are runs of different experiments; "
                "give two runs of the same"
            )
        found = compare(first, second, *(each.cells for each in runs))
    if json:
        print_json(comparison_as_data(first, second, found))
    else:
        tables.print_comparison(first, second, found)
    if found.different:
        raise SystemExit(DIFFERENT)


@app.command()
def export(
    run: RunArgument,
    file: Annotated[
        Path,
        typer.Argument(
            help="Its ending says what: .jsonl.gz for other stores, .csv .json .parquet as a table."
        ),
    ],
    store: options.Store = None,
) -> None:
    """Write a run with all that was measured to a file, for other stores or as a table."""
    make = maker_of(file.name)
    with open_store(store) as opened:
        found = _find(run, opened)
        with system_errors_as(f"cannot write {file}"):
            write_whole(file, make(found))
    print_plain(f"{found.info.name}, {found.info.measured} cells: {file}")


@app.command("import")
def import_(
    files: Annotated[list[Path], typer.Argument(metavar="FILE.jsonl.gz", help="From `export`.")],
    store: options.Store = None,
) -> None:
    """Take runs from files; what is there already stays."""
    read = [(file, read_run(file)) for file in files]
    with open_store(store) as opened:
        known = Runs(opened)
        for file, whole in read:
            number, is_new = known.take(whole)
            state = "taken over" if is_new else "was there already"
            print_plain(f"{file}: {info_of(known.run(number)).name} {state}")


# ---------------------------------------------------------------------- what was meant


def _find(text: str, store: Store) -> RunResults:
    """The run that was named, its experiment perhaps by its file."""
    called, _ = parse_run(text)
    return find_results(text, store, _experiment_name(called, store) if called else "")


def _experiment_name(text: str, store: Store) -> str:
    """The name of the experiment that is meant, also of one of which only runs are left."""
    if _code(text):
        name_given(_code(text), None)
        return find_experiment(text).name
    if text.lower().endswith(USER_FILE):
        return name_in(text)
    return known_name(text, store)


def _code(name: str) -> list[str]:
    """The Python file that an argument names, if it does."""
    return [name] if name.endswith(".py") else []


def _experiment_of(text: str, info: RunInfo) -> Experiment[Any]:
    """The experiment of a run, in the file that was named if it is a user's own."""
    name, _ = parse_run(text)
    if name.lower().endswith(USER_FILE):
        return find_experiment(name)
    if info.experiment not in experiment_names():
        raise Unsupported(
            f"{info.name} is of an experiment of your own; name its file: --with FILE.py, or "
            f"FILE.toml@{info.number}"
        )
    return find_experiment(info.experiment)


# ---------------------------------------------------------------------- commands to copy


def _command(*words: str) -> str:
    return shlex.join(["plyground", "lab", *words])


def _resuming(name: str, plan: Plan[Any], named: Sequence[str], store: str | None) -> str:
    """The command that goes on with a run, with what was named for it."""
    options = options_for(plan.experiment, plan.parameters, plan.is_quick)
    return _command("run", name, *options, *named, *(["--store", store] if store else []))


def _options_of_run(info: RunInfo) -> str:
    """The options that a run was asked for with, as far as its experiment is known."""
    if info.experiment not in experiment_names():
        return "--quick" if info.is_quick else ""
    experiment = find_experiment(info.experiment)
    try:
        parameters = check_parameters(experiment, info.parameters)
        return shlex.join(options_for(experiment, parameters, info.is_quick))
    except Unsupported:
        return "of an older version"
