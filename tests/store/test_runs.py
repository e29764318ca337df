"""Runs of experiments in the store: cells once measured stay, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from store_tools import count_rows

from plyground.core.errors import Unsupported
from plyground.store.database import StoreError
from plyground.store.runs import NewRun, Runs, StoredCell
from plyground.store.store import Store

NEW = NewRun(
    experiment="toy",
    digest="d" * 24,
    parameters={"zeta": [3, 1], "alpha": "ä\u2028", "seed": 2**64 - 1},
    is_quick=True,
    seed=2**64 - 1,
    versions={"plyground": "0.1"},
    machine={"cores": 2, "load": 0.25},
    total=2,
)


def cell(key: str, seconds: float = 0.5) -> StoredCell:
    answer = {"nodes": 2**62, "moves": ["a1", None], "value": -0.1, "text": "\0'\"ß"}
    return StoredCell(key, "module:task", {"game": "mnk", "n": 3}, answer, {"t": [0.25]}, seconds)


def test_a_run_is_read_back_as_it_was_begun(store: Store) -> None:
    begun = Runs(store).begin(NEW)
    assert Runs(store).run(begun.id) == begun
    assert {name: getattr(begun, name) for name in vars(NEW)} == vars(NEW)
    assert list(begun.parameters) == list(NEW.parameters), "in the order of the experiment"
    assert (begun.finished, begun.measured, begun.seconds) == (None, 0, 0.0)


def test_a_run_without_chance_has_no_seed(store: Store) -> None:
    assert Runs(store).begin(replace(NEW, seed=None)).seed is None


def test_cells_are_kept_and_counted(store: Store) -> None:
    runs = Runs(store)
    number, other = runs.begin(NEW).id, runs.begin(NEW).id
    runs.add(number, cell("b"))
    runs.add(number, cell("a", 0.25))
    assert runs.cells(number) == {"a": cell("a", 0.25), "b": cell("b")}
    assert list(runs.cells(number)) == ["a", "b"]
    assert runs.keys(number) == {"a", "b"}
    assert (runs.run(number).measured, runs.run(number).seconds) == (2, 0.75)
    assert (runs.cells(other), runs.run(other).measured) == ({}, 0)


def test_a_cell_that_is_there_stays_as_it_is(store: Store) -> None:
    runs = Runs(store)
    number = runs.begin(NEW).id
    runs.add(number, cell("a"))
    runs.add(number, replace(cell("a"), answer={"nodes": 1}, seconds=9.0))
    assert runs.cells(number) == {"a": cell("a")}


def test_finishing_is_noted_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs(store)
    number = runs.begin(NEW).id
    first = runs.finish(number)
    assert first.finished is not None
    monkeypatch.setattr("plyground.store.runs.now", lambda: "2999-01-01T00:00:00Z")
    assert runs.finish(number) == first


def test_runs_are_listed_by_experiment_and_by_digest_the_newest_first(store: Store) -> None:
    runs = Runs(store)
    kinds = [NEW, replace(NEW, digest="other"), replace(NEW, experiment="family")]
    one, two, three = (runs.begin(kind).id for kind in kinds)
    assert [run.id for run in runs.runs()] == [three, two, one]
    assert [run.id for run in runs.runs("toy")] == [two, one]
    assert [run.id for run in runs.runs(digest=NEW.digest)] == [three, one]
    assert runs.runs("toys") == []


def test_a_number_that_no_run_has(store: Store) -> None:
    with pytest.raises(Unsupported, match="no run has number 7; `plyground lab runs` lists them"):
        Runs(store).run(7)


def test_a_cell_without_its_run_is_refused(store: Store) -> None:
    with pytest.raises(StoreError):
        Runs(store).add(99, cell("a"))
    assert count_rows(store, "cells") == 0


def test_a_deleted_run_takes_its_cells_along(store: Store) -> None:
    runs = Runs(store)
    gone, kept = runs.begin(NEW).id, runs.begin(NEW).id
    runs.add(gone, cell("a"))
    runs.add(kept, cell("a"))
    runs.delete(gone)
    assert [run.id for run in runs.runs()] == [kept]
    assert count_rows(store, "cells") == 1


@pytest.mark.parametrize("there", ["sqlite", "postgresql"])
def test_runs_of_another_store_are_taken_over_once(
    store: Store, there: str, empty_stores: Callable[..., Store]
) -> None:
    here, theirs = Runs(store), Runs(empty_stores(there))
    mine, begun = here.begin(NEW), [theirs.begin(NEW) for _ in range(2)]
    theirs.add(begun[0].id, cell("a"))
    assert here.merge(theirs) == 2
    theirs.add(begun[0].id, cell("b"))
    theirs.finish(begun[0].id)
    assert here.merge(theirs) == 0
    assert here.merge(theirs) == 0
    by_uid = {run.uid: run for run in here.runs()}
    assert set(by_uid) == {mine.uid, begun[0].uid, begun[1].uid}
    taken = by_uid[begun[0].uid]
    assert replace(taken, id=0) == replace(theirs.run(begun[0].id), id=0)
    assert here.cells(taken.id) == theirs.cells(begun[0].id) == {"a": cell("a"), "b": cell("b")}
