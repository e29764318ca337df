"""`plyground players`: who can play, and what can be set."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from plyground.cli.common import JsonOption, out, print_json
from plyground.players.catalogue import PlayerKind, find_kind, player_kinds
from plyground.players.levels import ANY_GAME, LEVELS, PERFECT
from plyground.solvers.catalogue import SOLVED

GROUPS = {
    "people": "People",
    "level": "Levels, on every game",
    "chance": "Players to measure against",
    "search": "Searches",
    "engine": "External engines",
}
EXAMPLES = (
    "alphabeta:depth=6,eval=stages",
    "mtdf:time=2s,memory=64MB,ponder=yes",
    "random-start(moves=8,then=alphabeta:depth=4)",
    "alphabeta:depth=3,eval=stages(early_mobility=12),noise=10%",
    'gtp:command="engine -gtp",time=5s',
)


def players(
    name: Annotated[str | None, typer.Argument(help="A player, to see its options.")] = None,
    json: JsonOption = False,
) -> None:
    """List the players, or the options of one."""
    if json:
        chosen = [find_kind(name)] if name else list(player_kinds().values())
        print_json([_as_data(kind) for kind in chosen])
    elif name:
        _print_one(find_kind(name))
    else:
        _print_all()


def _print_all() -> None:
    for group, title in GROUPS.items():
        out.print(f"[bold]{title}[/]")
        table = Table(box=None, show_header=False, pad_edge=False)
        for kind in player_kinds().values():
            if kind.group == group:
                table.add_row(f"  {kind.name}", kind.summary)
        out.print(table)
    out.print("[bold]With options[/] (plyground players NAME lists them)")
    for example in EXAMPLES:
        out.print(f"  {escape(example)}", soft_wrap=True)


def _print_one(kind: PlayerKind) -> None:
    also = f", also {', '.join(kind.aliases)}" if kind.aliases else ""
    out.print(f"[bold]{kind.name}[/]{also}: {kind.summary}")
    if kind.name == PERFECT:
        out.print(f"  on {', '.join(SOLVED)}")
    elif kind.group == "level":
        table = Table(box=None, show_header=False, pad_edge=False)
        for game, levels in {**LEVELS, "any other": ANY_GAME}.items():
            table.add_row(f"  {game}", levels[kind.name])
        out.print(table)
    elif kind.options:
        table = Table(box=None, show_header=False, pad_edge=False)
        for option in kind.options:
            table.add_row(f"  {option.name}", escape(option.help))
        out.print(table)
    else:
        out.print("  has no options")


def _as_data(kind: PlayerKind) -> dict[str, object]:
    return {
        "name": kind.name,
        "group": kind.group,
        "summary": kind.summary,
        "aliases": list(kind.aliases),
        "options": [{"name": option.name, "help": option.help} for option in kind.options],
    }
