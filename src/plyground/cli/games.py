"""`plyground games`: what can be played, and with which parameters."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.table import Table

from plyground.cli.common import JsonOption, out, print_json
from plyground.games import catalogue
from plyground.games.spec import GameSpec


def games(
    game: Annotated[
        str | None, typer.Argument(help="Show one game, by name or file, in full.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """List the games with their parameters."""
    chosen = [catalogue.name_game(game)] if game else list(catalogue.games().values())
    if json:
        print_json([_as_data(spec) for spec in chosen])
        return
    for spec in chosen:
        _print(spec)


def _as_data(game: GameSpec) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "aliases": list(game.aliases),
        "players": list(game.players),
        "parameters": [
            {
                "name": parameter.name,
                "default": parameter.default,
                "expected": parameter.expected,
                "help": parameter.help,
            }
            for parameter in game.parameters
        ],
        "presets": {name: dict(values) for name, values in game.presets.items()},
    }


def _print(game: GameSpec) -> None:
    aliases = f"  [dim]also: {', '.join(game.aliases)}[/]" if game.aliases else ""
    out.print(f"[bold]{game.name}[/]  {game.title}{aliases}")
    out.print(f"  {game.summary}")
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(overflow="fold")
    for parameter in game.parameters:
        default = parameter.default
        shown = ("no", "yes")[default] if isinstance(default, bool) else default
        table.add_row(
            f"    [cyan]{parameter.name}={shown}[/]",
            parameter.help,
            f"[dim]{parameter.expected}[/]",
        )
    for name, values in game.presets.items():
        settings = " ".join(f"{key}={value}" for key, value in values.items())
        table.add_row(f"    [cyan]preset={name}[/]", settings)
    if table.row_count:
        out.print(table)
    out.print()
