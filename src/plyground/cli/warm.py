"""`plyground warm`: compile ahead of time what the other commands would compile when first used."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import typer

from plyground.analysis.every_move import Analysis
from plyground.cli.common import compiling_shown, load, now_s, out
from plyground.games import catalogue
from plyground.games.perft import perft
from plyground.games.playout import playout, playouts
from plyground.kernel import Slab
from plyground.players.catalogue import make_machine
from plyground.players.judging import read_evaluator
from plyground.players.levels import levels_of
from plyground.players.spec import Turn
from plyground.public.position import Position


def warm(
    game: Annotated[
        list[str] | None, typer.Argument(help="Games to compile; all of them by default.")
    ] = None,
    player: Annotated[
        list[str] | None, typer.Option(help="Compile for this player only; may be repeated.")
    ] = None,
) -> None:
    """Compile ahead of time what playing against levels, analysing and counting need."""
    chosen = [load(name, None) for name in game or catalogue.games()]
    for loaded in chosen:
        started = now_s()
        with compiling_shown():
            for text in player or levels_of(loaded.game):
                _warm_player(text, loaded)
            if not player:
                _warm_rules(loaded)
        out.print(f"{loaded.game.name}: ready [dim]({now_s() - started:.1f} s)[/]")


def _warm_player(text: str, position: Position) -> None:
    player = make_machine(text, position.game, position.start)
    try:
        player.prepare(Turn(position))
    finally:
        player.close()


def _warm_rules(position: Position) -> None:
    game, start = position.game, position.start
    buffer, generator = Slab(2 * game.max_moves), np.array([1], np.uint64)
    perft(start, 1, buffer, 0)
    playout(start, generator, buffer, np.zeros(1, np.int32))
    playouts(start, 1, generator, buffer, 1)
    Analysis(position, read_evaluator(None, game, start)[0]).prepare()
