"""A run as a file: for other stores, or as a table of all that was measured. Its ending decides."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from plyground.core.errors import Unsupported, shorten
from plyground.core.files import whole_file, write_whole
from plyground.formats.tables import write_csv_rows, write_parquet_rows
from plyground.lab.run_results import RunResults
from plyground.store.run_files import write_run
from plyground.store.runs import StoredCell

Row = dict[str, Any]
Write = Callable[[RunResults, Path], None]
SCALARS = (str, int, float, bool, type(None))
MOST_NUMBER = 2**63 - 1


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
    rows = _rows(run)
    with whole_file(path) as file:
        write_csv_rows(_columns(rows), rows, file)


def _parquet(run: RunResults, path: Path) -> None:
    rows = _rows(run)
    columns = {name: _type_of([row.get(name) for row in rows]) for name in _columns(rows)}
    texts = {name for name, kind in columns.items() if kind == "string"}
    typed = (
        {name: str(v) if name in texts and v is not None else v for name, v in row.items()}
        for row in rows
    )
    with whole_file(path) as file:
        write_parquet_rows(columns, typed, file)


WRITERS: dict[str, Write] = {
    ".jsonl.gz": _run_file,
    ".csv": _csv,
    ".json": _document,
    ".parquet": _parquet,
}


# ------------------------------------------------------------------ cells as rows


def _rows(run: RunResults) -> list[Row]:
    return [_row(cell) for cell in run.cells.values()]


def _row(cell: StoredCell) -> Row:
    """Each argument, answer and time has a column; what is no text or number becomes JSON."""
    parts = {"arguments": cell.arguments, "answer": cell.answer, "times_s": cell.times_s}
    inside = {
        f"{part}.{name}": value if isinstance(value, SCALARS) else json.dumps(value)
        for part, values in parts.items()
        for name, value in values.items()
    }
    return {"key": cell.key, "task": cell.task, "seconds": cell.seconds, **inside}


def _columns(rows: list[Row]) -> list[str]:
    """Of all rows, in the order in which they come up: tasks differ in what they answer."""
    return list(dict.fromkeys(name for row in rows for name in row))


def _type_of(values: list[Any]) -> str:
    """The narrowest type that holds them all."""
    known = [value for value in values if value is not None]
    if not known or not all(type(each) in (int, float) and _fits(each) for each in known):
        return "string"
    return "int64" if all(type(each) is int for each in known) else "float64"


def _fits(number: float) -> bool:
    return isinstance(number, float) or abs(number) <= MOST_NUMBER
