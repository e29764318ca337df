"""`make test` tells what a busy machine made fail from what is broken."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

AGAIN = Path(__file__).with_name("again.py")
FLAKY = """
from pathlib import Path

def test_that_passes_the_second_time():
    marker = Path(__file__).with_name("marker")
    is_there = marker.exists()
    marker.touch()
    assert is_there

def test_that_always_passes():
    assert 1 + 1 == 2
"""
BROKEN = """
def test_that_never_passes():
    assert 1 + 1 == 3
"""


def run_twice(folder: Path) -> subprocess.CompletedProcess[str]:
    first = subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=folder, capture_output=True)
    assert first.returncode == 1
    return subprocess.run(
        [sys.executable, str(AGAIN)], cwd=folder, capture_output=True, text=True, timeout=300
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p no:schemathesis\n")
    return tmp_path


def test_what_passes_alone_is_named_and_does_not_fail_the_run(folder):
    (folder / "test_flaky.py").write_text(FLAKY)
    done = run_twice(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
    told = done.stdout.partition("Passed only when run alone")[2]
    assert "test_flaky.py::test_that_passes_the_second_time" in told
    assert "test_that_always_passes" not in done.stdout


def test_what_fails_again_fails_the_run(folder):
    (folder / "test_flaky.py").write_text(FLAKY)
    (folder / "test_broken.py").write_text(BROKEN)
    done = run_twice(folder)
    assert done.returncode == 1
    assert "Passed only when run alone" not in done.stdout
