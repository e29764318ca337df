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


def shown(notebook: Any) -> list[list[list[str]]]:
    """Of each cell the kinds of its outputs: numbers differ from machine to machine."""
    return [
        [sorted(output.get("data", {"text": ""})) for output in cell.get("outputs", ())]
        for cell in notebook.cells
    ]


def test_there_are_four():
    assert len(NOTEBOOKS) == 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_is_committed(path, tmp_path):
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder)
    committed = nbformat.read(path, as_version=4)
    nbformat.validate(committed)
    again = execute(folder / path.name)  # raises if a cell does
    assert shown(again) == shown(committed)
    texts = [str(output) for cell in committed.cells for output in cell.get("outputs", ())]
    assert any("data:image/svg+xml" in text or "image/png" in text for text in texts)
    assert not any("http://" in text.replace("http://www.w3.org", "") for text in texts)
    assert not any("https://" in text for text in texts)
