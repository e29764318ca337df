"""The process of a job: how it is started, reports how far it is, and takes requests.

    with running("lab", "The family portrait", words, about) as job:
        job.report(done=3, total=20, unit="cells")

A request to stop is as good as Ctrl-C: the first time what is under way is finished, the second
time all ends at once. A thread looks for requests and writes how the job stands, a few times a
second at most, so that reports cost the work nothing. A folder that cannot be written harms no run:
it is then a job that nobody sees.

A job that is launched outlives whoever launched it: it is the very command that one would type, in
a session of its own, so what ends the launcher, be it Ctrl-C or a kill, does not reach it. What it
prints goes to a file beside its record.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import IO, Any

from plyground.core.errors import Unsupported, shorten
from plyground.core.locking import try_lock
from plyground.work.jobs import (
    LAUNCHED,
    LOCK,
    LOG,
    MOST_LINE,
    Job,
    Kind,
    Mode,
    State,
    create,
    now,
    prepare_to_resume,
    put_request,
    read_job,
    requested,
    write,
)

PROGRAM = [sys.executable, "-m", "plyground"]
ENVIRONMENT = "PLYGROUND_JOB"
"""The number of the job that a process is to be."""
LOOK_S = 0.15
PATIENCE_S = 2.0  # with those who only ask whether the lock is held
INTERRUPTED = 130  # the status of a process that was to stop


class RunningJob:
    """A job that this process is; without a lock, one that nobody sees."""

    def __init__(self, job: Job, lock: IO[bytes] | None) -> None:
        self._job, self._lock = job, lock
        self._is_new = True  # whether there is something to write
        self._guard = threading.Lock()
        self._presses = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="job", daemon=True)
        if lock is not None:
            self._thread.start()

    def report(self, **changes: Any) -> None:
        """Report how it stands now: fields of a job."""
        with self._guard:
            self._job = replace(self._job, **changes)
            self._is_new = True

    def pressed(self, times: int) -> None:
        """Ctrl-C was pressed here, so often: other faces should see that."""
        if times > self._presses and self._lock is not None:
            self._presses = times
            with contextlib.suppress(OSError):
                put_request(self._job.place, "finish" if times == 1 else "now")

    def end(self, state: State, reason: str = "") -> None:
        """Write the last report."""
        if self._lock is not None:
            self._over.set()
            self._thread.join()
            self.report(state=state, reason=shorten(reason, MOST_LINE))
            self._write()
            self._lock.close()

    def end_early(self) -> None:
        """It was to stop; it may have been done by then."""
        if self._job.total and self._job.done >= self._job.total:
            self.end("done")
        else:
            self.end("paused" if requested(self._job.place) == "pause" else "stopped")

    def _look(self) -> None:
        while not self._over.wait(LOOK_S):
            if self._is_new:
                self._write()
            if mode := requested(self._job.place):
                self._heed(mode)

    def _heed(self, mode: Mode) -> None:
        """As many presses of Ctrl-C as are meant, one at each look: two at once would be one."""
        if self._presses < (2 if mode == "now" else 1):
            self._presses += 1
            _press()

    def _write(self) -> None:
        with self._guard, contextlib.suppress(OSError):
            self._is_new = False
            write(self._job)


def _press() -> None:
    """Ctrl-C; the thread that handles signals is woken, if that can be."""
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)
    else:
        signal.raise_signal(signal.SIGINT)


@contextlib.contextmanager
def running(
    kind: Kind, title: str, words: Sequence[str], about: Mapping[str, Any]
) -> Iterator[RunningJob]:
    """Be a job: the one that the environment names, or a new one. Raises Unsupported."""
    job = _begin(kind, title, words, about)
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:  # as in the background of a shell: requests must come through
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield job
    except KeyboardInterrupt:
        job.end_early()
        raise
    except SystemExit as leaving:
        if leaving.code == INTERRUPTED:
            job.end_early()
        elif leaving.code:
            job.end("failed", f"it ended with status {leaving.code}")
        else:
            job.end("done")
        raise
    except BaseException as error:
        job.end("failed", str(error) or type(error).__name__)
        raise
    else:
        job.end("done")
    finally:
        signal.signal(signal.SIGINT, before)


def _begin(kind: Kind, title: str, words: Sequence[str], about: Mapping[str, Any]) -> RunningJob:
    wanted = os.environ.pop(ENVIRONMENT, None)  # not for what this process starts in its turn
    known = read_job(wanted) if wanted is not None and wanted.isdigit() else None
    try:
        job = known or create(kind, title, words, about)
        lock = open(job.place / LOCK, "wb")  # noqa: SIM115 - closed when the job ends
    except OSError:
        return RunningJob(Job("0", kind, title, list(words), ""), None)
    if not _take(lock):
        lock.close()
        raise Unsupported(f"job {job.id} runs already")
    taken = replace(
        job,
        title=title,
        words=list(words),
        folder=os.getcwd(),
        about={**job.about, **about},
        state="running",
        reason="",
        resumed=now(),
        pid=os.getpid(),
        is_taken=True,
    )
    with contextlib.suppress(OSError):
        write(taken)
    return RunningJob(taken, lock)


def _take(lock: IO[bytes]) -> bool:
    until_s = time.monotonic() + PATIENCE_S
    while not try_lock(lock):
        if time.monotonic() > until_s:
            return False
        time.sleep(0.01)
    return True


# ---------------------------------------------------------------------- launching


def launch(job: Job) -> Job:
    """Start a process for a job that was created. Raises Unsupported."""
    try:
        process = _process(job)
    except OSError as error:  # its folder is gone, or the disk is full
        reason = f"cannot start it in {job.folder}: {error.strerror}"
        with contextlib.suppress(OSError):
            write(replace(job, state="failed", reason=reason))
        raise Unsupported(f"job {job.id}: {reason}") from None
    # So that nothing is left of it when it ends, however long the starter lives.
    threading.Thread(target=process.wait, name=f"job {job.id}", daemon=True).start()
    with contextlib.suppress(OSError):
        (job.place / LAUNCHED).write_text(str(process.pid), encoding="utf-8")
    return read_job(job.id) or job


def _process(job: Job) -> subprocess.Popen[bytes]:
    with open(job.place / LOG, "ab") as log:
        return subprocess.Popen(
            [*PROGRAM, *job.words],
            cwd=job.folder,
            env={**os.environ, ENVIRONMENT: job.id, "COLUMNS": "200"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def resume(job: Job) -> Job:
    """Start a job again that was stopped, killed or failed. Raises Unsupported."""
    return launch(prepare_to_resume(job))
