"""`plyground algorithms` and `plyground evaluators`: what there is to search and judge with."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from plyground.cli import options
from plyground.cli.common import out, print_json, print_table
from plyground.core.errors import Unsupported, unknown
from plyground.evaluation.catalogue import by_name, suitable
from plyground.evaluation.catalogue import evaluators as all_evaluators
from plyground.evaluation.learned import NTUPLES, plan_in, weights_behind
from plyground.evaluation.spec import EvaluatorSpec
from plyground.evaluation.tuple_pictures import in_words, strongest
from plyground.evaluation.weights_file import Weights
from plyground.games.catalogue import find_game, games, is_code, name_game
from plyground.search.catalogue import algorithms as all_algorithms

FACTS = ("name", "aliases", "summary", "paper", "equals_minimax", "uses_table", "needs_table")


def algorithms(json: options.Json = False) -> None:
    """List the search algorithms, with paper and guarantees."""
    if json:
        print_json(
            [{fact: getattr(each, fact) for fact in FACTS} for each in all_algorithms().values()]
        )
        return
    rows = []
    for each in all_algorithms().values():
        aliases = f" [dim]{', '.join(each.aliases)}[/]" if each.aliases else ""
        value = "minimax" if each.equals_minimax else "own"
        memory = "needs" if each.needs_table else "uses" if each.uses_table else ""
        name = f"[cyan]{each.name}[/]{aliases}"
        rows.append((name, each.summary, value, memory, f"[dim]{each.paper}[/]"))
    print_table(("algorithm", "what it does", "value", "table", "paper"), rows)


def evaluators(
    name: Annotated[
        str | None,
        typer.Argument(help="An evaluator, for its weights; or a game, for those that judge it."),
    ] = None,
    json: options.Json = False,
) -> None:
    """List the evaluators, or the weights of one."""
    chosen = all_evaluators() if name is None else _named(name)
    if json:
        print_json([_as_data(each) for each in chosen])
    elif name is not None and name.strip().lower() in by_name():
        for each in {each.summary: each for each in reversed(chosen)}.values():  # boards share one
            _print_weights(each)
    else:
        _print_evaluators(chosen)


def _named(name: str) -> Sequence[EvaluatorSpec]:
    """The evaluators of this name, or those that judge the game of this name."""
    if found := [each for each in all_evaluators() if each.name == name.strip().lower()]:
        return found
    try:
        return suitable(name_game(name).initial())
    except Unsupported:
        if is_code(name):
            raise
        raise unknown("evaluator or game", name, [*by_name(), *games()]) from None


def _judged(spec: EvaluatorSpec) -> list[str]:
    return [name for name, game in games().items() if set(game.classes) & set(spec.games)]


def _weights(spec: EvaluatorSpec) -> list[dict[str, Any]]:
    """What can be set, with the usual values, and what each is where its class says so."""
    usual = spec.make()
    return [
        {"name": name, "default": value, "help": _help(getattr(type(usual), name))}
        for name, value in usual._asdict().items()
        if isinstance(value, int)
    ]


def _help(field: Any) -> str:
    text = inspect.getdoc(field) or ""
    return "" if text.startswith("Alias for field number") else text  # what Python writes itself


def _as_data(spec: EvaluatorSpec) -> dict[str, Any]:
    facts = {"summary": spec.summary, "source": spec.source, "scale": spec.scale}
    about = {"name": spec.name, "games": _judged(spec), **facts, "default": spec.is_default}
    return about | {"weights": _weights(spec)}


def _print_learned(weights: Weights) -> None:
    """What a file says of itself, and the patterns that count most."""
    if found := weights.recipe.get("match"):
        verdict = "better" if found["is_better"] else "not proven better"
        games = f"+{found['wins']} ={found['draws']} -{found['losses']}"
        out.print(f"{verdict} than {found['against']}: {games} at {found['nodes']:,} nodes a move")
    if weights.kind != NTUPLES:
        return
    plan, game = plan_in(weights), find_game(weights.game)
    start = game.initial(**weights.settings)
    for title, patterns in zip(
        ("for the side to move", "against it"), strongest(plan, weights.numbers, 4), strict=True
    ):
        rows = [(f"{each.weight:+.0f}", in_words(each, plan, game, start)) for each in patterns]
        print_table(("weight", title), rows, right=("weight",))
    out.print(f"[dim]{weights.scale}[/]")


def _print_evaluators(chosen: Sequence[EvaluatorSpec]) -> None:
    rows = []
    for each in chosen:
        name = f"[cyan]{each.name}[/]{' [dim](default)[/]' if each.is_default else ''}"
        where = ", ".join(_judged(each)) if each.games else "any"
        rows.append((name, where, each.summary, each.scale, f"[dim]{each.source}[/]"))
    print_table(("evaluator", "game", "what it counts", "one unit", "source"), rows)


def _print_weights(spec: EvaluatorSpec) -> None:
    where = ", ".join(_judged(spec)) if spec.games else "any game"
    out.print(f"[bold]{spec.name}[/] ({where}): {spec.summary}", soft_wrap=True)
    if spec.version:
        _print_learned(weights_behind(spec))
        return
    weights = _weights(spec)
    rows = [(f"  {each['name']}", str(each["default"]), each["help"]) for each in weights]
    title = "what it is" if any(each["help"] for each in weights) else ""
    print_table(("  weight", "default", title), rows, right=("default",))
    if weights:
        first = weights[0]
        example = f"{spec.name}({first['name']}={first['default'] + 1})"
        out.print(f"[dim]as in --evaluator '{example}', or in a player: eval={example}[/]")
