"""Work for a client that may leave: it ends with the connection, and after a time in any case.

A thread cannot be ended from outside, so the work checks a flag between its steps.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import TypeVar

from fastapi import Request
from starlette.concurrency import run_in_threadpool

from plyground.core.errors import Unsupported

MOST_S = 120.0
T = TypeVar("T")


class Attention:
    """Whether the client still waits for the work."""

    is_over = False

    def over(self, things: Iterable[T]) -> Iterator[T]:
        """The same things, as long as the client waits. Raises Unsupported."""
        for thing in things:
            if self.is_over:
                raise Unsupported(f"this takes more than {MOST_S:.0f} s; ask for less")
            yield thing


async def attended(request: Request, work: Callable[[Attention], T]) -> T:
    """The result of work in a thread. Raises Unsupported if that takes too long."""
    attention = Attention()
    thread = asyncio.ensure_future(run_in_threadpool(work, attention))
    try:
        async with leaving(request) as gone:
            await asyncio.wait({thread, gone}, timeout=MOST_S, return_when="FIRST_COMPLETED")
    finally:
        attention.is_over = True
    return await thread


@contextlib.asynccontextmanager
async def leaving(request: Request) -> AsyncIterator[asyncio.Task[None]]:
    """A task that is done when the client has left; its request must have been read."""

    async def listen() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    task = asyncio.create_task(listen())
    try:
        yield task
    finally:
        task.cancel()
