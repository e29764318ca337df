"""The games that can be solved, and their solvers."""

from __future__ import annotations

from plyground.core.errors import Unsupported
from plyground.games.connect_four import ConnectFour
from plyground.games.othello import Othello
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.solvers.connect_four.book import find_book
from plyground.solvers.connect_four.solve import ConnectFourSolver
from plyground.solvers.othello.solve import OthelloSolver
from plyground.solvers.spec import Solver

SOLVED = ("connect4", "othello")
MEMORY = 16 * 2**20  # enough for positions that take seconds


def is_solved(start: State) -> bool:
    """Whether there is a solver for this board, if perhaps not for its rules."""
    return isinstance(start, ConnectFour | Othello)


def solver_for(game: GameSpec, start: State) -> Solver:
    """A solver for a game on this board. Raises Unsupported."""
    if isinstance(start, ConnectFour):
        return ConnectFourSolver(start, book=find_book(start))
    if isinstance(start, Othello):
        return OthelloSolver(start, MEMORY)
    what = f"{game.name} on this board" if game.name in SOLVED else game.name
    raise Unsupported(f"{what} cannot be solved; expected {' or '.join(SOLVED)}")
