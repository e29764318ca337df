"""Every node that a search visited: as objects, as a frame, and drawn as a tree."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from plyground.analysis.trace_rows import row, unsearched_moves
from plyground.analysis.trace_words import sentence
from plyground.analysis.traces import Traced, TraceRequest, run_trace
from plyground.core.errors import Unsupported
from plyground.core.interrupts import stopped_by_interrupt
from plyground.drawing.pictures import picture
from plyground.drawing.trees import TreeNode, tree_svg
from plyground.games.rules import State, play
from plyground.kernel import Slab
from plyground.public.frames import Row, Rows
from plyground.public.progress import Progress
from plyground.search.clock import STOP
from plyground.search.trace import NO_NODE

if TYPE_CHECKING:
    from plyground.public.position import Position

MOST_DRAWN = 300  # nodes of a picture


@dataclass(frozen=True, repr=False)
class Node:
    """One node of a searched tree."""

    tree: Tree
    number: int
    """In the order of the tree; the root is 0."""

    @cached_property
    def _row(self) -> Row:
        found: Row = self.tree._row(self.number)
        return found

    @property
    def move(self) -> str | None:
        """The move that leads here; None at the root."""
        move: str | None = self._row["move"]
        return move

    @property
    def position(self) -> Position:
        return self.tree._position_at(self.number)

    @property
    def parent(self) -> Node | None:
        parent: int = self._row["parent"]
        return None if parent == NO_NODE else Node(self.tree, parent)

    @property
    def children(self) -> list[Node]:
        """The nodes below, in the order in which they were searched."""
        return [Node(self.tree, child) for child in self.tree._traced.tree.children(self.number)]

    @property
    def cut(self) -> list[str]:
        """The moves that were never looked at."""
        return unsearched_moves(self.tree._traced, self.number)

    @property
    def value(self) -> int:
        """What it returned, for its side to move."""
        return int(self._row["value"])

    @property
    def worth(self) -> str:
        """The same in words, with its bound, as whoever moves at the root sees it."""
        return str(self._row["worth"])

    @property
    def window(self) -> tuple[int, int]:
        """Alpha and beta on entry, for its side to move."""
        return int(self._row["alpha"]), int(self._row["beta"])

    @property
    def why(self) -> str:
        """Why it ended: `leaf`, `over`, `table`, `cut` or `searched`."""
        return str(self._row["reason"])

    @property
    def sentence(self) -> str:
        """The same as a sentence."""
        return sentence(self.tree._traced, self.number)

    def __repr__(self) -> str:
        move = self.move or "root"
        return f"node {self.number}: {move}  {self.worth}  {self.why}  ({len(self.children)} below)"

    def __iter__(self) -> Iterator[Node]:
        return iter(self.children)


class Tree(Rows):
    """A search with its tree."""

    def __init__(self, position: Position, traced: Traced) -> None:
        self.position, self._traced = position, traced

    @property
    def root(self) -> Node:
        """Where the search began; drivers of minimal windows begin several times: `roots`."""
        return self.roots[0]

    @property
    def roots(self) -> list[Node]:
        return [Node(self, number) for number in self._traced.roots]

    def __len__(self) -> int:
        return len(self._traced)

    def __getitem__(self, number: int) -> Node:
        return Node(self, self._traced.demand(number))

    def __iter__(self) -> Iterator[Node]:
        return (Node(self, number) for number in range(len(self)))

    @property
    def algorithm(self) -> str:
        return self._traced.algorithm.name

    @property
    def depth(self) -> int:
        return self._traced.asked.depth

    @property
    def counters(self) -> dict[str, int]:
        return dict(self._traced.result.counters)

    @property
    def dropped(self) -> int:
        """Nodes that were counted only, because the tree was larger than the room for it."""
        return int(self._traced.tree.dropped)

    @property
    def statistics(self) -> list[dict[str, Any]]:
        """Ply by ply: nodes, leaves, cut-offs and the moves that they saved."""
        return [dict(each) for each in self._traced.statistics]

    def rows(self) -> Sequence[Row]:
        """A row for each node, in the order of the tree."""
        names = (
            "node",
            "parent",
            "move",
            "side",
            "ply",
            "depth",
            "alpha",
            "beta",
            "value",
            "bound",
            "reason",
            "unsearched",
            "children",
            "nodes",
            "order",
            "worth",
        )
        found = []
        states: dict[int, State] = {NO_NODE: None}
        tree = self._traced.tree
        for number in range(len(tree)):
            before = states[int(tree.parent[number])]
            one = row(self._traced, number, before)
            found.append({name: one[name] for name in names})
            root = self.position.state
            states[number] = root if before is None else play(before, int(tree.move[number]))
        return found

    def _row(self, number: int) -> Row:
        parent = int(self._traced.tree.parent[number])
        before = None if parent == NO_NODE else self._traced.state_at(parent)
        return row(self._traced, number, before)

    def _position_at(self, number: int) -> Position:
        return self.position.follow(self._traced.tree.moves_to(number))

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
        """What a picture shows: the uppermost nodes, as many as can be looked at."""
        tree, chosen = self._traced.tree, list(self._traced.roots)
        for number in chosen:
            children = tree.children(number)
            if len(chosen) + len(children) <= MOST_DRAWN:
                chosen += children
        shown = set(chosen)
        return [self._drawn_node(number, shown) for number in sorted(chosen)]

    def _drawn_node(self, number: int, shown: set[int]) -> TreeNode:
        traced, here = self._traced, self._row(number)
        children = traced.tree.children(number)
        is_folded = bool(children) and children[0] not in shown
        return TreeNode(
            number=number,
            parent=int(here["parent"]),
            move=here["move"] or "",
            worth=str(here["worth"]),
            is_first=int(here["side"]) == 0,
            why=str(here["reason"]),
            cut=int(here["unsearched"]),
            folded=traced.tree.size(number) - 1 if is_folded else 0,
        )


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
    asked = TraceRequest(position, algorithm, depth, evaluator, order, table, room)
    stop = Slab(1)
    with (
        Progress(f"tracing {algorithm} on {position.game.title}"),
        stopped_by_interrupt(lambda: stop.__setitem__(STOP, 1)),
    ):
        return Tree(position, run_trace(asked, stop))
