"""How fast Connect Four is solved: known positions, the empty board, and others that can do it.

    python bench/connect_four.py [repeats]

Each position is solved with an empty table, and timed inside the solver. Asked for, on one core:
means of at most 0.3 ms on L1_R1, 0.03 ms on L2_R1 and 0.005 ms on L3_R1, and the empty board within
3 s and 20 million nodes. The sets are samples of 60 positions, or whole where `PLYGROUND_ARCHIVES`
says they are. Where the package `bitbully` is installed it solves the same positions right after
ours; machines are noisy, so the best of some repeats counts. Node counts never change.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from plyground.games.connect_four import GAME, ConnectFour
from plyground.solvers.connect_four.board import AnySize
from plyground.solvers.connect_four.search import MOST
from plyground.solvers.connect_four.solve import ConnectFourSolver, exact_scores
from plyground.solvers.spec import NODES

SETS = ("L3_R1", "L2_R1", "L1_R1")
SAMPLES = Path(__file__).parent.parent / "tests" / "data" / "connect4"
LATE_FOR_PEERS = ("L3_R1", "L2_R1")  # the others take a peer too long to be repeated


def positions(name: str) -> list[tuple[str, int]]:
    folder = os.environ.get("PLYGROUND_ARCHIVES")
    path = Path(folder) / "connect4" / f"Test_{name}" if folder else SAMPLES / f"{name}.txt"
    lines = path.read_text().split("\n")
    return [(moves, int(score)) for moves, score in (line.split() for line in lines if line)]


def state_after(moves: str) -> ConnectFour:
    start = GAME.initial()
    state = GAME.replay(start, GAME.parse_moves(start, moves))
    assert isinstance(state, ConnectFour)
    return state


class Ours:
    """Our solver, on a board whose size is part of the compiled code or not."""

    def __init__(self, is_any_size: bool = False) -> None:
        self.solver = ConnectFourSolver(GAME.initial())
        if is_any_size:
            self.solver.board = AnySize(*self.solver.board)
        self.nodes = 0

    def solve(self, states: Sequence[ConnectFour]) -> list[int]:
        stones = np.array([[s.me, s.stones ^ s.me] for s in states], np.uint64).reshape(-1, 2)
        scores = np.zeros(len(states), np.int64)
        self.solver.forget(len(states))
        work = self.solver.works[0]
        exact_scores(self.solver.board, stones, scores, -MOST, MOST, work)
        self.nodes = work.counts[NODES]
        return scores.tolist()


class BitBully:
    """The public package. Its table is kept from one position to the next, which favours it:
    to clear it takes longer than any of these positions.
    """

    def __init__(self) -> None:
        from bitbully import bitbully_core as core

        self._core, self._agent, self.nodes = core, core.BitBullyCore(), 0

    def solve(self, states: Sequence[str]) -> list[int]:
        scores = []
        for moves in states:
            board = self._core.BoardCore()
            board.setBoard([int(column) - 1 for column in moves])
            scores.append(self._agent.mtdf(board, 0))
        return scores


def best_of(repeats: int, *solvers: Callable[[], object]) -> list[float]:
    """The least seconds of each, in turns."""
    best = [float("inf")] * len(solvers)
    for _ in range(repeats):
        for number, solve in enumerate(solvers):
            began = time.perf_counter()
            solve()
            best[number] = min(best[number], time.perf_counter() - began)
    return best


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    ours, general = Ours(), Ours(is_any_size=True)
    ours.solve([state_after("44")])
    general.solve([state_after("44")])
    try:
        peer: BitBully | None = BitBully()
    except ImportError:
        peer = None
    for name in SETS:
        known = positions(name)
        states, count = [state_after(moves) for moves, _ in known], len(known)
        assert ours.solve(states) == [score for _, score in known]
        solve = partial(ours.solve, states)
        fixed, any_size = best_of(repeats, solve, partial(general.solve, states))
        print(
            f"{name}: {1e3 * fixed / count:.4f} ms, {ours.nodes / count:.1f} nodes a position; "
            f"sizes in the code {any_size / fixed:.2f} x as fast as in fields"
        )
        if peer and name in LATE_FOR_PEERS:
            texts = [moves for moves, _ in known]
            mine, theirs = best_of(1, solve, partial(peer.solve, texts))  # again, it would know all
            print(f"    bitbully {1e3 * theirs / count:.4f} ms: ours {theirs / mine:.1f} x as fast")
    empty = [GAME.initial()]
    (spent,) = best_of(repeats, partial(ours.solve, empty))
    nodes = ours.nodes
    print(f"empty board: {spent:.2f} s, {nodes:,} nodes, {1e9 * spent / nodes:.0f} ns a node")
    two = ConnectFourSolver(GAME.initial(), threads=2)
    (together,) = best_of(repeats, partial(two.score, GAME.initial()))
    print(f"two threads: {together:.2f} s, {spent / together:.2f} x as fast as one")


if __name__ == "__main__":
    main()
