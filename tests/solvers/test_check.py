"""The contract of solvers, as `plyground check` holds users' files to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from user_games import HEAP_GAME

import plyground as pg

# Who is to move loses with a heap that is a multiple of MOST + 1.
SOLVER = """
from plyground.solvers.spec import Solver, SolverSpec


class HeapSolver(Solver):
    game, least, most, works = GAME, -1, 1, ()

    def score(self, state, low=None, high=None, on_bounds=None):
        return 1 if state.left % (MOST + 1) else -1

    def is_quick(self, state, time_s=None):
        return True

    def as_score(self, state, score): ...
    def candidates(self, state): ...
    def prepare(self): ...
    def forget(self): ...


SOLVER = SolverSpec("heap", (Heap,), lambda start: HeapSolver())
"""


def check(folder: Path, solver: str) -> list[str]:
    path = folder / "heap.py"
    path.write_text(HEAP_GAME + solver)
    return pg.check(path, games=5)


def test_a_solver_whose_scores_follow_from_the_rules_passes(tmp_path: Path) -> None:
    (line,) = [line for line in check(tmp_path, SOLVER) if line.startswith("solver")]
    assert line.startswith("solver of heap: ")
    assert line.endswith(" positions have the score of their best move")


def test_a_score_that_is_not_that_of_the_best_move_is_found(tmp_path: Path) -> None:
    wrong = SOLVER.replace("MOST + 1", "MOST + 2")
    with pytest.raises(pg.PlygroundError, match=r"heap: .* has the score .* its moves"):
        check(tmp_path, wrong)


def test_scores_that_agree_with_each_other_but_not_with_the_rules_are_found(tmp_path: Path) -> None:
    drawn = SOLVER.replace("return 1 if state.left % (MOST + 1) else -1", "return 0")
    with pytest.raises(pg.PlygroundError, match=r"has 0 for \d by the solver, not 1"):
        check(tmp_path, drawn)
