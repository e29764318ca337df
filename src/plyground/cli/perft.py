"""`plyground perft`: count the leaves of a game tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from plyground.cli import options
from plyground.cli.common import compiling_shown, interrupted_saying, load, now_s, out, print_json
from plyground.cli.meter import watching
from plyground.core.quantities import read_bytes
from plyground.games.perft import perft as count_leaves
from plyground.games.perft import perft_remembered, perft_table
from plyground.games.rules import State, is_over, play
from plyground.games.spec import GameSpec
from plyground.kernel import Slab

MOST_PLIES = 256
SPLIT_PLIES = 3  # progress is shown by sub-trees at this ply


def perft(
    game: options.Game,
    depth: Annotated[
        int, typer.Option("--depth", "-d", min=0, max=MOST_PLIES, help="Plies to look ahead.")
    ],
    position: options.Position = None,
    moves: options.Moves = None,
    memory: Annotated[
        str | None,
        typer.Option(
            "--hash",
            metavar="SIZE",
            help="Count equal positions once, as in 256MB; for great depths.",
        ),
    ] = None,
    set_: options.Settings = None,
    json: options.Json = False,
) -> None:
    """Count the leaves of the game tree, exactly.

    A pass is a ply; a game that ends earlier counts as one leaf.
    """
    loaded = load(game, set_, position, moves)
    buffer = Slab((depth + 1) * loaded.game.max_moves)
    if memory is None:

        def count(state: State, plies: int) -> int:
            return int(count_leaves(state, plies, buffer, 0))
    else:
        table, bits = perft_table(loaded.state, read_bytes(memory, "--hash"))

        def count(state: State, plies: int) -> int:
            return int(perft_remembered(state, plies, buffer, 0, table, bits))

    with compiling_shown():
        count(loaded.state, 0)  # so that compiling is not timed
    started = now_s()
    leaves = _count(loaded.game, loaded.state, depth, count)
    time_s = now_s() - started
    if json:
        print_json(
            {"game": loaded.game.name, "depth": depth, "leaves": leaves, "time_s": round(time_s, 6)}
        )
        return
    rate = leaves / time_s if time_s else 0.0
    out.print(
        f"[bold]{leaves:,}[/] {'leaf' if leaves == 1 else 'leaves'} at depth {depth}  "
        f"[dim]{time_s:.3f} s, {rate / 1e6:,.1f} million leaves/s[/]"
    )


def _count(game: GameSpec, state: State, depth: int, count: Callable[[State, int], int]) -> int:
    """Sub-tree by sub-tree where there are many, with progress if it takes long."""
    roots, plies = [state], 0
    while plies < min(SPLIT_PLIES, depth - 5):
        roots = [child for root in roots for child in _children(game, root)]
        plies += 1
    leaves = 0
    with watching(len(roots), "sub-trees", "counting") as watch:
        for number, root in enumerate(watch(roots)):
            with interrupted_saying(
                f"stopped: {leaves:,} leaves in {number} of {len(roots)} sub-trees"
            ):
                leaves += count(root, depth - plies)
            watch.report("counting")
    return leaves


def _children(game: GameSpec, state: State) -> list[State]:
    """The positions one ply on; a finished game stays, as the one leaf it is."""
    return [state] if is_over(state) else [play(state, move) for move in game.legal(state)]
