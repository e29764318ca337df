"""A switch for tests: let a process end, or its disk be full, at one chosen step of writing.

Whatever makes work last (a write, a flush, a commit, a rename) is done through `step`. Usually that
calls the function and nothing else. With `PLYGROUND_STEPS=FILE` every step is also noted in a file,
one line each; with `PLYGROUND_FAULT=KIND@N` the Nth of them, counted over all processes that share
the file, goes wrong:

* `kill`: the process ends right after the step, as by SIGKILL or a power cut
* `torn`: it ends in the middle of a write; of other steps, before them
* `full`: the step raises what a full disk does

A test runs a command once to count its steps, then once for each of them, and resumes it.
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable
from typing import IO, Any, TypeVar

from plyground.core.locking import lock

T = TypeVar("T")

STEPS, FAULT = "PLYGROUND_STEPS", "PLYGROUND_FAULT"
_noted: str | None
_kind: str
_place: str


def arm() -> None:
    """Read the switch anew: for a process that was forked from one without it."""
    global _noted, _kind, _place
    _noted = os.environ.get(STEPS)
    _kind, _, _place = os.environ.get(FAULT, "").partition("@")


arm()


def step(name: str, action: Callable[..., T], *args: Any) -> T:
    """Do one thing that makes work last; its name stands in the list of steps."""
    fault = _fault_here(name)
    if fault == "torn":
        _end()
    if fault == "full":
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    answer = action(*args)
    if fault == "kill":
        _end()
    return answer


def write(file: IO[bytes], data: bytes) -> None:
    """Write, as one step and past Python's buffer, so that a kill finds it written.

    Raises OSError that names the file, which Python does not.
    """
    fault = _fault_here(f"write {os.path.basename(str(file.name))}")
    try:
        file.write(data[: len(data) // 2] if fault in ("torn", "full") else data)
        file.flush()
        if fault == "full":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file.name)) from None
    if fault is not None:
        _end()


def is_watched() -> bool:
    """Whether steps are counted in this process."""
    return _noted is not None


def _fault_here(name: str) -> str | None:
    if _noted is None:
        return None
    with open(_noted, "a+b") as file:
        lock(file)
        file.seek(0)
        number = file.read().count(b"\n") + 1
        file.write(f"{os.getpid()} {name}\n".encode())
    return _kind if _place and number == int(_place) else None


def _end() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
