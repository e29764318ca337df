"""The weights that come with the package: sound, small, and near exact scores."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import plyground as pg
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.check import check_evaluator
from plyground.evaluation.weights_file import SHIPPED, Weights
from plyground.games.catalogue import find_game
from plyground.solvers.catalogue import solver_for

OTHELLO = find_game("othello")
DATA = Path(__file__).parents[1] / "data" / "othello_exact.tsv"
MOST_BYTES = 2_000_000


def positions(empties: int) -> list[tuple[pg.Position, int]]:
    lines = (line.split("\t") for line in DATA.read_text().splitlines() if line[0] != "#")
    return [
        (pg.Position("othello", position=f"{board} X"), int(score))
        for board, left, score in lines
        if int(left) == empties
    ]


def test_the_files_are_small() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) <= MOST_BYTES


def test_the_shipped_weights_keep_the_promises_of_evaluators() -> None:
    start = OTHELLO.initial()
    spec = find_evaluator("learned", start)
    assert spec.source == "ours" and spec.is_symmetric
    made = spec.make_for(OTHELLO, start)
    assert check_evaluator(spec, made, OTHELLO, start, 2, 1) > 80
    [path] = SHIPPED.glob("othello.learned.weights")
    assert "games of self-play" in Weights.read(path).recipe["summary"]


@pytest.mark.parametrize(("empties", "most"), [(16, 8.0), (20, 8.0)])
def test_a_value_is_near_the_exact_score(empties: int, most: float) -> None:
    found = positions(empties)
    assert len(found) == 60
    errors = [abs(position.explain("learned").points - score) for position, score in found]
    assert np.mean(errors) < most


def test_the_exact_scores_are_exact() -> None:
    solver = solver_for(OTHELLO, OTHELLO.initial())
    for position, score in positions(16)[:5]:
        assert solver.score(position.state) == score
