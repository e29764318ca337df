"""A record of every node of a search.

One row of numbers per node in one slab. Depth-first searches write nodes in the order of their
visits; best-first searches in the order in which nodes are made, and record when each was visited.
Nodes for which there is no room are counted only; so are, in depth-first searches, those with less
depth left than `floor`. Their nodes are also counted by depth, so that after a search that did not
fit the right floor is known. Windows and values are written as the algorithm sees them;
`traced_tree.py` turns them round. A trace costs nothing where it is None.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.scores import INFINITY
from plyground.kernel import Slab, verb

FIELDS = (
    "parent",
    "move",
    "depth",
    "alpha",
    "beta",
    "value",
    "reason",
    "cutting_move",
    "unsearched",
    "last",  # the last node visited below this one: rows from here to there are its sub-tree
    "order",  # which visit it was, counted from 0; -1 if it was never visited
    "hidden",  # nodes below this one that were counted only; of best-first searches, its children
)
PARENT, MOVE, DEPTH, ALPHA, BETA, VALUE, REASON, CUTTING, UNSEARCHED, LAST, ORDER, HIDDEN = range(
    len(FIELDS)
)
ROW = len(FIELDS)

# The first numbers of a trace are not a node's; the last of them are nodes by the depth left.
USED, CURRENT, NEXT_MOVE, DROPPED, DROPPED_OPEN, VISITS, BY_DEPTH = range(7)
DEPTHS = 64
HEADER = BY_DEPTH + DEPTHS
NO_NODE = -1
LEFT_OPEN = 5  # a reason beside those of `parts.py`: the search never came back to it
NOT_VISITED = -1


class Trace(NamedTuple):
    """Rows for `room` nodes."""

    rows: Slab
    room: int
    floor: int = 0
    """The least depth left with which a node is recorded."""

    def open_node(self, depth: int, alpha: int, beta: int) -> None:
        rows = self.rows
        level = BY_DEPTH + min(max(depth, 0), DEPTHS - 1)
        rows[level] = rows[level] + 1
        if rows[USED] == self.room or depth < self.floor:
            rows[DROPPED] = rows[DROPPED] + 1
            rows[DROPPED_OPEN] = rows[DROPPED_OPEN] + 1
            return
        node = rows[USED]
        rows[USED] = node + 1
        at = HEADER + node * ROW
        rows[at + PARENT] = rows[CURRENT]
        rows[at + MOVE] = rows[NEXT_MOVE]
        rows[at + DEPTH] = depth
        rows[at + ALPHA] = alpha
        rows[at + BETA] = beta
        rows[at + ORDER] = node
        rows[at + HIDDEN] = rows[DROPPED]
        rows[CURRENT] = node

    def note_move(self, move: int) -> None:
        self.rows[NEXT_MOVE] = move

    def close_node(
        self, depth: int, value: int, reason: int, cutting_move: int, unsearched: int
    ) -> None:
        rows = self.rows
        if rows[DROPPED_OPEN] > 0:
            rows[DROPPED_OPEN] = rows[DROPPED_OPEN] - 1
            return
        node = rows[CURRENT]
        at = HEADER + node * ROW
        rows[at + VALUE] = value
        rows[at + REASON] = reason
        rows[at + CUTTING] = cutting_move
        rows[at + UNSEARCHED] = unsearched
        rows[at + LAST] = rows[USED] - 1
        rows[at + HIDDEN] = rows[DROPPED] - rows[at + HIDDEN]
        rows[CURRENT] = rows[at + PARENT]

    def note_child(self, node: int, parent: int, move: int, depth: int) -> None:
        rows = self.rows
        if node >= self.room:
            if parent < self.room:
                at = HEADER + parent * ROW
                rows[at + HIDDEN] = rows[at + HIDDEN] + 1
            return
        rows[USED] = node + 1
        at = HEADER + node * ROW
        rows[at + PARENT] = parent
        rows[at + MOVE] = move
        rows[at + DEPTH] = depth
        rows[at + REASON] = LEFT_OPEN
        rows[at + ORDER] = NOT_VISITED

    def note_visit(self, node: int, bound: int) -> None:
        rows = self.rows
        if node >= self.room:
            rows[DROPPED] = rows[DROPPED] + 1
            return
        at = HEADER + node * ROW
        rows[at + ALPHA] = -INFINITY
        rows[at + BETA] = bound
        rows[at + VALUE] = bound
        rows[at + ORDER] = rows[VISITS]
        rows[VISITS] = rows[VISITS] + 1

    def note_solved(self, node: int, value: int, reason: int) -> None:
        if node < self.room:
            at = HEADER + node * ROW
            self.rows[at + VALUE] = value
            self.rows[at + REASON] = reason


def make_trace(room: int, floor: int = 0) -> Trace:
    """An empty trace for so many nodes."""
    trace = Trace(Slab(HEADER + room * ROW), room, floor)
    trace.rows[CURRENT] = NO_NODE
    return trace


def floor_that_fits(trace: Trace) -> int:
    """The least floor with which all nodes of a finished search have room."""
    floor, kept = DEPTHS, 0
    while floor > 0 and kept + trace.rows[BY_DEPTH + floor - 1] <= trace.room:
        floor -= 1
        kept += trace.rows[BY_DEPTH + floor]
    return floor


@verb
def open_node(trace: Trace | None, depth: int, alpha: int, beta: int) -> None:
    """A node is entered."""


@verb
def note_move(trace: Trace | None, move: int) -> None:
    """The move that leads to the next node."""


@verb
def close_node(
    trace: Trace | None, depth: int, value: int, reason: int, cutting_move: int, unsearched: int
) -> None:
    """The current node is left."""


@verb
def note_child(trace: Trace | None, node: int, parent: int, move: int, depth: int) -> None:
    """A best-first search has a new node, which it may visit."""


@verb
def note_visit(trace: Trace | None, node: int, bound: int) -> None:
    """A best-first search visits a node, which is worth at most the bound to MAX."""


@verb
def note_solved(trace: Trace | None, node: int, value: int, reason: int) -> None:
    """A best-first search has solved a node: its value for MAX."""
