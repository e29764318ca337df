"""`plyground jobs`: long runs, begun here or in the web app, listed, stopped and resumed."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.markup import escape

from plyground.cli import options
from plyground.cli.common import out, print_json, print_plain, print_table
from plyground.core.errors import Unsupported
from plyground.core.json_text import presentable
from plyground.work.job_process import ENVIRONMENT, PROGRAM
from plyground.work.jobs import Job, ask, find_job, jobs, prepare_to_resume

SHOWN = 20
COLOURS = {
    "running": "green",
    "failed": "red",
    "damaged": "red",
    "interrupted": "yellow",
    "paused": "yellow",
}

app = typer.Typer(
    name="jobs",
    help="List long runs, begun here or in the web app, and stop or resume them.",
    invoke_without_command=True,
    rich_markup_mode="rich",
)
JobArgument = Annotated[str, typer.Argument(metavar="JOB", help="Its number.")]


@app.callback()
def list_(
    context: typer.Context,
    json: options.Json = False,
    all_: Annotated[bool, typer.Option("--all", help="Also the older ones.")] = False,
) -> None:
    """List long runs, begun here or in the web app, and stop or resume them."""
    if context.invoked_subcommand is not None:
        return
    found = jobs()
    if json:
        print_json(presentable([asdict(job) for job in found]))
        return
    shown = found if all_ else found[:SHOWN]
    _print(shown)
    if len(found) > len(shown):
        out.print(f"[dim]and {len(found) - len(shown)} older: --all lists them[/]")


def _print(found: list[Job]) -> None:
    if not found:
        out.print("no jobs; `plyground lab run`, `tournament` and `match` are jobs while they run")
        return
    rows = []
    for job in found:
        state = f"[{COLOURS.get(job.state, 'dim')}]{state_of(job)}[/]"
        total = "" if job.total is None else f"/{job.total:,}"
        done = f"{job.done:,}{total} {job.unit}" if job.unit else ""
        news = job.reason if job.state in ("failed", "damaged") else job.news
        title, done, news = (escape(each) for each in presentable([job.title, done, news]))
        rows.append((job.id, f"{job.kind}: {title}", state, done, news))
    print_table(("job", "what", "state", "done", ""), rows, right=("job", "done"))


def state_of(job: Job) -> str:
    """In words: also what it was asked for."""
    if job.asked is None:
        return job.state
    return "stopping" if job.asked == "now" else "finishing what is under way"


@app.command()
def stop(
    job: JobArgument,
    now: Annotated[
        bool, typer.Option("--now", help="Without finishing what is under way.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Let a job finish what is under way, and end; as Ctrl-C does where it runs."""
    _report(ask(find_job(job), "now" if now else "finish"), json)


@app.command()
def pause(job: JobArgument, json: options.Json = False) -> None:
    """Pause a job: it finishes what is under way, and can be resumed."""
    _report(ask(find_job(job), "pause"), json)


def _report(job: Job, json: bool) -> None:
    if json:
        print_json(asdict(job))
    else:
        print_plain(f"job {job.id}, {job.title}: {state_of(job)}")


@app.command()
def resume(job: JobArgument) -> None:
    """Resume a job that was stopped, killed or failed."""
    found = find_job(job)
    if found.can_go_on and not os.path.isdir(found.folder):
        raise Unsupported(f"job {found.id} ran in {found.folder}, which is not there any more")
    ready = prepare_to_resume(found)
    os.chdir(ready.folder)
    sys.stdout.flush()
    # It becomes that command, so that Ctrl-C, pipes and the exit status are its own.
    words: list[Any] = [*PROGRAM, *ready.words]
    os.execve(words[0], words, {**os.environ, ENVIRONMENT: ready.id})
