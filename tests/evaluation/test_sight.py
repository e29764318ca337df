"""Evaluators for any game: what they count, against a count by hand on the board as data."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from user_games import example_game

import plyground as pg
from plyground.core.board import Board
from plyground.evaluation import views
from plyground.evaluation.catalogue import evaluators, suitable
from plyground.evaluation.cells import find_cells
from plyground.evaluation.check import judged, positions
from plyground.evaluation.pictures import owners
from plyground.evaluation.same_key import groups_of
from plyground.evaluation.sample import sample, usual_start
from plyground.evaluation.sight import EVALUATORS
from plyground.evaluation.spec import evaluate
from plyground.games.catalogue import find_game
from plyground.games.rules import is_over, outcome, play, side
from plyground.games.spec import GameSpec
from plyground.kernel import on_compiling

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
GAMES: list[tuple[GameSpec, dict[str, Any]]] = [
    (example_game("breakthrough.py"), {"columns": 4, "rows": 5}),
    (example_game("dots_and_boxes.py"), {"rows": 2, "columns": 2}),
    (example_game("fox_and_hounds.py"), {"size": 6}),
    (find_game("connect4"), {"width": 5, "height": 4, "connect": 3}),  # bits between the columns
]
each_game = pytest.mark.parametrize(("game", "chosen"), GAMES, ids=[g.name for g, _ in GAMES])


def sight(name: str, game: GameSpec, start: Any, **weights: int) -> Any:
    spec = next(each for each in evaluators() if each.name == name and not each.games)
    return spec.make_for(game, start)._replace(**weights)


def by_hand(board: Board, mover: int, length: int, worth: Any) -> int:
    """The lines of a board, each with what it is worth by the owners of its cells."""
    whose, total = owners(board, mover), 0
    for row, column, (down, right) in product(range(board.rows), range(board.columns), STEPS):
        places = [(row + down * i, column + right * i) for i in range(length)]
        if all(0 <= r < board.rows and 0 <= c < board.columns for r, c in places):
            total += worth([whose[r * board.columns + c] for r, c in places])
    return total


def worth_of_pair(owned: list[int]) -> int:
    return owned[0] if owned[0] == owned[1] else 0


def worth_of_line(owned: list[int]) -> int:
    mine, theirs = owned.count(1), owned.count(-1)
    if mine and theirs:
        return 0
    return 4 ** (mine - 1) if mine else -(4 ** (theirs - 1)) if theirs else 0


# ------------------------------------------------------------------ what is counted


@each_game
def test_moves_and_pieces_are_those_of_the_rules_and_the_board(game, chosen):
    start = game.initial(**chosen)
    mobility, material = sight("mobility", game, start), sight("material", game, start, piece=7)
    for state in positions(game, start, games=6, seed=90):
        assert evaluate(mobility, state) == 10 * len(game.legal(state))
        assert evaluate(material, state) == 7 * sum(owners(game.board(state), side(state)))


@pytest.mark.parametrize("name", ["breakthrough", "connect4"])
def test_pairs_and_lines_are_those_of_the_board(name):
    game, chosen = next(each for each in GAMES if each[0].name == name)
    start = game.initial(**chosen)
    pairs = sight("pairs", game, start, piece=0, pair=1)
    lines = sight("lines", game, start)
    long = chosen.get("connect", views.USUAL_LINE)
    values = set()
    for state in positions(game, start, games=6, seed=91):
        board, mover = game.board(state), side(state)
        assert evaluate(pairs, state) == by_hand(board, mover, 2, worth_of_pair)
        assert evaluate(lines, state) == by_hand(board, mover, long, worth_of_line)
        values.add(evaluate(lines, state))
    assert len(values) > 5


@each_game
def test_the_shares_of_the_factors_add_up_and_their_cells_to_them(game, chosen):
    start = game.initial(**chosen)
    judge = sight("cells", game, start, move=3, piece=50, pair=2, line=1)
    spec = next(each for each in EVALUATORS if each.name == "cells")
    for state in positions(game, start, games=2, seed=92):
        factors = spec.factors(judge, state)
        assert sum(each.share for each in factors) == evaluate(judge, state)
        pieces = next(each for each in factors if each.name == "pieces")
        assert sum(amount for _, amount in pieces.cells) == pieces.value
        pairs = next(each for each in factors if each.name == "pairs")
        assert sum(amount for _, amount in pairs.cells) == pairs.value


@each_game
def test_machine_code_sees_the_same(game, chosen):
    start = game.initial(**chosen)
    judge = sight("cells", game, start, move=3, piece=50, pair=2, line=1)
    for state in positions(game, start, games=3, seed=93):
        assert judged(judge, state) == evaluate(judge, state)


def test_what_wins_is_worth_something_and_what_loses_the_opposite():
    """In Breakthrough a piece is worth the more the nearer it is to its goal."""
    game = example_game("breakthrough.py")
    start = game.initial(columns=4, rows=5)
    judge = sight("cells", game, start)
    near, far = "-B--/W---/----/---B/-W-- W", "-B--/----/W---/---B/-W-- W"
    worth = [evaluate(judge, game.parse_position(start, text)) for text in (near, far)]
    assert worth[0] > worth[1] + 100


# ------------------------------------------------------------------ where the cells are


class Odd(NamedTuple):
    """Tic-tac-toe with its cells in an odd order of bits, in fields of first and second."""

    crosses: int
    noughts: int
    moves: int

    def legal_moves(self, moves, start):
        for cell in range(9):
            if not (self.crosses | self.noughts) >> (cell * 5 % 9 + 20) & 1:
                moves[start] = cell
                start += 1
        return start

    def play(self, move):
        stone = 1 << (move * 5 % 9 + 20)
        if self.moves % 2:
            return Odd(self.crosses, self.noughts | stone, self.moves + 1)
        return Odd(self.crosses | stone, self.noughts, self.moves + 1)

    def is_over(self):
        return self.moves == 9

    def outcome(self):
        return 0

    def side(self):
        return self.moves % 2


def odd_board(state: Odd) -> Board:
    def owner(cell: int) -> str:
        place = cell * 5 % 9 + 20
        return "first" if state.crosses >> place & 1 else "second" * (state.noughts >> place & 1)

    return Board("grid", 3, 3, tuple(owner(cell) for cell in range(9)))


def test_the_place_of_every_cell_is_found_whatever_the_order_of_bits():
    game = GameSpec("odd", "Odd", "Fill the board.", lambda: Odd(0, 0, 0), 9, board=odd_board)
    seen = sample(game, game.initial(), sight("zero", game, game.initial()), 9, 200, 1)
    cells = find_cells(game, seen)
    assert (cells.rows, cells.columns) == (3, 3)
    assert cells.places == {
        (mover, owner, cell): 64 * owner + cell * 5 % 9 + 20
        for mover, owner, cell in product((0, 1), (0, 1), range(9))
    }


class Hunt(NamedTuple):
    """A hunter that goes along nine cells, and a hare that stays on the last one."""

    hunter: int
    hare: int
    side: int

    def legal_moves(self, moves, start):
        moves[start], moves[start + 1] = 1, 2
        return start + 2

    def play(self, move):
        hunter = self.hunter if self.side else self.hunter << move
        return Hunt(hunter, self.hare, 1 - self.side)

    def is_over(self):
        return self.hunter >= self.hare

    def outcome(self):
        return -1 if self.side else 1


def test_a_side_whose_only_piece_never_moves_is_not_taken_for_the_rest_of_the_other():
    def board(state: Hunt) -> Board:
        owners = {state.hunter: "first", state.hare: "second"}
        return Board("grid", 1, 9, tuple(owners.get(1 << cell, "") for cell in range(9)))

    game = GameSpec("hunt", "Hunt", "Catch the hare.", lambda: Hunt(1, 1 << 8, 0), 2, board=board)
    seen = sample(game, game.initial(), sight("zero", game, game.initial()), 9, 200, 1)
    cells = find_cells(game, seen)
    assert cells.rest == set()
    assert [cells.places[mover, 1, 8] // 64 for mover in (0, 1)] == [1, 1]
    assert [cells.places[mover, 0, 3] for mover in (0, 1)] == [3, 3]


def test_without_a_board_there_are_no_pieces_but_all_else():
    bare = GameSpec("bare", "Bare", "Fill the board.", lambda: Odd(0, 0, 0), 9)
    start = bare.initial()
    assert evaluate(sight("material", bare, start), play(start, 4)) == 0
    assert evaluate(sight("mobility", bare, start), play(start, 4)) == 80


def test_positions_that_the_key_takes_for_one_have_one_value():
    """Dots and Boxes: which boxes a side has is not in its key, nor is what the others have."""
    game = example_game("dots_and_boxes.py")
    start = game.initial(rows=2, columns=2)
    judge = sight("cells", game, start, piece=100)
    both = [
        game.parse_position(start, f"+-+-+/|{boxes[0]}|{boxes[1]}|/+-+-+/....|/+-+.+ X")
        for boxes in ("XO", "OX")
    ]
    assert both[0] != both[1]
    assert evaluate(judge, both[0]) == evaluate(judge, both[1])
    seen = sample(game, start, judge, 100, 50, 1)
    mine = [64 + i for i in (0, 1, 5, 6)]
    theirs = [128 + i for i in (0, 1, 5, 6)]
    groups = groups_of(seen, views.np.array([0, 1, *mine, *theirs])).tolist()
    assert groups[0] != groups[1]
    assert len({*groups[2:6]} - {*groups[:2]}) == 1
    assert groups[6:] == [-1] * 4


# ------------------------------------------------------------------ once for a game


def test_a_view_is_learnt_once_and_read_by_the_next_process(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))
    monkeypatch.setattr("plyground.evaluation.keeping._held", {})
    game = example_game("fox_and_hounds.py")
    start = game.initial(size=4)
    news: list[str] = []
    with on_compiling(news.append):
        first = sight("cells", game, start)
    assert "learning to see Fox and Hounds, first time only" in news
    (path,) = tmp_path.glob("view-*.json")
    monkeypatch.setattr("plyground.evaluation.keeping._held", {})
    news.clear()
    with on_compiling(news.append):
        again = sight("cells", game, start)
    assert news == []
    assert again.table.array.tolist() == first.table.array.tolist() == json.loads(path.read_text())
    path.write_text("[1, 2")  # damaged
    monkeypatch.setattr("plyground.evaluation.keeping._held", {})
    anew = sight("cells", game, start)
    assert anew.table.array.tolist() == first.table.array.tolist() == json.loads(path.read_text())


def test_positions_of_one_board_share_a_view_and_boards_of_other_sizes_do_not():
    game = example_game("breakthrough.py")
    usual = game.initial()
    later = next(state for state in positions(game, usual, 1, 3) if state != usual)
    assert usual_start(game, later) == usual
    small = game.initial(columns=4, rows=5)
    assert usual_start(game, small) == small


# ------------------------------------------------------------------ playouts


def test_playouts_give_the_same_value_again_and_the_value_of_what_is_forced():
    game = find_game("connect4")
    start = game.initial(width=4, height=4, connect=3)
    judge = sight("playouts", game, start)
    ends = 0
    for state in positions(game, start, games=8, seed=5):
        value = evaluate(judge, state)
        assert value == evaluate(judge, state) == judged(judge, state)
        assert -1000 <= value <= 1000
        children = [play(state, move) for move in game.legal(state)]
        if all(is_over(child) and outcome(child) for child in children):
            ends += 1
            assert value == 1000
    assert ends


# ------------------------------------------------------------------ names


def test_an_evaluator_of_the_game_hides_one_for_any_game_of_its_name():
    names = [spec.name for spec in suitable(find_game("othello").initial())]
    assert names.count("mobility") == 1
    assert pg.Position("othello").explain("mobility").scale != "10 is a move"
    assert pg.Position("connect4").explain("mobility").scale == "10 is a move"
