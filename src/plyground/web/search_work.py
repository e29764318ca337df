"""What a thread does for a page that asks for a search: analyse, move, or open a tree.

Of a tree the page gets a summary; what it opens, it asks for by the tree's name, under which the
trees that were made last are remembered.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from plyground import kernel
from plyground.analysis.every_move import Analysis, Findings, MoveFinding
from plyground.analysis.exact import analysis_of
from plyground.analysis.simulations import Simulations, Tree
from plyground.analysis.trace_pages import summary
from plyground.analysis.trace_proof import prove, setups
from plyground.analysis.traces import Traced, TraceRequest, TreeCache, prepare_trace, run_trace
from plyground.games.position import BasePosition
from plyground.kernel import Slab
from plyground.players.catalogue import make_machine
from plyground.players.hints import hint_player
from plyground.players.judging import read_judge
from plyground.players.spec import Choice, Turn, ask
from plyground.search.clock import timer
from plyground.search.run import prepare
from plyground.search.uct import ROOT
from plyground.web.thinking import ThinkingRoom
from plyground.web.wire import Start, demand_harmless

MOVES = ("move", "hint")
Report = Callable[[str, dict[str, Any]], None]
_prepared: set[tuple[type, str]] = set()
"""The players that have moved since the server was started, and in which games."""


@dataclass
class Trees:
    """The trees that were searched last."""

    traces: TreeCache[Traced] = field(default_factory=TreeCache)
    simulations: TreeCache[Simulated] = field(default_factory=TreeCache)


@dataclass(frozen=True)
class Simulated:
    """Simulations that were made, and their tree."""

    request: Simulations
    tree: Tree

    def __len__(self) -> int:
        return len(self.tree)


def work_of(
    start: Start, report: Report, room: ThinkingRoom, trees: Trees
) -> Callable[[Slab], None]:
    """What a thread does for a page. Raises InputError before it begins."""
    position = start.line.read()
    if start.kind == "analysis":
        return _analysis(start, position, report, room)
    if start.kind in MOVES:
        return _move(start, position, report, room)
    tracing = _tracing(start, position, trees)

    def work(stop: Slab) -> None:
        with _compiling_reported(report):
            room.get_ready(tracing.prepare)
        with timer(start.time_s, stop):
            found = tracing.run(stop)
        report(start.kind, found)

    return work


def _move(
    start: Start, position: BasePosition, report: Report, room: ThinkingRoom
) -> Callable[[Slab], None]:
    text = start.player if start.kind == "move" and start.player else hint_player(position)
    demand_harmless(text)
    player = make_machine(text, position.game, position.start)
    turn = Turn(position, start.seed)

    def work(stop: Slab) -> None:
        kind = (type(position.state), text)
        if kind not in _prepared:  # to see that nothing is to be compiled takes milliseconds
            with _compiling_reported(report):
                room.get_ready(lambda: player.prepare(turn))
            _prepared.add(kind)
        end_s = time.monotonic() + start.time_s
        with timer(start.time_s, stop):
            choice = ask(player, turn, stop)
        # A player's own limit and a person raise the same flag, so the flag does not say which.
        report("move", {**_found(position, choice), "cut": time.monotonic() >= end_s})

    return work


def _analysis(
    start: Start, position: BasePosition, report: Report, room: ThinkingRoom
) -> Callable[[Slab], None]:
    judge = read_judge(start.evaluator, position.game, position.start)

    def work(stop: Slab) -> None:
        with _compiling_reported(report):
            judged = Analysis(position, judge.evaluator, start.depth, stop=stop)
            analysis = analysis_of(judged)
            room.get_ready(analysis.prepare)
        with timer(start.time_s, stop):
            found = analysis.run(lambda so_far: report("info", _findings(position, so_far)))
        report("info", _findings(position, found))

    return work


@contextlib.contextmanager
def _compiling_reported(report: Report) -> Iterator[None]:
    compiled = False

    def show(text: str) -> None:
        nonlocal compiled
        compiled = True
        report("compiling", {"text": text})

    with kernel.on_compiling(show):
        yield
    if compiled:
        report("ready", {})


def _findings(position: BasePosition, found: Findings) -> dict[str, Any]:
    return {
        "depth": found.depth,
        "nodes": found.nodes,
        "time_ms": round(found.time_s * 1000),
        "nps": round(found.nodes / found.time_s) if found.time_s else 0,
        "complete": found.is_complete,
        "moves": [_found(position, each) for each in found.moves],
    }


def _found(position: BasePosition, found: MoveFinding | Choice) -> dict[str, Any]:
    score = found.score
    return {
        "move": position.write_move(found.move),
        "score": {**vars(score), "text": str(score)} if score else None,
        "depth": found.depth,
        "nodes": found.nodes,
        "line": list(position.write_line(found.line)),
    }


# ---------------------------------------------------------------------- trees


@dataclass(frozen=True)
class Tracing:
    """What is compiled first, and what is done then."""

    prepare: Callable[[], object]
    run: Callable[[Slab], dict[str, Any]]


def _tracing(start: Start, position: BasePosition, trees: Trees) -> Tracing:
    if start.kind == "simulations":
        return _simulations(start.simulations.read(position), trees)
    request = start.trace.read(position)
    request.setup()
    if start.kind == "proof":
        return _proof(request, start.node, trees)

    def run(stop: Slab) -> dict[str, Any]:
        return summary(_traced(request, trees, stop))

    return Tracing(lambda: prepare_trace(request), run)


def _traced(request: TraceRequest, trees: Trees, stop: Slab) -> Traced:
    found = trees.traces.find(request.name)
    if found is None:
        found = run_trace(request, stop)
        trees.traces.keep(request.name, found)
    return found


def _proof(request: TraceRequest, node: int, trees: Trees) -> Tracing:
    position = request.position

    def compile_all() -> None:
        prepare_trace(request)
        for setup in setups(request.setup()):
            prepare(position.game, position.state, setup)

    def run(stop: Slab) -> dict[str, Any]:
        traced = _traced(request, trees, stop)
        return prove(traced, traced.demand(node), stop)

    return Tracing(compile_all, run)


def _simulations(request: Simulations, trees: Trees) -> Tracing:
    def run(stop: Slab) -> dict[str, Any]:
        found = trees.simulations.find(request.name)
        if found is None:
            found = Simulated(request, request.run(stop=stop))
            trees.simulations.keep(request.name, found)
        tree = found.tree
        return {
            "name": request.name,
            "nodes": len(tree),
            "simulations": tree.visits(ROOT),
            "move": tree.best_move(),
            "root": tree.row(ROOT, None),
            **tree.child_rows(ROOT),
        }

    return Tracing(lambda: request.run(1), run)
