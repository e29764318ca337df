"""Long runs in a terminal: who works, what may run, and Ctrl-C that loses nothing.

A long run is a job, which the other faces see and can stop, in the same way as Ctrl-C does. The
first Ctrl-C lets what is under way finish, the second ends at once; what is finished stays on disk
either way.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from plyground.cli.common import INTERRUPTED, err
from plyground.cli.lazy import use_files
from plyground.cli.meter import counting_interrupts
from plyground.core.errors import Unsupported
from plyground.core.naming import name_engine
from plyground.kernel import on_compiling
from plyground.work import workers as crews
from plyground.work.job_process import RunningJob, running
from plyground.work.jobs import Kind
from plyground.work.workers import Workers

LAST_S = 1.0  # for work that was told to end at once


def name_given(code: Sequence[str] | None, engines: Sequence[str] | None) -> None:
    """Let a file use what the user names beside it: a file alone runs nothing."""
    use_files(code)
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
    """Be a job until the block ends; the words are those that resume it."""
    with (
        running(kind, title, words, about) as job,
        on_compiling(lambda line: job.report(news=line)),
    ):
        yield job


@contextlib.contextmanager
def interruptible(
    workers: Workers, work: str = "games", job: RunningJob | None = None
) -> Iterator[Callable[[], bool]]:
    """Ctrl-C finishes what is under way, twice ends at once; yields whether it was pressed."""

    def press(times: int) -> None:
        if job:
            job.pressed(times)
        if times == 1:
            workers.finish()
            err.print(f"finishing the {work} under way; Ctrl-C again to end at once")
        else:
            workers.abandon()
            # A search in a thread cannot be ended from outside; what is finished is on disk.
            last = threading.Timer(LAST_S, os._exit, [INTERRUPTED])
            last.daemon = True
            last.start()

    with counting_interrupts(press) as was_pressed:
        yield was_pressed
