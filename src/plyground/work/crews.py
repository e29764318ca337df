"""The workers of this machine: a thread of this process, or processes.

A crew does one task for each of its workers, and says what became of it; `workers.py` decides what
to do then. The third kind is in `dask_crew.py`.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextvars import copy_context
from types import ModuleType
from typing import Any, cast

from plyground.core.errors import PlygroundError, Unsupported
from plyground.extensions import Parcel, packed, unpack

FILES_PER_PROCESS = 8  # open files that a process pool of one takes, as counted on Linux
SPARE_FILES = 64
_script_lock = threading.Lock()


class TaskError(PlygroundError):
    """What a task raised in another process, when the exception itself cannot travel."""


class LostWorker(Exception):
    """A worker died on a task."""


class LostResult(Exception):
    """A result got lost on its way, through no fault of its task."""


class Crew(ABC):
    """What a run needs of its workers: one task each, and an end to it."""

    most_deaths = 3
    """As many workers may die on a task before it is given up."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many tasks can run at the same time just now."""

    @abstractmethod
    def submit(self, function: Callable[[Any], Any], task: Any) -> Future[Any]: ...

    @abstractmethod
    def drop(self) -> None:
        """Abandon what is under way; the crew can still be used."""

    def close(self) -> None:
        self.drop()

    def why_lost(self) -> PlygroundError | None:
        """Why nothing that is under way will ever arrive, if that is so."""
        return None

    def error_of(self, future: Future[Any]) -> BaseException | None:
        """What a task raised; or LostWorker, or LostResult."""
        error = future.exception()
        return LostWorker() if isinstance(error, BrokenProcessPool) else error


class _Abandoned(BaseException):
    """Ends a task in a thread; not an Exception, so that no task takes it for a failure."""


class ThreadCrew(Crew):
    """One thread of this process: compiled code runs while the caller handles signals.

    A thread cannot be killed. One that is dropped ends when it is next in Python code, and the
    process does not exit before.
    """

    count = 1

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1)
        self._busy: set[int] = set()  # the thread, while it is in a task

    def submit(self, function: Callable[[Any], Any], task: Any) -> Future[Any]:
        # In the caller's context: what runs as plain Python there does so here.
        return self._executor.submit(copy_context().run, self._call, self._executor, function, task)

    def drop(self) -> None:
        dropped, self._executor = self._executor, ThreadPoolExecutor(1)
        dropped.shutdown(wait=False, cancel_futures=True)
        while self._busy:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self._busy.pop()), ctypes.py_object(_Abandoned)
            )

    def _call(self, executor: Executor, function: Callable[[Any], Any], task: Any) -> Any:
        self._busy.add(threading.get_ident())
        try:
            if executor is not self._executor:
                raise _Abandoned  # dropped between its submission and here
            return function(task)
        finally:
            self._busy.discard(threading.get_ident())


class ProcessCrew(Crew):
    """Processes of this machine that do not die together: each is a pool of its own.

    In a common pool the death of one process ends all the others, and leaves open whose task it
    was. Processes are spawned: a fork copies locks that threads and the compiler may hold.
    """

    def __init__(self, jobs: int) -> None:
        _check_open_files(jobs)
        self._pools: list[ProcessPoolExecutor | None] = [None] * jobs
        self._futures: list[Future[Any] | None] = [None] * jobs

    @property
    def count(self) -> int:
        return len(self._pools)

    def submit(self, function: Callable[[Any], Any], task: Any) -> Future[Any]:
        free = next(i for i, last in enumerate(self._futures) if last is None or last.done())
        work = functools.partial(perform, packed(), function, task)
        with _holding_sigint(), _without_script():
            try:
                future = self._pool(free).submit(work)
            except BrokenProcessPool:  # it died on its last task, or while idle
                self._end(free)
                future = self._pool(free).submit(work)
        # By now the process has its own copy of this end of the pipe. With ours open there would
        # be no end of file, and no end of waiting, if it died in the middle of a long result.
        cast(Any, self._pool(free))._result_queue._writer.close()
        self._futures[free] = future
        return future

    def drop(self) -> None:
        for pool in filter(None, self._pools):
            # A pool offers no way to end what it is doing before Python 3.14 (kill_workers).
            for process in list((pool._processes or {}).values()):
                process.kill()
        for index in range(self.count):
            self._end(index)

    def _pool(self, index: int) -> ProcessPoolExecutor:
        pool = self._pools[index]
        if pool is None:
            spawn = multiprocessing.get_context("spawn")
            pool = ProcessPoolExecutor(1, mp_context=spawn, initializer=_begin_process)
            self._pools[index] = pool
        return pool

    def _end(self, index: int) -> None:
        pool, self._pools[index], self._futures[index] = self._pools[index], None, None
        if pool is not None:
            pool.shutdown()


def _check_open_files(jobs: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = jobs * FILES_PER_PROCESS + SPARE_FILES
    if limit != resource.RLIM_INFINITY and needed > limit:
        most = max(1, (limit - SPARE_FILES) // FILES_PER_PROCESS)
        raise Unsupported(
            f"jobs={jobs}: this shell allows {limit} open files, enough for {most} jobs; "
            f"`ulimit -n {needed}` allows more"
        )


# ---------------------------------------------------------------------- starting processes


@contextlib.contextmanager
def _holding_sigint() -> Iterator[None]:
    """Processes started in the block get no Ctrl-C before `_begin_process` ignores it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _without_script() -> Iterator[None]:
    """Processes started in the block do not run the user's script again.

    Spawned processes would import it, and one that calls us outside of `if __name__ ==
    "__main__"` would start processes in them in turn. Nothing that a task needs is in it: what the
    user defined there travels by value (`extensions.py`).
    """
    script = sys.modules["__main__"]
    with _script_lock:
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = script


# ---------------------------------------------------------------------- inside other processes


def perform(parcel: Parcel, function: Callable[[Any], Any], task: Any) -> Any:
    """The result of a task, or an exception that survives the way back."""
    unpack(parcel)
    try:
        return function(task)
    except Exception as error:
        if _can_travel(error):
            raise
        raise TaskError(f"{type(error).__name__}: {error}") from error


def _can_travel(error: Exception) -> bool:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return False
    return True


def _begin_process() -> None:
    """Leave Ctrl-C to the parent, and die with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
