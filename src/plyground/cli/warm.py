"""`plyground warm`: compile ahead of time what the other commands would compile when first used."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import typer

from plyground.cli.common import compiling_shown, load, now_s, out
from plyground.games import catalogue
from plyground.games.perft import perft
from plyground.games.playout import playout, playouts
from plyground.kernel import Slab


def warm(
    game: Annotated[
        list[str] | None, typer.Argument(help="Games to compile; all of them by default.")
    ] = None,
) -> None:
    """Compile the kernels of games ahead of time."""
    chosen = [load(name, None).game for name in game or catalogue.games()]
    for spec in chosen:
        started = now_s()
        with compiling_shown():
            buffer, record = Slab(2 * spec.max_moves), np.zeros(1, np.int32)
            generator = np.array([1], np.uint64)
            perft(spec.initial(), 1, buffer, 0)
            playout(spec.initial(), generator, buffer, record)
            playouts(spec.initial(), 1, generator, buffer, 1)
        out.print(f"{spec.name}: ready [dim]({now_s() - started:.1f} s)[/]")
