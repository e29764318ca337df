"""Analysis of a solved game: every move gets the score that the solver proves."""

from __future__ import annotations

import random
import threading

import pytest
from patience import PATIENCE_S

from plyground.analysis.every_move import Analysis, Findings
from plyground.analysis.exact import ExactAnalysis, analysis_of
from plyground.core.scores import Score
from plyground.evaluation.catalogue import find_evaluator
from plyground.games.catalogue import find_game
from plyground.games.connect_four import GAME, ConnectFour
from plyground.games.position import BasePosition
from plyground.games.rules import State, cells_left, is_over, outcome, play
from plyground.search.clock import STOP
from plyground.solvers.connect_four.solve import ConnectFourSolver, stones_until
from plyground.solvers.othello.solve import OthelloSolver


def analysis(state: State, depth: int = 60, game=GAME) -> Analysis:
    judge = find_evaluator(None, state).make()
    return Analysis(BasePosition.at(game, {}, state), judge, depth, memory_bytes=2**20)


def random_position(chance: random.Random, plies: int) -> ConnectFour:
    while True:
        state = GAME.initial()
        for _ in range(plies):
            if not is_over(state):
                state = play(state, chance.choice(GAME.legal(state)))
        if not is_over(state):
            return state


@pytest.mark.parametrize("plies", [14, 21, 30])
def test_every_move_is_proven_and_the_best_comes_first(plies):
    state, told = random_position(random.Random(plies), plies), list[Findings]()
    found = analysis_of(analysis(state)).run(told.append)
    scores = ConnectFourSolver(state).scores(state)
    assert {one.move: one.score for one in found.moves} == {
        move: stones_until(state, score) for move, score in scores.items()
    }
    assert found.is_complete
    assert scores[found.moves[0].move] == max(scores.values())
    best = found.moves[0]
    assert is_over(GAME.replay(state, best.line))
    if best.score.kind != "proven":
        assert len(best.line) == best.score.value
    assert told[0].depth == 1, "something is told at once"


def test_the_opening_is_proven_from_the_book():
    found = analysis_of(analysis(GAME.initial())).run(lambda _: None)
    assert found.best is not None
    assert (found.best.move, found.best.score) == (3, Score(41, "win"))


def test_a_limited_depth_another_game_or_too_large_a_board_is_searched():
    state = GAME.initial()
    assert isinstance(analysis_of(analysis(state)), ExactAnalysis)
    assert isinstance(analysis_of(analysis(state, depth=6)), Analysis)
    assert isinstance(analysis_of(analysis(GAME.initial(width=8, height=6))), Analysis)
    assert isinstance(analysis_of(analysis(GAME.initial(connect=5))), Analysis)
    othello = find_game("othello")
    assert isinstance(analysis_of(analysis(othello.initial(), game=othello)), Analysis)


@pytest.mark.parametrize(("left", "seed"), [(6, 1), (12, 2), (14, 3)])
def test_othello_moves_are_proven_near_the_end(left, seed):
    othello, chance = find_game("othello"), random.Random(seed)
    state = othello.initial()
    while cells_left(state) > left or len(othello.legal(state)) < 2:
        state = play(state, chance.choice(othello.legal(state)))
        if is_over(state):
            state = othello.initial()
    work = analysis_of(analysis(state, game=othello))
    assert isinstance(work, ExactAnalysis)
    found = work.run(lambda _: None)
    scores = OthelloSolver(state).scores(state)
    assert {one.move: one.score for one in found.moves} == {
        move: Score(score, "proven") for move, score in scores.items()
    }
    best = found.moves[0]
    assert scores[best.move] == max(scores.values())
    assert is_over(othello.replay(state, best.line))
    assert (-1) ** len(best.line) * outcome(othello.replay(state, best.line)) == best.score.value


def test_it_can_be_stopped():
    whole = analysis(GAME.replay(GAME.initial(), [3, 3, 3, 3, 3]))
    work = analysis_of(whole)
    assert isinstance(work, ExactAnalysis)
    work.prepare()
    told = threading.Event()

    def stop() -> None:
        told.wait(PATIENCE_S)
        whole.stop[STOP] = 1

    stopping = threading.Thread(target=stop)
    stopping.start()

    def tell(found: Findings) -> None:
        if found.depth >= 8:
            told.set()

    found = work.run(tell)
    stopping.join()
    assert not found.is_complete
    assert len(found.moves) == 7


def test_one_that_is_stopped_before_it_begins_finds_nothing():
    whole = analysis(GAME.initial())
    whole.stop[STOP] = 1
    found = analysis_of(whole).run(lambda _: None)
    assert (found.moves, found.is_complete) == ((), False)
