"""Games that are played in a page, kept in the store as they are played.

The page says what its game is now, and the stored copy is brought there; said twice, it changes
nothing. So a lost answer, a reload or a killed server costs nothing: the page says it again, or
asks for what there is.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import Field
from sqlalchemy import select

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord, MoveRecord
from plyground.core.scores import Bound, Kind, Score
from plyground.games.rules import play, side
from plyground.players.catalogue import canonical
from plyground.services.keeping import KeptGame
from plyground.services.positions import Line, view
from plyground.store import schema
from plyground.store.store import Store
from plyground.web.wire import LineIn, PlayerName, Wire

router = APIRouter(prefix="/api/plays", tags=["plays"])
Uid = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]


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


@router.put("/{uid}")
def keep(uid: Uid, given: PlayIn, request: Request) -> dict[str, Any]:
    """Bring the stored copy to where the game is."""
    line = given.line.read()
    for text in given.players:
        canonical(text)
    record = _record(line, given)
    kept = KeptGame(request.app.state.store, uid, record, may_rewind=True)
    try:
        kept.bring(record)
        return {"uid": kept.uid, "view": view(line)}
    finally:
        kept.close()


@router.get("/{uid}")
def ask(uid: Uid, request: Request) -> dict[str, Any]:
    """The stored copy of a game."""
    query = select(schema.games.c.id).where(schema.games.c.uid == uid)
    with Store(request.app.state.store) as store:
        with store.engine.connect() as connection:
            number = connection.execute(query).scalar()
        if number is None:
            raise Unsupported("there is no such game in the store")
        return store.game(number).record.as_data()


def _record(line: Line, given: PlayIn) -> GameRecord:
    moves, state = [], line.start
    for number, move in enumerate(line.moves):
        told = given.told[number] if number < len(given.told) else Told()
        score = Score(told.score.value, told.score.kind, told.score.bound) if told.score else None
        name = line.game.format_move(state, move)
        record = MoveRecord(name, int(side(state)), told.time_s, score, told.depth, told.nodes)
        moves.append(record)
        state = play(state, move)
    outcome = line.game.first_player_outcome(line.state)
    tags = {"hints": str(given.hints)} if given.hints else {}
    common: dict[str, Any] = {
        "settings": dict(line.settings),
        "position": line.position,
        "seed": given.seed,
        "tags": tags,
    }
    if given.resigned is not None and outcome is None:
        points = 0.0 if given.resigned == 0 else 1.0
        return GameRecord(
            line.game.name,
            given.players,
            moves,
            points,
            ended="resigned",
            reason="resigned",
            **common,
        )
    if outcome is None:
        return GameRecord(line.game.name, given.players, moves, ended="unfinished", **common)
    points = 0.5 if outcome == 0 else float(outcome > 0)
    return GameRecord(line.game.name, given.players, moves, points, outcome, **common)
