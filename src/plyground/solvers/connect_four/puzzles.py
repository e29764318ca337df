"""Puzzles: positions in which exactly one move wins, and not at once.

They are searched for in random games, different for every seed, and proven by the solver. The level
depends on the number of stones until the win.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plyground.bits import popcount
from plyground.core.errors import unknown
from plyground.games.connect_four import GAME, ConnectFour
from plyground.games.rules import is_over, play
from plyground.solvers.connect_four.book import find_book
from plyground.solvers.connect_four.solve import ConnectFourSolver, stones_until

LEVELS = {"easy": (3, 5), "medium": (7, 11), "hard": (13, 41)}
"""From and to how many stones from now the win comes, the winning one among them."""
FULLEST = 0.75  # of the cells: later positions have hardly a choice
EMPTIEST = 0.2  # earlier ones take long to prove


@dataclass(frozen=True)
class Puzzle:
    """A position, the moves that led to it, and its answer."""

    state: ConnectFour
    moves: Sequence[int]
    level: str
    answer: int
    wins_in: int
    line: Sequence[int]
    """The whole solution, the answer first."""


def find_level(name: str) -> str:
    """The level of this name. Raises UnknownName."""
    wanted = name.strip().lower()
    if wanted not in LEVELS:
        raise unknown("difficulty", name, LEVELS)
    return wanted


def puzzles(start: ConnectFour, level: str, seed: int) -> Iterator[Puzzle | None]:
    """Puzzles without end; None for each position that is none."""
    solver, chance = (
        ConnectFourSolver(start, book=find_book(start)),
        random.Random(f"{level} {seed}"),
    )
    solver.prepare()
    cells, seen = popcount(start.bottom) * start.height, set[ConnectFour]()
    while True:
        state, moves = start, list[int]()
        for _ in range(chance.randint(int(EMPTIEST * cells), int(FULLEST * cells))):
            if is_over(state):
                break
            moves.append(chance.choice(GAME.legal(state)))
            state = play(state, moves[-1])
        found = None
        if not is_over(state) and state not in seen and solver.is_quick(state):
            found = _as_puzzle(solver, state, moves, level)
        if found:
            seen.add(state)
        yield found


def _as_puzzle(
    solver: ConnectFourSolver, state: ConnectFour, moves: Sequence[int], level: str
) -> Puzzle | None:
    score = solver.score(state)
    least, most = LEVELS[level]
    if score <= 0 or not least <= stones_until(state, score).value <= most:
        return None
    winning = [move for move, worth in solver.scores(state, -1, 1).items() if worth > 0]
    if len(winning) != 1:
        return None
    line = solver.line(state, score)
    return Puzzle(state, moves, level, winning[0], stones_until(state, score).value, line)
