"""Searches in threads of their own, so many at a time, each of which can be stopped.

Compiled code releases the interpreter lock, so the event loop goes on while searches run. When all
places are taken, a search waits its turn.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from plyground.kernel import Slab
from plyground.search.clock import STOP

NICENESS = 10  # with 0, a hundred players wait seconds for the server while engines are busy
T = TypeVar("T")


@dataclass(eq=False)
class Thought(Generic[T]):
    """A search under way, or waiting."""

    work: Callable[[Slab], T]
    """Called in a thread with the flag that stops it."""
    stop: Slab = field(default_factory=lambda: Slab(1))
    place: Future[T] | None = None
    """Its place in the queue of the threads."""
    is_unwanted: bool = False

    def hurry(self) -> None:
        """Let it come to an end with what it has; one that has not begun still answers."""
        self.stop[STOP] = 1

    def cancel(self) -> None:
        """Stop it, or take it out of the queue if it has not begun."""
        self.hurry()
        self.is_unwanted = True
        if self.place is not None:
            self.place.cancel()

    @property
    def is_stopped(self) -> bool:
        return bool(self.stop[STOP])


def _give_way() -> None:
    """Let threads that answer people go first; only Linux can do that for one thread."""
    if sys.platform == "linux":
        own = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), min(own + NICENESS, 19))


class ThinkingRoom:
    """Places for so many searches at a time."""

    def __init__(self, places: int | None = None) -> None:
        self.places = places or max(1, os.cpu_count() or 1)
        self._threads = ThreadPoolExecutor(self.places, "thinking", _give_way)
        self._getting_ready = ThreadPoolExecutor(self.places, "getting ready")
        begun = threading.Barrier(self.places)  # here: a thread is as urgent as who began it
        for _ in range(self.places):
            self._getting_ready.submit(begun.wait)
        self._under_way: set[Thought[Any]] = set()

    @property
    def is_full(self) -> bool:
        return len(self._under_way) >= self.places

    async def think(self, thought: Thought[T]) -> T | None:
        """What came of it; None if it was cancelled before it began."""
        if thought.is_unwanted:
            return None
        self._under_way.add(thought)
        thought.place = place = self._threads.submit(thought.work, thought.stop)
        try:
            return await asyncio.wrap_future(place)
        except asyncio.CancelledError:
            if place.cancelled():
                return None
            raise
        finally:
            self._under_way.discard(thought)

    def get_ready(self, prepare: Callable[[], object]) -> None:
        """Do what a search needs first, and wait for it.

        Compiling holds the interpreter lock, so all answers wait for it anyway: were it to give way
        like a search, a busy machine would let it hold the lock for a minute.
        """
        self._getting_ready.submit(copy_context().run, prepare).result()

    def close(self) -> None:
        for thought in self._under_way:
            thought.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._getting_ready.shutdown(wait=False, cancel_futures=True)
