"""A searched tree as a picture: levels from the top down, each node with its move and its worth.

Nodes where the first player moves point up, the others down, as in textbooks; a cut is a bar under
the node, what is folded is a number. Leaves stand side by side and parents above the middle of
their children, so that no two nodes of a level overlap.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT, SIZE = 46, 88, 11  # of a place for a node, and half of a triangle
MARGIN = 14


@dataclass(frozen=True)
class TreeNode:
    """A node as it is drawn."""

    number: int
    parent: int
    """The number of the node above; -1 for a root."""
    move: str
    worth: str
    is_first: bool
    """Whether the first player is to move there."""
    why: str
    """`leaf`, `over`, `table`, `cut`, `searched` or `open`."""
    cut: int = 0
    """Moves that were not looked at."""
    folded: int = 0
    """Nodes below that are not drawn."""


def tree_svg(nodes: Sequence[TreeNode]) -> str:
    """The tree as a picture in the colours of the page around it."""
    places = _places(nodes)
    right = max(x for x, _ in places.values()) + WIDTH
    bottom = max(y for _, y in places.values()) + HEIGHT
    lines = "".join(
        _line(places[node.parent], places[node.number]) for node in nodes if node.parent in places
    )
    drawn = "".join(_node(node, *places[node.number]) for node in nodes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {right:.0f} {bottom}" '
        f'width="{right:.0f}" style="max-width:none;height:auto" font-family="sans-serif" '
        f'font-size="11" text-anchor="middle" fill="currentColor" stroke="none">'
        f"<title>a tree of {len(nodes)} nodes</title>"
        f'<g stroke="currentColor" stroke-opacity="0.4">{lines}</g>{drawn}</svg>'
    )


def _places(nodes: Sequence[TreeNode]) -> dict[int, tuple[float, int]]:
    """Where each node stands: leaves side by side, parents above the middle of their children."""
    children: dict[int, list[int]] = {node.number: [] for node in nodes}
    depth: dict[int, int] = {}
    for node in nodes:  # parents come before their children
        depth[node.number] = depth[node.parent] + 1 if node.parent in depth else 0
        if node.parent in children:
            children[node.parent].append(node.number)
    across: dict[int, float] = {}
    free = [MARGIN + WIDTH / 2]

    def place(number: int) -> float:
        below = [place(child) for child in children[number]]
        if below:
            across[number] = (below[0] + below[-1]) / 2
        else:
            across[number] = free[0]
            free[0] += WIDTH
        return across[number]

    for node in nodes:
        if node.parent not in children:
            place(node.number)
    return {number: (x, MARGIN + 24 + HEIGHT * depth[number]) for number, x in across.items()}


def _line(above: tuple[float, int], below: tuple[float, int]) -> str:
    return (
        f'<line x1="{above[0]:.1f}" y1="{above[1] + SIZE + 22}" '
        f'x2="{below[0]:.1f}" y2="{below[1] - SIZE - 16}"/>'
    )


def _node(node: TreeNode, x: float, y: int) -> str:
    is_leaf = node.why in ("leaf", "over")
    if is_leaf:
        shape = f'<rect x="{x - SIZE:.1f}" y="{y - SIZE}" width="{2 * SIZE}" height="{2 * SIZE}"'
    else:
        tip, base = (y - SIZE, y + SIZE) if node.is_first else (y + SIZE, y - SIZE)
        points = f"{x:.1f},{tip} {x - SIZE:.1f},{base} {x + SIZE:.1f},{base}"
        shape = f'<polygon points="{points}"'
    colour = {"cut": "#d9822b", "table": "#4c8bd9"}.get(node.why, "currentColor")
    parts = [f'{shape} fill="{colour}" fill-opacity="0.18" stroke="{colour}"/>']
    title = f"{node.move or 'root'}: {node.worth}, {node.why}"
    if node.cut:
        title += f", {node.cut} moves not looked at"
        bar = f'x1="{x - SIZE:.1f}" x2="{x + SIZE:.1f}" y1="{y + SIZE + 19}" y2="{y + SIZE + 19}"'
        parts.append(f'<line {bar} stroke="{colour}" stroke-width="3"/>')
    if node.move:
        parts.append(_text(x, y - SIZE - 4, node.move, 0.7))
    parts.append(_text(x, y + SIZE + 13, node.worth, 1.0, bold=True))
    if node.folded:
        title += f", {node.folded:,} nodes below are folded"
        parts.append(_text(x, y + SIZE + 27, f"+{node.folded:,}", 0.7))
    return f"<g><title>{html.escape(title)}</title>{''.join(parts)}</g>"


def _text(x: float, y: int, text: str, opacity: float, bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    shown = html.escape(text)
    return f'<text x="{x:.1f}" y="{y}" fill-opacity="{opacity}"{weight}>{shown}</text>'
