"""Every experiment of the catalogue, run quickly by its command, as anybody would first try it."""

from __future__ import annotations

import pytest
from command_line import run

from plyground.lab.catalogue import experiment_names


@pytest.mark.full
@pytest.mark.parametrize("name", experiment_names())
def test_a_quick_run_ends_in_a_report(name, tmp_path):
    result = run("lab", "run", name, "--quick", "--out", tmp_path)
    assert result.status == 0, result.err
    assert {path.suffix for path in tmp_path.iterdir()} >= {".html", ".md"}
    text = next(tmp_path.glob("*.md")).read_text(encoding="utf-8")
    assert "## What became of the claims" in text
