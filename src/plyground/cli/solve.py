"""`plyground solve`: the exact score of positions, one or a file of them."""

from __future__ import annotations

import typer

from plyground.cli.solve_connect_four import connect_four
from plyground.cli.solve_othello import othello

app = typer.Typer(name="solve", help="Find the exact score of positions.", no_args_is_help=True)
app.command("connect4")(connect_four)
app.command("othello")(othello)
