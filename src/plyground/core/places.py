"""Where a user's own files live."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """`$PLYGROUND_DATA`, or `plyground` in `$XDG_DATA_HOME` or in `~/.local/share`."""
    if chosen := os.environ.get("PLYGROUND_DATA"):
        return Path(chosen)
    return _standard("XDG_DATA_HOME", "share")


def state_folder() -> Path:
    """What belongs to this user on this machine: `plyground` in `$XDG_STATE_HOME`."""
    return _standard("XDG_STATE_HOME", "state")


def config_folder() -> Path:
    """What the user chose: `plyground` in `$XDG_CONFIG_HOME` or in `~/.config`."""
    return _standard("XDG_CONFIG_HOME", ".config", hidden="")


def cache_folder() -> Path:
    """What can be made again: `$PLYGROUND_CACHE`, or `plyground` in the user's cache folder."""
    if chosen := os.environ.get("PLYGROUND_CACHE"):
        return Path(chosen)
    return _standard("XDG_CACHE_HOME", ".cache", hidden="")


def _standard(variable: str, usual: str, hidden: str = ".local") -> Path:
    base = Path(os.environ.get(variable, ""))
    if not base.is_absolute():  # unset, or one that the standard says to ignore
        base = Path.home() / hidden / usual
    return base / "plyground"
