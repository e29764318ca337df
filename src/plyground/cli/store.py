"""`plyground store`: the games that were played, listed, imported and exported."""

from __future__ import annotations

import typer

from plyground.cli.lazy import lazy_group

COMMANDS = {
    "stats": "Count what is stored.",
    "games": "List games, the newest first.",
    "show": "Show a game: its moves, what is known of them, and its last position.",
    "explore": "Show what was played from a position, in all games that reached it from any side.",
    "import": (
        "Import games from files of any known format; what is there already is not added again."
    ),
    "export": "Export games as JSON Lines, CSV, Parquet or in any format that can hold them.",
    "merge": ("Copy all games, and runs of the lab, that another store has and this one does not."),
    "sync": "Take over from another store what this one has not, and give it what it has not.",
}
MODULES = {
    **dict.fromkeys(("stats", "games", "show", "explore"), "store_look"),
    **dict.fromkeys(("import", "export", "merge", "sync"), "store_move"),
}

app = typer.Typer(
    name="store",
    help="List, import and export the games that were played.",
    cls=lazy_group(COMMANDS, MODULES),
    no_args_is_help=True,
    rich_markup_mode="rich",
)
