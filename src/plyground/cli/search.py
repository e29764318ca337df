"""`plyground search`: what an algorithm thinks of a position."""

from __future__ import annotations

from typing import Annotated

import typer

from plyground.analysis.course_trace import demand_traced, is_traced, trace_move
from plyground.cli import options
from plyground.cli.common import INTERRUPTED, compiling_shown, err, load, out, print_json
from plyground.cli.course_trace import demand_trace, write_moves
from plyground.core.errors import Unsupported
from plyground.core.quantities import read_bytes, read_seconds
from plyground.public.interrupting import Interrupted
from plyground.public.searching import SearchResult, evaluator_of, search_position
from plyground.search.catalogue import find_algorithm
from plyground.search.setup import FINISHES, MOST_PLIES, Limits, Setup, default_finish


def search(
    game: options.Game,
    algorithm: Annotated[
        str, typer.Option("--algorithm", "-a", help="See plyground algorithms.")
    ] = "abmemory",
    evaluator: options.Evaluator = None,
    depth: Annotated[
        int | None,
        typer.Option("--depth", "-d", min=1, max=MOST_PLIES, help="Plies to look ahead."),
    ] = None,
    time: Annotated[str | None, typer.Option(help="To think, as in 2s or 500ms.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes to visit.")] = None,
    order: Annotated[
        str,
        typer.Option(
            help="natural table weights shallow worst killers history random all; moves to try "
            "first, as in 4,5,3; shallow(eval=NAME)."
        ),
    ] = "natural",
    memory: Annotated[
        str | None, typer.Option(help="For tables and open nodes: 64MB, 1GB, 0.")
    ] = None,
    symmetric: Annotated[
        bool, typer.Option("--symmetric", help="Let mirrored positions share a table entry.")
    ] = False,
    finish: Annotated[
        str | None, typer.Option(help="What tells wins apart: margin, distance or scored.")
    ] = None,
    endgame: Annotated[
        int, typer.Option(min=0, max=60, help="Solve when so few cells are empty.")
    ] = 0,
    iterate: Annotated[
        bool, typer.Option("--iterate", help="Search depth 1, 2, 3 ... up to --depth.")
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=options.MOST_SEED, help="Choose among equal moves at random."),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, max=256, help="Threads that share the table.")] = 1,
    prune: Annotated[str | None, typer.Option(help="isolated: unsound, leaves moves out.")] = None,
    remember: Annotated[
        str | None, typer.Option(help="Memory for values of the evaluator.")
    ] = None,
    stop: Annotated[
        str | None, typer.Option(help="win: look no further where a move wins at once.")
    ] = None,
    position: options.Position = None,
    moves: options.Moves = None,
    set_: options.Settings = None,
    trace: options.Trace = None,
    json: options.Json = False,
) -> None:
    """Search a position and print the move, its score and the line expected."""
    time_s = read_seconds(time, "--time") if time is not None else None
    loaded = load(game, set_, position, moves)
    if not (depth or time_s or nodes or find_algorithm(algorithm).ends_by_itself):
        raise Unsupported("give a limit: --depth, --time or --nodes")
    if trace is not None:
        limits = Limits(depth, time_s, nodes, endgame, iterate)
        is_plain = is_traced(find_algorithm(algorithm), limits) and prune is None
        demand_traced(loaded.game, is_plain)
        demand_trace(trace)
    interrupt: Interrupted | None = None

    def show(result: SearchResult) -> None:
        if not json:
            out.print(result.one_line(), soft_wrap=True)

    with compiling_shown():
        try:
            result = search_position(
                loaded,
                algorithm,
                depth=depth,
                seconds=time_s,
                nodes=nodes,
                evaluator=evaluator,
                order=order,
                memory=None if memory is None else read_bytes(memory, "--memory"),
                symmetric=symmetric,
                finish=finish,
                endgame=endgame,
                iterate=iterate,
                seed=seed,
                threads=threads,
                prune=prune,
                remember=None if remember is None else read_bytes(remember, "--remember"),
                stop=stop,
                on_depth=show,
                shows_progress=False,
            )
        except Interrupted as raised:
            interrupt, result = raised, raised.result
            err.print(str(interrupt))
            if not result.depth:
                raise SystemExit(INTERRUPTED) from None
    if trace is not None:
        judge, _, _ = evaluator_of(loaded, evaluator)
        told = FINISHES[finish.strip().lower() if finish else default_finish(loaded.game)]
        setup = Setup(find_algorithm(algorithm), judge, told, order)
        write_moves(trace, [trace_move(loaded, setup)])
    if json:
        print_json(result.as_data())
    else:
        if not (iterate or time_s or nodes) or not result.completed:
            show(result)
        out.print(f"[bold]{result.move}[/]  {result.score}")
        shown = ", ".join(f"{name} {count:,}" for name, count in result.counters.items() if count)
        out.print(f"[dim]{result.algorithm}, {result.evaluator}: {shown}[/]", soft_wrap=True)
    if interrupt:
        raise SystemExit(INTERRUPTED)
