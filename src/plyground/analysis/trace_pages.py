"""A traced search as web pages and notebooks show it: a summary, and all about one node.

Lists of nodes are rows (`trace_rows.py`).
"""

from __future__ import annotations

from plyground.analysis.trace_rows import (
    Data,
    all_rows,
    child_rows,
    course,
    is_known,
    path_rows,
)
from plyground.analysis.trace_words import sentence_at
from plyground.analysis.traces import Traced
from plyground.games.view import view
from plyground.search.trace import NO_NODE

DRAWN_WHOLE = 300  # nodes: what a page can draw as a picture
FIRST_ROWS = 200


def summary(traced: Traced) -> Data:
    """The search as a whole, and its roots."""
    result, tree = traced.result, traced.tree
    return {
        "name": traced.request.name,
        "algorithm": traced.algorithm.name,
        "depth": traced.request.depth,
        "nodes": len(tree),
        "dropped": tree.dropped,
        "value": traced.text_of(result.value),
        "number": result.value,
        "line": list(traced.request.position.write_line(result.line)),
        "counters": result.counters,
        "statistics": traced.statistics,
        "least_leaves": traced.least_leaves(),
        "us": traced.us,
        "scale": traced.scale(),
        "cut_moves": int(tree.unsearched.sum()),
        "cut_leaves": traced.cut_leaves,
        "equals_minimax": traced.algorithm.equals_minimax,
        "roots": child_rows(traced, NO_NODE, 0, FIRST_ROWS),
        "all": all_rows(traced) if len(tree) <= DRAWN_WHOLE else None,
    }


def details(traced: Traced, node: int, visit: int | None = None) -> Data:
    """All about a node: its position, its path, how its value came about, why it ended.

    With `visit`, what was known of it when the search entered that visit's node. Raises
    Unsupported.
    """
    moment = len(traced) if visit is None else visit
    return {
        "path": path_rows(traced, traced.demand(node)),
        "course": course(traced, node, moment),
        "sentence": sentence_at(traced, node, moment),
        "known": is_known(traced, node, moment),
        "view": view(traced.position_at(node)),
    }
