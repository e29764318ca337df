"""The store of games: lists with filters, games by position, and files in and out.

A list is read in pages and sorted by any column; filters are part of the address, so it can be
shared. Deleting is undone under the same number.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal
from urllib.parse import unquote

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from plyground.core.errors import InputError, MalformedText, Unsupported
from plyground.core.places import data_folder
from plyground.core.records import GameRecord
from plyground.formats.catalogue import find_format, in_words, read_anything
from plyground.formats.spec import Read, Rejected
from plyground.games.catalogue import games
from plyground.services.openings import opening_of
from plyground.services.positions import Line, demand_known, view
from plyground.store.finding import games_reaching
from plyground.store.removing import remove, restore
from plyground.store.store import ORDERS, Filter, Order, Store, StoredGame
from plyground.web.answers import (
    REFUSALS,
    Explored,
    GamePage,
    GameRow,
    ImportReport,
    StoreStats,
    WholeGame,
)
from plyground.web.keeper import Keeper
from plyground.web.wire import MOST_MOVES, LineIn

MOST_FILE = 50 * 2**20
MOST_REJECTED = 100  # reasons that are told; all are counted
MOST_EXPORTED = 100_000
PAGE = 100
RAW_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
A_FILE = {
    "description": "The games as a file.",
    "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
}

router = APIRouter(prefix="/api/store", tags=["store"], responses=REFUSALS)
Number = Annotated[int, Path(ge=1, le=2**53, description="The number of a game.")]
_one_at_a_time = threading.Lock()


def opened(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


TheStore = Annotated[Store, Depends(opened)]
Day = Annotated[
    str | None,
    Query(pattern=r"^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$", description="A day, month or year."),
]


@dataclass(frozen=True)
class Wanted:
    """The filters of an address."""

    game: Annotated[str | None, Query(max_length=60)] = None
    player: Annotated[str | None, Query(max_length=300, description="Part of a name.")] = None
    result: Literal["first", "second", "draw", "unfinished"] | None = None
    since: Day = None
    until: Day = None
    event: Annotated[str | None, Query(max_length=300, description="Part of its name.")] = None
    set: Annotated[str | None, Query(max_length=600, description="Settings: `size=8,k=3`.")] = None
    position: Annotated[
        str | None, Query(max_length=2000, description="Where the line begins, as text.")
    ] = None
    moves: Annotated[
        str | None, Query(max_length=20_000, description="Moves from there, with `_` between.")
    ] = None
    symmetric: Annotated[
        bool, Query(description="Whether images of the position count as well.")
    ] = False
    number: Annotated[int | None, Query(ge=1, le=2**53, description="This game and no other.")] = (
        None
    )

    @property
    def filter(self) -> Filter:
        numbers = None if self.number is None else (self.number,)
        about = self.game or None, self.player or None, self.result
        return Filter(*about, self.since, self.until, self.event or None, numbers)

    @property
    def line(self) -> Line | None:
        """The line to the position that is looked for, if one is."""
        if not (self.set or self.position or self.moves):
            return None
        if not self.game:
            raise MalformedText("to look for a position, say of which game")
        names = [unquote(name) for name in (self.moves or "").split("_") if name]
        if len(names) > MOST_MOVES:
            raise MalformedText(f"at most {MOST_MOVES:,} moves can lead to a position")
        pairs = [part.partition("=") for part in (self.set or "").split(",") if part]
        settings = {name: value for name, _, value in pairs}
        return LineIn.model_construct(
            game=self.game, settings=settings, position=self.position or None, moves=names
        ).read()

    def find(self, store: Store) -> Found:
        line = self.line
        if line is None:
            return Found(self.filter)
        plies = games_reaching(store, line.game, line.state, self.symmetric)
        # Symmetric or not, the position says which game it is.
        numbers = plies.keys() if self.number is None else plies.keys() & {self.number}
        return Found(replace(self.filter, game=None, numbers=numbers), line, plies)


@dataclass(frozen=True)
class Found:
    """Which games are meant, and where each reached the position that was looked for."""

    which: Filter
    line: Line | None = None
    plies: dict[int, int] | None = None


Which = Annotated[Wanted, Depends()]


@router.get("/stats", summary="How much there is", response_model=StoreStats)
def stats(store: TheStore) -> dict[str, Any]:
    """Games by kind, how many moves, positions, players and events they have, and where all is."""
    found = store.stats()
    return {
        "store": store.address,
        "folder": str(data_folder()),
        "games": dict(found.games),
        "unfinished": found.unfinished,
        "moves": found.moves,
        "positions": found.positions,
        "players": found.players,
        "events": found.events,
    }


@router.get("/games", summary="A page of games", response_model=GamePage)
def list_games(
    store: TheStore,
    which: Which,
    page: Annotated[int, Query(ge=0, le=10**6)] = 0,
    sort: Annotated[
        str,
        Query(
            pattern=f"^-?({'|'.join(ORDERS)})$",
            description="A column; with `-` before it the highest first.",
        ),
    ] = "-date",
) -> dict[str, Any]:
    """Games by filters, and by a position: that to which `set`, `position` and `moves` lead."""
    found = which.find(store)
    order = Order(sort.removeprefix("-"), sort.startswith("-"))
    wanted = store.games(found.which, PAGE, page * PAGE, order)
    plies = found.plies or {}
    return {
        "total": store.count(found.which),
        "page": page,
        "page_size": PAGE,
        "games": [{**_row(each), "ply": plies.get(each.id)} for each in wanted],
        "view": view(found.line) if found.line else None,
    }


@router.get("/games/{number}", summary="One game", response_model=WholeGame)
def one_game(number: Number, store: TheStore) -> dict[str, Any]:
    """A game with all that is known of its moves."""
    stored = store.game(number)
    return {**_row(stored), "record": stored.record.as_data()}


@router.delete("/games/{number}", summary="Delete a game", response_model=GameRow)
async def delete_game(number: Number, store: TheStore, request: Request) -> dict[str, Any]:
    """Delete a game; for some weeks it can be restored."""
    keeper: Keeper = request.app.state.keeper

    def delete() -> StoredGame:
        removed = remove(store, number)
        keeper.forget(removed.uid)
        return removed

    return _row(await keeper.do(delete))


@router.post("/games/{number}/restore", summary="Restore a game", response_model=GameRow)
def restore_game(number: Number, store: TheStore) -> dict[str, Any]:
    """Bring back a deleted game under the same number; one that is there stays."""
    return _row(restore(store, number))


@router.post("/explore", summary="What was played from here", response_model=Explored)
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


@router.post(
    "/import", summary="Import a file", response_model=ImportReport, openapi_extra=RAW_BODY
)
async def import_file(
    request: Request,
    store: TheStore,
    name: Annotated[str, Query(max_length=300, description="The name of the file.")] = "",
) -> dict[str, Any]:
    """Read a file in any known format into the store."""
    return await run_in_threadpool(_import, await _body(request), name, store)


def _import(data: bytes, name: str, store: Store) -> dict[str, Any]:
    with _one_at_a_time:  # of fifty megabytes each
        reading = read_anything(data, name)
        items = [_admitted(item) for item in reading]
        read = (item.record for item in items if isinstance(item, Read))
        records = [record for record in read if isinstance(record, GameRecord)]
        rejected = [item for item in items if isinstance(item, Rejected)]
        report = store.add(records)
    return {
        "what": in_words(reading.format, items),
        "read": len(records),
        "added": report.added,
        "duplicates": report.duplicates,
        "rejected": len(rejected),
        "reasons": [{"place": e.place, "reason": e.reason} for e in rejected[:MOST_REJECTED]],
    }


def _admitted(item: Read | Rejected) -> Read | Rejected:
    """To list the positions of a game that is a file would mean to run that file."""
    if isinstance(item, Read):
        try:
            demand_known(item.record.game)
        except InputError as error:
            return Rejected(item.place, str(error))
    return item


@router.get("/export", summary="Export games", response_class=Response, responses={200: A_FILE})
def export(
    store: TheStore,
    which: Which,
    format: Annotated[str, Query(max_length=60, description="One of `/api/formats`.")] = "json",
) -> Response:
    """The games of a filter as a file."""
    chosen = find_format(format)
    if chosen.write is None:
        raise Unsupported(f"{chosen.name} can only be read")
    found = which.find(store)
    count = store.count(found.which)
    if count > MOST_EXPORTED:
        raise Unsupported(
            f"{count:,} games are too many for a page; `plyground store export` has no limit"
        )
    data = chosen.write(each.record for each in store.whole(found.which))
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
        "opening": opening_of(record),
        "moves": [move.move for move in record.moves],
    }
