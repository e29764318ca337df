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
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.spec import evaluate


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
    state = loaded.state
    spec = find_evaluator(evaluator, state)
    judge = spec.make(loaded.start)
    value = int(evaluate(judge, state))
    factors = spec.factors(judge, state) if spec.factors else []
    if json:
        print_json(
            {
                "evaluator": spec.name,
                "value": value,
                "factors": [
                    {"name": f.name, "value": f.value, "weight": f.weight, "share": f.share}
                    for f in factors
                ],
            }
        )
        return
    print_board(loaded)
    name = loaded.side
    verdict = f"[bold]{value:+d}[/] for {name}, by {spec.name} [dim]({spec.scale})[/]"
    out.print(verdict, soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    table.add_column("factor", header_style="bold")
    for title in ("value", "weight", "share"):
        table.add_column(title, header_style="bold", justify="right")
    for factor in factors:
        table.add_row(factor.name, f"{factor.value:+g}", f"{factor.weight:g}", f"{factor.share:+g}")
    if factors:
        out.print(table)
