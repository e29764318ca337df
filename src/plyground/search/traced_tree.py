"""A finished trace as a tree: columns of numbers, nodes in the order of the tree.

Rows of a trace are as the algorithm wrote them. Here every window and value is for the side to move
at its node, every node has its ply, its position and its side, and the nodes below a node follow it
directly: rows from it to its `last` are its sub-tree. A search in several passes has several roots.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from plyground.bits import U64, combine, signed
from plyground.core.scores import Bound
from plyground.games.rules import State, count_moves, is_over, key, play, side
from plyground.games.spec import GameSpec
from plyground.kernel import Slab, kernel
from plyground.search.catalogue import Algorithm
from plyground.search.parts import FROM_TABLE, LEAF, OVER
from plyground.search.trace import (
    DROPPED,
    FIELDS,
    HEADER,
    MOVE,
    NO_NODE,
    NOT_VISITED,
    ORDER,
    PARENT,
    REASON,
    ROW,
    USED,
    Trace,
)

# What playing to a node finds out: its row in the trace, its parent here, ...
ROW_OF, UP, PLY, SIDE, KEY, PATH, LEGAL, LAST, LAID = range(9)
# Links: how many nodes are laid out, then for each row its first child and its next sibling.
PLACED, LINKS = 0, 1
Column = np.ndarray


@kernel
def lay_out(
    state: State,
    row: int,
    parent: int,
    ply: int,
    path: U64,
    rows: Slab,
    links: Slab,
    laid: Slab,
    moves: Slab,
) -> int:
    """Record a node and all below it; the place after them."""
    place = links[PLACED]
    links[PLACED] = place + 1
    at = place * LAID
    laid[at + ROW_OF] = row
    laid[at + UP] = parent
    laid[at + PLY] = ply
    laid[at + SIDE] = side(state)
    laid[at + KEY] = signed(key(state))
    laid[at + PATH] = signed(path)
    reason = rows[HEADER + row * ROW + REASON]
    if reason != LEAF and reason != OVER and reason != FROM_TABLE and not is_over(state):
        laid[at + LEGAL] = count_moves(state, moves, 0)
    child = links[LINKS + 2 * row]
    while child != NO_NODE:
        if rows[HEADER + child * ROW + ORDER] != NOT_VISITED:
            move = rows[HEADER + child * ROW + MOVE]
            below = combine(path, U64(move + 1))
            lay_out(play(state, move), child, place, ply + 1, below, rows, links, laid, moves)
        child = links[LINKS + 2 * child + 1]
    laid[at + LAST] = links[PLACED] - 1
    return links[PLACED]


@dataclass(frozen=True)
class TracedTree:
    """The nodes of a search; all columns have one number for each."""

    parent: Column
    """-1 for a root."""
    move: Column
    ply: Column
    depth: Column
    """Plies that were left to search."""
    side: Column
    alpha: Column
    beta: Column
    value: Column
    reason: Column
    cutting_move: Column
    unsearched: Column
    """Legal moves that were never searched."""
    last: Column
    order: Column
    """Which visit it was, from 0."""
    hidden: Column
    """Nodes below that were counted only."""
    done: Column
    """The last visit to it or below it."""
    first: Column
    """The first node, in the order of visits, at which the position was met."""
    is_again: Column
    """Whether the same moves had led there before: in an earlier pass, or in a test."""
    dropped: int
    """Nodes that were counted only."""
    is_best_first: bool
    visits: Column = field(repr=False)
    """The nodes in the order of visits."""

    def __len__(self) -> int:
        return len(self.parent)

    def children(self, node: int) -> list[int]:
        """The children in the order of their moves; of -1, the roots."""
        child, end = node + 1, len(self) - 1 if node == NO_NODE else int(self.last[node])
        found = []
        while child <= end:
            found.append(child)
            child = int(self.last[child]) + 1
        return found

    def path(self, node: int) -> list[int]:
        """The nodes from a root to this one."""
        found = []
        while node != NO_NODE:
            found.append(node)
            node = int(self.parent[node])
        return found[::-1]

    def moves_to(self, node: int) -> list[int]:
        """The moves from the root to a node."""
        return [int(self.move[each]) for each in self.path(node)[1:]]

    def size(self, node: int) -> int:
        """Nodes in its sub-tree, itself included."""
        return int(self.last[node]) - node + 1 + int(self.hidden[node])

    @cached_property
    def is_shut(self) -> Column:
        """Whether its children were counted only, or some of a best-first search's."""
        is_parent = np.zeros(len(self), bool)
        is_parent[self.parent[self.parent != NO_NODE]] = True
        return (self.hidden > 0) & (self.is_best_first | ~is_parent)

    def bound(self, node: int) -> Bound:
        """Whether its value is exact or only a bound, judged by the window on entry."""
        value = self.value[node]
        if value >= self.beta[node]:
            return "lower"
        return "upper" if value <= self.alpha[node] else "exact"


def read_tree(game: GameSpec, state: State, algorithm: Algorithm, trace: Trace) -> TracedTree:
    """The tree that a search of a position has left in its trace."""
    used = trace.rows[USED]
    table = trace.rows.array[HEADER : HEADER + used * ROW].reshape(used, ROW)
    links = _links(table[:, PARENT])
    laid_out, moves = Slab(max(1, used) * LAID), Slab(game.max_moves + 1)
    for root in np.flatnonzero(table[:, PARENT] == NO_NODE).tolist():
        lay_out(state, root, NO_NODE, 0, U64(0), trace.rows, links, laid_out, moves)
    count = links[PLACED]
    laid = laid_out.array[: count * LAID].reshape(count, LAID)
    recorded = dict(zip(FIELDS, table[laid[:, ROW_OF]].T, strict=True))
    alpha, beta, value = _seen_by_mover(laid[:, SIDE], int(side(state)), algorithm, recorded)
    order = _order(recorded["order"])
    visits = np.argsort(order, kind="stable")
    columns = recorded | {
        "parent": laid[:, UP],
        "ply": laid[:, PLY],
        "side": laid[:, SIDE],
        "alpha": alpha,
        "beta": beta,
        "value": value,
        "unsearched": _unsearched(algorithm, laid, recorded),
        "last": laid[:, LAST],
        "order": order,
        "done": _done(laid[:, UP], laid[:, PLY], order),
        "first": _first_with(laid[:, KEY], visits),
        "visits": visits,
    }
    # Half the memory: every number of a tree fits into 32 bits.
    small = {name: column.astype(np.int32) for name, column in columns.items()}
    is_again = _first_with(laid[:, PATH], visits) != np.arange(count)
    is_best_first = algorithm.call == "best-first"
    return TracedTree(
        **small, is_again=is_again, dropped=trace.rows[DROPPED], is_best_first=is_best_first
    )


def _links(parents: Column) -> Slab:
    """First children and next siblings, siblings in the order in which they were written."""
    links = Slab(LINKS + 2 * len(parents))
    pairs = links.array[LINKS:].reshape(len(parents), 2)
    pairs[:] = NO_NODE
    by_parent = np.argsort(parents, kind="stable")
    of = parents[by_parent]
    is_first = np.ones(len(of), bool)
    is_first[1:] = of[1:] != of[:-1]
    heads = by_parent[is_first & (of != NO_NODE)]
    pairs[parents[heads], 0] = heads
    followers = np.flatnonzero(~is_first)
    pairs[by_parent[followers - 1], 1] = by_parent[followers]
    return links


def _seen_by_mover(
    sides: Column, us: int, algorithm: Algorithm, recorded: dict[str, Column]
) -> tuple[Column, Column, Column]:
    """Windows and values as the side to move sees them."""
    if algorithm.call == "first":
        is_turned = sides == 1
    elif algorithm.call == "best-first":
        is_turned = (sides == us) != algorithm.maximise
    else:
        is_turned = np.zeros(len(sides), bool)
    low, high, value = recorded["alpha"], recorded["beta"], recorded["value"]
    alpha, beta = np.where(is_turned, -high, low), np.where(is_turned, -low, high)
    if algorithm.call == "first":  # a leaf is valued for the side to move, whoever asks
        is_turned &= (recorded["reason"] != LEAF) & (recorded["reason"] != OVER)
    return alpha, beta, np.where(is_turned, -value, value)


def _order(written: Column) -> Column:
    """Visits counted without gaps."""
    order = np.empty(len(written), np.int64)
    order[np.argsort(written, kind="stable")] = np.arange(len(written))
    return order


def _done(parents: Column, plies: Column, order: Column) -> Column:
    """The greatest order in each sub-tree, from the deepest ply up."""
    done = order.copy()
    for ply in range(int(plies.max(initial=0)), 0, -1):
        nodes = np.flatnonzero(plies == ply)
        np.maximum.at(done, parents[nodes], done[nodes])
    return done


def _first_with(column: Column, visits: Column) -> Column:
    """For each node, the node visited first with the same number."""
    _, place, group = np.unique(column[visits], return_index=True, return_inverse=True)
    first = np.empty(len(column), np.int64)
    first[visits] = visits[place[group.reshape(-1)]]
    return first


def _unsearched(algorithm: Algorithm, laid: Column, recorded: dict[str, Column]) -> Column:
    """A depth-first search records it; for a best-first one it is what is missing."""
    if algorithm.call != "best-first":
        return recorded["unsearched"]
    parents = laid[:, UP]
    searched = np.bincount(parents[parents != NO_NODE], minlength=len(laid))
    return np.where(recorded["hidden"] == 0, np.maximum(laid[:, LEGAL] - searched, 0), 0)
