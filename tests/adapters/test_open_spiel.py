"""Games of ours in the hands of OpenSpiel: its tests, its searches, its bots."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import evaluate_bots, get_all_states, mcts, minimax
from open_spiel.python.bots import uniform_random
from open_spiel.python.observation import make_observation

import plyground as pg
from plyground.adapters.open_spiel import make_open_spiel_game
from plyground.core.errors import IllegalMove, InputError

HEXAPAWN = str(Path(__file__).parents[2] / "examples" / "hexapawn.py")
GAMES = [(name, {}) for name in [*pg.games, HEXAPAWN]] + [("othello", {"size": 10})]


@pytest.mark.parametrize(("name", "settings"), GAMES, ids=str)
def test_every_game_passes_the_tests_that_openspiel_has_for_games(name, settings):
    game = make_open_spiel_game(name, **settings)
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)
    assert game.num_players() == 2 and game.utility_sum() == 0
    assert game.min_utility() == -game.max_utility()


def test_a_game_says_of_itself_what_it_is():
    game = make_open_spiel_game("connect4", longest=42)
    kind = game.get_type()
    assert (kind.short_name, kind.long_name) == ("plyground_connect4", "Connect Four")
    assert kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    assert kind.chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    assert kind.reward_model == pyspiel.GameType.RewardModel.TERMINAL
    assert (game.num_distinct_actions(), game.max_game_length(), game.max_utility()) == (7, 42, 1)


def test_a_state_follows_our_position():
    state = make_open_spiel_game("othello", "f5", size=8).new_initial_state()
    position = pg.Position("othello", "f5")
    assert state.current_player() == 1 and str(state) == position.text
    words = [state.action_to_string(action) for action in state.legal_actions()]
    assert tuple(words) == position.legal
    before = state.clone()
    state.apply_action(state.string_to_action("d6"))
    assert state.position == position.play("d6") and before.position == position
    assert state.history() == [state.position.code]


def test_returns_are_known_at_the_end():
    state = make_open_spiel_game("tictactoe", "a1 b1 a2 b2").new_initial_state()
    assert (state.is_terminal(), state.returns()) == (False, [0, 0])
    state.apply_action(state.string_to_action("a3"))
    assert (state.is_terminal(), state.returns()) == (True, [1, -1])
    assert state.current_player() == pyspiel.PlayerId.TERMINAL and state.legal_actions() == []


def test_an_illegal_action_is_refused():
    state = make_open_spiel_game("tictactoe", "a1").new_initial_state()
    with pytest.raises(IllegalMove, match="0 is not a legal action"):
        state.apply_action(0)


def test_observations_are_those_of_the_player():
    game = make_open_spiel_game("tictactoe")
    state = game.new_initial_state()
    state.apply_action(4)
    assert game.observation_tensor_shape() == [4, 3, 3]
    seen = np.array(state.observation_tensor(1)).reshape(4, 3, 3)
    assert seen.tolist() == game.numbers.observe(state.position, 1).tolist()
    watching = make_observation(game)
    watching.set_from(state, 0)
    assert watching.dict["observation"][0, 1, 1] == 1
    assert watching.string_from(state, 0) == state.observation_string(0) == str(state)
    recall = pyspiel.IIGObservationType(perfect_recall=True)
    remembering = make_observation(game, recall)
    assert "4" in remembering.string_from(state, 0)


# ------------------------------------------------------------------ their algorithms


def test_openspiel_finds_all_states_of_tic_tac_toe():
    states = get_all_states.get_all_states(make_open_spiel_game("tictactoe"), to_string=str)
    assert len(states) == 5478  # known since long, and not from us


SMALL = [
    ("tictactoe", "a1", {}),
    ("tictactoe", "a1 b1", {}),
    ("connect4", "1 2 3", {"width": 4, "height": 3, "connect": 3}),
    ("kalah", "", {"pits": 2, "seeds": 2}),
    ("kalah", "", {"pits": 3, "seeds": 1}),
    ("othello", "a2 a3 a4 c1", {"size": 4}),
    ("synthetic", "", {"depth": 5, "leaves": "incremental"}),
    ("synthetic", "", {"depth": 6, "leaves": "pgame"}),
    *[("textbook", "", {"tree": tree}) for tree in pg.games["textbook"].presets],
    (HEXAPAWN, "", {}),
]


def exact(position: pg.Position) -> int:
    """The value for the side to move, by our search of everything that is left."""
    return position.search("alphabeta", depth=30, finish="margin").score.value


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize(("name", "moves", "settings"), SMALL, ids=str)
def test_their_minimax_and_ours_find_the_same_value(name, moves, settings):
    value, action = minimax.alpha_beta_search(make_open_spiel_game(name, moves, **settings))
    position = pg.Position(name, moves, **settings)
    assert value == exact(position)
    after = position.play_code(action)  # in these games an action is the code of a move
    if not after.is_over:
        assert value == exact(after) * (1 if after.mover == position.mover else -1)


@pytest.mark.parametrize("name", ["connect4", "kalah", "double-card"])
def test_their_random_bots_play_our_games_to_the_end(name):
    game = make_open_spiel_game(name)
    chance = np.random.RandomState(1)
    bots = [uniform_random.UniformRandomBot(player, chance) for player in (0, 1)]
    returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, chance)
    assert returns[0] == -returns[1] and abs(returns[0]) <= game.max_utility()


def test_their_monte_carlo_search_sees_a_win_and_a_threat():
    game = make_open_spiel_game("connect4", "4 1 4 1 4")  # three on top of each other
    chance = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 150, mcts.RandomRolloutEvaluator(1, chance), random_state=chance)
    state = game.new_initial_state()
    assert state.action_to_string(bot.step(state)) == "4"
    state.apply_action(state.string_to_action("7"))
    assert state.action_to_string(bot.step(state)) == "4"


def test_what_cannot_be_made_is_refused_in_one_line():
    with pytest.raises(InputError, match="did you mean othello"):
        make_open_spiel_game("othelo")
    with pytest.raises(InputError, match="size=7"):
        make_open_spiel_game("othello", size=7)
