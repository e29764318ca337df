"""The store of games: lists with filters, games by position, and files in and out.

A list is read in pages, newest first; a filter is part of the address, so it can be shared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response

from plyground.core.errors import MalformedText, Unsupported
from plyground.core.records import GameRecord
from plyground.formats.catalogue import find_format, in_words, read_anything
from plyground.formats.spec import Read, Rejected
from plyground.games.catalogue import games
from plyground.services.positions import view
from plyground.store.store import Filter, Store, StoredGame
from plyground.web.wire import LineIn

MOST_FILE = 50 * 2**20
MOST_REJECTED = 100  # reasons that are told; all are counted
MOST_EXPORTED = 100_000
PAGE = 100

router = APIRouter(prefix="/api/store", tags=["store"])


def opened(request: Request) -> Iterator[Store]:
    with Store(request.app.state.store) as store:
        yield store


TheStore = Annotated[Store, Depends(opened)]


@dataclass(frozen=True)
class Wanted:
    """The filters of an address."""

    game: Annotated[str | None, Query(max_length=60)] = None
    player: Annotated[str | None, Query(max_length=300)] = None
    result: Literal["first", "second", "draw", "unfinished"] | None = None
    since: Annotated[str | None, Query(pattern=r"^\d{4}(-\d\d(-\d\d)?)?$")] = None
    until: Annotated[str | None, Query(pattern=r"^\d{4}(-\d\d(-\d\d)?)?$")] = None
    event: Annotated[str | None, Query(max_length=300)] = None

    @property
    def filter(self) -> Filter:
        return Filter(self.game, self.player, self.result, self.since, self.until, self.event)


Which = Annotated[Wanted, Depends()]


@router.get("/stats")
def stats(store: TheStore) -> dict[str, Any]:
    """How much there is."""
    found = store.stats()
    return {
        "games": dict(found.games),
        "unfinished": found.unfinished,
        "moves": found.moves,
        "positions": found.positions,
        "players": found.players,
        "events": found.events,
    }


@router.get("/games")
def list_games(
    store: TheStore,
    which: Which,
    page: Annotated[int, Query(ge=0, le=10**6)] = 0,
) -> dict[str, Any]:
    """A page of games, newest first."""
    wanted = list(store.games(which.filter, limit=(page + 1) * PAGE))[page * PAGE :]
    return {
        "total": store.count(which.filter),
        "page": page,
        "page_size": PAGE,
        "games": [_row(each) for each in wanted],
    }


@router.get("/games/{number}")
def one_game(number: int, store: TheStore) -> dict[str, Any]:
    """One game with all that is known of its moves."""
    stored = store.game(number)
    return {**_row(stored), "record": stored.record.as_data()}


@router.post("/explore")
def explore(line: LineIn, store: TheStore) -> dict[str, Any]:
    """What was played from a position in all stored games, and with what results."""
    read = line.read()
    found = store.explore(read.game, read.state)
    return {
        "games": sum(each.games for each in found),
        "moves": [
            {
                "moves": [read.game.format_move(read.state, move) for move in each.moves],
                "games": each.games,
                "wins": each.wins,
                "draws": each.draws,
                "losses": each.losses,
            }
            for each in found
        ],
    }


@router.post("/position")
def games_with_position(line: LineIn, store: TheStore) -> dict[str, Any]:
    """The newest stored games that reached a position, or a symmetric one."""
    read = line.read()
    return {
        "games": [_row(each) for each in store.games_with(read.state, PAGE)],
        "view": view(read),
    }


@router.post("/import")
async def import_file(
    request: Request, name: Annotated[str, Query(max_length=300)] = ""
) -> dict[str, Any]:
    """Read a file in any known format into the store."""
    data = await _body(request)
    reading = read_anything(data, name)
    items = list(reading)
    records = [i.record for i in items if isinstance(i, Read) and isinstance(i.record, GameRecord)]
    rejected = [item for item in items if isinstance(item, Rejected)]
    with Store(request.app.state.store) as store:
        report = store.add(records)
    return {
        "what": in_words(reading.format, items),
        "read": len(records),
        "added": report.added,
        "duplicates": report.duplicates,
        "rejected": len(rejected),
        "reasons": [{"place": e.place, "reason": e.reason} for e in rejected[:MOST_REJECTED]],
    }


@router.get("/export", response_class=Response)
def export(
    store: TheStore, which: Which, format: Annotated[str, Query(max_length=60)] = "json"
) -> Response:
    """The games of a filter as a file."""
    chosen = find_format(format)
    if chosen.write is None:
        raise Unsupported(f"{chosen.name} can only be read")
    count = store.count(which.filter)
    if count > MOST_EXPORTED:
        raise Unsupported(
            f"{count:,} games are too many for a page; `plyground store export` has no limit"
        )
    data = chosen.write(each.record for each in store.whole(which.filter))
    suffix = chosen.suffixes[0] if chosen.suffixes else ".txt"
    headers = {"content-disposition": f'attachment; filename="games{suffix}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)


async def _body(request: Request) -> bytes:
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > MOST_FILE:
            raise MalformedText(f"the file is larger than {MOST_FILE >> 20} MB")
    return bytes(data)


def _row(stored: StoredGame) -> dict[str, Any]:
    record = stored.record
    known = games().get(record.game)
    return {
        "id": stored.id,
        "uid": stored.uid,
        "game": record.game,
        "title": known.title if known else record.game,
        "settings": dict(record.settings),
        "position": record.position,
        "players": list(record.players),
        "points": record.points,
        "outcome": record.outcome,
        "ended": record.ended,
        "date": record.date,
        "event": record.event,
        "moves": [move.move for move in record.moves],
    }
