"""`plyground explain`: an evaluation, factor by factor."""

from __future__ import annotations

from plyground.cli import options
from plyground.cli.common import load, out, print_json, print_table
from plyground.cli.show import print_board


def explain(
    game: options.Game,
    evaluator: options.Evaluator = None,
    position: options.Position = None,
    moves: options.Moves = None,
    set_: options.Settings = None,
    json: options.Json = False,
) -> None:
    """Show what an evaluator thinks of a position, and why."""
    loaded = load(game, set_, position, moves)
    found = loaded.explain(evaluator)
    if json:
        factors = [{"name": row.pop("factor"), **row} for row in map(dict, found.rows())]
        value = {"value": found.value, "points": found.points}
        print_json({"evaluator": found.evaluator, **value, "factors": factors})
        return
    print_board(loaded)
    verdict = f"[bold]{found.value:+d}[/] for {loaded.side}, by {found.evaluator}"
    unit = found.scale if found.points is None else f"{found.points:+.1f} points; {found.scale}"
    out.print(f"{verdict} [dim]({unit})[/]", soft_wrap=True)
    if found.factors:
        numbers = ("value", "weight", "share")
        rows = [(f.name, f"{f.value:+g}", f"{f.weight:g}", f"{f.share:+g}") for f in found.factors]
        print_table(("factor", *numbers), rows, right=numbers)
