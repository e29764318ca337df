"""Searches in threads of their own, so many at a time, each of which can be stopped.

Compiled code releases the interpreter lock, so the event loop goes on while searches run. A client
has one search at a time, and the newest wins; when all places are taken, a search waits its turn,
and says so. Knows no socket and no game.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from plyground.kernel import Slab
from plyground.search.clock import STOP

T = TypeVar("T")


@dataclass(eq=False)
class Thought(Generic[T]):
    """A search under way, or waiting."""

    work: Callable[[Slab], T]
    """Called in a thread with the flag that tells it to stop."""
    stop: Slab = field(default_factory=lambda: Slab(1))

    def cancel(self) -> None:
        self.stop[STOP] = 1

    @property
    def is_cancelled(self) -> bool:
        return bool(self.stop[STOP])


class ThinkingRoom:
    """Places for so many searches at a time."""

    def __init__(self, places: int | None = None) -> None:
        self.places = places or max(1, os.cpu_count() or 1)
        self._threads = ThreadPoolExecutor(self.places, "thinking")
        self._under_way: set[Thought[Any]] = set()

    @property
    def is_full(self) -> bool:
        return len(self._under_way) >= self.places

    async def think(self, thought: Thought[T]) -> T | None:
        """What came of it; None if it was cancelled before it began."""

        def work() -> T | None:
            return None if thought.is_cancelled else thought.work(thought.stop)

        self._under_way.add(thought)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._under_way.discard(thought)

    def close(self) -> None:
        for thought in self._under_way:
            thought.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)
