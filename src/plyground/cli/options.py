"""The arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

MOST_SEED = 2**64 - 1

Game = Annotated[str, typer.Argument(help="A game's name, or a path to a Python file.")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Set a parameter.")
]
Position = Annotated[
    str | None,
    typer.Option(
        "--position", metavar="P|FILE", help="Start from a position, also in a file of any format."
    ),
]
Moves = Annotated[str | None, typer.Option("--moves", metavar="M", help="Play these moves first.")]
Evaluator = Annotated[
    str | None, typer.Option("--evaluator", "-e", help="See plyground evaluators.")
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", min=0, max=MOST_SEED, help="Make what is random repeatable."),
]
Trace = Annotated[
    Path | None,
    typer.Option("--trace", metavar="FILE", help="Write the trace file of Double Card's course."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]

# ------------------------------------------------------------------ where games go

Journal = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Where games are kept; goes on if they are there."),
]
Store = Annotated[
    str | None,
    typer.Option("--store", metavar="FILE|URL", help="Another store than the usual one."),
]
NoStore = Annotated[
    bool, typer.Option("--no-store", help="Do not store the games as they are played.")
]

# ------------------------------------------------------------------ who works, and what may run

Jobs = Annotated[
    int, typer.Option("--jobs", "-j", min=1, max=1024, help="Games to play at the same time.")
]
Cluster = Annotated[
    str | None,
    typer.Option("--cluster", metavar="tcp://HOST:PORT", help="Play on a Dask cluster instead."),
]
Threads = Annotated[
    int, typer.Option("--threads", min=1, max=64, help="Threads that share the table.")
]
With = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="FILE.py", help="Have what is in this file too."),
]
Engine = Annotated[
    list[str] | None,
    typer.Option("--engine", metavar="COMMAND", help="A program that players may start."),
]
