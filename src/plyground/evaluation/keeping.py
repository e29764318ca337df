"""What was found out about a game, once: held in this process, and on disk for the next.

The file is named by a digest of the rules, the drawing of the board and the first state, so that an
edited game is another game. What has no digest is found out in every process.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from plyground import __version__
from plyground.code_digest import digest_of
from plyground.core.errors import MalformedText
from plyground.core.files import write_whole
from plyground.core.json_text import read_json
from plyground.core.places import cache_folder
from plyground.games.rules import State
from plyground.games.spec import GameSpec

MOST_HELD = 200
Kept = TypeVar("Kept")

_held: dict[tuple[object, ...], Any] = {}
_lock = threading.RLock()  # whoever needs the same waits, and does not find it out again


def kept(
    what: str,
    version: int,
    game: GameSpec,
    start: State,
    find: Callable[[], Any],
    use: Callable[[Any], Kept],
) -> Kept:
    """What `use` makes of the JSON data that `find` returns, or returned before.

    `version` changes with the way to find it.
    """
    kind = game.max_moves, game.has_margin, game.is_scored
    key = what, version, game.name, type(start), game.board, *kind, *start
    made: Kept | None = _held.get(key)
    if made is None:
        with _lock:
            made = _held.get(key)
            if made is None:
                made = use(_read_or_find(_path(what, version, game, start), find))
                while len(_held) >= MOST_HELD:
                    del _held[next(iter(_held))]
                _held[key] = made
    return made


def _path(what: str, version: int, game: GameSpec, start: State) -> Path | None:
    digest = digest_of(type(start), *([game.board] if game.board else []))
    if digest is None:
        return None
    kind = game.max_moves, game.has_margin, game.is_scored
    about = __version__, version, *kind, digest, [int(field) for field in start]
    name = hashlib.sha256(repr(about).encode()).hexdigest()[:40]
    return cache_folder() / f"{what}-{name}.json"


def _read_or_find(path: Path | None, find: Callable[[], Any]) -> Any:
    with contextlib.suppress(OSError, MalformedText):
        if path is not None:
            return read_json(path.read_bytes())
    found = find()
    with contextlib.suppress(OSError):  # no disk: slower, not wrong
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps(found).encode(), durable=False)
    return found
