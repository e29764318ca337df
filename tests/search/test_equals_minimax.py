"""Every exact algorithm gives the minimax value and a move that is worth it.

The cross product of algorithms, games, orders, memories and finishes is large; it is run in plain
Python on small games, each position with another combination. Compiled code is compared with the
known counts in `test_known_counts.py`.
"""

from __future__ import annotations

import functools
import itertools

import pytest
from search_tools import (
    EXACT,
    SMALL_GAMES,
    Rough,
    RoughMirrored,
    call,
    make_parts,
    naive_minimax,
    random_state,
    seen_by_mover,
)

from plyground.bits import U64
from plyground.games.catalogue import find_game
from plyground.games.rules import play
from plyground.kernel import Slab, plain_python
from plyground.search.finish import AsScored, ByDistance, ByMargin
from plyground.search.ordering import (
    HISTORY_SIZE,
    History,
    Killers,
    Listed,
    Order,
    Shallow,
    ShallowBy,
    Shuffled,
)
from plyground.search.setup import make_table


def listed(*moves):
    ranks = Slab(1 + max(moves))
    for place, move in enumerate(moves):
        ranks[move] = len(moves) - place
    return Listed(ranks, len(ranks))


ORDERS = {
    "natural": lambda: None,
    "best first": lambda: Order(shallow=Shallow(1)),
    "worst first": lambda: Order(shallow=Shallow(-1)),
    "random": lambda: Order(shuffled=Shuffled(U64(5))),
    "by another evaluator": lambda: Order(shallow=ShallowBy(1, Rough(-1))),
    "listed": lambda: Order(listed=listed(1, 3, 0, 9)),
    "learned": lambda: Order(killers=Killers(Slab(40)), history=History(Slab(HISTORY_SIZE))),
}
MEMORIES = {
    "no table": lambda: None,
    "a table": lambda: make_table(2**16, False),
    "a tiny table": lambda: make_table(256, False),
    "a table of mirrored positions": lambda: make_table(2**14, True),
}


# Every algorithm is asked about the same positions; tuples of two classes may be equal.
@functools.lru_cache(maxsize=None, typed=True)
def known_minimax(name, state, evaluator, depth, finish):
    return naive_minimax(find_game(name), state, evaluator, depth, finish)


def check(algorithm, name, settings, depth, seed):
    """One position with one combination of parts, chosen by the seed."""
    game = find_game(name)
    state = random_state(game, game.initial(**settings), seed % 9, seed)
    finishes = [AsScored()] if name == "synthetic" else [ByMargin(), ByDistance()]
    combinations = list(itertools.product(ORDERS, MEMORIES, finishes))
    order, memory, finish = combinations[seed * 7 % len(combinations)]
    evaluator = (RoughMirrored if "mirrored" in memory else Rough)(1 if seed % 2 else -1)
    table = MEMORIES[memory]() if algorithm.uses_table else None
    if algorithm.needs_table and table is None:
        table = make_table(2**16, False)
    parts = make_parts(game, depth, finish, order=ORDERS[order](), table=table)
    value = call(algorithm, state, evaluator, depth, parts)
    story = f"{name} {game.format_position(state)}, {order}, {memory}, {finish}"
    expected = seen_by_mover(state, known_minimax(name, state, evaluator, depth, finish))
    assert value == expected, story
    row = depth * parts.stride
    if parts.line[row]:  # a tiny table may have lost the move; the driver then finds it again
        child = play(state, parts.line[row + 1])
        worth = known_minimax(name, child, evaluator, depth - 1, finish)
        assert seen_by_mover(state, worth) == expected, f"its move, {story}"
    else:
        assert memory in ("a tiny table", "a table of mirrored positions"), story


@pytest.mark.parametrize("name, settings, depth", SMALL_GAMES, ids=[g[0] for g in SMALL_GAMES])
@pytest.mark.parametrize("algorithm", EXACT, ids=lambda algorithm: algorithm.name)
def test_an_exact_algorithm_equals_minimax(algorithm, name, settings, depth):
    with plain_python():
        for seed in range(6):
            check(algorithm, name, settings, depth, seed)


@pytest.mark.full
@pytest.mark.parametrize("name, settings, depth", SMALL_GAMES, ids=[g[0] for g in SMALL_GAMES])
@pytest.mark.parametrize("algorithm", EXACT, ids=lambda algorithm: algorithm.name)
def test_an_exact_algorithm_equals_minimax_on_200_positions(algorithm, name, settings, depth):
    with plain_python():
        for seed in range(6, 212):
            check(algorithm, name, settings, depth, seed)
