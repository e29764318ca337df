"""`Position` says what the plain verbs say, in every game, at every move."""

from __future__ import annotations

import pickle
import random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from user_games import write_game

import plyground as pg
from plyground.games.catalogue import games
from plyground.games.position import BasePosition
from plyground.games.rules import is_over, play, side
from plyground.games.view import view

SETTINGS = {"synthetic": {"branching": 3, "depth": 6}, "double-card": {"cards": 6}}
MOST_PLIES = 80


def walk(name: str, seed: int) -> tuple[pg.Position, list[int]]:
    """A random game, move by move through the object and through the verbs."""
    chance = random.Random(seed)
    position = pg.Position(name, **SETTINGS.get(name, {}))
    state, codes = position.start, list[int]()
    game = position.game
    while not is_over(state) and len(codes) < MOST_PLIES:
        legal = game.legal(state)
        assert position.legal_codes == tuple(legal)
        assert position.legal == tuple(game.format_move(state, code) for code in legal)
        assert position.mover == int(side(state))
        assert position.side == game.players[int(side(state))]
        assert not position.is_over and position.score is None and position.winner is None
        code = chance.choice(legal)
        text = game.format_move(state, code)
        after = position.play(text)
        state = play(state, code)
        codes.append(code)
        assert after.parent is position and after.last_move == text
        assert after.last_cells == game.cells_of(position.state, code)
        position = after
        assert position.state == state and position.codes == tuple(codes)
    return position, codes


@pytest.mark.parametrize("name", list(games()))
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_random_game_through_the_object_is_the_game_of_the_verbs(name, seed):
    position, codes = walk(name, seed)
    game = position.game
    assert position.ply == len(codes) == len(position.moves)
    assert [each.state for each in position.path][-1] == position.state
    assert position.path[0].parent is None
    assert position.is_over == bool(is_over(position.state))
    assert position.score == game.first_player_outcome(position.state)
    if position.is_over and position.score is not None:
        expected = {1: game.players[0], 0: "draw", -1: game.players[1]}
        assert position.winner == expected[(position.score > 0) - (position.score < 0)]
        assert position.legal == ()
    again = pg.Position(name, position.moves, **SETTINGS.get(name, {}))
    assert again == position and hash(again) == hash(position)
    assert again.codes == position.codes
    elsewhere = pg.Position(name, position=position.text, **SETTINGS.get(name, {}))
    assert elsewhere.text == position.text
    assert view(position)["moves"] == list(position.moves)
    assert position.follow([]) is position


def test_a_position_does_not_change():
    position = pg.Position("connect4", "4 4")
    for name in ("state", "moves", "game", "anything"):
        with pytest.raises(AttributeError):
            setattr(position, name, 1)
    with pytest.raises(AttributeError):
        del position.state
    before = position.state
    position.play("3")
    assert position.state is before


def test_moves_can_be_given_as_people_write_them():
    for moves in ("443", "4 4 3", "4, 4, 3", ["4", "4", "3"], ("4", "4", "3"), [4, 4, 3]):
        assert pg.Position("connect4", moves).codes == (3, 3, 2)
    position = pg.Position("connect4")
    assert position.play(4, 4, 3) == position.play("443") == position.play("4").play(4).play("3")
    with pytest.raises(pg.MalformedText, match="move 2, '9'"):
        position.play("4", "9")
    with pytest.raises(pg.MalformedText):
        position.play("")


def test_an_illegal_move_is_refused_with_the_legal_ones():
    with pytest.raises(pg.IllegalMove, match=r"legal: d3, c4, f5, e6"):
        pg.Position("othello").play("a1")


def test_a_forced_pass_that_was_left_out_is_filled_in():
    """On 4x4, after b1 c1 d3 a1 Black has no move."""
    position = pg.Position("othello", "b1 c1 d3 a1 c4", size=4)
    assert "pass" in position.moves
    before = pg.Position("othello", "b1 c1 d3 a1", size=4)
    assert before.implied_code is not None
    assert before.play("c4") == position


def test_equal_positions_are_equal_however_they_were_reached():
    one, other = pg.Position("connect4", "1 2 3"), pg.Position("connect4", "3 2 1")
    assert one == other and len({one, other}) == 1
    assert one.moves != other.moves
    assert one != pg.Position("connect4", "1 2 4") and one != "1 2 3"
    assert pg.Position("mnk") != pg.Position("connect4")


def test_a_game_is_a_name_a_file_a_spec_or_a_class(tmp_path):
    path = tmp_path / "mine.py"
    write_game(path)
    by_path = pg.Position(str(path))
    assert by_path.legal and pg.Position(path) == by_path
    assert pg.Position(by_path.game) == by_path
    assert pg.Position(pg.games["othello"], size=6).settings["size"] == 6
    with pytest.raises(pg.Unsupported, match="a game is a name"):
        pg.Position(3)


class Nim(NamedTuple):
    """Take one, two or three; whoever takes the last wins."""

    heap: int = 10
    side: int = 0

    def legal_moves(self, moves, start: int) -> int:
        for take in range(1, min(3, self.heap) + 1):
            moves[start] = take
            start += 1
        return start

    def play(self, move: int):
        return Nim(self.heap - move, 1 - self.side)

    def is_over(self) -> bool:
        return self.heap == 0

    def outcome(self) -> int:
        return -1


Nim.players = ("Ann", "Bob")


def test_a_class_of_states_is_a_game():
    position = pg.Position(Nim)
    assert (position.game.name, position.game.title, position.side) == ("nim", "Nim", "Ann")
    assert position.legal == ("1", "2", "3")
    with pg.plain_python():
        found = position.search("minimax", depth=10)
    assert (found.move, str(found.score)) == ("2", "win in 5")  # 8 left: a multiple of four


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: pg.Position("othelo"), "did you mean othello"),
        (lambda: pg.Position("othello", size=7), "size=7: expected 4, 6, 8, 10"),
        (lambda: pg.Position("othello", sise=8), "did you mean size"),
        (lambda: pg.Position("othello", "f5 f5"), "move 2, 'f5'"),
        (lambda: pg.Position("othello", position="nonsense"), "expected"),
        (lambda: pg.Position("no/such/file.py"), "no game file"),
    ],
)
def test_bad_positions_are_refused_in_a_line(call, complaint):
    with pytest.raises(pg.InputError, match=complaint) as caught:
        call()
    assert len(str(caught.value)) < 300


def test_it_shows_its_board_as_text():
    shown = repr(pg.Position("connect4", "4 4 3"))
    assert shown.splitlines()[-1] == "Connect Four: Red to move (Yellow 2, Red 1)"
    assert "[●]" in shown
    assert str(pg.Position("mnk", "a1")).count("X") == 1


def test_a_very_long_game_needs_no_deep_stack():
    position = BasePosition.begin("synthetic", {"branching": 2, "depth": 20})
    long = position
    for _ in range(20):
        long = long.play_code(0)
    assert len(long.path) == 21
    chain = pg.Position("kalah")
    for _ in range(3000):  # the verb does not ask whether the game is over
        chain = chain.play_code(0)
    assert chain.ply == 3000 and len(chain.codes) == 3000
    del chain


def test_a_position_can_be_copied_and_sent_to_another_process():
    position = pg.Position("othello", "f5 d6 c3", size=8)
    again = pickle.loads(pickle.dumps(position))
    assert again == position and again.moves == position.moves and type(again) is pg.Position
