"""Experiments are found by name, each where its name says, and a wrong name is told."""

from __future__ import annotations

import subprocess
import sys

import pytest
from lab_tools import CATALOGUE
from lab_toy import EXPERIMENT

from plyground.core.errors import Unsupported
from plyground.lab import catalogue
from plyground.lab.catalogue import experiment_names, experiments, find_experiment


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
