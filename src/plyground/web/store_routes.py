"""The store of games: lists with filters, games by position, and files in and out.

A list is read in pages and sorted by any column; filters are part of the address, so it can be
shared. Deleting is undone under the same number.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal
from urllib.parse import unquote

from fastapi import APIRouter, Depends, HTTPException, Path, Query, Request, Response

from plyground.core.errors import MalformedText, Unsupported
from plyground.core.places import data_folder
from plyground.formats.catalogue import find_format
from plyground.games.catalogue import games
from plyground.games.position import BasePosition
from plyground.games.view import view
from plyground.store.finding import games_reaching
from plyground.store.openings import opening_of
from plyground.store.queries import ORDERS, Filter, Order
from plyground.store.removing import remove, restore
from plyground.store.rows import StoredGame
from plyground.store.store import Store
from plyground.web.answers import (
    GONE,
    REFUSALS,
    Explored,
    GamePage,
    GameRow,
    ImportProgress,
    ImportReport,
    StoreStats,
    WholeGame,
)
from plyground.web.attending import Attention, attended
from plyground.web.importing import IMPORT_NAME, ImportRoom
from plyground.web.keeper import Keeper
from plyground.web.wire import MOST_MOVES, LineIn

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
    def wanted(self) -> BasePosition | None:
        """The position that is looked for, if one is."""
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

    def find(self, store: Store, attention: Attention) -> Found:
        wanted = self.wanted
        if wanted is None:
            return Found(self.filter)
        plies = games_reaching(store, wanted.game, wanted.state, self.symmetric, attention.over)
        # Symmetric or not, the position says which game it is.
        numbers = plies.keys() if self.number is None else plies.keys() & {self.number}
        return Found(replace(self.filter, game=None, numbers=numbers), wanted, plies)


@dataclass(frozen=True)
class Found:
    """Which games are meant, and where each reached the position that was looked for."""

    which: Filter
    position: BasePosition | None = None
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
async def list_games(
    store: TheStore,
    which: Which,
    request: Request,
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
    order = Order(sort.removeprefix("-"), sort.startswith("-"))

    def work(attention: Attention) -> dict[str, Any]:
        found = which.find(store, attention)
        wanted = store.games(found.which, PAGE, page * PAGE, order)
        plies = found.plies or {}
        return {
            "total": store.count(found.which),
            "page": page,
            "page_size": PAGE,
            "games": [{**_row(each), "ply": plies.get(each.id)} for each in wanted],
            "view": view(found.position) if found.position else None,
        }

    return await attended(request, work)


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
                "moves": [read.write_move(move) for move in each.moves],
                "games": each.games,
                "wins": each.wins,
                "draws": each.draws,
                "losses": each.losses,
            }
            for each in found
        ],
    }


def importing(request: Request) -> ImportRoom:
    room: ImportRoom = request.app.state.imports
    return room


TheImports = Annotated[ImportRoom, Depends(importing)]
ImportName = Annotated[str, Path(pattern=IMPORT_NAME, description="As its sender called it.")]


@router.post(
    "/import", summary="Import a file", response_model=ImportReport, openapi_extra=RAW_BODY
)
async def import_file(
    request: Request,
    imports: TheImports,
    name: Annotated[str, Query(max_length=300, description="The name of the file.")] = "",
    id: Annotated[
        str | None, Query(pattern=IMPORT_NAME, description="By which it can be watched.")
    ] = None,
) -> dict[str, Any]:
    """Read a file in any known format into the store, until all is read or the sender leaves.

    With an `id`, it is found among those under way, and can be stopped.
    """
    return (await imports.take(request, id, name)).report()


@router.get("/imports", summary="Imports under way", response_model=list[ImportProgress])
async def list_imports(imports: TheImports) -> list[dict[str, Any]]:
    """How much of each file that is being imported has been read and stored; the oldest first."""
    return [each.progress() for each in imports]


@router.delete(
    "/imports/{id}",
    summary="Stop an import",
    response_model=ImportProgress,
    responses={404: GONE},
)
async def stop_import(id: ImportName, imports: TheImports) -> dict[str, Any]:
    """Stop an import; what has been stored stays, and the sender is told how much that is."""
    if (work := imports.find(id)) is None:
        raise HTTPException(404, "no such import is under way")
    work.stop()
    return work.progress()


@router.get("/export", summary="Export games", response_class=Response, responses={200: A_FILE})
async def export(
    store: TheStore,
    which: Which,
    request: Request,
    format: Annotated[str, Query(max_length=60, description="One of `/api/formats`.")] = "json",
) -> Response:
    """The games of a filter as a file."""
    chosen = find_format(format)
    write = chosen.write
    if write is None:
        raise Unsupported(f"{chosen.name} can only be read")

    def work(attention: Attention) -> bytes:
        found = which.find(store, attention)
        count = store.count(found.which)
        if count > MOST_EXPORTED:
            raise Unsupported(
                f"{count:,} games are too many for a page; `plyground store export` has no limit"
            )
        return write(each.record for each in attention.over(store.whole(found.which)))

    data = await attended(request, work)
    suffix = chosen.suffixes[0] if chosen.suffixes else ".txt"
    headers = {"content-disposition": f'attachment; filename="games{suffix}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)


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
        "ended": "damaged" if stored.problem else record.ended,
        "date": record.date,
        "event": record.event,
        "opening": opening_of(record),
        "moves": [move.move for move in record.moves],
    }
