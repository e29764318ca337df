"""Whatever is under test keeps its games in a folder of its own."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

# A shell that starts the tests in the background makes them deaf to Ctrl-C, and their children too.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("PLYGROUND_DATA", str(folder))
    return folder
