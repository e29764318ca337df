"""What the front door costs: importing it, a move, and a search beside the command's own time.

python bench/front_door.py
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import timeit

import plyground as pg
from plyground.games.rules import legal_moves, play

ROUNDS = 7
GAMES = {"connect4": "4", "othello": "f5", "kalah": "3", "mnk": "b2", "double-card": None}
DEPTH = 10


def run(*arguments: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    return time.perf_counter() - began


def imports() -> None:
    bare = min(run("-c", "pass") for _ in range(ROUNDS))
    door = min(run("-c", "import plyground") for _ in range(ROUNDS))
    first = min(
        run("-c", "import plyground as pg; pg.Position('othello').legal") for _ in range(ROUNDS)
    )
    print(f"python -c pass           {1000 * bare:6.0f} ms")
    print(f"import plyground         {1000 * door:6.0f} ms  (+{1000 * (door - bare):.0f})")
    print(f"and a position           {1000 * first:6.0f} ms  (+{1000 * (first - bare):.0f})")


def moves() -> None:
    import numpy as np

    for name, move in GAMES.items():
        position = pg.Position(name)
        move = move or position.legal[0]
        code, buffer = position.play(move).code, np.zeros(1024, np.int32)

        def fresh(position: pg.Position = position, move: str = move) -> object:
            state = position.start
            return position._make(position.game, position.settings, state, None, state).play(move)

        def verbs(state=position.state, code=code, buffer=buffer) -> object:
            legal_moves(state, buffer, 0)
            return play(state, code)

        own = min(timeit.repeat(fresh, number=2000, repeat=ROUNDS)) / 2000 * 1e6
        plain = min(timeit.repeat(verbs, number=2000, repeat=ROUNDS)) / 2000 * 1e6
        print(
            f"{name:12} play by text {own:6.1f} us, verbs alone {plain:6.1f}  {own / plain:5.2f}x"
        )


def searches() -> None:
    """The same search by the object and by the command, each timed by itself."""
    position = pg.Position("connect4")
    position.search("alphabeta", depth=2)
    by_object, by_command, own = [], [], []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        found = position.search("alphabeta", depth=DEPTH)
        by_object.append(time.perf_counter() - began)
        own.append(found.seconds)
        command = ["search", "connect4", "-a", "alphabeta", "--json", "-d"]
        told = subprocess.run(
            [sys.executable, "-m", "plyground", *command, str(DEPTH)],
            check=True,
            capture_output=True,
            text=True,
        )
        by_command.append(json.loads(told.stdout)["time_s"])
    best = min(by_object), min(by_command), min(own)
    print(f"search from Python {best[0]:.4f} s (its own time {best[2]:.4f}), command {best[1]:.4f}")
    print(f"ratio {best[0] / best[1]:.3f}")


if __name__ == "__main__":
    imports()
    moves()
    searches()
