"""How soon compiled code stops on Ctrl-C, and what looking for it costs a search.

    python bench/interrupts.py [ROUNDS]

The cost is the ratio of CPU seconds with and without a stop flag, the least of each, in one run.
"""

from __future__ import annotations

import os
import signal
import statistics
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from plyground.core.scores import INFINITY
from plyground.evaluation.catalogue import find_evaluator
from plyground.games.catalogue import find_game
from plyground.games.perft import perft
from plyground.games.playout import playouts
from plyground.kernel import Slab
from plyground.search.catalogue import find_algorithm
from plyground.search.run import Workshop, search
from plyground.search.setup import MOST_NODES, Limits, Setup
from plyground.solvers.catalogue import solver_for

ENDLESS = 10**15
COSTS = (
    ("connect4", "alphabeta", "columns", 12),
    ("connect4", "minimax", "zero", 9),
    ("connect4", "abmemory", "threats", 12),
    ("mnk", "negamax", "zero", 9),
    ("othello", "alphabeta", "factors", 9),
    ("kalah", "alphabeta", "stores", 12),
)


def delay_s(work: Callable[[], Any]) -> float:
    """Seconds from the signal to the end of the work."""
    pressed: list[float] = []

    def press() -> None:
        pressed.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.2, press)
    timer.start()
    try:
        work()
    except KeyboardInterrupt:
        return time.perf_counter() - pressed[0]
    raise SystemExit("it ended by itself")


def delays(rounds: int) -> None:
    game = find_game("connect4")
    state = game.initial(width=8, height=6)
    room, generator = Slab(60 * game.max_moves), np.array([1], np.uint64)
    works: dict[str, Callable[[], Any]] = {
        "perft": lambda: perft(state, 40, room, 0),
        "random games": lambda: playouts(state, ENDLESS, generator, room, 99),
    }
    for name in ("minimax", "alphabeta", "abmemory", "mtdf", "uct"):
        judge = find_evaluator(None, state).make()
        setup = Setup(find_algorithm(name), judge, simulations=ENDLESS)
        works[name] = lambda setup=setup: search(game, state, setup, Limits(depth=45))
        search(game, state, setup, Limits(depth=1, nodes=1))
    solver = solver_for(game, state)
    solver.prepare()
    works["solver"] = lambda: solver.score(state)
    perft(state, 1, room, 0)
    playouts(state, 1, generator, room, 1)
    for name, work in works.items():
        took = [1000 * delay_s(work) for _ in range(rounds)]
        print(f"{name:>14}: median {statistics.median(took):5.1f} ms, worst {max(took):5.1f} ms")


def costs(rounds: int) -> None:
    for name, algorithm, judge, depth in COSTS:
        game = find_game(name)
        state = game.initial()
        chosen = find_algorithm(algorithm)
        evaluator = find_evaluator(judge, state).make()
        setup = Setup(chosen, evaluator, memory_bytes=1 << 20)
        kernel: Any = chosen.kernel
        least = {True: float("inf"), False: float("inf")}
        with Workshop(game, setup, None, None) as workshop:
            for _ in range(rounds + 1):
                for looks in (True, False):
                    parts = workshop.parts(state, depth, MOST_NODES)
                    if parts.table is not None:  # a new age: nothing is known
                        workshop.table = parts.table._replace(age=parts.table.age + 1)
                        parts = parts._replace(table=workshop.table)
                    parts = parts if looks else parts._replace(clock=None)
                    window = (-INFINITY, INFINITY) if chosen.call == "window" else ()
                    started = time.process_time()
                    kernel(state, evaluator, depth, *window, parts)
                    least[looks] = min(least[looks], time.process_time() - started)
        ratio = least[True] / least[False]
        print(
            f"{name:>10} {algorithm:>10} {depth:2}: with a flag {ratio:.3f} x ({least[True]:.3f} s)"
        )


if __name__ == "__main__":
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print(f"load {os.getloadavg()[0]:.1f}")
    delays(rounds)
    costs(rounds)
