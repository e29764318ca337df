"""The store of games: lists with filters, games by position, and files in and out.

A list is read in pages and sorted by any column; filters are part of the address, so it can be
shared. Deleting is undone under the same number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal
from urllib.parse import unquote

from fastapi import APIRouter, Depends, HTTPException, Path, Query, Request, Response

from plyground.core.errors import MalformedText, Unsupported
from plyground.core.places import data_folder
from plyground.formats.catalogue import find_format
from plyground.games.catalogue import games
from plyground.games.position import BasePosition
from plyground.games.view import view
from plyground.public.stored import Store as PublicStore
from plyground.store.finding import games_reaching
from plyground.store.openings import opening_of
from plyground.store.queries import ORDERS, Filter, Order
from plyground.store.reading import Stats
from plyground.store.removing import remove, restore
from plyground.store.rows import StoredGame
from plyground.store.store import Store
from plyground.web.answers import (
    GONE,
    REFUSALS,
    Answer,
    Page,
    PositionView,
    RecordInfo,
    Results,
    game_as_data,
)
from plyground.web.attending import Attention, attended
from plyground.web.importing import IMPORT_NAME, ImportProgress, ImportReport
from plyground.web.parts import TheImports, TheStore, TheWriter
from plyground.web.wire import MOST_MOVES, LineIn

MOST_EXPORTED = 100_000
PAGE = 100
BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
RAW_BODY = {"requestBody": {"required": True, "content": BYTES}}
A_FILE: dict[str, Any] = {"description": "The games as a file.", "content": BYTES}

router = APIRouter(prefix="/api/store", tags=["store"], responses=REFUSALS)
Number = Annotated[int, Path(ge=1, le=2**53, description="The number of a game.")]
Day = Annotated[
    str | None,
    Query(pattern=r"^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$", description="A day, month or year."),
]


@dataclass(frozen=True, kw_only=True)
class StoreStats(Stats):
    store: str
    """Where it is."""
    folder: str
    """Where everything else is stored: jobs, runs, tournaments."""


class GameRow(RecordInfo):
    """A stored game as lists show it."""

    id: int
    uid: str
    title: str
    date: str
    event: str
    opening: str | None
    ply: int | None = None
    """Where it reached the position that was searched for."""


class GamePage(Page):
    games: list[GameRow]
    view: PositionView | None = None
    """The position that was searched for."""


class WholeGame(GameRow):
    record: dict[str, Any]
    """All that is known of it, as in the JSON format."""


class ContinuationInfo(Results):
    moves: list[str]
    games: int


class Explored(Answer):
    games: int
    moves: list[ContinuationInfo]


@dataclass(frozen=True)
class FilterQuery:
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
    def target(self) -> BasePosition | None:
        """The position that is searched for, if one is."""
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

    def select(self, store: Store, attention: Attention) -> Selection:
        """Which games pass the filters. Raises InputError."""
        target = self.target
        if target is None:
            return Selection(self.filter)
        plies = games_reaching(store, target.game, target.state, self.symmetric, attention.over)
        # Symmetric or not, the position says which game it is.
        numbers = plies.keys() if self.number is None else plies.keys() & {self.number}
        return Selection(replace(self.filter, game=None, numbers=numbers), target, plies)


@dataclass(frozen=True)
class Selection:
    """Which games are meant, and where each reached the position that was searched for."""

    which: Filter
    position: BasePosition | None = None
    plies: Mapping[int, int] = field(default_factory=dict)


Filters = Annotated[FilterQuery, Depends()]


@router.get("/stats", summary="How much there is")
def stats(store: TheStore) -> StoreStats:
    """Games by kind, how many moves, positions, players and events they have, and where all is."""
    return StoreStats(**vars(store.stats()), store=store.address, folder=str(data_folder()))


@router.get("/games", summary="A page of games", response_model=GamePage)
async def list_games(
    store: TheStore,
    filters: Filters,
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
        chosen = filters.select(store, attention)
        listed = store.games(chosen.which, PAGE, page * PAGE, order)
        return {
            "total": store.count(chosen.which),
            "page": page,
            "page_size": PAGE,
            "games": [{**_row(each), "ply": chosen.plies.get(each.id)} for each in listed],
            "view": view(chosen.position) if chosen.position else None,
        }

    return await attended(request, work)


@router.get("/games/{number}", summary="One game", response_model=WholeGame)
def one_game(number: Number, store: TheStore) -> dict[str, Any]:
    """A game with all that is known of its moves."""
    stored = store.game(number)
    return {**_row(stored), "record": stored.record.as_data()}


@router.delete("/games/{number}", summary="Delete a game", response_model=GameRow)
async def delete_game(number: Number, store: TheStore, writer: TheWriter) -> dict[str, Any]:
    """Delete a game; for some weeks it can be restored."""

    def delete() -> StoredGame:
        removed = remove(store, number)
        writer.forget(removed.uid)
        return removed

    return _row(await writer.do(delete))


@router.post("/games/{number}/restore", summary="Restore a game", response_model=GameRow)
def restore_game(number: Number, store: TheStore) -> dict[str, Any]:
    """Bring back a deleted game under the same number; one that is there stays."""
    return _row(restore(store, number))


@router.post("/explore", summary="What was played from here", response_model=Explored)
def explore(line: LineIn, store: TheStore) -> dict[str, Any]:
    """What was played from a position in all stored games, and with what results."""
    found = PublicStore(store).explore(line.read())
    return {"games": sum(each["games"] for each in found), "moves": found}


ImportName = Annotated[str, Path(pattern=IMPORT_NAME, description="As its sender called it.")]


@router.post("/import", summary="Import a file", openapi_extra=RAW_BODY)
async def import_file(
    request: Request,
    imports: TheImports,
    name: Annotated[str, Query(max_length=300, description="The name of the file.")] = "",
    id: Annotated[
        str | None, Query(pattern=IMPORT_NAME, description="By which it can be watched.")
    ] = None,
) -> ImportReport:
    """Read a file in any known format into the store, until all is read or the sender leaves.

    With an `id`, it is found among those under way, and can be stopped.
    """
    return (await imports.take(request, id, name)).report()


@router.get("/imports", summary="Imports under way")
async def list_imports(imports: TheImports) -> list[ImportProgress]:
    """How much of each file that is being imported has been read and stored; the oldest first."""
    return [each.progress() for each in imports]


@router.delete("/imports/{id}", summary="Stop an import", responses={404: GONE})
async def stop_import(id: ImportName, imports: TheImports) -> ImportProgress:
    """Stop an import; what has been stored stays, and the sender is told how much that is."""
    if (work := imports.find(id)) is None:
        raise HTTPException(404, "no such import is under way")
    work.stop()
    return work.progress()


@router.get("/export", summary="Export games", response_class=Response, responses={200: A_FILE})
async def export(
    store: TheStore,
    filters: Filters,
    request: Request,
    format: Annotated[str, Query(max_length=60, description="One of `/api/formats`.")] = "json",
) -> Response:
    """The games of a filter as a file."""
    spec = find_format(format)
    write = spec.write
    if write is None:
        raise Unsupported(f"{spec.name} can only be read")

    def work(attention: Attention) -> bytes:
        chosen = filters.select(store, attention)
        count = store.count(chosen.which)
        if count > MOST_EXPORTED:
            raise Unsupported(
                f"{count:,} games are too many for a page; `plyground store export` has no limit"
            )
        return write(each.record for each in attention.over(store.whole(chosen.which)))

    data = await attended(request, work)
    suffix = spec.suffixes[0] if spec.suffixes else ".txt"
    headers = {"content-disposition": f'attachment; filename="games{suffix}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)


def _row(stored: StoredGame) -> dict[str, Any]:
    record = stored.record
    known = games().get(record.game)
    row = game_as_data(record) | {
        "id": stored.id,
        "uid": stored.uid,
        "title": known.title if known else record.game,
        "date": record.date,
        "event": record.event,
        "opening": opening_of(record),
    }
    return row | {"ended": "damaged"} if stored.problem else row
