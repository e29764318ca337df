"""A run of the lab goes on when its server was restarted or killed between any two cells."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import lab_toy
import pytest
from lab_toy import EXPERIMENT, ToyParameters
from postgres_server import restartable_server

from plyground.kernel import plain_python
from plyground.lab.runner import Plan, open_run
from plyground.store.runs import Runs
from plyground.store.store import Store
from plyground.work.workers import local

PATIENCE_S = 600.0


@pytest.fixture(autouse=True)
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(lab_toy.FOLDER, str(tmp_path))
    with plain_python():
        yield


def test_every_cell_is_measured_once_whenever_the_server_was_away() -> None:
    plan = Plan(EXPERIMENT, ToyParameters())
    with (
        restartable_server(synchronous_commit="on") as server,
        Store(server.url, PATIENCE_S) as store,
        local(1) as workers,
    ):
        with open_run(plan, store) as run:
            measured = []
            for number, cell in enumerate(run.measure(workers)):
                measured.append(cell.key)
                server.stop(("SIGINT", "SIGQUIT", "SIGKILL")[number % 3])
                server.start()
            assert run.info.is_finished
        assert sorted(measured) == sorted(plan.by_key)
        [stored] = Runs(store).runs()
        assert (stored.measured, stored.total) == (len(plan.by_key), len(plan.by_key))
