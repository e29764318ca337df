"""Games of ours as environments: PettingZoo's own tests, turns, rewards, illegal moves."""

from __future__ import annotations

import copy
import re
import warnings
from pathlib import Path

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test

import plyground as pg
from plyground.adapters.pettingzoo import make_aec_env
from plyground.core.errors import Unsupported

HEXAPAWN = str(Path(__file__).parents[2] / "examples" / "hexapawn.py")
GAMES = [(name, {}) for name in [*pg.games, HEXAPAWN]] + [("othello", {"size": 10})]

# PettingZoo has a list of environments that it does not tell this, its own with a mask among them.
TOLD_OF_MASKS = re.compile(
    "Observation is not a NumPy array|Observation space for each agent probably should be|"
    "Action mask numpy array is all zeros"
)


def play(env, *words):
    """Make some moves as people write them; the position is the environment's own."""
    for word in words:
        position = env.unwrapped.position
        numbers = env.unwrapped.numbers
        code = position.play(word).code
        env.step(numbers.action(position, code))


@pytest.mark.parametrize(("name", "settings"), GAMES, ids=str)
def test_every_game_passes_the_tests_that_pettingzoo_has_for_environments(name, settings):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        api_test(make_aec_env(name, render_mode="ansi", **settings), num_cycles=60)
    assert [str(each.message) for each in told if not TOLD_OF_MASKS.match(str(each.message))] == []


def test_a_seed_changes_nothing():
    seed_test(lambda: make_aec_env("connect4"), num_cycles=50)
    env = make_aec_env("connect4")
    env.reset(seed=1)
    assert isinstance(env, pettingzoo.AECEnv)
    assert env.metadata["name"] == "plyground_connect4"


def test_a_game_from_its_first_move_to_its_rewards():
    env = make_aec_env("tictactoe")
    env.reset()
    assert (env.agents, env.agent_selection) == (["player_0", "player_1"], "player_0")
    play(env, "a1", "b1", "a2", "b2")
    observation, reward, terminated, truncated, info = env.last()
    assert (reward, terminated, truncated, info) == (0, False, False, {})
    assert observation["action_mask"].tolist() == [0, 0, 1, 0, 0, 1, 1, 1, 1]
    assert observation["observation"][0].tolist() == [[1, 0, 0], [1, 0, 0], [0, 0, 0]]
    assert not env.observe("player_1")["action_mask"].any()
    play(env, "a3")
    assert env.rewards == {"player_0": 1, "player_1": -1}
    assert env.terminations == {"player_0": True, "player_1": True}
    for _ in range(2):
        env.step(None)
    assert env.agents == []


def test_rewards_are_margins_unless_they_are_not_wanted():
    rewards = {}
    for margin in (True, False):
        env = make_aec_env("textbook", margin=margin)
        env.reset()
        play(env, "1", "2")
        rewards[margin] = env.rewards["player_0"]
    assert rewards == {True: 12, False: 1}


def test_whoever_moves_again_is_selected_again():
    env = make_aec_env("kalah")
    env.reset()
    play(env, "3")  # the last of four seeds falls into the store
    assert env.agent_selection == "player_0"


def test_an_illegal_move_loses_at_once(caplog):
    env = make_aec_env("othello", "f5")
    env.reset()
    env.step(0)
    assert env.rewards == {"player_0": 0, "player_1": -64}
    assert all(env.terminations.values())
    assert "Illegal move" in caplog.text


def test_an_action_out_of_bounds_is_refused():
    env = make_aec_env("connect4")
    env.reset()
    with pytest.raises(AssertionError, match="action is not in action space"):
        env.step(7)


def test_a_game_that_lasts_too_long_is_truncated():
    env = make_aec_env("connect4", longest=3)
    env.reset()
    play(env, "1", "2", "3")
    assert all(env.truncations.values()) and not any(env.terminations.values())
    assert set(env.rewards.values()) == {0}


def test_the_board_is_rendered_as_text_where_that_is_asked_for():
    env = make_aec_env("tictactoe", "a1", render_mode="ansi")
    env.reset()
    assert env.render() == str(pg.Position("tictactoe", "a1"))
    silent = make_aec_env("tictactoe")
    silent.reset()
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert silent.render() is None
    env.close()


def test_an_unknown_way_to_render_is_refused():
    with pytest.raises(Unsupported, match="render_mode='human': expected None or 'ansi'"):
        make_aec_env("tictactoe", render_mode="human")


def test_a_copy_goes_its_own_way():
    env = make_aec_env("tictactoe")
    env.reset()
    other = copy.deepcopy(env)
    play(env, "b2")
    assert other.unwrapped.position.ply == 0
    assert np.count_nonzero(other.last()[0]["action_mask"]) == 9
