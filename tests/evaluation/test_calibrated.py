"""Calibrated evaluators: the base with other numbers, by stages, and nothing read outside them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from evaluation.othello_kernels import value_of
from evaluation.positions import random_state
from learning.toys import Crooked, Toy

from plyground.evaluation.calibrated import (
    FINEST,
    MOST,
    ROWS,
    Layout,
    StageMap,
    at_stage,
    bare_table,
    calibrated,
    calibrated_spec,
    measure_of,
    number_fields,
    rounded,
)
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.check import check_evaluator
from plyground.evaluation.ntuples import BY_CELLS_LEFT, BY_NOTHING, BY_PIECES
from plyground.evaluation.othello import Factors
from plyground.games.catalogue import find_game
from plyground.games.rules import cells_left

GAME = find_game("othello")
START = GAME.initial()
STATES = [random_state(GAME, plies, seed) for plies in range(0, 61, 4) for seed in (1, 2)]
NAMES = Toy._fields


def numbers_for(stages: int, columns: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(-500, 500, (stages, columns)).astype(np.int16)


@pytest.mark.parametrize("stages", [1, 2, 7, 61])
def test_a_value_is_the_base_s_with_the_numbers_of_its_stage_compiled_and_plain(stages):
    layout = Layout(StageMap.even(BY_CELLS_LEFT, 60, stages), NAMES)
    numbers = numbers_for(stages, 3)
    evaluator = calibrated(Toy(), layout, numbers)
    for state in STATES:
        own = Toy(*map(int, numbers[int(cells_left(state)) * stages // 61]))
        assert at_stage(evaluator, state) == own
        assert evaluator.evaluate(state) == value_of(evaluator, state) == own.evaluate(state)


def test_what_is_not_fitted_stays_as_the_base_has_it():
    layout = Layout(StageMap.even(BY_CELLS_LEFT, 60, 2), ("edge",))
    evaluator = calibrated(Toy(disc=11), layout, np.array([[-4], [9]], np.int16))
    assert at_stage(evaluator, START) == Toy(disc=11, edge=9, middle=3)
    assert value_of(evaluator, STATES[9]) == evaluator.evaluate(STATES[9])


def test_fields_that_are_no_numbers_stay_with_all_else():
    base = Crooked(disc=1)
    assert number_fields(base) == Crooked._fields[:-1]
    layout = Layout(StageMap.even(BY_CELLS_LEFT, 60, 1), ("edge", "times"))
    evaluator = calibrated(base, layout, np.array([[-3, 5]], np.int16))
    assert at_stage(evaluator, START) == base._replace(edge=-3, times=5)
    for state in STATES:
        assert value_of(evaluator, state) == evaluator.evaluate(state)


@pytest.mark.parametrize("shift", [0, 1, 5, FINEST])
def test_finer_numbers_give_the_nearest_value_alike_for_both_sides(shift):
    layout = Layout(StageMap.even(BY_CELLS_LEFT, 60, 3), NAMES, shift=shift)
    numbers = numbers_for(3, 3)
    evaluator = calibrated(Toy(), layout, numbers)
    for state in STATES:
        exact = at_stage(evaluator, state).evaluate(state) / 2**shift
        value = value_of(evaluator, state)
        assert value == evaluator.evaluate(state)
        assert abs(value - exact) <= 0.5
        swapped = state._replace(me=state.opp, opp=state.me)
        assert value_of(evaluator, swapped) == -value
    assert [rounded(value, 1) for value in (-3, -2, -1, 0, 1, 2, 3)] == [-2, -1, -1, 0, 1, 1, 2]


def test_having_the_move_may_be_worth_something():
    layout = Layout(StageMap.even(BY_CELLS_LEFT, 60, 1), ("disc",), has_tempo=True, shift=1)
    evaluator = calibrated(Toy(0, 0, 0), layout, np.array([[0, 7]], np.int16))
    assert {value_of(evaluator, state) for state in STATES} == {4}  # 3.5


def test_a_count_beyond_the_table_is_the_last_that_it_has():
    few = StageMap(BY_CELLS_LEFT, (0, 1, 2, 2, 3))
    numbers = np.array([[1, 0, 0], [2, 0, 0], [3, 0, 0], [4, 0, 0]], np.int16)
    evaluator = calibrated(Toy(), Layout(few, NAMES), numbers)
    assert evaluator.table[MOST] == 4
    for state in STATES:
        left = min(int(cells_left(state)), 4)
        assert measure_of(evaluator.table, state) == left
        assert at_stage(evaluator, state).disc == few.stages[left] + 1
        assert value_of(evaluator, state) == evaluator.evaluate(state)


def test_a_game_that_counts_no_cells_is_at_the_first_count():
    kalah = find_game("kalah").initial()
    assert cells_left(kalah) == -1
    assert measure_of(bare_table(StageMap.even(BY_CELLS_LEFT, 9, 2)), kalah) == 0
    assert measure_of(bare_table(StageMap.even(BY_NOTHING, 0, 1)), kalah) == 0


def test_pieces_are_counted_where_the_masks_say():
    everything, nothing = 2**64 - 1, 0
    masks = [everything if name in ("me", "opp") else nothing for name in START._fields]
    stages = StageMap.even(BY_PIECES, 64, 5, masks)
    evaluator = calibrated(Toy(), Layout(stages, NAMES), numbers_for(5, 3))
    for state in STATES:
        assert measure_of(evaluator.table, state) == 64 - cells_left(state)
        assert value_of(evaluator, state) == evaluator.evaluate(state)


def test_stages_of_one_length_and_stages_that_begin_somewhere():
    assert StageMap.even(BY_CELLS_LEFT, 9, 3).stages == (0, 0, 0, 0, 1, 1, 1, 2, 2, 2)
    study = StageMap.beginning(BY_CELLS_LEFT, 60, (0, 6, 21, 41))
    assert [study.range_of(stage) for stage in range(4)] == [(0, 5), (6, 20), (21, 40), (41, 60)]
    assert study.count == 4
    assert study.name == "empty cells"


def test_a_layout_survives_as_data():
    layout = Layout(StageMap.even(BY_PIECES, 9, 2, [2**64 - 1, 5]), ("a", "b"), True, 3)
    assert Layout.from_data(json.loads(json.dumps(layout.as_data()))) == layout


@pytest.mark.parametrize(
    "change",
    [
        {"shift": -1},
        {"shift": 99},
        {"stages": {"by": 7, "stages": [0], "masks": []}},
        {"stages": {"by": 1, "stages": [], "masks": []}},
        {"stages": {"by": 1, "stages": [-1], "masks": []}},
        {"stages": {"by": 1, "stages": [0, 2], "masks": []}},
        {"stages": {"by": 2, "stages": [0], "masks": []}},
    ],
)
def test_data_that_is_no_layout_is_refused(change):
    data = Layout(StageMap.even(BY_CELLS_LEFT, 9, 2), ("a",)).as_data()
    with pytest.raises(ValueError, match=r"no stages|finer|where the pieces"):
        Layout.from_data({**data, **change})


def test_numbers_that_do_not_fit_the_base_are_refused():
    layout = Layout(StageMap.even(BY_CELLS_LEFT, 60, 2), ("edge",))
    with pytest.raises(ValueError, match="do not fit"):
        calibrated(Toy(), layout, numbers_for(2, 3))
    with pytest.raises(ValueError, match="do not fit"):
        calibrated(Factors(), layout, numbers_for(2, 1))


def test_the_first_row_follows_the_stages():
    table = bare_table(StageMap.even(BY_CELLS_LEFT, 3, 2))
    assert table.array[ROWS : ROWS + 4].tolist() == [ROWS + 4, ROWS + 4, ROWS + 5, ROWS + 5]


@pytest.mark.parametrize("name", ["factors", "stages", "mobility", "walls"])
def test_a_calibrated_evaluator_keeps_the_contract_and_its_factors_add_up(name):
    base = find_evaluator(name, START)
    fields = number_fields(base.make())
    kept = {"parity": 0} if name == "factors" else {}
    fitted = tuple(field for field in fields if field not in kept)
    layout = Layout(StageMap.even(BY_CELLS_LEFT, 60, 3), fitted, shift=4)
    numbers = np.clip(numbers_for(3, len(fitted)), -99, 99)
    spec = calibrated_spec(base, "own", layout, numbers, "100 is a disc", kept)
    evaluator = spec.make_for(GAME, START)
    assert check_evaluator(spec, evaluator, GAME, START, 1, 1) > 20
    assert spec.factors is not None
    for state in STATES:
        shares = sum(factor.share for factor in spec.factors(evaluator, state))
        assert abs(shares - evaluator.evaluate(state)) <= 0.5


def test_an_evaluator_for_any_game_is_fitted_to_the_game_first():
    base, game = find_evaluator("pairs", find_game("connect4").initial()), find_game("connect4")
    layout = Layout(StageMap.even(BY_CELLS_LEFT, 42, 2), ("piece", "pair"), has_tempo=True)
    spec = calibrated_spec(base, "own", layout, numbers_for(2, 3), "1 is something")
    assert not spec.is_zero_sum
    evaluator = spec.make_for(game, game.initial())
    assert check_evaluator(spec, evaluator, game, game.initial(), 1, 1) > 5
    assert spec.factors is not None
    names = [factor.name for factor in spec.factors(evaluator, random_state(game, 9, 1))]
    assert names == ["pieces", "pairs", "to move"]
