"""Workers do every task once, stop when told, and survive the death of any of them."""

from __future__ import annotations

import contextlib
import itertools
import os
import pickle
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from dask_cluster import TESTS, DaskCluster, dask_cluster
from distributed import Client
from matches import work_to_do as work

from plyground.core.errors import Unsupported
from plyground.work import crews
from plyground.work import workers as workers_module
from plyground.work.crews import TaskError
from plyground.work.workers import WorkerDied, Workers, cluster, local


def is_running(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def wait_for_end(pids: list[int]) -> None:
    work.until(lambda: not any(is_running(pid) for pid in pids))


def tasks_in(folder: Path, count: int | None = None) -> Iterator[dict[str, Any]]:
    numbers = itertools.count() if count is None else range(count)
    return ({"folder": str(folder), "number": number} for number in numbers)


def fatal_tasks(folder: Path, fatal: dict[int, str], count: int = 12) -> Iterator[dict[str, Any]]:
    return (task | {"fatal": fatal.get(task["number"], "")} for task in tasks_in(folder, count))


def when_begun(folder: Path, count: int, action: Callable[[], object]) -> threading.Thread:
    """Do something in another thread as soon as so many tasks have begun."""

    def wait_and_act() -> None:
        work.until(lambda: len(work.runs(folder)) >= count)
        action()

    thread = threading.Thread(target=wait_and_act)
    thread.start()
    return thread


@pytest.fixture(scope="module")
def shared_cluster() -> Iterator[DaskCluster]:
    with dask_cluster(workers=2) as shared:
        yield shared


@pytest.fixture(params=["thread", "processes", "dask"])
def crew(request: pytest.FixtureRequest) -> Iterator[Workers]:
    """Workers of each kind."""
    if request.param == "dask":
        shared: DaskCluster = request.getfixturevalue("shared_cluster")
        made = cluster(shared.address)
    else:
        made = local(1 if request.param == "thread" else 2)
    with made:
        yield made


# ---------------------------------------------------------------------- every kind of workers


def test_every_task_comes_back_once_with_its_result(crew: Workers) -> None:
    done = list(crew.run(work.square, range(40)))
    assert sorted(done) == [(number, number**2) for number in range(40)]


def test_no_more_tasks_are_taken_than_there_are_workers(crew: Workers) -> None:
    taken: list[int] = []

    def source() -> Iterator[int]:
        for number in range(30):
            taken.append(number)
            yield number

    for received, _ in enumerate(crew.run(work.square, source()), start=1):
        assert len(taken) - received < crew.count
    assert len(taken) == 30


def test_finishing_yields_what_is_under_way_and_begins_nothing_more(
    crew: Workers, tmp_path: Path
) -> None:
    def finish_then_go() -> None:
        crew.finish()
        Path(tmp_path, work.GO).touch()

    helper = when_begun(tmp_path, crew.count, finish_then_go)
    done = list(crew.run(work.square_on_signal, tasks_in(tmp_path)))
    helper.join()
    assert sorted(result for _, result in done) == [n * n for n in range(crew.count)]
    assert [number for number, _ in work.runs(tmp_path)] == list(range(crew.count))
    assert list(crew.run(work.square, [1])) == []  # for good


def test_what_a_task_raises_reaches_the_caller_as_it_is(crew: Workers) -> None:
    with pytest.raises(ValueError, match=r"^3 is not welcome$"):
        list(crew.run(work.refuse, [3]))
    assert list(crew.run(work.square, [3])) == [(3, 9)]


def test_tasks_may_wait_for_results(crew: Workers) -> None:
    results: list[int] = []

    def source() -> Iterator[int | None]:
        yield 2
        while not results:
            yield None
        yield results[0]

    for _, result in crew.run(work.square, source()):
        results.append(result)
    assert results == [4, 16]


def test_none_with_nothing_under_way_is_the_end(crew: Workers) -> None:
    assert list(crew.run(work.square, iter([None, 5]))) == []


def test_a_source_that_fails_ends_the_run_with_its_error(crew: Workers) -> None:
    def source() -> Iterator[int]:
        yield 1
        raise LookupError("no more openings")

    with pytest.raises(LookupError, match="no more openings"):
        list(crew.run(work.square, source()))


def test_no_tasks_give_no_results(crew: Workers) -> None:
    assert list(crew.run(work.square, [])) == []


# ---------------------------------------------------------------------- processes and the thread


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_local_workers_are_as_many_as_asked_for(jobs: int) -> None:
    with local(jobs) as crew:
        assert crew.count == jobs
        done = list(crew.run(work.square, range(20)))
        assert sorted(done) == [(number, number**2) for number in range(20)]


def test_one_job_stays_in_this_process_and_several_do_not(tmp_path: Path) -> None:
    with local(1) as crew:
        assert {pid for _, pid in crew.run(work.process_id, range(5))} == {os.getpid()}
    with local(2) as crew:
        Path(tmp_path, work.GO).touch()
        list(crew.run(work.square_on_signal, tasks_in(tmp_path, 2)))
        pids = {pid for _, pid in work.runs(tmp_path)}
    assert len(pids) == 2
    assert os.getpid() not in pids


def test_results_come_in_the_order_in_which_they_get_done(tmp_path: Path) -> None:
    with local(2) as crew:
        order = []
        for task, _ in crew.run(work.square_on_signal_then_at_once, tasks_in(tmp_path, 2)):
            order.append(task["number"])
            Path(tmp_path, work.GO).touch()
    assert order == [1, 0]


@pytest.mark.parametrize("jobs", [1, 2])
def test_abandoning_ends_the_run_without_what_is_under_way(jobs: int, tmp_path: Path) -> None:
    with local(jobs) as crew:
        helper = when_begun(tmp_path, jobs, crew.abandon)
        assert list(crew.run(work.never_done, tasks_in(tmp_path))) == []
        helper.join()
        assert len(work.runs(tmp_path)) == jobs
    if jobs == 1:
        assert work.until(Path(tmp_path, "ended").exists)  # the thread left Python code too
    else:
        wait_for_end([pid for _, pid in work.runs(tmp_path)])
        assert not Path(tmp_path, "ended").exists()  # killed on the spot


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_the_caller_ends_what_is_under_way(jobs: int, tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="caller"), local(jobs) as crew:
        results = crew.run(work.square_once_then_never, tasks_in(tmp_path))
        next(results)
        work.until(lambda: len(work.runs(tmp_path)) > 1 or jobs == 1)
        raise KeyError("caller")
    wait_for_end([pid for _, pid in work.runs(tmp_path) if pid != os.getpid()])
    results.close()  # a run that outlives its workers starts no new ones
    assert len(work.runs(tmp_path)) <= 1 + jobs


@pytest.mark.parametrize("jobs", [1, 2])
def test_workers_can_be_used_again_after_a_run_was_broken_off(jobs: int, tmp_path: Path) -> None:
    with local(jobs) as crew:
        for _ in crew.run(work.square_once_then_never, tasks_in(tmp_path)):
            break
        assert sorted(crew.run(work.square, [1, 2, 3])) == [(1, 1), (2, 4), (3, 9)]
    assert all(pid == os.getpid() or not is_running(pid) for _, pid in work.runs(tmp_path))


def test_leaving_the_block_lets_every_process_go() -> None:
    with local(2) as crew:
        pids = [pid for _, pid in crew.run(work.process_id, range(10))]
        assert all(is_running(pid) for pid in pids)
    assert not any(is_running(pid) for pid in pids)
    assert list(crew.run(work.square, [1])) == []


def test_an_exception_that_cannot_travel_is_told_in_words() -> None:
    with local(2) as crew, pytest.raises(TaskError, match=r"^OddError: 3 is odd$"):
        list(crew.run(work.refuse_oddly, [3]))
    with local(1) as crew, pytest.raises(work.OddError, match=r"^3 is odd$"):
        list(crew.run(work.refuse_oddly, [3]))


@pytest.mark.parametrize("jobs", [0, -2])
def test_there_must_be_a_worker(jobs: int) -> None:
    with pytest.raises(Unsupported, match=f"^jobs={jobs}: expected a whole number from 1 up$"):
        local(jobs)


def test_more_processes_than_open_files_allow_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 4096))
    assert local(120).count == 120
    with pytest.raises(Unsupported) as refused:
        local(121)
    assert str(refused.value) == (
        "jobs=121: this shell allows 1024 open files, enough for 120 jobs; "
        "`ulimit -n 1032` allows more"
    )
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY,) * 2)
    assert local(121).count == 121


def test_a_process_takes_no_more_open_files_than_reckoned_with() -> None:
    def open_files() -> int:
        return len(os.listdir("/proc/self/fd"))

    with local(4) as crew:
        before = open_files()
        list(crew.run(work.square, range(8)))
        assert open_files() - before <= 4 * crews.FILES_PER_PROCESS


# ---------------------------------------------------------------------- processes that die


def test_a_task_whose_worker_died_is_done_again_and_no_other(tmp_path: Path) -> None:
    with local(2) as crew:
        done = list(crew.run(work.square_unless_fatal, fatal_tasks(tmp_path, {3: "once"})))
    assert sorted(result for _, result in done) == [n * n for n in range(12)]
    begun = [number for number, _ in work.runs(tmp_path)]
    assert begun == sorted([*range(12), 3])


def test_a_worker_killed_from_outside_costs_only_its_own_task(tmp_path: Path) -> None:
    def kill_one_then_go() -> None:
        (victim, pid), *_ = work.runs(tmp_path)
        os.kill(pid, signal.SIGKILL)
        work.until(lambda: [number for number, _ in work.runs(tmp_path)].count(victim) == 2)
        Path(tmp_path, work.GO).touch()

    with local(3) as crew:
        helper = when_begun(tmp_path, 3, kill_one_then_go)
        done = list(crew.run(work.square_on_signal, tasks_in(tmp_path, 8)))
        helper.join()
    assert sorted(result for _, result in done) == [n * n for n in range(8)]
    assert len(work.runs(tmp_path)) == 9


def test_a_worker_that_dies_in_the_middle_of_a_long_answer_is_noticed(tmp_path: Path) -> None:
    with local(2) as crew:
        done = list(crew.run(work.long_answer_of_the_second_attempt, tasks_in(tmp_path, 1)))
    assert [len(answer) for _, answer in done] == [work.LONG]
    assert len(work.runs(tmp_path)) == 2


def test_a_worker_killed_while_idle_is_replaced() -> None:
    with local(2) as crew:
        for _ in range(2):
            pids = {pid for _, pid in crew.run(work.process_id, range(6))}
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
            wait_for_end(list(pids))
        assert list(crew.run(work.square, [5])) == [(5, 25)]


def test_a_task_that_kills_every_worker_is_given_up_and_the_others_are_done(
    tmp_path: Path,
) -> None:
    done = []
    with local(2) as crew, pytest.raises(WorkerDied) as died:
        for _, result in crew.run(
            work.square_unless_fatal, fatal_tasks(tmp_path, {1: "always", 2: "once"})
        ):
            done.append(result)
    assert sorted(done) == [n * n for n in range(12) if n != 1]
    assert [task["number"] for task in died.value.tasks] == [1]
    begun = [number for number, _ in work.runs(tmp_path)]
    assert begun.count(1) == crews.Crew.most_deaths
    assert str(died.value).startswith("every worker that ran task {")
    assert str(died.value).endswith(" died: a crash, a kill, or not enough memory")
    assert "\n" not in str(died.value)


def test_when_several_tasks_kill_every_worker_the_run_is_given_up(tmp_path: Path) -> None:
    endless = (task | {"fatal": "always"} for task in tasks_in(tmp_path))
    with local(2) as crew, pytest.raises(WorkerDied, match=r" \(and [23] more\) died") as died:
        list(crew.run(work.square_unless_fatal, endless))
    assert len(died.value.tasks) >= workers_module.MOST_FAILED
    assert str(pickle.loads(pickle.dumps(died.value))) == str(died.value)


# ---------------------------------------------------------------------- the parent and its group


@contextlib.contextmanager
def script(text: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A program with a session and process group of its own, which ends with the block."""
    paths = [str(TESTS), str(TESTS.parent / "src"), os.environ.get("PYTHONPATH", "")]
    process = subprocess.Popen(
        [sys.executable, "-c", OPENING + text, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def end_of(process: subprocess.Popen[str]) -> tuple[str, str, int]:
    """What a script printed, what it complained about, and how it ended."""
    out, err = process.communicate(timeout=work.PATIENCE_S)
    return out, err, process.returncode


OPENING = """
import os, signal, sys, threading
from matches import work_to_do as work
from plyground.work.dask_crew import ClusterLost
from plyground.work.workers import cluster, local
folder = sys.argv[1]
tasks = ({"folder": folder, "number": number} for number in range(4))
"""


def test_workers_disappear_when_their_parent_is_killed(tmp_path: Path) -> None:
    with script("list(local(2).run(work.never_done, tasks))", tmp_path) as parent:
        work.until(lambda: len(work.runs(tmp_path)) == 2)
        descendants = psutil.Process(parent.pid).children(recursive=True)
        parent.kill()
        parent.wait()
        assert {pid for _, pid in work.runs(tmp_path)} <= {process.pid for process in descendants}
        wait_for_end([process.pid for process in descendants])
    assert not Path(tmp_path, "ended").exists()


FINISH_ON_CTRL_C = """
with local(2) as crew:
    signal.signal(signal.SIGINT, lambda *_: crew.finish())
    print(sorted(result for _, result in crew.run(work.square_on_signal, tasks)))
"""


def test_ctrl_c_reaches_the_parent_and_spares_the_workers(tmp_path: Path) -> None:
    with script(FINISH_ON_CTRL_C, tmp_path) as parent:
        work.until(lambda: len(work.runs(tmp_path)) == 2)
        os.killpg(parent.pid, signal.SIGINT)
        os.killpg(parent.pid, signal.SIGINT)
        Path(tmp_path, work.GO).touch()
        assert end_of(parent) == ("[0, 1]\n", "", 0)
    assert len(work.runs(tmp_path)) == 2


CTRL_C_ALL_THE_TIME = """
over = threading.Event()
def press_ctrl_c():
    while not over.wait(0.002):
        os.killpg(0, signal.SIGINT)
signal.signal(signal.SIGINT, lambda *_: None)
presses = threading.Thread(target=press_ctrl_c)
presses.start()
try:
    with local(2) as crew:
        print(sorted(result for _, result in crew.run(work.noted_square, tasks)))
finally:
    over.set()
    presses.join()
"""


def test_ctrl_c_while_workers_start_does_not_end_them(tmp_path: Path) -> None:
    with script(CTRL_C_ALL_THE_TIME, tmp_path) as parent:
        assert end_of(parent) == ("[0, 1, 4, 9]\n", "", 0)
    assert [number for number, _ in work.runs(tmp_path)] == [0, 1, 2, 3]  # none died and came back


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_without_a_handler_ends_everything_at_once(jobs: int, tmp_path: Path) -> None:
    text = f"with local({jobs}) as crew: list(crew.run(work.never_done, tasks))"
    with script(text, tmp_path) as parent:
        work.until(lambda: len(work.runs(tmp_path)) == jobs)
        descendants = psutil.Process(parent.pid).children(recursive=True)
        os.killpg(parent.pid, signal.SIGINT)
        out, err, status = end_of(parent)
        assert (out, status) == ("", -signal.SIGINT)
        assert err.count("Traceback") == 1
        assert err.endswith("KeyboardInterrupt\n")
        wait_for_end([process.pid for process in descendants])


# ---------------------------------------------------------------------- a Dask cluster


def test_a_cluster_counts_its_threads(shared_cluster: DaskCluster) -> None:
    with cluster(shared_cluster.address) as crew:
        assert crew.count == 2
    with cluster(shared_cluster.address.removeprefix("tcp://")) as crew:
        assert crew.count == 2


def test_a_run_broken_off_on_a_cluster_leaves_it_usable(
    shared_cluster: DaskCluster, tmp_path: Path
) -> None:
    with cluster(shared_cluster.address) as crew:
        for _ in crew.run(work.square_then_on_signal, tasks_in(tmp_path)):
            break
        Path(tmp_path, work.GO).touch()  # whoever has begun goes on to its end
        assert sorted(crew.run(work.square, [1, 2, 3])) == [(1, 1), (2, 4), (3, 9)]


def test_equal_tasks_are_each_done_on_a_cluster(
    shared_cluster: DaskCluster, tmp_path: Path
) -> None:
    task = {"folder": str(tmp_path), "number": 7}
    with cluster(shared_cluster.address) as crew:
        assert [result for _, result in crew.run(work.noted_square, [task] * 3)] == [49] * 3
    assert len(work.runs(tmp_path)) == 3


def test_an_exception_of_a_cluster_that_cannot_travel_is_told_in_words(
    shared_cluster: DaskCluster,
) -> None:
    with (
        cluster(shared_cluster.address) as crew,
        pytest.raises(TaskError, match=r"^OddError: 3 is"),
    ):
        list(crew.run(work.refuse_oddly, [3]))


def test_a_killed_worker_of_a_cluster_costs_no_result(tmp_path: Path) -> None:
    with dask_cluster(workers=2) as pair, cluster(pair.address) as crew:

        def kill_one_then_go() -> None:
            os.kill(pair.worker_pids[0], signal.SIGKILL)
            Path(tmp_path, work.GO).touch()

        helper = when_begun(tmp_path, 2, kill_one_then_go)
        done = list(crew.run(work.square_on_signal, tasks_in(tmp_path, 12)))
        helper.join()
        assert sorted(result for _, result in done) == [n * n for n in range(12)]
        assert work.until(lambda: crew.count == 1)


def test_a_task_that_kills_the_workers_of_a_cluster_is_given_up(tmp_path: Path) -> None:
    done = []
    with (
        dask_cluster(workers=2, allowed_failures=0) as pair,
        cluster(pair.address) as crew,
        pytest.raises(WorkerDied) as died,
    ):
        for _, result in crew.run(work.square_unless_fatal, fatal_tasks(tmp_path, {5: "always"})):
            done.append(result)
    assert sorted(done) == [n * n for n in range(12) if n != 5]
    assert [task["number"] for task in died.value.tasks] == [5]


LOSE_THE_SCHEDULER = """
import logging
import distributed
levels = [logging.getLogger(name).level for name in ("distributed", "distributed.client")]
try:
    with cluster(sys.argv[2]) as crew:
        list(crew.run(work.never_done, tasks))
except ClusterLost as lost:
    print(lost)
assert levels == [logging.getLogger(name).level for name in ("distributed", "distributed.client")]
"""


def test_a_lost_scheduler_ends_the_run_with_one_plain_line(tmp_path: Path) -> None:
    with (
        dask_cluster(workers=1) as lonely,
        script(LOSE_THE_SCHEDULER, tmp_path, lonely.address) as parent,
    ):
        work.until(lambda: work.runs(tmp_path))
        os.kill(lonely.scheduler_pid, signal.SIGKILL)
        line = f"lost the Dask scheduler at {lonely.address}, with all tasks under way\n"
        assert end_of(parent) == (line, "", 0)


def test_a_scheduler_without_workers_is_refused() -> None:
    with dask_cluster(workers=0) as empty, pytest.raises(Unsupported) as refused:
        cluster(empty.address)
    assert str(refused.value) == (
        f"the Dask scheduler at {empty.address} has no workers: start some with `dask worker`"
    )


def test_the_address_of_a_worker_is_refused(shared_cluster: DaskCluster) -> None:
    with Client(shared_cluster.address, set_as_default=False) as client:
        worker = next(iter(client.nthreads()))
    with pytest.raises(Unsupported) as refused:
        cluster(worker)
    assert str(refused.value) == f"{worker} is the address of a Dask worker, not of a scheduler"


def test_an_address_where_nobody_answers_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    with pytest.raises(Unsupported) as refused:
        cluster(f"127.0.0.1:{port}", timeout_s=0.2)
    assert str(refused.value) == (
        f"no Dask scheduler answers at tcp://127.0.0.1:{port} (waited 0.2 s)"
    )


def test_a_server_that_says_nothing_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute, pytest.raises(Unsupported) as refused:
        cluster(f"127.0.0.1:{mute.getsockname()[1]}", timeout_s=0.2)
    assert "no Dask scheduler answers at" in str(refused.value)


def test_a_server_of_another_kind_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:

        def answer() -> None:
            connection, _ = other.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(Unsupported, match="does not answer like a Dask scheduler: ") as refused:
            cluster(f"127.0.0.1:{other.getsockname()[1]}")
        thread.join()
    assert "\n" not in str(refused.value)


MALFORMED = ["", "tcp://", "here", "tcp://here", "tcp://:8786", "tcp://here:port", "here:99999"]
MALFORMED += ["http://here:8786", "tcp://here:8786/there", "tcp://he re:8786", "tcp://[::1:8786"]


@pytest.mark.parametrize("address", MALFORMED)
def test_a_malformed_address_is_refused(address: str) -> None:
    with pytest.raises(Unsupported) as refused:
        cluster(address)
    assert str(refused.value) == f"cluster {address!r}: expected tcp://HOST:PORT"


def test_a_cluster_without_dask_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Unsupported) as refused:
        cluster("tcp://127.0.0.1:8786")
    assert str(refused.value) == (
        "a cluster needs Dask, which is not installed: pip install 'plyground[cluster]'"
    )
