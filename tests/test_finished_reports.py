"""Every number in docs/experiments is one that was measured."""

from __future__ import annotations

import functools
from typing import Any

import finished_reports
import pytest
from finished_reports import FOLDER, INDEX, finished, texts

from plyground.lab.catalogue import experiment_names
from plyground.lab.rendering.names import place
from plyground.lab.report import Chart, Claim, Report
from plyground.lab.run_info import RunInfo
from plyground.lab.run_results import shipped_card, tally
from plyground.lab.spec import Experiment

NAMES = finished_reports.names()


@functools.cache
def kept(name: str) -> tuple[Experiment[Any], RunInfo, Report]:
    return finished(name)


def test_every_experiment_has_its_run() -> None:
    assert set(NAMES) == set(experiment_names())


@pytest.mark.parametrize("name", NAMES)
def test_the_report_says_what_was_measured(name: str) -> None:
    experiment, info, report = kept(name)
    assert info.is_finished and not info.is_quick
    written = dict(texts(experiment, info, report))
    assert len(written) > 3
    for file, text in written.items():
        assert (FOLDER / file).read_text(encoding="utf-8") == text, file


@pytest.mark.parametrize("name", NAMES)
def test_the_card_says_what_the_report_says(name: str) -> None:
    card, report = shipped_card(name), kept(name)[2]
    assert card and card.verdicts == tally(report)
    assert card.summary == report.summary
    assert 0 < card.quick_seconds < card.seconds


@pytest.mark.parametrize("name", NAMES)
def test_every_chart_has_its_picture(name: str) -> None:
    charts = [
        names[0]
        for section in place(kept(name)[2])
        for part, names in section.parts
        if isinstance(part, Chart)
    ]
    assert charts
    for chart in charts:
        picture = (FOLDER / name / f"{chart}.svg").read_text(encoding="utf-8")
        assert picture.startswith("<svg") and len(picture) > 1000


@pytest.mark.parametrize("name", NAMES)
def test_every_claim_has_a_reason(name: str) -> None:
    sections = kept(name)[2].sections
    claims = [part for section in sections for part in section.parts if isinstance(part, Claim)]
    assert claims and all(claim.reason for claim in claims)


def test_the_index_sums_up_all_reports() -> None:
    reports = [(experiment, report) for experiment, _, report in map(kept, NAMES)]
    assert (FOLDER / INDEX).read_text(encoding="utf-8") == finished_reports.index(reports)
