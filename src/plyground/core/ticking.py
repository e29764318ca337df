"""Something shown now and then while a call runs, by a thread beside it.

The call itself stays where it was, so that Ctrl-C reaches it (`core/interrupts.py`).
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import copy_context

TICK_S = 0.1


@contextlib.contextmanager
def ticking(
    tick: Callable[[float], None], every_s: float = TICK_S, after_s: float = TICK_S
) -> Iterator[None]:
    """Call `tick` with the seconds so far, while the block runs; first after `after_s`."""
    began, is_over = time.monotonic(), threading.Event()

    def run() -> None:
        wait_s = after_s
        while not is_over.wait(wait_s):
            tick(time.monotonic() - began)
            wait_s = every_s

    thread = threading.Thread(target=copy_context().run, args=(run,), name="ticking", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
