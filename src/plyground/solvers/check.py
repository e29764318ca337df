"""Whether a solver keeps its promise: its scores are those of the rules, worked out backwards.

At positions of random games that it takes to be quick: a finished game is worth what the rules say,
if only as won, drawn or lost, and any other position as much as its best move.
"""

from __future__ import annotations

from plyground.evaluation.check import positions
from plyground.games.check import demand
from plyground.games.rules import State, is_over, outcome, play
from plyground.games.spec import GameSpec
from plyground.solvers.spec import SolverSpec


def check_solver(spec: SolverSpec, game: GameSpec, start: State, games: int, seed: int) -> int:
    """Check a solver at positions of random games; returns how many. Raises BrokenPromise."""
    solver = spec.make(start)
    states = [each for each in positions(game, start, games, seed) if solver.is_quick(each)]
    for state in states:
        score, scores = solver.score(state), solver.scores(state)
        said = f"has the score {score} by the solver"
        demand(game, state, score == max(scores.values()), f"{said}, and its moves have {scores}")
        for move, found in scores.items():
            end = play(state, move)
            if is_over(end):
                result = -int(outcome(end))
                is_right = (found > 0) == (result > 0) and (found < 0) == (result < 0)
                name = game.format_move(state, move)
                demand(game, state, is_right, f"has {found} for {name} by the solver, not {result}")
    return len(states)
