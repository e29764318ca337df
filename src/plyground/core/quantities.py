"""Amounts as people write them: `2s`, `500ms`, `64MB`, `200k`, `20%`.

Each reader takes a text and the name of what it was given for, which its complaint repeats.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from plyground.core.errors import MalformedText, shorten

MILLI = Fraction(1, 1000)
SECONDS: dict[str, Fraction | int] = {"": 1, "ms": MILLI, "s": 1, "m": 60, "min": 60, "h": 3600}
BYTES = {"": 1, "b": 1, "kb": 2**10, "mb": 2**20, "gb": 2**30, "k": 2**10, "m": 2**20, "g": 2**30}
COUNTS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}
MOST_SECONDS = 30 * 24 * 3600.0
MOST_BYTES = 64 * 2**30

_AMOUNT = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,9})?)\s*([a-z]{0,3})", re.ASCII)


def read_seconds(text: str, what: str) -> float:
    """A time such as `2s`, `0.5` or `100ms`."""
    seconds = _amount(text, SECONDS)
    if seconds is None or not 0 < seconds <= MOST_SECONDS:
        raise _wrong(text, what, "a time above 0 such as 2s, 500ms or 1m")
    return float(seconds)


def read_bytes(text: str, what: str) -> int:
    """A size such as `64MB`; 0 is none."""
    size = _amount(text, BYTES)
    if size is None or size > MOST_BYTES:
        raise _wrong(text, what, "a size such as 64MB or 1GB, at most 64GB, or 0")
    return int(size)


def read_count(text: str, what: str, low: int, high: int) -> int:
    """A whole number such as `12`, `200k` or `2M`."""
    number = _amount(text, COUNTS)
    if number is None or number != int(number) or not low <= number <= high:
        raise _wrong(text, what, f"a whole number from {low:,} to {high:,}")
    return int(number)


def read_share(text: str, what: str) -> float:
    """A part of all, such as `20%` or `0.2`."""
    bare = text.strip().removesuffix("%")
    share = _amount(bare, {"": 1})
    if share is not None and bare != text.strip():
        share /= 100
    if share is None or share > 1:
        raise _wrong(text, what, "a share from 0% to 100%")
    return float(share)


def _amount(text: str, units: Mapping[str, Fraction | int]) -> Fraction | None:
    """Exactly: 1.001k is 1001, which no float times 1000 is."""
    match = _AMOUNT.fullmatch(text.strip().lower())
    return Fraction(match[1]) * units[match[2]] if match and match[2] in units else None


def _wrong(text: str, what: str, expected: str) -> MalformedText:
    return MalformedText(f"{what} {shorten(text)!r}: expected {expected}")
