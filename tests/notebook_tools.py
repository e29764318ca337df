"""Notebooks, executed: `python tests/notebook_tools.py examples/*.ipynb` writes their output."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

TIMEOUT_S = 300


def execute(path: Path, folder: Path | None = None) -> Any:
    """The notebook with its output, run in a folder or where it stands."""
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(folder or path.parent)}}
    NotebookClient(notebook, timeout=TIMEOUT_S, resources=resources).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # the time of day
        if "outputs" in cell:
            cell.outputs = [output for output in cell.outputs if not _is_left_by_progress(output)]
    return notebook


def _is_left_by_progress(output: Any) -> bool:
    """Whether it is the empty place where a line said how far a long call was."""
    return bool(output.get("data", {}).get("text/html", "shown") == "")


def main() -> None:
    for name in sys.argv[1:]:
        nbformat.write(execute(Path(name)), name)
        print(name)


if __name__ == "__main__":
    main()
