"""A call that may take long, with somebody told while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from plyground.cli.common import now_s
from plyground.core.ticking import ticking
from plyground.kernel import hearing_compiler

T = TypeVar("T")
Tick = Callable[[float, str], None]
"""Called with the seconds so far and a line about compiling, or ''."""


class Thinker:
    """Runs one call after another, and remembers how the last one went."""

    def __init__(self) -> None:
        self.time_s = 0.0
        """How long the last call took."""
        self.compiling = ""
        """What the last call had to compile; that takes far longer than any thought."""

    def run(self, call: Callable[[], T], tick: Tick) -> T:
        """What the call returns or raises."""
        self.compiling = ""
        started = now_s()
        try:
            with (
                hearing_compiler(self._hear),
                ticking(lambda seconds: tick(seconds, self.compiling)),
            ):
                return call()
        finally:
            self.time_s = now_s() - started

    def _hear(self, line: str) -> None:
        self.compiling = line
