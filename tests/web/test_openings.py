"""Names of Othello openings: known from all sides, by any order of moves, the last one counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import asking
import pytest
from command_line import run
from store_tools import random_game

from plyground.core.records import GameRecord, MoveRecord
from plyground.games.catalogue import find_game
from plyground.games.othello_openings import LONGEST, OPENINGS, name_opening
from plyground.games.position import BasePosition
from plyground.games.rules import count_symmetries, key, play, transform
from plyground.games.squares import split_squares
from plyground.games.view import view
from plyground.store.openings import MOST_PLIES, opening_of
from plyground.store.store import Store
from references.grid import square_cell, square_text
from references.registry import REFERENCES

OTHELLO = find_game("othello")
TIGER = "f5d6c3d3c4"


def recorded(text: str) -> GameRecord:
    moves = [MoveRecord(move, ply % 2) for ply, move in enumerate(split_squares(text))]
    return GameRecord("othello", ("", ""), moves, settings={"size": 8}, points=0.5)


def named(text: str) -> str | None:
    start = OTHELLO.initial()
    return name_opening(start, OTHELLO.parse_moves(start, text))


@pytest.mark.parametrize(("name", "text"), OPENINGS, ids=[name for name, _ in OPENINGS])
def test_every_opening_is_legal_by_the_rules_of_a_plain_board_and_has_its_name(name, text):
    naive = REFERENCES["othello"]()
    for move in split_squares(text):
        assert move in naive.legal()
        naive.play(move)
    assert named(text) == name
    assert opening_of(recorded(text)) == name
    assert text.startswith("f5")


def test_there_are_many_and_no_two_are_the_same_position():
    keys = set()
    for _, text in OPENINGS:
        state = OTHELLO.initial()
        for move in OTHELLO.parse_moves(state, text):
            state = play(state, move)
        keys.add(min(int(key(transform(state, i))) for i in range(count_symmetries(state))))
    assert len(keys) == len(OPENINGS) == len({name for name, _ in OPENINGS}) >= 60
    assert LONGEST < MOST_PLIES


@pytest.mark.parametrize(
    "turn", [lambda x, y: (7 - x, 7 - y), lambda x, y: (y, x), lambda x, y: (7 - y, 7 - x)]
)
def test_the_name_is_the_same_from_all_four_sides(turn):
    for name, text in OPENINGS:
        turned = [square_text(turn(*square_cell(move))) for move in split_squares(text)]
        assert named("".join(turned)) == name


def test_the_longest_name_wins_and_lasts():
    assert named("") is None
    assert named("f5") is None
    assert named("f5d6") == "Perpendicular"
    assert named(TIGER) == "Tiger"
    assert named(TIGER + "f4c5b3c2") == "Rose-Bill"
    assert named(TIGER + "f4c5b3c2e6") == "Tamenori"
    assert named(TIGER + "f4c5b3c2e6c6") == "Tamenori"


def test_another_order_of_moves_is_the_same_opening():
    assert named("f5f6e6f4e3") == named("e6f6f5f4e3") == "Cow"


def test_other_boards_and_games_have_no_names():
    small = OTHELLO.initial(size=6)
    assert name_opening(small, OTHELLO.legal(small)[:1]) is None
    assert name_opening(OTHELLO.initial(size=10), []) is None
    assert opening_of(random_game("connect4", 1)) is None
    assert opening_of(replace(recorded(TIGER), game="no-such-game")) is None
    assert opening_of(replace(recorded(TIGER), settings={"size": 9})) is None
    assert opening_of(recorded(TIGER + "a1")) == "Tiger"  # what follows is not legal


def test_a_position_is_told_with_its_opening(server):
    answer = asking.post(
        f"{server.address}api/position", json={"game": "othello", "moves": split_squares(TIGER)}
    )
    assert answer.json()["opening"] == "Tiger"
    assert view(BasePosition.begin("connect4", moves="4"))["opening"] is None


def test_the_command_line_shows_it(tmp_path: Path):
    path = tmp_path / "games.db"
    with Store(str(path)) as store:
        store.add([recorded(TIGER)])
    shown = run("store", "show", "1", "--store", path).out
    assert "size=8  Tiger\n" in shown
