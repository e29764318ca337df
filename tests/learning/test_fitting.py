"""Fitting: what can be learned exactly is, and temporal differences find a solved game's values."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from plyground.evaluation.general import Zero
from plyground.evaluation.learned import ntuples_of
from plyground.evaluation.tuple_layout import lay_out
from plyground.evaluation.tuple_plan import Plan
from plyground.games.catalogue import find_game
from plyground.games.rules import State, is_over, key, outcome, play
from plyground.learning.fitting import COLUMNS, WEIGHT, Tables
from plyground.learning.lessons import Lessons
from plyground.learning.scale import expected, scale_of
from plyground.learning.self_play import Manner, self_play

OTHELLO, TICTACTOE = find_game("othello"), find_game("tictactoe")


def value_of(plan: Plan, weights: np.ndarray, state: State) -> float:
    """The sum of a position's weights, entry by entry."""
    stage, first = divmod(plan.first_weight(state), plan.stage_size)
    assert first == 0
    codes, row = plan.codes_of(state), weights[stage][plan.canon]
    tables = (plan.starts[each.table] + plan.index_of(each, codes) for each in plan.placed)
    return float(row[0] + sum(row[entry] for entry in tables))


def test_a_sum_of_weights_is_learned_exactly() -> None:
    start = OTHELLO.initial(size=4)
    plan = lay_out(OTHELLO, start, stages=2, tuples=[(0, 1, 2, 3), (0, 5, 10), (1, 2)])
    scale = scale_of(OTHELLO, start)
    groups = plan.stage_count * plan.sides
    true = np.random.default_rng(3).normal(size=(groups, plan.distinct)) / 2
    games = self_play(OTHELLO, start, Zero(), Manner(1, 11, 300), 800, 9)
    points, first = np.zeros(len(games.moves)), 0
    for length in games.lengths:
        state = start
        for ply in range(length):
            points[first + ply] = value_of(plan, true, state)
            state = play(state, int(games.moves[first + ply]))
        first += length
    lessons = Lessons.of_points(games.moves, points, games.lengths, games.openings, scale)
    student = Tables(plan, start, scale, OTHELLO.max_moves)
    errors = [student.learn(lessons, 1.0, seed) for seed in range(60)]
    assert errors[0] > 0.2
    assert errors[-1] < 0.02  # a value has 16 bits: steps of 0.0005 points
    assert student.weights.shape == (groups, plan.distinct, COLUMNS)


def test_learning_twice_gives_the_same_weights() -> None:
    start = TICTACTOE.initial()
    plan, scale = lay_out(TICTACTOE, start), scale_of(TICTACTOE, start)
    games = self_play(TICTACTOE, start, Zero(), Manner(), 300, 1)
    found = []
    for _ in range(2):
        student = Tables(plan, start, scale, TICTACTOE.max_moves)
        student.learn(games, 1.0, 7)
        found.append(student.weights[:, :, WEIGHT].copy())
    assert np.array_equal(*found)
    assert found[0].any()


def minimax_values() -> dict[int, tuple[State, int]]:
    """Every position of tic-tac-toe that is not over, with its value for the side to move."""
    known: dict[int, tuple[State, int]] = {}

    @cache
    def value(state: State) -> int:
        if is_over(state):
            return int(outcome(state))
        best = max(-value(play(state, move)) for move in TICTACTOE.legal(state))
        known[int(key(state))] = state, best
        return best

    value(TICTACTOE.initial())
    return known


def test_temporal_differences_find_the_values_of_a_solved_game() -> None:
    start = TICTACTOE.initial()
    plan = lay_out(TICTACTOE, start, stages=1, tuples=[tuple(range(9))])
    scale = scale_of(TICTACTOE, start)
    student = Tables(replace(plan), start, scale, TICTACTOE.max_moves)
    for number in range(40):
        judge = ntuples_of(plan, student.rounded(), TICTACTOE.max_moves)
        # Only openings are random: after them both sides play what they think best.
        games = self_play(TICTACTOE, start, judge, Manner(1, 7, 0, 0.3), 1000, number)
        student.learn(games, 1.0, number)
        if number % 10 == 9:
            student.forget_doubts()
    found = minimax_values()
    assert len(found) == 4520
    weights = student.weights[:, :, WEIGHT]
    errors = [
        abs(expected(scale, value_of(plan, weights, state)) - value)
        for state, value in found.values()
    ]
    assert np.mean(errors) < 0.15
    assert np.mean(np.array(errors) < 0.5) > 0.95
