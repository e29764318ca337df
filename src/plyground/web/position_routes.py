"""Positions: what a line of moves leads to, what a pasted text holds, what a position is worth."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from plyground.evaluation.spec import evaluate
from plyground.formats.pasting import recognised
from plyground.games.catalogue import demand_known
from plyground.games.view import view
from plyground.players.judging import read_evaluator
from plyground.web.answers import REFUSALS, Answer, PositionView
from plyground.web.attending import Attention, attended
from plyground.web.wire import ExplainIn, LineIn, PasteIn

router = APIRouter(prefix="/api", tags=["positions"], responses=REFUSALS)
# Every move asks for a position. Forty threads would only take the interpreter from each other.
_viewing = ThreadPoolExecutor(1, "viewing")


class Recognised(Answer, extra="ignore"):
    what: str
    format: str
    records: int
    view: PositionView


class FactorInfo(Answer):
    name: str
    value: float
    weight: float
    share: float
    cells: list[tuple[int, float]]
    """Cells of the board with what each adds to the value."""


class Explanation(Answer):
    evaluator: str
    value: int | None
    scale: str
    factors: list[FactorInfo]


@router.post("/position", summary="A position", response_model=PositionView)
async def position(line: LineIn) -> Response:
    """The position after some moves, with its legal moves and what each changes."""
    return await asyncio.wrap_future(_viewing.submit(lambda: JSONResponse(view(line.read()))))


@router.post("/recognise", summary="What a text holds", response_model=Recognised)
async def recognise(pasted: PasteIn, request: Request) -> dict[str, Any]:
    """What a pasted text is, and the position that it holds."""
    if pasted.game:
        demand_known(pasted.game)

    def work(attention: Attention) -> dict[str, Any]:
        found = recognised(pasted.text, pasted.game, attention.over)
        return {**vars(found), "view": view(found.position)}

    return await attended(request, work)


@router.post("/explain", summary="What a position is worth", response_model=Explanation)
def explain(given: ExplainIn) -> dict[str, Any]:
    """The value of a position by an evaluator: factor by factor, and what each cell adds."""
    position = given.read()
    evaluator, spec = read_evaluator(given.evaluator, position.game, position.start)
    about = {"evaluator": spec.name, "scale": spec.scale}
    if position.is_over:
        return {**about, "value": None, "factors": []}
    factors = spec.factors(evaluator, position.state) if spec.factors else []
    return {**about, "value": int(evaluate(evaluator, position.state)), "factors": factors}
