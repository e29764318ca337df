"""How many workers a proof by parts can use: real parts and their real cost, workers simulated.

    python bench/othello_scaling.py [--moves c2b4...] [--leaf 21]

The proof of a 6x6 position asks for parts as it would ask a cluster (`solvers/othello/proof.py`).
Each part is solved once, with an empty table, and its nodes are its duration; so many workers as
are simulated finish their parts in that order. What is lost is work that a wrong hope had asked
for, and workers that rest because nothing can be asked yet.
"""

from __future__ import annotations

import argparse
import heapq
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar

from plyground.games.othello import GAME, Othello
from plyground.games.rules import cells_left
from plyground.solvers.othello.proof import (
    LeafAnswer,
    open_proof,
    proof_path,
    solve_leaf,
    solver_of,
)

WORKERS = (1, 2, 4, 8, 16, 32, 64)
MEMORY = 2**22
OPENING = "c2 b4 c5 d2"  # 28 squares are left


class Crowd:
    """Workers whose clocks count nodes."""

    known: ClassVar[dict[tuple[int, int, int], LeafAnswer]] = {}

    def __init__(self, size: int) -> None:
        self.size, self.clock, self.work = size, 0, 0

    def run(
        self, function: Callable[..., Any], tasks: Iterable[dict[str, Any] | None]
    ) -> Iterator[tuple[dict[str, Any], LeafAnswer]]:
        source, under_way, count = iter(tasks), [], 0
        is_over = False
        while True:
            while not is_over and len(under_way) < self.size:
                try:
                    task = next(source)
                except StopIteration:
                    is_over = True
                    break
                if task is None:
                    break
                found = self._solved(task)
                self.work += found.nodes
                count += 1
                heapq.heappush(under_way, (self.clock + found.nodes, count, task, found))
            if not under_way:
                return
            self.clock, _, task, found = heapq.heappop(under_way)
            yield task, found

    def _solved(self, task: dict[str, Any]) -> LeafAnswer:
        key = task["me"], task["opp"], task["alpha"]
        if key not in self.known:
            solver_of(task["size"], task["memory"]).forget()
            self.known[key] = solve_leaf(task)
        return self.known[key]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", default=OPENING)
    parser.add_argument("--leaf", type=int, default=21)
    options = parser.parse_args()
    start = GAME.initial(size=6)
    state = GAME.replay(start, GAME.parse_moves(start, options.moves))
    assert isinstance(state, Othello)
    print(f"{cells_left(state)} empty squares, parts of {options.leaf}")
    print(f"{'workers':>8} {'parts':>7} {'nodes':>14} {'faster':>8} {'of work':>8} {'busy':>6}")
    first: Crowd | None = None
    for size in WORKERS:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["PLYGROUND_DATA"] = folder
            crowd = Crowd(size)
            with open_proof(state, options.leaf, MEMORY) as proof:
                parts = sum(1 for _ in proof.run(crowd))  # type: ignore[arg-type]
            assert proof_path(state).is_relative_to(folder)
        first = first or crowd
        faster, more = first.clock / crowd.clock, crowd.work / first.work
        busy = crowd.work / crowd.clock / size
        told = f"{size:>8} {parts:>7,} {crowd.work:>14,}"
        print(f"{told} {faster:>7.1f}x {more:>7.2f}x {busy:>6.0%}", flush=True)


if __name__ == "__main__":
    main()
