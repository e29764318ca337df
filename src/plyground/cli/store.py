"""`plyground store`: what has been played, looked at, taken in and given out."""

from __future__ import annotations

import typer

from plyground.cli.lazy import Elsewhere, lazy_group

COMMANDS = {
    "stats": Elsewhere("plyground.cli.store_look:stats", "Tell how much there is."),
    "games": Elsewhere("plyground.cli.store_look:games", "List games, the newest first."),
    "show": Elsewhere(
        "plyground.cli.store_look:show",
        "Show a game: its moves, what was told about them, and its last position.",
    ),
    "explore": Elsewhere(
        "plyground.cli.store_look:explore",
        "Tell what was played from a position, in all games that reached it from any side.",
    ),
    "import": Elsewhere(
        "plyground.cli.store_move:import_",
        "Take in games from files of any known format; games that are there already stay once.",
    ),
    "export": Elsewhere(
        "plyground.cli.store_move:export",
        "Give out games as JSON Lines, CSV, Parquet or in any format that can hold them.",
    ),
    "merge": Elsewhere(
        "plyground.cli.store_move:merge",
        "Take over all games, and runs of the lab, that another store has and this one has not.",
    ),
    "sync": Elsewhere(
        "plyground.cli.store_sync:sync",
        "Take over from another store what this one has not, and give it what it has not.",
    ),
}

app = typer.Typer(
    name="store",
    help="Look at, take in and give out the games that were played.",
    cls=lazy_group(COMMANDS),
    no_args_is_help=True,
    rich_markup_mode="rich",
)
