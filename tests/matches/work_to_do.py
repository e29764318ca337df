"""Functions for workers to run, which tell by files what they do and wait for files to go on.

Importable as `matches.work_to_do` wherever the folder of the tests is on the path: in spawned
processes, which get the path of their parent, and on the workers of `dask_cluster`.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from patience import PATIENCE_S, until

GO = "go"
LONG = 50_000_000  # bytes, far more than a pipe holds


def runs(folder: Path | str) -> list[tuple[int, int]]:
    """Every task that was begun in a folder, and the process that began it."""
    marks = [path.name.split("-") for path in Path(folder).glob("begun-*")]
    return sorted((int(mark[1]), int(mark[2])) for mark in marks)


def square(number: int) -> int:
    return number * number


def process_id(_: int) -> int:
    return os.getpid()


def noted_square(task: dict[str, Any]) -> int:
    """The square of a number, after a note that it was begun."""
    _note(task)
    return int(task["number"]) ** 2


def square_on_signal(task: dict[str, Any]) -> int:
    """The same, but only when there is a file that says go."""
    _note(task)
    until(Path(task["folder"], GO).exists)
    return int(task["number"]) ** 2


def square_then_on_signal(task: dict[str, Any]) -> int:
    """The first task is done at once, the others when there is a file that says go."""
    return noted_square(task) if task["number"] == 0 else square_on_signal(task)


def square_on_signal_then_at_once(task: dict[str, Any]) -> int:
    """The other way round."""
    return square_on_signal(task) if task["number"] == 0 else noted_square(task)


def square_once_then_never(task: dict[str, Any]) -> int:
    return noted_square(task) if task["number"] == 0 else never_done(task)


def never_done(task: dict[str, Any]) -> int:
    """Runs until somebody ends it, and notes that, if it can."""
    _note(task)
    try:
        return int(until(lambda: False, patience_s=10 * PATIENCE_S))
    finally:
        Path(task["folder"], "ended").touch()


def square_unless_fatal(task: dict[str, Any]) -> int:
    """Kills the worker if the task says so: "once" or "always"."""
    has_run = any(number == task["number"] for number, _ in runs(task["folder"]))
    _note(task)
    if task["fatal"] == "always" or (task["fatal"] == "once" and not has_run):
        os.kill(os.getpid(), signal.SIGKILL)
    return int(task["number"]) ** 2


def long_answer_of_the_second_attempt(task: dict[str, Any]) -> bytes:
    """A long answer; the first worker to give it dies in the middle."""
    if not runs(task["folder"]):
        threading.Thread(target=_die_while_answering, daemon=True).start()
    _note(task)
    return bytes(LONG)


def _die_while_answering() -> None:
    while True:
        frame = sys._current_frames()[threading.main_thread().ident or 0]
        if frame.f_code.co_name == "_send" and len(frame.f_locals["buf"]) > LONG:
            os.kill(os.getpid(), signal.SIGKILL)


class OddError(Exception):
    """Cannot be unpickled: it is made from two values and keeps one."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"{number} is {reason}")


def refuse(number: int) -> int:
    raise ValueError(f"{number} is not welcome")


def refuse_oddly(number: int) -> int:
    raise OddError(number, "odd")


def _note(task: dict[str, Any]) -> None:
    stamp = time.monotonic_ns()
    Path(task["folder"], f"begun-{task['number']}-{os.getpid()}-{stamp}").touch()
