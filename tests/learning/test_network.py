"""Training the network: a curve that no weights by stages can follow, in seconds and repeatably."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest
from learning import network_trials
from learning.toys import Toy, exact_scale, lessons_of, random_games

from plyground.core.errors import Unsupported
from plyground.learning.network import Training, train

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        yield lambda function, *args, **options: process.submit(function, *args, **options).result()


@pytest.fixture(scope="module")
def trainings(run: Run) -> list[dict[str, Any]]:
    """Seed 1 twice, seed 2, and what weights by stages say."""
    return run(network_trials.othello, (1, 1, 2), epochs=40, batch=256)


def test_it_explains_what_changes_within_a_stage_and_with_the_position(trainings):
    first, _, _, stages = trainings
    assert first["explained"] > 0.995
    assert first["error"] < stages["calibrated"][0] / 2
    assert first["losses"][-1] < first["losses"][0] / 4


def test_the_same_seed_gives_the_same_numbers_and_another_one_others(trainings):
    first, again, other, _ = trainings
    assert first["numbers"] == again["numbers"]
    assert np.array_equal(first["losses"], again["losses"])
    assert first["numbers"] != other["numbers"]


def test_what_it_says_is_of_the_evaluator_that_plays(trainings):
    for each in trainings[:3]:
        assert each["values"] == each["compiled"]
        assert each["form"].fitted == Toy._fields
        assert each["kept"] == {}
        assert each["counts"][0] == 180  # a tenth of 200 games is held out


def test_without_a_margin_it_learns_chances(run):
    found = run(network_trials.tictactoe)
    assert found["values"] == found["compiled"]
    assert found["error"] < found["straight"][0] / 2


def test_without_jax_there_is_one_line_and_nothing_imports_it_before():
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        said = process.submit(network_trials.without_jax).result()
    assert said == (
        "[] training a network needs JAX, which is not installed: pip install 'plyground[learn]'"
    )


@pytest.mark.parametrize(
    ("count", "opening", "glances", "message"),
    [
        (1, 0, 1, "1 games are too few: some are held out"),
        (4, 60, 1, "there are no positions to learn from"),
        (4, 0, 4, "4 glances: expected 0 to 3"),
        (4, 0, -1, "-1 glances: expected 0 to 3"),
    ],
)
def test_what_cannot_be_trained_is_refused(count, opening, glances, message, monkeypatch):
    monkeypatch.setattr("plyground.learning.network._descent", lambda: None)
    game, start, games = random_games("othello", count, 1)
    openings = min([opening, *map(len, games)]) if opening else 0
    games = [moves[: openings or None] for moves in games]
    points = np.zeros(sum(map(len, games)))
    lessons = lessons_of(games, points, exact_scale(game, start)[0], openings)
    with pytest.raises(Unsupported, match=message):
        train(game, start, Toy(), lessons, Training(glances=glances))


def test_what_other_fields_add_cannot_be_weighed(monkeypatch):
    monkeypatch.setattr("plyground.learning.network._descent", lambda: None)
    from learning.toys import Crooked

    game, start, games = random_games("othello", 40, 1)
    lessons = lessons_of(games, np.zeros(sum(map(len, games))), exact_scale(game, start)[0])
    with pytest.raises(Unsupported, match="a network cannot weigh what times, threshold, squared"):
        train(game, start, Crooked(squared=9), lessons)
