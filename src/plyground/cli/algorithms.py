"""`plyground algorithms` and `plyground evaluators`: what there is to search and judge with."""

from __future__ import annotations

from typing import Annotated

import typer

from plyground.cli import options
from plyground.cli.common import print_json, print_table
from plyground.evaluation.catalogue import evaluators as all_evaluators
from plyground.evaluation.catalogue import suitable
from plyground.games.catalogue import games, name_game
from plyground.search.catalogue import ALGORITHMS

FACTS = ("name", "aliases", "summary", "paper", "equals_minimax", "uses_table", "needs_table")


def algorithms(json: options.Json = False) -> None:
    """List the search algorithms, with paper and guarantees."""
    if json:
        print_json([{fact: getattr(each, fact) for fact in FACTS} for each in ALGORITHMS])
        return
    rows = []
    for each in ALGORITHMS:
        aliases = f" [dim]{', '.join(each.aliases)}[/]" if each.aliases else ""
        value = "minimax" if each.equals_minimax else "own"
        memory = "needs" if each.needs_table else "uses" if each.uses_table else ""
        name = f"[cyan]{each.name}[/]{aliases}"
        rows.append((name, each.summary, value, memory, f"[dim]{each.paper}[/]"))
    print_table(("algorithm", "what it does", "value", "table", "paper"), rows)


def evaluators(
    game: Annotated[str | None, typer.Argument(help="Only those that can judge this game.")] = None,
    json: options.Json = False,
) -> None:
    """List the evaluators, with their scale and where they come from."""
    data, rows = [], []
    for each in suitable(name_game(game).initial()) if game else all_evaluators():
        judged = [name for name, spec in games().items() if set(spec.states) & set(each.games)]
        facts = {"summary": each.summary, "source": each.source, "scale": each.scale}
        data.append({"name": each.name, "games": judged, **facts, "default": each.is_default})
        name = f"[cyan]{each.name}[/]{' [dim](default)[/]' if each.is_default else ''}"
        where = ", ".join(judged) if each.games else "any"
        rows.append((name, where, each.summary, each.scale, f"[dim]{each.source}[/]"))
    if json:
        print_json(data)
    else:
        print_table(("evaluator", "game", "what it counts", "one unit", "source"), rows)
