"""Trees that were searched: their nodes, as a page opens them.

A tree is made on the socket, and known by its name from then on; when it is no longer kept, the
page makes it again. Knows no search.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Query, Request

from plyground.analysis.simulations import one_simulation
from plyground.analysis.trace_pages import details
from plyground.analysis.trace_rows import child_rows, overview, visit
from plyground.analysis.traces import Traced
from plyground.games.view import view
from plyground.search.trace import NO_NODE
from plyground.web.answers import GONE, REFUSALS
from plyground.web.trace_answers import (
    ChildRows,
    NodeDetails,
    Overview,
    SimulatedChildren,
    SimulatedNode,
    Simulation,
    Visit,
)
from plyground.web.trace_work import KeptTrees, Simulated

router = APIRouter(prefix="/api", tags=["trees"], responses={**REFUSALS, 404: GONE})
TreeName = Annotated[str, Path(pattern=r"^[0-9a-f]{20}$", description="As the socket told it.")]
Node = Annotated[int, Query(ge=0, le=2**31 - 1)]
MOST_ROWS = 400


def _trace(name: str, request: Request) -> Traced:
    kept: KeptTrees = request.app.state.kept
    return _demand(kept.traces.find(name))


def _simulated(name: str, request: Request) -> Simulated:
    kept: KeptTrees = request.app.state.kept
    return _demand(kept.simulations.find(name))


def _demand(found: Any) -> Any:
    if found is None:
        raise HTTPException(404, "this tree is no longer kept; search again")
    return found


@router.get("/traces/{name}/children", summary="Children of a node", response_model=ChildRows)
def children(
    name: TreeName,
    request: Request,
    node: Annotated[int, Query(ge=NO_NODE, le=2**31 - 1)] = NO_NODE,
    start: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    count: Annotated[int, Query(ge=1, le=MOST_ROWS)] = 200,
) -> dict[str, Any]:
    """Rows of the outline: the children of a node, or the roots."""
    traced = _trace(name, request)
    if node != NO_NODE:
        traced.demand(node)
    return child_rows(traced, node, start, count)


@router.get("/traces/{name}/node", summary="A node", response_model=NodeDetails)
def node(
    name: TreeName,
    request: Request,
    node: Node,
    visit: Annotated[int | None, Query(ge=0, le=2**31 - 1)] = None,
) -> dict[str, Any]:
    """All about a node: its position, its path, how its value came about, why it ended.

    With `visit`, what was known of it when the search entered that node.
    """
    return details(_trace(name, request), node, visit)


@router.get("/traces/{name}/visit", summary="A moment of a search", response_model=Visit)
def moment(
    name: TreeName, request: Request, number: Annotated[int, Query(ge=0, le=2**31 - 1)]
) -> dict[str, Any]:
    """The node that the search enters as its n-th, and the path to it."""
    return visit(_trace(name, request), number)


@router.get("/traces/{name}/overview", summary="A tree as bars", response_model=Overview)
def bars(
    name: TreeName,
    request: Request,
    width: Annotated[int, Query(ge=100, le=4000)] = 1000,
    first: Node = 0,
    last: Node = 2**31 - 1,
) -> dict[str, Any]:
    """The nodes between two whose sub-trees are at least a pixel wide."""
    traced = _trace(name, request)
    last = min(last, len(traced) - 1)
    return overview(traced, min(first, last), last, width)


@router.get(
    "/simulations/{name}/children", summary="Children by visits", response_model=SimulatedChildren
)
def simulated_children(name: TreeName, request: Request, node: Node = 0) -> dict[str, Any]:
    """The children of a node of Monte-Carlo tree search, the most visited first."""
    tree = _simulated(name, request).tree
    return tree.child_rows(tree.demand(node))


@router.get("/simulations/{name}/node", summary="A simulated node", response_model=SimulatedNode)
def simulated_node(name: TreeName, request: Request, node: Node = 0) -> dict[str, Any]:
    """A node of Monte-Carlo tree search: its position and the path to it."""
    tree = _simulated(name, request).tree
    here = tree.position_at(tree.demand(node))
    return {"path": tree.path_rows(node), "view": view(here)}


@router.get("/simulations/{name}/one", summary="One simulation", response_model=Simulation)
def simulation(
    name: TreeName, request: Request, number: Annotated[int, Query(ge=1, le=10**6)] = 1
) -> dict[str, Any]:
    """What one simulation selected, added, found and told everybody."""
    return one_simulation(_simulated(name, request).asked, number)
