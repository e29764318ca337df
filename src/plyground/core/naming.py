"""Code that the user has named: Python files and modules to import, engines to start.

Both run with all of the user's rights, so they run because the user named them, in the words of a
command, and never because a file says so: a saved game, a store, a record, a tournament of somebody
else are data. Whoever takes words from the user calls `name_code` or `name_engine`; the one place
that imports code and the one that starts an engine ask here. The workers of a run get the names
that its user gave.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Literal

Kind = Literal["code", "engine"]
Named = tuple[Kind, str]

_named: set[Named] = set()
_changes = 0


def name_code(text: str) -> None:
    """The user names a Python file, by its path, or a module."""
    name_all([("code", place_of(text))])


def name_engine(command: str) -> None:
    """The user names an engine, by the command that starts it."""
    name_all([("engine", command)])


def is_named(kind: Kind, text: str) -> bool:
    return (kind, place_of(text) if kind == "code" else text) in _named


def all_named() -> tuple[Named, ...]:
    """For a process that works for this one."""
    return tuple(sorted(_named))


def name_all(named: Iterable[Named]) -> None:
    """What the user named, here or in the process for which this one works."""
    global _changes
    _named.update(named)
    _changes += 1


def changes() -> int:
    """How often something was named: what was made of all names before is to be made anew."""
    return _changes


def forget_all() -> None:
    """Begin anew; for tests, which are many users in one process."""
    _named.clear()
    name_all([])


def is_path(text: str) -> bool:
    """Whether code is named by its file, not as a module."""
    return text.endswith(".py") or "/" in text or "\\" in text


def place_of(text: str) -> str:
    """One text for one file, whichever folder it is named from."""
    try:
        return os.path.realpath(text) if is_path(text) else text
    except (OSError, ValueError):  # a name that no file can have
        return text
