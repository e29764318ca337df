"""Runs and pairs are of the code that all imported files hold, not of the outermost one."""

from __future__ import annotations

from pathlib import Path

import pytest
from user_games import write_game

from plyground import extensions
from plyground.games.catalogue import code_digest_of, find_game
from plyground.lab import surroundings
from plyground.lab.spec import Cell
from plyground.matches.plan import Plan

IMPORTING = ("MOST = 2", "from heap_limits import MOST")


def loaded(folder: Path, limits: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of a game that imports a file beside it, as another process would load it."""
    path = write_game(folder / "heap.py", IMPORTING)
    path.with_name("heap_limits.py").write_text(limits)
    monkeypatch.delitem(__import__("sys").modules, "heap_limits", raising=False)
    extensions.forget_all()
    return str(path)


def test_a_pair_is_of_all_files_that_its_game_imports(tmp_path, monkeypatch):
    path = loaded(tmp_path / "a", "MOST = 2\n", monkeypatch)
    (before, *_) = Plan(path, pairs=1).pairs_of(("first", "random"))
    path = loaded(tmp_path / "a", "MOST = 3\n", monkeypatch)
    (after, *_) = Plan(path, pairs=1).pairs_of(("first", "random"))
    assert before.code != after.code
    assert before.key != after.key


def test_a_run_is_of_all_files_that_its_games_import(tmp_path, monkeypatch):
    path = loaded(tmp_path / "b", "MOST = 2\n", monkeypatch)
    cells = [Cell("lab_toy:step", {"game": path})]
    before = surroundings.versions(cells)
    assert surroundings.versions(cells) == before
    loaded(tmp_path / "b", "MOST = 3\n", monkeypatch)
    after = surroundings.versions(cells)
    assert {name for name in after if after[name] != before[name]} == {"code"}


def test_one_file_in_two_folders_is_one_game(tmp_path, monkeypatch):
    one, other = (loaded(tmp_path / name, "MOST = 2\n", monkeypatch) for name in ("c", "d"))
    assert code_digest_of(find_game(one)) == code_digest_of(find_game(other)) != ""


def test_a_built_in_game_has_a_version_instead():
    assert code_digest_of(find_game("connect4")) == ""
