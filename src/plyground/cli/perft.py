"""`plyground perft`: count the leaves of a game tree."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from plyground.cli.common import (
    GameArgument,
    JsonOption,
    MovesOption,
    PositionOption,
    SetOption,
    compiling_shown,
    err,
    load,
    now_s,
    out,
    print_json,
)
from plyground.cli.meter import INTERRUPTED
from plyground.core.quantities import read_bytes
from plyground.games.perft import perft as count_leaves
from plyground.games.perft import perft_remembered, perft_table
from plyground.games.rules import State, is_over, play
from plyground.games.spec import GameSpec
from plyground.kernel import Slab

MOST_PLIES = 256
SPLIT_PLIES = 3  # progress is shown by sub-trees at this ply
PATIENCE_S = 2.0  # before progress is shown


def perft(
    game: GameArgument,
    depth: Annotated[
        int, typer.Option("--depth", "-d", min=0, max=MOST_PLIES, help="Plies to look ahead.")
    ],
    position: PositionOption = None,
    moves: MovesOption = None,
    memory: Annotated[
        str | None,
        typer.Option(
            "--hash",
            metavar="SIZE",
            help="Count equal positions once, as in 256MB; for great depths.",
        ),
    ] = None,
    set_: SetOption = None,
    json: JsonOption = False,
) -> None:
    """Count the leaves of the game tree, exactly.

    A pass is a ply; a game that ends earlier counts as one leaf.
    """
    loaded = load(game, set_, position, moves)
    buffer = Slab((depth + 1) * loaded.game.max_moves)
    count = functools.partial(_plainly, buffer)
    if memory is not None:
        table, bits = perft_table(loaded.state, read_bytes(memory, "--hash"))
        count = functools.partial(_remembering, buffer, table, bits)
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


def _plainly(buffer: Slab, state: State, depth: int) -> int:
    return int(count_leaves(state, depth, buffer, 0))


def _remembering(buffer: Slab, table: Slab, bits: int, state: State, depth: int) -> int:
    return int(perft_remembered(state, depth, buffer, 0, table, bits))


def _count(game: GameSpec, state: State, depth: int, count: Callable[[State, int], int]) -> int:
    """Sub-tree by sub-tree where there are many, with progress if it takes long."""
    roots, plies = [state], 0
    while plies < min(SPLIT_PLIES, depth - 5):
        roots = [child for root in roots for child in _children(game, root)]
        plies += 1
    columns = (TextColumn("counting"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    started, leaves = now_s(), 0
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task("", total=len(roots), visible=False)
        for number, root in enumerate(roots):
            try:
                leaves += count(root, depth - plies)
            except KeyboardInterrupt:
                err.print(f"stopped: {leaves:,} leaves in {number} of {len(roots)} sub-trees")
                raise SystemExit(INTERRUPTED) from None
            progress.update(task, advance=1, visible=now_s() - started > PATIENCE_S)
    return leaves


def _children(game: GameSpec, state: State) -> list[State]:
    """The positions one ply on; a finished game stays, as the one leaf it is."""
    return [state] if is_over(state) else [play(state, move) for move in game.legal(state)]
