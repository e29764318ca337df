"""Games that are played in a page, stored as they are played.

The page sends its whole game as it is now, and the stored copy becomes that; sent twice, it changes
nothing. So a lost answer, a reload or a killed server costs nothing: the page sends it again, or
asks for what is stored.
"""

from __future__ import annotations

import itertools
from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from plyground.core.errors import Unsupported
from plyground.core.records import Ending, GameRecord, MoveRecord, points_for
from plyground.core.scores import Bound, Kind, Score
from plyground.games.position import BasePosition
from plyground.players.catalogue import code_tags
from plyground.web.answers import REFUSALS, Answer
from plyground.web.parts import TheStore, TheWriter
from plyground.web.wire import LineIn, PlayerName, Wire, demand_harmless

router = APIRouter(prefix="/api/plays", tags=["plays"], responses=REFUSALS)
Uid = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$", description="The page's own name for it.")]


class ScoreIn(Wire):
    """What a machine reported of its move."""

    value: Annotated[int, Field(ge=-(2**31), le=2**31)]
    kind: Kind
    bound: Bound = "exact"


class MoveIn(Wire):
    """What is known of a move."""

    time_s: Annotated[float, Field(ge=0, le=10**7)] = 0.0
    score: ScoreIn | None = None
    depth: Annotated[int, Field(ge=0, le=1000)] = 0
    nodes: Annotated[int, Field(ge=0, le=2**53)] = 0


class PlayIn(Wire):
    """A game as a page has it."""

    line: LineIn
    players: tuple[PlayerName, PlayerName]
    told: Annotated[list[MoveIn], Field(max_length=2000, default_factory=list)]
    """Of each move, as far as known."""
    resigned: Annotated[int, Field(ge=0, le=1)] | None = None
    hints: Annotated[int, Field(ge=0, le=10**6)] = 0
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0


class StoredPlay(Answer):
    uid: str
    """The name under which it is stored from now on."""
    moves: list[str]
    """What is stored: the state of the game, whichever server stored the moves before."""
    points: float | None
    """Of the first player, if it is over."""


@router.put("/{uid}", summary="Keep a game", response_model=StoredPlay)
async def keep(uid: Uid, given: PlayIn, writer: TheWriter) -> Response:
    """Bring the stored copy to where the game is; said twice, it changes nothing."""

    def store() -> Response:
        position = given.line.read()
        for text in given.players:
            demand_harmless(text)
        game = _record(position, given)
        name = writer.write(uid, game)
        moves = [move.move for move in game.moves]
        return JSONResponse({"uid": name, "moves": moves, "points": game.points})

    return await writer.do(store)


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
        known = given.told[number] if number < len(given.told) else MoveIn()
        score = Score(**dict(known.score)) if known.score else None
        name, mover = after.last_move, before.mover
        moves.append(MoveRecord(name, mover, known.time_s, score, known.depth, known.nodes))
    # Whoever resigns a game that is over has still played it to its end.
    outcome, resigned = position.score, given.resigned
    points: float | None = None
    ended: Ending = "over"
    if outcome is not None:
        points = points_for(outcome)
    elif resigned is not None:
        points, ended = float(resigned), "resigned"
    else:
        ended = "unfinished"
    return GameRecord(
        position.game.name,
        given.players,
        moves,
        points,
        outcome,
        ended,
        reason="resigned" if ended == "resigned" else "",
        settings=dict(position.settings),
        position=position.origin,
        seed=given.seed,
        tags=code_tags(position.game, position.start, given.players)
        | ({"hints": str(given.hints)} if given.hints else {}),
    )
