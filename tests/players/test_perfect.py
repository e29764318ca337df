"""The perfect player: every move keeps the score, whatever the time."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, replace
from typing import Any

import pytest

from plyground.core.errors import Unsupported
from plyground.core.scores import Score
from plyground.games.catalogue import find_game
from plyground.games.connect_four import GAME, ConnectFour
from plyground.games.othello import GAME as OTHELLO
from plyground.games.position import BasePosition
from plyground.games.rules import State, cells_left, is_over, play
from plyground.kernel import Slab
from plyground.players.catalogue import make_machine
from plyground.players.levels import levels_of
from plyground.players.perfect import LEAST_S, Perfect
from plyground.players.spec import Choice, Player, Turn
from plyground.search.clock import STOP
from plyground.solvers.connect_four.solve import ConnectFourSolver
from plyground.solvers.othello.solve import OthelloSolver
from plyground.solvers.spec import STOP as STOPPED
from plyground.solvers.spec import Stopped


def turn_after(moves: list[int], time_s: float | None = None, **size: int) -> Turn:
    start = GAME.initial(**size)
    return Turn(BasePosition.at(GAME, {}, start, tuple(moves)), time_s=time_s)


def random_moves(chance: random.Random, plies: int, **size: int) -> list[int]:
    while True:
        state, moves = GAME.initial(**size), list[int]()
        while len(moves) < plies and not is_over(state):
            moves.append(chance.choice(GAME.legal(state)))
            state = play(state, moves[-1])
        if not is_over(state):
            return moves


@pytest.mark.parametrize("size", [{}, {"width": 6, "height": 5}])
def test_every_move_keeps_the_score(size):
    start = GAME.initial(**size)
    perfect, solver, chance = (
        make_machine("perfect", GAME, start),
        ConnectFourSolver(start),
        random.Random(1),
    )
    for plies in range(12, 28):
        turn = turn_after(random_moves(chance, plies, **size), **size)
        choice = perfect.choose(turn)
        assert isinstance(turn.state, ConnectFour)
        scores = solver.scores(turn.state)
        assert scores[choice.move] == max(scores.values())
        assert choice.score is not None
        kind = {1: "win", 0: "proven", -1: "loss"}
        best = max(scores.values())
        assert choice.score.kind == kind[(best > 0) - (best < 0)]
        assert choice.line == (choice.move,)


def test_openings_are_known_at_once():
    perfect = make_machine("perfect", GAME, GAME.initial())
    choice = perfect.choose(turn_after([]))
    assert (choice.move, choice.nodes) == (3, 0)
    assert str(choice.score) == "win in 41"


def test_there_is_no_gap_between_the_book_and_what_is_solved():
    perfect = make_machine("perfect", GAME, GAME.initial())
    assert isinstance(perfect, Perfect)
    for plies in range(20):
        assert perfect.can_prove(turn_after(random_moves(random.Random(plies), plies)).state)


def test_the_first_move_after_the_book_keeps_the_score():
    perfect = make_machine("perfect", GAME, GAME.initial())
    choice = perfect.choose(turn_after([3, 3, 3, 3]))
    assert (choice.move, str(choice.score)) == (3, "win in 37")
    assert choice.nodes > 0


@pytest.mark.full
@pytest.mark.parametrize("time_s", [0.2, None])
def test_where_the_board_is_too_large_and_empty_the_deputy_moves(time_s):
    start = GAME.initial(width=8, height=6)
    perfect = make_machine("perfect", GAME, start)
    assert isinstance(perfect, Perfect)
    turn = turn_after([3, 3], time_s, width=8, height=6)
    assert not perfect.can_prove(turn.state)
    perfect.prepare(turn)
    choice = perfect.choose(turn)
    assert choice.move in turn.legal
    assert choice.score is not None and choice.score.kind == "heuristic"
    perfect.close()


class Endless(ConnectFourSolver):
    """Never knows, and takes its time to notice that it should stop."""

    late_s = 0.0

    def score(self, state: State, low: Any = None, high: Any = None, tell: Any = None) -> int:
        while not self.works[0].counts[STOPPED]:
            time.sleep(0.001)
        time.sleep(self.late_s)
        raise Stopped


@pytest.mark.parametrize("how", ["time", "flag"])
def test_where_the_time_is_too_short_the_deputy_moves(how):
    perfect = make_machine("perfect", GAME, GAME.initial())
    assert isinstance(perfect, Perfect)
    perfect.solver = Endless(GAME.initial())
    turn = turn_after([3, 3, 3, 3, 3], 0.02 if how == "time" else None)
    assert perfect.can_prove(turn.state)
    perfect.prepare(turn_after([3, 3, 3, 3, 3], 0.02))
    flag = Slab(1)
    if how == "flag":
        flag[STOP] = 1
    choice = perfect.choose(turn, flag)
    assert choice.move in turn.legal
    assert choice.score is None or choice.score.kind == "heuristic"


@dataclass
class Asked(Player):
    """Remembers how long it was given."""

    times: list[float | None]

    def choose(self, turn: Turn) -> Choice:
        self.times.append(turn.time_s)
        return Choice(turn.legal[0])


@pytest.mark.parametrize(("late_s", "most_s"), [(0.0, 0.2), (0.1, 0.1), (0.5, LEAST_S)])
def test_the_deputy_has_the_time_that_is_left(late_s, most_s):
    solver, deputy = Endless(GAME.initial()), Asked([])
    solver.late_s = late_s
    Perfect(deputy, solver).choose(turn_after([3, 3, 3, 3, 3], 0.4))
    (given_s,) = deputy.times
    assert given_s is not None and LEAST_S <= given_s <= most_s


def test_only_solved_games_have_the_level():
    kalah, othello = find_game("kalah"), find_game("othello")
    assert [*levels_of(find_game("connect4"))][-1] == [*levels_of(othello)][-1] == "perfect"
    assert "perfect" not in levels_of(kalah)
    with pytest.raises(Unsupported, match="kalah cannot be solved; expected connect4 or othello"):
        make_machine("perfect", kalah, kalah.initial())
    with pytest.raises(Unsupported, match="othello on this board cannot be solved"):
        make_machine("perfect", othello, othello.initial(size=10))
    with pytest.raises(Unsupported, match="only four in a row"):
        make_machine("perfect", GAME, GAME.initial(connect=5))


# ------------------------------------------------------------------ Othello


def late_othello(left: int, seed: int) -> Turn:
    """A turn of a random game with so many empty squares and a choice."""
    chance = random.Random(seed)
    while True:
        start = OTHELLO.initial()
        state, moves = start, list[int]()
        while cells_left(state) > left and not is_over(state):
            moves.append(chance.choice(OTHELLO.legal(state)))
            state = play(state, moves[-1])
        if not is_over(state) and len(OTHELLO.legal(state)) > 1:
            return Turn(BasePosition.at(OTHELLO, {}, start, tuple(moves)))


PLAYERS = (
    "random:perfect=9",
    "first:perfect=9",
    "better-random:perfect=9",
    "alphabeta:depth=1,eval=discs,noise=90%,perfect=9",
    "uct:simulations=10,perfect=9",
    "random-start:moves=60,perfect=9",
    "expert",
    "perfect",
)


@pytest.mark.parametrize("text", PLAYERS)
def test_every_othello_player_can_play_the_last_moves_perfectly(text):
    player = make_machine(text, OTHELLO, OTHELLO.initial())
    solver = OthelloSolver(OTHELLO.initial())
    for seed in range(12):
        turn = late_othello(9 - seed % 4, seed)
        player.prepare(turn)
        choice, scores = player.choose(turn), solver.scores(turn.state)
        best = max(scores.values())
        assert scores[choice.move] == best
        assert choice.score is not None and (choice.score.value, choice.score.kind) == (
            best,
            "proven",
        )
        assert player.choose(turn) == choice, "the same answer to the same question"
    player.close()


def test_before_that_the_player_inside_moves():
    player = make_machine("first:perfect=9", OTHELLO, OTHELLO.initial())
    turn = late_othello(14, 3)
    assert player.choose(turn).move == turn.legal[0]
    assert player.choose(turn).score is None


def test_perfect_othello_proves_what_takes_seconds_and_its_deputy_plays_the_rest():
    player = make_machine("perfect", OTHELLO, OTHELLO.initial())
    assert isinstance(player, Perfect)
    turn = late_othello(17, 5)
    choice = player.choose(turn)
    assert choice.score is not None and choice.score.kind == "proven"
    early = Turn(BasePosition.at(OTHELLO, {}, OTHELLO.initial()), time_s=0.2)
    assert not player.can_prove(early.state)
    player.prepare(early)
    assert player.choose(early).move in early.legal


@pytest.mark.parametrize("name", ["expert", "perfect"])
def test_levels_prove_as_much_as_the_time_allows(name):
    player = make_machine(name, OTHELLO, OTHELLO.initial())
    assert isinstance(player, Perfect) and not isinstance(player.then, Perfect)

    def reach(time_s: float | None) -> int:
        states = {left: late_othello(left, 3).state for left in range(10, 31)}
        return max(left for left in states if player.can_prove(states[left], time_s))

    assert reach(None) == {"expert": 14, "perfect": 20}[name]
    reaches = [reach(time_s) for time_s in (0.02, 0.2, 2.0, 20.0, 200.0)]
    assert reaches == [16, 18, 21, 23, 26]
    assert reach(0.0) < 16


def test_the_number_that_somebody_chose_does_not_depend_on_the_time():
    player = make_machine("first:perfect=9", OTHELLO, OTHELLO.initial())
    assert isinstance(player, Perfect)
    assert not player.can_prove(late_othello(10, 3).state, 1000.0)
    assert player.can_prove(late_othello(9, 3).state, 0.001)


@pytest.mark.full
def test_with_time_the_expert_proves_what_it_would_have_searched():
    player = make_machine("expert", OTHELLO, OTHELLO.initial())
    turn = late_othello(19, 5)
    player.prepare(replace(turn, time_s=600.0))
    assert (player.choose(turn).score or Score(0, "proven")).kind == "heuristic"
    choice = player.choose(replace(turn, time_s=600.0))
    assert choice.score is not None and choice.score.kind == "proven"
    player.close()


def test_games_that_are_not_solved_refuse_the_option():
    kalah = find_game("kalah")
    with pytest.raises(Unsupported, match="kalah cannot be solved"):
        make_machine("alphabeta:depth=2,perfect=5", kalah, kalah.initial())
