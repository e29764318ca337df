"""`plyground players`: who can play, and what can be set."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape

from plyground.cli import options
from plyground.cli.common import out, print_json, print_table
from plyground.games.catalogue import games
from plyground.players.catalogue import PlayerKind, find_kind, player_kinds
from plyground.players.levels import ANY_GAME, PERFECT, levels_of
from plyground.solvers.catalogue import solved_games

GROUPS = {
    "people": "People",
    "level": "Levels, on every game",
    "chance": "Players to measure against",
    "search": "Searches",
    "engine": "External engines",
    "yours": "Yours",
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
    json: options.Json = False,
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
        kinds = [kind for kind in player_kinds().values() if kind.group == group]
        if kinds:
            out.print(f"[bold]{title}[/]")
            print_table((), [(f"  {kind.name}", kind.summary) for kind in kinds])
    out.print("[bold]With options[/] (plyground players NAME lists them)")
    for example in EXAMPLES:
        out.print(f"  {escape(example)}", soft_wrap=True)


def _print_one(kind: PlayerKind) -> None:
    also = f", also {', '.join(kind.aliases)}" if kind.aliases else ""
    out.print(f"[bold]{kind.name}[/]{also}: {kind.summary}")
    if kind.name == PERFECT:
        out.print(f"  on {', '.join(solved_games())}")
    elif kind.group == "level":
        found = {game.name: levels_of(game) for game in games().values()}
        texts = {name: of[kind.name] for name, of in found.items() if kind.name in of}
        usual = ANY_GAME.get(kind.name)
        rows = [(f"  {name}", text) for name, text in texts.items() if text != usual]
        rows += [("  any other", usual)] if usual else []
        print_table((), rows)
    elif kind.options:
        print_table((), [(f"  {option.name}", escape(option.help)) for option in kind.options])
    else:
        out.print("  has no options")


def _as_data(kind: PlayerKind) -> dict[str, object]:
    return {
        "name": kind.name,
        "group": kind.group,
        "summary": kind.summary,
        "aliases": kind.aliases,
        "options": [{"name": option.name, "help": option.help} for option in kind.options],
    }
