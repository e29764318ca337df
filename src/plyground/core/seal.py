"""A seal under what this user's program wrote, which nobody else can make.

A saved game or a job may name code or an engine (`naming.py`). Sealed, these are the user's own
words, stored by the program; without a seal they came from elsewhere and are data. The key is a
file in the user's home that only they can read, apart from the data folder, which may be copied or
sent. Where no key can be stored nothing is sealed, and the user types the words again.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import secrets
import threading
from pathlib import Path
from typing import Any

from plyground.core.files import write_new
from plyground.core.places import state_folder

KEY_BYTES = 32
_making = threading.Lock()


def seal(data: Any) -> str:
    """The seal of plain data; empty if there is no key."""
    key = _key() or _new_key()
    return _made(key, data) if key else ""


def is_sealed(data: Any, given: str) -> bool:
    """Whether this user's program has sealed this very data."""
    key = _key()
    if key is None or not given.isascii():  # only ASCII can be compared
        return False
    return hmac.compare_digest(_made(key, data), given)


def _made(key: bytes, data: Any) -> str:
    return hmac.new(key, json.dumps(data).encode(), hashlib.sha256).hexdigest()


def _file() -> Path:
    return state_folder() / "key"


def _key() -> bytes | None:
    with contextlib.suppress(OSError):
        key = _file().read_bytes()
        return key if len(key) == KEY_BYTES else None
    return None


def _new_key() -> bytes | None:
    """The key that is made now, or that another process made first."""
    with _making, contextlib.suppress(OSError):
        _file().parent.mkdir(parents=True, exist_ok=True)
        write_new(_file(), secrets.token_bytes(KEY_BYTES), mode=0o600)
    return _key()
