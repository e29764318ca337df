"""Interrupting a long call: it stops at once, and keeps what it had found."""

from __future__ import annotations

from typing import Any

_last: list[Any] = []


class Interrupted(KeyboardInterrupt):
    """Raised by a long call that was interrupted; `result` is what it had found by then."""

    def __init__(self, message: str, result: Any) -> None:
        super().__init__(message)
        self.result = result
        _last[:] = [result]

    def _render_traceback_(self) -> list[str]:
        """One line in a notebook: where it was interrupted helps nobody."""
        return [f"Interrupted: {self}. What was found is the result of plyground.interrupted()."]


def interrupted() -> Any:
    """What the last interrupted call had found; None if no call was interrupted."""
    return _last[0] if _last else None
