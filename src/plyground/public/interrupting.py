"""Interrupting a long call: it stops at once, and what it had found is not lost."""

from __future__ import annotations

from typing import Any

_last: list[Any] = []


class Interrupted(KeyboardInterrupt):
    """A long call was interrupted; `result` is what it had found by then."""

    def __init__(self, told: str, result: Any) -> None:
        super().__init__(told)
        self.result = result
        _last[:] = [result]

    def _render_traceback_(self) -> list[str]:
        """One line in a notebook: where it was interrupted helps nobody."""
        return [f"Interrupted: {self}. What was found is the result of plyground.interrupted()."]


def interrupted() -> Any:
    """What the last interrupted call had found; None if none was."""
    return _last[0] if _last else None
