"""A run of an experiment as one file, to be sent to others: JSON Lines, compressed.

The first line is the run, each other a cell. Equal runs become equal files. A file that was cut
short, or is something else, is refused whole. Knows no experiment.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from plyground.core.errors import MalformedText, Unsupported
from plyground.store import schema
from plyground.store.runs import WholeRun

FORMAT = "plyground run 1"
MOST_BYTES = 2**28  # when unpacked
_RUN = {column.name for column in schema.runs.columns} - {"id"}
_CELL = {column.name for column in schema.cells.columns} - {"run_id"}


def write_run(whole: WholeRun, path: Path) -> None:
    """Write a file, or nothing. Raises OSError."""
    lines = [{"format": FORMAT, "cells": len(whole.cells), **whole.run}, *whole.cells]
    text = "".join(json.dumps(line, sort_keys=True) + "\n" for line in lines)
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        beside.write_bytes(gzip.compress(text.encode(), mtime=0))
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def read_run(path: Path) -> WholeRun:
    """Read a file that `write_run` wrote. Raises InputError."""
    try:
        with gzip.open(path) as file:
            content = file.read(MOST_BYTES + 1)
        lines = [json.loads(line) for line in content.splitlines()]
    except (EOFError, ValueError, RecursionError, gzip.BadGzipFile) as error:
        raise MalformedText(f"{path} is not a whole file of a run: {error}") from None
    except OSError as error:
        raise Unsupported(f"cannot read {path}: {error.strerror or error}") from None
    if len(content) > MOST_BYTES:
        raise MalformedText(f"{path}: more than {MOST_BYTES:,} bytes when unpacked")
    if not lines or not _has(lines[0], {*_RUN, "cells"}) or lines[0].get("format") != FORMAT:
        raise MalformedText(f"{path} is not a run that `plyground lab export` wrote")
    told, cells = cast(dict[str, Any], lines[0]), lines[1:]
    if told["cells"] != len(cells) or not all(_has(cell, _CELL) for cell in cells):
        raise MalformedText(f"{path}: expected {told['cells']} cells, found {len(cells)} lines")
    return WholeRun({name: told[name] for name in _RUN}, cells)


def _has(line: object, names: set[str]) -> bool:
    """Whether it is an object with these names, whose values a database takes."""
    if not isinstance(line, Mapping) or not names <= line.keys():
        return False
    return all(isinstance(value, str | int | float | None) for value in line.values())
