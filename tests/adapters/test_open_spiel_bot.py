"""A bot of OpenSpiel among our players: it plays, repeats itself, and loses when it cheats."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts

import plyground as pg
from plyground.adapters.open_spiel_bot import bot_player
from plyground.games.position import BasePosition
from plyground.matches.one_game import play_game
from plyground.players.chance import RandomPlayer
from plyground.players.spec import Turn


def random_bot(game, player, seed):
    return pyspiel.make_uniform_random_bot(player, seed)


def mcts_bot(game, player, seed):
    chance = np.random.RandomState(seed)
    return mcts.MCTSBot(game, 2, 60, mcts.RandomRolloutEvaluator(1, chance), random_state=chance)


class Answers(pyspiel.Bot):
    """A bot that always answers the same, and remembers what it was shown."""

    shown: pyspiel.State

    def __init__(self, action):
        pyspiel.Bot.__init__(self)
        self.action = action

    def step(self, state):
        self.shown = state
        return self.action


@pytest.mark.parametrize("name", pg.games)
def test_a_bot_plays_every_game_by_the_rules(name):
    opening = BasePosition.begin(name)
    record = play_game(opening, (bot_player(random_bot), RandomPlayer()), ("bot", "random"), seed=3)
    assert record.ended == "over" and record.moves


def test_the_same_question_has_the_same_answer_and_another_game_another():
    turn = Turn(pg.Position("othello", "f5 d6"), seed=1)
    player, again = bot_player(random_bot), bot_player(random_bot)
    answers = [each.choose(turn).move for each in (player, again, player)]
    assert len(set(answers)) == 1
    others = {player.choose(Turn(turn.position, seed=seed)).move for seed in range(20)}
    assert len(others) > 1


def test_a_searching_bot_beats_chance():
    bot, opening = bot_player(mcts_bot), pg.Position("tictactoe")
    points = 0.0
    for seed in range(3):
        points += play_game(opening, (bot, RandomPlayer()), ("bot", "random"), seed).points
        points += 1 - play_game(opening, (RandomPlayer(), bot), ("random", "bot"), seed).points
    assert points >= 5


def test_a_bot_is_shown_the_moves_so_far_and_who_it_is():
    bots, asked = [], []

    def make(game, player, seed):
        asked.append((game.max_utility(), player, seed))
        bots.append(Answers(18))
        return bots[-1]

    turn = Turn(pg.Position("othello", "f5 d6"), seed=5)
    assert turn.position.write_move(bot_player(make).choose(turn).move) == "c3"
    bot_player(make, margin=False).choose(turn)
    assert bots[0].shown.history() == list(turn.position.codes)
    assert asked == [(64, 0, turn.chance % 2**31), (1, 0, turn.chance % 2**31)]


def test_one_player_serves_games_of_any_kind():
    player = bot_player(random_bot)
    for name in ("tictactoe", "double-card", "tictactoe"):
        position = pg.Position(name)
        assert player.choose(Turn(position)).move in position.legal_codes


def test_an_illegal_answer_loses_the_game():
    bot = bot_player(lambda game, player, seed: Answers(0))
    record = play_game(pg.Position("tictactoe", "a1"), (RandomPlayer(), bot), ("random", "bot"))
    assert (record.points, record.ended) == (1.0, "forfeit")
    assert record.reason.startswith("second player: 0 is not a legal action; legal: 1, 2")


def test_an_error_in_a_bot_is_the_callers_to_see():
    def make(game, player, seed):
        raise ZeroDivisionError("a bug")

    with pytest.raises(ZeroDivisionError, match="a bug"):
        play_game(pg.Position("tictactoe"), (bot_player(make), RandomPlayer()), ("bot", "random"))
