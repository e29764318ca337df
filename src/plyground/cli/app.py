"""The command `plyground`: one file per sub-command, listed here and imported when called.

Alone, in a terminal, it opens the web app; where nobody looks it lists its commands.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import Annotated

import typer

from plyground import __version__, kernel
from plyground.cli import options
from plyground.cli.common import errors_as_lines
from plyground.cli.lazy import lazy_group, use_files

COMMANDS = {
    "play": "Play in the terminal: people, levels, searches and engines, in any combination.",
    "web": "Play, analyse and keep games in a browser; everything stays on this machine.",
    "match": "Play a match in pairs of games with sides swapped, and show who is stronger.",
    "tournament": "Play a tournament, or resume it, and print its table.",
    "jobs": "List long runs, begun here or in the web app, and stop or resume them.",
    "elo": "Compute Elo with error bars, superiority and the state of a test from results.",
    "players": "List the players, or the options of one.",
    "games": "List the games with their parameters.",
    "show": "Print a position: the board, who is to move, the legal moves.",
    "search": "Search a position and print the move, its score and the line expected.",
    "solve": "Find the exact score of positions.",
    "book": "Build books of exact scores of openings.",
    "puzzle": "Make puzzles: find the one move that wins.",
    "explain": "Show what an evaluator thinks of a position, and why.",
    "algorithms": "List the search algorithms, with paper and guarantees.",
    "evaluators": "List the evaluators, or the weights of one.",
    "learn": "Learn an evaluator for a game by self-play, and let a match judge it.",
    "perft": "Count the leaves of the game tree, exactly.",
    "new": "Write a commented, working file of your own to begin with, and its test.",
    "check": "Play random games and check everything that searches and boards rely on.",
    "convert": "Read games or positions in any format, and write them in another.",
    "engine": "Be an engine for GoGui, NBoard and other graphical programs.",
    "playthrough": "Print a random game with all that is known about each position.",
    "warm": "Compile ahead of time what playing against levels, analysing and counting need.",
    "lab": "Repeat the experiments of published studies, and make your own.",
    "store": "List, import and export the games that were played.",
    "docs": "List the pages of the documents, or show one.",
    "examples": "List the examples, show one, or copy them to a folder of yours.",
}
MODULES = {"evaluators": "algorithms", "examples": "docs"}

app = typer.Typer(
    name="plyground",
    help="A laboratory for game-tree search. Without a command: play and analyse in a browser.",
    cls=lazy_group(COMMANDS, MODULES),
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"plyground {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
    with_: options.With = None,
) -> None:
    use_files(with_)
    if context.invoked_subcommand is not None:
        return
    if sys.stdin.isatty() and sys.stdout.isatty():
        from plyground.cli.web import web

        web()
    else:
        typer.echo(context.get_help())


atexit.register(gc.freeze)  # or Python looks for cycles in all of the compiler: 0.4 s


def main() -> None:
    """Run the command line."""
    try:
        with errors_as_lines():
            app()
    except SystemExit as leaving:
        if kernel.compiling:  # Python would wait for it, and nobody else does
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(leaving.code if isinstance(leaving.code, int) else 1)
        raise
