"""Searches that record every node, and a cache of the last trees.

A trace is named by its request: equal requests give equal trees, so that a link to a node never
breaks. A tree that is no longer in the cache is searched again. If a tree has more nodes than there
is room for, those of the deepest plies are counted only.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Sized
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np

from plyground.core.errors import Unsupported
from plyground.core.scores import INFINITY, WIN
from plyground.games.position import BasePosition
from plyground.games.rules import State, is_over, play
from plyground.kernel import Slab
from plyground.players.judging import read_evaluator
from plyground.players.searching import read_order
from plyground.search.catalogue import Algorithm, find_algorithm
from plyground.search.clock import STOP
from plyground.search.parts import CUT, FROM_TABLE, LEAF, OVER, SEARCHED
from plyground.search.run import search
from plyground.search.setup import (
    DEFAULT_MEMORY,
    FINISHES,
    Limits,
    SearchResult,
    Setup,
    default_finish,
    score_of,
)
from plyground.search.trace import DROPPED, LEFT_OPEN, NO_NODE, floor_that_fits, make_trace
from plyground.search.traced_tree import TracedTree, read_tree

ROOM = 1_000_000
MOST_DEPTH = 60
MOST_CACHED = 3_000_000  # nodes of all trees together
MOST_CUT_LEAVES = 1000  # that are counted, by playing to them
REASONS = {
    LEAF: "leaf",
    OVER: "over",
    FROM_TABLE: "table",
    CUT: "cut",
    SEARCHED: "searched",
    LEFT_OPEN: "open",
}
BLIND = ("move", "uct")  # the calls of algorithms that search no tree of values


@dataclass(frozen=True)
class TraceRequest:
    """What to search, and how."""

    position: BasePosition
    algorithm: str = "alphabeta"
    depth: int = 4
    evaluator: str | None = None
    """Its name, also with weights, as in `stages(early_mobility=12)`."""
    order: str = "natural"
    with_table: bool = True
    """Whether an algorithm that can use a table has one."""
    room: int = ROOM
    """The number of nodes that are recorded."""

    @cached_property
    def name(self) -> str:
        """Equal requests have equal names."""
        position = self.position
        judge, spec = read_evaluator(self.evaluator, position.game, position.start)
        is_usual = self.evaluator is None or spec.name == self.evaluator.strip().lower()
        content = {
            "game": position.game.name,
            "settings": dict(position.settings),
            "position": position.origin,
            "moves": position.moves,
            "algorithm": find_algorithm(self.algorithm).name,
            "depth": self.depth,
            "evaluator": spec.name if is_usual else repr(judge),
            "order": self.order,
            "table": self.with_table,
            "room": self.room,
        }
        text = json.dumps(content, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:20]

    def setup(self) -> Setup:
        """The parts of the search. Raises InputError if there is no such search."""
        position = self.position
        algorithm = find_algorithm(self.algorithm)
        if algorithm.call in BLIND:
            text = f"{algorithm.name} searches no tree of values; there is nothing to see"
            raise Unsupported(text)
        position.demand_going_on()
        needs_memory = algorithm.needs_table or algorithm.call == "best-first"
        return Setup(
            algorithm,
            read_evaluator(self.evaluator, position.game, position.start)[0],
            FINISHES[default_finish(position.game)],
            read_order(self.order, "order", position.game, position.start),
            DEFAULT_MEMORY if self.with_table or needs_memory else 0,
        )


@dataclass(eq=False)
class Traced:
    """A finished search, and the tree of its nodes."""

    request: TraceRequest
    setup: Setup
    result: SearchResult
    tree: TracedTree

    def __len__(self) -> int:
        return len(self.tree)

    @cached_property
    def us(self) -> int:
        """The side to move at the root."""
        return self.request.position.mover

    @property
    def algorithm(self) -> Algorithm:
        return self.setup.algorithm

    @property
    def roots(self) -> list[int]:
        return self.tree.children(NO_NODE)

    def state_at(self, node: int) -> State:
        """The state at a node."""
        position = self.request.position
        return position.game.replay(position.state, self.tree.moves_to(node))

    def position_at(self, node: int) -> BasePosition:
        """The position at a node, with the moves that lead there."""
        return self.request.position.follow(self.tree.moves_to(node))

    def text_of(self, value: int) -> str:
        """A value of the search, in words."""
        if abs(value) >= INFINITY:
            return "∞" if value > 0 else "-∞"
        if abs(value) == WIN - 1:  # the window of a question whether this is won
            return "< win" if value > 0 else "> loss"
        if self.request.position.game.is_scored:
            return str(value)
        text = str(score_of(value, self.request.depth, self.setup.finish))
        return "0" if text == "+0" else text

    def demand(self, node: int) -> int:
        """The node itself. Raises Unsupported if there is no such node."""
        if not 0 <= node < len(self.tree):
            raise Unsupported(f"there is no node {node}; expected 0 to {len(self.tree) - 1}")
        return node

    @cached_property
    def statistics(self) -> list[dict[str, Any]]:
        """Ply by ply: nodes, leaves, cut-offs and the moves they saved, as far as is known."""
        tree, found = self.tree, []
        children = np.bincount(tree.parent[tree.parent >= 0], minlength=len(tree))
        for ply in range(int(tree.ply.max()) + 1):
            here = tree.ply == ply
            is_cut = here & (tree.reason == CUT)
            is_leaf = here & ((tree.reason == LEAF) | (tree.reason == OVER))
            # Nodes whose children were counted only do not say how many moves they had.
            is_inner = here & ~is_leaf & (tree.reason != FROM_TABLE) & ~tree.is_shut
            is_whole = not (is_cut & tree.is_shut).any()
            moves = int(children[is_inner].sum() + tree.unsearched[is_inner].sum())
            found.append(
                {
                    "ply": ply,
                    "nodes": int(here.sum()),
                    "leaves": int(is_leaf.sum()),
                    "table": int((here & (tree.reason == FROM_TABLE)).sum()),
                    "cuts": int(is_cut.sum()),
                    "first_cuts": int((is_cut & (children == 1)).sum()) if is_whole else None,
                    "unsearched": int(tree.unsearched[here].sum()),
                    "moves": moves,
                    "inner": int(is_inner.sum()),
                }
            )
        return found

    @cached_property
    def cut_leaves(self) -> int | None:
        """The leaves below all moves that were cut; None if there are too many to count."""
        game, tree, left = self.request.position.game, self.tree, MOST_CUT_LEAVES
        if tree.dropped or tree.unsearched.sum() > left:
            return None
        leaves = 0
        for node in np.flatnonzero(tree.unsearched).tolist():
            state = self.state_at(node)
            waiting = [(state, move, int(tree.depth[node])) for move in self.cut_moves(node)]
            while waiting:
                before, move, depth = waiting.pop()
                state = play(before, move)
                if depth == 1 or is_over(state):
                    leaves += 1
                else:
                    waiting += [(state, each, depth - 1) for each in game.legal(state)]
                if leaves + len(waiting) > left:
                    return None
        return leaves

    def cut_moves(self, node: int) -> list[int]:
        """The moves that were never searched, in the game's order, as far as is known."""
        tree, game = self.tree, self.request.position.game
        if tree.is_shut[node] or not int(tree.unsearched[node]):
            return []
        searched = {int(tree.move[child]) for child in tree.children(node)}
        return [move for move in game.legal(self.state_at(node)) if move not in searched]

    def scale(self) -> tuple[int, int]:
        """The least and the greatest value that is no win, for the side to move at the root."""
        tree = self.tree
        values = np.where(tree.side == self.us, tree.value, -tree.value)
        guesses = values[np.abs(values) < WIN - 1]
        return (int(guesses.min()), int(guesses.max())) if len(guesses) else (-1, 1)

    def least_leaves(self) -> float | None:
        """The leaves that any proof of the value needs in a tree of this width and depth.

        Knuth & Moore 1975: b^ceil(d/2) + b^floor(d/2) - 1, here with the mean number of moves.
        """
        rows = self.statistics
        inner = sum(row["inner"] for row in rows)
        if not inner:
            return None
        width, depth = sum(row["moves"] for row in rows) / inner, self.request.depth
        return float(width ** ((depth + 1) // 2) + width ** (depth // 2) - 1)


def run_trace(request: TraceRequest, stop: Slab) -> Traced:
    """Search, and read the tree. Raises InputError; Unsupported too if it is stopped."""
    setup = request.setup()
    position, algorithm, floor = request.position, setup.algorithm, 0
    while True:
        trace = make_trace(request.room, floor)
        limits = Limits(depth=request.depth)
        result = search(position.game, position.state, setup, limits, trace=trace, stop=stop)
        if stop[STOP]:
            raise Unsupported("the search was stopped, or took too long; search less deep")
        if not trace.rows[DROPPED] or algorithm.call == "best-first" or floor:
            break
        floor = floor_that_fits(trace)
    tree = read_tree(position.game, position.state, algorithm, trace)
    return Traced(request, setup, result, tree)


def prepare_trace(request: TraceRequest) -> None:
    """Compile what a trace needs."""
    run_trace(replace(request, depth=1, room=1000), Slab(1))


T = TypeVar("T", bound=Sized)


class TreeCache(Generic[T]):
    """The trees used last, by name; together they have at most so many nodes."""

    def __init__(self, most_nodes: int = MOST_CACHED) -> None:
        self._most, self._lock = most_nodes, threading.Lock()
        self._trees: OrderedDict[str, T] = OrderedDict()

    def find(self, name: str) -> T | None:
        with self._lock:
            found = self._trees.get(name)
            if found is not None:
                self._trees.move_to_end(name)
            return found

    def keep(self, name: str, tree: T) -> None:
        with self._lock:
            self._trees[name] = tree
            self._trees.move_to_end(name)
            while len(self._trees) > 1 and sum(map(len, self._trees.values())) > self._most:
                self._trees.popitem(last=False)
