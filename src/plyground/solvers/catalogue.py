"""The games that can be solved, and their solvers: ours, and those that users add."""

from __future__ import annotations

from plyground.core.errors import Unsupported
from plyground.games.connect_four import ConnectFour
from plyground.games.othello import Othello
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.registers import Register
from plyground.solvers.connect_four.book import find_book
from plyground.solvers.connect_four.solve import ConnectFourSolver
from plyground.solvers.othello.solve import OthelloSolver
from plyground.solvers.spec import Solver, SolverSpec

MEMORY = 16 * 2**20  # enough for positions that take seconds
OWN = (
    SolverSpec(
        "connect4", (ConnectFour,), lambda start: ConnectFourSolver(start, book=find_book(start))
    ),
    SolverSpec("othello", (Othello,), lambda start: OthelloSolver(start, MEMORY)),
)
register = Register("solver", SolverSpec, lambda: OWN, "SOLVERS = [SolverSpec(...)]")


def solved_games() -> list[str]:
    """The games that have a solver, if perhaps not for all their boards."""
    return [each.name for each in register.all()]


def is_solved(start: State) -> bool:
    """Whether there is a solver for this board, if perhaps not for its rules."""
    return any(isinstance(start, each.states) for each in register.all())


def solver_for(game: GameSpec, start: State) -> Solver:
    """A solver for a game on this board. Raises Unsupported."""
    for each in register.all():
        if isinstance(start, each.states):
            return register.demand_sound(each).make(start)
    what = f"{game.name} on this board" if game.name in solved_games() else game.name
    raise Unsupported(f"{what} cannot be solved; expected {' or '.join(solved_games())}")
