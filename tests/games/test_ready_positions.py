"""The ready positions of the games are what their titles say."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground.games.catalogue import find_game
from plyground.games.position import BasePosition
from plyground.games.rules import is_over, outcome, play, side
from plyground.solvers.connect_four.book import find_book
from plyground.solvers.connect_four.puzzles import _as_puzzle
from plyground.solvers.connect_four.solve import ConnectFourSolver

PROBLEMS = Path(__file__).parents[1] / "data" / "othello" / "ffo.tsv"


def lines_of(game: str) -> dict[str, BasePosition]:
    return {
        each.title: BasePosition.begin(game, each.settings, each.position, each.moves)
        for each in find_game(game).ready_positions
    }


def test_the_openings_of_othello_have_their_names():
    lines = lines_of("othello")
    for name in ("Tiger", "Rose"):
        line = lines[f"Opening: {name}"]
        assert line.game.name_opening(line.start, line.codes) == name


def test_the_endgame_of_othello_is_the_problem_that_it_is_called():
    found = lines_of("othello")["Endgame: FFO 40"]
    rows = [row.split("\t") for row in PROBLEMS.read_text(encoding="utf-8").splitlines()]
    board, mover = next(row[1:3] for row in rows if row[0] == "40")
    assert found.state == found.game.parse_position(found.game.initial(), f"{board} {mover}")


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_in_the_puzzles_of_connect_four_one_move_wins(level):
    line = lines_of("connect4")[f"Puzzle: {level}"]
    solver = ConnectFourSolver(line.start, book=find_book(line.start))
    assert _as_puzzle(solver, line.state, line.codes, level)


@pytest.mark.parametrize(("title", "mover"), [("A line of one colour", 0), ("A line of dots", 1)])
def test_in_double_card_one_card_wins(title, mover):
    line = lines_of("double-card")[title]
    assert side(line.state) == mover
    after = [play(line.state, move) for move in line.game.legal(line.state)]
    assert any(is_over(state) and _points(state, mover) > 0 for state in after)


def _points(state, player: int) -> int:
    return int(outcome(state)) * (1 if side(state) == player else -1)


def test_in_double_card_all_cards_are_laid():
    line = lines_of("double-card")["All cards are laid"]
    assert len(line.moves) == line.settings["cards"]


def test_in_kalah_somebody_moves_fourteen_times():
    line = lines_of("kalah")["Fourteen moves in one turn"]

    def longest(state) -> int:
        again = (play(state, move) for move in line.game.legal(state))
        return 1 + max((longest(s) for s in again if side(s) == side(state)), default=0)

    assert longest(line.state) == 14
