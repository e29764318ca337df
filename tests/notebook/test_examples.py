"""The example notebooks run, and what is committed is what they show."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import nbformat
import pytest
from notebook_tools import execute

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
# Seven algorithms and seven orders are compiled for half a minute; of smaller searches, which need
# no compiler, a notebook shows the same kinds of things.
SMALLER = {
    "compare-algorithms": {
        "range(1, 8)": "range(1, 4)",
        "depth = 7": "depth = 3",
        "abmemory:depth=4": "abmemory:depth=1",
        "games=10": "games=2",
    }
}


def shown(notebook: Any) -> list[list[list[str]]]:
    """Of each cell the kinds of its outputs: numbers differ from machine to machine."""
    return [
        [sorted(output.get("data", {"text": ""})) for output in cell.get("outputs", ())]
        for cell in notebook.cells
    ]


def test_there_are_four():
    assert len(NOTEBOOKS) == 4


def make_smaller(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    for large, small in SMALLER[path.stem].items():
        cells = [cell for cell in notebook.cells if large in cell.source]
        assert len(cells) == 1, large
        cells[0].source = cells[0].source.replace(large, small)
    nbformat.write(notebook, path)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_is_committed(path, tmp_path, monkeypatch):
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder)
    committed = nbformat.read(path, as_version=4)
    nbformat.validate(committed)
    if path.stem in SMALLER:
        make_smaller(folder / path.name)
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    again = execute(folder / path.name)  # raises if a cell does
    assert shown(again) == shown(committed)
    texts = [str(output) for cell in committed.cells for output in cell.get("outputs", ())]
    assert any("data:image/svg+xml" in text or "image/png" in text for text in texts)
    assert not any("http://" in text.replace("http://www.w3.org", "") for text in texts)
    assert not any("https://" in text for text in texts)


@pytest.mark.full
@pytest.mark.parametrize("name", SMALLER)
def test_a_notebook_shows_the_same_with_its_own_searches(name, tmp_path):
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder)
    path = folder / f"{name}.ipynb"
    assert shown(execute(path)) == shown(nbformat.read(path, as_version=4))
