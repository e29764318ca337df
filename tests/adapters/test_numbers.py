"""Actions, observations and returns: what agents of other libraries are told of a game."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import plyground as pg
from plyground.adapters.numbers import Numbers, begin
from plyground.core.errors import IllegalMove, InputError, Unsupported
from plyground.games.spec import GameSpec
from plyground.matches.one_game import MOST_PLIES

EXAMPLES = Path(__file__).parents[2] / "examples"
HEXAPAWN, FOX, DOTS = (
    str(EXAMPLES / f"{name}.py") for name in ("hexapawn", "fox_and_hounds", "dots_and_boxes")
)
GAMES = [*pg.games, HEXAPAWN, FOX, DOTS]


class Heap(NamedTuple):
    """Take one or two, won by as many as were in the heap; says nothing of limits."""

    heap: int = 5
    side: int = 0

    def legal_moves(self, moves, start):
        for take in range(1, min(2, self.heap) + 1):
            moves[start] = 1000 * take
            start += 1
        return start

    def play(self, move):
        return Heap(self.heap - move // 1000, 1 - self.side)

    def is_over(self):
        return self.heap == 0

    def outcome(self):
        return -5


class Endless(NamedTuple):
    side: int = 0

    def legal_moves(self, moves, start):
        moves[start] = 0
        return start + 1

    def play(self, move):
        return Endless(1 - self.side)

    def is_over(self):
        return False

    def outcome(self):
        return 0


def numbers(game, moves="", position=None, margin=True, longest=MOST_PLIES, **settings) -> Numbers:
    return begin(game, moves, position, margin, longest, settings)


def random_game(told: Numbers, seed: int) -> list[pg.Position]:
    chance, position = np.random.default_rng(seed), told.root
    path = [position]
    while not told.is_over(position):
        action = int(chance.choice(told.legal(position)))
        position = position.play_code(told.code(position, action))
        path.append(position)
    return path


# ------------------------------------------------------------------ every game


@pytest.mark.parametrize("game", GAMES)
def test_actions_and_moves_are_one_to_one_in_every_game(game):
    told = numbers(game)
    for position in random_game(told, 1):
        legal, codes = told.legal(position), list(position.legal_codes)
        assert legal == sorted(set(legal)) and set(legal) <= set(range(told.actions))
        assert [told.code(position, action) for action in legal] == codes
        assert [told.action(position, code) for code in codes] == legal
        assert np.flatnonzero(told.mask(position)).tolist() == legal


@pytest.mark.parametrize("game", GAMES)
def test_observations_keep_their_shape_and_bounds_and_tell_positions_apart(game):
    told = numbers(game)
    path = random_game(told, 2)
    for player in (0, 1):
        seen = [told.observe(position, player) for position in path]
        assert {each.shape for each in seen} == {told.shape}
        assert all(each.dtype == np.float32 and 0 <= each.min() <= each.max() <= 1 for each in seen)
        assert len({each.tobytes() for each in seen}) == len(set(path))


@pytest.mark.parametrize("game", GAMES)
def test_returns_are_what_the_winner_takes_from_the_loser(game):
    told = numbers(game)
    *path, last = random_game(told, 3)
    assert all(told.returns(position) == [0, 0] for position in path)
    first, second = told.returns(last)
    assert first == -second == last.score and abs(first) <= told.most


# ------------------------------------------------------------------ actions


def test_actions_are_codes_where_a_game_bounds_them_and_ranks_elsewhere():
    counts = {"connect4": 7, "kalah": 6, "mnk": 9, "othello": 65, "synthetic": 3, "textbook": 9}
    assert {game: numbers(game).actions for game in counts} == counts
    assert numbers("mnk", m=4, n=5).actions == 20
    assert numbers("othello", size=10).actions == 101
    assert numbers("double-card").actions == pg.games["double-card"].max_moves
    ranked = numbers(Heap)
    assert (ranked.legal(ranked.root), ranked.code(ranked.root, 1)) == ([0, 1], 2000)


def test_an_illegal_action_is_refused_with_the_legal_ones():
    told = numbers("tictactoe", "a1 b1")
    with pytest.raises(IllegalMove, match=r"^1 is not a legal action; legal: 2, 3, 4, 5, 6, 7, 8$"):
        told.code(told.root, 1)
    over = told.root.play("a2 c1 a3")
    with pytest.raises(IllegalMove, match="none, as the game is over"):
        told.code(over, 8)


def test_a_game_that_breaks_its_limit_is_named():
    game = GameSpec.of(Heap)
    broken = GameSpec("heap", "Heap", "", game.start, 2, code_limit=lambda start: 1001)
    told = numbers(broken)
    with pytest.raises(Unsupported, match="heap: the move 2000 is number 2000; code_limit=1001"):
        told.legal(told.root)


# ------------------------------------------------------------------ observations


def test_a_player_sees_its_own_pieces_first_and_whose_turn_it_is():
    told = numbers("tictactoe")
    position = told.root.play("a1 b2")
    mine, theirs, my_turn, am_first = told.observe(position, 1)
    assert mine.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert theirs.tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert not my_turn.any() and not am_first.any()
    assert told.observe(position, 0)[2:].all()


def test_pits_are_seen_as_shares_of_all_seeds():
    told = numbers("kalah", pits=2, seeds=3)
    assert told.observe(told.root, 0).tolist() == [0, 0.25, 0.25, 0, 0.25, 0.25, 1, 1]


def test_a_board_without_cells_is_seen_as_the_bits_of_its_state():
    told = numbers(Heap)
    seen = told.observe(told.root, 0)
    assert seen.shape == (2 * 64 + 2,)
    assert np.flatnonzero(seen).tolist() == [0, 2, 128, 129]  # a heap of 0b101, my turn, I am first


# ------------------------------------------------------------------ returns


def test_margins_are_returned_where_the_game_bounds_them():
    most = {"connect4": 1, "kalah": 48, "mnk": 1, "othello": 64, "synthetic": 100, "textbook": 99}
    assert {game: numbers(game).most for game in most} == most
    assert numbers("synthetic", leaves="pgame").most == 1
    assert numbers("synthetic", leaves="incremental", depth=4, spread=10).most == 40
    assert numbers("synthetic", leaves="ordered", depth=4, spread=10).most == 50


@pytest.mark.parametrize(
    ("told", "returns"),
    [
        (numbers("textbook"), [12, -12]),
        (numbers("textbook", margin=False), [1, -1]),
    ],
)
def test_a_margin_may_be_left_out(told, returns):
    assert told.returns(told.root.play("1 2")) == returns


def test_a_margin_without_a_bound_counts_as_a_win():
    told = numbers(Heap)
    last = random_game(told, 1)[-1]
    assert told.most == 1 and told.returns(last)[last.mover] == -1


# ------------------------------------------------------------------ games as a whole


def test_a_game_that_lasts_too_long_is_a_draw():
    told = numbers(Endless, longest=7)
    path = random_game(told, 1)
    assert len(path) == 8 and told.is_cut(path[-1])
    assert told.returns(path[-1]) == [0, 0] and told.legal(path[-1]) == []


def test_the_length_of_a_game_counts_from_where_it_begins():
    told = numbers("tictactoe", "a1 b1", longest=2)
    assert [told.is_over(each) for each in random_game(told, 1)] == [False, False, True]


@pytest.mark.parametrize("longest", [0, MOST_PLIES + 1, 1.5])
def test_a_length_out_of_range_is_refused(longest):
    with pytest.raises(InputError, match=r"longest=.*expected a whole number from 1 to 5,000"):
        numbers("tictactoe", longest=longest)


def test_a_game_that_is_over_is_refused():
    with pytest.raises(Unsupported, match="the game is over: there is nothing to play"):
        numbers("tictactoe", "a1 b1 a2 b2 a3")


def test_copies_are_the_thing_itself():
    told = numbers("othello")
    assert copy.deepcopy(told) is told
    assert copy.deepcopy(told.root) is copy.copy(told.root) is told.root
