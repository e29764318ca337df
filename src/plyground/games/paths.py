"""Notation of games that are walks down a tree: a move is a branch, a position the path to it.

Branches are numbered from 1, as in `2.1.3`; the first position is `root`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from plyground.core.errors import MalformedText
from plyground.games.rules import State
from plyground.games.spec import GameSpec

ROOT = "root"


def split_path(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,;.]+", text) if word]


def write_path(moves: Sequence[int]) -> str:
    return ".".join(str(move + 1) for move in moves) or ROOT


def walk_path(game: GameSpec, start: State, text: str) -> State:
    """The position at the end of a path. Raises InputError."""
    tokens = [] if text.strip().lower() == ROOT else split_path(text)
    if not tokens and not text.strip():
        raise MalformedText("the position is empty; expected root or a path such as 2.1.3")
    return game.replay(start, game.parse_moves(start, " ".join(tokens)))
