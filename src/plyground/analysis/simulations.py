"""The tree of UCT: visits, means and bounds of every node, and single simulations.

A search from a seed can be repeated up to any simulation, so nothing has to be recorded: one
simulation is the difference between the trees before and after it. Rewards run from -1 to 1, and
means from 0 (always lost) to 1, for the side that made the move to a node.

Visits: the root gains one with every simulation, and so does one of its children; a node below
was visited once before it had children. So the visits of a node's children sum to the node's own
visits, less one unless it is the root.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from plyground.core.errors import Unsupported
from plyground.games.position import BasePosition
from plyground.games.rules import State, is_over
from plyground.kernel import Slab
from plyground.players.judging import read_evaluator
from plyground.search import uct
from plyground.search.catalogue import find_algorithm
from plyground.search.clock import STOP
from plyground.search.setup import FINISHES, Limits, Setup
from plyground.search.simulate import simulate

MOST_SIMULATIONS = 20_000
MOST_NODES = 1_000_000
Data = dict[str, Any]


@dataclass(frozen=True)
class Simulations:
    """What to simulate, and how often."""

    position: BasePosition
    count: int = 500
    evaluator: str | None = None
    """None for random games."""
    seed: int = 1

    def __post_init__(self) -> None:
        if self.position.is_over:
            raise Unsupported("the game is over: there is nothing to simulate")

    @cached_property
    def name(self) -> str:
        """Equal requests have equal names."""
        here = self.position
        place = [here.game.name, sorted(here.settings.items()), here.origin, here.moves]
        text = repr([place, self.count, self.evaluator, self.seed])
        return hashlib.sha256(text.encode()).hexdigest()[:20]

    def run(self, count: int | None = None, stop: Slab | None = None) -> Tree:
        """The tree after so many simulations, or all. Raises Unsupported if it is stopped."""
        here, wanted = self.position, self.count if count is None else count
        judge, _ = read_evaluator(self.evaluator or "zero", here.game, here.start)
        setup = Setup(
            find_algorithm("uct"),
            judge,
            FINISHES["margin"],
            memory_bytes=8 * uct.NODE * min(MOST_NODES, (wanted + 2) * here.game.max_moves),
            seed=self.seed,
            simulations=wanted,
            playouts=self.evaluator is None,
        )
        trees: list[Slab] = []
        flag = Slab(1) if stop is None else stop
        found = simulate(here.game, here.state, setup, Limits(), flag, keep=trees.append)
        if flag[STOP]:
            raise Unsupported("the simulations were stopped, or took too long; ask for fewer")
        return Tree(here, trees[0], found.line[0])


class Tree:
    """The nodes of UCT, by number; the root is 0."""

    def __init__(self, position: BasePosition, numbers: Slab, chosen: int) -> None:
        self.position, self.chosen = position, chosen
        flat = numbers.array.reshape(-1, uct.NODE)
        ends = flat[:, uct.FIRST_CHILD] + flat[:, uct.CHILDREN]
        used = int(ends.max(initial=1))
        self.table = flat[: max(used, 1)].copy()
        self.parent = np.full(len(self.table), -1, np.int64)
        for node in np.flatnonzero(self.table[:, uct.CHILDREN]).tolist():
            self.parent[self.children(node)] = node

    def __len__(self) -> int:
        return len(self.table)

    def children(self, node: int) -> list[int]:
        first, count = (int(self.table[node, i]) for i in (uct.FIRST_CHILD, uct.CHILDREN))
        return list(range(first, first + count))

    def visits(self, node: int) -> int:
        return int(self.table[node, uct.VISITS])

    def path(self, node: int) -> list[int]:
        found = []
        while node != -1:
            found.append(node)
            node = int(self.parent[node])
        return found[::-1]

    def state_at(self, node: int) -> State:
        return self.position_at(node).state

    def position_at(self, node: int) -> BasePosition:
        """The position at a node, with the moves that lead there."""
        return self.position.follow(int(self.table[each, uct.MOVE]) for each in self.path(node)[1:])

    def mean(self, node: int) -> float | None:
        """Between 0 and 1, for the side that moved to the node; None if it was never visited."""
        visits = self.visits(node)
        if not visits:
            return None
        return (int(self.table[node, uct.REWARD]) / (uct.WIN_REWARD * visits) + 1) / 2

    def bonus(self, node: int) -> float | None:
        """What exploration adds to the mean."""
        parent, visits = int(self.parent[node]), self.visits(node)
        if parent < 0 or not visits:
            return None
        return uct.EXPLORATION * math.sqrt(math.log(self.visits(parent)) / visits)

    def row(self, node: int, before: State | None) -> Data:
        mean, bonus = self.mean(node), self.bonus(node)
        move = int(self.table[node, uct.MOVE])
        return {
            "node": node,
            "parent": int(self.parent[node]),
            "move": None if before is None else self.position.game.format_move(before, move),
            "side": int(self.table[node, uct.MOVER]),
            "ply": len(self.path(node)) - 1,
            "visits": self.visits(node),
            "mean": mean,
            "bonus": bonus,
            "bound": None if mean is None or bonus is None else mean + bonus,
            "children": int(self.table[node, uct.CHILDREN]),
        }

    def child_rows(self, node: int) -> Data:
        """The children, the most visited first."""
        before = self.state_at(node)
        ordered = sorted(self.children(node), key=lambda child: (-self.visits(child), child))
        return {"node": node, "rows": [self.row(child, before) for child in ordered]}

    def path_rows(self, node: int) -> list[Data]:
        before: State | None = None
        found = []
        for each in self.path(node):
            found.append(self.row(each, before))
            before = self.position.state if before is None else self.state_at(each)
        return found

    def best_move(self) -> str:
        """The move that is chosen: the most visited at the root."""
        return self.position.write_move(self.chosen)

    def demand(self, node: int) -> int:
        """The node itself. Raises Unsupported if there is no such node."""
        if not 0 <= node < len(self):
            raise Unsupported(f"there is no node {node}; expected 0 to {len(self) - 1}")
        return node


def one_simulation(request: Simulations, number: int) -> Data:
    """The `number`-th simulation, from 1: what it selects, expands, evaluates and backs up."""
    if not 1 <= number <= request.count:
        raise Unsupported(f"there is no simulation {number}; expected 1 to {request.count}")
    after = request.run(number)
    before = request.run(number - 1) if number > 1 else None
    visited = after.table[:, uct.VISITS].copy()
    rewards = after.table[:, uct.REWARD].copy()
    if before is not None:
        visited[: len(before)] -= before.table[:, uct.VISITS]
        rewards[: len(before)] -= before.table[:, uct.REWARD]
    path = np.flatnonzero(visited).tolist()
    path.sort(key=lambda node: len(after.path(node)))
    leaf = path[-1]
    added = len(after) - (len(before) if before is not None else 1)
    reward = int(rewards[leaf]) / uct.WIN_REWARD
    who = request.position.game.players[int(after.table[leaf, uct.MOVER])]
    if is_over(after.state_at(leaf)):
        how = "the game is over there"
    elif request.evaluator is None:
        how = "a random game from there"
    else:
        how = f"{request.evaluator} values the position there"
    return {
        "number": number,
        "path": after.path_rows(leaf),
        "added": added,
        "reward": reward,
        "player": who,
        "steps": [
            f"Select: from the root down by the highest bound, {len(path) - 1} moves.",
            f"Expand: {added} new nodes."
            if added
            else "Expand: nothing, the node is new or final.",
            f"Evaluate: {how}: {reward:+.2f} for {who}.",
            f"Back up: {len(path)} nodes gain a visit, and the reward, with the sign of each.",
        ],
    }
