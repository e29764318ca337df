"""`plyground playthrough`: one random game with every public value of every position, as text.

The same seed gives the same text for ever; the tests keep one of each game and compare.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
import typer

from plyground.bits import random_below
from plyground.cli import options
from plyground.cli.common import MOST_SEED, load
from plyground.drawing.terminal import ASCII, draw
from plyground.games.rules import (
    State,
    canonical,
    canonical_symmetry,
    count_symmetries,
    is_over,
    key,
    play,
    side,
)
from plyground.games.spec import GameSpec


def playthrough(
    game: options.Game,
    seed: Annotated[
        int, typer.Option("--seed", min=0, max=MOST_SEED, help="One seed, one game.")
    ] = 1,
    set_: options.Settings = None,
) -> None:
    """Print a random game with all that is known about each position."""
    loaded = load(game, set_)
    typer.echo("\n".join(playthrough_lines(loaded.game, loaded.start, seed)))


def playthrough_lines(game: GameSpec, state: State, seed: int) -> list[str]:
    """The text of a playthrough."""
    generator = np.array([seed], np.uint64)
    lines = [f"game: {game.name}", f"seed: {seed}"]
    ply = 0
    while True:
        lines += ["", f"# ply {ply}", *_describe(game, state)]
        if is_over(state):
            return lines
        moves = game.legal(state)
        move = moves[random_below(generator, len(moves))]
        lines.append(f"plays: {game.format_move(state, move)}")
        state, ply = play(state, move), ply + 1


def _describe(game: GameSpec, state: State) -> list[str]:
    legal = [game.format_move(state, move) for move in game.legal(state)]
    lines = [line.rstrip() for line in draw(game.board_of(state), ASCII).plain.splitlines()]
    lines += [
        f"state: {tuple(int(value) for value in state)}",
        f"position: {game.format_position(state)}",
        f"side: {side(state)}",
        f"key: {int(key(state)):016x}",
        f"canonical: {canonical_symmetry(state)} of {count_symmetries(state)}, "
        f"{int(key(canonical(state))):016x}",
        f"over: {bool(is_over(state))}",
        f"outcome: {game.first_player_outcome(state)}",
        f"winner: {game.winner(state)}",
        f"legal: {len(legal)}: {'; '.join(legal)}".rstrip(": "),
    ]
    return lines
