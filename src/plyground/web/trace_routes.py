"""Trees that were searched: their nodes, as a page opens them.

A tree is made on the socket, and known by its name from then on; when it is no longer stored, the
page makes it again. The shapes are those of `analysis/trace_rows.py` and `simulations.py`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, HTTPException, Path, Query

from plyground.analysis.simulations import one_simulation
from plyground.analysis.trace_pages import details
from plyground.analysis.trace_rows import child_rows, overview, visit
from plyground.games.view import view
from plyground.search.trace import NO_NODE
from plyground.web.answers import GONE, REFUSALS, Answer, PositionView
from plyground.web.parts import TheTrees

router = APIRouter(prefix="/api", tags=["trees"], responses={**REFUSALS, 404: GONE})
TreeName = Annotated[str, Path(pattern=r"^[0-9a-f]{20}$", description="As the socket told it.")]
Index = Annotated[int, Query(ge=0, le=2**31 - 1)]
MOST_ROWS = 400
T = TypeVar("T")


class Row(Answer):
    """A node of a tree."""

    node: int
    parent: int
    move: str | None
    side: int
    ply: int
    children: int


class TreeRow(Row):
    """A node of a search. Numbers are the mover's, texts those of whoever moves at the root."""

    depth: int
    alpha: int
    beta: int
    value: int
    bound: Literal["exact", "lower", "upper"]
    kind: Literal["pv", "cut", "all"]
    reason: Literal["leaf", "over", "table", "cut", "searched", "open"]
    cutting: str | None
    unsearched: int
    nodes: int
    hidden: int
    shut: bool
    """Whether its children were counted only."""
    order: int
    done: int
    """The last visit to it or below it."""
    first: int | None
    again: bool
    window: tuple[str, str]
    worth: str


class ChildRows(Answer):
    node: int
    total: int
    start: int
    rows: list[TreeRow]
    cut: list[str]
    """The moves that were never searched."""


class Step(Answer):
    """A child that was searched, and the best value after it."""

    node: int
    move: str
    worth: str
    best: str
    number: int


class NodeDetails(Answer):
    path: list[TreeRow]
    course: list[Step]
    sentence: str
    known: bool
    """Whether its value is known at the visit that was asked for."""
    view: PositionView


class Visit(Answer):
    number: int
    total: int
    node: int
    path: list[TreeRow]


class Overview(Answer):
    """Columns: a bar for each node."""

    first: int
    last: int
    plies: int
    node: list[int]
    end: list[int]
    ply: list[int]
    kind: list[int]
    reason: list[int]


class SimulatedRow(Row):
    """A node of Monte-Carlo tree search; its mean is for whoever moved to it."""

    visits: int
    mean: float | None
    bonus: float | None
    bound: float | None


class SimulatedChildren(Answer):
    node: int
    rows: list[SimulatedRow]


class SimulatedNode(Answer):
    path: list[SimulatedRow]
    view: PositionView


class Simulation(Answer):
    number: int
    path: list[SimulatedRow]
    added: int
    reward: float
    player: str
    steps: list[str]


def _demand(found: T | None) -> T:
    if found is None:
        raise HTTPException(404, "this tree is no longer kept; search again")
    return found


@router.get("/traces/{name}/children", summary="Children of a node", response_model=ChildRows)
def children(
    name: TreeName,
    trees: TheTrees,
    node: Annotated[int, Query(ge=NO_NODE, le=2**31 - 1)] = NO_NODE,
    start: Index = 0,
    count: Annotated[int, Query(ge=1, le=MOST_ROWS)] = 200,
) -> dict[str, Any]:
    """Rows of the outline: the children of a node, or the roots."""
    traced = _demand(trees.traces.find(name))
    if node != NO_NODE:
        traced.demand(node)
    return child_rows(traced, node, start, count)


@router.get("/traces/{name}/node", summary="A node", response_model=NodeDetails)
def node(
    name: TreeName,
    trees: TheTrees,
    node: Index,
    visit: Annotated[int | None, Query(ge=0, le=2**31 - 1)] = None,
) -> dict[str, Any]:
    """All about a node: its position, its path, how its value came about, why it ended.

    With `visit`, what was known of it when the search entered that node.
    """
    return details(_demand(trees.traces.find(name)), node, visit)


@router.get("/traces/{name}/visit", summary="A moment of a search", response_model=Visit)
def moment(name: TreeName, trees: TheTrees, number: Index) -> dict[str, Any]:
    """The node that the search enters as its n-th, and the path to it."""
    return visit(_demand(trees.traces.find(name)), number)


@router.get("/traces/{name}/overview", summary="A tree as bars", response_model=Overview)
def bars(
    name: TreeName,
    trees: TheTrees,
    width: Annotated[int, Query(ge=100, le=4000)] = 1000,
    first: Index = 0,
    last: Index = 2**31 - 1,
) -> dict[str, Any]:
    """The nodes between two whose sub-trees are at least a pixel wide."""
    traced = _demand(trees.traces.find(name))
    last = min(last, len(traced) - 1)
    return overview(traced, min(first, last), last, width)


@router.get(
    "/simulations/{name}/children", summary="Children by visits", response_model=SimulatedChildren
)
def simulated_children(name: TreeName, trees: TheTrees, node: Index = 0) -> dict[str, Any]:
    """The children of a node of Monte-Carlo tree search, the most visited first."""
    tree = _demand(trees.simulations.find(name)).tree
    return tree.child_rows(tree.demand(node))


@router.get("/simulations/{name}/node", summary="A simulated node", response_model=SimulatedNode)
def simulated_node(name: TreeName, trees: TheTrees, node: Index = 0) -> dict[str, Any]:
    """A node of Monte-Carlo tree search: its position and the path to it."""
    tree = _demand(trees.simulations.find(name)).tree
    here = tree.position_at(tree.demand(node))
    return {"path": tree.path_rows(node), "view": view(here)}


@router.get("/simulations/{name}/one", summary="One simulation", response_model=Simulation)
def simulation(
    name: TreeName, trees: TheTrees, number: Annotated[int, Query(ge=1, le=10**6)] = 1
) -> dict[str, Any]:
    """What one simulation selected, added, found and told everybody."""
    return one_simulation(_demand(trees.simulations.find(name)).request, number)
