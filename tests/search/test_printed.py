"""Algorithms as their studies print them, slips included: what they compute instead."""

from __future__ import annotations

import pytest
from search_tools import Rough, call, make_parts, naive_minimax, random_state, seen_by_mover

from plyground.core.scores import INFINITY
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.spec import evaluate
from plyground.games.catalogue import find_game
from plyground.games.rules import is_over, outcome, play, side
from plyground.kernel import plain_python
from plyground.search.catalogue import find_algorithm
from plyground.search.finish import AsScored, ByMargin
from plyground.search.parts import NODES, RESEARCHES
from plyground.search.run import search
from plyground.search.setup import Limits, Setup

PRINTED = ("palphabeta-printed", "scout-printed")
PALPHABETA, SCOUT = (find_algorithm(name) for name in PRINTED)
TEXTBOOK = find_game("textbook")


def value_of(algorithm, tree, depth):
    """Of a textbook tree: what the algorithm says of it, and what it is worth."""
    state = TEXTBOOK.initial(tree=tree)
    with plain_python():
        found = call(algorithm, state, Rough(1), depth, make_parts(TEXTBOOK, depth, AsScored()))
    return found, naive_minimax(TEXTBOOK, state, Rough(1), depth, AsScored())


@pytest.mark.parametrize("name", PRINTED)
def test_a_printed_form_says_that_it_is_wrong(name):
    algorithm = find_algorithm(name)
    assert not algorithm.equals_minimax
    assert "wrong" in algorithm.summary


# ------------------------------------------------------------------ palphabeta


def test_printed_palphabeta_forgets_a_better_move_for_the_first():
    assert value_of(PALPHABETA, "3 12 8", 1) == (3, 12)
    assert value_of(PALPHABETA, "(12 3) (2 9)", 2) == (12, 3)


@pytest.mark.parametrize("tree", ["three-by-three", "best-first", "siew"])
def test_printed_palphabeta_is_right_where_the_first_moves_are_best(tree):
    found, worth = value_of(PALPHABETA, tree, 2 if tree == "three-by-three" else 3)
    assert found == worth


@pytest.mark.parametrize("seed", range(5))
def test_printed_palphabeta_is_right_on_a_perfectly_ordered_tree(seed):
    game = find_game("synthetic")
    state = game.initial(branching=3, depth=5, leaves="ordered", quality=1.0, seed=seed)
    with plain_python():
        parts = make_parts(game, 5, AsScored())
        found = call(PALPHABETA, state, Rough(1), 5, parts)
    assert found == naive_minimax(game, state, Rough(1), 5, AsScored())
    assert parts.counts[RESEARCHES] == 0


@pytest.mark.usefixtures("plain")
def test_printed_palphabeta_is_wrong_at_four_of_the_depths_of_its_study():
    game = find_game("connect4")
    judge, wrong = find_evaluator("windows", game.initial()).make(), []
    for depth in range(1, 7):
        right, printed = (
            search(game, game.initial(), Setup(find_algorithm(name), judge), Limits(depth=depth))
            for name in ("palphabeta", "palphabeta-printed")
        )
        assert printed.nodes <= right.nodes
        if printed.value != right.value:
            wrong.append(depth)
    assert wrong == [1, 3, 5, 6]


def printed_palphabeta(game, state, judge, depth):
    """Algorithm 3 of Siew 2020 line by line; p_1 stands where p_i is meant."""
    if depth == 0 or is_over(state):
        return naive_leaf(state, judge)
    children = [play(state, move) for move in game.legal(state)]
    m = -printed_palphabeta(game, children[0], judge, depth - 1)
    for child in children[1:]:
        t = -fail_soft(game, child, judge, depth - 1, -m - 1, -m)
        if t > m:
            m = -printed_alphabeta(game, children[0], judge, depth - 1, -INFINITY, -t)
    return m


def printed_alphabeta(game, state, judge, depth, alpha, beta):
    """Algorithm 2, with the missing return."""
    if depth == 0 or is_over(state):
        return naive_leaf(state, judge)
    m = alpha
    for move in game.legal(state):
        t = -printed_alphabeta(game, play(state, move), judge, depth - 1, -beta, -m)
        m = max(m, t)
        if m >= beta:
            return m
    return m


def fail_soft(game, state, judge, depth, alpha, beta):
    if depth == 0 or is_over(state):
        return naive_leaf(state, judge)
    best = -INFINITY
    for move in game.legal(state):
        child = play(state, move)
        best = max(best, -fail_soft(game, child, judge, depth - 1, -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


def naive_leaf(state, judge):
    """For the side to move, by the margin."""
    if not is_over(state):
        return evaluate(judge, state)
    result = int(outcome(state))
    return result + (2**29 if result > 0 else -(2**29)) if result else 0


@pytest.mark.parametrize("seed", range(12))
def test_printed_palphabeta_is_what_is_printed(seed):
    game = find_game("connect4")
    state = random_state(game, game.initial(width=4, height=4, connect=3), seed % 6, seed)
    with plain_python():
        found = call(PALPHABETA, state, Rough(1), 3, make_parts(game, 3))
    assert found == printed_palphabeta(game, state, Rough(1), 3)


# ------------------------------------------------------------------ SCOUT


def test_printed_scout_takes_the_last_move_for_max_and_the_first_for_min():
    assert value_of(SCOUT, "((5 3) (2 7)) ((8 9) (4 1))", 3) == (4, 5)
    state = play(TEXTBOOK.initial(tree="((5 7) (2 3)) 0"), 0)  # ((5 7) (2 3)) with min to move
    with plain_python():
        found = call(SCOUT, state, Rough(1), 2, make_parts(TEXTBOOK, 2, AsScored()))
    assert -found == 7
    assert naive_minimax(TEXTBOOK, state, Rough(1), 2, AsScored()) == 3


def test_printed_scout_is_right_for_max_where_every_move_ends_the_game():
    assert value_of(SCOUT, "3 12 8", 1) == (12, 12)
    assert value_of(SCOUT, "3 12 8 14 5", 1) == (14, 14)


def printed_eval(game, state, judge, depth, is_max, visits):
    """Algorithm 2 of the study line by line, for the first player."""
    visits.append(state)
    if depth == 0 or is_over(state):
        return seen_by_mover(state, naive_leaf(state, judge))
    children = [play(state, move) for move in game.legal(state)]
    score = printed_eval(game, children[0], judge, depth - 1, is_max, visits)
    for child in children[1:]:
        if printed_test(game, child, score, is_max, visits):
            score = printed_eval(game, child, judge, depth - 1, is_max, visits)
    return score


def printed_test(game, state, score, is_max, visits):
    """Algorithm 1: no depth, the same player throughout, the last two answers exchanged."""
    visits.append(state)
    if is_over(state):
        return seen_by_mover(state, naive_leaf(state, None)) > score
    for move in game.legal(state):
        answer = printed_test(game, play(state, move), score, is_max, visits)
        if is_max and answer:
            return True
        if not is_max and not answer:
            return False
    return is_max


@pytest.mark.parametrize("name, settings", [("othello", {"size": 4}), ("mnk", {})])
@pytest.mark.parametrize("seed", range(6))
def test_printed_scout_is_what_is_printed_and_visits_as_many_nodes(name, settings, seed):
    game, visits = find_game(name), []
    state = random_state(game, game.initial(**settings), seed, seed)
    with plain_python():
        parts = make_parts(game, 3, ByMargin())
        found = call(SCOUT, state, Rough(1), 3, parts)
    expected = printed_eval(game, state, Rough(1), 3, side(state) == 0, visits)
    assert found == seen_by_mover(state, expected)
    assert parts.counts[NODES] == len(visits)


def test_printed_scout_visits_few_nodes_when_it_plays_second():
    """76 to 1,041 nodes at depth 8, it says, of alpha-beta's thousands: they prove nothing."""
    game = find_game("othello")
    state = game.replay(game.initial(), game.parse_moves(game.initial(), "f5"))
    with plain_python():
        parts = make_parts(game, 8)
        call(SCOUT, state, Rough(1), 8, parts)
    assert parts.counts[NODES] == 2_270
