"""n-tuples: what compiled code adds up is what the tuples say, on every kind of game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from user_games import example_game

from plyground.core.errors import Unsupported
from plyground.evaluation.cells import find_cells
from plyground.evaluation.check import judged, positions
from plyground.evaluation.general import Zero
from plyground.evaluation.learned import cell_names, ntuples_factors, ntuples_of
from plyground.evaluation.ntuples import NTuples
from plyground.evaluation.sample import sample
from plyground.evaluation.spec import evaluate
from plyground.evaluation.tuple_layout import _exchanged, lay_out
from plyground.evaluation.tuple_plan import MOST_INDEX, Plan
from plyground.games.catalogue import find_game
from plyground.games.rules import cells_left, count_symmetries, side, transform
from plyground.games.spec import GameSpec

BREAKTHROUGH = example_game("breakthrough.py")
GAMES: dict[str, tuple[GameSpec, dict[str, Any]]] = {
    "tictactoe": (find_game("tictactoe"), {}),
    "connect4": (find_game("connect4"), {"width": 5, "height": 4}),
    "othello 6": (find_game("othello"), {"size": 6}),
    "othello 10": (find_game("othello"), {"size": 10}),
    "kalah": (find_game("kalah"), {"pits": 4, "seeds": 3}),
    "double-card": (find_game("double-card"), {"width": 4, "height": 6, "cards": 6}),
    "breakthrough": (BREAKTHROUGH, {"columns": 4, "rows": 5}),
}
each_game = pytest.mark.parametrize("name", GAMES)
SYMMETRIES = {  # the exchanges of cells and codes that they are, the first left out
    "tictactoe": 7,
    "connect4": 1,
    "othello 6": 7,
    "othello 10": 7,
    "kalah": 0,
    "double-card": 7,
    "breakthrough": 1,
}
IS_SHARED = {"tictactoe": False, "connect4": False}  # sides follow from the number of stones


def made(name: str, stages: int | None = 2) -> tuple[GameSpec, Any, Plan, np.ndarray, NTuples]:
    """A game with a plan and random weights."""
    game, settings = GAMES[name]
    start = game.initial(**settings)
    plan = lay_out(game, start, stages)
    shape = plan.stage_count * plan.sides, plan.distinct
    numbers = np.random.default_rng(4).integers(-300, 300, shape).astype(np.int16)
    return game, start, plan, numbers, ntuples_of(plan, numbers, game.max_moves)


def by_hand(plan: Plan, numbers: np.ndarray, state: Any) -> int:
    """Every tuple looked up by its cells."""
    codes, total = plan.codes_of(state), 0
    measure = 0
    if plan.stage_by == 1:
        measure = int(cells_left(state))
    elif plan.stage_by == 2:
        measure = sum(1 for code in codes if code)
    group = plan.stages[min(measure, len(plan.stages) - 1)]
    if plan.sides == 2 and side(state):
        group += plan.stage_count
    row = numbers[group]
    for each in plan.placed:
        cells = plan.tuples[each.table]
        index, radix = 0, 1
        for own, cell in zip(cells, each.cells, strict=True):
            index += radix * each.codes[codes[cell]]
            radix *= plan.view.codes[own]
        total += int(row[plan.canon[plan.starts[each.table] + index]])
    return total + int(row[plan.canon[0]])


@each_game
def test_a_value_is_the_sum_of_its_weights(name: str) -> None:
    game, start, plan, numbers, evaluator = made(name)
    seen = list(positions(game, start, 3, seed=8))
    assert len(seen) > 10
    for state in seen:
        wanted = by_hand(plan, numbers, state)
        assert int(judged(evaluator, state)) == wanted, state
    for state in seen[::5]:
        assert int(evaluate(evaluator, state)) == by_hand(plan, numbers, state)
        factors = ntuples_factors(plan, evaluator, state, cell_names(plan, game, state))
        assert sum(each.share for each in factors) == by_hand(plan, numbers, state)
        for each in factors:
            if each.cells:
                assert sum(amount for _, amount in each.cells) == pytest.approx(each.value)


@each_game
def test_symmetric_positions_have_one_value(name: str) -> None:
    game, start, plan, _, evaluator = made(name)
    assert plan.view.is_symmetric and len(plan.view.symmetries) == SYMMETRIES[name]
    for state in list(positions(game, start, 3, seed=8))[::4]:
        value = int(judged(evaluator, state))
        for symmetry in range(1, int(count_symmetries(state))):
            assert int(judged(evaluator, transform(state, symmetry))) == value


@each_game
def test_sides_that_play_the_same_game_share_their_weights(name: str) -> None:
    _, _, plan, _, _ = made(name)
    assert plan.view.is_shared == IS_SHARED.get(name, True)


@pytest.mark.parametrize("name", ["othello 6", "othello 10", "breakthrough"])
def test_exchanged_sides_change_the_sign_for_either_player(name: str) -> None:
    """What a position is worth to the first side, the exchanged one is worth to the second."""
    game, start, plan, _, evaluator = made(name)
    cells = find_cells(game, sample(game, start, Zero(), 300, 1000, 7))
    flip = list(plan.view.turned or range(cells.rows * cells.columns))
    for state in list(positions(game, start, 2, seed=3))[::3]:
        other = _exchanged(game, cells, flip, state)
        assert side(other) == 1 - side(state)
        # Values are for the mover: equal ones are opposite ones for the first player.
        assert int(judged(evaluator, other)) == int(judged(evaluator, state))
    assert bool(plan.view.turned) == (name == "breakthrough")


@each_game
def test_a_plan_is_read_as_it_was_written(name: str) -> None:
    _, _, plan, _, _ = made(name)
    again = Plan.from_data(plan.as_data())
    assert again == plan
    assert again.numbers.array.tolist() == plan.numbers.array.tolist()


def test_tuples_of_the_wrong_size_are_refused() -> None:
    game = find_game("connect4")
    with pytest.raises(Unsupported, match=r"11 cells has 177,147 indexes; at most 65,536"):
        lay_out(game, game.initial(), tuples=[tuple(range(11))])
    assert MOST_INDEX == 65_536


def test_a_game_without_cells_is_refused_with_a_reason() -> None:
    game = find_game("synthetic")
    with pytest.raises(Unsupported, match="synthetic has no cells to learn from"):
        lay_out(game, game.initial())


def test_a_position_from_outside_the_course_of_a_game_reads_no_other_memory() -> None:
    """A board with fewer discs than the start has more empty squares than there are stages for."""
    game = find_game("othello")
    _, start, plan, _, evaluator = made("othello 6", stages=4)
    nearly_empty = game.parse_position(start, "-" * 14 + "XO" + "-" * 20 + " X")
    assert int(cells_left(nearly_empty)) > len(plan.stages) - 1
    assert plan.first_weight(nearly_empty) == 3 * plan.stage_size
    assert int(judged(evaluator, nearly_empty)) == int(evaluate(evaluator, nearly_empty))


@pytest.mark.parametrize(
    "change",
    [
        {"stages": []},
        {"stages": [-1]},
        {"tuples": [[0, 99]]},
        {"tuples": [[0, 0]]},
    ],
    ids=lambda change: str(change),
)
def test_a_plan_that_would_read_beside_its_tables_is_refused(change: dict[str, Any]) -> None:
    _, _, plan, _, _ = made("tictactoe")
    with pytest.raises(ValueError, match="do not fit"):
        Plan.from_data(plan.as_data() | change)
