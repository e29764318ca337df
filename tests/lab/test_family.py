"""The family portrait: exact values, known bounds, equal sets of leaves, and every claim's rule."""

import itertools
import random
from dataclasses import replace

import pytest
from lab_tools import check_times_decide_little

from plyground.evaluation.general import PathValue, Zero
from plyground.games.catalogue import find_game
from plyground.games.rules import is_over, outcome, play, turn
from plyground.kernel import plain_python
from plyground.lab.catalogue.family import EXPERIMENT, cells, claims
from plyground.lab.catalogue.family.aspns import ASPNS, nsmemory
from plyground.lab.catalogue.family.counting import fewest_leaves, minimal_tree
from plyground.lab.catalogue.family.findings import Searches, gather
from plyground.lab.catalogue.family.setting import (
    EXACT,
    RIVALS,
    FamilyParameters,
    kalah_study,
    plaat,
)
from plyground.lab.report import Verdict
from plyground.lab.spec import Results
from plyground.lab.statistics import Estimate
from plyground.search.catalogue import find_algorithm
from plyground.search.finish import AsScored
from plyground.search.negamax import negamax
from plyground.search.run import Workshop
from plyground.search.setup import MOST_NODES, Setup

TINY = FamilyParameters(
    games=("synthetic",),
    positions=2,
    compared_games=("synthetic",),
    compared_positions=2,
    guesses=(1, 2),
    half_windows=(5, 25),
    shallower=4,
    tree_depth=4,
    trees=3,
    kalah_depth=3,
    kalah_positions=3,
    kalah_evaluators=("stores",),
    kalah_orders=("table",),
    memory_mb=1,
    repetitions=1,
)
TREES = find_game("synthetic")


@pytest.fixture(scope="module")
def tiny():
    """Everything measured in plain Python: no algorithm is compiled for a test."""
    chosen = EXPERIMENT.cells(TINY)
    with plain_python():
        return Results(chosen, {cell.key: cell.measure() for cell in chosen})


# ------------------------------------------------------------------ the whole


@pytest.mark.parametrize("chosen", [{}, EXPERIMENT.quick, {"seed": 7, "trees": 33}])
def test_no_two_cells_are_equal(chosen):
    found = EXPERIMENT.cells(FamilyParameters(**chosen))
    assert len({cell.key for cell in found}) == len(found) > 15


def test_the_portrait_has_every_exact_algorithm_once():
    assert len(EXACT) == 17
    assert "althofer-printed" not in EXACT
    assert FamilyParameters(algorithms=("mtdf",)).chosen == ["minimax", "alphabeta", "mtdf"]


def test_a_report_has_all_sections_and_full_tables(tiny):
    report = EXPERIMENT.report(TINY, tiny)
    assert len(report.sections) == 4
    assert all(len(row) == len(table.columns) for table in report.tables for row in table.rows)
    assert all(table.rows for table in report.tables)
    assert len({chart.name for chart in report.charts}) == len(report.charts) == 5
    assert len(report.claims) == 1 + 2 + 4 + 1
    assert [claim.is_timed for claim in report.claims].count(True) == 1


def test_all_but_the_timed_is_the_same_whatever_the_times(tiny):
    before, after = check_times_decide_little(EXPERIMENT, TINY, tiny)
    assert before.charts == after.charts


def test_a_cell_measured_again_gives_the_same_answer(tiny):
    cell = next(each for each in EXPERIMENT.cells(TINY) if each.task.endswith("deepen"))
    with plain_python():
        assert cell.measure().answer == tiny[cell].answer


# ------------------------------------------------------------------ what was measured


def test_all_values_are_equal_and_no_tree_is_searched_with_fewer_leaves_than_possible(tiny):
    found = gather(TINY, tiny)
    for (game, depth), searches in found.portrait.items():
        assert game == "synthetic"
        for each in searches.positions:
            assert len({one["value"] for one in each["found"].values()}) == 1
            assert each["fewest"] == minimal_tree(5, depth)
            assert min(one["leaves"] for one in each["found"].values()) >= each["fewest"]
            assert each["found"]["minimax"]["leaves"] == 5**depth


def test_sss_and_dual_see_the_leaves_of_their_rebuilt_forms_and_none_that_alpha_beta_omits(tiny):
    trees = [tree for each in gather(TINY, tiny).trees.values() for tree in each]
    assert len(trees) == 3 * 2 * TINY.trees
    for tree in trees:
        assert tree["same"] == {"sss": True, "dual": True}
        assert tree["within alphabeta"]["sss"]
        assert tree["distinct"]["sss"] == tree["distinct"]["mt-sss"] == tree["visits"]["sss"]
        assert tree["distinct"]["dual"] == tree["distinct"]["mt-dual"] == tree["visits"]["dual"]
        assert tree["visits"]["mt-sss"] >= tree["distinct"]["mt-sss"]
        assert len(set(tree["value"].values())) == 1


def test_rivals_agree_at_every_depth_and_evaluate_no_leaf_twice(tiny):
    for searches in gather(TINY, tiny).compared.values():
        assert len(searches.positions) == 2
        for each in searches.positions:
            values = [one["value"] for one in each["found"].values()]
            assert all(one == values[0] for one in values)
            assert len(values[0]) == TINY.compared_depth("synthetic")
            for one in each["found"].values():
                assert one["evaluated"][-1] <= one["leaves"][-1] < one["nodes"][-1]


def test_aspiration_negascout_is_judged_by_its_best_window():
    leaves = {"mtdf": (5, 5), "aspns 10": (9, 8), "aspns 25": (6, 7), "aspns 50": (6, 8)}
    positions = [
        {"found": {name: {"value": [1], "evaluated": [n[i]]} for name, n in leaves.items()}}
        for i in range(2)
    ]
    seconds = {name: [float(place)] * 2 for place, name in enumerate(leaves)}
    found = Searches(positions, seconds).with_best((10, 25, 50))
    assert found.best == "aspns 25"
    assert found.counts("aspns", "evaluated") == [6, 7]
    assert found.seconds["aspns"] == seconds["aspns 25"]


def test_cutting_off_the_last_depths_gives_earlier_counts(tiny):
    searches = gather(TINY, tiny).compared["synthetic", 1]
    whole = searches.positions[0]["found"]["mtdf"]["evaluated"]
    assert searches.after(2).counts("mtdf", "evaluated")[0] == whole[1]


# ------------------------------------------------------------------ the fewest leaves


def negamax_of(game, state, depth, setup):
    """The true value."""
    plain = replace(setup, algorithm=find_algorithm("negamax"))
    parts = Workshop(game, plain, None, None).parts(state, depth, MOST_NODES)
    return int(negamax(state, setup.evaluator, depth, parts))


@pytest.mark.parametrize("branching, depth", [(2, 1), (2, 5), (3, 4), (5, 3)])
def test_on_uniform_trees_the_fewest_leaves_are_those_of_knuth_and_moore(branching, depth):
    state = TREES.initial(branching=branching, depth=depth, seed=depth)
    setup = Setup(find_algorithm("negamax"), Zero(), AsScored())
    with plain_python():
        value = negamax_of(TREES, state, depth, setup)
        assert fewest_leaves(TREES, state, setup, depth, value) == minimal_tree(branching, depth)


def proofs(game, state, depth, value, more, path=()):
    """Every set of leaves that proves a value of as much or more, or as much or less."""
    if depth == 0 or is_over(state):
        found = outcome(state) if is_over(state) else 0
        return [{path}] if (found >= value if more else found <= value) else []
    below = []
    for move in game.legal(state):
        child = play(state, move)
        sign = turn(state, child)
        wanted = more if sign > 0 else not more
        below.append(proofs(game, child, depth - 1, sign * value, wanted, (*path, move)))
    if more:
        return [proof for each in below for proof in each]
    return [set().union(*chosen) for chosen in itertools.product(*below)]


@pytest.mark.parametrize("seed", range(6))
def test_on_uneven_trees_the_fewest_leaves_are_those_of_the_smallest_pair_of_proofs(seed):
    game, chance = find_game("mnk"), random.Random(seed)
    state = game.initial()
    while len(game.legal(state)) > 4:
        after = (play(state, move) for move in game.legal(state))
        state = chance.choice([child for child in after if not is_over(child)])
    setup = Setup(find_algorithm("negamax"), Zero(), AsScored())
    with plain_python():
        value = negamax_of(game, state, 4, setup)
        wanted = min(
            len(one | other)
            for one in proofs(game, state, 4, value, True)
            for other in proofs(game, state, 4, value, False)
        )
        assert fewest_leaves(game, state, setup, 4, value) == wanted


# ------------------------------------------------------------------ aspiration NegaScout


@pytest.mark.full
def test_machine_code_finds_and_counts_what_plain_python_does():
    state = TREES.initial(branching=3, depth=9, leaves="incremental", spread=60, seed=1)
    setup = Setup(ASPNS, PathValue(), AsScored(), "table", memory_bytes=2**16)

    def found():
        with Workshop(TREES, setup, None, None) as workshop:
            parts = workshop.parts(state, 5, MOST_NODES)
            value = int(ASPNS.kernel(state, PathValue(), 5, 0, 25, parts))
        return value, parts.counts.array.tolist(), fewest_leaves(TREES, state, setup, 5, value)

    with plain_python():
        wanted = found()
    assert found() == wanted


@pytest.mark.parametrize("seed", range(10))
def test_negascout_with_memory_bounds_the_truth_on_its_side_of_the_window(seed):
    state = TREES.initial(branching=3, depth=9, leaves="incremental", spread=6, seed=seed)
    setup = Setup(ASPNS, PathValue(), AsScored(), "table", memory_bytes=2**16)
    with plain_python():
        truth = negamax_of(TREES, state, 4, setup)
        for alpha in range(-12, 13, 4):
            for beta in (alpha + 1, alpha + 6):
                with Workshop(TREES, setup, None, None) as workshop:
                    parts = workshop.parts(state, 4, MOST_NODES)
                    value = nsmemory(state, PathValue(), 4, alpha, beta, parts)
                assert (truth <= value) if value <= alpha else True
                assert (truth >= value) if value >= beta else True
                assert truth == value or not alpha < value < beta


@pytest.mark.parametrize("game", ["kalah", "mnk"])
@pytest.mark.parametrize("guess", [-60, 0, 60])
def test_aspiration_negascout_finds_the_minimax_value_from_any_guess(game, guess):
    spec = find_game(game)
    position = {"settings": {}, "moves": ""}
    state = cells._state(spec, position)
    setup = cells._setup(spec, state, None, "table")
    with plain_python():
        truth = negamax_of(spec, state, 3, setup)
        with Workshop(spec, replace(setup, algorithm=ASPNS), None, None) as workshop:
            parts = workshop.parts(state, 3, MOST_NODES)
            assert ASPNS.kernel(state, setup.evaluator, 3, guess, 25, parts) == truth


# ------------------------------------------------------------------ claims


def searched(**leaves):
    """Made-up searches of three positions, with so many leaves and nodes for each algorithm."""
    found = {name: {"value": 7, "leaves": n, "nodes": 2 * n} for name, n in leaves.items()}
    return Searches([{"found": found}] * 3, {})


def test_one_wrong_value_is_told_loudly():
    right = searched(minimax=9, alphabeta=5)
    wrong = Searches([{"found": {"minimax": {"value": 1}, "alphabeta": {"value": 2}}}], {})
    assert claims.claim_exact({"here": right}, []).verdict is Verdict.REPRODUCED
    claim = claims.claim_exact({"there": wrong}, [])
    assert claim.verdict is Verdict.CONTRADICTED
    assert "VALUES DIFFER" in claim.reason
    assert "there: minimax 1, alphabeta 2" in claim.reason
    tree = {"value": {"sss": 1, "mt-sss": 2}}
    assert claims.claim_exact({}, [tree]).verdict is Verdict.CONTRADICTED


def test_one_tree_with_other_leaves_refutes_the_special_case():
    trees = [{"same": {"sss": True, "dual": True}}, {"same": {"sss": True, "dual": False}}]
    verdicts = [claim.verdict for claim in claims.claims_special_cases(trees)]
    assert verdicts == [Verdict.REPRODUCED, Verdict.CONTRADICTED]


@pytest.mark.parametrize(
    "low, high, verdict",
    [
        (0.91, 0.93, Verdict.REPRODUCED),
        (0.94, 0.99, Verdict.REPRODUCED),
        (0.70, 0.80, Verdict.IN_DIRECTION),
        (0.96, 0.99, Verdict.IN_DIRECTION),
        (0.90, 1.02, Verdict.NOT_TESTABLE),
        (1.01, 1.20, Verdict.CONTRADICTED),
    ],
)
def test_five_to_ten_per_cent_fewer(low, high, verdict):
    found = Estimate((low + high) / 2, low, high)
    assert claims.claim_fewer_leaves("othello", found).verdict is verdict


@pytest.mark.parametrize(
    "low, high, verdict",
    [
        (0.90, 0.99, Verdict.REPRODUCED),
        (0.80, 0.90, Verdict.IN_DIRECTION),
        (0.90, 1.10, Verdict.NOT_TESTABLE),
        (1.10, 1.20, Verdict.CONTRADICTED),
    ],
)
def test_five_per_cent_faster(low, high, verdict):
    claim = claims.claim_faster("othello", Estimate((low + high) / 2, low, high))
    assert claim.verdict is verdict
    assert claim.is_timed


FEWER, EQUAL, MORE = Estimate(0.9, 0.8, 0.95), Estimate(1, 0.9, 1.1), Estimate(1.2, 1.1, 1.3)


@pytest.mark.parametrize(
    "othello, connect4, verdict",
    [
        (FEWER, FEWER, Verdict.REPRODUCED),
        (FEWER, MORE, Verdict.IN_DIRECTION),
        (FEWER, EQUAL, Verdict.IN_DIRECTION),
        (EQUAL, EQUAL, Verdict.NOT_TESTABLE),
        (MORE, EQUAL, Verdict.CONTRADICTED),
    ],
)
def test_fewer_nodes_on_all_games(othello, connect4, verdict):
    claim = claims.claim_fewer_nodes({"othello": othello, "connect4": connect4})
    assert claim.verdict is verdict


def test_the_ranking():
    wanted = plaat().numbers["ranking by leaves, the best first"]
    assert sorted(RIVALS.values()) == sorted(wanted)
    first_two_swapped = [wanted[1], wanted[0], *wanted[2:]]
    last_two_swapped = [*wanted[:3], wanted[4], wanted[3]]

    def verdict(*rankings):
        named = dict(zip(("othello", "connect4"), rankings, strict=False))
        return claims.claim_ranking(named).verdict

    assert verdict(wanted, wanted) is Verdict.REPRODUCED
    assert verdict(wanted, first_two_swapped) is Verdict.IN_DIRECTION
    assert verdict(last_two_swapped) is Verdict.IN_DIRECTION
    assert verdict(first_two_swapped) is Verdict.CONTRADICTED


def test_rivals_are_ranked_by_the_leaves_they_evaluate():
    counts = {"mtdf": 5, "aspns": 6, "abmemory": 9, "mt-dual": 7, "mt-sss": 8}
    found = {name: {"evaluated": [1, n]} for name, n in counts.items()}
    titles = [RIVALS[name] for name in ("mtdf", "aspns", "mt-dual", "mt-sss", "abmemory")]
    assert claims.ranking(Searches([{"found": found}], {})) == titles


@pytest.mark.parametrize(
    "scout, verdict",
    [(80, Verdict.REPRODUCED), (120, Verdict.CONTRADICTED), (100, Verdict.NOT_TESTABLE)],
)
def test_scout_is_better_where_it_visits_less(scout, verdict):
    found = {("stores", "as listed"): searched(alphabeta=100, scout=scout)}
    assert claims.claim_scout(found, 7).verdict is verdict


def test_the_published_numbers_are_cited():
    assert plaat().citation.year == 1996
    assert kalah_study().citation.year == 1980
    assert plaat().numbers["leaves of MTD(f), per cent fewer than aspiration NegaScout's"] == [
        5,
        10,
    ]
