"""A lock on an open file, gone with the process that holds it, however that ends.

POSIX locks whole files. Windows locks ranges of bytes: a byte far behind the end of any file stands
for the whole, so that the content can still be read (written without such a machine at hand).
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import IO, Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

FAR = 2**62
WAIT_S = 0.05


def try_lock(file: IO[Any]) -> bool:
    """Whether this process holds the lock now; another may."""
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            _lock_byte(file)
    except OSError:
        return False
    return True


def lock(file: IO[Any]) -> None:
    """Wait for the lock."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX)
        return
    while not try_lock(file):
        time.sleep(WAIT_S)


def is_locked(path: Path) -> bool:
    """Whether a process holds the lock of this file; many may ask at once.

    Asking takes it for a moment, so a process that is to hold it tries more than once.
    """
    try:
        with open(path, "rb" if fcntl is not None else "r+b") as file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            else:
                _lock_byte(file)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def _lock_byte(file: IO[Any]) -> None:
    """Raises OSError if another process has it."""
    import msvcrt

    windows: Any = msvcrt
    place = file.tell()
    try:
        file.seek(FAR)
        windows.locking(file.fileno(), windows.LK_NBLCK, 1)
    finally:
        with contextlib.suppress(OSError):
            file.seek(place)
