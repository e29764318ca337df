"""JSON that anybody may have written: read whole, or refused with the documented error.

JSON can hold what nothing after it can take: numbers that are not finite, more levels than the
stack has, halves of letters (unpaired surrogates). All are refused here, for every reader, with one
exception: Python writes the bytes of a file name that is not UTF-8 as halves, so a reader of
`file_names` gets those, and `presentable` replaces them for people.
"""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from plyground.core.errors import MalformedText

MOST_LEVELS = 60
LARGEST = 2**64


def read_json(text: str | bytes, file_names: bool = False) -> Any:
    """The data in a text. Raises MalformedText, which does not say where."""
    try:
        # Of bytes, Python would take halves of letters as well.
        whole = text if isinstance(text, str) else text.decode()
        data = json.loads(whole, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise MalformedText("not JSON") from None
    level = [data]
    for _ in range(MOST_LEVELS):
        level = [inside for each in level for inside in _inside(each, file_names)]
        if not level:
            return data
    raise MalformedText(f"JSON of more than {MOST_LEVELS} levels")


def read_object(text: str | bytes, file_names: bool = False) -> dict[str, Any]:
    """The same, of an object with names."""
    data = read_json(text, file_names)
    if not isinstance(data, dict):
        raise MalformedText("not an object of JSON")
    return data


def presentable(data: Any) -> Any:
    """The same data with no half of a letter, which no page and no terminal takes."""
    return json.loads(presentable_text(data))


def presentable_text(data: Any) -> bytes:
    """The same as text."""
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _inside(value: Any, file_names: bool) -> list[Any]:
    """The parts of a value; raises MalformedText if it has none and cannot be taken."""
    if isinstance(value, dict):
        return [*value, *value.values()]
    if isinstance(value, list):
        return value
    if file_names and isinstance(value, str) and "\0" in value:
        raise MalformedText("a character that no file's name has")
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode("utf-8", "surrogateescape" if file_names else "strict")
        except UnicodeEncodeError:
            raise MalformedText("half of a letter") from None
    is_endless = isinstance(value, float) and not math.isfinite(value)
    if is_endless or (isinstance(value, int) and abs(value) > LARGEST):
        raise MalformedText("a number without end")
    return []
