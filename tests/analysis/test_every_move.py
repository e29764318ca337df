"""Analysis: every move is worth what minimax says, and an end that is reached is proven."""

from __future__ import annotations

import threading

import pytest
from patience import PATIENCE_S
from search_tools import random_state

from plyground.analysis.every_move import Analysis, Findings, default_finish
from plyground.core.scores import Score
from plyground.evaluation.catalogue import find_evaluator
from plyground.games.catalogue import find_game
from plyground.games.position import BasePosition
from plyground.games.rules import is_over, play, turn
from plyground.search.catalogue import find_algorithm
from plyground.search.run import search
from plyground.search.setup import FINISHES, Limits, Setup


def analysed(game, state, depth):
    told: list[Findings] = []
    judge = find_evaluator(None, state).make()
    position = BasePosition.at(game, {}, state)
    return Analysis(position, judge, depth, memory_bytes=2**20).run(told.append), told


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize(
    "name",
    [
        "othello",
        "connect4",
        pytest.param("kalah", marks=pytest.mark.full),  # compiled for nothing else
        pytest.param("tictactoe", marks=pytest.mark.full),
    ],
)
def test_every_move_is_worth_what_minimax_says(name):
    game = find_game(name)
    finish = FINISHES[default_finish(game)]
    for seed in range(3):
        state = random_state(game, game.initial(), 5 + seed, seed)
        if is_over(state):
            continue
        found, _ = analysed(game, state, 4)
        setup = Setup(find_algorithm("minimax"), find_evaluator(None, state).make(), finish)
        for one in found.moves:
            child = play(state, one.move)
            if is_over(child):
                continue
            expected = search(game, child, setup, Limits(depth=one.depth - 1)).score
            seen = expected if turn(state, child) > 0 else -expected
            if seen.kind in ("win", "loss"):
                seen = Score(seen.value + 1, seen.kind)
            assert (one.score.value, one.score.kind) in {
                (seen.value, seen.kind),
                (seen.value, "proven"),
            }
            assert one.line[0] == one.move


@pytest.mark.full
def test_a_game_searched_to_its_end_is_proven_and_over():
    game = find_game("tictactoe")
    found, told = analysed(game, game.initial(), 20)
    assert found.is_complete
    assert {(one.score.value, one.score.kind) for one in found.moves} == {(0, "proven")}
    assert found.depth <= 10
    assert told[-1].moves == found.moves


@pytest.mark.usefixtures("plain")
def test_a_win_at_hand_is_a_win_in_one_and_comes_first():
    game = find_game("connect4")
    state = game.replay(game.initial(), game.parse_moves(game.initial(), "414141"))
    found, _ = analysed(game, state, 4)
    assert game.format_move(state, found.moves[0].move) == "4"
    assert found.moves[0].score == Score(1, "win")
    assert all(one.score.kind != "win" or one.score.value > 1 for one in found.moves[1:])


@pytest.mark.usefixtures("plain")
def test_depths_never_fall_and_all_moves_are_there():
    game = find_game("othello")
    state = random_state(game, game.initial(), 10, 1)
    _, told = analysed(game, state, 4)
    assert [one.depth for one in told] == sorted(one.depth for one in told)
    assert all({m.move for m in one.moves} == set(game.legal(state)) for one in told)
    assert told[-1].depth == 4


def test_a_stopped_analysis_returns_what_it_has():
    game = find_game("othello")
    state = random_state(game, game.initial(), 20, 1)
    judge = find_evaluator(None, state).make()
    analysis = Analysis(BasePosition.at(game, {}, state), judge)
    reached = threading.Event()
    thread_result: list[Findings] = []

    def tell(found: Findings) -> None:
        if found.depth >= 3:
            reached.set()

    thread = threading.Thread(target=lambda: thread_result.append(analysis.run(tell)))
    thread.start()
    assert reached.wait(PATIENCE_S)
    analysis.stop[0] = 1
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
    assert thread_result[0].depth >= 3
    assert not thread_result[0].is_complete


def test_a_finished_game_has_nothing_to_find():
    game = find_game("tictactoe")
    state = game.replay(game.initial(), game.parse_moves(game.initial(), "a1 a2 b1 b2 c1"))
    assert is_over(state)
    assert analysed(game, state, 3)[0] == Findings(0, is_complete=True)
