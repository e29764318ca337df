"""`plyground explain`: an evaluation, factor by factor."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from plyground.cli.common import (
    GameArgument,
    JsonOption,
    MovesOption,
    PositionOption,
    SetOption,
    load,
    out,
    print_json,
)
from plyground.cli.show import print_board


def explain(
    game: GameArgument,
    evaluator: Annotated[
        str | None, typer.Option("--evaluator", "-e", help="See plyground evaluators.")
    ] = None,
    position: PositionOption = None,
    moves: MovesOption = None,
    set_: SetOption = None,
    json: JsonOption = False,
) -> None:
    """Show what an evaluator thinks of a position, and why."""
    loaded = load(game, set_, position, moves)
    found = loaded.explain(evaluator)
    if json:
        factors = [
            {"name": row["factor"], "value": row["value"], "weight": row["weight"]}
            | {"share": row["share"]}
            for row in found.rows()
        ]
        print_json({"evaluator": found.evaluator, "value": found.value, "factors": factors})
        return
    print_board(loaded)
    verdict = f"[bold]{found.value:+d}[/] for {loaded.side}, by {found.evaluator}"
    out.print(f"{verdict} [dim]({found.scale})[/]", soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    table.add_column("factor", header_style="bold")
    for title in ("value", "weight", "share"):
        table.add_column(title, header_style="bold", justify="right")
    for factor in found.factors:
        table.add_row(factor.name, f"{factor.value:+g}", f"{factor.weight:g}", f"{factor.share:+g}")
    if found.factors:
        out.print(table)
