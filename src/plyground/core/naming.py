"""Code that the user has named: Python files and modules to import, engines to start.

Both run with all of the user's rights, so they run because the user named them, in the words of a
command, and never because a file says so: a saved game, a store, a record, a tournament of somebody
else are data. Whoever takes words from the user calls `name_code` or `name_engine`; the one place
that imports a game and the one that makes an engine of a text ask here. Workers of a run are told
what its user named.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Literal

Kind = Literal["code", "engine"]
Named = tuple[Kind, str]

_named: set[Named] = set()


def name_code(text: str) -> None:
    """The user names a Python file, by its path, or a module."""
    _named.add(("code", place_of(text)))


def name_engine(command: str) -> None:
    """The user names an engine, by the command that starts it."""
    _named.add(("engine", command))


def is_named(kind: Kind, text: str) -> bool:
    return (kind, place_of(text) if kind == "code" else text) in _named


def all_named() -> tuple[Named, ...]:
    """For a process that works for this one."""
    return tuple(sorted(_named))


def name_all(named: Iterable[Named]) -> None:
    """What the user of another process named, for whom this one works."""
    _named.update(named)


def forget_all() -> None:
    """The user named nothing; for tests, which are many users in one process."""
    _named.clear()


def is_path(text: str) -> bool:
    """Whether code is named by its file, not as a module."""
    return text.endswith(".py") or "/" in text or "\\" in text


def place_of(text: str) -> str:
    """One text for one file, whichever folder it is named from."""
    try:
        return os.path.realpath(text) if is_path(text) else text
    except (OSError, ValueError):  # a name that no file can have
        return text
