"""Long runs in a terminal: progress with rate and remaining time, and Ctrl-C that loses nothing.

The first Ctrl-C lets the games under way finish, the second ends at once; what is finished is kept
either way. Where there is no terminal, a line of progress every ten seconds. Knows no match.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from plyground.cli.common import err
from plyground.core.errors import Unsupported
from plyground.matches import workers as crews
from plyground.matches.run import PLAY, Work
from plyground.matches.workers import Workers
from plyground.services.recording import Recording, play_recorded
from plyground.store.database import store_url
from plyground.store.store import Store

LINE_EVERY_S = 10.0
INTERRUPTED = 130  # exit status
LAST_S = 1.0  # for work that was told to end at once

JobsOption = Annotated[
    int, typer.Option("--jobs", "-j", min=1, max=1024, help="Games to play at the same time.")
]
ClusterOption = Annotated[
    str | None,
    typer.Option("--cluster", metavar="tcp://HOST:PORT", help="Play on a Dask cluster instead."),
]


def open_workers(jobs: int, cluster: str | None) -> Workers:
    """The workers that the options ask for."""
    if cluster is None:
        return crews.local(jobs)
    if jobs != 1:
        raise Unsupported("--jobs and --cluster exclude each other; a cluster has its own workers")
    return crews.cluster(cluster)


@contextlib.contextmanager
def interruptible(workers: Workers) -> Iterator[Callable[[], bool]]:
    """Ctrl-C finishes what is under way, twice ends at once; tells whether it was pressed."""
    presses = 0

    def press(number: int, frame: FrameType | None) -> None:
        nonlocal presses
        presses += 1
        if presses == 1:
            workers.finish()
            err.print("finishing the games under way; Ctrl-C again to end at once")
        else:
            workers.abandon()
            # A search in a thread cannot be ended from outside; what is finished is on disk.
            last = threading.Timer(LAST_S, os._exit, [INTERRUPTED])
            last.daemon = True
            last.start()

    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: presses > 0
    finally:
        signal.signal(signal.SIGINT, before)


StoreOption = Annotated[
    str | None,
    typer.Option("--store", metavar="FILE|URL", help="Another store than the usual one."),
]
NoStoreOption = Annotated[
    bool, typer.Option("--no-store", help="Do not store the games as they are played.")
]


def make_recording(
    store: str | None, no_store: bool, event: str, cluster: str | None
) -> Recording | None:
    """Where games go while they are played."""
    if no_store:
        return None
    with Store(store) as opened:  # complaints come before any work
        is_served = opened.engine.dialect.name != "sqlite"
    return Recording(store_url(store), event, from_workers=cluster is None or is_served)


def work_of(recording: Recording | None) -> Work:
    """What workers do with a pair."""
    return Work(play_recorded, recording.task) if recording else PLAY


class Meter:
    """How far a run is: a bar on a terminal, now and then a line elsewhere."""

    def __init__(self, total: int, done: int, unit: str) -> None:
        self.total, self.done, self.unit = total, done, unit
        self._first, self._started = done, time.monotonic()
        self._line_s = self._started
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn(unit),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=err,
            transient=True,
            expand=True,
        )
        self._task = self._bar.add_task("", total=total, completed=done, rate="")

    def advance(self, count: int, news: str) -> None:
        """So much more is done; `news` is how it stands."""
        self.done += count
        rate = self.rate
        speed = f"{rate:.1f}/s" if rate >= 1 else f"{1 / rate:.1f} s each" if rate else ""
        self._bar.update(self._task, completed=self.done, description=news, rate=speed)
        now = time.monotonic()
        if not err.is_terminal and now - self._line_s >= LINE_EVERY_S:
            self._line_s = now
            left = (self.total - self.done) / rate if rate else 0.0
            err.print(f"{self.done}/{self.total} {self.unit}, {speed}, {left:.0f} s left; {news}")

    @property
    def rate(self) -> float:
        """Units per second."""
        elapsed = time.monotonic() - self._started
        return (self.done - self._first) / elapsed if elapsed > 0 else 0.0

    def __enter__(self) -> Meter:
        if err.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if err.is_terminal:
            self._bar.stop()
