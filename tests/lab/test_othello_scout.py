"""SCOUT at Othello: smallest trees, the printed procedure, and every claim's rule."""

import random

import pytest
from lab_tools import check_times_decide_little

from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.othello import Factors
from plyground.games.catalogue import find_game
from plyground.games.rules import is_over, play
from plyground.lab.catalogue.othello_scout import EXPERIMENT, figures, matches, searches
from plyground.lab.catalogue.othello_scout.setting import (
    ALPHA_BETA,
    LEVELS,
    SCOUT,
    ScoutParameters,
    player,
    positions,
    printed,
    study,
)
from plyground.lab.catalogue.othello_scout.trees import (
    MAX,
    MIN,
    Reading,
    fewest_nodes,
    fewest_nodes_of_all,
    visits_of,
)
from plyground.lab.report import Verdict
from plyground.lab.spec import Results
from plyground.lab.statistics import Estimate
from plyground.lab.tasks import search_position

GAME = find_game("othello")
TINY = ScoutParameters(
    depth=3,
    moves=3,
    game_pairs=1,
    proved_moves=2,
    repetitions=1,
    match_depth=2,
    match_pairs=1,
)
RIGHT = Reading(has_bound=1, changes_player=1, answers_right=1, takes_turns=1)


@pytest.fixture(scope="module")
def tiny():
    """All cells measured, with an expert who does not think for long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(find_game("othello").levels, "expert", "alphabeta:depth=3,eval=factors")
        cells = EXPERIMENT.cells(TINY)
        yield Results(cells, {cell.key: cell.measure() for cell in cells})


def met(count, seed=1, plies=40):
    """Positions of random games."""
    chance, found = random.Random(seed), []
    while len(found) < count:
        state = GAME.initial()
        for _ in range(chance.randrange(plies)):
            if not is_over(state):
                state = play(state, chance.choice(GAME.legal(state)))
        if not is_over(state):
            found.append(state)
    return found


# ------------------------------------------------------------------ the whole


@pytest.mark.parametrize("chosen", [{}, EXPERIMENT.quick, {"seed": 7, "match_pairs": 33}])
def test_no_two_cells_are_equal(chosen):
    cells = EXPERIMENT.cells(ScoutParameters(**chosen))
    assert len({cell.key for cell in cells}) == len(cells) > 15


@pytest.mark.full
def test_a_report_has_full_tables_and_all_claims(tiny):
    report = EXPERIMENT.report(TINY, tiny)
    assert len(report.sections) == 2
    assert all(len(row) == len(table.columns) for table in report.tables for row in table.rows)
    assert [chart.name for chart in report.charts] == [
        "nodes-by-move",
        "time-by-move",
        "points-by-level",
    ]
    assert len(report.claims) == 7
    assert "6 of 6 searches" in report.summary and "6 of 6 games" in report.summary


@pytest.mark.full
def test_all_but_what_is_timed_is_the_same_whatever_the_times(tiny):
    before, _ = check_times_decide_little(EXPERIMENT, TINY, tiny)
    assert [claim.is_timed for claim in before.claims].count(True) == 1


@pytest.mark.full
def test_a_cell_measured_again_gives_the_same_answer(tiny):
    for cell in EXPERIMENT.cells(TINY):
        if cell.arguments.get("level") == "amateur" or "places" in cell.arguments:
            assert cell.measure().answer == tiny[cell].answer


def test_the_printed_numbers_are_those_of_the_study():
    games = {(row[0], row[1]): row[2:] for row in study().tables["games"].rows}
    for place in range(4):
        levels_only = [games["SCOUT", level][place] for level in LEVELS]
        assert sum(levels_only) == games["SCOUT", "all"][place]
    assert games["SCOUT", "all"] == [30, 20, 7, 3]
    assert games["alpha-beta", "all"] == [30, 6, 10, 14]
    assert (printed("scout nodes, least"), printed("scout nodes, most")) == (76, 1041)
    assert printed("alpha-beta nodes, first move") == 26264


# ------------------------------------------------------------------ positions and searches


def test_the_program_is_black_in_one_game_of_a_pair_and_white_in_the_other():
    black, white = (positions(0, which, 3, 3, 1) for which in (0, 1))
    assert [one.state.side for one in (*black, *white)] == [0] * 3 + [1] * 3
    assert black[0].state == GAME.initial() and black[0].moves == ""
    for one in (*black, *white):
        start = GAME.initial()
        assert GAME.replay(start, GAME.parse_moves(start, one.moves)) == one.state


@pytest.mark.full
def test_both_algorithms_find_the_same_value_and_the_same_move(tiny):
    rows = [row for game in searches.searched(tiny) for row in game]
    assert len(rows) == 6
    for row in rows:
        for what in ("value", "move"):
            assert row[SCOUT][what] == row[ALPHA_BETA][what]


# ------------------------------------------------------------------ the smallest trees


def sizes(state, depth, evaluator, bound, is_mine):
    """The nodes of the smallest proof, by trying everything; None if there is none."""
    if depth == 0 or is_over(state):
        value = search_value(state, evaluator)
        return 1 if (value >= bound if is_mine else value <= bound) else None
    below = [
        sizes(play(state, move), depth - 1, evaluator, -bound, not is_mine)
        for move in GAME.legal(state)
    ]
    if is_mine:
        return min((1 + size for size in below if size), default=None)
    return 1 + sum(below) if all(below) else None


def search_value(state, evaluator):
    assert not is_over(state)
    return int(evaluator.evaluate(state))


def test_smallest_trees_are_those_of_an_exhaustive_count():
    for state in met(6, seed=3, plies=20):
        position = GAME.write_position(state)
        value = search_position("othello", player(ALPHA_BETA, 3), position=position).answer["value"]
        both = [sizes(state, 3, Factors(), value, mine) for mine in (True, False)]
        assert fewest_nodes(state, 3, Factors(), value) == sum(both) - 4


@pytest.mark.parametrize(("branching", "depth"), [(2, 5), (3, 4), (5, 3), (4, 6)])
def test_smallest_trees_of_uniform_trees_are_those_of_knuth_and_moore(branching, depth):
    state = find_game("synthetic").initial(branching=branching, depth=depth, seed=1)
    expected = sum(
        branching ** ((level + 1) // 2) + branching ** (level // 2) - 1
        for level in range(depth + 1)
    )
    assert fewest_nodes_of_all(state, depth) == expected


@pytest.mark.parametrize("algorithm", [ALPHA_BETA, SCOUT, "negascout"])
def test_no_search_visits_fewer_nodes_than_the_smallest_trees(algorithm):
    for state in met(12):
        position = GAME.write_position(state)
        found = search_position("othello", player(algorithm, 4), position=position).answer
        own = fewest_nodes(state, 4, Factors(), found["value"])
        assert fewest_nodes_of_all(state, 4) <= own <= found["nodes"]


def test_even_the_first_move_cannot_be_searched_in_the_most_nodes_that_were_published():
    assert fewest_nodes_of_all(GAME.initial(), 8) == 1165 > printed("scout nodes, most")


# ------------------------------------------------------------------ the printed procedure


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_with_everything_put_right_it_is_scout(depth):
    for state in met(10, seed=5):
        position = GAME.write_position(state)
        found = search_position("othello", player(SCOUT, depth), position=position).answer
        visits = visits_of(state, Factors(), RIGHT, MAX, depth, 10**9)
        assert visits.evals + visits.tests == found["nodes"]
        assert visits.is_complete


@pytest.mark.parametrize("reading", [Reading(), Reading(takes_turns=1)])
def test_as_printed_for_min_it_follows_a_single_line(reading):
    for state in met(20, seed=8, plies=12):
        visits = visits_of(state, Factors(), reading, MIN, 5, 10**6)
        assert visits.is_complete
        assert visits.better == 0
        assert visits.evals <= 6


def test_with_a_bound_it_follows_a_single_line_down_to_the_last_ply():
    for state in met(20, seed=8, plies=12):
        visits = visits_of(state, Factors(), Reading(has_bound=1, takes_turns=1), MIN, 5, 10**6)
        assert visits.better == 0
        assert visits.evals <= 6 + 20  # leaves are tested honestly, and evaluated if better


def test_as_printed_for_max_it_follows_every_line():
    visits = visits_of(GAME.initial(), Factors(), Reading(takes_turns=1), MAX, 3, 10**6)
    assert visits.is_complete
    assert visits.evals == 1 + 4 + 12 + 56  # all positions, as minimax visits them


def test_a_procedure_that_does_not_end_is_stopped():
    visits = visits_of(GAME.initial(), Factors(), Reading(takes_turns=1), MAX, 8, 5000)
    assert not visits.is_complete
    assert 5000 < visits.evals + visits.tests < 6000  # each line under way is walked to its end


def test_the_nearest_reading_is_the_one_with_the_published_range():
    def row(first, second):
        made = {name: {"evals": 1, "tests": 10**5, "better": 0} for name in searches.READINGS}
        return made | {searches.IN_TURN: {"evals": first, "tests": second, "better": 0}}

    assert figures.nearest_reading([row(6, 70), row(41, 1000)]) == searches.IN_TURN
    stopped = row(6, 70) | {searches.IN_TURN: None}
    assert figures.nearest_reading([stopped, row(41, 1000)]) != searches.IN_TURN


# ------------------------------------------------------------------ games


@pytest.mark.full
def test_scout_and_alpha_beta_play_the_same_games(tiny):
    for level in LEVELS:
        games = matches.games_of(tiny, level)
        assert matches.same_games(games) == (2, 2)
        assert games[SCOUT] == games[ALPHA_BETA]
        assert games[matches.PRINTED][0]["moves"] != games[SCOUT][0]["moves"]


def test_points_are_shared_by_openings():
    games = [{"points": points} for points in (1.0, 0.0, 1.0, 0.0, 0.5, 0.5)]
    assert matches.points_share(games).value == 0.5
    assert matches.counted(games) == (2, 2, 2)
    assert matches.points_share([{"points": 1.0}] * 40).low > 0.8


# ------------------------------------------------------------------ claims


def searched(scout, alpha_beta):
    return [[{SCOUT: {"nodes": scout}, ALPHA_BETA: {"nodes": alpha_beta}}] * 3]


@pytest.mark.parametrize(
    ("depth", "nodes", "bound", "verdict"),
    [
        (8, 50_000, 1165, Verdict.CONTRADICTED),
        (8, 50_000, 70, Verdict.IN_DIRECTION),
        (8, 500, 70, Verdict.REPRODUCED),
        (6, 50_000, 1165, Verdict.NOT_TESTABLE),
    ],
)
def test_the_claim_about_nodes_rests_on_what_no_search_can_go_below(depth, nodes, bound, verdict):
    proved = [{"any": bound}]
    assert figures.claim_node_range(depth, searched(nodes, 1), proved).verdict == verdict


@pytest.mark.parametrize(
    ("share", "verdict"),
    [
        (Estimate(0.003, 0.002, 0.004), Verdict.REPRODUCED),
        (Estimate(0.8, 0.7, 0.9), Verdict.IN_DIRECTION),
        (Estimate(1.0, 0.9, 1.1), Verdict.CONTRADICTED),
    ],
)
def test_the_claims_about_savings_rest_on_the_ratio(share, verdict):
    assert figures.claim_fewer_nodes(share, searched(1, 1)).verdict == verdict
    assert figures.claim_less_time(share).verdict == verdict


@pytest.mark.parametrize(
    ("more", "verdict"), [(200, Verdict.CONTRADICTED), (100_000, Verdict.REPRODUCED)]
)
def test_the_claim_about_memory_rests_on_how_it_grows(more, verdict):
    assert figures.claim_memory({8: 100, 16: more}, 8).verdict == verdict


def games_with(scout, alpha_beta, are_same):
    def games(points, name):
        return [{"points": p, "moves": "" if are_same else name} for p in points]

    return {SCOUT: games(scout, SCOUT), ALPHA_BETA: games(alpha_beta, ALPHA_BETA)}


@pytest.mark.parametrize(
    ("games", "values", "verdict"),
    [
        (games_with([1.0] * 8, [1.0] * 8, True), (5, 5), Verdict.CONTRADICTED),
        (games_with([1.0] * 40, [0.0] * 40, False), (4, 5), Verdict.REPRODUCED),
        (games_with([1.0, 0.0] * 8, [0.0, 1.0] * 8, False), (4, 5), Verdict.NOT_TESTABLE),
    ],
)
def test_who_plays_better_rests_on_the_same_games(games, values, verdict):
    assert matches.claim_plays_better(games, values).verdict == verdict


@pytest.mark.parametrize(
    ("points", "verdict"),
    [
        ([1.0] * 40, Verdict.REPRODUCED),
        ([1.0, 0.0] * 20, Verdict.IN_DIRECTION),
        ([0.0] * 40, Verdict.CONTRADICTED),
        ([0.0] * 2, Verdict.NOT_TESTABLE),
    ],
)
def test_beating_experts_means_more_than_half(points, verdict):
    games = [{"points": one} for one in points]
    assert matches.claim_beats_experts(games).verdict == verdict


@pytest.mark.parametrize(
    ("points", "verdict"),
    [
        ([1.0] * 40, Verdict.REPRODUCED),
        ([1.0] * 2, Verdict.IN_DIRECTION),
        ([0.0] * 40, Verdict.CONTRADICTED),
    ],
)
def test_beating_the_others_means_both(points, verdict):
    games = [{"points": one} for one in points]
    assert matches.claim_beats_others(games, [{"points": 1.0}] * 40).verdict == verdict


def test_all_other_heuristics_exist():
    names = {find_evaluator(judge, GAME.initial()).name for judge in searches.OTHER_JUDGES}
    assert names == set(searches.OTHER_JUDGES)
