"""Positions: what a line of moves leads to, what a pasted text holds, what a position is worth."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from plyground.core.errors import MalformedText
from plyground.core.records import GameRecord
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.spec import evaluate
from plyground.formats.catalogue import in_words, read_anything
from plyground.formats.spec import Read
from plyground.games.rules import is_over
from plyground.services.positions import read_line, view
from plyground.web.wire import Judged, LineIn, Pasted

router = APIRouter(prefix="/api", tags=["positions"])


@router.post("/position")
def position(line: LineIn) -> dict[str, Any]:
    """The position after some moves, with its legal moves and what each changes."""
    return view(line.read())


@router.post("/recognise")
def recognise(pasted: Pasted) -> dict[str, Any]:
    """What a pasted text is, and the position that it holds."""
    reading = read_anything(pasted.text.encode())
    items = list(reading)
    read = [item.record for item in items if isinstance(item, Read)]
    if not read:
        raise MalformedText("nothing in it could be read")
    record = read[0]
    moves = [move.move for move in record.moves] if isinstance(record, GameRecord) else []
    line = read_line(record.game, record.settings, record.position, "; ".join(moves))
    return {
        "what": in_words(reading.format, items),
        "format": reading.format.name,
        "records": len(read),
        "view": view(line),
    }


@router.post("/explain")
def explain(judged: Judged) -> dict[str, Any]:
    """The value of a position by an evaluator, factor by factor."""
    line = judged.read()
    spec = find_evaluator(judged.evaluator, line.state)
    evaluator = spec.make(line.start)
    if is_over(line.state):
        return {"evaluator": spec.name, "value": None, "scale": spec.scale, "factors": []}
    factors = spec.factors(evaluator, line.state) if spec.factors else []
    return {
        "evaluator": spec.name,
        "value": int(evaluate(evaluator, line.state)),
        "scale": spec.scale,
        "factors": [
            {"name": each.name, "value": each.value, "weight": each.weight, "share": each.share}
            for each in factors
        ],
    }
