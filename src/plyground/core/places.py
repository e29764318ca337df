"""Where a user's own files live; knows nothing of what is in them."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """`$PLYGROUND_DATA`, or `plyground` in `$XDG_DATA_HOME` or in `~/.local/share`."""
    if chosen := os.environ.get("PLYGROUND_DATA"):
        return Path(chosen)
    base = Path(os.environ.get("XDG_DATA_HOME", ""))
    if not base.is_absolute():  # unset, or one that the standard says to ignore
        base = Path.home() / ".local" / "share"
    return base / "plyground"
