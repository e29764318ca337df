"""One game: who breaks the rules loses it, and nobody is asked what is not theirs to decide."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pytest

from plyground.core.records import GameRecord, MoveRecord
from plyground.core.scores import Score
from plyground.games import connect_four, kalah, mnk, othello
from plyground.games.position import BasePosition
from plyground.games.spec import GameSpec
from plyground.matches import one_game
from plyground.matches.one_game import GRACE_S, MOST_PLIES, play_game
from plyground.players.chance import RandomPlayer
from plyground.players.spec import Choice, Forfeit, Player, Turn

TICTACTOE, CONNECT4, KALAH, OTHELLO = mnk.GAME, connect_four.GAME, kalah.GAME, othello.GAME
NAMES = ("Ann", "Bob")


class Scripted(Player):
    """Plays these moves by name, then the first legal one; writes down what it is told."""

    def __init__(self, *moves: str) -> None:
        self.moves = list(moves)
        self.begun = 0
        self.asked: list[Turn] = []
        self.watched: list[Turn] = []

    def begin(self) -> None:
        self.begun += 1

    def watch(self, turn: Turn) -> None:
        self.watched.append(turn)

    def choose(self, turn: Turn) -> Choice:
        self.asked.append(turn)
        if self.moves:
            return Choice(turn.game.parse_move(turn.state, self.moves.pop(0)))
        return Choice(turn.game.legal(turn.state)[0])


class Faulty(Scripted):
    """Well behaved up to one moment of its game."""

    def __init__(self, fault: Callable[[], Choice], at: int = 0) -> None:
        super().__init__()
        self.fault, self.at = fault, at

    def choose(self, turn: Turn) -> Choice:
        is_time = len(self.asked) == self.at
        usual = super().choose(turn)
        return self.fault() if is_time else usual


class RefusesToBegin(Scripted):
    def begin(self) -> None:
        raise Forfeit("no such program")


def forfeit() -> Choice:
    raise Forfeit("lost interest")


def occupied() -> Choice:
    return Choice(0)  # the first cell, which is taken by then


def nowhere() -> Choice:
    return Choice(10**6)


def negative() -> Choice:
    return Choice(-1)


def game_of(
    game: GameSpec, first: Player, second: Player, opening: Sequence[int] = (), **terms: object
) -> GameRecord:
    begun = BasePosition.begin(game).follow(opening)
    return play_game(begun, (first, second), NAMES, **terms)


# ------------------------------------------------------------------ games that go well


def test_a_game_is_played_to_its_end_and_written_down():
    record = game_of(TICTACTOE, Scripted("a1", "b1", "c1"), Scripted("a2", "b2"), seed=5)
    assert [(move.move, move.side) for move in record.moves] == [
        ("a1", 0),
        ("a2", 1),
        ("b1", 0),
        ("b2", 1),
        ("c1", 0),
    ]
    assert (record.points, record.outcome, record.ended, record.reason) == (1.0, 1, "over", "")
    assert (record.game, record.players, record.seed) == ("mnk", NAMES, 5)
    assert record.opening == 0
    assert record.forfeited_by is None


def test_the_second_player_can_win():
    record = game_of(TICTACTOE, Scripted("a1", "b1", "a3"), Scripted("a2", "b2", "c2"))
    assert (record.points, record.outcome) == (0.0, -1)


def test_a_draw_is_half_a_point():
    first, second = Scripted("a1", "c1", "b2", "a2", "b3"), Scripted("b1", "a3", "c3", "c2")
    record = game_of(TICTACTOE, first, second)
    assert (record.points, record.outcome, record.ended) == (0.5, 0, "over")


def test_what_a_player_tells_is_written_down():
    told = Choice(4, Score(3, "heuristic", "lower"), 7, 99, (), True, 60, 2)
    record = game_of(TICTACTOE, Faulty(lambda: told), Scripted())
    move = record.moves[0]
    assert (move.move, move.score, move.depth, move.nodes) == ("b2", told.score, 7, 99)
    assert (move.pondered, move.leaves, move.passes) == (True, 60, 2)
    assert move.time_s > 0


def test_moves_of_the_opening_are_nobodys():
    first, second = Scripted(), Scripted()
    record = game_of(TICTACTOE, first, second, opening=[4, 0, 8])
    assert record.opening == 3
    assert record.moves[:3] == [MoveRecord("b2", 0), MoveRecord("a1", 1), MoveRecord("c3", 0)]
    assert second.asked[0].position.codes == (4, 0, 8)
    assert first.asked[0].position.codes[:3] == (4, 0, 8)


def test_players_know_the_game_the_seed_the_time_and_all_moves():
    first = Scripted()
    game_of(TICTACTOE, first, Scripted(), seed=11, time_s=60.0)
    for turn in first.asked:
        assert (turn.game, turn.seed, turn.time_s) == (TICTACTOE, 11, 60.0)
        assert turn.position.start == TICTACTOE.initial()
        assert turn.state == TICTACTOE.replay(turn.position.start, turn.position.codes)
        assert turn.side == 0


def test_both_players_are_told_that_a_game_begins():
    first, second = Scripted(), Scripted()
    game_of(TICTACTOE, first, second)
    assert (first.begun, second.begun) == (1, 1)


def test_whoever_waits_watches_the_same_turn():
    first, second = Scripted(), Scripted()
    game_of(CONNECT4, first, second)
    assert second.watched == first.asked
    assert first.watched == second.asked
    assert len(first.watched) > 1


def test_a_player_against_itself_has_nobody_to_watch():
    alone = Scripted()
    record = game_of(TICTACTOE, alone, alone)
    assert record.ended == "over"
    assert alone.watched == []


def test_a_listener_hears_of_every_move_as_it_is_made():
    heard: list[tuple[int, MoveRecord]] = []
    record = game_of(
        TICTACTOE,
        Scripted(),
        Scripted(),
        opening=[4, 0],
        on_move=lambda move, told: heard.append((move, told)),
    )
    assert [told for _, told in heard] == record.moves
    assert [move for move, _ in heard][:3] == [4, 0, 1]


def test_a_listener_hears_nothing_of_a_move_that_does_not_count():
    heard: list[int] = []
    record = game_of(
        TICTACTOE, Scripted(), Faulty(occupied), on_move=lambda move, told: heard.append(move)
    )
    assert record.ended == "illegal move"
    assert heard == [0]


# ------------------------------------------------------------------ games that are lost by a fault


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(
    "fault, ended, reason",
    [
        (occupied, "illegal move", "a1 is not a legal move"),
        (nowhere, "illegal move", "is not a legal move"),
        (negative, "illegal move", "is not a legal move"),
        (forfeit, "forfeit", "lost interest"),
    ],
)
def test_a_fault_loses_the_game_for_the_side_that_made_it(side, fault, ended, reason):
    players: list[Player] = [Scripted(), Scripted()]
    players[side] = Faulty(fault, at=1)
    record = game_of(TICTACTOE, *players)
    assert record.ended == ended
    assert record.points == side
    assert record.forfeited_by == side
    assert record.reason.startswith(["first", "second"][side] + " player: ")
    assert reason in record.reason
    assert record.outcome is None
    assert len(record.moves) == 2 + side  # the fault itself is not among them


@pytest.mark.parametrize("side", [0, 1])
def test_whoever_cannot_begin_loses(side):
    players: list[Player] = [Scripted(), Scripted()]
    players[side] = RefusesToBegin()
    record = game_of(TICTACTOE, *players, opening=[4])
    assert (record.ended, record.points, record.forfeited_by) == ("forfeit", side, side)
    assert record.reason == f"{['first', 'second'][side]} player: no such program"
    assert len(record.moves) == record.opening == 1
    assert not any(player.asked for player in players)


def test_a_fault_costs_this_game_only():
    faulty, other = Faulty(occupied, at=1), Scripted()
    assert game_of(TICTACTOE, faulty, other).ended == "illegal move"
    assert game_of(TICTACTOE, faulty, other).ended == "over"
    assert faulty.begun == other.begun == 2


class Clock:
    """Stands still unless somebody takes time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = 0.0
        monkeypatch.setattr(one_game.time, "perf_counter", lambda: self.now_s)

    def answer_after(self, seconds: float) -> Callable[[], Choice]:
        def answer() -> Choice:
            self.now_s += seconds
            return Choice(8)

        return answer


@pytest.mark.parametrize("side", [0, 1])
def test_too_much_time_loses(side, monkeypatch):
    players: list[Player] = [Scripted(), Scripted()]
    players[side] = Faulty(Clock(monkeypatch).answer_after(3), at=1)
    record = game_of(TICTACTOE, *players, time_s=2.0)
    assert (record.ended, record.forfeited_by) == ("time", side)
    assert record.reason.endswith("player: 3.00 s for a move, allowed were 2 s")
    assert len(record.moves) == 2 + side


def test_a_little_more_than_the_time_is_forgiven(monkeypatch):
    slow = Faulty(Clock(monkeypatch).answer_after(2.0 + GRACE_S / 2), at=1)
    assert game_of(TICTACTOE, slow, Scripted(), time_s=2.0).ended == "over"


def test_without_a_limit_nobody_is_late(monkeypatch):
    slow = Faulty(Clock(monkeypatch).answer_after(10**6), at=1)
    assert game_of(TICTACTOE, slow, Scripted()).ended == "over"


# ------------------------------------------------------------------ passes and extra moves


# Aubrey de Grey - Ben Pridmore, Cambridge Christmas 2005, 31-33: black passes twice, white thrice.
FIVE_PASSES = (
    "f5d6c3d3c4f4e6f6e3c5g4g3g5f3g6e2b6b5c2d2c1d1h3b4f7h4h5f8d7h7"
    "e7c8e1f1f2b1h6h2e8g1g8a7a3a4a6c7b3c6b7b8g2a2b2a5a1g7h1h8d8a8"
)


def test_a_forced_pass_is_played_without_asking():
    start = OTHELLO.initial()
    moves = OTHELLO.parse_moves(start, FIVE_PASSES)
    names = [OTHELLO.format_move(start, move) for move in moves]
    black, white = ([name for name in names[side::2] if name != "pass"] for side in (0, 1))
    first, second = Scripted(*black), Scripted(*white)
    record = game_of(OTHELLO, first, second)
    assert [move.move for move in record.moves] == names
    assert [move.side for move in record.moves] == [number % 2 for number in range(len(moves))]
    passes = [move for move in record.moves if move.move == "pass"]
    assert passes == [MoveRecord("pass", move.side) for move in passes]
    assert [move.side for move in passes].count(0) == 2
    assert [move.side for move in passes].count(1) == 3
    assert (len(first.asked), len(second.asked)) == (len(black), len(white))
    assert (record.outcome, record.points) == (-2, 0.0)


def test_extra_moves_in_kalah_keep_the_side():
    first, second = RandomPlayer(), RandomPlayer()
    record = game_of(KALAH, first, second, seed=3)
    state = KALAH.initial()
    sides = []
    for move in record.moves:
        assert move.side == state.side
        sides.append(move.side)
        state = state.play(KALAH.parse_move(state, move.move))
    assert any(a == b for a, b in itertools.pairwise(sides)), "no extra move was made"
    assert record.outcome == KALAH.first_player_outcome(state)


def test_an_extra_move_is_watched_by_the_same_player():
    first, second = Scripted(), Scripted()
    record = game_of(KALAH, first, second)
    assert [len(turn.position.codes) for turn in second.watched] == [
        number for number, move in enumerate(record.moves) if move.side == 0
    ]
    assert all(turn.side == 1 for turn in first.watched)


# ------------------------------------------------------------------ games without an end


class Circle(NamedTuple):
    """Around and around, for ever."""

    place: int
    side: int

    def legal_moves(self, moves, start):
        moves[start] = 1
        return start + 1

    def play(self, move):
        return Circle((self.place + move) % 10, 1 - self.side)

    def is_over(self):
        return False

    def outcome(self):
        return 0


def test_a_game_that_never_ends_is_a_draw():
    circle = GameSpec("circle", "Circle", "Around.", lambda: Circle(0, 0), max_moves=1)
    record = game_of(circle, Scripted(), Scripted())
    assert (record.points, record.outcome, record.ended) == (0.5, None, "length")
    assert record.reason == "not over after 5,000 moves"
    assert len(record.moves) == MOST_PLIES == 5000
    assert record.forfeited_by is None
