"""Waiting for somebody who thinks in compiled code, with an ear for Ctrl-C.

Python hears an interrupt only between its own instructions, and compiled code has none. So the
thinking is done in a thread and the main thread waits, looking up now and then. Knows no game.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Generic, TypeVar

from plyground import kernel
from plyground.cli.common import now_s

LOOK_UP_S = 0.05
PATIENCE_S = 1.0  # with threads that should end after an interrupt

T = TypeVar("T")
Tick = Callable[[float, str], None]
"""Called while waiting, with the seconds so far and a line about compiling, or ''."""


class Thinker:
    """Runs one call after another, each in a thread of its own."""

    def __init__(self) -> None:
        self.time_s = 0.0
        """How long the last call took."""
        self.compiling = ""
        """What the last call had to compile; that takes far longer than any thought."""
        self._thread: threading.Thread | None = None

    def run(self, call: Callable[[], T], tick: Tick) -> T:
        """What the call returns or raises."""
        work = _Work(call)
        self.compiling = ""
        kernel.on_compile.append(self._hear)
        started = now_s()
        try:
            run = copy_context().run  # in plain Python where the caller is
            self._thread = threading.Thread(
                target=run, args=(work.run,), name="thinking", daemon=True
            )
            self._thread.start()
            while not work.done.wait(LOOK_UP_S):
                tick(now_s() - started, self.compiling)
        finally:
            kernel.on_compile.remove(self._hear)
            self.time_s = now_s() - started
        self._thread.join()
        return work.result()

    def _hear(self, line: str) -> None:
        self.compiling = line

    def leave(self, status: int, close: Callable[[], None]) -> None:
        """End the program after an interrupt, without waiting long for anything."""
        closing = threading.Thread(target=close, daemon=True)
        closing.start()
        closing.join(PATIENCE_S)
        if closing.is_alive() or (self._thread is not None and self._thread.is_alive()):
            # Compiled code may still be running: do not take the ground away under it.
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        raise SystemExit(status)


class _Work(Generic[T]):
    """A call, and how it went."""

    def __init__(self, call: Callable[[], T]) -> None:
        self.call = call
        self.done = threading.Event()
        self.returned: list[T] = []
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.returned.append(self.call())
        except BaseException as error:
            self.error = error
        finally:
            self.done.set()

    def result(self) -> T:
        if self.error is not None:
            raise self.error
        return self.returned[0]
