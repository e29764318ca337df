"""A board to look into a search: its tree, and the position and the story of each node.

A small tree is drawn, a large one is an outline and bars, as on the web app's page; nodes are told
when they are looked at. `node` is the one that is chosen, and can be set or observed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import traitlets

from plyground.analysis.trace_pages import FIRST_ROWS, details, summary
from plyground.analysis.trace_rows import Data, child_rows, overview
from plyground.notebook.modules import script
from plyground.notebook.widget import Message, Widget
from plyground.public.position import Position
from plyground.public.tree import Node, Tree


class TreeBoard(Widget):
    """A search, and one of its nodes."""

    _esm = script("tree.js")
    chosen = traitlets.Int(0).tag(sync=True)
    """The number of the node."""
    node = traitlets.Instance(Node)

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        super().__init__()
        title = f"{tree.algorithm} to depth {tree.depth}"
        # To search what was cut would keep the kernel; `Position.search` does it.
        self.shown = {
            "title": title,
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
        """A page asks for what it has been told of; whoever else asks is not answered."""

    def _answer(self, said: Message, find: Callable[[Message], Data]) -> None:
        self.send({"answer": said["number"], "data": find(said)})

    def _details(self, said: Message) -> Data:
        return details(self.tree._traced, int(said["node"]))

    def _children(self, said: Message) -> Data:
        node, start = self.tree[int(said["node"])].number, int(said["start"])
        return child_rows(self.tree._traced, node, start, FIRST_ROWS)

    def _overview(self, said: Message) -> Data:
        last = min(int(said["last"]), len(self.tree) - 1)
        return overview(self.tree._traced, int(said["first"]), last, max(1, int(said["width"])))

    hears: ClassVar = {
        "node": lambda self, said: self._answer(said, self._details),
        "children": lambda self, said: self._answer(said, self._children),
        "overview": lambda self, said: self._answer(said, self._overview),
    }
