"""Experiments are found by name, each where its name says, and a wrong name is told."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lab_tools import CATALOGUE
from lab_toy import EXPERIMENT

from plyground.core.errors import Unsupported
from plyground.lab import catalogue
from plyground.lab.catalogue import experiment_names, experiments, find_experiment
from plyground.lab.report import MEANINGS
from plyground.lab.rules import RULES
from plyground.lab.spec import Experiment


@pytest.fixture
def with_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "__path__", [*catalogue.__path__, str(CATALOGUE)])


def test_modules_are_experiments_in_the_order_of_their_names(with_toy: None) -> None:
    names = experiment_names()
    assert names == sorted(names)
    assert "toy" in names
    assert not any("_" in name for name in names)


def test_an_experiment_is_found_by_its_name(with_toy: None) -> None:
    assert find_experiment("toy") is EXPERIMENT


def test_a_wrong_name_is_told_with_the_nearest(with_toy: None) -> None:
    with pytest.raises(Unsupported, match=r"^unknown experiment 'tyo'; did you mean toy\?$"):
        find_experiment("tyo")


def test_names_are_listed_without_importing_anything_heavy() -> None:
    program = (
        "import sys; from plyground.lab.catalogue import experiment_names; experiment_names();"
        "print(sorted({'numba', 'numpy', 'altair', 'sqlalchemy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8")
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_every_experiment_is_complete() -> None:
    for experiment in experiments():
        assert experiment.title and experiment.question
        fields = experiment.parameters.model_fields
        assert set(experiment.quick) <= set(fields)
        assert all(field.description for field in fields.values()), experiment.name


def studies() -> list[Experiment[Any]]:
    """Those that repeat what somebody published."""
    return [each for each in experiments() if each.published]


def test_every_study_says_how_it_was_done_and_what_it_leaves_out() -> None:
    for study in studies():
        headings = re.findall(r"^## (.+)$", study.template, re.MULTILINE)
        assert headings[0] == "Methods" and headings[-1] == "Limits", study.name


def test_every_claim_is_shown_once_with_its_place_and_a_rule_that_there_is() -> None:
    for study in studies():
        assert study.published
        calls = re.findall(r"claim\(([^)]*)\)", study.template)
        shown = [name for call in calls for name in re.findall(r'"([^"]+)"', call)]
        assert sorted(shown) == sorted(study.published.claims), study.name
        for name, claim in study.published.claims.items():
            assert set(claim.rule) <= set(RULES), f"{study.name}: {name}"
            assert re.search("page|section|table|figure|abstract", claim.place.lower()), (
                f"{study.name}: {name}: {claim.place}"
            )


def test_a_study_is_at_most_three_python_files() -> None:
    for study in studies():
        folder = Path(catalogue.__file__).parent / study.name.replace("-", "_")
        files = [path.name for path in folder.glob("*.py") if path.name != "__init__.py"]
        assert len(files) <= 3, f"{study.name}: {files}"


def test_the_documents_have_all_rules_and_say_of_verdicts_what_reports_say() -> None:
    text = (Path(__file__).parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")
    rules, _, verdicts = text.partition("## Verdicts")[2].partition("The verdict is one of these")
    named = [re.findall("`([a-z]+)`", row) for row in re.findall(r"^\| (`[^|]+) \|", rules, re.M)]
    assert sorted(name for row in named for name in row) == sorted(RULES)
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", verdicts, re.M)
    assert rows[1 : 1 + len(MEANINGS)] == [(str(each), told) for each, told in MEANINGS.items()]
