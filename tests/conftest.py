"""Whatever is under test keeps its games in a folder of its own; properties are not timed.

The same examples are tried every time, so that a change is judged by what it changes; `make full`
looks for new ones.
"""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("exploring", UNTIMED)
settings.register_profile("steady", UNTIMED, derandomize=True)
settings.load_profile("steady")

# A shell that starts the tests in the background makes them deaf to Ctrl-C, and their children too.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("PLYGROUND_DATA", str(folder))
    return folder
