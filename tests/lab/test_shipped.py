"""A run that comes with a study is seen before anything is run: in commands, page and docs.

The study is one file, `lab_toy.py`; what ships is made of a run of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import finished_reports
import lab_toy
import pytest
from command_line import one_line, run
from lab_tools import CATALOGUE
from lab_tools import run as run_plan
from lab_toy import EXPERIMENT

from plyground.core.errors import Unsupported
from plyground.kernel import plain_python
from plyground.lab import catalogue, run_results
from plyground.lab.parameters import read_parameters
from plyground.lab.rendering.writing import render
from plyground.lab.run_results import find_results, ship, shipped_card, shipped_results
from plyground.lab.run_results import stored_results as stored
from plyground.lab.runner import Plan
from plyground.store.store import Store
from plyground.web import lab_reports
from plyground.web.lab_experiments import list_experiments
from plyground.web.lab_reports import rendered
from plyground.web.lab_runs import list_runs
from plyground.work.workers import local

QUICK_SECONDS = 1.5


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """An empty store of somebody to whom the toy has come with a finished run."""
    monkeypatch.setattr(catalogue, "__path__", [str(CATALOGUE)])
    monkeypatch.setattr(run_results, "CATALOGUE", tmp_path)
    monkeypatch.setenv(lab_toy.FOLDER, str(tmp_path / "held"))
    (tmp_path / "held").mkdir()
    (tmp_path / "toy").mkdir()
    run_results._shipped.cache_clear()
    with plain_python():
        with Store(str(tmp_path / "ours.db")) as ours:
            measure(ours)
            ship(stored(1, ours), QUICK_SECONDS)
        with Store(str(tmp_path / "theirs.db")) as theirs:
            yield theirs
    run_results._shipped.cache_clear()


def measure(store: Store, **chosen: str) -> None:
    plan = Plan(EXPERIMENT, read_parameters(EXPERIMENT, False, chosen))
    with local(1) as workers:
        assert run_plan(plan, workers, store).is_finished


def test_the_command_lists_what_became_of_the_claims(store: Store) -> None:
    listed = run("lab", "list", "--store", store.address)
    line = next(line for line in listed.out.splitlines() if line.startswith("toy "))
    assert "✓1 ≈1" in re.sub(r"\s+", " ", line)
    (entry,) = json.loads(run("lab", "list", "--store", store.address, "--json").out)
    assert entry["shipped"]["verdicts"]["reproduced"] == 1
    assert entry["last_run"] is None


def test_the_command_reports_without_running(store: Store, tmp_path: Path) -> None:
    for named in ("toy", "toy@shipped"):
        out = tmp_path / named
        result = run("lab", "report", named, "--store", store.address, "--out", out)
        assert result.status == 0, result.err
        assert "Squares [are] squares" in (out / "toy.html").read_text(encoding="utf-8")
    assert run("lab", "runs", "--store", store.address).out.startswith("no runs yet")


def test_the_page_has_its_card_its_run_and_its_report(store: Store) -> None:
    (card,) = list_experiments(store)
    assert card["shipped"]["quick_seconds"] == QUICK_SECONDS
    assert sum(card["shipped"]["verdicts"].values()) == 2
    (row,) = list_runs("toy", store)
    assert (row["state"], row["id"], row["number"]) == ("shipped", "toy@shipped", 0)
    assert "Squares [are] squares" in rendered(find_results("toy@shipped", store), store).html


def test_a_report_of_which_many_charts_are_asked_for_at_once_is_made_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []

    def counted(*given: Any, **named: Any) -> Any:
        made.append(render(*given, **named))
        return made[-1]

    monkeypatch.setattr(lab_reports, "render", counted)
    results = find_results("toy@shipped", store)
    with ThreadPoolExecutor(4) as threads:
        found = [*threads.map(lambda _: rendered(results, store), range(8))]
    assert found == made * 8 and len(made) == 1


def test_the_documents_have_its_report_and_name_it_in_their_index(store: Store) -> None:
    assert finished_reports.names() == ["toy"]
    experiment, info, report = finished_reports.finished("toy")
    written = dict(finished_reports.texts(experiment, info, report))
    assert "Squares \\[are\\] squares" in written["toy.md"]
    assert written["toy/squares.csv"].startswith("number,square")
    assert "[Squares of [small] numbers](toy.md)" in finished_reports.index([(experiment, report)])


def test_what_is_on_the_card_is_what_the_report_says(store: Store) -> None:
    card, report = shipped_card("toy"), shipped_results("toy").report()
    assert card and card.verdicts == run_results.tally(report)
    assert card.summary == report.summary


def test_a_run_of_ones_own_comes_first_and_compares_with_it(store: Store) -> None:
    measure(store)
    assert find_results("toy", store).info.name == "toy@1"
    assert find_results("toy@shipped", store).info.name == "toy@shipped"
    own, shipped = list_runs("toy", store)
    assert (own["answers"], shipped["state"]) == ("identical to shipped", "shipped")
    compared = run("lab", "compare", "toy@shipped", "toy@1", "--store", store.address)
    assert compared.status == 0
    assert "all answers are equal" in compared.out


def test_what_does_not_come_with_a_run_is_refused(store: Store, tmp_path: Path) -> None:
    (tmp_path / "toy" / run_results.RUN).unlink()
    with pytest.raises(Unsupported, match=r"^no finished run of toy comes with Plyground"):
        shipped_results("toy")
    refused = run("lab", "report", "toy@shipped", "--store", store.address)
    assert one_line(refused).startswith("no finished run of toy comes with Plyground")
