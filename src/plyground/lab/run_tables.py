"""A run as a file, of which the ending decides: for other stores, as cells, or as its frame."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict

from plyground.core.errors import Unsupported, shorten
from plyground.lab.rendering.numbers import frame_csv, frame_parquet
from plyground.lab.run_results import RunResults
from plyground.store.run_files import pack

Make = Callable[[RunResults], bytes]


def maker_of(name: str) -> Make:
    """What makes the content of a file of this name. Raises Unsupported."""
    for ending, make in MAKERS.items():
        if name.lower().endswith(ending):
            return make
    listed = ", ".join(MAKERS)
    raise Unsupported(f"the name {shorten(name)!r} says no format; expected one of {listed}")


def _document(run: RunResults) -> bytes:
    cells = [asdict(cell) for cell in run.cells.values()]
    return json.dumps(cells, indent=1, ensure_ascii=False).encode() + b"\n"


MAKERS: dict[str, Make] = {
    ".jsonl.gz": lambda run: pack(run.whole),
    ".csv": lambda run: frame_csv(run.measurements.frame()),
    ".json": _document,
    ".parquet": lambda run: frame_parquet(run.measurements.frame()),
}
