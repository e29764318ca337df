"""Random positions scored by the solvers, and again by a plain alpha-beta that shares no code.

    python bench/cross_check.py [--positions 100000] [--seed 1]

Half of them are of Connect Four, with 24 to 40 stones; half are of Othello with up to ten empty
squares, from random games and with discs thrown on the board by turns. The exit status tells
whether all scores were the same.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from pathlib import Path

from rich.progress import track

from plyground.games import connect_four, othello
from plyground.solvers.connect_four.solve import ConnectFourSolver
from plyground.solvers.othello.solve import OthelloSolver

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from othello_positions import random_position
from plain_solving import is_score_in_stones, plain_discs, random_columns, scattered_discs

MEMORY = 16 * 2**20


def check_connect_four(chance: random.Random, count: int) -> int:
    """How many scores were wrong."""
    game, wrong = connect_four.GAME, 0
    solver = ConnectFourSolver(game.initial())
    for _ in track(range(count), "Connect Four"):
        state = random_columns(chance, chance.randrange(24, 41))
        if not is_score_in_stones(state, score := solver.score(state)):
            wrong += 1
            print(f"connect4 {game.format_position(state)}: not {score}")
    return wrong


def check_othello(chance: random.Random, count: int) -> int:
    game, wrong = othello.GAME, 0
    solver = OthelloSolver(game.initial(), memory_bytes=MEMORY)
    for number in track(range(count), "Othello"):
        made = random_position if number % 2 else scattered_discs
        state = made(chance, chance.randrange(1, 11))
        if (score := solver.score(state)) != (plain := plain_discs(state)):
            wrong += 1
            print(f"othello {game.format_position(state)}: {plain}, not {score}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began_s, load = time.perf_counter(), os.getloadavg()[0]
    chance = random.Random(options.seed)
    half = options.positions // 2
    wrong = check_connect_four(chance, half) + check_othello(chance, options.positions - half)
    taken_s = time.perf_counter() - began_s
    print(f"{options.positions:,} positions, seed {options.seed}: {wrong} scores wrong", end="")
    print(f" ({taken_s:.0f} s, load {load:.1f} at first)")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
