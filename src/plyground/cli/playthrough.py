"""`plyground playthrough`: one random game with every public value of every position, as text.

The same seed gives the same text for ever; the tests keep one of each game and compare.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
import typer

from plyground.bits import random_below
from plyground.cli import options
from plyground.cli.common import load
from plyground.drawing.terminal import ASCII, draw
from plyground.games.rules import canonical, canonical_symmetry, count_symmetries, key
from plyground.public.position import Position


def playthrough(
    game: options.Game,
    seed: Annotated[
        int, typer.Option(min=0, max=options.MOST_SEED, help="One seed, one game.")
    ] = 1,
    set_: options.Settings = None,
) -> None:
    """Print a random game with all that is known about each position."""
    position = load(game, set_)
    generator = np.array([seed], np.uint64)
    lines = [f"game: {position.game.name}", f"seed: {seed}"]
    while True:
        lines += ["", f"# ply {position.ply}", *_describe(position)]
        if position.is_over:
            break
        move = position.legal_codes[random_below(generator, len(position.legal_codes))]
        lines.append(f"plays: {position.write_move(move)}")
        position = position.play_code(move)
    typer.echo("\n".join(lines))


def _describe(position: Position) -> list[str]:
    state, legal = position.state, position.legal
    symmetry = f"{canonical_symmetry(state)} of {count_symmetries(state)}"
    return [
        *(line.rstrip() for line in draw(position.board, ASCII).plain.splitlines()),
        f"state: {tuple(int(value) for value in state)}",
        f"position: {position.text}",
        f"side: {position.mover}",
        f"key: {int(key(state)):016x}",
        f"canonical: {symmetry}, {int(key(canonical(state))):016x}",
        f"over: {position.is_over}",
        f"outcome: {position.score}",
        f"winner: {position.game.winner(state)}",
        f"legal: {len(legal)}: {'; '.join(legal)}".rstrip(": "),
    ]
