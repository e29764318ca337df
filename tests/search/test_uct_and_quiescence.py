"""The two searches that do not compute the minimax value."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from search_tools import Rough, call, make_parts, random_state

from plyground.bits import U64
from plyground.core.errors import Unsupported
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.general import Zero
from plyground.games.catalogue import find_game
from plyground.games.rules import is_over, noisy_moves, outcome, play, turn
from plyground.kernel import Slab, plain_python
from plyground.search.catalogue import find_algorithm
from plyground.search.parts import MOST_NOISY
from plyground.search.run import search
from plyground.search.setup import Limits, Setup


class Stores(NamedTuple):
    """My store less the other."""

    weight: int

    def evaluate(self, state):
        shift = U64(8 * state.pits)
        return self.weight * (int(state.me >> shift) - int(state.opp >> shift))


def uct(game, state, seed=1, simulations=400, playouts=True, evaluator=None):
    setup = Setup(
        find_algorithm("uct"),
        evaluator if evaluator is not None else Rough(1),
        seed=seed,
        simulations=simulations,
        playouts=playouts,
        memory_bytes=2**20,
    )
    with plain_python():
        return search(game, state, setup, Limits())


def test_uct_takes_a_win_in_one():
    # X X .      X plays c1 and wins
    # O O .
    # . . .
    game = find_game("mnk")
    state = game.parse_position(game.initial(), "XX-/OO-/---")
    assert game.format_move(state, uct(game, state).move) == "c1"


def test_uct_stops_a_loss_in_one():
    # X . .      O must take c3, or X completes the diagonal
    # O X .
    # . . .
    game = find_game("mnk")
    state = game.parse_position(game.initial(), "X--/OX-/---")
    assert game.format_move(state, uct(game, state).move) == "c3"


def test_the_same_seed_gives_the_same_tree_and_another_seed_another():
    game = find_game("mnk")
    runs = [uct(game, game.initial(), seed, simulations=150) for seed in (5, 5, 6)]
    assert runs[0].counters == runs[1].counters
    assert (runs[0].value, runs[0].line) == (runs[1].value, runs[1].line)
    assert (runs[0].value, runs[0].line) != (runs[2].value, runs[2].line)


def test_uct_with_an_evaluator_asks_it_instead_of_playing_on():
    game = find_game("kalah")
    state = game.initial(pits=3, seeds=2)
    by_evaluator = uct(game, state, playouts=False, evaluator=Stores(1), simulations=200)
    assert game.format_move(state, by_evaluator.move) == "2"  # ends in the store: one seed up
    assert by_evaluator.counters["leaves"] == 200


def test_a_full_tree_ends_the_simulations():
    game = find_game("mnk")
    setup = Setup(find_algorithm("uct"), Rough(1), seed=1, simulations=10**6, memory_bytes=1)
    with plain_python():
        result = search(game, game.initial(), setup, Limits())
    assert 10 < result.counters["nodes"] < 10**5


def naive_quiescence(game, state, evaluator, depth, left=MOST_NOISY):
    if is_over(state):
        result = outcome(state)
        base = 2**29
        return 0 if result == 0 else result + (base if result > 0 else -base)
    if depth > 0:
        children = [play(state, move) for move in game.legal(state)]
        return max(
            turn(state, child) * naive_quiescence(game, child, evaluator, depth - 1)
            for child in children
        )
    buffer = Slab(game.max_moves)
    noisy = [buffer[i] for i in range(noisy_moves(state, buffer, 0))] if left else []
    values = [evaluator.evaluate(state)]
    for move in noisy:
        child = play(state, move)
        values.append(turn(state, child) * naive_quiescence(game, child, evaluator, 0, left - 1))
    return max(values)


@pytest.mark.parametrize("seed", range(10))
def test_quiescence_search_plays_out_captures_and_extra_turns(seed):
    game = find_game("kalah")
    state = random_state(game, game.initial(pits=3, seeds=3), seed, seed)
    with plain_python():
        parts = make_parts(game, 2)
        value = call(find_algorithm("quiescence"), state, Stores(1), 2, parts)
    assert value == naive_quiescence(game, state, Stores(1), 2)


@pytest.mark.parametrize("seed", range(30))
def test_noisy_moves_of_kalah_are_those_that_change_the_stores_at_once_by_more_than_a_seed(seed):
    game = find_game("kalah")
    state = random_state(game, game.initial(pits=4, seeds=3), seed % 12, seed)
    buffer = Slab(game.max_moves)
    noisy = {buffer[i] for i in range(noisy_moves(state, buffer, 0))}
    for move in game.legal(state):
        child = play(state, move)
        mine = child.me if turn(state, child) == 1 else child.opp
        shift = U64(8 * state.pits)
        gain = int(mine >> shift) - int(state.me >> shift)
        again = turn(state, child) == 1
        if not is_over(child):
            assert (move in noisy) == (again or gain > 1)


@pytest.mark.parametrize("settings", [{}, {"width": 5, "height": 4, "connect": 3}])
@pytest.mark.parametrize("seed", range(12))
def test_noisy_moves_of_connect_four_win_or_stop_a_win(settings, seed):
    game = find_game("connect4")
    state = random_state(game, game.initial(**settings), 7 + seed, seed)
    others_turn = state._replace(me=state.stones ^ state.me)
    buffer = Slab(game.max_moves)
    noisy = [buffer[i] for i in range(noisy_moves(state, buffer, 0))]
    wins = [
        {move for move in game.legal(state) if outcome(play(mover, move))}
        for mover in (state, others_turn)
    ]
    assert noisy == sorted(wins[0] | wins[1])


@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_noisy_moves_of_othello_are_moves_to_a_corner(size):
    game, found = find_game("othello"), set()
    last = "abcdefghij"[size - 1]
    corners = {"a1", f"{last}1", f"a{size}", f"{last}{size}"}
    for seed in range(40):
        state = random_state(game, game.initial(size=size), size * size - 10 - seed % 6, seed)
        buffer = Slab(game.max_moves)
        noisy = {game.format_move(state, buffer[i]) for i in range(noisy_moves(state, buffer, 0))}
        legal = {game.format_move(state, move) for move in game.legal(state)}
        assert noisy == legal & corners
        found |= noisy
    assert found == corners


@pytest.mark.parametrize(
    "name, settings, plies",
    [("connect4", {"width": 5, "height": 4, "connect": 3}, 6), ("othello", {"size": 6}, 20)],
)
@pytest.mark.parametrize("seed", range(6))
def test_compiled_quiescence_plays_out_noisy_moves(name, settings, plies, seed):
    game = find_game(name)
    state = random_state(game, game.initial(**settings), plies, seed)
    judge = find_evaluator("zero" if name == "connect4" else "discs", state).make()
    setup = Setup(find_algorithm("quiescence"), judge)
    result = search(game, state, setup, Limits(depth=2))
    assert result.value == naive_quiescence(game, state, judge, 2)


def test_quiescence_sees_a_win_behind_the_horizon():
    game = find_game("connect4")
    state = game.replay(game.initial(), game.parse_moves(game.initial(), "4 4 5 5"))
    with plain_python():
        found = {
            name: search(game, state, Setup(find_algorithm(name), Zero()), Limits(depth=2))
            for name in ("falphabeta", "quiescence")
        }
    assert [found[name].value for name in found] == [0, 2**29 + 1]
    assert game.format_move(state, found["quiescence"].move) in ("3", "6")  # wins at either end
    assert found["quiescence"].counters["deepest"] == 3


def test_quiescence_is_fail_soft_alpha_beta_where_nothing_is_noisy():
    game = find_game("othello")
    for seed in range(5):
        state = random_state(game, game.initial(), 3, seed)  # corners are far away
        with plain_python():
            quiet = call(find_algorithm("quiescence"), state, Rough(1), 2, make_parts(game, 2))
            soft = call(find_algorithm("falphabeta"), state, Rough(1), 2, make_parts(game, 2))
        assert quiet == soft


@pytest.mark.parametrize("name", ["mnk", "double-card", "synthetic", "textbook"])
def test_quiescence_is_refused_where_a_game_names_no_noisy_moves(name):
    game = find_game(name)
    with pytest.raises(Unsupported, match=f"^{name} has no noisy moves to play out; try falpha"):
        setup = Setup(find_algorithm("quiescence"), Rough(1))
        search(game, game.initial(), setup, Limits(depth=1))


def test_greedy_takes_the_move_after_which_the_position_looks_best():
    game = find_game("kalah")
    state = game.initial(pits=3, seeds=2)
    with plain_python():
        result = search(game, state, Setup(find_algorithm("greedy"), Stores(1)), Limits())
    values = []
    for move in game.legal(state):
        child = play(state, move)
        values.append(turn(state, child) * Stores(1).evaluate(child))
    assert result.value == max(values)
    assert result.move == game.legal(state)[values.index(max(values))]


def test_the_first_move_and_a_random_one_need_no_search():
    game = find_game("connect4")
    state = game.initial()
    first = search(game, state, Setup(find_algorithm("first"), Rough(1)), Limits())
    assert first.move == 0
    random_moves = {
        search(game, state, Setup(find_algorithm("random"), Rough(1), seed=seed), Limits()).move
        for seed in range(30)
    }
    assert len(random_moves) > 4
