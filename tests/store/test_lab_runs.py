"""Experiments are run into either database, interrupted and gone on with, one process at a time."""

from __future__ import annotations

import pytest
from lab_tools import run
from lab_toy import EXPERIMENT, ToyParameters

from plyground.core.errors import Unsupported
from plyground.lab.run_results import stored_results
from plyground.lab.runner import Plan, open_run
from plyground.store.queries import Filter
from plyground.store.runs import Runs
from plyground.store.store import Store
from plyground.work.workers import local

PLAN = Plan(EXPERIMENT, ToyParameters())


def test_a_run_is_interrupted_goes_on_and_is_reported(store: Store) -> None:
    with local(1) as crew, open_run(PLAN, store) as begun:
        for done, _ in enumerate(begun.measure(crew), start=1):
            if done == 8:
                crew.finish()
        with pytest.raises(Unsupported, match="another process"):
            open_run(PLAN, store).__enter__()
    [unfinished] = Runs(store).runs()
    assert (unfinished.measured, unfinished.finished) == (8, None)
    assert store.count(Filter(event=f"lab toy {unfinished.id}")) == 2
    with local(1) as crew:
        info = run(PLAN, crew, store)
    assert (info.number, info.is_finished) == (unfinished.id, True)
    assert store.count(Filter(event=f"lab toy {unfinished.id}")) == 4
    report = stored_results(info.number, store).report(EXPERIMENT)
    assert [row[:2] for row in report.tables[0].rows] == [[n, n * n] for n in (1, 2, 3, 4, 5)]
