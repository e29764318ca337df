"""`plyground check`: does all that a file offers keep its contract? For the author of something."""

from __future__ import annotations

from typing import Annotated

import typer

from plyground.cli import options
from plyground.cli.common import compiling_shown, err, load, out, parse_settings
from plyground.cli.show import print_board
from plyground.games.catalogue import is_code
from plyground.games.check import BrokenPromise
from plyground.public.position import Position


def check(
    game: Annotated[str, typer.Argument(help="A game's name, or a path to a Python file.")],
    games: Annotated[int, typer.Option(min=1, help="Random games to play.")] = 20,
    seed: Annotated[
        int, typer.Option(min=0, max=options.MOST_SEED, help="Seed of the first game.")
    ] = 1,
    set_: options.Settings = None,
) -> None:
    """Play random games and check everything that searches and boards rely on.

    Of a file, all that it offers is checked: games, evaluators, algorithms, players, formats and
    experiments. The first position that fails is drawn.
    """
    from plyground.public.contracts import Contracts
    from plyground.public.extending import use

    contracts = Contracts(games, seed, parse_settings(set_ or []))
    with compiling_shown():
        try:
            if is_code(game):
                for line in contracts.of(use(game)):
                    out.print(f"[bold green]ok[/]  {line}", soft_wrap=True)
            else:
                line = contracts.game(load(game, set_).game)
                out.print(f"[bold green]ok[/]  {line}", soft_wrap=True)
        except BrokenPromise as broken:
            if broken.game is not None:
                print_board(Position.at(broken.game, broken.game.defaults, broken.state), err)
            raise
