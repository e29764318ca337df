"""Weights for Reversi: the printed board, endings solved slowly, fitting, every claim's rule."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lab_tools import check_times_decide_nothing_else, measured, measured_again, verdict_of

from plyground.evaluation.othello_stages import Stages, stage_on, stage_values
from plyground.games.catalogue import find_game
from plyground.games.rules import cells_left, is_over, outcome, play
from plyground.lab import study
from plyground.lab.catalogue.reversi_weights import EXPERIMENT
from plyground.lab.catalogue.reversi_weights import study as weights
from plyground.lab.catalogue.reversi_weights.study import ReversiParameters, board, player
from plyground.lab.contests import play_pairs, points_share
from plyground.lab.report import Verdict
from plyground.lab.spec import Measured
from plyground.lab.statistics import Estimate, share
from plyground.players.catalogue import make_machine

GAME = find_game("othello")
TINY = ReversiParameters(
    deepest=10, repetitions=1, depth=1, chance_pairs=1, random_pairs=1, positions=10, pairs=2,
    fitted_pairs=4
)  # fmt: skip


@pytest.fixture(scope="module")
def tiny():
    """All cells measured, without the deepest searches."""
    return measured(EXPERIMENT, TINY, _measured)


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
    report = study.report(EXPERIMENT, TINY, tiny)
    assert len(report.sections) == 6
    assert all(len(row) == len(table.columns) for table in report.tables for row in table.rows)
    assert all(table.rows for table in report.tables)
    names = [chart.name for chart in report.charts]
    assert names == ["seconds-by-depth", "last-squares", "points-by-weights"]
    assert len(report.claims) == 3 + 6 + 2 + 1
    assert [claim.is_timed for claim in report.claims].count(True) == 1
    prunes = next(claim for claim in report.claims if "prunes" in claim.text)
    assert "10.4 times (minimax), 2.7 times (alpha-beta)" in prunes.ours


@pytest.mark.full
def test_all_but_what_is_timed_is_the_same_whatever_the_times(tiny):
    check_times_decide_nothing_else(EXPERIMENT, TINY, tiny)


@pytest.mark.full
def test_a_cell_measured_again_gives_the_same_answer(tiny):
    assert measured_again(tiny, lambda given: "source" in given)
    assert measured_again(tiny, lambda given: given.get("match") == "random")


# ------------------------------------------------------------------ what was printed


def test_the_evaluator_has_the_printed_weights():
    table = EXPERIMENT.published.tables["weights"]
    ours = Stages()._asdict()
    for stage, *row in table.rows:
        assert [ours[f"{stage}_{name}"] for name in weights.NAMES] == row


def test_text_picture_and_rules_disagree_about_the_printed_board():
    #   a b c d e f g h
    # 7 - * O O O * - -    f8 turns e7, since d6 is Black's: legal, and not marked
    # 8 - * - * * - - -
    legal, marked = weights.legal_squares(), weights.marked_squares()
    assert weights.PRINTED.numbers["moves said"] == 13
    assert len(marked) == 14
    assert set(legal) - set(marked) == {"f8"}
    assert set(marked) <= set(legal)


@pytest.mark.full
def test_minimax_visits_every_position_of_the_printed_board(tiny):
    start = GAME.parse_position(GAME.initial(), board())
    searches = weights.searches(tiny).iter_rows(named=True)
    found = {(row["who"], row["plies"]): row["nodes"] for row in searches}

    def positions(state, depth):
        if depth == 0 or is_over(state):
            return 1
        return 1 + sum(positions(play(state, move), depth - 1) for move in GAME.legal(state))

    for depth in (1, 2):
        assert found["minimax", depth] == positions(start, depth)
    assert found["minimax", 6] == 3_727_421
    assert found["alpha-beta", 6] == 65_443


def test_the_printed_seconds_grow_about_tenfold():
    low, high = weights.printed_growth([0, 0, 0, 1, 8, 94])
    assert (low, high) == (93 / 9, 95 / 7)


# ------------------------------------------------------------------ endings


def solve_slowly(state):
    """The final score with best play, by trying everything."""
    if is_over(state):
        return int(outcome(state))
    return max(-solve_slowly(play(state, move)) for move in GAME.legal(state))


@pytest.mark.parametrize("source", [weights.RANDOM, weights.OWN])
def test_endings_are_solved_as_by_trying_everything(source):
    found = weights.check_endings(source, 6, 5).answer["endings"]
    states = list(weights._endings(source, 6, 5))
    assert len(found) == 2 * len(states) > 40
    for state, ending in zip((s for s in states for _ in weights.READINGS), found, strict=True):
        assert ending["empty"] == int(cells_left(state)) <= 9
        assert ending["reached"] <= ending["best"]
        if ending["empty"] <= 4:
            assert ending["best"] == solve_slowly(state)


def test_the_report_is_not_perfect_where_somebody_passes():
    endings = weights.check_endings(weights.RANDOM, 30, 1).answer["endings"]
    assert any(not one["exact"] for one in endings)
    assert any(one["reached"] != one["best"] for one in endings)
    won = [one for one in endings if one["exact"] and one["best"] > 0]
    assert won and all(one["reached"] == one["best"] for one in won)  # a win that is seen is a win


def test_one_ply_more_sees_more():
    found = weights.check_endings(weights.RANDOM, 30, 1).answer["endings"]
    seen = [sum(one["exact"] for one in found if one["reading"] == r) for r in weights.READINGS]
    assert seen[1] > seen[0]


def test_proven_values_stand_for_discs():
    values = 2**29 + 12, -(2**29) - 64, 0, 37
    assert [weights._discs(value) for value in values] == [12, -64, 0, 0]


# ------------------------------------------------------------------ weights


def test_every_set_of_weights_makes_a_player():
    for judge in (*weights.WITHOUT.values(), *weights.RIVALS):
        assert make_machine(player(1, judge), GAME, GAME.initial())
    changed = make_machine(player(1, weights.without("mobility")), GAME, GAME.initial())
    found = changed.setup.evaluator._asdict()
    assert [found[f"{stage}_mobility"] for stage in weights.STAGE_NAMES] == [0] * 4
    assert found["early_stability"] == 20


def test_heuristics_are_those_that_the_evaluator_sees():
    state = GAME.parse_position(GAME.initial(), board())
    stage, values = weights.heuristics(state)
    assert stage == stage_on(state.me, state.opp, state.cells)
    expected = stage_values(Stages(), state.me, state.opp, state.cells)
    assert values == [int(one) for one in expected]


numbers = st.integers(-20, 20)


@given(
    st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=3, max_size=8),
    st.tuples(numbers, numbers, numbers),
)
@settings(max_examples=60)
def test_least_squares_recover_weights_that_explain_everything(samples, truth):
    sums = np.zeros((3, 4), int)
    for values in samples:
        weights.add(sums, values, sum(v * t for v, t in zip(values, truth, strict=True)))
    found = weights.solve(sums.tolist())
    for values in samples:
        explained = sum(Fraction(v) * f for v, f in zip(values, found, strict=True))
        assert explained == sum(v * t for v, t in zip(values, truth, strict=True))


@pytest.mark.full
def test_weights_are_fitted_to_the_positions_after_the_openings(tiny):
    ((_, found),) = tiny.of(weights.fit_weights)
    assert 8 * 40 < found.answer["positions"] < 8 * 60
    assert set(found.answer["weights"]) == set(weights.STAGE_NAMES)


@pytest.mark.full
def test_the_weights_that_play_are_those_of_the_run(tiny):
    ((_, found),) = tiny.of(weights.fit_weights)
    judge = weights.with_weights(found.answer["weights"])
    rival = player(TINY.depth, judge)
    for each, measured_pairs in tiny.of(weights.play_fitted):
        played = play_pairs(
            "othello", "again", [player(TINY.depth), rival], each["openings"], each["number"]
        )
        assert played.answer == measured_pairs.answer


# ------------------------------------------------------------------ claims


R, D, C, N = Verdict
WON, EVEN, LOST = [[1.0, 1.0]] * 40, [[1.0, 0.0]] * 40, [[0.0, 0.0]] * 40
ODD = [[1.0, 0.5]] * 2 + WON[:3]
HELPS, UNSURE, HARMS = Estimate(0.7, 0.6, 0.8), Estimate(0.5, 0.4, 0.6), Estimate(0.3, 0.2, 0.4)
CLEARLY = Estimate(0.9, 0.85, 0.95)


def lost(count, pairs):
    return {"lost": {"random": share(count, 2 * pairs)}}


def points(**pairs):
    return {"points": {name.replace("_", "-"): points_share(each) for name, each in pairs.items()}}


def without_two(points):
    return {"points": {"better-random": HELPS, "better-random, without two": points}}


@pytest.mark.parametrize(
    ("claim", "found", "verdict"),
    [
        ("moves", {"legal": ["a1"] * 13}, R),
        ("moves", {"legal": ["a1"] * 15}, C),
        ("random", lost(0, 10), N),
        ("random", lost(0, 500), N),
        ("random", lost(0, 50_000), C),
        ("random", lost(14, 500), R),
        ("random", lost(1, 50_000), C),
        ("better-random", {"won": {"better-random": (40, 40)}}, R),
        ("better-random", {"won": {"better-random": (41, 42)}}, D),
        ("better-random", {"won": {"better-random": (20, 40)}}, C),
        ("which-is-worse", points(random=EVEN, better_random=WON), R),
        ("which-is-worse", points(random=WON, better_random=EVEN), C),
        ("which-is-worse", points(random=WON, better_random=WON), N),
        ("random-start", points(better_random=WON, random_start=EVEN), R),
        ("random-start", points(better_random=WON, random_start=ODD), N),
        ("random-start", points(better_random=WON, random_start=WON * 20), C),
        ("score", {"points": {"score alone, one ply": points_share(LOST)}}, R),
        ("score", {"points": {"score alone, one ply": points_share(WON)}}, C),
        ("score", {"points": {"score alone, one ply": points_share(EVEN)}}, N),
        ("two-heuristics", without_two(HARMS), R),
        ("two-heuristics", without_two(UNSURE), N),
        ("two-heuristics", without_two(HELPS), N),
        ("two-heuristics", without_two(CLEARLY), C),
        ("other-weights", {"points": {"fitted weights": HARMS}}, R),
        ("other-weights", {"points": {"fitted weights": HELPS}}, C),
        ("other-weights", {"points": {"fitted weights": UNSURE}}, N),
    ],
)
def test_claims_rest_on_what_was_found(claim, found, verdict):
    assert verdict_of(EXPERIMENT, claim, **found) == verdict


@pytest.mark.parametrize(("best", "verdict"), [((200, 200), R), ((199, 200), D), ((150, 200), C)])
def test_perfect_means_that_the_result_is_kept(best, verdict):
    found = {"one ply more": best}
    assert verdict_of(EXPERIMENT, "best-move", best=found) == N
    assert verdict_of(EXPERIMENT, "result-kept", kept=found) == verdict


@pytest.mark.full
def test_points_are_shared_by_pairs(tiny):
    assert points_share([[1.0, 0.0], [1.0, 0.0], [0.5, 0.5]]).value == 0.5
    assert points_share([[1.0, 1.0]] * 40).low > 0.8
    pairs = weights.pairs_of(tiny)
    without = pairs.filter(pairs["match"] == "without score")["points"].explode()
    assert len(without) == TINY.pairs
