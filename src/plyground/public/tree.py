"""Every node that a search visited: as objects, as a frame, and drawn as a tree."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from plyground.analysis.trace_rows import node_rows, unsearched_moves
from plyground.analysis.trace_words import sentence
from plyground.analysis.traces import Traced, TraceRequest, run_trace
from plyground.core.errors import Unsupported
from plyground.core.interrupts import stopped_by_interrupt
from plyground.drawing.pictures import picture
from plyground.drawing.trees import TreeNode, tree_svg
from plyground.kernel import Slab
from plyground.public.frames import Row, Rows
from plyground.public.progress import Progress
from plyground.search.clock import STOP
from plyground.search.trace import NO_NODE

if TYPE_CHECKING:
    from plyground.public.position import Position

MOST_DRAWN = 300  # nodes of a picture
COLUMNS = (
    *("node", "parent", "move", "side", "ply", "depth", "alpha", "beta", "value", "bound"),
    *("reason", "unsearched", "children", "nodes", "order", "worth"),
)


@dataclass(frozen=True, repr=False)
class Node:
    """One node of a searched tree; iterating over it gives its children."""

    tree: Tree
    """The tree it belongs to."""
    number: int
    """Its number in the order of the tree; the root is 0."""

    @cached_property
    def _row(self) -> Row:
        return next(node_rows(self.tree._traced, [self.number]))

    @property
    def move(self) -> str | None:
        """The move that leads here; None at the root."""
        return self._row["move"]

    @property
    def position(self) -> Position:
        """The position at the node."""
        return self.tree.position.follow(self.tree._traced.tree.moves_to(self.number))

    @property
    def parent(self) -> Node | None:
        """The node above; None at a root."""
        parent = self._row["parent"]
        return None if parent == NO_NODE else Node(self.tree, parent)

    @property
    def children(self) -> list[Node]:
        """The nodes below, in the order in which they were searched."""
        return [Node(self.tree, child) for child in self.tree._traced.tree.children(self.number)]

    @property
    def cut(self) -> list[str]:
        """The legal moves that were never searched."""
        return unsearched_moves(self.tree._traced, self.number)

    @property
    def value(self) -> int:
        """The value that the search returned, for the side to move at the node."""
        return self._row["value"]

    @property
    def worth(self) -> str:
        """The value in words, with its bound, for the side to move at the root."""
        return self._row["worth"]

    @property
    def window(self) -> tuple[int, int]:
        """Alpha and beta on entry, for the side to move at the node."""
        return self._row["alpha"], self._row["beta"]

    @property
    def why(self) -> str:
        """Why it ended: `leaf`, `over`, `table`, `cut` or `searched`; `open` if it never did."""
        return self._row["reason"]

    @property
    def sentence(self) -> str:
        """Why it ended, as a sentence."""
        return sentence(self.tree._traced, self.number)

    def __repr__(self) -> str:
        move = self.move or "root"
        return f"node {self.number}: {move}  {self.worth}  {self.why}  ({len(self.children)} below)"

    def __iter__(self) -> Iterator[Node]:
        return iter(self.children)


class Tree(Rows):
    """A search with every node it visited; see `Position.tree`.

    It has a length, nodes by number (`tree[3]`), and a row for each node in its `frame()`. In a
    notebook its uppermost nodes are drawn.
    """

    def __init__(self, position: Position, traced: Traced) -> None:
        self.position, self._traced = position, traced

    @property
    def root(self) -> Node:
        """The node where the search began; the first, if it began several times."""
        return self.roots[0]

    @property
    def roots(self) -> list[Node]:
        """All roots: drivers of minimal windows such as `mtdf` search a position several times."""
        return [Node(self, number) for number in self._traced.roots]

    def __len__(self) -> int:
        return len(self._traced)

    def __getitem__(self, number: int) -> Node:
        return Node(self, self._traced.demand(number))

    def __iter__(self) -> Iterator[Node]:
        return (Node(self, number) for number in range(len(self)))

    @property
    def algorithm(self) -> str:
        """The name of the algorithm."""
        return self._traced.algorithm.name

    @property
    def depth(self) -> int:
        """The depth of the search."""
        return self._traced.request.depth

    @property
    def counters(self) -> dict[str, int]:
        """Nodes, leaves, cut-offs and the like, as of `SearchResult`."""
        return dict(self._traced.result.counters)

    @property
    def dropped(self) -> int:
        """Nodes that were counted only, because there was no room for them."""
        return int(self._traced.tree.dropped)

    @property
    def statistics(self) -> list[dict[str, Any]]:
        """Ply by ply: nodes, leaves, cut-offs and the moves that they saved."""
        return [dict(each) for each in self._traced.statistics]

    def rows(self) -> Sequence[Row]:
        """A row for each node, in the order of the tree."""
        rows = node_rows(self._traced, range(len(self)))
        return [{name: row[name] for name in COLUMNS} for row in rows]

    def __repr__(self) -> str:
        traced, result = self._traced, self._traced.result
        move = "" if result.move is None else self.position.write_move(result.move)
        return (
            f"{self.algorithm} to depth {self.depth}: {len(self):,} nodes, {move} is worth "
            f"{traced.text_of(result.value)}"
        )

    def _repr_html_(self) -> str:
        drawn = picture(tree_svg(self._drawn())).replace("<img ", '<img style="max-width:none" ')
        words = html.escape(repr(self))
        return f'<p>{words}</p><div style="overflow-x:auto">{drawn}</div>'

    def _drawn(self) -> list[TreeNode]:
        """The nodes of the picture: the uppermost, as many as can be read."""
        tree, chosen = self._traced.tree, list(self._traced.roots)
        for number in chosen:
            children = tree.children(number)
            if len(chosen) + len(children) <= MOST_DRAWN:
                chosen += children
        shown = set(chosen)

        def drawn(row: Row) -> TreeNode:
            children = tree.children(row["node"])
            is_folded = bool(children) and children[0] not in shown
            return TreeNode(
                number=row["node"],
                parent=row["parent"],
                move=row["move"] or "",
                worth=row["worth"],
                is_first=row["side"] == 0,
                why=row["reason"],
                cut=row["unsearched"],
                folded=row["nodes"] - 1 if is_folded else 0,
            )

        return [drawn(row) for row in node_rows(self._traced, sorted(chosen))]


def trace_position(
    position: Position,
    algorithm: str,
    *,
    depth: int,
    evaluator: str | None,
    order: str,
    table: bool,
    room: int,
) -> Tree:
    """See `Position.tree`."""
    if evaluator is not None and not isinstance(evaluator, str):
        raise Unsupported("a tree is searched with an evaluator by its name; see pg.evaluators")
    request = TraceRequest(position, algorithm, depth, evaluator, order, table, room)
    stop = Slab(1)
    with (
        Progress(f"tracing {algorithm} on {position.game.title}"),
        stopped_by_interrupt(lambda: stop.__setitem__(STOP, 1)),
    ):
        return Tree(position, run_trace(request, stop))
