"""JSON that anybody may have written: read whole, or refused with the documented error.

JSON can hold what nothing after it can take: numbers that are none or without end, levels beyond
the stack, halves of letters. The first two are refused here, for every reader; the third are
letters of file names that are not UTF-8, and `presentable` replaces them for people.
"""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from plyground.core.errors import MalformedText

MOST_LEVELS = 60
LARGEST = 2**64


def read_json(text: str | bytes) -> Any:
    """The data in a text. Raises MalformedText, which does not say where."""
    try:
        data = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise MalformedText("not JSON") from None
    level = [data]
    for _ in range(MOST_LEVELS):
        level = [inside for each in level for inside in _inside(each)]
        if not level:
            return data
    raise MalformedText(f"JSON of more than {MOST_LEVELS} levels")


def read_object(text: str | bytes) -> dict[str, Any]:
    """The same, of an object with names."""
    data = read_json(text)
    if not isinstance(data, dict):
        raise MalformedText("not an object of JSON")
    return data


def presentable(data: Any) -> Any:
    """The same data with no half of a letter, which no page and no terminal takes."""
    return json.loads(presentable_text(data))


def presentable_text(data: Any) -> bytes:
    """That as text."""
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, list):
        return value
    is_endless = isinstance(value, float) and not math.isfinite(value)
    if is_endless or (isinstance(value, int) and abs(value) > LARGEST):
        raise MalformedText("a number without end")
    return []
