"""How fast Othello endgames are solved, moves generated, and what a second thread adds.

    python bench/othello_endgame.py [repeats] [--six]

FForum #40 to #44, each with an empty table and no evaluation file. Asked for, on one core: all five
within 18 CPU seconds at 20 million nodes/s, and two threads at least 1.6 times as fast; perft
without a table at 250 million leaves/s. Of some repeats the best counts, one thread and two in
turns; machines are noisy. Node counts of one thread are asserted. `--six` solves 6x6 from the start
too, by two threads and 1 GB: minutes.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from pathlib import Path

from plyground.games.othello import GAME, Othello
from plyground.games.perft import perft, perft_remembered, perft_table
from plyground.kernel import Slab
from plyground.solvers.othello.solve import OthelloSolver

DATA = Path(__file__).parent.parent / "tests" / "data" / "othello"
NUMBERS = range(40, 45)
PERFT_DEPTH, PERFT_LEAVES = 11, 212_258_800
DEEP, DEEP_LEAVES = 13, 18_429_641_748


def rows(name: str) -> Iterator[list[str]]:
    for line in (DATA / name).read_text().split("\n"):
        if line and not line.startswith("#"):
            yield line.split("\t")


def problems() -> list[tuple[int, Othello, int, int]]:
    """Number, position, score, and the nodes that one thread takes."""
    golden = {int(number): int(nodes) for number, nodes in rows("nodes.tsv")}
    found = []
    for number, cells, side, _, score, *_ in rows("ffo.tsv"):
        if int(number) in NUMBERS:
            state = GAME.parse_position(GAME.initial(), f"{cells} {side}")
            assert isinstance(state, Othello)
            found.append((int(number), state, int(score), golden[int(number)]))
    return found


def solve_all(threads: int) -> tuple[float, float, int]:
    """Seconds, CPU seconds and nodes for all problems."""
    solver = OthelloSolver(GAME.initial(), threads=threads)
    solver.prepare()
    nodes, wall_s, cpu_s = 0, time.perf_counter(), time.process_time()
    for number, state, score, golden in problems():
        solver.forget()
        found = solver.score(state)
        assert found == score, f"#{number}: {found} instead of {score}"
        is_golden = threads > 1 or solver.nodes == golden
        assert is_golden, f"#{number}: {solver.nodes:,} nodes instead of {golden:,}"
        nodes += solver.nodes
    return time.perf_counter() - wall_s, time.process_time() - cpu_s, nodes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repeats", nargs="?", type=int, default=3)
    parser.add_argument("--six", action="store_true")
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}")
    ones, twos = [], []
    for _ in range(options.repeats):
        ones.append(solve_all(1))
        twos.append(solve_all(2))
    wall_s, cpu_s, nodes = min(ones)
    speed = f"{nodes / cpu_s / 1e6:.1f} M/s"
    print(f"#40-44, one thread   {nodes:>13,} nodes  {cpu_s:6.2f} CPU s  {speed}")
    both_s, both_cpu_s, both_nodes = min(twos)
    print(
        f"#40-44, two threads  {both_nodes:>13,} nodes  {both_cpu_s:6.2f} CPU s  in {both_s:.2f} s"
    )
    print(f"two threads are {wall_s / both_s:.2f} x as fast as one")
    state, buffer = GAME.initial(), Slab(100 * (DEEP + 1))
    perft(state, 1, buffer, 0)
    times = []
    for _ in range(options.repeats):
        began = time.perf_counter()
        assert perft(state, PERFT_DEPTH, buffer, 0) == PERFT_LEAVES
        times.append(time.perf_counter() - began)
    rate = PERFT_LEAVES / min(times)
    print(f"perft {PERFT_DEPTH}             {rate / 1e6:.0f} million leaves/s")
    table, bits = perft_table(state, 2**28)
    perft_remembered(state, 1, buffer, 0, table, bits)
    began = time.perf_counter()
    assert perft_remembered(state, DEEP, buffer, 0, table, bits) == DEEP_LEAVES
    spent = time.perf_counter() - began
    print(f"perft {DEEP} with 256 MB  {spent:.1f} s, {DEEP_LEAVES / spent / rate:.1f} x as fast")
    if options.six:
        start = GAME.initial(size=6)
        solver = OthelloSolver(start, 2**30, threads=2)
        solver.prepare()
        began = time.perf_counter()
        score = solver.score(start)
        spent = time.perf_counter() - began
        print(f"6x6 from the start   {score:+d}  {solver.nodes:,} nodes, {spent:.0f} s")


if __name__ == "__main__":
    main()
