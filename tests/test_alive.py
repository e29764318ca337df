"""The whole stack once, in under twenty seconds: if these fail, look at nothing else first."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from command_line import run

from plyground.games.catalogue import find_game
from plyground.games.perft import perft
from plyground.games.playout import playout
from plyground.games.rules import is_over

pytestmark = pytest.mark.alive

HEXAPAWN = Path(__file__).parents[1] / "examples" / "hexapawn.py"


def test_machine_code_counts_all_games_of_tic_tac_toe():
    game = find_game("tictactoe")
    buffer = np.zeros(10 * game.max_moves, np.int32)
    assert perft(game.initial(), 9, buffer, 0) == 255_168
    assert perft.compiled.signatures


def test_a_random_game_ends_and_can_be_replayed():
    game = find_game("tictactoe")
    generator, record = np.array([1], np.uint64), np.zeros(20, np.int32)
    plies = playout(game.initial(), generator, np.zeros(game.max_moves, np.int32), record)
    assert 5 <= plies <= 9
    assert is_over(game.replay(game.initial(), record[:plies].tolist()))


def test_the_command_line_shows_a_position():
    data = json.loads(run("show", "othello", "--moves", "f5", "--json").out)
    assert (data["side"], data["legal"]) == ("second", ["f4", "d6", "f6"])


def test_a_game_in_a_file_of_its_own_is_compiled_and_counted():
    data = json.loads(run("perft", HEXAPAWN, "--depth", "7", "--json").out)
    assert data["leaves"] == 134
