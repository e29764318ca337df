"""A lock on an open file, gone with the process that holds it, however that ends."""

from __future__ import annotations

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
