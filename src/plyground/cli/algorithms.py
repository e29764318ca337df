"""`plyground algorithms` and `plyground evaluators`: what there is to search and judge with."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from plyground.cli.common import JsonOption, out, print_json
from plyground.evaluation.catalogue import evaluators as all_evaluators
from plyground.evaluation.catalogue import suitable
from plyground.games.catalogue import games, name_game
from plyground.search.catalogue import ALGORITHMS


def algorithms(json: JsonOption = False) -> None:
    """List the search algorithms, with paper and guarantees."""
    if json:
        print_json(
            [
                {
                    "name": each.name,
                    "aliases": list(each.aliases),
                    "summary": each.summary,
                    "paper": each.paper,
                    "equals_minimax": each.equals_minimax,
                    "uses_table": each.uses_table,
                    "needs_table": each.needs_table,
                }
                for each in ALGORITHMS
            ]
        )
        return
    table = Table(box=None, pad_edge=False)
    for title in ("algorithm", "what it does", "value", "table", "paper"):
        table.add_column(title, header_style="bold")
    for each in ALGORITHMS:
        memory = "needs" if each.needs_table else "uses" if each.uses_table else ""
        name = f"[cyan]{each.name}[/]" + (
            f" [dim]{', '.join(each.aliases)}[/]" if each.aliases else ""
        )
        value = "minimax" if each.equals_minimax else "own"
        table.add_row(name, each.summary, value, memory, f"[dim]{each.paper}[/]")
    out.print(table)


def evaluators(
    game: Annotated[str | None, typer.Argument(help="Only those that can judge this game.")] = None,
    json: JsonOption = False,
) -> None:
    """List the evaluators, with their scale and where they come from."""
    chosen = suitable(name_game(game).initial()) if game else list(all_evaluators())
    titles = {
        spec.name + str(spec.games): ", ".join(
            name for name, each in games().items() if set(each.states) & set(spec.games)
        )
        for spec in chosen
    }
    if json:
        print_json(
            [
                {
                    "name": spec.name,
                    "games": titles[spec.name + str(spec.games)].split(", ") if spec.games else [],
                    "summary": spec.summary,
                    "source": spec.source,
                    "scale": spec.scale,
                    "default": spec.is_default,
                }
                for spec in chosen
            ]
        )
        return
    table = Table(box=None, pad_edge=False)
    for title in ("evaluator", "game", "what it counts", "one unit", "source"):
        table.add_column(title, header_style="bold")
    for spec in chosen:
        name = f"[cyan]{spec.name}[/]" + (" [dim](default)[/]" if spec.is_default else "")
        where = titles[spec.name + str(spec.games)] if spec.games else "any"
        table.add_row(name, where, spec.summary, spec.scale, f"[dim]{spec.source}[/]")
    out.print(table)
