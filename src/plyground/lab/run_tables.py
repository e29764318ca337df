"""A run as a file, of which the ending decides: for other stores, as cells, or as its frame."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from plyground.core.errors import Unsupported, shorten
from plyground.core.files import write_whole
from plyground.lab.rendering.numbers import frame_csv, frame_parquet
from plyground.lab.run_results import RunResults
from plyground.store.run_files import write_run

Write = Callable[[RunResults, Path], None]


def writer_for_run(path: Path) -> Write:
    """What writes a run to a file of this name. Raises Unsupported."""
    for ending, write in WRITERS.items():
        if path.name.lower().endswith(ending):
            return write
    listed = ", ".join(WRITERS)
    raise Unsupported(f"the name {shorten(path.name)!r} says no format; expected one of {listed}")


def _run_file(run: RunResults, path: Path) -> None:
    write_run(run.whole, path)


def _document(run: RunResults, path: Path) -> None:
    cells = [asdict(cell) for cell in run.cells.values()]
    write_whole(path, json.dumps(cells, indent=1, ensure_ascii=False).encode() + b"\n")


def _csv(run: RunResults, path: Path) -> None:
    write_whole(path, frame_csv(run.measurements.frame()))


def _parquet(run: RunResults, path: Path) -> None:
    write_whole(path, frame_parquet(run.measurements.frame()))


WRITERS: dict[str, Write] = {
    ".jsonl.gz": _run_file,
    ".csv": _csv,
    ".json": _document,
    ".parquet": _parquet,
}
