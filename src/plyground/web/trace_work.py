"""Searches that a page looks into: what a thread does for one, and the trees that were made last.

The page gets a summary; what it opens, it asks for by the tree's name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from plyground.analysis.simulations import Simulations, Tree
from plyground.analysis.trace_pages import summary
from plyground.analysis.trace_proof import prove, setups
from plyground.analysis.traces import Asked, Kept, Traced, prepare_trace, run_trace
from plyground.games.position import BasePosition
from plyground.kernel import Slab
from plyground.search.run import prepare
from plyground.search.uct import ROOT
from plyground.web.wire import Start


@dataclass
class Trees:
    """The trees that pages have asked for last."""

    traces: Kept[Traced] = field(default_factory=Kept)
    simulations: Kept[Simulated] = field(default_factory=Kept)


@dataclass(frozen=True)
class Simulated:
    """Simulations that were made, and their tree."""

    asked: Simulations
    tree: Tree

    def __len__(self) -> int:
        return len(self.tree)


@dataclass(frozen=True)
class Work:
    """What is compiled first, and what is done then."""

    prepare: Callable[[], None]
    run: Callable[[Slab], dict[str, Any]]


def work_of(start: Start, position: BasePosition, trees: Trees) -> Work:
    """Raises InputError before anything is searched."""
    if start.kind == "simulations":
        return _simulations(start.simulations.read(position), trees)
    asked = start.trace.read(position)
    asked.setup()
    if start.kind == "trace":
        return Work(lambda: prepare_trace(asked), lambda stop: summary(_traced(asked, trees, stop)))
    return _proof(asked, start.node, trees)


def _traced(asked: Asked, trees: Trees, stop: Slab) -> Traced:
    found = trees.traces.find(asked.name)
    if found is None:
        found = run_trace(asked, stop)
        trees.traces.keep(asked.name, found)
    return found


def _proof(asked: Asked, node: int, trees: Trees) -> Work:
    position = asked.position

    def compile_all() -> None:
        prepare_trace(asked)
        for setup in setups(asked.setup()):
            prepare(position.game, position.state, setup)

    def run(stop: Slab) -> dict[str, Any]:
        traced = _traced(asked, trees, stop)
        return prove(traced, traced.demand(node), stop)

    return Work(compile_all, run)


def _simulations(asked: Simulations, trees: Trees) -> Work:
    def run(stop: Slab) -> dict[str, Any]:
        found = trees.simulations.find(asked.name)
        if found is None:
            found = Simulated(asked, asked.run(stop=stop))
            trees.simulations.keep(asked.name, found)
        tree = found.tree
        return {
            "name": asked.name,
            "nodes": len(tree),
            "simulations": tree.visits(ROOT),
            "move": tree.best_move(),
            "root": tree.row(ROOT, None),
            **tree.child_rows(ROOT),
        }

    def compile_all() -> None:
        asked.run(1)

    return Work(compile_all, run)
