"""A Dask cluster of real processes on this machine, for tests that need one."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from distributed import Client

TESTS = Path(__file__).parent
START_S = 120.0  # far more than it takes on a loaded machine
LEFT_ALONE = "300s"  # after this a cluster ends by itself, should the tests have been killed


@dataclass(frozen=True)
class DaskCluster:
    """Where the scheduler listens, and the processes there are."""

    address: str
    scheduler_pid: int
    worker_pids: list[int]


@contextlib.contextmanager
def dask_cluster(
    workers: int = 2, allowed_failures: int = 3, threads: int = 1
) -> Iterator[DaskCluster]:
    """A scheduler and workers of so many threads, which can import the tests and the package.

    A task that was running in more than `allowed_failures` dying workers is not tried again.
    """
    with (
        tempfile.TemporaryDirectory(prefix="dask-") as folder,
        contextlib.ExitStack() as processes,
    ):
        settings = {
            "DASK_TEMPORARY_DIRECTORY": folder,
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(allowed_failures),
        }
        card = Path(folder, "scheduler.json")
        scheduler = processes.enter_context(_dask(folder, settings, *_scheduler(card)))
        address = _address(card, scheduler)
        crew = [
            processes.enter_context(_dask(folder, settings, *_worker(folder, address, threads)))
            for _ in range(workers)
        ]
        if workers:
            with Client(address, timeout=START_S, set_as_default=False) as client:
                client.wait_for_workers(workers, timeout=START_S)
        yield DaskCluster(address, scheduler.pid, [worker.pid for worker in crew])


def _scheduler(card: Path) -> list[str]:
    place = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    return ["scheduler", *place, "--scheduler-file", str(card), "--idle-timeout", LEFT_ALONE]


def _worker(folder: str, address: str, threads: int) -> list[str]:
    # Without a nanny the process is the worker, and stays dead when it is killed.
    place = ["--host", "127.0.0.1", "--no-dashboard", "--local-directory", folder]
    kind = ["--nthreads", str(threads), "--no-nanny", "--death-timeout", LEFT_ALONE]
    return ["worker", address, *place, *kind]


@contextlib.contextmanager
def _dask(
    folder: str, settings: dict[str, str], *arguments: str
) -> Iterator[subprocess.Popen[bytes]]:
    """One process of the cluster, killed at the end of the block."""
    paths = [str(TESTS), str(TESTS.parent / "src"), os.environ.get("PYTHONPATH", "")]
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments],
        env=os.environ | settings | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _address(card: Path, scheduler: subprocess.Popen[bytes]) -> str:
    """What the scheduler wrote down about itself, as soon as it has."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and scheduler.poll() is None:
        with contextlib.suppress(OSError, ValueError):
            return str(json.loads(card.read_text(encoding="utf-8"))["address"])
        time.sleep(0.05)
    raise RuntimeError("the Dask scheduler did not start")
