"""`plyground check`: does a game keep the contract of games? For the author of a new one."""

from __future__ import annotations

from typing import Annotated

import typer

from plyground.cli import options
from plyground.cli.common import compiling_shown, load, out
from plyground.games.check import check_game


def check(
    game: options.Game,
    games: Annotated[int, typer.Option(min=1, help="Random games to play.")] = 20,
    seed: Annotated[
        int, typer.Option(min=0, max=options.MOST_SEED, help="Seed of the first game.")
    ] = 1,
    set_: options.Settings = None,
) -> None:
    """Play random games and check everything that searches and boards rely on."""
    loaded = load(game, set_)
    with compiling_shown():
        states = check_game(loaded.game, loaded.start, games, seed)
    out.print(
        f"[bold green]ok[/]  {loaded.game.name}: "
        f"{states:,} positions of {games} random games keep the contract"
    )
