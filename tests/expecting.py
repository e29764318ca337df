"""`expect` for pages, looking again ten times a second for as long as it waits.

Playwright looks every half second once it has waited a quarter, unless it may wait for less than
2.5 seconds in all: then every tenth. Most of what is waited for takes about a second, so much of
the waiting was for nobody. Here a long wait is many short ones.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect as playwright_expect

SHORT_MS = 2400
USUAL_MS = 120_000  # what is waited for may have to be compiled first


def expect(subject: Any) -> Expectation:
    return Expectation(playwright_expect(subject))


class Expectation:
    """What Playwright asserts, for up to `timeout` milliseconds."""

    def __init__(self, asserted: Any) -> None:
        self._asserted = asserted

    def __getattr__(self, name: str) -> Callable[..., None]:
        assertion = getattr(self._asserted, name)

        def insist(*arguments: Any, timeout: float = USUAL_MS, **more: Any) -> None:
            end_s = time.monotonic() + timeout / 1000
            while True:
                left_ms = max(1.0, 1000 * (end_s - time.monotonic()))
                try:
                    return assertion(*arguments, timeout=min(SHORT_MS, left_ms), **more)
                except AssertionError:
                    if left_ms <= SHORT_MS:
                        raise

        return insist
