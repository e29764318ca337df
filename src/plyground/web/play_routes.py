"""Games that are played in a page, kept in the store as they are played.

The page says what its game is now, and the stored copy is brought there; said twice, it changes
nothing. So a lost answer, a reload or a killed server costs nothing: the page says it again, or
asks for what there is.
"""

from __future__ import annotations

import itertools
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord, MoveRecord
from plyground.core.scores import Bound, Kind, Score
from plyground.games.position import BasePosition
from plyground.web.answers import REFUSALS, Kept
from plyground.web.keeper import Keeper
from plyground.web.store_routes import TheStore
from plyground.web.wire import LineIn, PlayerName, Wire, demand_harmless

router = APIRouter(prefix="/api/plays", tags=["plays"], responses=REFUSALS)
Uid = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$", description="The page's own name for it.")]


class ScoreIn(Wire):
    """What a machine told of its move."""

    value: Annotated[int, Field(ge=-(2**31), le=2**31)]
    kind: Kind
    bound: Bound = "exact"


class Told(Wire):
    """What is known of a move."""

    time_s: Annotated[float, Field(ge=0, le=10**7)] = 0.0
    score: ScoreIn | None = None
    depth: Annotated[int, Field(ge=0, le=1000)] = 0
    nodes: Annotated[int, Field(ge=0, le=2**53)] = 0


class PlayIn(Wire):
    """A game as a page has it."""

    line: LineIn
    players: tuple[PlayerName, PlayerName]
    told: Annotated[list[Told], Field(max_length=2000, default_factory=list)]
    """Of each move, as far as known."""
    resigned: Annotated[int, Field(ge=0, le=1)] | None = None
    hints: Annotated[int, Field(ge=0, le=10**6)] = 0
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0


@router.put("/{uid}", summary="Keep a game", response_model=Kept)
async def keep(uid: Uid, given: PlayIn, request: Request) -> Response:
    """Bring the stored copy to where the game is; said twice, it changes nothing."""
    keeper: Keeper = request.app.state.keeper
    return await keeper.do(lambda: _keep(uid, given, keeper))


def _keep(uid: str, given: PlayIn, keeper: Keeper) -> Response:
    position = given.line.read()
    for text in given.players:
        demand_harmless(text)
    game = _record(position, given)
    uid = keeper.bring(uid, game)
    moves = [move.move for move in game.moves]
    return JSONResponse({"uid": uid, "moves": moves, "points": game.points})


@router.get("/{uid}", summary="The stored copy of a game", response_model=dict[str, Any])
def ask(uid: Uid, store: TheStore) -> dict[str, Any]:
    """A game as it was kept last, as in the JSON format."""
    found = store.find(uid)
    if found is None:
        raise Unsupported("there is no such game in the store")
    return found.record.as_data()


def _record(position: BasePosition, given: PlayIn) -> GameRecord:
    moves = []
    for number, (before, after) in enumerate(itertools.pairwise(position.path)):
        told = given.told[number] if number < len(given.told) else Told()
        score = Score(told.score.value, told.score.kind, told.score.bound) if told.score else None
        name, mover = after.last_move, before.mover
        moves.append(MoveRecord(name, mover, told.time_s, score, told.depth, told.nodes))
    outcome = position.score
    tags = {"hints": str(given.hints)} if given.hints else {}
    common: dict[str, Any] = {
        "settings": dict(position.settings),
        "position": position.origin,
        "seed": given.seed,
        "tags": tags,
    }
    if given.resigned is not None and outcome is None:
        points = 0.0 if given.resigned == 0 else 1.0
        return GameRecord(
            position.game.name,
            given.players,
            moves,
            points,
            ended="resigned",
            reason="resigned",
            **common,
        )
    if outcome is None:
        return GameRecord(position.game.name, given.players, moves, ended="unfinished", **common)
    points = 0.5 if outcome == 0 else float(outcome > 0)
    return GameRecord(position.game.name, given.players, moves, points, outcome, **common)
