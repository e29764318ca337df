"""Games that are deleted, and brought back under the same number.

A deleted game stays in its row, marked, for as long as undo may be wanted; it is in no list, no
count and no look-up by position. An import or a game that is played under its name takes its place.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, delete, update

from plyground.store import schema
from plyground.store.database import queue_up
from plyground.store.rows import Entry, StoredGame, now
from plyground.store.store import Store
from plyground.store.waiting import retried

KEPT_DAYS = 30


def remove(store: Store, number: int) -> StoredGame:
    """Delete a game; `restore` brings it back. Raises Unsupported if there is none."""
    game = store.game(number)
    _remove(store, game)
    return game


@retried
def _remove(store: Store, game: StoredGame) -> None:
    with store.writing() as connection:
        queue_up(connection)
        _forget_old(connection)
        if _set_removed(connection, game.id, now()):  # or somebody else was faster
            store.unlist(connection, [(game.id, Entry.of(game.record))])


@retried
def restore(store: Store, number: int) -> StoredGame:
    """Bring back a deleted game as it was; one that is there stays. Raises Unsupported."""
    game = store.game(number, even_removed=True)
    with store.writing() as connection:
        queue_up(connection)
        if _set_removed(connection, number, None):
            store.index(connection, [(number, Entry.of(game.record))])
    return game


def _set_removed(connection: Connection, number: int, when: str | None) -> bool:
    """Whether that changed anything."""
    table = schema.games.c
    was = table.removed.is_not(None) if when is None else table.removed.is_(None)
    changed = update(schema.games).where(table.id == number, was).values(removed=when)
    return bool(connection.execute(changed).rowcount)


def _forget_old(connection: Connection) -> None:
    limit = datetime.now(UTC) - timedelta(days=KEPT_DAYS)
    connection.execute(delete(schema.games).where(schema.games.c.removed < f"{limit:%Y-%m-%d}"))
