"""Weights for Reversi: the printed board, endings solved slowly, fitting, every claim's rule."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lab_tools import check_times_decide_little

from plyground.evaluation.othello_stages import Stages, stage_on, stage_values
from plyground.games.catalogue import find_game
from plyground.games.rules import cells_left, is_over, outcome, play
from plyground.kernel import Slab
from plyground.lab.catalogue.reversi_weights import (
    EXPERIMENT,
    endgame,
    opponents,
    timing,
    weights,
)
from plyground.lab.catalogue.reversi_weights.heuristics import HEURISTICS, write_heuristics
from plyground.lab.catalogue.reversi_weights.setting import (
    ReversiParameters,
    board,
    marked_squares,
    player,
    points_of,
    points_share,
    study,
)
from plyground.lab.report import Verdict
from plyground.lab.spec import Measured, Results
from plyground.lab.statistics import Estimate
from plyground.players.catalogue import make_machine

GAME = find_game("othello")
TINY = ReversiParameters(
    deepest=10,
    repetitions=1,
    depth=1,
    chance_pairs=1,
    random_pairs=1,
    positions=10,
    pairs=2,
    fitted_pairs=4,
)


@pytest.fixture(scope="module")
def tiny():
    """All cells measured, without the deepest searches."""
    cells = EXPERIMENT.cells(TINY)
    return Results(cells, {cell.key: _measured(cell) for cell in cells})


def _measured(cell):
    text = cell.arguments.get("player", "")
    if any(f"depth={depth}," in text for depth in (7, 8, 9, 10)):
        return Measured({"nodes": 10**6}, {"search": [1.0]})
    return cell.measure()


# ------------------------------------------------------------------ the whole


@pytest.mark.parametrize("chosen", [{}, EXPERIMENT.quick, {"seed": 7, "pairs": 33}])
def test_no_two_cells_are_equal(chosen):
    cells = EXPERIMENT.cells(ReversiParameters(**chosen))
    assert len({cell.key for cell in cells}) == len(cells) > 40


@pytest.mark.full
def test_a_report_has_full_tables_and_all_claims(tiny):
    report = EXPERIMENT.report(TINY, tiny)
    assert len(report.sections) == 4
    assert all(len(row) == len(table.columns) for table in report.tables for row in table.rows)
    assert all(table.rows for table in report.tables)
    names = [chart.name for chart in report.charts]
    assert names == ["seconds-by-depth", "last-squares", "points-by-weights"]
    assert len(report.claims) == 3 + 5 + 1 + 3
    assert [claim.is_timed for claim in report.claims].count(True) == 1
    assert "minimax 10.4, alpha-beta 2.7" in report.summary


@pytest.mark.full
def test_all_but_what_is_timed_is_the_same_whatever_the_times(tiny):
    check_times_decide_little(EXPERIMENT, TINY, tiny)


@pytest.mark.full
def test_a_cell_measured_again_gives_the_same_answer(tiny):
    for cell in EXPERIMENT.cells(TINY):
        if "source" in cell.arguments or cell.arguments.get("match") == opponents.RANDOM:
            assert cell.measure().answer == tiny[cell].answer


# ------------------------------------------------------------------ what was printed


def test_the_evaluator_has_the_printed_weights():
    table = study().tables["weights"]
    ours = Stages()._asdict()
    for stage, *row in table.rows:
        assert [ours[f"{stage}_{name}"] for name in weights.NAMES] == row


def test_text_picture_and_rules_disagree_about_the_printed_board():
    #   a b c d e f g h
    # 7 - * O O O * - -    f8 turns e7, since d6 is Black's: legal, and not marked
    # 8 - * - * * - - -
    legal = timing.legal_squares()
    assert study().numbers["moves said"] == 13
    assert len(marked_squares()) == 14
    assert set(legal) - set(marked_squares()) == {"f8"}
    assert set(marked_squares()) <= set(legal)


@pytest.mark.full
def test_minimax_visits_every_position_of_the_printed_board(tiny):
    start = GAME.parse_position(GAME.initial(), board())
    found = timing.searches(TINY, tiny)

    def positions(state, depth):
        if depth == 0 or is_over(state):
            return 1
        return 1 + sum(positions(play(state, move), depth - 1) for move in GAME.legal(state))

    for depth in (1, 2):
        assert found[timing.MINIMAX, depth].nodes == positions(start, depth)
    assert found[timing.MINIMAX, 6].nodes == 3_727_421
    assert found[timing.ALPHA_BETA, 6].nodes == 65_443


def test_the_printed_seconds_grow_about_tenfold():
    low, high = timing.printed_growth()
    assert (low, high) == (93 / 9, 95 / 7)


# ------------------------------------------------------------------ endings


def solve_slowly(state):
    """The final score with best play, by trying everything."""
    if is_over(state):
        return int(outcome(state))
    return max(-solve_slowly(play(state, move)) for move in GAME.legal(state))


@pytest.mark.parametrize("source", [endgame.RANDOM, endgame.OWN])
def test_endings_are_solved_as_by_trying_everything(source):
    found = endgame.check_endings(source, 6, 5).answer["endings"]
    states = list(endgame._endings(source, 6, 5))
    assert len(found) == len(states) > 20
    for state, ending in zip(states, found, strict=True):
        assert ending["empty"] == int(cells_left(state)) <= 9
        assert ending["reached"] <= ending["best"]
        if ending["empty"] <= 4:
            assert ending["best"] == solve_slowly(state)


def test_the_report_is_not_perfect_where_somebody_passes():
    endings = endgame.check_endings(endgame.RANDOM, 30, 1).answer["endings"]
    assert any(not one["exact"] for one in endings)
    assert any(not endgame.is_perfect(one) for one in endings)
    won = [one for one in endings if one["exact"] and one["best"] > 0]
    assert won and all(endgame.is_perfect(one) for one in won)  # a win that is seen is a win


def test_proven_values_stand_for_discs():
    assert [endgame._discs(value) for value in (2**29 + 12, -(2**29) - 64, 0, 37)] == [
        12,
        -64,
        0,
        0,
    ]


# ------------------------------------------------------------------ weights


def test_every_set_of_weights_makes_a_player():
    judges = [weights.without(name) for name in weights.NAMES] + list(weights.RIVALS.values())
    for judge in judges:
        assert make_machine(player(1, judge), GAME, GAME.initial())
    changed = make_machine(player(1, weights.without("mobility")), GAME, GAME.initial())
    found = changed.setup.evaluator._asdict()
    assert [found[f"{stage}_mobility"] for stage in weights.STAGE_NAMES] == [0] * 4
    assert found["early_stability"] == 20


def test_heuristics_are_written_as_the_evaluator_sees_them():
    state, values = GAME.parse_position(GAME.initial(), board()), Slab(HEURISTICS + 1)
    stage = write_heuristics(Stages(), state, values)
    assert stage == stage_on(state.me, state.opp, state.cells)
    expected = stage_values(Stages(), state.me, state.opp, state.cells)
    assert [values[place] for place in range(HEURISTICS)] == [int(one) for one in expected]


numbers = st.integers(-20, 20)


@given(
    st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=3, max_size=8),
    st.tuples(numbers, numbers, numbers),
)
@settings(max_examples=60)
def test_least_squares_recover_weights_that_explain_everything(samples, truth):
    rows = [[0] * 4 for _ in range(3)]
    for values in samples:
        weights._add(rows, values, sum(v * t for v, t in zip(values, truth, strict=True)))
    found = weights.solve(rows)
    for values in samples:
        explained = sum(Fraction(v) * f for v, f in zip(values, found, strict=True))
        assert explained == sum(v * t for v, t in zip(values, truth, strict=True))


@pytest.mark.full
def test_weights_are_fitted_to_the_positions_after_the_openings(tiny):
    found = [one for _, one in tiny.of(weights.sum_games)]
    counted = sum(sum(one.answer["positions"]) for one in found)
    assert 8 * 40 < counted < 8 * 60
    assert set(weights.fit(tiny)) == set(weights.STAGE_NAMES)


# ------------------------------------------------------------------ claims


@pytest.mark.parametrize(
    ("legal", "verdict"), [(13, Verdict.REPRODUCED), (15, Verdict.CONTRADICTED)]
)
def test_the_number_of_moves_rests_on_the_rules(legal, verdict):
    assert timing.claim_moves(["a1"] * legal).verdict == verdict


@pytest.mark.parametrize(
    ("growth", "verdict"),
    [
        ({timing.MINIMAX: 10.4, timing.ALPHA_BETA: 2.7}, Verdict.CONTRADICTED),
        ({timing.MINIMAX: 20.0, timing.ALPHA_BETA: 11.0}, Verdict.REPRODUCED),
        ({timing.MINIMAX: 20.0, timing.ALPHA_BETA: 2.7}, Verdict.NOT_TESTABLE),
        ({}, Verdict.NOT_TESTABLE),
    ],
)
def test_pruning_rests_on_how_fast_the_seconds_grow(growth, verdict):
    assert timing.claim_prunes(growth).verdict == verdict


@pytest.mark.parametrize(
    ("seconds", "verdict"), [(0.1, Verdict.CONTRADICTED), (31.0, Verdict.REPRODUCED)]
)
def test_the_depth_rests_on_thirty_seconds(seconds, verdict):
    found = {
        (name, depth): timing.Search(1, seconds if depth == 6 else 0.1)
        for name in timing.SEARCHERS
        for depth in (5, 6)
    }
    assert timing.claim_limit(found).verdict == verdict


@pytest.mark.parametrize(
    ("lost", "pairs", "verdict"),
    [
        (0, 10, Verdict.NOT_TESTABLE),
        (0, 500, Verdict.CONTRADICTED),
        (14, 500, Verdict.REPRODUCED),
        (1, 500, Verdict.IN_DIRECTION),
    ],
)
def test_one_loss_in_seventy_rests_on_the_losses(lost, pairs, verdict):
    played = [[0.0, 1.0]] * lost + [[1.0, 1.0]] * (pairs - lost)
    assert opponents.claim_random(played).verdict == verdict


@pytest.mark.parametrize(
    ("points", "verdict"),
    [
        ([[1.0, 1.0]] * 20, Verdict.REPRODUCED),
        ([[1.0, 1.0]] * 20 + [[0.0, 1.0]], Verdict.IN_DIRECTION),
        ([[0.0, 1.0]] * 20, Verdict.CONTRADICTED),
    ],
)
def test_losing_every_game_means_every_game(points, verdict):
    assert opponents.claim_better_random(points).verdict == verdict


WON, EVEN, LOST = [[1.0, 1.0]] * 40, [[1.0, 0.0]] * 40, [[0.0, 0.0]] * 40


@pytest.mark.parametrize(
    ("random", "better", "verdict"),
    [
        (EVEN, WON, Verdict.REPRODUCED),
        (WON, EVEN, Verdict.CONTRADICTED),
        (WON, WON, Verdict.NOT_TESTABLE),
    ],
)
def test_which_chance_is_worse_rests_on_the_points(random, better, verdict):
    assert opponents.claim_which_is_worse(random, better).verdict == verdict


@pytest.mark.parametrize(
    ("start", "verdict"),
    [
        (EVEN, Verdict.REPRODUCED),
        ([[1.0, 0.5]] * 2 + WON[:3], Verdict.IN_DIRECTION),
        (WON, Verdict.CONTRADICTED),
    ],
)
def test_the_better_opponent_takes_more_points(start, verdict):
    found = {opponents.RANDOM: WON, opponents.BETTER: WON, opponents.START: start}
    assert opponents.claim_random_start(found).verdict == verdict


@pytest.mark.parametrize(
    ("greedy", "deep", "verdict"),
    [
        (LOST, LOST, Verdict.REPRODUCED),
        (LOST, WON, Verdict.IN_DIRECTION),
        (EVEN, WON, Verdict.CONTRADICTED),
        (EVEN, EVEN, Verdict.NOT_TESTABLE),
    ],
)
def test_the_score_alone_is_judged_at_two_depths(greedy, deep, verdict):
    assert opponents.claim_score(greedy, deep).verdict == verdict


@pytest.mark.parametrize(
    ("reached", "verdict"),
    [
        ([4] * 200, Verdict.REPRODUCED),
        ([4] * 199 + [2], Verdict.IN_DIRECTION),
        ([4] * 150 + [-2] * 50, Verdict.CONTRADICTED),
    ],
)
def test_perfect_means_no_disc_given_away(reached, verdict):
    endings = [{"best": 4, "reached": one} for one in reached]
    assert endgame.claim_perfect(endings).verdict == verdict


HELPS, UNSURE, HARMS = Estimate(0.7, 0.6, 0.8), Estimate(0.5, 0.4, 0.6), Estimate(0.3, 0.2, 0.4)


@pytest.mark.parametrize(
    ("stability", "squares", "each", "both"),
    [
        (HELPS, HELPS, Verdict.REPRODUCED, Verdict.REPRODUCED),
        (HELPS, UNSURE, Verdict.IN_DIRECTION, Verdict.IN_DIRECTION),
        (UNSURE, UNSURE, Verdict.IN_DIRECTION, Verdict.NOT_TESTABLE),
        (HARMS, HARMS, Verdict.CONTRADICTED, Verdict.CONTRADICTED),
    ],
)
def test_what_helps_takes_more_than_half(stability, squares, each, both):
    found = dict.fromkeys(weights.NAMES, HELPS) | {"stability": stability, "squares": squares}
    assert weights.claim_each_helps(found).verdict == each
    assert weights.claim_stability_and_squares(found).verdict == both


def test_nothing_is_said_of_heuristics_when_no_game_tells():
    found = dict.fromkeys(weights.NAMES, UNSURE)
    assert weights.claim_each_helps(found).verdict == Verdict.NOT_TESTABLE


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [
        (HARMS, Verdict.REPRODUCED),
        (HELPS, Verdict.CONTRADICTED),
        (UNSURE, Verdict.NOT_TESTABLE),
    ],
)
def test_better_weights_take_more_than_half(printed, verdict):
    assert weights.claim_better_weights(printed).verdict == verdict


@pytest.mark.full
def test_points_are_shared_by_pairs(tiny):
    assert points_share([[1.0, 0.0], [1.0, 0.0], [0.5, 0.5]]).value == 0.5
    assert points_share([[1.0, 1.0]] * 40).low > 0.8
    assert len(points_of(tiny, "without score")) == TINY.pairs
