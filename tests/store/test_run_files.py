"""A run as a file: read back whole in every store, and refused when it is not whole."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plyground.core.errors import InputError
from plyground.store.run_files import read_run, write_run
from plyground.store.runs import NewRun, Runs, StoredCell
from plyground.store.store import Store

RUN = NewRun("toy", "abc", {"size": 3}, False, 7, {"python": "3"}, {"cores": 2}, 2)
CELLS = [StoredCell(key, "task", {"n": 1}, {"nodes": 5}, {"wall": [0.5]}, 0.5) for key in "ab"]


def filled(store: Store) -> Runs:
    runs = Runs(store)
    number = runs.begin(RUN).id
    for cell in CELLS:
        runs.add(number, cell)
    runs.finish(number)
    return runs


def test_a_run_comes_back_whole(empty_stores: Any, tmp_path: Path) -> None:
    path = tmp_path / "toy.jsonl.gz"
    runs = filled(empty_stores("sqlite"))
    write_run(runs.whole(1), path)
    for kind in ("sqlite", "postgresql"):
        others = Runs(empty_stores(kind))
        number, is_new = others.take(read_run(path))
        assert is_new
        assert others.cells(number) == runs.cells(1)
        assert replace(others.run(number), id=1) == runs.run(1)
        assert others.take(read_run(path)) == (number, False)
        again = tmp_path / "again.jsonl.gz"
        write_run(others.whole(number), again)
        assert again.read_bytes() == path.read_bytes()


def test_cells_that_are_missing_are_added(empty_stores: Any, tmp_path: Path) -> None:
    path = tmp_path / "toy.jsonl.gz"
    runs = Runs(empty_stores("sqlite"))
    number = runs.begin(RUN).id
    runs.add(number, CELLS[0])
    write_run(runs.whole(number), path)
    others = Runs(empty_stores("sqlite"))
    assert others.take(read_run(path)) == (1, True)
    assert (others.run(1).measured, others.run(1).finished) == (1, None)
    runs.add(number, CELLS[1])
    runs.finish(number)
    assert others.take(runs.whole(number)) == (1, False)
    assert others.run(1) == runs.run(number)


@pytest.mark.parametrize("spoil", ["cut", "empty", "text", "lines", "other", "short", "values"])
def test_what_is_not_a_run_is_refused(empty_stores: Any, tmp_path: Path, spoil: str) -> None:
    path = tmp_path / "toy.jsonl.gz"
    write_run(filled(empty_stores("sqlite")).whole(1), path)
    content = path.read_bytes()
    lines = gzip.decompress(content).splitlines()
    nested = json.dumps({**json.loads(lines[1]), "seconds": [1]}).encode()
    spoilt = {
        "cut": content[:-20],
        "empty": b"",
        "text": b"no run at all",
        "lines": gzip.compress(b"neither is this"),
        "other": gzip.compress(b'{"format": "another"}'),
        "short": gzip.compress(b"\n".join(lines[:-1])),
        "values": gzip.compress(b"\n".join([lines[0], nested, lines[2]])),
    }
    path.write_bytes(spoilt[spoil])
    with pytest.raises(InputError, match=r"toy\.jsonl\.gz"):
        read_run(path)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_run(tmp_path / "none.jsonl.gz")
