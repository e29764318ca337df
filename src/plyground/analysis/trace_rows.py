"""The nodes of a traced search as data: rows of an outline, an inspector, a replay, an overview.

Numbers are those of the side to move at each node; texts are written from the point of view of the
side to move at the root, so that a reader need not turn signs round at every ply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from plyground.analysis.traces import REASONS, Traced
from plyground.core.scores import OPPOSITE_BOUND, Bound
from plyground.games.rules import State, play
from plyground.search.parts import CUT, FROM_TABLE, LEAF, OVER
from plyground.search.trace import LEFT_OPEN, NO_NODE

KINDS: dict[Bound, str] = {"exact": "pv", "lower": "cut", "upper": "all"}
SIGNS: dict[Bound, str] = {"exact": "", "lower": "≥ ", "upper": "≤ "}
Data = dict[str, Any]


def node_rows(traced: Traced, nodes: Iterable[int]) -> Iterator[Data]:
    """A row for each of these nodes; quickest if parents come before their children."""
    tree, root = traced.tree, traced.request.position
    states: dict[int, State] = {}

    def state_at(node: int) -> State:
        if node not in states:
            parent = int(tree.parent[node])
            is_root = parent == NO_NODE
            states[node] = root.state if is_root else play(state_at(parent), int(tree.move[node]))
        return states[node]

    def row(node: int) -> Data:
        parent, reason, first = (int(each[node]) for each in (tree.parent, tree.reason, tree.first))
        bound, write = tree.bound(node), root.game.format_move
        is_cut, is_root = reason == CUT, parent == NO_NODE
        return {
            "node": node,
            "parent": parent,
            "move": None if is_root else write(state_at(parent), int(tree.move[node])),
            "side": int(tree.side[node]),
            "ply": int(tree.ply[node]),
            "depth": int(tree.depth[node]),
            "alpha": int(tree.alpha[node]),
            "beta": int(tree.beta[node]),
            "value": int(tree.value[node]),
            "bound": bound,
            "kind": KINDS[bound],
            "reason": REASONS[reason],
            "cutting": write(state_at(node), int(tree.cutting_move[node])) if is_cut else None,
            "unsearched": int(tree.unsearched[node]),
            "children": len(tree.children(node)),
            "nodes": tree.size(node),
            "hidden": int(tree.hidden[node]),
            "shut": bool(tree.is_shut[node]),
            "order": int(tree.order[node]),
            "done": int(tree.done[node]),
            "first": None if first == node else first,
            "again": bool(tree.is_again[node]),
            "window": list(window_texts(traced, node)),
            "worth": worth(traced, node),
        }

    return map(row, nodes)


def is_turned(traced: Traced, node: int) -> bool:
    """Whether the other side than at the root is to move."""
    return int(traced.tree.side[node]) != traced.us


def seen(traced: Traced, node: int, value: int) -> str:
    """A number of a node, from the root's point of view."""
    return traced.text_of(-value if is_turned(traced, node) else value)


def window_texts(traced: Traced, node: int) -> tuple[str, str]:
    """The window of a node, from the root's point of view."""
    tree = traced.tree
    ends = seen(traced, node, int(tree.alpha[node])), seen(traced, node, int(tree.beta[node]))
    return (ends[1], ends[0]) if is_turned(traced, node) else ends


def worth(traced: Traced, node: int) -> str:
    """The value of a node with its bound, from the root's point of view."""
    tree = traced.tree
    if int(tree.reason[node]) == LEFT_OPEN:
        return "?"
    bound = tree.bound(node)
    if int(tree.reason[node]) in (LEAF, OVER):
        bound = "exact"
    if is_turned(traced, node):
        bound = OPPOSITE_BOUND[bound]
    return SIGNS[bound] + seen(traced, node, int(tree.value[node]))


def child_rows(traced: Traced, node: int, start: int, count: int) -> Data:
    """Some children of a node, and the names of its moves that were never searched."""
    children = traced.tree.children(node)
    return {
        "node": node,
        "total": len(children),
        "start": start,
        "rows": list(node_rows(traced, children[start : start + count])),
        "cut": unsearched_moves(traced, node) if node != NO_NODE else [],
    }


def unsearched_moves(traced: Traced, node: int) -> list[str]:
    """The names of the moves that were never searched."""
    moves = traced.cut_moves(node)
    state = traced.state_at(node) if moves else None
    return [traced.request.position.game.format_move(state, move) for move in moves]


def path_rows(traced: Traced, node: int) -> list[Data]:
    """The nodes from the root to this one."""
    return list(node_rows(traced, traced.tree.path(node)))


def course(traced: Traced, node: int, until: int | None = None) -> list[Data]:
    """How the best value of a node grew, child by child; with `until`, as known at that visit."""
    tree = traced.tree
    before = traced.state_at(node)
    best: int | None = None
    found = []
    for child in tree.children(node):
        if until is not None and not is_known(traced, child, until):
            continue
        sign = 1 if tree.side[child] == tree.side[node] else -1
        value = sign * int(tree.value[child])
        best = value if best is None else max(best, value)
        found.append(
            {
                "node": child,
                "move": traced.request.position.game.format_move(before, int(tree.move[child])),
                "worth": worth(traced, child),
                "best": seen(traced, node, best),
                "number": best,
            }
        )
    return found


def is_known(traced: Traced, node: int, visit: int) -> bool:
    """Whether a node's value is known when the search enters its `visit`-th node.

    What is below it must have been left by then; a leaf is valued as soon as it is entered.
    """
    tree = traced.tree
    if int(tree.reason[node]) in (LEAF, OVER, FROM_TABLE):
        return int(tree.order[node]) <= visit
    return int(tree.done[node]) < visit


def visit(traced: Traced, number: int) -> Data:
    """The node that a search enters as its `number`-th, and the path to it."""
    tree = traced.tree
    node = int(tree.visits[max(0, min(number, len(tree) - 1))])
    return {"number": number, "total": len(tree), "node": node, "path": path_rows(traced, node)}


def all_rows(traced: Traced) -> list[Data]:
    """Every node: for trees that can be drawn whole."""
    rows = node_rows(traced, range(len(traced)))
    return [{**row, "cut": unsearched_moves(traced, row["node"])} for row in rows]


def overview(traced: Traced, first: int, last: int, width: int) -> Data:
    """The tree between two nodes as bars: `ply` deep, as wide as their sub-trees.

    Bars narrower than a pixel are left out; what is drawn above them shows how much there is.
    """
    tree = traced.tree
    nodes = np.arange(len(tree))
    least = max(1.0, (last - first + 1) / width)
    is_wide = tree.last - nodes + 1 >= least
    shown = np.flatnonzero(is_wide & (nodes <= last) & (tree.last >= first))
    bounds = np.where(tree.value >= tree.beta, 1, np.where(tree.value <= tree.alpha, 2, 0))
    return {
        "first": first,
        "last": last,
        "plies": int(tree.ply.max()) + 1,
        "node": shown.tolist(),
        "end": tree.last[shown].tolist(),
        "ply": tree.ply[shown].tolist(),
        "kind": bounds[shown].tolist(),
        "reason": tree.reason[shown].tolist(),
        "table": FROM_TABLE,
    }
