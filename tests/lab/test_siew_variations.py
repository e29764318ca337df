"""The study of Siew 2020: known numbers, independent counts, and every claim's rule."""

import itertools
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lab_tools import check_times_decide_nothing_else, measured, measured_again, verdict_of

from plyground.evaluation.connect_four import Windows
from plyground.evaluation.general import PathValue, Zero
from plyground.games.catalogue import find_game
from plyground.games.rules import cells_left, is_over, outcome, play
from plyground.games.synthetic import CERTAIN
from plyground.lab import study as studies
from plyground.lab.catalogue.siew_variations import EXPERIMENT, trees
from plyground.lab.catalogue.siew_variations import study as siew
from plyground.lab.catalogue.siew_variations.bots import OwnWindows, play_both_ways
from plyground.lab.catalogue.siew_variations.study import SiewParameters, written
from plyground.lab.report import Verdict
from plyground.lab.statistics import Estimate
from plyground.search.catalogue import find_algorithm
from plyground.search.finish import AsScored, ByMargin
from plyground.search.run import Workshop, search
from plyground.search.setup import MOST_NODES, Limits, Setup

TINY = SiewParameters(
    deepest=4, pairs=2, given_games=2, given_moves=2, repetitions=1, trees=50, tree_depth=5,
    late_games=30, cells_left=10, tree_step=5040, shapes=10, ordered=2
)  # fmt: skip
GAME = find_game("connect4")
EXACT = Setup(find_algorithm("alphabeta"), Zero(), AsScored())


@pytest.fixture(scope="module")
def tiny():
    """A minute of compiling; what a report says is also held by `test_shipped.py`."""
    return measured(EXPERIMENT, TINY)


@pytest.fixture(scope="module")
def found(tiny):
    return studies.findings_of(EXPERIMENT, TINY, tiny)


# ------------------------------------------------------------------ the whole


@pytest.mark.parametrize("chosen", [{}, EXPERIMENT.quick, {"seed": 7, "pairs": 33}])
def test_no_two_cells_are_equal(chosen):
    cells = EXPERIMENT.cells(SiewParameters(**chosen))
    assert len({cell.key for cell in cells}) == len(cells) > 50


@pytest.mark.full
def test_a_report_has_full_tables_and_only_times_are_timed(tiny):
    report, _ = check_times_decide_nothing_else(EXPERIMENT, TINY, tiny)
    assert len(report.sections) == 9
    assert all(table.rows for table in report.tables)
    assert len(report.charts) == 7
    assert len(report.claims) == 2 + 5 + 4 + 3 + 6 + 5 + 7 + 2 + 2
    assert all("(time)" in claim.text for claim in report.claims if claim.is_timed)
    assert sum(claim.is_timed for claim in report.claims) == 8


@pytest.mark.full
def test_a_cell_measured_again_gives_the_same_answer(tiny):
    chancy = siew.BY_CHANCE, siew.CHANCE
    assert measured_again(tiny, lambda given: given.get("match") in chancy) == 2 * TINY.deepest


# ------------------------------------------------------------------ the first move


def test_only_the_middle_column_wins_and_two_others_draw():
    moves = siew.solve_first_moves().answer["moves"]
    signs = {one["column"]: (one["score"] > 0) - (one["score"] < 0) for one in moves}
    assert signs == {"1": -1, "2": -1, "3": 0, "4": 1, "5": 0, "6": -1, "7": -1}


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
    state, board, heights = GAME.initial(), {}, [0] * 7
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
    played = play_both_ways([f"alphabeta {depth}", f"althofer-printed {depth}"], "", 0, False)
    assert played["games"] == [moves, moves]


@pytest.mark.full
def test_minimax_and_the_printed_algorithm_play_one_game_twice(found):
    matches = found["matches"].filter(found["matches"]["match"] == siew.OPENED)
    assert matches["twins"].to_list() == [1.0] * TINY.deepest
    assert [one["value"] for one in matches["points"]] == [0.5] * TINY.deepest
    assert found["different"] == (0, TINY.pairs * TINY.deepest)


def test_ties_at_random_make_different_games():
    bots = ["minimax 2", "althofer-printed 2"]
    games = [play_both_ways(bots, "", seed, True)["games"] for seed in range(4)]
    assert len(set(itertools.chain(*games))) > 4


def test_monte_carlo_tree_search_makes_its_simulations():
    made = siew.bots_of(siew.CHANCE, 3)
    assert made == ["alphabeta 3", "uct 161"]
    first, again, other = (play_both_ways(made, "", seed, False)["games"] for seed in (1, 1, 2))
    assert first == again != other


# ------------------------------------------------------------------ what the searches count


@pytest.mark.full
def test_what_the_algorithms_answer_is_known(found):
    answers = {row["algorithm"]: row for row in found["answers"].to_dicts()}
    searches = TINY.given_games * TINY.given_moves * TINY.deepest
    assert {row["searches"] for row in answers.values()} == {searches}
    for name in set(siew.NAMES.values()) - {siew.PRINTED_FORM}:
        assert answers[name]["value"]["value"] == answers[name]["move"]["value"] == 0
    assert answers["Algorithm 1"]["nodes"]["value"] == 0
    assert answers[siew.PRINTED_FORM]["value"]["value"] > 0.5


def test_the_nodes_of_both_forms_of_palphabeta_are_known():
    measured = siew.search_given_games(list(siew.VARIANTS), 4, "natural", ["4; 4"], 3, 1)
    nodes = {}
    for one in measured.answer["searches"]:
        nodes.setdefault(one["algorithm"], []).append(one["nodes"])
    assert nodes == {
        "alpha-beta": [627, 778, 477],
        "palphabeta as printed": [558, 634, 573],
        "palphabeta corrected": [581, 708, 483],
        "SCOUT": [621, 907, 589],
    }
    assert len(measured.times_s["search"]) == 12


@pytest.mark.full
def test_alpha_beta_visits_about_as_many_nodes_as_tree_search_simulates():
    measured = siew.search_given_games(["alphabeta"], 5, "natural", ["4; 4", "2; 6", "7; 3"], 10, 1)
    nodes = [one["nodes"] for one in measured.answer["searches"]]
    assert 0.5 < sum(nodes) / len(nodes) / siew.SIMULATIONS[5] < 2


def test_minimal_windows_are_counted_beside_the_first_moves():
    start = GAME.initial()
    assert [siew.tests_of(GAME, start, depth) for depth in (1, 2, 6, 7)] == [6, 12, 36, 41]
    won = GAME.replay(start, [0, 1, 0, 1, 0, 1])
    assert siew.tests_of(GAME, won, 3) == 6, "the first move ends the game"


@pytest.mark.full
@pytest.mark.parametrize("depth", [2, 3, 4, 5])
def test_a_perfect_order_needs_the_fewest_leaves(depth):
    setup = Setup(find_algorithm("alphabeta"), Windows(), ByMargin())
    found = trees.leaves_in_exact_order(GAME, GAME.initial(), setup, depth, best_first=True)
    assert found == trees.fewest_leaves(7, depth)


def test_the_fewest_leaves_are_those_of_knuth_and_moore():
    assert [trees.fewest_leaves(7, depth) for depth in range(1, 7)] == [7, 13, 55, 97, 391, 685]


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize(("branching", "depth"), [(2, 7), (3, 5), (4, 4), (5, 3)])
def test_a_staircase_cuts_off_nothing_or_all_that_can_be(branching, depth):
    state, all_leaves = trees.staircase(branching, depth), branching**depth
    found = search(trees.STAIRCASE, state, EXACT, Limits(depth=depth))
    assert found.counters["leaves"] == all_leaves
    for best_first, leaves in ((0, all_leaves), (1, trees.fewest_leaves(branching, depth))):
        ordered = trees.STAIRCASE, state, EXACT, depth, best_first
        assert trees.leaves_in_exact_order(*ordered) == leaves


@pytest.mark.full
def test_on_random_trees_the_worst_order_still_cuts_off_something():
    game = find_game("synthetic")
    setup = replace(EXACT, evaluator=PathValue())
    state = game.initial(branching=4, depth=5, spread=10**6)
    worst, best = (
        trees.leaves_in_exact_order(game, state, setup, 5, first) for first in (False, True)
    )
    assert trees.fewest_leaves(4, 5) == best < worst < 4**5


# ------------------------------------------------------------------ small trees


def alphabeta_visits(leaves, alpha=-99, beta=99, sign=1):
    """Value and visits of alpha-beta, for the side to move."""
    if len(leaves) == 1:
        return sign * leaves[0], 1
    half, best, visits = len(leaves) // 2, alpha, 1
    for part in (leaves[:half], leaves[half:]):
        value, below = alphabeta_visits(part, -beta, -best, -sign)
        best, visits = max(best, -value), visits + below
        if best >= beta:
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


def searched(leaves):
    rows = siew.search_figure(written(leaves)).answer["searches"]
    return {row["algorithm"]: row for row in rows}


@pytest.mark.full
@given(st.tuples(*[st.integers(0, 15)] * 8))
@settings(max_examples=60)
def test_small_trees_have_the_values_and_visits_of_an_independent_search(leaves):
    found = searched(leaves)
    assert {one["value"] for one in found.values()} == {alphabeta_visits(leaves)[0]}
    assert found["alpha-beta"]["nodes"] == alphabeta_visits(leaves)[1]
    assert found["SCOUT"]["nodes"] == scout_visits(leaves)[1]


FIGURE = (5, 3, 2, 7, 8, 9, 4, 1)


@pytest.mark.usefixtures("plain")
def test_on_the_tree_of_the_figure_scout_skips_the_second_leaf_of_k():
    known, ours = (find_game("textbook").initial(tree=t) for t in (siew.FIGURE, written(FIGURE)))
    assert known == ours
    rows = siew.search_figure(siew.FIGURE).answer["searches"]
    found = {row["algorithm"]: (row["value"], row["nodes"], row["leaves"]) for row in rows}
    assert found["alpha-beta"] == (5, 15, 8)
    assert found["SCOUT"] == (5, 14, 7)
    for value in range(16):
        assert searched((*FIGURE[:5], value, *FIGURE[6:]))["SCOUT"]["nodes"] == 14


def test_the_figure_is_what_the_text_says_of_it():
    known = siew.PRINTED.numbers["value of the root after its first branch in Figure 1"]
    assert -alphabeta_visits(FIGURE[:4], sign=-1)[0] == known == 5
    assert probe_visits(FIGURE[4:6], known, True, True) == (True, 2), "K, of which one is seen"
    assert probe_visits(FIGURE[4:], known, True, False)[0] is False, "P fails the test"


@pytest.mark.full
def test_small_trees_are_taken_at_equal_steps(found):
    small = found["small_drawn"].filter(found["small_drawn"]["algorithm"] == "SCOUT")
    expected = Counter(
        scout_visits(leaves)[1] - alphabeta_visits(leaves)[1]
        for leaves in itertools.islice(itertools.permutations(range(8)), 0, None, 5040)
    )
    assert dict(small.select("more", "trees").iter_rows()) == expected
    tally = found["scout_small"]
    assert tally["trees"] == 8
    assert tally["fewer"] + tally["as_many"] + tally["more"] == pytest.approx(1)


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
        assert trees.WonLeaves(16).evaluate(state) == expected


@pytest.mark.full
def test_mistakes_are_as_frequent_as_they_should_be():
    game, right = find_game("synthetic"), []
    solver = Setup(find_algorithm("negamax"), Zero(), trees.Decided(1))
    room = Workshop(game, solver, None, None).parts(game.initial(), 4, MOST_NODES)
    judge = Setup(
        find_algorithm("minimax"), trees.Mistaken(1, CERTAIN // 5, room), trees.Decided(1)
    )
    for seed in range(300):
        state = game.initial(branching=1, depth=2, seed=seed, leaves="pgame")
        truth = search(game, state, solver, Limits(depth=2)).value
        right.append(search(game, state, judge, Limits(depth=1)).value == truth)
    assert 0.7 < sum(right) / len(right) < 0.9


@pytest.mark.full
def test_decisions_are_right_where_they_must_be(found):
    """One ply short of the leaves the share of won leaves is above nothing just where one wins."""
    right = {
        (row["positions"], row["algorithm"], row["depth"]): row["right"]["value"]
        for row in found["right"].to_dicts()
    }
    assert right[siew.P_GAME, "minimax", TINY.tree_depth - 1] == 1
    for kind in (*siew.KINDS, siew.LATE):
        assert right[kind, "minimax", 1] == right[kind, "Althöfer", 1]
    assert found["deep"] == TINY.tree_depth - 2


@pytest.mark.full
def test_what_is_seen_of_a_late_position_stays_seen(tiny):
    decisions = siew.decisions_of(tiny)
    late = decisions.filter(decisions["positions"] == siew.LATE)
    for (_, number), one in late.group_by("algorithm", "number"):
        seen = one.sort("depth")["seen"].to_list()
        assert seen == sorted(seen), number
    assert not late.filter((late["seen"] == 1) & (late["right"] == 0) & (late["result"] > 0)).height


def test_late_positions_have_so_many_empty_cells():
    found = [siew.late_position("4; 3; 4; 7; 6; 4; 3; 1", left) for left in (7, 8, 9)]
    assert [cells_left(state) for state in found] == [7, 8, 9]


def test_a_game_that_ends_early_leads_to_no_late_position():
    assert siew.late_position("1; 2; 1; 2; 1; 2; 1", 8) is None


# ------------------------------------------------------------------ claims

R, D, C, N = Verdict
LOW, HALF, HIGH, SURE = (Estimate(one, one - 0.02, one + 0.01) for one in (0.3, 0.5, 0.8, 0.99))
LOSS, NONE, GAIN = (Estimate(one, one - 0.05, one + 0.05) for one in (-0.1, 0, 0.1))
LESS, MORE, OPEN = Estimate(0.5, 0.4, 0.6), Estimate(2, 1.8, 2.2), Estimate(1, 0.5, 2)
KNOWN = {"touches": siew.touches, "all_above": siew.all_above}
JUDGED = [
    "first_deep", "minimax_shallow", "first_shallow", "against_true", "minimax_gains", "late_right",
    "althofer_gains", "late_gains", "given_away", "quiet_points", "against_chance", "scout_larger"
]  # fmt: skip
CASES = {  # by claim: what becomes of it with these numbers
    "first-wins": {R: [SURE, SURE], D: [SURE, HIGH], C: [LOW], N: []},
    "neither-stronger": {R: [HALF] * 3, D: [HALF] * 3 + [HIGH], C: [LOW]},
    "chance-below": {R: [HALF] * 3, D: [HALF] * 3 + [HIGH], C: [HIGH, LOW]},
    "holds-its-own": {R: [HALF, HIGH], D: [HALF] * 4 + [LOW], C: [LOW, LOW]},
    "pathology": {R: [LOSS, LOSS], D: [LOSS, NONE], C: [LOSS, GAIN], N: [NONE]},
    "althofer-cures": {R: [NONE, GAIN], D: [GAIN] * 4 + [LOSS], C: [LOSS]},
    "no-pathology": {R: [GAIN, GAIN], D: [GAIN, NONE], C: [GAIN, LOSS], N: [NONE]},
    "nearly-perfect": {R: [SURE], C: [HIGH, SURE], N: []},
    "horizon": {R: [LOW, HALF], D: [LOW, NONE], N: [NONE]},
    "no-quiescence": {R: [LOW, HALF], C: [HIGH, HALF], N: [OPEN]},
    "no-tree-search": {R: [HIGH], D: [HIGH, LOW], C: [HALF, HALF, HIGH]},
    "scout-fewer": {R: [LESS], D: [LESS, OPEN], C: [MORE], N: [OPEN]},
}


def named(numbers):
    return {f"depth {depth}": one for depth, one in enumerate(numbers, 1)}


def cases(table):
    return [(claim, verdict, each) for claim, of in table.items() for verdict, each in of.items()]


@pytest.mark.parametrize(("claim", "verdict", "numbers"), cases(CASES))
def test_a_claim_rests_on_what_was_found(claim, verdict, numbers):
    findings = KNOWN | dict.fromkeys(JUDGED, named(numbers))
    assert verdict_of(EXPERIMENT, claim, **findings) == verdict


@pytest.mark.parametrize(
    ("claim", "findings", "verdict"),
    [
        ("middle", {"first_moves": {"4": "win"}, "numbers": {"middle column": "4"}}, R),
        ("other-columns", {"lost": {"column 1": True, "column 3": False}}, C),
        ("other-columns", {"lost": {"column 1": True}}, R),
        ("other-algorithm", {"different": (0, 40)}, C),
        ("other-algorithm", {"different": (40, 40)}, R),
        ("researches", {"failing": {siew.PRINTED_FORM: named([LOW] * 3)}}, C),
        ("researches", {"failing": {siew.PRINTED_FORM: named([LOW, HIGH, HIGH])}}, R),
        ("figure", {"visited": {"alpha-beta": 15, "SCOUT": 14}}, R),
        ("figure", {"visited": {"alpha-beta": 14, "SCOUT": 13}}, D),
        ("figure", {"visited": {"alpha-beta": 14, "SCOUT": 14}}, C),
    ],
)
def test_other_claims_rest_on_what_was_found(claim, findings, verdict):
    assert verdict_of(EXPERIMENT, claim, **findings) == verdict


COSTS = {
    "saves": {R: [LESS, LESS], D: [LESS, OPEN], C: [LESS, MORE]},
    "gap": {R: [LESS, MORE], C: [MORE, LESS], N: [OPEN, MORE]},
    "slow-palphabeta": {R: [MORE, MORE], D: [MORE, OPEN], C: [MORE, LESS]},
    "slow-scout": {R: [MORE, MORE], C: [LESS, LESS], N: [OPEN, OPEN]},
    "fast-palphabeta": {R: [LESS, LESS], D: [LESS, OPEN], N: [OPEN, OPEN]},
    "fast-scout": {R: [LESS, LESS], C: [MORE, LESS]},
    "palphabeta-or-scout": {R: [LESS, LESS], D: [LESS, OPEN], C: [MORE, LESS]},
}


@pytest.mark.parametrize(("claim", "verdict", "times"), cases(COSTS))
def test_nodes_and_times_are_judged_by_the_same_rule(claim, verdict, times):
    known = dict.fromkeys(("nodes", "seconds"), lambda *_: named(times))
    assert verdict_of(EXPERIMENT, f"{claim}-nodes", **known) == verdict
    assert verdict_of(EXPERIMENT, f"{claim}-time", **known) == verdict


@pytest.mark.parametrize(
    ("times", "verdicts"),
    [
        (1.0, {"one-ply": R, "one-ply-variants": R}),
        (1.2, {"one-ply": C, "one-ply-variants": R}),
        (2.0, {"one-ply": C, "one-ply-variants": C, "better-order": C, "others": C}),
        (0.9, {"better-order": D, "others": R}),
        (0.5, {"better-order": R, "others": R}),
    ],
)
def test_a_ratio_decides_alone(times, verdicts):
    asked = lambda *_: named([Estimate(times, times, times)])  # noqa: E731
    known = {"nodes": asked, "seconds": asked, "parameters": {"deepest": 1}}
    for claim, verdict in verdicts.items():
        assert verdict_of(EXPERIMENT, claim, **known) == verdict


@pytest.mark.parametrize(
    ("shares", "verdict"), [((1, 1, 1), R), ((0.7, 0.9, 1), D), ((0.7, 0.9, 0.9), C)]
)
def test_the_worst_order_cuts_off_nothing_where_all_leaves_are_visited(shares, verdict):
    trees = siew.CONNECT_FOUR, siew.RANDOM_TREES, siew.STAIRCASES
    worst = {tree: Estimate(one, one, one) for tree, one in zip(trees, shares, strict=True)}
    assert verdict_of(EXPERIMENT, "worst-order", in_order={"worst": worst}) == verdict
