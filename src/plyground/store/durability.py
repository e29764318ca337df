"""When a commit is on disk: at once, or with others at the end of a block.

A kill undoes no commit; a power cut undoes those that nobody has waited for. SQLite is set to wait
or not before each transaction. A wait takes a tenth of a millisecond on one disk and ten on
another, however much it is for: so a server that commits for many people at once waits `together`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextvars import ContextVar

from sqlalchemy import Engine

from plyground.core.faults import step
from plyground.store.waiting import StoreError

_logs: ContextVar[set[str] | None] = ContextVar("logs to be waited for", default=None)


def wait_for_disk(engine: Engine, durable: bool) -> str:
    """The setting of SQLite by which the next commits survive a power cut, or only a kill.

    What did not wait is safe with the next commit that does.
    """
    logs, log = _logs.get(), f"{engine.url.database}-wal"
    if durable and logs is not None and os.path.exists(log):
        logs.add(log)
        durable = False
    return f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}"


@contextlib.contextmanager
def together() -> Iterator[None]:
    """Let the commits in a block wait for the disk once, at its end. Raises StoreError.

    All that SQLite has committed since its last wait is in its log, the only file to be waited for.
    """
    logs: set[str] = set()
    before = _logs.set(logs)
    try:
        yield
    finally:
        _logs.reset(before)
        for log in logs:
            _synchronise(log)


def _synchronise(log: str) -> None:
    try:
        handle = os.open(log, os.O_RDWR)
        try:
            step(f"flush {os.path.basename(log)}", os.fsync, handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise StoreError(
            f"store {log.removesuffix('-wal')} cannot be used: {error.strerror}"
        ) from None
