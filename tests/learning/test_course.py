"""Courses: the same weights whoever works and however often it stops, and nothing read damaged."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from dask_cluster import dask_cluster

from plyground.core import naming
from plyground.core.errors import MalformedText, Unsupported
from plyground.evaluation.weights_file import Weights, checkpoint_of
from plyground.games.catalogue import find_game
from plyground.learning import course as courses
from plyground.learning.course import (
    LESSONS,
    STATE,
    Course,
    courses_folder,
    forget,
    is_milestone,
    milestones,
    steps_in,
)
from plyground.learning.recipe import Recipe, check, read_teacher, usual_opening
from plyground.learning.students import PLAN
from plyground.work import workers

RECIPE = Recipe("tictactoe", opening=3, per_round=400, window=2, seed=11)
GAMES = 2500
EXAMPLES = Path(__file__).parents[2] / "examples"


def folder(name: str = "noughts") -> Path:
    return courses_folder() / f"tictactoe.{name}"


def learned(
    recipe: Recipe = RECIPE, games: int = GAMES, jobs: int = 1, name: str = "noughts"
) -> Course:
    with workers.local(jobs) as crew, Course(folder(name), recipe, name) as course:
        course.learn(crew, games)
    return course


def digest(course: Course) -> str:
    return hashlib.sha256(course.student.state().tobytes()).hexdigest()


def test_neither_workers_nor_stops_change_what_is_learned() -> None:
    whole = learned()
    assert whole.standing.games == 250 + 5 * 400
    assert whole.standing.rounds == len(whole.steps) == 6
    by_two = learned(jobs=2, name="by-two")
    for games in (100, 700, 701, 1200, 2000):
        learned(games=games, name="in-parts")
    in_parts = learned(name="in-parts")
    assert digest(by_two) == digest(in_parts) == digest(whole)
    assert [step.error for step in in_parts.steps] == [step.error for step in whole.steps]
    assert steps_in(folder("in-parts")) == in_parts.steps
    assert digest(learned(replace(RECIPE, seed=12), name="other")) != digest(whole)


def test_a_cluster_learns_the_same_from_a_file_that_its_workers_do_not_have(
    tmp_path: Path,
) -> None:
    game = tmp_path / "hexapawn.py"
    game.write_text((EXAMPLES / "hexapawn.py").read_text())
    naming.name_code(str(game))
    recipe = replace(RECIPE, game=str(game))
    with dask_cluster(workers=2) as shared, workers.cluster(shared.address) as crew:
        with Course(folder("far"), recipe, "far") as far:
            far.learn(crew, 1000)
        assert digest(learned(recipe, 1000, name="near")) == digest(far)
    assert far.standing.games == 650


def test_stopped_workers_end_a_course_that_can_go_on() -> None:
    with workers.local(1) as crew, Course(folder(), RECIPE, "noughts") as course:
        course.learn(crew, GAMES, on_step=lambda step, _: crew.finish())
    assert 0 < course.standing.games < GAMES
    assert digest(learned()) == digest(learned(name="whole"))


def test_it_learns() -> None:
    course = learned(games=8000)
    assert course.steps[-1].error < 0.7 * course.steps[0].error


def test_only_what_the_next_round_needs_stays_on_disk() -> None:
    course = learned()
    names = sorted(path.name for path in course.folder.iterdir())
    assert sum(name.endswith(LESSONS) for name in names) == RECIPE.window
    assert sum(name.endswith(".npz") for name in names) == 2
    assert milestones(course.folder) == [1, 2, 4]
    early = Weights.read(checkpoint_of(course.folder.name, 1))
    late = Weights.read(checkpoint_of(course.folder.name, 4))
    assert early.name == "noughts-r1" and late.name == "noughts-r4"
    assert not np.array_equal(early.numbers, late.numbers)
    forget(course.folder)
    assert not course.folder.exists() and milestones(course.folder) == []


@pytest.mark.parametrize(
    ("rounds", "is_one"), [(1, True), (2, True), (3, False), (64, True), (96, False)]
)
def test_milestones_double(rounds: int, is_one: bool) -> None:
    assert is_milestone(rounds) == is_one


def test_another_recipe_does_not_go_on_with_this_one() -> None:
    learned(games=300)
    with pytest.raises(Unsupported, match=r"another recipe \(depth 1, now 2\); resume"):
        learned(replace(RECIPE, depth=2))


def test_a_course_is_learned_by_one_process_at_a_time() -> None:
    with (
        Course(folder(), RECIPE, "noughts"),
        pytest.raises(Unsupported, match="is being learned already"),
        Course(folder(), RECIPE, "noughts"),
    ):
        pass


@pytest.mark.parametrize("what", [STATE, PLAN, "weights.npz", "players.npz", LESSONS])
@pytest.mark.parametrize("is_gone", [False, True])
def test_a_damaged_course_is_not_resumed(what: str, is_gone: bool) -> None:
    course = learned(games=700)
    [path, *_] = sorted(course.folder.glob(f"*{what}"))
    if is_gone and what in (STATE, PLAN):
        path.write_bytes(b"{}")
    elif is_gone:
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(MalformedText, match=r"damaged.*begin anew with --again"):
        learned()


def test_a_file_holds_the_recipe_and_what_came_of_it() -> None:
    course = learned()
    weights = course.file("noughts", {"verdict": "none"})
    assert weights.recipe["games"] == course.standing.games
    assert weights.recipe["seed"] == 11 and weights.recipe["match"] == {"verdict": "none"}
    assert weights.settings == dict(find_game("tictactoe").defaults)
    assert Weights.from_bytes(weights.as_bytes(), "x").recipe == json.loads(
        json.dumps(weights.recipe)
    )


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("depth", 0, "depth 0: expected 1 to 12"),
        ("noise", 1001, "noise 1001: expected 0 to 1000"),
        ("opening", 101, "opening 101: expected 0 to 100"),
        ("trust", 1.5, "trust 1.5: expected a number from 0 to 1"),
        ("stages", 65, "stages 65: expected 1 to 64"),
    ],
)
def test_a_recipe_that_cannot_work_is_refused(field: str, value: float, said: str) -> None:
    with pytest.raises(Unsupported, match=said):
        check(replace(RECIPE, **{field: value}))


def test_a_stored_recipe_is_read_again_or_refused() -> None:
    assert Recipe.from_data(json.loads(json.dumps(RECIPE.as_data()))) == RECIPE
    with pytest.raises(MalformedText, match="no recipe"):
        Recipe.from_data({"game": "tictactoe", "speed": 9})


def test_teachers() -> None:
    othello, kalah = find_game("othello"), find_game("kalah")
    assert read_teacher("solver", othello, othello.initial()) == {"solve": 14}
    assert read_teacher("solver=9", othello, othello.initial()) == {"solve": 9}
    assert read_teacher("depth=4", kalah, kalah.initial()) == {"depth": 4}
    with pytest.raises(Unsupported, match="kalah cannot be solved"):
        read_teacher("solver", kalah, kalah.initial())
    with pytest.raises(MalformedText, match="teacher 'me': expected solver, solver=N or depth=N"):
        read_teacher("me", kalah, kalah.initial())


def test_openings_are_half_of_a_random_game() -> None:
    assert usual_opening(find_game("tictactoe"), find_game("tictactoe").initial()) in (3, 4, 5)
    assert usual_opening(find_game("othello"), find_game("othello").initial()) == 20


def test_a_full_disk_ends_a_course_and_harms_nothing() -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "weights")

    learned(games=300)
    before = learned(games=300)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(courses, "write_whole", full)
        with pytest.raises(OSError, match="No space left"):
            learned(games=900)
    assert digest(learned(games=300)) == digest(before)  # what was there is whole
