"""`plyground book`: openings solved once and for all, and what there is of them."""

from __future__ import annotations

from typing import Annotated

import typer

from plyground.cli import options
from plyground.cli.common import err, leave_interrupted, load, out, print_json, print_plain
from plyground.cli.meter import Meter
from plyground.cli.running import interruptible, open_workers
from plyground.games.connect_four import ConnectFour
from plyground.solvers.connect_four.book import Book, all_books
from plyground.solvers.connect_four.book_building import MOST_PLIES, BookPlan, open_build

app = typer.Typer(
    name="book", help="Build books of exact scores of openings.", no_args_is_help=True
)
build = typer.Typer(help="Solve all openings of some plies.", no_args_is_help=True)
app.add_typer(build, name="build")

JobsOption = Annotated[
    int, typer.Option("--jobs", "-j", min=1, max=1024, help="Positions to solve at the same time.")
]


@build.command("connect4")
def build_connect_four(
    plies: Annotated[
        int, typer.Option(min=0, max=MOST_PLIES, help="Stones of the last positions.")
    ] = 8,
    jobs: JobsOption = 1,
    cluster: options.Cluster = None,
    set_: options.Settings = None,
    json: options.Json = False,
) -> None:
    """Build a book of Connect Four: the exact scores of all positions with few stones.

    Eight plies of the usual board are hours of work for one core. A build that was stopped goes on
    where it was.
    """
    start = load("connect4", set_).start
    assert isinstance(start, ConnectFour)
    plan = BookPlan(start, plies)
    with open_build(plan) as work, open_workers(jobs, cluster) as workers:
        if work.scores:
            err.print(f"going on: {len(work.scores):,} of {work.total:,} positions are solved")
        with (
            interruptible(workers, "positions"),
            Meter(work.total, len(work.scores), "positions") as meter,
        ):
            for more in work.solve(workers):
                meter.advance(more, "")
        if len(work.scores) < work.total:
            text = f"stopped after {len(work.scores):,} of {work.total:,} positions"
            leave_interrupted(f"{text}; the same command goes on")
        book = work.finish()
    size = plan.path.stat().st_size
    if json:
        print_json({"path": str(plan.path), "positions": len(book.keys), "bytes": size})
    else:
        out.print(f"{len(book.keys):,} positions in {size:,} bytes: {plan.path}", soft_wrap=True)


@app.command("list")
def list_(json: options.Json = False) -> None:
    """List the books there are: those built here, and those that came with the program."""
    found = [
        {
            "game": "connect4",
            "board": f"{book.width}x{book.height}",
            "plies": book.plies,
            "positions": len(book.keys),
            "path": str(path),
        }
        if isinstance(book, Book)
        else {"path": str(path), "problem": str(book)}
        for path, book in all_books()
    ]
    if json:
        print_json(found)
        return
    for one in found:
        if "problem" in one:
            out.print(f"damaged: {one['problem']}", style="red", markup=False, soft_wrap=True)
            continue
        text = f"connect4 {one['board']}, {one['plies']} plies, {one['positions']:,} positions"
        print_plain(f"{text}  {one['path']}")
