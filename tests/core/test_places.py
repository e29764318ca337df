"""Where a user's own files live."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground.core.places import data_folder


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.delenv("PLYGROUND_DATA", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_without_any_setting_it_is_where_the_standard_puts_it(home):
    assert data_folder() == home / ".local" / "share" / "plyground"


def test_the_standard_setting_moves_it(home, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "elsewhere"))
    assert data_folder() == home / "elsewhere" / "plyground"


@pytest.mark.parametrize("ignored", ["", "relative/folder"])
def test_a_standard_setting_that_is_no_absolute_path_is_ignored(home, monkeypatch, ignored):
    monkeypatch.setenv("XDG_DATA_HOME", ignored)
    assert data_folder() == home / ".local" / "share" / "plyground"


def test_our_own_setting_goes_before_all(home, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "elsewhere"))
    monkeypatch.setenv("PLYGROUND_DATA", str(home / "here"))
    assert data_folder() == home / "here"
