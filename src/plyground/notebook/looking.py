"""A board to inspect a search: its tree, and the position and the story of each node.

A small tree is drawn, a large one is an outline and bars, as on the web app's page; nodes are sent
to the page when it asks for them. `node` is the chosen one, and can be set or observed.
"""

from __future__ import annotations

from typing import Any, ClassVar

import traitlets

from plyground.analysis.trace_pages import FIRST_ROWS, details, summary
from plyground.analysis.trace_rows import Data, child_rows, overview
from plyground.notebook.modules import script
from plyground.notebook.widget import Message, Widget
from plyground.public.position import Position
from plyground.public.tree import Node, Tree


class TreeBoard(Widget):
    """A search and the chosen one of its nodes."""

    _esm = script("tree.js")
    chosen = traitlets.Int(0).tag(sync=True)
    """The number of the node."""
    node = traitlets.Instance(Node)

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        super().__init__()
        self.shown = {
            "title": f"{tree.algorithm} to depth {tree.depth}",
            # So that the page offers no proof: searching what was cut would block the kernel.
            "summary": summary(tree._traced) | {"equals_minimax": False},
        }
        self.node = tree.roots[-1]  # of several passes, the one that proves

    @property
    def position(self) -> Position:
        """The position at the chosen node."""
        return self.node.position

    def __repr__(self) -> str:
        return f"{self.tree!r}; {self.node!r}"

    @traitlets.validate("chosen")
    def _check(self, proposal: Any) -> int:
        return self.tree[proposal["value"]].number

    @traitlets.observe("chosen")
    def _chose(self, _change: object) -> None:
        self.node = self.tree[self.chosen]

    @traitlets.observe("node")
    def _came(self, _change: object) -> None:
        self.chosen = self.node.number

    def _tell(self, text: str) -> None:
        """Nothing: a page asks only for nodes that exist, and nobody else is answered."""

    def _on_node(self, message: Message) -> None:
        self._answer(message, details(self.tree._traced, int(message["node"])))

    def _on_children(self, message: Message) -> None:
        node, start = self.tree[int(message["node"])].number, int(message["start"])
        self._answer(message, child_rows(self.tree._traced, node, start, FIRST_ROWS))

    def _on_overview(self, message: Message) -> None:
        first, last = int(message["first"]), min(int(message["last"]), len(self.tree) - 1)
        self._answer(
            message, overview(self.tree._traced, first, last, max(1, int(message["width"])))
        )

    def _answer(self, message: Message, data: Data) -> None:
        self.send({"answer": message["number"], "data": data})

    actions: ClassVar = {
        "node": _on_node,
        "children": _on_children,
        "overview": _on_overview,
    }
