"""A position as data: drawn by its changes alone, a move gives the board that the rules give."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from search_tools import random_state

from plyground.core.errors import InputError
from plyground.games.catalogue import find_game, games, name_game
from plyground.games.position import BasePosition
from plyground.games.rules import play
from plyground.games.view import view

HEXAPAWN = str(Path(__file__).parents[2] / "examples" / "hexapawn.py")
GAMES = [name for name in games() if name != "synthetic"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_the_changes_of_a_move_lead_to_the_board_after_it(name, seed):
    game = find_game(name)
    state = random_state(game, game.initial(), 3 * seed, seed)
    shown = view(BasePosition.at(game, game.settings({}), state))
    assert json.loads(json.dumps(shown)) is not None
    assert len(shown["legal"]) == len(game.legal(state))
    for legal, move in zip(shown["legal"], game.legal(state), strict=True):
        cells = list(shown["board"]["cells"])
        for place, content in legal["changes"]:
            assert cells[place] != content
            cells[place] = content
        assert tuple(cells) == game.board_of(play(state, move)).cells
        assert legal["move"] == game.format_move(state, move)


def test_a_line_is_read_with_its_settings_and_passes():
    line = BasePosition.begin("othello", {"size": 6}, None, ["c2", "b2"])
    shown = view(line)
    assert shown["settings"]["size"] == 6
    assert shown["moves"] == ["c2", "b2"]
    assert shown["side"] == "first"
    assert shown["last"] == list(game_cells(6, "b2"))
    assert shown["winner"] is None


def game_cells(size: int, square: str) -> tuple[int, ...]:
    return ((int(square[1:]) - 1) * size + ord(square[0]) - ord("a"),)


@pytest.mark.parametrize(
    ("name", "moves", "move", "cells", "target"),
    [
        ("tictactoe", "", "b2", [4], 4),
        ("kalah", "", "1", [8], 8),
        (HEXAPAWN, "b1b2 a3b2", "c1b2", [8, 4], 4),
        ("double-card", "", "0 1 C 1", [90, 91], 90),  # two halves of one card, and no move
        ("othello", "d3 c3 e6 d2 d1 e1 b2 c1", "pass", [], None),
    ],
)
def test_a_move_tells_where_it_is_clicked_and_where_it_is_shown(name, moves, move, cells, target):
    legal = view(BasePosition.begin(name_game(name), None, None, moves))["legal"]
    [found] = [each for each in legal if each["move"] == move]
    assert (found["cells"], found["target"]) == (cells, target)


def test_a_finished_game_says_who_won():
    shown = view(BasePosition.begin("tictactoe", None, None, "a1 a2 b1 b2 c1"))
    assert shown["over"]
    assert shown["winner"] == "first"
    assert shown["legal"] == []


@pytest.mark.parametrize(
    ("name", "position", "moves"),
    [("othelo", None, ""), ("othello", "nonsense", ""), ("connect4", None, "9")],
)
def test_bad_lines_are_refused(name, position, moves):
    with pytest.raises(InputError):
        BasePosition.begin(name, None, position, moves)
