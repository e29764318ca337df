"""A record of every node of a search, in the order of visits, for looking inside.

One row of numbers per node in one slab. The cap is the room there is: beyond it nodes are counted
only, and `dropped` says how many. A trace costs nothing where it is None.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from plyground.core.scores import Bound
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
)
PARENT, MOVE, DEPTH, ALPHA, BETA, VALUE, REASON, CUTTING, UNSEARCHED, LAST = range(len(FIELDS))
ROW = len(FIELDS)

# The first numbers of a trace are not a node's.
USED, CURRENT, NEXT_MOVE, DROPPED, DROPPED_OPEN, HEADER = range(6)
NO_NODE = -1


class Trace(NamedTuple):
    """Rows for `room` nodes."""

    rows: Slab
    room: int

    def open_node(self, depth: int, alpha: int, beta: int) -> None:
        rows = self.rows
        if rows[USED] == self.room:
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
        rows[CURRENT] = rows[at + PARENT]


NodeKind = Literal["pv", "cut", "all"]
KIND_OF_NODE: dict[Bound, NodeKind] = {"exact": "pv", "lower": "cut", "upper": "all"}


@dataclass(frozen=True)
class TracedNode:
    """One node of a search, as it can be told to a person."""

    parent: int
    move: int
    ply: int
    depth: int
    alpha: int
    beta: int
    value: int
    bound: Bound
    """Whether the value is exact or only a bound, judged by the window on entry."""
    kind: NodeKind
    """On a principal variation, refuted by a move, or with all its moves not good enough."""
    reason: int
    cutting_move: int
    unsearched: int
    last: int


def read_trace(trace: Trace) -> list[TracedNode]:
    """The nodes in the order of their visits."""
    used = trace.rows[USED]
    table = trace.rows.array[HEADER : HEADER + used * ROW].reshape(used, ROW).tolist()
    root_depth = table[0][DEPTH] if table else 0
    nodes = []
    for row in table:
        value, alpha, beta = row[VALUE], row[ALPHA], row[BETA]
        bound: Bound = "lower" if value >= beta else "upper" if value <= alpha else "exact"
        nodes.append(
            TracedNode(
                parent=row[PARENT],
                move=row[MOVE],
                ply=root_depth - row[DEPTH],
                depth=row[DEPTH],
                alpha=alpha,
                beta=beta,
                value=value,
                bound=bound,
                kind=KIND_OF_NODE[bound],
                reason=row[REASON],
                cutting_move=row[CUTTING],
                unsearched=row[UNSEARCHED],
                last=row[LAST],
            )
        )
    return nodes


def make_trace(room: int) -> Trace:
    """An empty trace for so many nodes."""
    trace = Trace(Slab(HEADER + room * ROW), room)
    trace.rows[CURRENT] = NO_NODE
    return trace


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
