"""Numbers that a program passes in: checked for kind and range, with a clear complaint."""

from __future__ import annotations

from typing import overload

from plyground.core.errors import MalformedText, shorten
from plyground.core.quantities import MOST_BYTES, MOST_SECONDS, read_bytes, read_seconds


@overload
def whole(value: int, what: str, low: int, high: int) -> int: ...
@overload
def whole(value: int | None, what: str, low: int, high: int) -> int | None: ...
def whole(value: int | None, what: str, low: int, high: int) -> int | None:
    """A whole number between two others; None stays None. Raises MalformedText."""
    if value is None:
        return None
    if isinstance(value, bool) or not hasattr(value, "__index__") or not low <= value <= high:
        raise MalformedText(
            f"{what}={shorten(repr(value))}: expected a whole number from {low:,} to {high:,}"
        )
    return int(value)


def seconds_of(value: float | str | None) -> float | None:
    """A time in seconds, or as a text such as 500ms; None stays None. Raises MalformedText."""
    if value is None:
        return None
    if isinstance(value, str):
        return read_seconds(value, "seconds")
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 < value <= MOST_SECONDS:
        raise MalformedText(f"seconds={shorten(repr(value))}: expected a time above 0")
    return float(value)


def bytes_of(value: int | str | None, what: str) -> int | None:
    """A size in bytes, or as a text such as 64MB; None stays None. Raises MalformedText."""
    return read_bytes(value, what) if isinstance(value, str) else whole(value, what, 0, MOST_BYTES)
