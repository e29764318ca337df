"""The workers of a Dask cluster."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import importlib
import logging
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

from plyground.core.errors import PlygroundError, Unsupported, shorten
from plyground.extensions import packed
from plyground.work.crews import Crew, LostResult, LostWorker, perform

COUNT_AGE_S = 1.0  # asking a scheduler for its workers costs a round trip
ANSWER_S = 1.0  # how long a scheduler that has stopped answering may hold up a run
SCHEMES = ("tcp", "tls", "ws", "wss")


class ClusterLost(PlygroundError):
    """The scheduler of the cluster is gone, with all that was under way."""


class DaskCrew(Crew):
    """The workers of a Dask scheduler, which does the tasks of dead workers again by itself.

    They belong to the cluster: a dropped task is forgotten, but whoever runs it runs it to its end.
    """

    most_deaths = 1  # the scheduler has tried several workers before it speaks of a death

    def __init__(self, address: str, timeout_s: float) -> None:
        address = self._address = _checked(address)
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise Unsupported(
                "a cluster needs Dask, which is not installed: pip install 'plyground[cluster]'"
            ) from None
        self._killed = distributed.KilledWorker
        with contextlib.ExitStack() as closing:
            closing.enter_context(_silent_dask())
            self._count = _greet(distributed, address, timeout_s)
            self._counted_s = time.monotonic()
            self._client = distributed.Client(address, timeout=timeout_s, set_as_default=False)
            closing.callback(self._client.close)
            self._executor = self._client.get_executor(pure=False)
            self._closing = closing.pop_all()

    @property
    def count(self) -> int:
        if time.monotonic() - self._counted_s > COUNT_AGE_S and self._client.status == "running":
            with contextlib.suppress(OSError):  # no answer now: what was true before must do
                threads = self._client.sync(
                    self._client.scheduler.ncores, callback_timeout=ANSWER_S
                )
                self._count = sum(threads.values())
            self._counted_s = time.monotonic()
        return self._count

    def submit(self, function: Callable[[Any], Any], task: Any) -> Future[Any]:
        return self._executor.submit(functools.partial(perform, packed(), function, task))

    def drop(self) -> None:
        if self._client.status == "running":
            self._executor.shutdown(wait=False)
            self._executor = self._client.get_executor(pure=False)

    def close(self) -> None:
        self._closing.close()

    def why_lost(self) -> PlygroundError | None:
        return None if self._client.status == "running" else self._lost()

    def error_of(self, future: Future[Any]) -> BaseException | None:
        if future.cancelled():
            return self._lost()
        error = future.exception()
        if isinstance(error, self._killed):
            return LostWorker()
        if isinstance(error, TypeError):
            # Dask's executor unpacks a result as an error if its worker dies in that very moment.
            frames = traceback.extract_tb(error.__traceback__)
            if len(frames) == 1 and frames[0].filename.endswith("cfexecutor.py"):
                return LostResult()
        return error

    def _lost(self) -> ClusterLost:
        return ClusterLost(f"lost the Dask scheduler at {self._address}, with all tasks under way")


@contextlib.contextmanager
def _silent_dask() -> Iterator[None]:
    """Dask logs lost connections with tracebacks, where our errors say it in one line."""
    logs = [logging.getLogger("distributed"), logging.getLogger("distributed.client")]
    levels = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for log, level in zip(logs, levels, strict=True):
            log.setLevel(level)


def _greet(distributed: Any, address: str, timeout_s: float) -> int:
    """How many threads a scheduler has; a client would wait forever for a server that is mute."""

    async def ask() -> tuple[str, int]:
        keys = distributed.Security().get_connection_args("client")
        async with (
            asyncio.timeout(timeout_s),
            distributed.rpc(address, timeout=timeout_s, connection_args=keys) as server,
        ):
            kind = str((await server.identity())["type"])
            return kind, sum((await server.ncores()).values()) if kind == "Scheduler" else 0

    try:
        with ThreadPoolExecutor(1) as aside:  # this thread may have an event loop of its own
            kind, threads = aside.submit(asyncio.run, ask()).result()
    except OSError:
        raise Unsupported(
            f"no Dask scheduler answers at {address} (waited {timeout_s:g} s)"
        ) from None
    except Exception as error:
        raise Unsupported(
            f"{address} does not answer like a Dask scheduler: {shorten(str(error), 80)}"
        ) from error
    if kind != "Scheduler":
        raise Unsupported(f"{address} is the address of a Dask {kind.lower()}, not of a scheduler")
    if threads == 0:
        raise Unsupported(
            f"the Dask scheduler at {address} has no workers: start some with `dask worker`"
        )
    return threads


def _checked(address: str) -> str:
    """The address with its scheme, which may be left out."""
    full = address if "://" in address else f"tcp://{address}"
    try:
        parts = urlsplit(full)
        is_complete = bool(parts.hostname and parts.port and parts.scheme in SCHEMES)
    except ValueError:
        is_complete = False
    if not is_complete or parts.path or parts.query or " " in full:
        raise Unsupported(f"cluster {shorten(address)!r}: expected tcp://HOST:PORT")
    return full
