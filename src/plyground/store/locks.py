"""Only one process at a time: a lock in the store's own place, gone with whoever holds it.

On PostgreSQL it is an advisory lock, which goes with the connection; beside an SQLite file it is a
file of its own, whose lock goes with the process. Knows not what is locked.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import func, select

from plyground.core.locking import try_lock
from plyground.store.store import Store


@contextlib.contextmanager
def exclusive(store: Store, name: str) -> Iterator[bool]:
    """Whether this process is the only one in a block of this name, in this store."""
    if store.engine.dialect.name == "postgresql":
        held = _advisory_lock(store, name)
    else:
        held = _file_lock(store.engine.url.database, name)
    with held as is_ours:
        yield is_ours


@contextlib.contextmanager
def _advisory_lock(store: Store, name: str) -> Iterator[bool]:
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
    # Outside of any transaction: one that stays open for an hour would keep all others' rubbish.
    connection = store.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    with connection:
        is_ours = bool(connection.execute(select(func.pg_try_advisory_lock(number))).scalar())
        try:
            yield is_ours
        finally:
            connection.invalidate()  # not back to the pool: the lock must end with the block


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
