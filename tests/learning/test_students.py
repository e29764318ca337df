"""Courses in which the weights of an evaluator learn: calibrated, resumed, stored, explained."""

from __future__ import annotations

import pytest

import plyground as pg
from plyground.core.errors import Unsupported
from plyground.learning.course import Course, courses_folder
from plyground.learning.recipe import Recipe
from plyground.work import workers

STAGES = 3
RECIPE = Recipe(
    "othello",
    {"size": 6},
    kind="calibrated",
    evaluator="mobility",
    stages=STAGES,
    per_round=150,
    opening=6,
)


def learned(name: str, games: int) -> Course:
    folder = courses_folder() / name
    with workers.local(1) as crew, Course(folder, RECIPE, name) as course:
        course.learn(crew, games)
    return course


def test_a_calibrated_course_goes_on_where_it_was() -> None:
    whole = learned("whole", 450)
    assert whole.standing.rounds == 3
    for games in (150, 300, 450):
        parts = learned("parts", games)
    assert parts.student.knowledge.numbers.tolist() == whole.student.knowledge.numbers.tolist()
    assert parts.student.knowledge.about == whole.student.knowledge.about
    assert [step.error for step in parts.steps] == [step.error for step in whole.steps]
    assert whole.steps[2].error < whole.steps[0].error  # at first in units of its own
    again = learned("parts", 450)
    assert again.student.facts == whole.student.facts


def test_every_weight_has_its_error_at_every_stage_and_is_explained() -> None:
    found = pg.learn(
        "othello",
        name="fitted",
        evaluator="mobility",
        stages=STAGES,
        games=300,
        match=False,
        size=6,
    )
    rows = found.recipe["weights"]
    assert {row["field"] for row in rows} == {"actual", "potential", "corner"}
    assert {row["stage"] for row in rows} == {0, 1, 2}
    assert all(row["error"] is None or row["error"] > 0 for row in rows)
    normed = found.recipe["normed"]
    assert [row["field"] for row in normed] == [row["field"] for row in rows]
    position = pg.Position("othello", size=6)
    position = position.play(position.legal[0])
    explained = position.explain("fitted")
    assert sum(each.share for each in explained.factors) == pytest.approx(explained.value, abs=1)
    assert position.search("abmemory", depth=3, evaluator="fitted").depth == 3


def test_what_has_no_weights_cannot_be_calibrated() -> None:
    with pytest.raises(Unsupported, match="auto has no weights of its own"):
        pg.learn("tictactoe", evaluator="auto", games=10)
    with pytest.raises(Unsupported, match="a network assigns the weights of an evaluator; name it"):
        pg.learn("tictactoe", network=True, games=10)
