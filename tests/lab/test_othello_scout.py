"""SCOUT at Othello: smallest trees, the printed procedure, replies foreseen, every claim's rule."""

import random

import polars as pl
import pytest
from lab_tools import check_times_decide_nothing_else, measured, measured_again, verdict_of

from plyground.evaluation.othello import Factors
from plyground.games.catalogue import find_game
from plyground.games.position import BasePosition
from plyground.games.rules import is_over, play
from plyground.lab import study
from plyground.lab.catalogue.othello_scout import EXPERIMENT
from plyground.lab.catalogue.othello_scout import study as scout
from plyground.lab.catalogue.othello_scout.study import ALPHA_BETA, SCOUT, ScoutParameters, player
from plyground.lab.catalogue.othello_scout.trees import MAX, MIN, Reading, fewest_nodes, visits_of
from plyground.lab.report import Verdict
from plyground.lab.statistics import Estimate
from plyground.lab.tasks import search_position
from plyground.players.catalogue import make_machine
from plyground.players.spec import Turn

GAME = find_game("othello")
SMALL = {"depth": 3, "moves": 3, "game_pairs": 1, "match_depth": 2, "match_pairs": 1}
TINY = ScoutParameters(**SMALL, nodes=200, factor_depth=1, pairs=2)
RIGHT = Reading(has_bound=1, changes_player=1, answers_right=1, takes_turns=1)


@pytest.fixture(scope="module")
def tiny():
    """All cells measured, with an expert who does not think for long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAME.levels, "expert", "alphabeta:depth=3,eval=factors")
        yield measured(EXPERIMENT, TINY)


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
    assert len({cell.key for cell in cells}) == len(cells) > 30


@pytest.mark.full
def test_a_report_has_full_tables_and_all_claims(tiny):
    report = study.report(EXPERIMENT, TINY, tiny)
    assert len(report.sections) == 8
    assert all(table.rows for table in report.tables)
    names = [chart.name for chart in report.charts]
    assert names == ["nodes-by-move", "points-by-level", "points-by-factor"]
    assert len(report.claims) == 5 + 4 + 5 + 1
    assert "6 of 6 searches" in report.summary and "6 of 6 games" in report.summary


@pytest.mark.full
def test_all_but_what_is_timed_is_the_same_whatever_the_times(tiny):
    before, _ = check_times_decide_nothing_else(EXPERIMENT, TINY, tiny)
    assert [claim.is_timed for claim in before.claims].count(True) == 1


@pytest.mark.full
def test_a_cell_measured_again_gives_the_same_answer(tiny):
    assert measured_again(tiny, lambda given: given.get("level") == "amateur") == 1
    assert measured_again(tiny, lambda given: "move" in given) == 4


def test_the_printed_games_add_up():
    games = {(row[0], row[1]): row[2:] for row in EXPERIMENT.published.tables["games"].rows}
    sums = [sum(games["SCOUT", level][place] for level in scout.LEVELS) for place in range(4)]
    assert sums == games["SCOUT", "all"] == [30, 20, 7, 3]


# ------------------------------------------------------------------ positions and searches


def test_the_program_is_black_in_one_game_of_a_pair_and_white_in_the_other():
    black, white = (scout.positions(0, which, 3, 3, 1) for which in (0, 1))
    assert [one.state.side for one in (*black, *white)] == [0] * 3 + [1] * 3
    assert black[0].state == GAME.initial() and black[0].moves == ()
    for one in (*black, *white):
        start = GAME.initial()
        assert GAME.replay(start, GAME.parse_moves(start, " ".join(one.moves))) == one.state


def test_the_first_move_takes_the_nodes_that_it_always_took():
    (row,) = scout.search_moves(0, 0, depth=8, moves=1, seed=1).answer["moves"]
    assert (row[SCOUT]["nodes"], row[ALPHA_BETA]["nodes"]) == (17_355, 28_078)


@pytest.mark.full
def test_both_algorithms_find_the_same_value_and_the_same_move(tiny):
    assert scout.same_decisions(tiny.frame(scout.search_moves)) == (12, 12)  # in both orders


def test_every_player_without_a_factor_is_another():
    full = make_machine(player(SCOUT, 1), GAME, GAME.initial()).setup
    for factor in scout.LEFT_OUT:
        setup = make_machine(scout.without(factor, 1), GAME, GAME.initial()).setup
        assert (setup.evaluator, setup.finish) != (full.evaluator, full.finish)


def test_factors_are_all_weights_but_those_of_squares_and_of_the_end():
    weights = [weight for each in scout.FACTORS.values() for weight in each]
    assert {*weights, "won"} == set(Factors._fields[10:])


# ------------------------------------------------------------------ the smallest trees


def sizes(state, depth, evaluator, bound, is_mine):
    """The nodes of the smallest proof, by trying everything; None if there is none."""
    if depth == 0 or is_over(state):
        assert not is_over(state)
        value = int(evaluator.evaluate(state))
        return 1 if (value >= bound if is_mine else value <= bound) else None
    below = [
        sizes(play(state, move), depth - 1, evaluator, -bound, not is_mine)
        for move in GAME.legal(state)
    ]
    if is_mine:
        return min((1 + size for size in below if size), default=None)
    return 1 + sum(below) if all(below) else None


def test_smallest_trees_are_those_of_an_exhaustive_count():
    for state in met(6, seed=3, plies=20):
        position = GAME.write_position(state)
        value = search_position("othello", player(ALPHA_BETA, 3), position=position).answer["value"]
        both = [sizes(state, 3, Factors(), value, mine) for mine in (True, False)]
        assert fewest_nodes(state, 3, Factors(), value, value) == sum(both) - 4


@pytest.mark.parametrize(("branching", "depth"), [(2, 5), (3, 4), (5, 3), (4, 6)])
def test_smallest_trees_of_uniform_trees_are_those_of_knuth_and_moore(branching, depth):
    state = find_game("synthetic").initial(branching=branching, depth=depth, seed=1)
    expected = sum(
        branching ** ((level + 1) // 2) + branching ** (level // 2) - 1
        for level in range(depth + 1)
    )
    assert fewest_nodes(state, depth) == expected


@pytest.mark.parametrize("algorithm", [ALPHA_BETA, SCOUT, "negascout"])
def test_no_search_visits_fewer_nodes_than_the_smallest_trees(algorithm):
    for state in met(12):
        position = GAME.write_position(state)
        found = search_position("othello", player(algorithm, 4), position=position).answer
        own = fewest_nodes(state, 4, Factors(), found["value"], found["value"])
        assert fewest_nodes(state, 4) <= own <= found["nodes"]


def test_even_the_first_move_cannot_be_searched_in_the_most_nodes_that_were_published():
    assert fewest_nodes(GAME.initial(), 8) == 1165 > scout.NUMBERS["scout nodes, most"]


# ------------------------------------------------------------------ the printed procedure


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_with_everything_put_right_it_is_scout(depth):
    for state in met(10, seed=5):
        position = GAME.write_position(state)
        found = search_position("othello", player(SCOUT, depth), position=position).answer
        visits = visits_of(state, Factors(), RIGHT, MAX, depth, 10**9)
        assert visits["evals"] + visits["tests"] == found["nodes"]


@pytest.mark.parametrize(
    ("reading", "leaves"),
    [
        (Reading(), 0),
        (Reading(takes_turns=1), 0),
        (Reading(has_bound=1, takes_turns=1), 20),  # tested honestly, and evaluated if better
    ],
)
def test_as_printed_for_min_it_follows_a_single_line(reading, leaves):
    for state in met(20, seed=8, plies=12):
        visits = visits_of(state, Factors(), reading, MIN, 5, 10**6)
        assert visits["better"] == 0
        assert visits["evals"] <= 6 + leaves


def test_as_printed_for_max_it_follows_every_line():
    visits = visits_of(GAME.initial(), Factors(), Reading(takes_turns=1), MAX, 3, 10**6)
    assert visits["evals"] == 1 + 4 + 12 + 56  # all positions, as minimax visits them


def test_a_procedure_that_does_not_end_is_stopped():
    visits = visits_of(GAME.initial(), Factors(), Reading(takes_turns=1), MAX, 8, 5000)
    assert visits == {}


# ------------------------------------------------------------------ games


@pytest.mark.full
def test_scout_and_alpha_beta_play_the_same_games(tiny):
    games = tiny.frame(scout.play_level)
    assert scout.same_games(games) == (6, 6)
    first = games.filter(pl.col("program") == scout.FIRST_MOVE)["moves"]
    assert first.is_in(games.filter(pl.col("program") == SCOUT)["moves"].implode()).sum() == 0
    results = scout.results_by_level(games)
    assert results["games"].to_list() == [2, 2, 2, 6] * 3
    assert (results["won"] + results["drawn"] + results["lost"]).to_list() == [2, 2, 2, 6] * 3


@pytest.mark.parametrize("is_expected", [True, False])
def test_replies_are_counted_as_they_were_expected(is_expected):
    watched = scout.Expecting(make_machine(player(SCOUT, 3), GAME, GAME.initial()))
    begun = Turn(BasePosition.begin(GAME))
    line = watched.choose(begun).line
    asked = begun.after(line[0])
    reply = next(move for move in asked.legal if (move == line[1]) == is_expected)
    nodes = watched.choose(asked.after(reply)).nodes
    assert watched.replies == [{"legal": len(asked.legal), "hit": is_expected, "nodes": nodes}]
    assert nodes > 0


def test_a_guess_is_worth_the_nodes_of_the_replies_that_it_meets():
    replies = [{"legal": 4, "hit": True, "nodes": 300}, {"legal": 2, "hit": False, "nodes": 100}]
    game = {"program": SCOUT, "level": "medium", "opening": "f5", "replies": replies}
    found = scout.prepared(pl.DataFrame([game])).to_dicts()
    assert [row["against"] for row in found] == ["medium", "all"]
    shares = [found[1][name]["value"] for name in list(found[1])[1:]]
    assert shares == [(1 / 4 + 1 / 2) / 2, 1 / 2, (75 + 50) / 400, 300 / 400]


# ------------------------------------------------------------------ claims

REPRODUCED, IN_DIRECTION, CONTRADICTED, NOT_TESTABLE = Verdict
LOW, HALF, HIGH = Estimate(0.3, 0.2, 0.4), Estimate(0.5, 0.4, 0.6), Estimate(0.7, 0.6, 0.8)
ONE = Estimate(1, 0.9, 1.1)


def counts(depth, most):
    visits = {scout.EVAL_ALONE: {"least": 80, "most": most}}
    return {"parameters": ScoutParameters(depth=depth), "visits": visits, "first_nodes": most}


def over(ratio):
    return {"least_over": {"nodes": ratio, "seconds": ratio}}


@pytest.mark.parametrize(
    ("claim", "found", "verdict"),
    [
        ("nodes", counts(8, 44_000), CONTRADICTED),
        ("nodes", counts(8, 2000), REPRODUCED),
        ("nodes", counts(6, 44_000), NOT_TESTABLE),
        ("first-move", counts(8, 28_078), REPRODUCED),
        ("first-move", counts(8, 11_132), CONTRADICTED),
        ("fewer-nodes", over(LOW), REPRODUCED),
        ("fewer-nodes", over(ONE), CONTRADICTED),
        ("less-time", over(HIGH), REPRODUCED),
        ("less-time", over(ONE), NOT_TESTABLE),
        ("decisions", {"same_searches": (90, 90)}, CONTRADICTED),
        ("decisions", {"same_searches": (30, 90)}, IN_DIRECTION),
        ("expert", {"wins": {"expert": (13, 40)}}, REPRODUCED),
        ("expert", {"wins": {"expert": (0, 40)}}, NOT_TESTABLE),
        ("others", {"points": {"amateur": HIGH, "medium": HIGH}}, REPRODUCED),
        ("others", {"points": {"amateur": HIGH, "medium": HALF}}, IN_DIRECTION),
        ("others", {"points": {"amateur": HIGH, "medium": LOW}}, CONTRADICTED),
        ("anticipation", {"guessed": {"any reply: work saved": HIGH}}, REPRODUCED),
    ],
)
def test_claims_rest_on_what_was_found(claim, found, verdict):
    assert verdict_of(EXPERIMENT, claim, **found) == verdict


MATCHES = {
    "results": scout.SAME_NODES,
    "factors": scout.DISCS_ONLY,
    "mobility": "legal movements",
    "positions": "positions",
    "stability": "stability",
    "terminal": scout.END,
}


@pytest.mark.parametrize("claim", MATCHES)
def test_what_helps_takes_more_than_half_of_the_points(claim):
    found = [
        verdict_of(EXPERIMENT, claim, matches={MATCHES[claim]: points})
        for points in (HIGH, HALF, LOW)
    ]
    assert found == [REPRODUCED, NOT_TESTABLE, CONTRADICTED]
