"""What is proved about the algorithms in the literature holds for these."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from search_tools import (
    EXACT,
    Rough,
    call,
    make_parts,
    naive_minimax,
    random_state,
    seen_by_mover,
    synthetic,
)

from plyground.core.scores import INFINITY
from plyground.games.catalogue import find_game
from plyground.games.rules import play, side
from plyground.kernel import plain_python
from plyground.search.abmemory import abmemory
from plyground.search.alphabeta import alphabeta
from plyground.search.catalogue import find_algorithm
from plyground.search.falphabeta import falphabeta
from plyground.search.finish import AsScored, ByMargin
from plyground.search.negascout import negascout
from plyground.search.parts import LEAVES, NODES
from plyground.search.scout import test_greater as is_greater
from plyground.search.scout import test_lesser as is_lesser
from plyground.search.setup import make_table
from plyground.search.table import BOUNDS, ENTRY, HALF, REST, low_half

PRUNING = ["alphabeta", "falphabeta", "palphabeta", "negascout", "scout", "sss", "dual"]


class Recorder(NamedTuple):
    """Values synthetic trees by their path, and remembers which leaves it was asked about."""

    weight: int

    def evaluate(self, state):
        SEEN.append(int(state.node))
        return self.weight * state.value


SEEN: list[int] = []


def leaves_seen(name, state, depth, parts):
    SEEN.clear()
    call(find_algorithm(name), state, Recorder(1), depth, parts)
    return list(SEEN)


@pytest.mark.parametrize("branching, depth", [(2, 6), (3, 4), (3, 5), (4, 4), (5, 3)])
@pytest.mark.parametrize("name", PRUNING)
def test_a_perfectly_ordered_tree_costs_the_minimal_tree(name, branching, depth):
    game, root = synthetic(branching=branching, depth=depth, leaves="ordered", quality=1.0)
    minimal = branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1
    with plain_python():
        parts = make_parts(game, depth, AsScored())
        call(find_algorithm(name), root, Rough(1), depth, parts)
    assert parts.counts[LEAVES] == minimal


@pytest.mark.parametrize("seed", range(40))
def test_sss_looks_at_no_leaf_that_alpha_beta_leaves_out(seed):
    game, root = synthetic(branching=3, depth=9, leaves="incremental", spread=6, seed=seed)
    with plain_python():
        by_sss = leaves_seen("sss", root, 4, make_parts(game, 4, AsScored()))
        by_alpha_beta = leaves_seen("alphabeta", root, 4, make_parts(game, 4, AsScored()))
    assert len(by_sss) == len(set(by_sss))
    assert set(by_sss) <= set(by_alpha_beta)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("best_first, by_windows", [("sss", "mt-sss"), ("dual", "mt-dual")])
def test_minimal_windows_look_at_the_leaves_of_the_best_first_search(best_first, by_windows, seed):
    game, root = synthetic(branching=3, depth=9, leaves="incremental", spread=6, seed=seed)
    with plain_python():
        wanted = set(leaves_seen(best_first, root, 4, make_parts(game, 4, AsScored())))
        table = make_table(2**18, False)
        found = set(leaves_seen(by_windows, root, 4, make_parts(game, 4, AsScored(), table=table)))
    assert found == wanted


@pytest.mark.parametrize("seed", range(25))
def test_scout_never_errs(seed):
    game, root = synthetic(branching=3, depth=9, leaves="incremental", spread=4, seed=seed)
    state = random_state(game, root, seed % 2, seed)
    value = naive_minimax(game, state, Recorder(1), 3, AsScored())
    with plain_python():
        for bound in range(value - 3, value + 4):
            parts = make_parts(game, 3, AsScored())
            assert is_greater(state, Recorder(1), 3, bound, parts) == (value > bound)
            assert is_lesser(state, Recorder(1), 3, bound, parts) == (value < bound)


@pytest.mark.parametrize("kernel", [falphabeta, negascout, abmemory], ids=lambda k: k.__name__)
@pytest.mark.parametrize("seed", range(12))
def test_a_fail_soft_value_bounds_the_truth_on_its_side_of_the_window(kernel, seed):
    game = find_game("mnk")
    state = random_state(game, game.initial(), 2, seed)
    truth = seen_by_mover(state, naive_minimax(game, state, Rough(1), 3, ByMargin()))
    with plain_python():
        for alpha in range(-30, 31, 6):
            beta = alpha + 1 + seed
            value = kernel(state, Rough(1), 3, alpha, beta, make_parts(game, 3))
            if value <= alpha:
                assert truth <= value
            elif value >= beta:
                assert truth >= value
            else:
                assert truth == value


@pytest.mark.parametrize("seed", range(12))
def test_a_fail_hard_value_never_leaves_the_window(seed):
    game = find_game("mnk")
    state = random_state(game, game.initial(), 2, seed)
    truth = seen_by_mover(state, naive_minimax(game, state, Rough(1), 3, ByMargin()))
    with plain_python():
        for alpha in range(-30, 31, 6):
            beta = alpha + 1 + seed
            value = alphabeta(state, Rough(1), 3, alpha, beta, make_parts(game, 3))
            assert value == min(max(truth, alpha), beta)


@pytest.mark.parametrize("name", ["abmemory", "mtdf", "mtd-bi", "mtd-step", "mt-sss", "mt-dual"])
def test_no_table_entry_has_its_lower_bound_above_its_upper(name):
    game = find_game("connect4")
    start = game.initial(width=4, height=4, connect=3)
    table, filled = make_table(2**13, False), 0
    with plain_python():
        for seed in range(6):
            state = random_state(game, start, seed, seed)
            parts = make_parts(game, 4, table=table)
            call(find_algorithm(name), state, Rough(1), 4, parts)
    for at in range(0, len(table.slots), ENTRY):
        if table.slots[at + REST]:
            filled += 1
            bounds = table.slots[at + BOUNDS]
            assert -INFINITY <= bounds >> HALF <= low_half(bounds) <= INFINITY
    assert filled > 20


@pytest.mark.parametrize("algorithm", EXACT, ids=lambda algorithm: algorithm.name)
def test_the_same_search_twice_visits_the_same_number_of_nodes(algorithm):
    game = find_game("othello")
    start = game.initial(size=4)
    counts = []
    with plain_python():
        for _ in range(2):
            table = make_table(2**12, False) if algorithm.uses_table else None
            parts = make_parts(game, 4, table=table)
            call(algorithm, start, Rough(1), 4, parts)
            counts.append(list(parts.counts.array))
    assert counts[0] == counts[1]
    assert counts[0][NODES] > 10


@pytest.mark.parametrize("algorithm", EXACT, ids=lambda algorithm: algorithm.name)
def test_the_evaluator_that_is_given_is_the_one_that_is_asked(algorithm):
    game, root = synthetic(branching=2, depth=9, leaves="incremental", spread=50, seed=3)
    values = []
    with plain_python():
        for weight in (1, -1):
            SEEN.clear()
            table = make_table(2**12, False) if algorithm.uses_table else None
            parts = make_parts(game, 3, AsScored(), table=table)
            values.append(call(algorithm, root, Recorder(weight), 3, parts))
            assert len(SEEN) == parts.counts[LEAVES] > 0
    assert values == [
        seen_by_mover(root, naive_minimax(game, root, Recorder(weight), 3, AsScored()))
        for weight in (1, -1)
    ]


def test_althofer_adds_up_the_static_values_on_the_way():
    def incremental(state, depth):
        if depth == 0:
            return Recorder(1).evaluate(state)
        moves = game.legal(state)
        return state.value + max(-incremental(play(state, move), depth - 1) for move in moves)

    for seed in range(20):
        game, root = synthetic(branching=3, depth=9, leaves="incremental", spread=9, seed=seed)
        with plain_python():
            parts = make_parts(game, 4, AsScored())
            value = call(find_algorithm("althofer"), root, Recorder(1), 4, parts)
        assert value == incremental(root, 4)
        assert side(root) == 0
