"""The shelter: a file for games that are played while their store's server is away.

It stands in the data folder, one for each address. Whoever opens the store next brings there what
is in the file, and so does a long run as soon as the server is back. A game leaves the file only
when the store has it, and keeps its name: whatever is killed on the way, it arrives once.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
from pathlib import Path

from sqlalchemy import URL

from plyground.core.errors import PlygroundError
from plyground.core.places import data_folder
from plyground.core.records import GameRecord
from plyground.store.live_game import LiveGame
from plyground.store.locks import exclusive
from plyground.store.queries import Filter
from plyground.store.rows import StoredGame
from plyground.store.store import Store
from plyground.store.waiting import StoreAway, say, wait_s

BATCH = 200  # games that are brought in one transaction
SHORT_WAIT_S = 5.0  # for a person at a board, or in a page


def open_store(name: str | None) -> Store:
    """A store that must answer; what waits for it is brought there first. Raises StoreAway."""
    store = ShelteredStore(name, wait_s())
    try:
        store.engine  # noqa: B018 - raises if the server is away
    except StoreAway as error:
        waiting = f"; {in_words(count)} for it here" if (count := count_waiting(store.url)) else ""
        raise StoreAway(f"{error}{waiting}") from None
    return store


def shelter_file(url: URL) -> Path:
    """Where games wait for a store, whatever its password is."""
    address = url.set(drivername="postgresql", password=None, query={}).render_as_string()
    return data_folder() / "shelter" / f"{hashlib.sha256(address.encode()).hexdigest()[:16]}.db"


def count_waiting(url: URL) -> int:
    """How many games wait for a store."""
    path = shelter_file(url)
    if not path.exists():
        return 0
    with Store(str(path)) as here:
        return here.count()


def in_words(count: int) -> str:
    return f"{count:,} games wait" if count != 1 else "1 game waits"


class ShelteredStore(Store):
    """A store for games under way, which go to its shelter while its server is away."""

    def __init__(self, name: str | None, limit_s: float) -> None:
        """Does not complain if the server is away; whatever needs it does."""
        self._shelter: Store | None = None
        self._guard = threading.Lock()
        self._may_have_games = True
        with contextlib.suppress(StoreAway):
            super().__init__(name, limit_s)
        self.bring()

    def begin(self, record: GameRecord, uid: str, repeatable: bool = False) -> LiveGame:
        self.bring()
        return super().begin(record, uid, repeatable)

    def find(self, uid: str) -> StoredGame | None:
        self.bring()
        return super().find(uid)

    def take_shelter(self) -> Store:
        with self._guard:
            self._may_have_games = True
            if self._shelter is None:
                path = shelter_file(self.url)
                self._shelter = Store(str(path))
                self._shelter.home = self
                say(f"store {self.address} cannot be reached; games are kept in {path} until it is")
            return self._shelter

    def bring(self) -> None:
        """Take what waits to the store, if that answers."""
        if not self._may_have_games:
            return
        path = shelter_file(self.url)
        if self.url.get_backend_name() == "sqlite" or not path.exists():
            self._may_have_games = False
            return
        try:
            self.engine.connect().close()
            # By a store that takes no shelter itself.
            address = self.url.render_as_string(hide_password=False)
            with Store(str(path)) as here, Store(address) as there:
                count = bring_over(here, there)
                self._may_have_games = bool(here.count())
        except StoreAway:
            return
        except PlygroundError as error:
            self._may_have_games = False
            say(f"what waits in {path} for store {self.address} cannot be brought there: {error}")
        else:
            if count:
                games = f"{count:,} games that were" if count > 1 else "1 game that was"
                are = "are" if count > 1 else "is"
                say(f"{games} kept here while store {self.address} was away {are} there now")

    def close(self) -> None:
        self.bring()
        if self._shelter is not None:
            self._shelter.close()
        super().close()


def bring_over(here: Store, there: Store) -> int:
    """Move games from one store to another; how many that had not had before."""
    added = 0
    with exclusive(here, "bringing") as is_ours:
        numbers = [each.id for each in here.games()] if is_ours else []
        for start in range(0, len(numbers), BATCH):
            which = Filter(numbers=numbers[start : start + BATCH])
            games = list(here.whole(which))
            added += there.add_named((each.named for each in games), revive=False).added
            with here.writing() as connection:  # nobody else can, so what is the same now stays so
                here.drop(connection, [each.id for each in here.whole(which) if each in games])
    return added
