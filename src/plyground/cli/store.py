"""`plyground store`: what has been played, looked at, taken in and given out."""

from __future__ import annotations

import typer

from plyground.cli.lazy import lazy_group

COMMANDS = {
    "stats": "Tell how much there is.",
    "games": "List games, the newest first.",
    "show": "Show a game: its moves, what was told about them, and its last position.",
    "explore": "Tell what was played from a position, in all games that reached it from any side.",
    "import": (
        "Take in games from files of any known format; games that are there already stay once."
    ),
    "export": "Give out games as JSON Lines, CSV, Parquet or in any format that can hold them.",
    "merge": (
        "Take over all games, and runs of the lab, that another store has and this one has not."
    ),
    "sync": "Take over from another store what this one has not, and give it what it has not.",
}
MODULES = {
    **dict.fromkeys(("stats", "games", "show", "explore"), "store_look"),
    **dict.fromkeys(("import", "export", "merge", "sync"), "store_move"),
}

app = typer.Typer(
    name="store",
    help="Look at, take in and give out the games that were played.",
    cls=lazy_group(COMMANDS, MODULES),
    no_args_is_help=True,
    rich_markup_mode="rich",
)
