"""How fast the rules run: compiled against the naive references of the tests, in one run.

    make bench            or            python bench/rules.py [repeats]

Machines differ and are shared, so only ratios count. Each line takes the best of some repeats of
both sides, alternating, and prints the rates and their ratio.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from plyground.games.catalogue import find_game
from plyground.games.perft import perft
from plyground.games.playout import playouts
from plyground.kernel import Slab, plain_python
from references.connect_four import NaiveConnectFour
from references.double_card import NaiveDoubleCard
from references.kalah import NaiveKalah
from references.othello import NaiveOthello
from references.perft import perft as naive_perft

# game, depth compiled, the naive game, its depth, the ratio asked for
PERFTS = (
    ("othello", 10, NaiveOthello, 4, 200),
    ("connect4", 9, NaiveConnectFour, 5, 200),
    ("double-card", 4, NaiveDoubleCard, 2, 0),
    ("kalah", 11, NaiveKalah, 5, 0),
)
PLAYOUTS = 300_000


def rate(work: Callable[[], int]) -> float:
    """Units of work per second."""
    started = time.perf_counter()
    units = work()
    return units / (time.perf_counter() - started)


def compare(name: str, repeats: int, ours: Callable[[], int], other: Callable[[], int]) -> float:
    """Print both rates and return their ratio."""
    ours(), other()  # compiles, and warms caches
    pairs = [(rate(ours), rate(other)) for _ in range(repeats)]
    best, best_other = max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)
    ratio = best / best_other
    print(f"{name:44} {best / 1e6:10.3f} M/s {best_other / 1e6:10.4f} M/s {ratio:10,.1f} x")
    return ratio


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    print(f"{'':44} {'ours':>14} {'other':>14} {'ratio':>12}")
    for name, depth, naive, naive_depth, wanted in PERFTS:
        game = find_game(name)
        state, buffer = game.initial(), Slab((depth + 1) * game.max_moves)
        ratio = compare(
            f"perft {name}, leaves/s, against the naive one",
            repeats,
            lambda state=state, depth=depth, buffer=buffer: perft(state, depth, buffer, 0),
            lambda naive=naive, naive_depth=naive_depth: naive_perft(naive(), naive_depth),
        )
        if wanted:
            print(f"{'':44} asked for {wanted} x: {'met' if ratio >= wanted else 'MISSED'}")
    for name in ("connect4", "othello", "double-card"):
        game = find_game(name)
        state, buffer = game.initial(), Slab(game.max_moves)
        generator = np.array([1], np.uint64)

        def play(games: int, state=state, generator=generator, buffer=buffer) -> int:
            playouts(state, games, generator, buffer, 1000)
            return games

        def play_plain(games: int, play=play) -> int:
            with plain_python():
                return play(games)

        compare(
            f"play-outs {name}, games/s, against plain Python",
            repeats,
            lambda play=play, name=name: play(PLAYOUTS if name == "connect4" else PLAYOUTS // 10),
            lambda play_plain=play_plain: play_plain(5),
        )


if __name__ == "__main__":
    main()
