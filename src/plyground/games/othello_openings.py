"""What people call the openings of Othello, after the catalogue that Robert Gatliff collected.

A name belongs to a position, so it is found from all sides of the board and by whatever order of
moves led there; of several the last that a game went through counts. Knows the 8x8 board only.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from plyground.games import squares
from plyground.games.rules import State, count_symmetries, play, transform

SIZE = 8
OPENINGS = (
    ("Perpendicular", "f5d6"),
    ("Tiger", "f5d6c3d3c4"),
    ("Aubrey", "f5d6c3d3c4b3"),
    ("Aubrey, Feldborg Continuation", "f5d6c3d3c4b3d2f4"),
    ("Rose-Bill", "f5d6c3d3c4f4c5b3c2"),
    ("Central Rose-Bill", "f5d6c3d3c4f4c5b3c2b4"),
    ("Tamenori", "f5d6c3d3c4f4c5b3c2e6"),
    ("Ishii", "f5d6c3d3c4f4c5b4b5c6f3e6e3"),
    ("Mainline Tiger", "f5d6c3d3c4f4c5b4b5c6f3e6e3g6f6g5d7g3"),
    ("Brightwell", "f5d6c3d3c4f4e3"),
    ("Leader's Tiger", "f5d6c3d3c4f4e6"),
    ("Stephenson", "f5d6c3d3c4f4f6"),
    ("Kung", "f5d6c3d3c4f4f6b4"),
    ("Comp'Oth", "f5d6c3d3c4f4f6f3"),
    ("Lightning Bolt", "f5d6c3d3c4f4f6f3e3"),
    ("F.A.T. Draw", "f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3h5h7"),
    ("No-Kung", "f5d6c3d3c4f4f6g5"),
    ("No-Kung, Continuation", "f5d6c3d3c4f4f6g5e3f3g4h3g3f2"),
    ("Ganglion", "f5d6c3g5"),
    ("Cat", "f5d6c4d3c5"),
    ("Berner", "f5d6c4d3c5f4e3f3c2b4b3"),
    ("Sakaguchi", "f5d6c4d3c5f4e3f3c2c6"),
    ("Italian", "f5d6c4d3e6"),
    ("No-Cat", "f5d6c4g5"),
    ("Swallow", "f5d6c4g5c6"),
    ("No-Cat, Continuation", "f5d6c4g5c6c5d7d3b4c3e3f3"),
    ("Horse", "f5d6c5f4d3"),
    ("Ralle", "f5d6c5f4e3c6d3f3"),
    ("Rose", "f5d6c5f4e3c6d3f6e6d7"),
    ("Greenberg", "f5d6c5f4e3c6d3f6e6d7e7"),
    ("Rose-Birth", "f5d6c5f4e3c6d3f6e6d7g3c4"),
    ("Rose-Birdie", "f5d6c5f4e3c6d3f6e6d7g3c4b4"),
    ("Rose-Tamenori-Kling", "f5d6c5f4e3c6d3f6e6d7g3c4b4c3"),
    ("Brightstein", "f5d6c5f4e3c6d3f6e6d7g3c4g5c3b4e2"),
    ("Flat", "f5d6c5f4e3c6d3f6e6d7g4"),
    ("Rotating Flat", "f5d6c5f4e3c6d3f6e6d7g4c4"),
    ("Rotating Flat, Kling Continuation", "f5d6c5f4e3c6d3f6e6d7g4c4g5c3f7d2e7f2"),
    ("Murakami Variation", "f5d6c5f4e3c6d3f6e6d7g4c4g6"),
    ("Bhagat", "f5d6c5f4e3c6d7"),
    ("Inoue", "f5d6c5f4e3c6e6"),
    ("Iago", "f5d6c5f4e3c6e6f6"),
    ("Shaman", "f5d6c5f4e3c6f3"),
    ("Mimura", "f5d6c5f4e3d3"),
    ("Parallel", "f5f4"),
    ("Diagonal", "f5f6"),
    ("Semi-Wing Variation", "f5f6c4f4"),
    ("Wing Variation", "f5f6d3f4"),
    ("Buffalo", "f5f6e6f4c3"),
    ("Hokuriku Buffalo", "f5f6e6f4c3c4"),
    ("Tanida Buffalo", "f5f6e6f4c3d6f3c4c5b4"),
    ("Maruoka Buffalo", "f5f6e6f4c3d7f3"),
    ("Cow", "f5f6e6f4e3"),
    ("Rose-v-Toth", "f5f6e6f4e3c5c4"),
    ("Landau", "f5f6e6f4e3c5c4d3c3"),
    ("Maruoka", "f5f6e6f4e3c5c4d3f3e2"),
    ("Tanida", "f5f6e6f4e3c5c4e7"),
    ("Sailboat", "f5f6e6f4e3c5c4e7b5e2"),
    ("Aircraft", "f5f6e6f4e3c5c4e7g4"),
    ("Cow Bat", "f5f6e6f4e3c5g5"),
    ("Bat, Kling Alternative", "f5f6e6f4e3c5g5d6g6"),
    ("Bat, Kling Continuation", "f5f6e6f4e3c5g5f3g4g6g3d6f7h5h4h3e7"),
    ("Melnikov Bat", "f5f6e6f4e3c5g5g3g4f3c4"),
    ("Bat, Piau Continuation 2", "f5f6e6f4e3c5g5g3g4f3g6"),
    ("Chimney", "f5f6e6f4e3d6"),
    ("Rocket", "f5f6e6f4g3"),
    ("Lollipop", "f5f6e6f4g3d6"),
    ("Hamilton", "f5f6e6f4g3f3g4"),
    ("Raccoon Dog", "f5f6e6f4g4"),
    ("Heath", "f5f6e6f4g5"),
    ("Heath-Chimney", "f5f6e6f4g5d6"),
    ("Iwasaki Variation", "f5f6e6f4g5e7d7"),
    ("Heath-Bat", "f5f6e6f4g5e7e3"),
    ("Mimura Variation II", "f5f6e6f4g5e7f7c5e3f3c4d3c2"),
    ("Snake", "f5f6e6f4g6"),
    ("Pyramid", "f5f6e6f4g6c5g4g5f3e3c4"),
    ("Lysons", "f5f6e6f4g6c6"),
    ("X-square", "f5f6e6f4g7"),
)
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
