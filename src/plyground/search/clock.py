"""When a search must stop: a flag that anyone may set, and a limit on nodes.

Time is watched outside: a timer sets the flag, and a running kernel sees it at its next node. A
search that was stopped returns nonsense all the way up, which its caller discards.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import NamedTuple

from plyground.kernel import Slab, verb

STOP = 0


class Clock(NamedTuple):
    """A flag in shared memory, and the number of nodes after which to stop."""

    flags: Slab
    most_nodes: int

    def is_stopped(self, nodes: int) -> bool:
        return self.flags[STOP] != 0 or nodes > self.most_nodes


@verb
def is_stopped(clock: Clock | None, nodes: int) -> bool:
    """Whether it is time to stop; without a clock, never."""
    return False


@contextlib.contextmanager
def timer(seconds: float | None, stop: Slab) -> Iterator[None]:
    """Set the flag after so many seconds, unless the block ends before."""
    if seconds is None:
        yield
        return
    waiting = threading.Timer(seconds, lambda: stop.__setitem__(STOP, 1))
    waiting.daemon = True
    waiting.start()
    try:
        yield
    finally:
        waiting.cancel()
        waiting.join()  # it wakes at once, and no thread is left behind
