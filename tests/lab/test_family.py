"""The family portrait: exact values, known bounds, equal sets of leaves, and every claim's rule."""

import itertools
import random
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lab_tools import check_times_decide_nothing_else, measured, verdict_of

from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.general import PathValue, Zero
from plyground.games.catalogue import find_game
from plyground.games.perft import perft
from plyground.games.rules import is_over, outcome, play, turn
from plyground.kernel import Slab, plain_python
from plyground.lab import study
from plyground.lab.catalogue.family import EXPERIMENT
from plyground.lab.catalogue.family import study as family
from plyground.lab.catalogue.family.aspns import aspiration_negascout, nsmemory
from plyground.lab.catalogue.family.kernels import (
    MINE,
    SQUARES,
    Dear,
    board_of,
    fewest_leaves,
    perft_on_array,
)
from plyground.lab.catalogue.family.study import EXACT, RIVALS, FamilyParameters
from plyground.lab.frames import frame_of
from plyground.lab.report import Verdict
from plyground.lab.statistics import Estimate
from plyground.lab.tasks import search_alone
from plyground.search.catalogue import find_algorithm
from plyground.search.finish import AsScored
from plyground.search.run import Workshop
from plyground.search.setup import MOST_NODES, Setup
from references.othello import NaiveOthello
from references.perft import perft as slow_perft

REPRODUCED, IN_DIRECTION, CONTRADICTED, UNDECIDED = Verdict
TINY = FamilyParameters(
    games=("synthetic",),
    positions=2,
    compared_games=("synthetic",),
    compared_positions=2,
    priced_positions=2,
    half_windows=(5, 25),
    shallower=4,
    tree_depth=4,
    trees=3,
    kalah_depth=3,
    kalah_positions=3,
    memory_mb=1,
    repetitions=1,
)
TREES, OTHELLO = find_game("synthetic"), find_game("othello")


@pytest.fixture(scope="module")
def tiny():
    """Everything measured in plain Python, less deep where depths are fixed."""
    shallow = pytest.MonkeyPatch()
    shallow.setattr(family, "PRICED_DEPTH", 2)
    shallow.setattr(family, "BOARD_DEPTH", 2)
    with plain_python():
        yield measured(EXPERIMENT, TINY)
    shallow.undo()


@pytest.fixture(scope="module")
def found(tiny):
    return study.findings_of(EXPERIMENT, TINY, tiny)


# ------------------------------------------------------------------ the whole


def test_the_portrait_has_every_exact_algorithm_once():
    assert len(EXACT) == 17
    assert "althofer-printed" not in EXACT
    assert FamilyParameters(algorithms=("mtdf",)).chosen == ["minimax", "alphabeta", "mtdf"]


def test_the_report_names_the_evaluators_that_judge():
    for game, setting in family.GAMES.items():
        start = find_game(game).initial(**setting.settings)
        title = setting.title.replace("4,4,4 game", "the 4,4,4 game")
        assert f"{title} `{find_evaluator(None, start).name}`" in EXPERIMENT.template


def test_a_report_is_full_and_the_same_whatever_the_times(tiny):
    report, after = check_times_decide_nothing_else(EXPERIMENT, TINY, tiny)
    assert all(table.rows for table in report.tables)
    assert len(report.tables) == 8
    assert len({chart.name for chart in report.charts}) == len(report.charts) == 5
    drawn = report.charts[0].spec["data"]["values"]
    assert len(drawn) == len(EXACT) + 1 and all(row["leaves"] > 0 for row in drawn)
    for before, again in zip(report.charts, after.charts, strict=True):
        assert before.is_timed or before == again
    assert [claim.is_timed for claim in report.claims].count(True) == 5
    sources = ("A. Plaat", "L. Tommy", "J. Pearl", "N. Neudeck", "G. C. Stockman", "our own")
    assert {claim.place.startswith(sources) for claim in report.claims} == {True}


def test_a_cell_measured_again_gives_the_same_answer(tiny):
    for task in ("deepen", "count_on_boards"):
        cell, first = next(each for each in tiny if each[0].task.endswith(task))
        with plain_python():
            assert cell.measure().answer == first.answer


# ------------------------------------------------------------------ what was measured


def minimal_tree(branching, depth):
    """The fewest leaves of a uniform tree (Knuth & Moore 1975)."""
    return branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1


def test_values_are_equal_and_no_tree_is_searched_with_fewer_leaves_than_possible(tiny, found):
    assert found["exact"][0] == found["exact"][1] > 40
    rows = [row for row in tiny.frame(family.portray).iter_rows(named=True) if row["fewest"]]
    assert len(rows) == 2 * len(EXACT) * len(TINY.depths("synthetic"))
    for row in rows:
        assert row["leaves"] >= row["fewest"] == minimal_tree(5, row["depth"])
        assert row["algorithm"] != "minimax" or row["leaves"] == 5 ** row["depth"]


def test_one_wrong_value_is_seen():
    trees = frame_of([{"value.sss": 1, "value.mt-sss": 1}, {"value.sss": 1, "value.mt-sss": 2}])
    one = {"position": "a", "depth": 2, "algorithm": "minimax", "value": 3}
    searches = frame_of([one, one | {"algorithm": "mtdf", "value": 4}])
    assert family.exactness([searches], trees) == (1, 3)


def test_sss_and_dual_see_the_leaves_of_their_rebuilt_forms_and_none_that_alpha_beta_omits(found):
    assert found["same"] == found["within"] == {"sss": (18, 18), "dual": (18, 18)}
    for row in found["twins"].iter_rows(named=True):
        assert row["own"] == row["rebuilt"] <= row["visits"]
        assert row["within"] == row["same"] == row["trees"] == 3


def test_rivals_agree_at_every_depth_and_evaluate_no_leaf_twice(tiny):
    searches = tiny.frame(family.deepen)
    assert set(searches["algorithm"]) == {*RIVALS, "aspns 5", "aspns 25"} - {"aspns"}
    for values in searches.group_by("position", "back").agg("value")["value"]:
        assert len(set(map(tuple, values))) == 1
        assert len(values[0]) == TINY.compared_depth("synthetic") == 4
    for row in searches.iter_rows(named=True):
        assert row["evaluated"][-1] <= row["leaves"][-1] < row["nodes"][-1]


def test_a_dear_evaluator_changes_no_count(tiny):
    searches = tiny.frame(family.portray).drop_nulls("rounds")
    for _, group in searches.group_by("game", "position", "algorithm"):
        assert sorted(group["rounds"]) == sorted(family.ROUNDS)
        assert group.select("value", "leaves", "nodes").n_unique() == 1


def test_the_rival_has_its_best_window_and_mtdf_its_best_guess(tiny, found):
    last = tiny.frame(family.deepen).with_columns(pl.col("evaluated").list.last().log())
    windows = last.filter(pl.col("algorithm").str.starts_with("aspns"), back=1)
    cost = dict(windows.group_by("algorithm").agg(pl.col("evaluated").mean()).iter_rows())
    best = found["windows"].filter(best="best")["window"].to_list()
    assert f"aspns {best[0]}" == min(sorted(cost, reverse=True), key=lambda name: cost[name])
    duels, kinder = (found[name]["synthetic"]["evaluated"] for name in ("duels", "kinder"))
    assert list(kinder.values()) == [min(duels.values(), key=lambda each: each.value)]
    assert len(duels) == 2 and found["duels"]["othello"]["evaluated"] == {}
    assert set(found["spread"].values()) == {"unknown"}  # of Othello, which is not compared here


# ------------------------------------------------------------------ the fewest leaves


def negamax_of(game, state, depth, setup):
    """The true value."""
    plain = replace(setup, algorithm=find_algorithm("negamax"))
    return search_alone(Workshop(game, plain, None, None), state, depth).value


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
        more, less = (proofs(game, state, 4, value, side) for side in (True, False))
        wanted = min(len(one | other) for one in more for other in less)
        assert fewest_leaves(game, state, setup, 4, value) == wanted


# ------------------------------------------------------------------ aspiration NegaScout

SMALL = TREES.initial(branching=3, depth=9, leaves="incremental", spread=60, seed=1)


def searched(state, half_window, depth=4, guess=0, evaluator=None):
    """The value that aspiration NegaScout finds, and what it counts."""
    algorithm = aspiration_negascout(half_window)
    setup = Setup(algorithm, evaluator or PathValue(), AsScored(), "table", memory_bytes=2**16)
    with Workshop(TREES, setup, None, None) as workshop:
        parts = workshop.parts(state, depth, MOST_NODES)
        return workshop.value(state, depth, guess, parts), parts.counts.array.tolist()


@pytest.mark.full
def test_machine_code_finds_and_counts_what_plain_python_does():
    for judge in (PathValue(), Dear(PathValue(), 7)):
        with plain_python():
            wanted = searched(SMALL, 25, evaluator=judge)
        assert searched(SMALL, 25, evaluator=judge) == wanted


@pytest.mark.parametrize("seed", range(10))
def test_negascout_with_memory_bounds_the_truth_on_its_side_of_the_window(seed):
    state = TREES.initial(branching=3, depth=9, leaves="incremental", spread=6, seed=seed)
    algorithm = aspiration_negascout(25)
    setup = Setup(algorithm, PathValue(), AsScored(), "table", memory_bytes=2**16)
    with plain_python():
        truth = negamax_of(TREES, state, 4, setup)
        for alpha, width in itertools.product(range(-12, 13, 4), (1, 6)):
            with Workshop(TREES, setup, None, None) as workshop:
                parts = workshop.parts(state, 4, MOST_NODES)
                value = nsmemory(state, PathValue(), 4, alpha, alpha + width, parts)
            assert (truth <= value) if value <= alpha else True
            assert (truth >= value) if value >= alpha + width else True
            assert truth == value or not alpha < value < alpha + width


@pytest.mark.parametrize("guess", [-300, 0, 300])
@pytest.mark.parametrize("half_window", [1, 25])
def test_aspiration_negascout_finds_the_minimax_value_from_any_guess(half_window, guess):
    setup = Setup(find_algorithm("negamax"), PathValue(), AsScored())
    with plain_python():
        truth = negamax_of(TREES, SMALL, 4, setup)
        assert searched(SMALL, half_window, guess=guess)[0] == truth


# ------------------------------------------------------------------ boards


@given(st.randoms(use_true_random=False), st.integers(0, 60))
@settings(max_examples=15, deadline=None)
def test_array_bitboards_and_the_naive_reference_count_the_same_leaves(chance, plies):
    state, naive = OTHELLO.initial(), NaiveOthello()
    while plies and not is_over(state):
        move = chance.choice(OTHELLO.legal(state))
        naive.play(OTHELLO.format_move(state, move))
        state, plies = play(state, move), plies - 1
    board = board_of(state)
    before = board.array[:SQUARES].tolist()
    with plain_python():
        counted = perft_on_array(board, MINE, 2, SQUARES)
        assert counted == perft(state, 2, Slab(3 * OTHELLO.max_moves), 0) == slow_perft(naive, 2)
    assert board.array[:SQUARES].tolist() == before


# ------------------------------------------------------------------ claims

FEWER, EQUAL, MORE = Estimate(0.9, 0.8, 0.95), Estimate(1, 0.9, 1.1), Estimate(1.2, 1.1, 1.3)


def kinder(what, *interval):
    """What MTD(f) takes, the same on all games; nothing if there is no interval."""
    found = {"guess": Estimate(sum(interval) / 2, *interval)} if interval else {}
    return {"kinder": {game: {what: found} for game in ("othello", "connect4", "synthetic")}}


@pytest.mark.parametrize(
    ("claim", "findings", "verdict"),
    [
        ("leaves-othello", kinder("evaluated", 0.91, 0.94), REPRODUCED),
        ("leaves-othello", kinder("evaluated", 0.94, 0.99), IN_DIRECTION),  # overlaps the range
        ("leaves-connect4", kinder("evaluated", 0.90, 1.02), UNDECIDED),
        ("leaves-synthetic", kinder("evaluated", 1.01, 1.20), CONTRADICTED),
        ("leaves-synthetic", kinder("evaluated"), UNDECIDED),
        ("nodes-othello", {"spread": {"nodes": "0.98 to 1.24"}}, UNDECIDED),  # by guess and window
        ("passes", kinder("passes", 3.5, 5.5), UNDECIDED),  # the range of their values decides
        ("passes", kinder("passes", 7.0, 9.0), UNDECIDED),
        ("many-passes", {"many_passes": {"MT-SSS*": MORE}}, UNDECIDED),
        ("time-othello", {"spread": {"seconds": "0.96 to 1.06"}}, UNDECIDED),
        ("ranking", {}, UNDECIDED),
        ("exact", {"exact": (999, 1000)}, CONTRADICTED),
        ("sss", {"same": {"sss": (600, 600)}}, REPRODUCED),
        ("dual", {"same": {"dual": (599, 600)}}, CONTRADICTED),
        ("within", {"within": {"sss": (600, 600)}}, REPRODUCED),
        ("within", {"within": {"sss": (599, 600)}}, CONTRADICTED),
        ("slow", {"slow": {"MT-SSS*": MORE, "MT-DUAL*": EQUAL}}, IN_DIRECTION),
        ("depth-6-nodes", {"at_depth": {"nodes": {"NegaScout": FEWER}}}, REPRODUCED),
        ("depth-6-time", {"at_depth": {"seconds": {"NegaScout": EQUAL}}}, UNDECIDED),
        ("price", {"dearer": {"Othello": EQUAL, "trees": FEWER}}, IN_DIRECTION),
        ("price", {"dearer": {"Othello": MORE, "trees": FEWER}}, CONTRADICTED),
        ("price-speed", {"speeds": {"synthetic trees": [0.97, 2.3]}}, UNDECIDED),
        ("scout", {}, UNDECIDED),  # its procedure is not known
        ("bitboards", {"slower": MORE}, REPRODUCED),
    ],
)
def test_what_becomes_of_a_claim_rests_on_what_was_found(claim, findings, verdict):
    assert verdict_of(EXPERIMENT, claim, **findings) is verdict
