"""Without the other library, one line says which extra brings it."""

from __future__ import annotations

import importlib
import sys

import pytest

from plyground.core.errors import Unsupported


@pytest.mark.parametrize(
    ("library", "adapter", "extra"),
    [
        ("pyspiel", "open_spiel", "open-spiel"),
        ("pyspiel", "open_spiel_bot", "open-spiel"),
        ("pettingzoo", "pettingzoo", "pettingzoo"),
    ],
)
def test_a_library_that_is_not_installed_is_named(library, adapter, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)  # as good as not installed
    for name in ("open_spiel", "open_spiel_bot", "pettingzoo"):
        monkeypatch.delitem(sys.modules, f"plyground.adapters.{name}", raising=False)
    needed = rf"which is not installed: pip install 'plyground\[{extra}\]'"
    with pytest.raises(Unsupported, match=needed):
        importlib.import_module(f"plyground.adapters.{adapter}")
