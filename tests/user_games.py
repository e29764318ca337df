"""A game as a user would write it in one file, for tests that edit it, break it and run it.

The game is a heap from which one takes up to MOST; whoever takes the last one wins. How many ways
there are to empty the heap is known without the program: `count_games`.
"""

from __future__ import annotations

import functools
from pathlib import Path

from plyground import extensions
from plyground.core.naming import name_code
from plyground.games.catalogue import load_file
from plyground.games.spec import GameSpec

HEAP = 10

HEAP_GAME = '''"""A heap: take one or more, up to MOST; whoever takes the last one wins."""

from typing import NamedTuple

from plyground.games.spec import GameSpec

MOST = 2


class Heap(NamedTuple):
    left: int
    side: int

    def legal_moves(self, moves, start):
        for take in range(1, min(MOST, self.left) + 1):
            moves[start] = take
            start += 1
        return start

    def play(self, move):
        return Heap(self.left - move, 1 - self.side)

    def is_over(self):
        return self.left == 0

    def outcome(self):
        return -1  # the other side took the last one


GAME = GameSpec(
    name="heap",
    title="Heap",
    summary="Take the last one.",
    start=lambda: Heap(10, 0),
    max_moves=5,
    sample="1",
)
'''


def example_game(name: str) -> GameSpec:
    """An example of a game in one file, not left in the catalogues for other tests."""
    game = load_file(Path(__file__).parents[1] / "examples" / name)
    extensions.forget_all()
    return game


def write_game(path: Path, *edits: tuple[str, str]) -> Path:
    """Write the game to a file, with some of its lines replaced by others; it may be run here."""
    name_code(str(path))
    text = HEAP_GAME
    for old, new in edits:
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times in the game"
        text = text.replace(old, new)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def line_of(path: Path, text: str) -> int:
    """The number of the line of a file that contains a text."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, start=1) if text in line)


@functools.cache
def count_games(most: int, left: int = HEAP) -> int:
    """All ways to play the game to its end: its perft at any depth from `left` on."""
    if left == 0:
        return 1
    return sum(count_games(most, left - take) for take in range(1, min(most, left) + 1))
