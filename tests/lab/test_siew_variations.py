"""The study of Siew 2020: known numbers, independent counts, and every claim's rule."""

import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lab_tools import check_times_decide_little

from plyground.evaluation.connect_four import Windows
from plyground.evaluation.general import PathValue, Zero
from plyground.games.catalogue import find_game
from plyground.games.rules import is_over, outcome, play
from plyground.games.synthetic import CERTAIN
from plyground.lab.catalogue.siew_variations import (
    EXPERIMENT,
    duel,
    duel_report,
    figure,
    pathology,
    pathology_report,
    runtime,
    runtime_report,
    worst_order,
)
from plyground.lab.catalogue.siew_variations.bots import OwnWindows, play_both_ways
from plyground.lab.catalogue.siew_variations.setting import SiewParameters, player, study
from plyground.lab.catalogue.siew_variations.trees import (
    LISTED,
    STAIRCASE,
    Decided,
    Mistaken,
    WonLeaves,
    fewest_leaves,
    leaves_in_exact_order,
    listed,
    staircase,
)
from plyground.lab.report import Chart, Verdict
from plyground.lab.spec import Results
from plyground.lab.statistics import Estimate
from plyground.lab.tasks import search_position
from plyground.search.catalogue import find_algorithm
from plyground.search.finish import AsScored, ByMargin
from plyground.search.run import Workshop, search
from plyground.search.setup import MOST_NODES, Limits, Setup

TINY = SiewParameters(
    deepest=2,
    pairs=2,
    given_games=2,
    given_moves=2,
    repetitions=1,
    trees=50,
    tree_depth=5,
    late_games=10,
    cells_left=10,
    tree_step=5040,
    shapes=10,
    ordered=2,
)


@pytest.fixture(scope="module")
def tiny():
    """A minute of compiling; what a report says is also held by `test_finished_reports.py`."""
    cells = EXPERIMENT.cells(TINY)
    return Results(cells, {cell.key: cell.measure() for cell in cells})


# ------------------------------------------------------------------ the whole


@pytest.mark.parametrize("chosen", [{}, EXPERIMENT.quick, {"seed": 7, "pairs": 33}])
def test_no_two_cells_are_equal(chosen):
    cells = EXPERIMENT.cells(SiewParameters(**chosen))
    assert len({cell.key for cell in cells}) == len(cells) > 50


@pytest.mark.full
def test_a_report_has_a_section_for_each_part_and_full_tables(tiny):
    report = EXPERIMENT.report(TINY, tiny)
    assert len(report.sections) == 5
    assert all(len(row) == len(table.columns) for table in report.tables for row in table.rows)
    assert all(table.rows for table in report.tables)
    assert len({chart.name for chart in report.charts}) == len(report.charts) == 7
    assert len(report.claims) == 4 + 4 + 12 + 1 + 2
    assert "alpha-beta" in report.summary


@pytest.mark.full
def test_only_what_rests_on_times_is_marked_as_timed(tiny):
    report = EXPERIMENT.report(TINY, tiny)
    assert sum(claim.is_timed for claim in report.claims) == 6
    assert [part.name for part in report.charts if part.is_timed] == ["ratio-to-alpha-beta"]
    assert all("(time)" in claim.text for claim in report.claims if claim.is_timed)


@pytest.mark.full
def test_all_else_is_the_same_whatever_the_times(tiny):
    check_times_decide_little(EXPERIMENT, TINY, tiny)


@pytest.mark.full
def test_a_cell_measured_again_gives_the_same_answer(tiny):
    by_chance = next(c for c in duel.cells(TINY) if c.arguments["random_ties"])
    assert by_chance.measure().answer == tiny[by_chance].answer


# ------------------------------------------------------------------ what was printed


def test_the_printed_times_are_those_of_the_study():
    assert runtime_report.printed_seconds("minimax")[6] == 48.412
    assert runtime_report.printed_seconds("alphabeta")[6] == 2.620
    assert runtime_report.printed_seconds("palphabeta")[5] == 0.492
    assert runtime_report.printed_seconds("scout") == {
        1: 0.003, 2: 0.021, 3: 0.073, 4: 0.149, 5: 0.682, 6: 1.792,
    }  # fmt: skip
    second = [row[2] for row in study().tables["table 2"].rows]
    assert second == [row[1] for row in study().tables["table 3"].rows]


def test_the_printed_games_are_those_of_the_study():
    winners = [row[1:] for row in study().tables["table 1"].rows]
    one, two = "player 1", "player 2"
    assert winners == [[one, two, one], [two, one, one], [two, one, two], *[[one, one, one]] * 3]


# ------------------------------------------------------------------ the bots

LINES = [
    [(column + i * across, row + i * up) for i in range(4)]
    for column in range(7)
    for row in range(6)
    for across, up in ((0, 1), (1, 0), (1, 1), (1, -1))
    if 0 <= column + 3 * across < 7 and 0 <= row + 3 * up < 6
]


def score(board, owner):
    """The evaluation of Connect4-Python, from its description, on a dictionary of stones."""
    total = 3 * sum(board.get((3, row)) == owner for row in range(6))
    for line in LINES:
        stones = [board.get(cell) for cell in line]
        own, other, empty = stones.count(owner), stones.count(1 - owner), stones.count(None)
        total += {(3, 1): 5, (2, 2): 2}.get((own, empty), 0)
        total -= 4 * ((other, empty) == (3, 1))
    return total


@given(st.lists(st.integers(0, 6), max_size=30), st.integers(0, 1))
@settings(max_examples=60)
def test_the_evaluator_is_that_of_the_public_program(columns, owner):
    game, board, heights = find_game("connect4"), {}, [0] * 7
    state = game.initial()
    for column in columns:
        if heights[column] < 6 and not is_over(state):
            board[column, heights[column]] = len(board) % 2
            heights[column] += 1
            state = play(state, column)
    expected = score(board, owner) * (1 if len(board) % 2 == owner else -1)
    assert is_over(state) or OwnWindows(owner).evaluate(state) == expected


@pytest.mark.parametrize(
    ("depth", "moves"),
    [  # played by a program written for this comparison only, in plain Python
        (1, "4433542"),
        (2, "4444442222225355535567666113"),
        (3, "444334633351111112222242345"),
        (4, "433433434441372777111171765566622"),
        (5, "4443433434673361111112222"),
    ],
)
def test_the_one_game_without_chance_is_known(depth, moves):
    played = play_both_ways([("alphabeta", depth), ("althofer-printed", depth)], "", 0, False)
    assert played["games"] == [moves, moves]


@pytest.mark.full
def test_minimax_and_the_printed_algorithm_play_one_game_twice(tiny):
    for depth in (1, 2):
        bots = [("minimax", depth), ("althofer-printed", depth)]
        pairs = duel.pairs_of(tiny, duel.PRINTED, bots)
        assert len(pairs) == TINY.pairs
        assert all(duel.are_twins(pair) and sum(pair["points"]) == 1 for pair in pairs)


def test_ties_at_random_make_different_games():
    bots = [("minimax", 2), ("althofer-printed", 2)]
    games = [play_both_ways(bots, "", seed, True)["games"] for seed in range(4)]
    assert len(set(itertools.chain(*games))) > 4


# ------------------------------------------------------------------ what the searches count


def test_minimax_visits_the_whole_tree():
    found = search_position("connect4", player("minimax", 6))
    assert found.answer["nodes"] == sum(7**ply for ply in range(7)) == 137_257


@pytest.mark.full
def test_the_printed_algorithm_answers_as_minimax_with_the_nodes_of_alpha_beta(tiny):
    searches = TINY.given_games * TINY.given_moves * TINY.deepest
    assert runtime.agreement(tiny) == (searches, searches, searches)


@pytest.mark.full
@pytest.mark.parametrize("depth", [2, 3, 4, 5])
def test_a_perfect_order_needs_the_fewest_leaves(depth):
    game = find_game("connect4")
    setup = Setup(find_algorithm("alphabeta"), Windows(), ByMargin())
    found = leaves_in_exact_order(game, game.initial(), setup, depth, best_first=True)
    assert found == fewest_leaves(7, depth)


def test_the_fewest_leaves_are_those_of_knuth_and_moore():
    assert [fewest_leaves(7, depth) for depth in range(1, 7)] == [7, 13, 55, 97, 391, 685]


@pytest.mark.parametrize(("branching", "depth"), [(2, 7), (3, 5), (4, 4), (5, 3)])
def test_a_staircase_cuts_off_nothing_or_all_that_can_be(branching, depth):
    setup = Setup(find_algorithm("alphabeta"), Zero(), AsScored())

    def leaves(best_first):
        state = staircase(branching, depth, best_first)
        return search(STAIRCASE, state, setup, Limits(depth=depth)).counters["leaves"]

    assert leaves(best_first=False) == branching**depth
    assert leaves(best_first=True) == fewest_leaves(branching, depth)


@pytest.mark.full
def test_on_random_trees_the_worst_order_still_cuts_off_something():
    game = find_game("synthetic")
    setup = Setup(find_algorithm("alphabeta"), PathValue(), AsScored())
    state = game.initial(branching=4, depth=5, spread=10**6)
    worst = leaves_in_exact_order(game, state, setup, 5, best_first=False)
    best = leaves_in_exact_order(game, state, setup, 5, best_first=True)
    assert fewest_leaves(4, 5) == best < worst < 4**5


# ------------------------------------------------------------------ small trees


def value_of(leaves, maximises=True):
    """Minimax on a list of leaves."""
    if len(leaves) == 1:
        return leaves[0]
    half = len(leaves) // 2
    values = [value_of(part, not maximises) for part in (leaves[:half], leaves[half:])]
    return max(values) if maximises else min(values)


def alphabeta_visits(leaves, maximises=True, alpha=-99, beta=99):
    """Value and visits of alpha-beta, with players that maximise and minimise."""
    if len(leaves) == 1:
        return leaves[0], 1
    half, visits = len(leaves) // 2, 1
    best = alpha if maximises else beta
    for part in (leaves[:half], leaves[half:]):
        low, high = (best, beta) if maximises else (alpha, best)
        value, below = alphabeta_visits(part, not maximises, low, high)
        visits += below
        best = max(best, value) if maximises else min(best, value)
        if best >= beta if maximises else best <= alpha:
            break
    return best, visits


def scout_visits(leaves, maximises=True):
    """Value and visits of SCOUT, as the study prints it."""
    if len(leaves) == 1:
        return leaves[0], 1
    half = len(leaves) // 2
    best, visits = scout_visits(leaves[:half], not maximises)
    better, below = probe_visits(leaves[half:], best, maximises, not maximises)
    visits += 1 + below
    if better:
        best, below = scout_visits(leaves[half:], not maximises)
        visits += below
    return best, visits


def probe_visits(leaves, bound, is_greater, maximises):
    """TEST: whether the value is greater, or lesser, than the bound; and the visits it took."""
    if len(leaves) == 1:
        return (leaves[0] > bound if is_greater else leaves[0] < bound), 1
    half, visits = len(leaves) // 2, 1
    for part in (leaves[:half], leaves[half:]):
        holds, below = probe_visits(part, bound, is_greater, not maximises)
        visits += below
        if holds == (maximises == is_greater):
            return holds, visits
    return maximises != is_greater, visits


def answers(leaves):
    depth = len(leaves).bit_length() - 1
    return {
        name: search(
            LISTED,
            listed(leaves),
            Setup(find_algorithm(name), Zero(), AsScored()),
            Limits(depth=depth),
        )
        for name in figure.NAMES
    }


@pytest.mark.full
@given(st.sampled_from([2, 4, 8, 16]).flatmap(lambda n: st.tuples(*[st.integers(0, 15)] * n)))
@settings(max_examples=60)
def test_listed_trees_have_the_values_and_visits_of_an_independent_search(leaves):
    found = answers(leaves)
    assert {one.value for one in found.values()} == {value_of(leaves)}
    assert found["alphabeta"].nodes == alphabeta_visits(leaves)[1]
    assert found["scout"].nodes == scout_visits(leaves)[1]


@pytest.mark.full
def test_on_the_tree_of_the_figure_scout_skips_one_leaf(tiny):
    found = next(measured.answer for _, measured in tiny.of(figure.search_figure))
    assert found["alphabeta"] == {"value": 5, "nodes": 15, "leaves": 8}
    assert found["scout"] == {"value": 5, "nodes": 14, "leaves": 7}


@pytest.mark.usefixtures("plain")
def test_the_leaf_that_scout_skips_is_the_second_of_k():
    for value in range(16):
        leaves = (*figure.FIGURE_LEAVES[:5], value, *figure.FIGURE_LEAVES[6:])
        assert answers(leaves)["scout"].nodes == 14


def test_the_figure_is_what_the_text_says_of_it():
    first, p = figure.FIGURE_LEAVES[:4], figure.FIGURE_LEAVES[4:]
    known = study().numbers["value of the root after its first branch in Figure 1"]
    assert value_of(first, maximises=False) == known == 5
    assert probe_visits(p[:2], known, True, True) == (True, 2), "K, of whose leaves one is seen"
    assert probe_visits(p, known, True, False)[0] is False, "P fails the test"


@pytest.mark.full
def test_small_trees_are_taken_at_equal_steps(tiny):
    trees = SiewParameters(tree_step=5040)
    assert sum(figure.small_differences(tiny, "scout").values()) == 8
    assert len([c for c in figure.cells(trees) if "step" in c.arguments]) == 1
    expected = Counter(
        scout_visits(leaves)[1] - alphabeta_visits(leaves)[1]
        for leaves in itertools.islice(itertools.permutations(range(8)), 0, None, 5040)
    )
    assert figure.small_differences(tiny, "scout") == expected


# ------------------------------------------------------------------ trees of wins and losses


def leaves_below(state):
    if is_over(state):
        return [outcome(state) * (1 - 2 * (state.ply & 1))]
    return [leaf for move in range(2) for leaf in leaves_below(play(state, move))]


@pytest.mark.parametrize("kind", ["pgame", "incremental"])
def test_won_leaves_are_counted_for_the_side_to_move(kind):
    game = find_game("synthetic")
    for seed, path in itertools.product(range(5), ([], [1], [0, 1], [1, 0, 1])):
        state = game.replay(game.initial(branching=2, depth=4, seed=seed, leaves=kind), path)
        below = leaves_below(state)
        balance = sum(leaf > 0 for leaf in below) - sum(leaf < 0 for leaf in below)
        expected = balance * (16 // len(below)) * (-1 if len(path) % 2 else 1)
        assert WonLeaves(16).evaluate(state) == expected


@pytest.mark.full
def test_mistakes_are_as_frequent_as_they_should_be():
    game, right = find_game("synthetic"), []
    solver = Setup(find_algorithm("negamax"), Zero(), Decided(1))
    room = Workshop(game, solver, None, None).parts(game.initial(), 4, MOST_NODES)
    judge = Setup(find_algorithm("minimax"), Mistaken(1, CERTAIN // 5, room), Decided(1))
    for seed in range(300):
        state = game.initial(branching=1, depth=2, seed=seed, leaves="pgame")
        truth = search(game, state, solver, Limits(depth=2)).value
        right.append(search(game, state, judge, Limits(depth=1)).value == truth)
    assert 0.7 < sum(right) / len(right) < 0.9


@pytest.mark.full
def test_one_ply_short_of_the_leaves_minimax_decides_p_games_right(tiny):
    """There the share of won leaves is above nothing just where the mover can win."""
    decisions = pathology.tree_decisions(tiny, pathology.P_GAME, "minimax")
    assert set(decisions) == set(range(1, TINY.tree_depth))
    assert len(decisions[1]) > 10
    assert all(decisions[TINY.tree_depth - 1])


@pytest.mark.full
def test_at_depth_one_both_algorithms_decide_alike(tiny):
    for kind in pathology.KINDS:
        both = [pathology.tree_decisions(tiny, kind, name)[1] for name in pathology.ALGORITHMS]
        assert both[0] == both[1]


def solved(game, state):
    """Win, draw or loss for the side to move, by plain recursion."""
    if is_over(state):
        return outcome(state)
    return max(-solved(game, play(state, move)) for move in game.legal(state))


@pytest.mark.full
def test_late_positions_are_solved():
    game = find_game("connect4")
    found = [pathology._late_position(game, "4; 3; 4; 7; 6; 4; 3; 1", left) for left in (7, 8, 9)]
    assert None not in found
    for state in found:
        expected = {move: -solved(game, play(state, move)) for move in game.legal(state)}
        assert pathology._exact_values(game, state) == expected


def test_a_game_that_ends_early_leads_to_no_late_position():
    assert pathology._late_position(find_game("connect4"), "1; 2; 1; 2; 1; 2; 1", 8) is None


# ------------------------------------------------------------------ the rules of the claims


def pairs(first, second, count=40, games=("12", "21")):
    return [{"points": [first, second], "games": list(games)} for _ in range(count)]


def both(count=20):
    """The first player wins half of the pairs, the second the others."""
    return pairs(1, 0, count) + pairs(0, 1, count)


@pytest.mark.parametrize(
    ("once", "many", "verdict"),
    [
        (pairs(1, 0, 1), pairs(1, 0), Verdict.REPRODUCED),
        (pairs(1, 0, 1), both(), Verdict.IN_DIRECTION),
        (pairs(0, 1, 1), both(), Verdict.CONTRADICTED),
    ],
)
def test_whether_the_first_wins_every_game(once, many, verdict):
    claim = duel_report.claim_first_wins({4: once}, {4: many}, {4: many})
    assert claim.verdict == verdict


def test_shallow_games_say_nothing_about_deep_ones():
    found = {3: pairs(1, 0)}
    assert duel_report.claim_first_wins(found, found, found).verdict == Verdict.NOT_TESTABLE
    assert duel_report.claim_holds_its_own(found).verdict == Verdict.NOT_TESTABLE


@pytest.mark.parametrize(
    ("empty", "opened", "verdict"),
    [
        (both(), both(), Verdict.REPRODUCED),
        (both(), pairs(1, 0), Verdict.IN_DIRECTION),
        (pairs(0, 1), pairs(1, 0), Verdict.CONTRADICTED),
    ],
)
def test_whether_it_is_chance_who_wins(empty, opened, verdict):
    assert duel_report.claim_chance_below({2: empty}, {2: opened}).verdict == verdict


def test_whether_the_algorithms_differ():
    same = {1: pairs(1, 0, games=("12", "12"))}
    other = {1: [*same[1], *pairs(1, 1, 1)]}
    assert duel_report.claim_other_algorithm(same).verdict == Verdict.CONTRADICTED
    assert duel_report.claim_other_algorithm(other).verdict == Verdict.REPRODUCED


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        ({2: both(), 4: both()}, Verdict.REPRODUCED),
        ({2: pairs(0, 0), 4: both()}, Verdict.IN_DIRECTION),
        ({2: both(), 4: pairs(0, 0)}, Verdict.CONTRADICTED),
    ],
)
def test_whether_minimax_holds_its_own(found, verdict):
    assert duel_report.claim_holds_its_own(found).verdict == verdict


def decisions(*shares, count=400):
    """By depth from 1: so many decisions are right."""
    return {
        depth: [int(place < share * count) for place in range(count)]
        for depth, share in enumerate(shares, start=1)
    }


FALLING, RISING = decisions(0.8, 0.7, 0.6, 1.0), decisions(0.6, 0.7, 0.8, 1.0)
LEVEL, DIPPING = decisions(0.7, 0.7, 0.7, 0.7), decisions(0.7, 0.5, 0.8, 1.0)


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        (FALLING, FALLING, Verdict.REPRODUCED),
        (FALLING, RISING, Verdict.IN_DIRECTION),
        (RISING, RISING, Verdict.CONTRADICTED),
        (LEVEL, RISING, Verdict.NOT_TESTABLE),
    ],
)
def test_whether_minimax_is_pathological(first, second, verdict):
    claim = pathology_report.claim_minimax_pathological({"P": first, "mistakes": second})
    assert claim.verdict == verdict


@pytest.mark.parametrize(
    ("minimax", "althofer", "verdict"),
    [
        (FALLING, RISING, Verdict.REPRODUCED),
        (FALLING, DIPPING, Verdict.IN_DIRECTION),
        (FALLING, FALLING, Verdict.CONTRADICTED),
        (RISING, RISING, Verdict.NOT_TESTABLE),
    ],
)
def test_whether_althofer_does_away_with_it(minimax, althofer, verdict):
    claim = pathology_report.claim_althofer_cures({"P": minimax}, {"P": althofer})
    assert claim.verdict == verdict


@pytest.mark.parametrize(
    ("late", "step", "verdict"),
    [
        (RISING, pairs(1, 1), Verdict.REPRODUCED),
        (RISING, pairs(0, 0), Verdict.IN_DIRECTION),
        (DIPPING, pairs(1, 1), Verdict.IN_DIRECTION),
        (decisions(0.9, 0.8, 0.5), pairs(1, 1), Verdict.CONTRADICTED),
        (LEVEL, pairs(1, 1), Verdict.NOT_TESTABLE),
    ],
)
def test_whether_connect_four_is_pathological(late, step, verdict):
    assert pathology_report.claim_not_at_connect_four(late, {1: step}).verdict == verdict


@pytest.mark.parametrize(
    ("shares", "count", "verdict"),
    [
        ((0.5, 0.6, 0.7, 0.97, 0.99), 400, Verdict.REPRODUCED),
        ((0.5, 0.6, 0.7, 0.80, 0.99), 400, Verdict.IN_DIRECTION),
        ((0.5, 0.6, 0.7, 0.80, 0.85), 400, Verdict.CONTRADICTED),
        ((0.5, 0.6, 0.7, 0.80, 0.90), 10, Verdict.NOT_TESTABLE),
        ((0.5, 0.6, 0.7), 400, Verdict.NOT_TESTABLE),
    ],
)
def test_whether_play_is_nearly_perfect(shares, count, verdict):
    claim = pathology_report.claim_nearly_perfect(decisions(*shares, count=count))
    assert claim.verdict == verdict


BELOW, ABOVE, OPEN = Estimate(0.5, 0.4, 0.6), Estimate(2, 1.8, 2.2), Estimate(1, 0.5, 2)


@pytest.mark.parametrize(
    ("found", "is_more", "verdict"),
    [
        ([BELOW, BELOW], False, Verdict.REPRODUCED),
        ([ABOVE, ABOVE], True, Verdict.REPRODUCED),
        ([BELOW, OPEN], False, Verdict.IN_DIRECTION),
        ([BELOW, ABOVE], False, Verdict.CONTRADICTED),
        ([ABOVE, OPEN], False, Verdict.CONTRADICTED),
        ([OPEN, OPEN], False, Verdict.NOT_TESTABLE),
        ([], True, Verdict.NOT_TESTABLE),
    ],
)
def test_whether_all_ratios_are_on_one_side(found, is_more, verdict):
    named = {str(number): one for number, one in enumerate(found)}
    assert runtime_report.one_sided(named, is_more)[0] == verdict


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        (Estimate(1, 0.95, 1.05), Verdict.REPRODUCED),
        (ABOVE, Verdict.CONTRADICTED),
        (BELOW, Verdict.CONTRADICTED),
        (OPEN, Verdict.NOT_TESTABLE),
    ],
)
def test_whether_all_ratios_are_near_one(found, verdict):
    assert runtime_report.alike({"any": found})[0] == verdict


def per_game(*gaps):
    """Minimax takes so many times as much as alpha-beta at depths 1, 2, ..., in three games."""
    found = {}
    for depth, gap in enumerate(gaps, start=1):
        found["natural", "alphabeta", depth] = [10.0, 11.0, 12.0]
        found["natural", "minimax", depth] = [10.0 * gap, 11.1 * gap, 11.9 * gap]
    return found


@pytest.mark.parametrize(
    ("gaps", "verdict"),
    [
        ((1, 2, 4, 8), Verdict.REPRODUCED),
        ((1, 2, 8, 4), Verdict.IN_DIRECTION),
        ((1, 8, 4, 2), Verdict.CONTRADICTED),
        ((1, 2, 3, 2), Verdict.NOT_TESTABLE),
    ],
)
def test_whether_the_gap_grows(gaps, verdict):
    claim = runtime_report.claim_growing(per_game(*gaps), [1, 2, 3, 4], is_timed=False)
    assert claim.verdict == verdict


def counts(worst, of=100):
    return [{worst_order.MINIMAX: of, worst_order.WORST: worst}] * 3


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        (100, 100, Verdict.REPRODUCED),
        (100, 80, Verdict.IN_DIRECTION),
        (90, 80, Verdict.CONTRADICTED),
    ],
)
def test_whether_the_worst_order_cuts_off_nothing(one, other, verdict):
    claim = worst_order.claim_as_many_as_minimax({"a": counts(one), "b": counts(other)})
    assert claim.verdict == verdict


@pytest.mark.parametrize(
    ("plain", "scout", "verdict"),
    [
        (15, 14, Verdict.REPRODUCED),
        (14, 13, Verdict.IN_DIRECTION),
        (15, 15, Verdict.CONTRADICTED),
    ],
)
def test_whether_the_figure_shows_what_it_should(plain, scout, verdict):
    found = {"alphabeta": {"nodes": plain}, "scout": {"nodes": scout}}
    assert figure.claim_figure(found).verdict == verdict


@pytest.mark.parametrize(
    ("small", "shape", "verdict"),
    [
        ({-1: 9, 1: 1}, BELOW, Verdict.REPRODUCED),
        ({-1: 1, 1: 9}, BELOW, Verdict.IN_DIRECTION),
        ({-1: 9, 1: 1}, ABOVE, Verdict.IN_DIRECTION),
        ({-1: 1, 0: 5, 1: 9}, ABOVE, Verdict.CONTRADICTED),
    ],
)
def test_whether_scout_visits_fewer_nodes(small, shape, verdict):
    assert figure.claim_fewer_nodes(Counter(small), {(2, 3): shape}).verdict == verdict


@pytest.mark.full
def test_charts_carry_their_data(tiny):
    parts = [part for section in EXPERIMENT.report(TINY, tiny).sections for part in section.parts]
    assert all(part.spec for part in parts if isinstance(part, Chart))
