"""Work shared out among workers: a thread, the processes of this machine, or a Dask cluster.

A function and a stream of tasks go in; the results come out as they get done. Workers that die
cost only what they were doing, which is done again. Knows nothing of games, nor what a task means.

There are never more tasks in flight than workers. Stopping then waits for nothing but the tasks
under way, a dying worker shows which task it had, and memory stays flat however many tasks are to
come. The price is that a worker rests while its result travels and the next task comes: about
0.5 ms for a process and 15 ms on a cluster (measured on two cores), so tasks should be longer.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import functools
import importlib
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextvars import copy_context
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from types import ModuleType, TracebackType
from typing import Any, Generic, TypeVar, cast
from urllib.parse import urlsplit

from plyground.core.errors import PlygroundError, Unsupported, shorten
from plyground.core.naming import Named, all_named, name_all

Task = TypeVar("Task")
Result = TypeVar("Result")

MOST_DEATHS = 3  # as many workers may die on a task before it is given up
MOST_FAILED = 3  # one bad task is an accident; at three the run itself is in trouble
CONNECT_S = 10.0
TICK_S = 0.2  # how soon a run notices a stop, or workers that joined or left
COUNT_AGE_S = 1.0  # asking a scheduler for its workers costs a round trip
ANSWER_S = 1.0  # how long a scheduler that has stopped answering may hold up a run
FILES_PER_PROCESS = 8  # open files that a process pool of one takes, as counted on Linux
SPARE_FILES = 64
_script_lock = threading.Lock()
SCHEMES = ("tcp", "tls", "ws", "wss")


class TaskError(PlygroundError):
    """What a task raised in another process, when the exception itself cannot travel."""


class ClusterLost(PlygroundError):
    """The scheduler of the cluster is gone, with all that was under way."""


class WorkerDied(PlygroundError):
    """Tasks that were given up, because every worker that ran them died."""

    def __init__(self, *tasks: object) -> None:
        super().__init__(*tasks)
        self.tasks = tasks

    def __str__(self) -> str:
        more = f" (and {len(self.tasks) - 1} more)" if len(self.tasks) > 1 else ""
        return (
            f"every worker that ran task {shorten(repr(self.tasks[0]), 60)}{more} died: "
            "a crash, a kill, or not enough memory"
        )


@dataclass(frozen=True)
class _Attempt(Generic[Task]):
    """A task, and how many workers have died on it so far."""

    task: Task
    deaths: int = 0


# ---------------------------------------------------------------------- what a caller uses


def local(jobs: int) -> Workers:
    """Workers on this machine: one is a thread of this process, several are processes."""
    if jobs < 1:
        raise Unsupported(f"jobs={jobs}: expected a whole number from 1 up")
    _check_open_files(jobs)
    return Workers(_Thread() if jobs == 1 else _Processes(jobs))


def cluster(address: str, timeout_s: float = CONNECT_S) -> Workers:
    """The workers of the Dask scheduler at an address such as tcp://10.0.0.5:8786."""
    return Workers(_Cluster(_checked(address), timeout_s))


class Workers:
    """Workers for as long as a `with` block lasts; leaving it abandons what is under way.

    `finish` and `abandon` hold for good, and may be called from any thread or signal handler.
    """

    def __init__(self, crew: _Crew) -> None:
        self._crew = crew
        self._is_finishing = False
        self._is_abandoned = False

    @property
    def count(self) -> int:
        """How many tasks can run at the same time just now; a cluster may grow and shrink."""
        return self._crew.count

    def finish(self) -> None:
        """Begin no more tasks: a run yields what is under way, and ends."""
        self._is_finishing = True

    def abandon(self) -> None:
        """End a run at once, without the tasks that are under way."""
        self._is_finishing = self._is_abandoned = True

    def run(
        self, function: Callable[[Task], Result], tasks: Iterable[Task | None]
    ) -> Iterator[tuple[Task, Result]]:
        """Each task with its result, in the order in which they get done.

        The function must be importable by its name, and tasks and results plain data. Tasks are
        taken one by one when a worker is free, so that they may depend on the results so far; None
        stands for "none yet", and when nothing is under way either, the run is over.

        What the function raises is raised here and ends the run, as does closing this generator:
        either abandons what is under way. A task that `MOST_DEATHS` workers died on is given up;
        the others go on, and at the end `WorkerDied` names it. Only one run at a time.
        """
        source = iter(tasks)
        again: deque[_Attempt[Task]] = deque()
        under_way: dict[Future[Result], _Attempt[Task]] = {}
        done: SimpleQueue[Future[Result]] = SimpleQueue()
        failed: list[Task] = []

        def has_room() -> bool:
            # A cluster without workers still gets one task, and does it when workers come back.
            return len(under_way) < max(1, self._crew.count) and len(failed) < MOST_FAILED

        def next_attempt() -> _Attempt[Task] | None:
            if again:
                return again.popleft()
            task = next(source, None)
            return None if task is None else _Attempt(task)

        try:
            while not self._is_abandoned:
                while not self._is_finishing and has_room() and (attempt := next_attempt()):
                    future = self._crew.submit(function, attempt.task)
                    under_way[future] = attempt
                    future.add_done_callback(done.put)
                if not under_way:
                    break
                if lost := self._crew.why_lost():
                    raise lost
                try:
                    future = done.get(timeout=TICK_S)
                except Empty:
                    continue
                attempt = under_way.pop(future)
                error = self._crew.error_of(future)
                if error is None:
                    yield attempt.task, future.result()
                elif self._crew.is_loss(error):
                    again.append(attempt)
                elif not self._crew.is_death(error):
                    raise error
                elif attempt.deaths + 1 < self._crew.most_deaths:
                    again.append(_Attempt(attempt.task, attempt.deaths + 1))
                else:
                    failed.append(attempt.task)
        finally:
            if under_way:
                self._crew.drop()
        if failed:
            raise WorkerDied(*failed)

    def close(self) -> None:
        """Abandon what is under way and let the workers go."""
        self.abandon()
        self._crew.close()

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


# ---------------------------------------------------------------------- the three kinds of workers


class _Crew(ABC):
    """What a run needs of its workers: one task each, and an end to it."""

    most_deaths = MOST_DEATHS

    @property
    @abstractmethod
    def count(self) -> int: ...

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
        return future.exception()

    def is_loss(self, error: BaseException) -> bool:
        """Whether a result was lost on its way, through no fault of its task."""
        return False

    def is_death(self, error: BaseException) -> bool:
        return isinstance(error, BrokenProcessPool)


class _Abandoned(BaseException):
    """Ends a task in a thread; not an Exception, so that no task takes it for a failure."""


class _Thread(_Crew):
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


class _Processes(_Crew):
    """Processes of this machine that do not die together: each is a pool of its own.

    In a common pool the death of one process ends all the others, and leaves open whose task it
    was. Processes are spawned: a fork copies locks that threads and the compiler may hold.
    """

    def __init__(self, jobs: int) -> None:
        self._pools: list[ProcessPoolExecutor | None] = [None] * jobs
        self._futures: list[Future[Any] | None] = [None] * jobs

    @property
    def count(self) -> int:
        return len(self._pools)

    def submit(self, function: Callable[[Any], Any], task: Any) -> Future[Any]:
        free = next(i for i, last in enumerate(self._futures) if last is None or last.done())
        call = functools.partial(_call, all_named(), function, task)
        with _holding_sigint(), _without_script():
            try:
                future = self._pool(free).submit(call)
            except BrokenProcessPool:  # it died on its last task, or of boredom
                self._end(free)
                future = self._pool(free).submit(call)
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


class _Cluster(_Crew):
    """The workers of a Dask scheduler, which does the tasks of dead workers again by itself.

    They belong to the cluster: a dropped task is forgotten, but whoever runs it runs it to its end.
    """

    most_deaths = 1  # the scheduler has tried several workers before it speaks of a death

    def __init__(self, address: str, timeout_s: float) -> None:
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise Unsupported(
                "a cluster needs Dask, which is not installed: pip install 'plyground[cluster]'"
            ) from None
        self._address, self._killed = address, distributed.KilledWorker
        with contextlib.ExitStack() as closing:
            closing.enter_context(_silent_dask())
            self._count = _greet(distributed, address, timeout_s)
            self._counted_s = time.monotonic()
            self._client = distributed.Client(address, timeout=timeout_s, set_as_default=False)
            closing.callback(self._client.close)
            self._executor = self._client.get_executor(pure=False)
            self._closing = closing.pop_all()

    @property
    def count(self) -> int:
        if time.monotonic() - self._counted_s > COUNT_AGE_S and self._client.status == "running":
            with contextlib.suppress(OSError):  # no answer now: what was true before must do
                threads = self._client.sync(
                    self._client.scheduler.ncores, callback_timeout=ANSWER_S
                )
                self._count = sum(threads.values())
            self._counted_s = time.monotonic()
        return self._count

    def submit(self, function: Callable[[Any], Any], task: Any) -> Future[Any]:
        return self._executor.submit(functools.partial(_call, all_named(), function, task))

    def drop(self) -> None:
        if self._client.status == "running":
            self._executor.shutdown(wait=False)
            self._executor = self._client.get_executor(pure=False)

    def close(self) -> None:
        self._closing.close()

    def why_lost(self) -> PlygroundError | None:
        return None if self._client.status == "running" else self._lost()

    def error_of(self, future: Future[Any]) -> BaseException | None:
        return self._lost() if future.cancelled() else future.exception()

    def is_loss(self, error: BaseException) -> bool:
        """Dask's executor unpacks a result as an error if its worker dies in that very moment."""
        frames = traceback.extract_tb(error.__traceback__)
        return (
            isinstance(error, TypeError)
            and len(frames) == 1
            and frames[0].filename.endswith("cfexecutor.py")
        )

    def is_death(self, error: BaseException) -> bool:
        return isinstance(error, self._killed)

    def _lost(self) -> ClusterLost:
        return ClusterLost(f"lost the Dask scheduler at {self._address}, with all tasks under way")


@contextlib.contextmanager
def _silent_dask() -> Iterator[None]:
    """Dask logs lost connections with tracebacks, where our errors say it in one line."""
    logs = [logging.getLogger("distributed"), logging.getLogger("distributed.client")]
    levels = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for log, level in zip(logs, levels, strict=True):
            log.setLevel(level)


def _greet(distributed: Any, address: str, timeout_s: float) -> int:
    """How many threads a scheduler has; a client would wait forever for a server that is mute."""

    async def ask() -> tuple[str, int]:
        keys = distributed.Security().get_connection_args("client")
        async with (
            asyncio.timeout(timeout_s),
            distributed.rpc(address, timeout=timeout_s, connection_args=keys) as server,
        ):
            kind = str((await server.identity())["type"])
            return kind, sum((await server.ncores()).values()) if kind == "Scheduler" else 0

    try:
        with ThreadPoolExecutor(1) as aside:  # this thread may have an event loop of its own
            kind, threads = aside.submit(asyncio.run, ask()).result()
    except OSError:
        raise Unsupported(
            f"no Dask scheduler answers at {address} (waited {timeout_s:g} s)"
        ) from None
    except Exception as error:
        raise Unsupported(
            f"{address} does not answer like a Dask scheduler: {shorten(str(error), 80)}"
        ) from error
    if kind != "Scheduler":
        raise Unsupported(f"{address} is the address of a Dask {kind.lower()}, not of a scheduler")
    if threads == 0:
        raise Unsupported(
            f"the Dask scheduler at {address} has no workers: start some with `dask worker`"
        )
    return threads


# ---------------------------------------------------------------------- inside other processes


def _call(named: Iterable[Named], function: Callable[[Any], Any], task: Any) -> Any:
    """The result of a task, or an exception that survives the way back."""
    name_all(named)
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


# ---------------------------------------------------------------------- helpers


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
    user defined there travels by value (`core/naming.py`).
    """
    script = sys.modules["__main__"]
    with _script_lock:
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = script


def _check_open_files(jobs: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = jobs * FILES_PER_PROCESS + SPARE_FILES
    if jobs > 1 and limit != resource.RLIM_INFINITY and needed > limit:
        most = max(1, (limit - SPARE_FILES) // FILES_PER_PROCESS)
        raise Unsupported(
            f"jobs={jobs}: this shell allows {limit} open files, enough for {most} jobs; "
            f"`ulimit -n {needed}` allows more"
        )


def _checked(address: str) -> str:
    """The address with its scheme, which may be left out."""
    full = address if "://" in address else f"tcp://{address}"
    try:
        parts = urlsplit(full)
        is_complete = bool(parts.hostname and parts.port and parts.scheme in SCHEMES)
    except ValueError:
        is_complete = False
    if not is_complete or parts.path or parts.query or " " in full:
        raise Unsupported(f"cluster {shorten(address)!r}: expected tcp://HOST:PORT")
    return full
