"""Files on their way into the store: in small turns, so that nobody waits for somebody else's file.

One thread reads some games of a file, then some of the next; they are stored where all games of
pages are, between two moves of a player. An import ends with its file, when it is stopped, or when
its sender leaves; what was stored stays, and the same file adds only the rest.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from fastapi import Request

from plyground.core.errors import InputError, MalformedText, PlygroundError, Unsupported
from plyground.core.records import GameRecord
from plyground.formats.catalogue import HEAD_BYTES, Contents, density, read_anything
from plyground.formats.spec import Item, Rejected
from plyground.games.catalogue import demand_known
from plyground.store.positions import prepare_rows
from plyground.store.rows import Entry, storable
from plyground.store.store import Report, Store
from plyground.web.answers import Answer
from plyground.web.attending import leaving
from plyground.web.game_writer import GameWriter

IMPORT_NAME = "^[0-9a-z]{1,40}$"
MOST_FILE = 50 * 2**20
MOST_AT_ONCE = 8  # each with its file in memory
MOST_GAMES = 10**6  # of a file: for each there is a name to remember
MOST_REJECTED = 100  # reasons that are reported; all are counted
TURN_GAMES, TURN_S = 200, 0.1  # until it is another import's turn
T = TypeVar("T")


class ImportCounts(Answer):
    added: int
    duplicates: int
    rejected: int


class ImportReport(ImportCounts):
    what: str
    read: int
    reasons: list[Rejected]
    """The first hundred."""
    stopped: bool
    """Whether there is more in the file; what was read is stored."""


class ImportProgress(ImportCounts):
    id: str
    name: str
    done: int
    """Games read, including those that were rejected."""
    first: int = 0
    total: int | None
    """About how many there are."""
    rate: float
    unit: str = "games"


class Import:
    """A file, and how far it has been read."""

    def __init__(self, id: str, name: str, data: bytes) -> None:
        """Raises MalformedText if the file is in no known format."""
        self.id, self.name = id, name
        self.is_over = self.is_stopped = False
        reading = read_anything(data, name)
        self._items = iter(reading)
        self._contents = Contents(reading.format)
        self._total = round(density(reading.format, data[:HEAD_BYTES]) * len(data)) or None
        self._begun_s = time.monotonic()
        self._rejected: list[Rejected] = []
        self._stored = Report()
        self._names = Counter[str]()
        self._ready = set[tuple[str, str, str | None]]()

    def read(self) -> list[Entry]:
        """The games of one turn."""
        games: list[Entry] = []
        end_s = time.monotonic() + TURN_S
        for item in self._items:
            if entry := self._take(item):
                games.append(entry)
            if self._done >= MOST_GAMES:
                self._reject(item.place, "the rest is too long for a page: plyground store import")
                self.stop()
            if self.is_stopped or len(games) == TURN_GAMES or time.monotonic() > end_s:
                return games
        self.is_over = True
        return games

    def store(self, store: Store, games: list[Entry]) -> None:
        """Store the games of a turn."""
        self._stored += store.add(games, self._names)

    def stop(self) -> None:
        """Read nothing more."""
        self.is_over = self.is_stopped = True

    def _take(self, item: Item) -> Entry | None:
        if isinstance(item, Rejected):
            self._reject(item.place, item.reason)
            return None
        try:
            # To list the positions of a game that is a file would mean to run that file.
            demand_known(item.record.game)
            entry = storable(item.record) if isinstance(item.record, GameRecord) else None
        except InputError as error:
            self._reject(item.place, str(error))
            return None
        self._contents.add(item)
        if entry is not None and entry.kind not in self._ready:
            self._ready.add(entry.kind)
            with contextlib.suppress(PlygroundError):
                prepare_rows(entry.record)  # here: players wait for the thread that stores games
        return entry

    def _reject(self, place: str, reason: str) -> None:
        rejected = Rejected(place, reason)
        self._contents.add(rejected)
        self._rejected += [rejected] if len(self._rejected) < MOST_REJECTED else []

    @property
    def _done(self) -> int:
        return self._contents.games + self._contents.positions + self._contents.rejected

    def progress(self) -> ImportProgress:
        """How far it is, in the words of a job."""
        taken_s = time.monotonic() - self._begun_s
        return ImportProgress(
            id=self.id,
            name=self.name,
            done=self._done,
            total=self._total and max(self._total, self._done),
            rate=self._done / taken_s if taken_s else 0.0,
            rejected=self._contents.rejected,
            **vars(self._stored),
        )

    def report(self) -> ImportReport:
        """What became of it."""
        return ImportReport(
            what=self._contents.in_words(),
            read=self._contents.games,
            rejected=self._contents.rejected,
            reasons=self._rejected,
            stopped=self.is_stopped,
            **vars(self._stored),
        )


class ImportRoom:
    """The imports that are under way."""

    def __init__(self, store: Store, writer: GameWriter) -> None:
        self._store, self._writer = store, writer
        self._thread = ThreadPoolExecutor(1, "importing")
        self._places: dict[str, Import | None] = {}

    def __iter__(self) -> Iterator[Import]:
        return (work for work in self._places.values() if work)

    def find(self, id: str) -> Import | None:
        return self._places.get(id)

    async def take(self, request: Request, id: str | None, name: str) -> Import:
        """Import what a client sends, until it leaves. Raises InputError."""
        id = id or secrets.token_hex(8)
        with self._place(id):
            data = await _body(request)
            async with leaving(request) as gone:
                work = await self._turn(lambda: Import(id, name, data))
                self._places[id] = work
                while not (work.is_over or gone.done()):
                    games = await self._turn(work.read)
                    await self._writer.do(functools.partial(work.store, self._store, games))
        return work

    @contextlib.contextmanager
    def _place(self, id: str) -> Iterator[None]:
        if id in self._places:
            raise Unsupported(f"an import called {id} is under way already").at("id")
        if len(self._places) >= MOST_AT_ONCE:
            raise Unsupported(f"{MOST_AT_ONCE} files are being imported; wait for one, or stop one")
        self._places[id] = None
        try:
            yield
        finally:
            del self._places[id]

    async def _turn(self, work: Callable[[], T]) -> T:
        """Have something done in the thread, after all that others have asked for before."""
        return await asyncio.wrap_future(self._thread.submit(work))

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)


async def _body(request: Request) -> bytes:
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > MOST_FILE:
            raise MalformedText(f"the file is larger than {MOST_FILE >> 20} MB")
    return bytes(data)
