"""The command `plyground`: one file per sub-command, gathered here."""

from __future__ import annotations

from typing import Annotated

import typer

from plyground import __version__
from plyground.cli import (
    algorithms,
    check,
    convert,
    elo,
    engine,
    explain,
    games,
    match,
    perft,
    play,
    players,
    playthrough,
    search,
    show,
    store,
    tournament,
    warm,
)
from plyground.cli.common import errors_as_lines

app = typer.Typer(
    name="plyground",
    help="A laboratory for game-tree search.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    play.play,
    match.match,
    tournament.tournament,
    elo.elo,
    players.players,
    games.games,
    show.show,
    search.search,
    explain.explain,
    algorithms.algorithms,
    algorithms.evaluators,
    perft.perft,
    check.check,
    convert.convert,
    engine.engine,
    playthrough.playthrough,
    warm.warm,
):
    app.command()(command)

app.add_typer(store.app)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"plyground {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None: ...


def main() -> None:
    """Run the command line."""
    with errors_as_lines():
        app()
