"""A run of an experiment as one file, to be sent to others: JSON Lines, compressed.

The first line is the run, each other a cell. Equal runs become equal files. A file that was cut
short, or is something else, is refused whole.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from plyground.core.errors import MalformedText, Unsupported
from plyground.core.files import write_whole
from plyground.core.json_text import read_object
from plyground.store.run_rows import CellColumns, RunColumns, checked
from plyground.store.runs import WholeRun

FORMAT = "plyground run 1"
MOST_BYTES = 2**28  # when unpacked


def pack(whole: WholeRun) -> bytes:
    """The content of a file."""
    lines = [{"format": FORMAT, "cells": len(whole.cells), **whole.run}, *whole.cells]
    text = "".join(json.dumps(line, sort_keys=True) + "\n" for line in lines)
    return gzip.compress(text.encode(), mtime=0)


def write_run(whole: WholeRun, path: Path) -> None:
    """Write a file, or nothing. Raises OSError."""
    write_whole(path, pack(whole))


def read_run(path: Path) -> WholeRun:
    """Read a file that `write_run` wrote, all of which is checked. Raises InputError."""
    try:
        with gzip.open(path) as file:
            content = file.read(MOST_BYTES + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise MalformedText(f"{path} is not a whole file of a run: {error}") from None
    except OSError as error:
        raise Unsupported(f"cannot read {path}: {error.strerror or error}") from None
    if len(content) > MOST_BYTES:
        raise MalformedText(f"{path}: more than {MOST_BYTES:,} bytes when unpacked")
    first, *lines = content.splitlines() or [b""]
    with _blamed_on(path, 1):
        header = read_object(first)
    if header.get("format") != FORMAT:
        raise MalformedText(f"{path} is not a run that `plyground lab export` wrote")
    cells = [_checked(path, n, CellColumns, line) for n, line in enumerate(lines, start=2)]
    if header.get("cells") != len(cells):
        raise MalformedText(f"{path}: not as many cells as it says; {len(cells)} lines were found")
    return WholeRun(_checked(path, 1, RunColumns, first), cells)


def _checked(path: Path, number: int, model: type[BaseModel], line: bytes) -> dict[str, Any]:
    with _blamed_on(path, number):
        return checked(model, read_object(line))


@contextlib.contextmanager
def _blamed_on(path: Path, line: int) -> Iterator[None]:
    try:
        yield
    except MalformedText as error:
        raise MalformedText(f"{path}, line {line}, is not of a run: {error}") from None
