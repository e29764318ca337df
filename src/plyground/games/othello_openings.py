"""What people call the openings of Othello, after the catalogue that Robert Gatliff collected.

A name belongs to a position, so it is found from all sides of the board and by whatever order of
moves led there; of several the last that a game went through counts. All are of the 8x8 board.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from importlib import resources

from plyground.games import squares
from plyground.games.rules import State, count_symmetries, play, transform

SIZE = 8
_LISTED = (resources.files("plyground.games") / "othello_openings.txt").read_text("utf-8")
_LINES = (line.split(" ", 1) for line in _LISTED.splitlines())
OPENINGS = [(name, moves) for moves, name in _LINES]
LONGEST = max(len(moves) for _, moves in OPENINGS) // 2


def name_opening(start: State, moves: Sequence[int]) -> str | None:
    """The name of the opening that these moves make, if it has one."""
    return _name(start, tuple(int(move) for move in moves[:LONGEST]))


@functools.lru_cache(maxsize=10_000)
def _name(start: State, moves: tuple[int, ...]) -> str | None:
    names = _named()
    state, found = start, names.get(start)
    for move in moves:
        state = play(state, move)
        found = names.get(state, found)
    return found


@functools.cache
def _named() -> dict[State, str]:
    """All positions with a name, from all sides."""
    from plyground.games.othello import start  # it needs this file to be what it is

    found: dict[State, str] = {}
    for name, moves in OPENINGS:
        state = start(SIZE)
        for square in squares.split_squares(moves):
            state = play(state, squares.parse_square(square, SIZE, SIZE))
        for symmetry in range(count_symmetries(state)):
            found[transform(state, symmetry)] = name
    return found
