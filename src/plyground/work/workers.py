"""Work shared out among workers: a thread, the processes of this machine, or a Dask cluster.

A function and a stream of tasks go in; the results come out as they get done. Workers that die
cost only what they were doing, which is done again.

There are never more tasks in flight than workers. Stopping then waits for nothing but the tasks
under way, a dying worker shows which task it had, and memory stays flat however many tasks are to
come. The price is that a worker rests while its result travels and the next task comes: about
0.5 ms for a process and 15 ms on a cluster (measured on two cores), so tasks should be longer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from plyground.core.errors import PlygroundError, Unsupported, shorten
from plyground.work.crews import Crew, LostResult, LostWorker, ProcessCrew, ThreadCrew

Task = TypeVar("Task")
Result = TypeVar("Result")

MOST_FAILED = 3  # one bad task is an accident; at three the run itself is in trouble
CONNECT_S = 10.0
TICK_S = 0.2  # how soon a run notices a stop, or workers that joined or left


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


def local(jobs: int) -> Workers:
    """Workers on this machine: one is a thread of this process, several are processes."""
    if jobs < 1:
        raise Unsupported(f"jobs={jobs}: expected a whole number from 1 up")
    return Workers(ThreadCrew() if jobs == 1 else ProcessCrew(jobs))


def cluster(address: str, timeout_s: float = CONNECT_S) -> Workers:
    """The workers of the Dask scheduler at an address such as tcp://10.0.0.5:8786."""
    from plyground.work.dask_crew import DaskCrew

    return Workers(DaskCrew(address, timeout_s))


class Workers:
    """Workers for as long as a `with` block lasts; leaving it abandons what is under way.

    `finish` and `abandon` hold for good, and may be called from any thread or signal handler.
    """

    def __init__(self, crew: Crew) -> None:
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
        either abandons what is under way. A task that several workers died on is given up; the
        others go on, and at the end `WorkerDied` names it. Only one run at a time.
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
                elif isinstance(error, LostResult):
                    again.append(attempt)
                elif not isinstance(error, LostWorker):
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

    def __exit__(self, *raised: object) -> None:
        self.close()
