"""Boards without a page: what is said to them, and what they show then."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest
import traitlets

import plyground as pg
from plyground.core.records import GameRecord, MoveRecord, PositionRecord
from plyground.notebook import opponent
from plyground.notebook.widget import NOT_UNDERSTOOD
from plyground.players.spec import Choice, Player, Turn
from plyground.public.records import RecordedGame

PASSED = "d3 c3 e6 d2 d1 e1 b2 c1"  # and now Black has no move
OPENING = "f5 d6 c3 d3 c4"
PATIENCE_S = 60


def say(board, **content):
    """As a page does."""
    board._receive(board, content, None)


def recorded(moves="f5 d6 c3"):
    made = [MoveRecord(move, ply % 2) for ply, move in enumerate(moves.split())]
    return RecordedGame(GameRecord("othello", ("Ann", ""), made))


class Slow(Player):
    """Answers with its first move when it may."""

    def __init__(self):
        self.asked, self.may, self.begun = threading.Event(), threading.Event(), 0

    def begin(self) -> None:
        self.begun += 1

    def choose(self, turn: Turn) -> Choice:
        self.asked.set()
        assert self.may.wait(PATIENCE_S)
        return Choice(turn.legal[0])


class Broken(Player):
    def choose(self, turn: Turn) -> Choice:
        raise ZeroDivisionError("no idea")


class Cheat(Player):
    def choose(self, turn: Turn) -> Choice:
        return Choice(-5)


@pytest.fixture
def plays(monkeypatch):
    """Have a player of one's own at every board."""

    def have(player):
        monkeypatch.setattr(opponent, "make_machine", lambda *_: player)
        return player

    return have


# ------------------------------------------------------------------ playing


def test_a_move_that_is_clicked_is_answered():
    board = pg.board("othello", opponent="random", seed=3)
    assert (board.shown["told"], board.shown["isMine"]) == ("Your move, Black.", True)
    say(board, do="play", move="d3", ply=0)
    assert board.wait(PATIENCE_S)
    assert board.position.moves[0] == "d3"
    assert board.position.ply == 2
    assert board.shown["view"]["moves"] == list(board.position.moves)
    assert board.shown["isMine"]


def test_the_same_seed_gives_the_same_answers():
    boards = [pg.board("othello", opponent="random", seed=5) for _ in range(2)]
    for board in boards:
        board.play("d3")
        assert board.wait(PATIENCE_S)
    assert boards[0].position.moves == boards[1].position.moves
    assert boards[0].seed == 5


@pytest.mark.parametrize("side", ["second", "White", "white"])
def test_the_opponent_begins_where_the_other_side_is_yours(side):
    board = pg.board("othello", opponent="first", side=side)
    assert board.wait(PATIENCE_S)
    assert (board.position.ply, board.position.side) == (1, "White")
    assert board.shown["players"] == ["first", "human"]


def test_the_kernel_stays_free_while_the_opponent_thinks(plays):
    slow = plays(Slow())
    board = pg.board("tictactoe", opponent="random")
    say(board, do="play", move="b2", ply=0)
    assert slow.asked.wait(PATIENCE_S)
    assert not board.wait(0)
    assert (board.shown["isThinking"], board.shown["isMine"]) == (True, False)
    assert board.shown["told"] == "random is thinking …"
    say(board, do="play", move="a1", ply=1)
    assert board.shown["told"] == "it is not your turn: random is thinking"
    slow.may.set()
    assert board.wait(PATIENCE_S)
    assert not board.shown["isThinking"]
    assert board.position.ply == 2


def test_an_answer_to_what_was_taken_back_is_dropped(plays):
    slow = plays(Slow())
    board = pg.board("tictactoe", opponent="random")
    board.play("b2")
    assert slow.asked.wait(PATIENCE_S)
    board.undo()
    assert board.wait(0)
    board.play("c3")  # a second question, while the first is still thought about
    slow.may.set()
    assert board.wait(PATIENCE_S)
    assert board.position.moves == ("c3", "a1")
    assert slow.begun == 1


def test_undo_goes_back_to_the_last_decision():
    board = pg.board("othello", opponent="first")
    for _ in range(2):
        board.play(board.position.legal[0])
        assert board.wait(PATIENCE_S)
    say(board, do="undo")
    assert board.position.ply == 2
    say(board, do="undo")
    assert (board.position.ply, board.shown["canUndo"]) == (0, False)
    say(board, do="undo")
    assert board.shown["told"] == "there is no move of yours to take back"


def test_restart_goes_back_to_where_the_board_began():
    board = pg.board(pg.Position("othello", OPENING), opponent="first", side="White")
    board.play(board.position.legal[0])
    assert board.wait(PATIENCE_S)
    say(board, do="restart")
    assert board.position.moves == tuple(OPENING.split())


def test_every_move_is_heard_of():
    heard = []
    board = pg.board("tictactoe", opponent="random")
    board.observe(lambda change: heard.append(change["new"].ply), "position")
    board.play("b2")
    assert board.wait(PATIENCE_S)
    assert heard == [1, 2]


def test_a_position_can_be_set():
    board = pg.board("tictactoe", opponent="random")
    board.position = pg.Position("tictactoe", "b2")
    assert board.wait(PATIENCE_S)
    assert board.position.ply == 2
    with pytest.raises(pg.Unsupported, match=r"this board is for m,n,k game"):
        board.position = pg.Position("othello")
    with pytest.raises(traitlets.TraitError):
        board.position = "b2"


def test_a_board_without_an_opponent_takes_all_moves():
    board = pg.board("connect4", opponent=None)
    for ply in range(7):
        say(board, do="play", move="12"[ply % 2], ply=ply)
    assert board.shown["told"].startswith("Yellow wins")
    assert board.shown["players"] == ["human", "human"]
    assert board.opponent is None
    assert not board.shown["isMine"]


def test_a_person_is_told_to_pass():
    board = pg.board(pg.Position("othello", PASSED), opponent="first")
    assert board.shown["told"] == "Black has no move and passes."
    say(board, do="pass")
    assert board.wait(PATIENCE_S)
    assert board.position.moves[len(PASSED.split())] == "pass"
    ply = board.position.ply
    say(board, do="pass")
    assert board.position.ply == ply


def test_an_opponent_who_must_pass_does():
    board = pg.board(pg.Position("othello", PASSED), opponent="first", side="white")
    assert board.wait(PATIENCE_S)
    assert board.position.last_move == "pass"
    assert board.shown["isMine"]
    say(board, do="undo")  # to the move before the pass
    assert board.position.ply == len(PASSED.split()) - 1


@pytest.mark.parametrize(
    ("player", "told"),
    [(Broken(), "random cannot go on: no idea"), (Cheat(), "random made a move that is not legal")],
)
def test_a_player_that_fails_is_told_of(plays, player, told):
    plays(player)
    board = pg.board("tictactoe", opponent="random")
    board.play("b2")
    assert board.wait(PATIENCE_S)
    assert board.shown["told"].startswith(told)
    board.undo()
    assert board.shown["told"] == "Your move, X."


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({"do": "play", "move": "a1", "ply": 0}, "a1 is illegal"),
        ({"do": "play", "move": "z99", "ply": 0}, "column 'z' is off the board"),
        ({"do": "play", "move": {"a": 1}, "ply": 0}, "a"),
        ({"do": "play"}, NOT_UNDERSTOOD),
        ({"do": "dance"}, NOT_UNDERSTOOD),
        ({"do": ["play"]}, NOT_UNDERSTOOD),
        ({}, NOT_UNDERSTOOD),
        (None, NOT_UNDERSTOOD),
        ("play", NOT_UNDERSTOOD),
    ],
)
def test_what_cannot_be_done_is_answered_with_a_line(content, told):
    board = pg.board("othello", opponent="random")
    board._receive(board, content, None)
    assert told in board.shown["told"]
    assert "\n" not in board.shown["told"]
    assert board.position.ply == 0


def test_a_second_click_comes_too_late():
    board = pg.board("connect4", opponent=None)
    say(board, do="play", move="4", ply=0)
    say(board, do="play", move="4", ply=0)
    assert board.position.moves == ("4",)


def test_boards_do_not_know_of_each_other():
    one, other = pg.board("tictactoe", opponent=None), pg.board("tictactoe", opponent=None)
    one.play("a1")
    assert (one.position.ply, other.position.ply) == (1, 0)
    assert other.shown["view"]["moves"] == []


def test_a_board_that_is_closed_asks_nobody(plays):
    slow = plays(Slow())
    board = pg.board("tictactoe", opponent="random")
    board.play("b2")
    assert slow.asked.wait(PATIENCE_S)
    board.close()
    slow.may.set()
    assert board.wait(0)
    assert board.position.ply == 1


# ------------------------------------------------------------------ stepping


def test_a_game_is_stepped_through():
    board = pg.board(recorded())
    assert board.shown["players"] == ["Ann", "?"]
    assert len(board.shown["views"]) == len(board.positions) == 4
    assert board.shown["lines"][1].startswith("move 1 of 3")
    heard = []
    board.observe(lambda change: heard.append(change["new"].ply), "position")
    for at in (1, 3, 99, -5):
        board.at = at
    assert heard == [1, 3, 0]
    assert (board.at, board.position.ply) == (0, 0)


def test_a_game_without_a_page_needs_no_legal_moves():
    views = pg.board(recorded()).shown["views"]
    assert all(view["legal"] == [] for view in views)
    assert [len(view["moves"]) for view in views] == [0, 1, 2, 3]


def test_one_of_several_games_is_chosen():
    board = pg.board([recorded("f5 d6"), recorded("f5 f6 e6")])
    assert (board.shown["chosen"], board.shown["total"]) == (0, 2)
    board.at = 2
    say(board, do="choose", game=1)
    assert (board.at, len(board.shown["views"])) == (0, 4)
    assert board.game.moves == ("f5", "f6", "e6")
    say(board, do="choose", game=2)
    assert board.shown["lines"][0] == "there is no game 3; expected 1 to 2"
    say(board, do="choose", game=None)
    assert board.shown["lines"][0] == NOT_UNDERSTOOD
    assert board.game.moves == ("f5", "f6", "e6")


def test_a_position_that_was_written_down_has_no_moves():
    record = PositionRecord("tictactoe", "X--/-O-/---")
    board = pg.board(RecordedGame(record))
    assert board.shown["lines"] == ["move 0 of 0"]


# ------------------------------------------------------------------ looking into a search


def test_a_node_is_told_when_it_is_looked_at():
    tree = pg.Position("textbook").tree("alphabeta", depth=2)
    board, answers = pg.board(tree), []
    board.send = answers.append
    say(board, do="node", number="7", node=2)
    assert answers[0]["answer"] == "7"
    assert answers[0]["data"]["sentence"] == tree[2].sentence
    assert answers[0]["data"]["view"]["moves"] == list(tree[2].position.moves)
    say(board, do="children", number="8", node=0, start=0)
    assert [row["node"] for row in answers[1]["data"]["rows"]] == [n.number for n in tree.root]
    say(board, do="overview", number="9", first=0, last=10**6, width=500)
    assert answers[2]["data"]["last"] == len(tree) - 1


def test_a_node_can_be_chosen_from_both_sides():
    tree = pg.Position("textbook").tree("alphabeta", depth=2)
    board = pg.board(tree)
    heard = []
    board.observe(lambda change: heard.append(change["new"].number), "node")
    board.chosen = 3
    board.node = tree[1]
    assert (board.chosen, heard, board.position) == (1, [3, 1], tree[1].position)
    with pytest.raises(pg.Unsupported, match="there is no node 99"):
        board.chosen = 99


@pytest.mark.parametrize("said", [{"node": 99}, {"node": "x"}, {}, {"node": None}])
def test_a_question_about_no_node_is_not_answered(said):
    board, answers = pg.board(pg.Position("textbook").tree(depth=2)), []
    board.send = answers.append
    say(board, do="node", number="1", **said)
    assert answers == []


@pytest.mark.usefixtures("plain")
def test_of_several_passes_the_last_is_looked_at():
    tree = pg.Position("tictactoe", "b2").tree("mtdf", depth=2)
    assert len(tree.roots) > 1
    assert pg.board(tree).node == tree.roots[-1]


# ------------------------------------------------------------------ making one


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: pg.board(5), "a board shows a position, recorded games or a tree, not 5"),
        (lambda: pg.board([]), "not []"),
        (lambda: pg.board("othelo"), "did you mean othello?"),
        (lambda: pg.board("othello", opponent="nobody"), "unknown player 'nobody'"),
        (lambda: pg.board("othello", opponent="human"), "a human cannot be asked here"),
        (lambda: pg.board("othello", side="Red"), "unknown side 'Red'"),
        (lambda: pg.board("othello", seed=-1), "seed=-1"),
        (lambda: pg.board(recorded(), opponent="expert"), "opponent, side and seed are for"),
        (lambda: pg.board([recorded()], side="first"), "opponent, side and seed are for playing"),
    ],
)
def test_what_has_no_board_is_refused(make, told):
    with pytest.raises(pg.InputError) as refused:
        make()
    assert told in str(refused.value)


def test_boards_tell_what_they_are():
    assert repr(pg.board("othello", opponent=None)) == "Othello, Black to move."
    assert repr(pg.board(recorded())).endswith("move 0 of 3")
    assert "node 0: root" in repr(pg.board(pg.Position("textbook").tree(depth=2)))


def test_without_anywidget_there_is_a_line_that_helps():
    program = """
import sys
sys.modules["anywidget"] = None
import plyground as pg
try:
    pg.board("othello")
except pg.Unsupported as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    expected = "a board in a notebook needs anywidget: pip install 'plyground[notebook]'\n"
    assert (done.stdout, done.stderr) == (expected, "")
