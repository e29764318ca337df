"""A lock on an open file, gone with the process that holds it, however that ends."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import IO, Any


def try_lock(file: IO[Any]) -> bool:
    """Whether this process holds the lock now; another may."""
    try:
        import fcntl
    except ImportError:  # no such locks on Windows: two at once are the user's affair
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def lock(file: IO[Any]) -> None:
    """Wait for the lock."""
    with contextlib.suppress(ImportError):
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


def is_locked(path: Path) -> bool:
    """Whether a process holds the lock of this file; many may ask at once.

    Asking holds it for a moment, so whoever is to have it tries more than once. Where there are no
    locks, whoever has not said that it ended counts as living.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        with open(path, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False
