"""Every experiment of the catalogue: its cells, and a quick run as anybody would first try it."""

from __future__ import annotations

import pytest
from command_line import run

from plyground.lab.catalogue import experiment_names, find_experiment

CHOSEN = {"double-card": {"seed": 7, "match_pairs": 33}, "family": {"seed": 7, "trees": 33}}
MORE_THAN = {"connect4-mtdf": 60, "double-card": 20}  # cells; others have more than 15


@pytest.mark.parametrize("name", experiment_names())
def test_no_two_cells_are_equal(name):
    experiment = find_experiment(name)
    for chosen in ({}, experiment.quick, CHOSEN.get(name, {})):
        cells = experiment.cells(experiment.parameters(**chosen))
        assert len({cell.key for cell in cells}) == len(cells) > MORE_THAN.get(name, 15), chosen


@pytest.mark.full
@pytest.mark.parametrize("name", experiment_names())
def test_a_quick_run_ends_in_a_report(name, tmp_path):
    result = run("lab", "run", name, "--quick", "--out", tmp_path)
    assert result.status == 0, result.err
    assert {path.suffix for path in tmp_path.iterdir()} >= {".html", ".md"}
    text = next(tmp_path.glob("*.md")).read_text(encoding="utf-8")
    assert "## What became of the claims" in text
