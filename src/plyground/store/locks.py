"""Only one process at a time: a lock in the store's own place, gone with whoever holds it.

On PostgreSQL it is an advisory lock, which goes with the connection and is taken again with the
next; beside an SQLite file it is a file of its own, whose lock goes with the process.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from sqlalchemy import Connection, func, select

from plyground.core.errors import Unsupported
from plyground.core.locking import try_lock
from plyground.store.store import Store
from plyground.store.waiting import StoreAway


def exclusive(store: Store, name: str) -> AbstractContextManager[bool]:
    """Whether this process is the only one in a block of this name, in this store."""
    if store.engine.dialect.name == "postgresql":
        return _advisory_lock(store, name)
    return _file_lock(store.engine.url.database, name)


@contextlib.contextmanager
def _advisory_lock(store: Store, name: str) -> Iterator[bool]:
    lock = _AdvisoryLock(store, name)
    is_ours = lock.take()
    try:
        if is_ours:
            store.demands.append(lock.demand)
        yield is_ours
    finally:
        if is_ours:
            store.demands.remove(lock.demand)
        lock.release()


class _AdvisoryLock:
    """A lock that is taken again if its connection was cut, before anything is written."""

    def __init__(self, store: Store, name: str) -> None:
        self._engine, self._name = store.engine, name
        digest = hashlib.sha256(name.encode()).digest()
        self._number = int.from_bytes(digest[:8], "big", signed=True)
        self._connection: Connection | None = None

    def take(self) -> bool:
        # Outside of any transaction: one open for an hour would keep the server from cleaning up.
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        self._connection = connection
        return bool(connection.execute(select(func.pg_try_advisory_lock(self._number))).scalar())

    def demand(self) -> None:
        """Raise Unsupported if the lock was lost, and somebody else has it."""
        try:
            assert self._connection is not None
            self._connection.execute(select(1))
        except StoreAway as error:
            self.release()
            if not error.was_cut:
                raise
            if not self.take():
                raise Unsupported(
                    f"{self._name}: the connection to the store was cut, and another process has "
                    "taken over meanwhile; nothing is lost"
                ) from None

    def release(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()  # not back to the pool: the lock must end with the block
            connection.close()


@contextlib.contextmanager
def _file_lock(database: str | None, name: str) -> Iterator[bool]:
    if database in (None, "", ":memory:"):
        yield True
        return
    path = Path(f"{database}-{name}.lock")
    while True:
        with open(path, "wb") as file:
            if not try_lock(file):
                yield False
                return
            if not _is_at(path, file.fileno()):
                continue  # its last holder removed it while we were opening it
            try:
                yield True
            finally:
                path.unlink(missing_ok=True)
            return


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False
