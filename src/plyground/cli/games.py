"""`plyground games`: what can be played, and with which parameters."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from plyground.cli import options
from plyground.cli.common import out, print_json, print_table
from plyground.games import catalogue
from plyground.games.spec import GameSpec


def games(
    game: Annotated[
        str | None, typer.Argument(help="Show one game, by name or file, in full.")
    ] = None,
    json: options.Json = False,
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
        "aliases": game.aliases,
        "players": game.players,
        "parameters": [
            {name: getattr(each, name) for name in ("name", "default", "expected", "help")}
            for each in game.parameters
        ],
        "presets": {name: dict(values) for name, values in game.presets.items()},
    }


def _print(game: GameSpec) -> None:
    aliases = f"  [dim]also: {', '.join(game.aliases)}[/]" if game.aliases else ""
    out.print(f"[bold]{game.name}[/]  {game.title}{aliases}")
    out.print(f"  {game.summary}")
    rows = []
    for each in game.parameters:
        shown = ("no", "yes")[each.default] if isinstance(each.default, bool) else each.default
        rows.append((f"    [cyan]{each.name}={shown}[/]", each.help, f"[dim]{each.expected}[/]"))
    for name, values in game.presets.items():
        settings = " ".join(f"{key}={value}" for key, value in values.items())
        rows.append((f"    [cyan]preset={name}[/]", settings, ""))
    print_table((), rows)
    out.print()
