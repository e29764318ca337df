"""Whatever is under test keeps its games in a folder of its own; properties are not timed.

The same examples are tried every time, so that a change is judged by what it changes; `make full`
looks for new ones.
"""

from __future__ import annotations

import atexit
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from plyground import extensions
from plyground.core import naming
from plyground.kernel import plain_python

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("exploring", UNTIMED)
settings.register_profile("steady", UNTIMED, derandomize=True)
settings.load_profile("steady")

# The key that seals jobs and saved games: one for all tests, and not the user's own.
_state = tempfile.TemporaryDirectory()
atexit.register(_state.cleanup)
os.environ["XDG_STATE_HOME"] = _state.name
os.environ["PLYGROUND_DATA"] = _state.name  # for what is looked up before a test begins
os.environ["XDG_CONFIG_HOME"] = _state.name  # and no files that the user lists in the settings

# Hundreds of commands are started: to compile all modules anew takes each a third of a second.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell that starts the tests in the background makes them deaf to Ctrl-C, and their children too.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("PLYGROUND_DATA", str(folder))
    return folder


@pytest.fixture(autouse=True)
def named_code() -> Iterator[None]:
    """What one test names as its user, no other test may rely on."""
    before = naming.all_named()
    extensions.forget_all()
    yield
    extensions.forget_all()
    naming.forget_all()
    naming.name_all(before)


@pytest.fixture
def plain() -> Iterator[None]:
    """For searches of a few nodes, which a compiler would take seconds to prepare."""
    with plain_python():
        yield


@pytest.fixture(scope="session")
def chromium_browser() -> Iterator[Any]:
    """One for all tests of a process: a second Playwright beside it would not start."""
    from playwright.sync_api import sync_playwright
    from web_server import QUIET, chromium

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=list(QUIET))
        yield started
        started.close()
