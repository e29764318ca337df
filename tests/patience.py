"""Waiting for what must happen: at some time, however busy the machine is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

PATIENCE_S = 120.0  # whoever needs longer is at fault, and not the machine


def until(
    condition: Callable[[], Any],
    what: str = "it",
    patience_s: float = PATIENCE_S,
    pause_s: float = 0.005,
) -> Any:
    """What the condition says as soon as it says something."""
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        if answer := condition():
            return answer
        time.sleep(pause_s)
    raise TimeoutError(f"waited {patience_s:g} s in vain: {what} has not happened")


def until_computed(seconds: float) -> None:
    """Until this process has computed so long, in its own time: a search is then under way."""
    end = time.process_time() + seconds
    until(lambda: time.process_time() >= end, "a search")
