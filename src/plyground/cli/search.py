"""`plyground search`: what an algorithm thinks of a position."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from plyground.cli.common import (
    MOST_SEED,
    GameArgument,
    JsonOption,
    MovesOption,
    PositionOption,
    SetOption,
    compiling_shown,
    err,
    load,
    out,
    print_json,
)
from plyground.cli.meter import INTERRUPTED
from plyground.core.errors import Unsupported, unknown
from plyground.core.quantities import read_bytes, read_seconds
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.remembered import remembered
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.search.catalogue import find_algorithm
from plyground.search.pruning import Isolated
from plyground.search.run import (
    search as run_search,
)
from plyground.search.setup import (
    DEFAULT_MEMORY,
    FINISHES,
    MOST_PLIES,
    Interrupted,
    Limits,
    SearchResult,
    Setup,
)


def search(
    game: GameArgument,
    algorithm: Annotated[
        str, typer.Option("--algorithm", "-a", help="See plyground algorithms.")
    ] = "abmemory",
    evaluator: Annotated[
        str | None, typer.Option("--evaluator", "-e", help="See plyground evaluators.")
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option("--depth", "-d", min=1, max=MOST_PLIES, help="Plies to look ahead."),
    ] = None,
    time: Annotated[str | None, typer.Option("--time", help="To think, as in 2s or 500ms.")] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", min=1, help="Nodes to visit.")] = None,
    order: Annotated[
        str,
        typer.Option(
            "--order", help="natural table weights shallow worst killers history random all."
        ),
    ] = "natural",
    memory: Annotated[
        str | None, typer.Option("--memory", help="For tables and open nodes: 64MB, 1GB, 0.")
    ] = None,
    symmetric: Annotated[
        bool, typer.Option("--symmetric", help="Let mirrored positions share a table entry.")
    ] = False,
    finish: Annotated[
        str | None,
        typer.Option("--finish", help="What tells wins apart: margin, distance or scored."),
    ] = None,
    endgame: Annotated[
        int, typer.Option("--endgame", min=0, max=60, help="Solve when so few cells are empty.")
    ] = 0,
    iterate: Annotated[
        bool, typer.Option("--iterate", help="Search depth 1, 2, 3 ... up to --depth.")
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, max=MOST_SEED, help="Choose among equal moves at random."),
    ] = None,
    threads: Annotated[
        int, typer.Option("--threads", min=1, max=256, help="Threads that share the table.")
    ] = 1,
    prune: Annotated[
        str | None, typer.Option("--prune", help="isolated: unsound, leaves moves out.")
    ] = None,
    remember: Annotated[
        str | None, typer.Option("--remember", help="Memory for values of the evaluator.")
    ] = None,
    position: PositionOption = None,
    moves: MovesOption = None,
    set_: SetOption = None,
    json: JsonOption = False,
) -> None:
    """Search a position and print the move, its score and the line expected."""
    time_s = read_seconds(time, "--time") if time is not None else None
    chosen = find_algorithm(algorithm)
    loaded = load(game, set_, position, moves)
    state = loaded.state
    judge = find_evaluator(evaluator, state)
    if symmetric and not judge.is_symmetric:
        raise Unsupported(
            f"{judge.name} tells mirrored positions apart; search without --symmetric"
        )
    weights = judge.make(loaded.start)
    if remember is not None:
        weights = remembered(weights, read_bytes(remember, "--remember"))
    if prune not in (None, "isolated"):
        raise unknown("pruning", prune or "", ["isolated"])
    setup = Setup(
        algorithm=chosen,
        evaluator=weights,
        finish=FINISHES[_finish_name(finish, loaded.game)],
        order=order,
        memory_bytes=DEFAULT_MEMORY if memory is None else read_bytes(memory, "--memory"),
        symmetric=symmetric,
        seed=seed,
        threads=threads,
        pruning=Isolated() if prune else None,
        playouts=evaluator is None,
    )
    limits = Limits(depth, time_s, nodes, endgame, iterate)
    if chosen.call in ("window", "guess", "plain", "first", "best-first") and not (
        depth or time_s or nodes or chosen.name == "greedy"
    ):
        raise Unsupported("give a limit: --depth, --time or --nodes")

    def show(result: SearchResult) -> None:
        if not json:
            out.print(_line(loaded.game, state, result), soft_wrap=True)

    is_interrupted = False
    with compiling_shown():
        try:
            hear = show if limits.iterates else None
            result = run_search(loaded.game, state, setup, limits, hear)
        except Interrupted as interrupt:
            result, is_interrupted = interrupt.result, True
            err.print(str(interrupt))
            if not result.depth:
                raise SystemExit(INTERRUPTED) from None
    if json:
        print_json(result_as_data(loaded.game, state, result))
        if is_interrupted:
            raise SystemExit(INTERRUPTED)
        return
    if not limits.iterates or not result.completed:
        show(result)
    out.print(f"[bold]{loaded.game.format_move(state, result.move or 0)}[/]  {result.score}")
    shown = ", ".join(f"{name} {count:,}" for name, count in result.counters.items() if count)
    by = "random games" if chosen.call == "uct" and setup.playouts else judge.name
    out.print(f"[dim]{chosen.name}, {by}: {shown}[/]", soft_wrap=True)
    if is_interrupted:
        raise SystemExit(INTERRUPTED)


def result_as_data(game: GameSpec, state: State, result: SearchResult) -> dict[str, Any]:
    """The result as JSON types; the score is the side to move's."""
    return {
        "move": game.format_move(state, result.move) if result.move is not None else None,
        "score": {
            "value": result.score.value,
            "kind": result.score.kind,
            "bound": result.score.bound,
        },
        "pv": line_as_text(game, state, result.line),
        "depth": result.depth,
        "nodes": result.nodes,
        "leaves": result.counters["leaves"],
        "time_s": round(result.time_s, 6),
        "passes": result.counters["passes"],
        "counters": result.counters,
    }


def line_as_text(game: GameSpec, state: State, line: tuple[int, ...]) -> list[str]:
    """The moves of a line in the game's notation."""
    texts = []
    for move in line:
        texts.append(game.format_move(state, move))
        state = game.replay(state, [move])
    return texts


def _line(game: GameSpec, state: State, result: SearchResult) -> str:
    texts = line_as_text(game, state, result.line)
    between = "; " if any(" " in text for text in texts) else " "
    speed = result.nodes / result.time_s / 1e6 if result.time_s else 0.0
    return (
        f"depth {result.depth:2}  {result.score!s:>10}  {result.nodes:>13,} nodes"
        f"  {result.time_s:8.3f} s  {speed:6.1f} M/s  {between.join(texts)}"
    )


def _finish_name(name: str | None, game: GameSpec) -> str:
    wanted = (name or ("scored" if game.is_scored else "margin")).strip().lower()
    if wanted not in FINISHES:
        raise unknown("finish", wanted, FINISHES)
    return wanted
