"""Calibrating: known weights come back, and their errors tell how far they may be off."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from learning.toys import (
    Coupled,
    Crooked,
    Marks,
    Toy,
    empties,
    exact_scale,
    lessons_of,
    random_games,
    states_of,
)
from user_games import example_game

from plyground.core.errors import Unsupported
from plyground.evaluation.catalogue import evaluators, find_evaluator
from plyground.evaluation.check import judged
from plyground.evaluation.ntuples import BY_CELLS_LEFT, BY_NOTHING, BY_PIECES
from plyground.games.catalogue import find_game
from plyground.games.rules import cells_left
from plyground.kernel import plain_python
from plyground.learning.calibrating import TEMPO, calibrate
from plyground.learning.lessons import Lessons
from plyground.learning.material import fittable, gather, stage_map
from plyground.learning.misses import judge
from plyground.learning.scale import Scale

GAME, START, GAMES = random_games("othello", 60, 1)
STATES = states_of(START, GAMES)
FACTORS = np.array(
    [[Toy(*row).evaluate(state) for row in np.eye(3, dtype=int).tolist()] for state in STATES]
)
SCALE, STEP = exact_scale(GAME, START)
OWNERS = np.repeat(np.arange(len(GAMES)), [len(moves) for moves in GAMES])
TRUE = np.array([[0.25, 0.5, -0.125], [0.1, -0.3, 0.2]])  # fewer empty cells, more of them
STAGES = (empties(STATES) > 30).astype(int)


def values(weights: np.ndarray = TRUE) -> np.ndarray:
    return np.einsum("ij,ij->i", FACTORS, weights[STAGES])


# ------------------------------------------------------------------ what is known comes back


def test_the_weights_of_a_known_sum_come_back_for_each_stage():
    lessons = lessons_of(GAMES, values(), SCALE)
    found = calibrate(GAME, START, Toy(), lessons, 2, ridge=0)
    assert found.names == Toy._fields
    assert found.kept == {}
    assert abs(found.weights - TRUE).max() < STEP
    assert found.explained > 0.999999
    assert found.positions.tolist() == [(STAGES == 0).sum(), (STAGES == 1).sum()]
    assert (found.games, found.shared) == (60, ())


def test_the_evaluator_that_is_made_says_what_was_wanted_in_hundredths_of_a_point():
    lessons = lessons_of(GAMES, values(), SCALE)
    made = calibrate(GAME, START, Toy(), lessons, 2, ridge=0).make()
    for state, wanted in list(zip(STATES, values(), strict=True))[::25]:
        assert abs(made.evaluate(state) - 100 * wanted) < 1
        assert made.evaluate(state) == judged(made, state)
    error, explained = judge(START, made, SCALE, lessons)
    assert error < 0.01
    assert explained > 0.9999


def test_weights_change_where_a_stage_is_said_to_begin():
    lessons = lessons_of(GAMES, values(), SCALE)
    found = calibrate(GAME, START, Toy(), lessons, [0, 31], ridge=0)
    assert [found.stages.range_of(stage) for stage in (0, 1)] == [(0, 30), (31, 60)]
    assert abs(found.weights - TRUE).max() < STEP


def test_in_plain_python_the_weights_are_the_same_to_the_last_bit():
    few = GAMES[:3]
    count = sum(map(len, few))
    lessons = lessons_of(few, values()[:count] + np.sin(np.arange(count)), SCALE)
    compiled = calibrate(GAME, START, Toy(), lessons, 2)
    again = calibrate(GAME, START, Toy(), lessons, 2)
    with plain_python():
        plain = calibrate(GAME, START, Toy(), lessons, 2)
    for other in (again, plain):
        assert np.array_equal(compiled.weights, other.weights)
        assert np.allclose(compiled.errors, other.errors)
        assert compiled.numbers.tolist() == other.numbers.tolist()


def test_random_moves_at_the_beginning_teach_nothing():
    firsts = np.cumsum([0, *map(len, GAMES)])[:-1]
    points, opening = values(), 10
    for first in firsts:
        points[first : first + opening] = 60.0
    lessons = lessons_of(GAMES, points, SCALE, opening)
    found = calibrate(GAME, START, Toy(), lessons, 2, ridge=0)
    assert abs(found.weights - TRUE).max() < STEP
    assert found.positions.sum() == len(STATES) - opening * len(GAMES)


def test_having_the_move_is_worth_something_if_it_is_asked_for():
    lessons = lessons_of(GAMES, values() + 1.5, SCALE)
    found = calibrate(GAME, START, Toy(), lessons, 2, ridge=0, has_tempo=True)
    assert found.names == (*Toy._fields, TEMPO)
    assert abs(found.weights - np.column_stack([TRUE, [1.5, 1.5]])).max() < STEP
    assert found.make().evaluate(START) == 150
    assert calibrate(GAME, START, Toy(), lessons, 2).make().evaluate(START) == 0


def test_only_fields_that_are_asked_for_are_fitted_and_the_others_add_what_they_add():
    base = Toy(disc=25, edge=1, middle=1)  # hundredths: where a value has to stay in its unit
    rest = np.array([[0.25, 0.5, -0.125]] * 2)
    lessons = lessons_of(GAMES, values(rest), SCALE)
    found = calibrate(GAME, START, base, lessons, 2, ridge=0, fields=["edge", "middle"])
    assert found.kept == {"disc": 25}
    assert found.has_offset
    assert found.layout.shift == 0
    assert abs(found.weights - rest[:, 1:]).max() < STEP
    assert judge(START, found.make(), SCALE, lessons)[0] < 0.2  # whole hundredths, of 30 discs


# ------------------------------------------------------------------ how sure it is


def test_the_interval_of_each_weight_holds_the_true_one_as_often_as_it_says():
    """Noise that is alike within a game: positions as the unit would promise far too much."""
    generator, inside, naive_inside, count = np.random.default_rng(5), 0, 0, 0
    sizes = np.bincount(OWNERS)
    turns = np.tile([1, -1], 100)
    signs = np.concatenate([turns[:size] for size in sizes])  # a game is good for one of the two
    for _ in range(150):
        noise = 3 * generator.normal(size=len(GAMES))[OWNERS] * signs
        noise += generator.normal(size=len(STATES))
        found = calibrate(
            GAME, START, Toy(), lessons_of(GAMES, values() + noise, SCALE), 2, fields=Toy._fields
        )
        off = abs(found.weights - TRUE)
        inside += int((off < 1.96 * found.errors).sum())
        count += off.size
        for stage in (0, 1):
            own = FACTORS[stage == STAGES]
            naive = np.sqrt(10 * np.diag(np.linalg.inv(own.T @ own)))  # variance 3 * 3 + 1
            naive_inside += int((off[stage] < 1.96 * naive).sum())
    assert 0.90 < inside / count < 0.98
    assert naive_inside / count < inside / count - 0.1


def test_four_times_as_many_games_halve_the_errors():
    generator = np.random.default_rng(1)

    def errors(count: int) -> np.ndarray:
        game, start, games = random_games("othello", count, 9)
        noise = 5 * generator.normal(size=sum(map(len, games)))
        return calibrate(game, start, Toy(), lessons_of(games, noise, SCALE), 1).errors

    assert np.allclose(errors(100) / errors(400), 2, rtol=0.3)


def test_a_factor_that_never_is_there_has_weight_0_and_no_error():
    lessons = lessons_of(GAMES, values(), SCALE)
    weights = find_evaluator("stages", START).make()
    found = calibrate(GAME, START, weights, lessons, 4)
    column = found.names.index("early_score")
    assert found.weights[0, column] == 0
    assert np.isnan(found.errors[0, column])
    assert {row["error"] for row in found.rows() if row["field"] == "early_score"} > {None}


def test_fields_that_are_sums_of_each_other_are_named():
    lessons = lessons_of(GAMES, values(), SCALE)
    found = calibrate(GAME, START, find_evaluator("walls", START).make(), lessons, 3)
    assert found.shared == (*find_evaluator("positional", START).make()._fields, "score")
    assert np.isfinite(found.weights).all()


# ------------------------------------------------------------------ stages that help each other


def test_smoothed_stages_are_alike_and_nearer_to_the_truth_where_games_are_few():
    few, steady = 4, np.tile([0.2, 0.5, -0.3], (10, 1))
    count = sum(map(len, GAMES[:few]))
    noise = np.random.default_rng(2).normal(size=count) * 4
    lessons = lessons_of(GAMES[:few], (FACTORS @ steady[0])[:count] + noise, SCALE)
    rough = calibrate(GAME, START, Toy(), lessons, 10).weights
    smooth = calibrate(GAME, START, Toy(), lessons, 10, smooth=1000).weights
    assert abs(smooth - steady).mean() < abs(rough - steady).mean() / 2
    assert smooth.std(axis=0).max() < 0.1 * rough.std(axis=0).max()


# ------------------------------------------------------------------ games without a margin


def marks() -> tuple[object, object, list[np.ndarray], np.ndarray]:
    game, start, games = random_games("tictactoe", 300, 1)
    states = states_of(start, games)
    rows = [[Marks(1, 0).evaluate(state), Marks(0, 1).evaluate(state)] for state in states]
    return game, start, games, np.array(rows)


def test_without_a_margin_points_are_tanh_of_the_sum():
    game, start, games, factors = marks()
    true = np.array([0.8, -0.3])
    lessons = lessons_of(games, np.tanh(factors @ true), exact_scale(game, start)[0])
    found = calibrate(game, start, Marks(), lessons, 1, ridge=0)
    assert abs(found.weights - true).max() < 1e-3
    made = found.make()
    state = states_of(start, games)[7]
    assert (
        abs(
            made.evaluate(state)
            - 1000 * Marks(1, 0).evaluate(state) * 0.8
            + 300 * Marks(0, 1).evaluate(state)
        )
        < 2
    )
    assert judge(start, made, found.scale, lessons)[1] > 0.999


def test_intervals_hold_as_often_as_they_say_for_games_that_are_won_or_lost():
    game, start, games, factors = marks()
    true, generator, inside, count = np.array([0.8, -0.3]), np.random.default_rng(3), 0, 0
    chance = (1 + np.tanh(factors @ true)) / 2
    for _ in range(150):
        points = np.where(generator.random(len(chance)) < chance, 1.0, -1.0)
        lessons = lessons_of(games, points, exact_scale(game, start)[0])
        found = calibrate(game, start, Marks(), lessons, 1, fields=Marks._fields)
        inside += int((abs(found.weights - true) < 1.96 * found.errors).sum())
        count += 2
    assert 0.90 < inside / count < 0.99


def test_games_that_are_all_won_by_one_side_still_give_weights():
    game, start, games, factors = marks()
    lessons = lessons_of(games, np.sign(factors[:, 0]).astype(float), exact_scale(game, start)[0])
    found = calibrate(game, start, Marks(), lessons, 1)
    assert np.isfinite(found.weights).all()
    assert found.weights[0, 0] > 1


# ------------------------------------------------------------------ which weights can be fitted


def lessons() -> Lessons:
    return lessons_of(GAMES, values(), SCALE)


@pytest.mark.parametrize("squared", [1, 9])
def test_what_a_value_is_no_sum_over_stays_as_it_is(squared):
    base = Crooked(squared=squared)
    base.table[1] = 6
    fitted, kept = fittable(START, base, lessons())
    assert fitted == ("disc", "edge")
    assert kept == {"times": 2, "threshold": 3, "squared": squared, "index": 1, "unused": 4}
    found = calibrate(GAME, START, base, lessons(), 2, ridge=1e-3)
    assert found.has_offset
    assert found.make().base == base


def test_a_field_that_keeps_all_others_from_being_fitted_is_silenced():
    assert fittable(START, Coupled(), lessons()) == (("disc", "edge"), {"largest": 0})
    found = calibrate(GAME, START, Coupled(), lessons(), 2, ridge=0)
    without = values(TRUE * [1, 1, 0])
    found = calibrate(GAME, START, Coupled(), lessons_of(GAMES, without, SCALE), 2, ridge=0)
    assert abs(found.weights * [1, 0.01] - TRUE[:, :2]).max() < 0.02  # its share is rounded down


def test_the_parity_of_the_first_study_is_silenced_and_its_factors_are_weights():
    base = find_evaluator("factors", START).make()
    fitted, kept = fittable(START, base, lessons())
    assert kept == {"positions": 1, "won": 10_000, "parity": 0}
    assert {*fitted} | {*kept} == {*base._fields}


def test_an_evaluator_without_weights_is_refused():
    class Square(NamedTuple):
        size: int = 2

        def evaluate(self, state):
            return self.size * self.size

    with pytest.raises(Unsupported, match="no field of this evaluator is a weight"):
        calibrate(GAME, START, Square(), lessons(), 2)


def test_lessons_without_positions_are_refused():
    opening = lessons_of(GAMES[:1], values()[: len(GAMES[0])], SCALE, len(GAMES[0]))
    with pytest.raises(Unsupported, match="no positions to learn from"):
        calibrate(GAME, START, Toy(), opening, 2)


def test_the_matrix_holds_what_each_weight_multiplies():
    layout = calibrate(GAME, START, Toy(), lessons(), 2).layout
    material = gather(START, Toy(), lessons(), layout, {}, Scale(100.0, 64.0, 1))
    assert np.array_equal(material.factors, FACTORS)
    assert np.array_equal(material.owners, OWNERS)
    assert np.array_equal(material.stages, STAGES)
    assert not material.offsets.any()
    assert abs(material.wanted - values()).max() <= STEP / 2 + 1e-9


REAL = [
    (name, spec.name)
    for name in ("othello", "kalah", "connect4", "tictactoe", "double-card")
    for spec in evaluators()
    if spec.games and spec.fit is None and isinstance(find_game(name).initial(), spec.games)
]


@pytest.mark.parametrize(("name", "evaluator"), REAL)
def test_every_evaluator_of_ours_for_one_game_can_be_calibrated(name, evaluator):
    game, start, games = random_games(name, 30, 4)
    states = states_of(start, games)
    base = find_evaluator(evaluator, start).make()
    scale, _ = exact_scale(game, start)
    worth = np.array([base.evaluate(state) for state in states])
    points = np.clip(worth / (1 + abs(worth).max()), -0.9, 0.9) * scale.most
    found = calibrate(game, start, base, lessons_of(games, points, scale))
    made = found.make()
    assert np.isfinite(found.weights).all()
    for state in states[::20]:
        assert made.evaluate(state) == judged(made, state)


# ------------------------------------------------------------------ stages


def test_stages_are_told_by_empty_cells_or_pieces_or_by_nothing():
    assert stage_map(GAME, START).by == BY_CELLS_LEFT
    assert stage_map(GAME, START).count == 8
    breakthrough = example_game("breakthrough.py")
    pieces = stage_map(breakthrough, breakthrough.initial(), 3)
    assert (pieces.by, pieces.count) == (BY_PIECES, 3)
    kalah = find_game("kalah")
    assert stage_map(kalah, kalah.initial()).by == BY_NOTHING


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        (0, "othello cannot be split into 0 stages: it has at most 60 empty cells"),
        (62, "cannot be split into 62 stages"),
        ([], "cannot be split into 0 stages"),
        ([1, 20], r"stages begin at \[1, 20\]; expected 0 first, then more, up to 60"),
        ([0, 20, 10], r"stages begin at \[0, 20, 10\]; expected 0 first"),
        ([0, 61], r"stages begin at \[0, 61\]; expected 0 first"),
    ],
)
def test_stages_that_there_cannot_be_are_refused(stages, message):
    with pytest.raises(Unsupported, match=message):
        stage_map(GAME, START, stages)


def test_more_stages_than_one_are_refused_where_nothing_tells_them_apart():
    kalah = find_game("kalah")
    with pytest.raises(
        Unsupported, match="kalah cannot be split into 3 stages: nothing is counted"
    ):
        stage_map(kalah, kalah.initial(), 3)


# ------------------------------------------------------------------ as a table


def test_rows_tell_of_each_weight_and_normed_ones_compare():
    found = calibrate(GAME, START, Toy(), lessons(), 2, ridge=0)
    rows, normed = found.rows(), found.rows(normed=True)
    assert [row["field"] for row in rows] == [*Toy._fields, *Toy._fields]
    assert {(row["stage"], row["from"], row["to"]) for row in rows} == {(0, 0, 30), (1, 31, 60)}
    deviations = [FACTORS[stage == STAGES].std(axis=0) for stage in (0, 1)]
    for row, other, size in zip(rows, normed, np.ravel(deviations), strict=True):
        assert np.isclose(other["weight"], row["weight"] * size)
        assert np.isclose(other["error"], row["error"] * size)
    assert abs(cells_left(START)) == 60
