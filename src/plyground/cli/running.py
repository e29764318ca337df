"""Long runs in a terminal: who works, where games go, and Ctrl-C that loses nothing.

A long run is a job, which the other faces see and can stop, in the same way as Ctrl-C does. The
first Ctrl-C lets what is under way finish, the second ends at once; what is finished is kept
either way. Knows no match and no experiment.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FrameType
from typing import Annotated, Any

import typer

from plyground.cli.common import err
from plyground.cli.meter import INTERRUPTED as INTERRUPTED
from plyground.cli.meter import Meter as Meter  # one place for what long runs need
from plyground.core.errors import Unsupported
from plyground.core.naming import name_engine
from plyground.games.catalogue import name_game
from plyground.kernel import hearing_compiler
from plyground.matches.run import PLAY, Work
from plyground.store.database import store_url
from plyground.store.recording import Recording, play_recorded
from plyground.store.shelter import ShelteredStore
from plyground.store.waiting import wait_s
from plyground.work import workers as crews
from plyground.work.job_process import RunningJob, running
from plyground.work.jobs import Kind
from plyground.work.workers import Workers

LAST_S = 1.0  # for work that was told to end at once

JobsOption = Annotated[
    int, typer.Option("--jobs", "-j", min=1, max=1024, help="Games to play at the same time.")
]
ClusterOption = Annotated[
    str | None,
    typer.Option("--cluster", metavar="tcp://HOST:PORT", help="Play on a Dask cluster instead."),
]


WithOption = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="GAME.py", help="A Python file that the file may name."),
]
EngineOption = Annotated[
    list[str] | None,
    typer.Option("--engine", metavar="COMMAND", help="A program that players may start."),
]


def name_given(code: Sequence[str] | None, engines: Sequence[str] | None) -> None:
    """What the user names for a file that tells of it: a file alone runs nothing."""
    for text in code or ():
        name_game(text)
    for command in engines or ():
        name_engine(command)


def naming_options(code: Sequence[str] | None, engines: Sequence[str] | None) -> list[str]:
    """The words that name the same again."""
    named = [("--with", text) for text in code or ()]
    named += [("--engine", command) for command in engines or ()]
    return [word for pair in named for word in pair]


def open_workers(jobs: int, cluster: str | None) -> Workers:
    """The workers that the options ask for."""
    if cluster is None:
        return crews.local(jobs)
    if jobs != 1:
        raise Unsupported("--jobs and --cluster exclude each other; a cluster has its own workers")
    return crews.cluster(cluster)


def typed() -> list[str]:
    """The words of this command, after the name of the program."""
    return sys.argv[1:]


@contextlib.contextmanager
def as_job(
    kind: Kind, title: str, about: Mapping[str, Any], words: Sequence[str]
) -> Iterator[RunningJob]:
    """Be a job until the block ends; the words are those that let it go on."""
    with (
        running(kind, title, words, about) as job,
        hearing_compiler(lambda line: job.tell(news=line)),
    ):
        yield job


@contextlib.contextmanager
def interruptible(
    workers: Workers, work: str = "games", job: RunningJob | None = None
) -> Iterator[Callable[[], bool]]:
    """Ctrl-C finishes what is under way, twice ends at once; tells whether it was pressed."""
    presses = 0

    def press(number: int, frame: FrameType | None) -> None:
        nonlocal presses
        presses += 1
        if job:
            job.pressed(presses)
        if presses == 1:
            workers.finish()
            err.print(f"finishing the {work} under way; Ctrl-C again to end at once")
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
    with ShelteredStore(store, wait_s()) as opened:  # complaints come before any work
        is_served = opened.url.get_backend_name() != "sqlite"
    return Recording(store_url(store), event, from_workers=cluster is None or is_served)


def work_of(recording: Recording | None) -> Work:
    """What workers do with a pair."""
    return Work(play_recorded, recording.task, recording.store_pair) if recording else PLAY
