"""Code that the user has named: Python files and modules to import, engines to start.

Both run with all of the user's rights, so they run because the user named them, in the words of a
command, and never because a file says so: a saved game, a store, a record, a tournament of somebody
else are data. Whoever takes words from the user calls `name_code` or `name_engine`; the one place
that imports a game and the one that starts an engine ask here. The workers of a run get the names
that its user gave, and what the user defined in this process alone.
"""

from __future__ import annotations

import base64
import functools
import os
import pickle
from collections.abc import Iterable
from typing import Any, Literal

Kind = Literal["code", "engine", "definition"]
Named = tuple[Kind, str]

_named: set[Named] = set()
_made: dict[str, Any] = {}  # in this process, by name
_packed: dict[str, tuple[Any, str]] = {}  # the same for other processes
_sent: dict[str, str] = {}  # by the process for which this one works


def name_code(text: str) -> None:
    """The user names a Python file, by its path, or a module."""
    _named.add(("code", place_of(text)))


def name_engine(command: str) -> None:
    """The user names an engine, by the command that starts it."""
    _named.add(("engine", command))


def is_named(kind: Kind, text: str) -> bool:
    return (kind, place_of(text) if kind == "code" else text) in _named


def define(name: str, value: object) -> None:
    """The user made something in this process alone, such as a game in a cell of a notebook."""
    _made[name] = value


def defined(name: str) -> Any:
    """What was made under a name, here or in the process for which this one works; or None."""
    if name in _made:
        return _made[name]
    return _unpacked(_sent[name]) if name in _sent else None


def all_named() -> tuple[Named, ...]:
    """For a process that works for this one."""
    made: list[Named] = [("definition", f"{name} {_packed_text(name)}") for name in sorted(_made)]
    return (*sorted(_named), *made)


def name_all(named: Iterable[Named]) -> None:
    """What the user of another process named, for whom this one works."""
    for kind, text in named:
        if kind == "definition":
            name, _, packed = text.rpartition(" ")
            _sent[name] = packed
        else:
            _named.add((kind, text))


def _packed_text(name: str) -> str:
    value, text = _packed.get(name, (None, ""))
    if value is not _made[name]:
        import cloudpickle

        text = base64.b64encode(cloudpickle.dumps(_made[name])).decode()
        _packed[name] = _made[name], text
    return text


@functools.lru_cache(maxsize=64)
def _unpacked(text: str) -> Any:
    return pickle.loads(base64.b64decode(text))


def forget_all() -> None:
    """Begin anew; for tests, which are many users in one process."""
    for each in (_named, _made, _packed, _sent):
        each.clear()


def is_path(text: str) -> bool:
    """Whether code is named by its file, not as a module."""
    return text.endswith(".py") or "/" in text or "\\" in text


def place_of(text: str) -> str:
    """One text for one file, whichever folder it is named from."""
    try:
        return os.path.realpath(text) if is_path(text) else text
    except (OSError, ValueError):  # a name that no file can have
        return text
