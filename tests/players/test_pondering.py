"""Pondering: the same moves as without, found earlier; and nothing is left running."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from patience import PATIENCE_S, until, until_computed

from plyground.core.errors import Unsupported
from plyground.games.catalogue import find_game
from plyground.games.position import BasePosition
from plyground.games.rules import is_over
from plyground.kernel import Slab, plain_python
from plyground.players.catalogue import make_player
from plyground.players.chance import Noisy
from plyground.players.pondering import Pondering
from plyground.players.searching import SearchPlayer
from plyground.players.spec import Choice, Player, Turn

THINKING_S = 0.3  # of computing: a search is well under way


# ------------------------------------------------------------------ tools


def our_threads() -> set[threading.Thread]:
    """Not the one that hears of Ctrl-C, which the first search of a process starts for good."""
    return {thread for thread in threading.enumerate() if thread.name != "interrupts"}


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = our_threads()
    yield
    assert our_threads() == before


def turn_at(game: str, plies: int = 0, seed: int = 0, **settings: Any) -> Turn:
    """A turn after some random moves, before the game is over."""
    spec = find_game(game)
    start = spec.initial(**settings)
    turn, chooser = Turn(BasePosition.at(spec, {}, start), seed), random.Random(seed)
    for _ in range(plies):
        after = turn.after(chooser.choice(spec.legal(turn.state)))
        if is_over(after.state):
            break
        turn = after
    return turn


def does_return(action: Callable[[], object]) -> bool:
    """Whether a call comes back, given much more time than it should need."""
    thread = threading.Thread(target=action, daemon=True)
    thread.start()
    thread.join(PATIENCE_S)
    return not thread.is_alive()


def pondering(text: str, turn: Turn) -> Pondering:
    player = make_player(text, turn.game, turn.position.start)
    assert isinstance(player, Pondering)
    return player


def threads() -> int:
    return sum(thread.name == "pondering" for thread in threading.enumerate())


# ------------------------------------------------------------------ the same moves


def play_out(turn: Turn, first: Player, second: Player) -> list[Choice]:
    """All answers of a game, each player watching while the other thinks."""
    answers = []
    for player in (first, second):
        player.begin()
    while not is_over(turn.state):
        mover, waiter = (first, second) if turn.side == 0 else (second, first)
        waiter.watch(turn)
        answers.append(mover.choose(turn))
        turn = turn.after(answers[-1].move)
    for player in (first, second):
        player.close()
    return answers


GAMES = {
    "connect4": {"width": 4, "height": 4, "connect": 3},
    "othello": {"size": 4},
    "kalah": {"pits": 3, "seeds": 2},
    "mnk": {},
    "synthetic": {"branching": 3, "depth": 8},
}
SEARCHES = [
    *("alphabeta:depth=3", "mtdf:depth=3,memory=64KB", "sss:depth=2,memory=1MB"),
    *("uct:simulations=30,memory=64KB", "falphabeta:depth=2,ties=random", "negascout:nodes=60"),
]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("text", SEARCHES)
def test_with_and_without_pondering_games_are_move_for_move_the_same(text: str, game: str) -> None:
    """Against one who is not expected to play as it does, from a random opening."""
    with plain_python():
        for seed in (1, 2):
            turn = turn_at(game, 2, seed, **GAMES[game])
            games = []
            for ponder in ("no", "yes"):
                player = make_player(f"{text},ponder={ponder}", turn.game, turn.position.start)
                opponent = make_player("random", turn.game, turn.position.start)
                pair = (player, opponent) if seed == 1 else (opponent, player)
                games.append(play_out(turn, *pair))
            without, with_it = games
            assert [replace(each, pondered=False) for each in with_it] == without
            assert len(without) > 1


def test_two_who_ponder_play_the_same_game_as_two_who_do_not() -> None:
    turn = turn_at("connect4", 2, 3, **GAMES["connect4"])
    texts = ("alphabeta:depth=3", "abmemory:depth=2,memory=64KB")
    with plain_python():
        games = [
            play_out(
                turn, *[make_player(text + more, turn.game, turn.position.start) for text in texts]
            )
            for more in (",ponder=no", ",ponder=yes")
        ]
    assert [each.move for each in games[0]] == [each.move for each in games[1]]
    assert any(each.pondered for each in games[1])


def test_noise_is_the_same_with_pondering() -> None:
    turn = turn_at("mnk", 1)
    with plain_python():
        games = []
        for more in ("", ",ponder=yes"):
            player = make_player(
                "alphabeta:depth=2,noise=40%" + more, turn.game, turn.position.start
            )
            games.append(
                play_out(turn, player, make_player("first", turn.game, turn.position.start))
            )
    assert [each.move for each in games[0]] == [each.move for each in games[1]]


def test_it_is_an_option_of_every_search() -> None:
    turn = turn_at("mnk")
    assert isinstance(make_player("uct:ponder=yes", turn.game, turn.position.start), Pondering)
    assert isinstance(make_player("uct:ponder=no", turn.game, turn.position.start), SearchPlayer)
    noisy = make_player("greedy:ponder=yes,noise=5%", turn.game, turn.position.start)
    assert isinstance(noisy, Noisy)
    assert isinstance(noisy.then, Pondering)


# ------------------------------------------------------------------ step by step


class Led(SearchPlayer):
    """Answers when it is allowed to, with a depth that tells how: 1 is whole, -1 was stopped."""

    def __init__(self) -> None:
        self.allowed: set[tuple[int, ...]] = set()
        self.broken: set[tuple[int, ...]] = set()
        self.begun: list[tuple[int, ...]] = []
        self.ended: list[tuple[int, ...]] = []
        self.stopped: list[tuple[int, ...]] = []
        self.asked_directly: list[tuple[int, ...]] = []
        self.is_closed = False
        self.line: tuple[int, ...] = ()

    def choose(self, turn: Turn, stop: Slab | None = None) -> Choice:
        legal = turn.game.legal(turn.state)
        if stop is None:
            self.asked_directly.append(turn.position.codes)
            return Choice(legal[0], depth=1, line=self.line)
        self.begun.append(turn.position.codes)
        if turn.position.codes in self.broken:
            raise Unsupported("it broke")
        until(lambda: turn.position.codes in self.allowed or stop[0] != 0)
        if stop[0]:
            self.stopped.append(turn.position.codes)
            return Choice(legal[0], depth=-1)
        self.ended.append(turn.position.codes)
        return Choice(legal[0], depth=1)

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def led() -> Led:
    return Led()


@pytest.fixture
def player(led: Led) -> Iterator[Pondering]:
    player = Pondering(led)
    yield player
    player.close()


def expecting(player: Pondering, led: Led, turn: Turn, reply: int) -> None:
    """Let it have answered before, with a line that goes on like this."""
    led.line = (0, reply)
    player.choose(turn)
    player.watch(turn)


def test_the_reply_that_is_expected_is_answered_first_and_then_all_others(
    player: Pondering, led: Led
) -> None:
    turn = turn_at("connect4", width=4)
    replies = [(2,), (0,), (1,), (3,)]
    led.allowed.update(replies)
    expecting(player, led, turn, 2)
    until(lambda: len(led.ended) == 4)
    assert led.begun == replies


def test_a_reply_that_was_answered_is_a_hit(player: Pondering, led: Led) -> None:
    turn = turn_at("mnk")
    led.allowed.update({(0,), (1,)})
    player.watch(turn)
    until(lambda: led.begun == [(0,), (1,), (2,)])
    chosen = player.choose(turn.after(1))
    assert (chosen.pondered, chosen.depth, player.hits, player.misses) == (True, 1, 1, 0)
    assert led.stopped == [(2,)]
    assert led.asked_directly == []


def test_a_reply_that_is_being_answered_is_waited_for(player: Pondering, led: Led) -> None:
    turn = turn_at("mnk")
    player.watch(turn)
    until(lambda: led.begun == [(0,)])
    chosen: list[Choice] = []
    asking = threading.Thread(target=lambda: chosen.append(player.choose(turn.after(0))))
    asking.start()
    led.allowed.add((0,))
    asking.join(PATIENCE_S)
    assert [(each.pondered, each.depth) for each in chosen] == [(True, 1)]
    assert (player.hits, player.misses, led.stopped) == (1, 0, [])
    assert led.begun == [(0,)]


def test_a_reply_that_was_not_reached_is_a_miss(player: Pondering, led: Led) -> None:
    turn = turn_at("mnk")
    player.watch(turn)
    until(lambda: led.begun == [(0,)])
    chosen = player.choose(turn.after(5))
    assert (chosen.pondered, chosen.depth, player.hits, player.misses) == (False, 1, 0, 1)
    assert led.stopped == [(0,)]
    assert led.asked_directly == [(5,)]
    assert threads() == 0


def test_what_was_stopped_is_forgotten(player: Pondering, led: Led) -> None:
    turn = turn_at("mnk")
    player.watch(turn)
    until(lambda: led.begun == [(0,)])
    player.watch(turn)
    assert led.stopped == [(0,)]
    led.allowed.add((0,))
    assert player.choose(turn.after(0)).depth == 1
    assert threads() == 0


def test_an_answer_serves_once(player: Pondering, led: Led) -> None:
    turn = turn_at("mnk")
    led.allowed.add((0,))
    player.watch(turn)
    until(lambda: led.begun == [(0,), (1,)])
    assert player.choose(turn.after(0)).pondered
    assert not player.choose(turn.after(0)).pondered
    assert (player.hits, player.misses) == (1, 0)


def test_without_watching_nothing_is_pondered(player: Pondering, led: Led) -> None:
    chosen = player.choose(turn_at("mnk"))
    assert not chosen.pondered
    assert (player.hits, player.misses) == (0, 0)
    assert threads() == 0


@pytest.mark.parametrize("other", ["seed", "start"])
def test_an_answer_to_another_question_is_not_given(
    player: Pondering, led: Led, other: str
) -> None:
    """The same moves in a game with another seed, or from another position."""
    turn = turn_at("mnk")
    led.allowed.add((0,))
    player.watch(turn)
    until(lambda: led.begun == [(0,), (1,)])
    now = turn_at("mnk", seed=9) if other == "seed" else turn_at("mnk", m=4, n=4, k=4)
    assert not player.choose(now.after(0)).pondered
    assert led.asked_directly == [(0,)]


def test_only_replies_that_give_it_the_turn_are_answered(player: Pondering, led: Led) -> None:
    """In Kalah the third pit ends in the store: whoever sowed it moves again."""
    turn = turn_at("kalah")
    led.allowed.update({(move,) for move in range(6)})
    player.watch(turn)
    until(lambda: len(led.ended) == 5)
    player.begin()
    assert led.begun == [(0,), (1,), (3,), (4,), (5,)]


def test_a_reply_that_ends_the_game_needs_no_answer(player: Pondering, led: Led) -> None:
    turn = turn_at("mnk")
    for move in (0, 3, 1, 4):
        turn = turn.after(move)
    led.allowed.update({(*turn.position.codes, move) for move in range(9)})
    player.watch(turn)
    until(lambda: len(led.ended) == 4)
    player.begin()
    assert [moves[-1] for moves in led.begun] == [5, 6, 7, 8]


# ------------------------------------------------------------------ ending


@pytest.mark.parametrize("end", [Pondering.begin, Pondering.close])
def test_a_new_game_and_the_end_stop_what_is_under_way(
    player: Pondering, led: Led, end: Callable[[Pondering], None]
) -> None:
    player.watch(turn_at("mnk"))
    until(lambda: led.begun == [(0,)])
    assert threads() == 1
    end(player)
    assert threads() == 0
    assert led.stopped == [(0,)]
    assert not player.choose(turn_at("mnk").after(0)).pondered
    assert (player.hits, player.misses) == (0, 0)


def test_what_was_expected_in_one_game_is_not_in_the_next(player: Pondering, led: Led) -> None:
    turn = turn_at("mnk")
    expecting(player, led, turn, 5)
    until(lambda: led.begun == [(5,)])
    player.begin()
    player.watch(turn)
    until(lambda: led.begun == [(5,), (0,)])


def test_one_who_watches_again_has_one_thread(player: Pondering, led: Led) -> None:
    turn = turn_at("mnk")
    for times in range(1, 5):
        player.watch(turn)
        until(lambda: len(led.begun) == times)  # noqa: B023 - called before it changes
        assert threads() == 1
    assert led.stopped == [(0,)] * 3


def test_it_can_be_closed_at_any_time_and_again(player: Pondering, led: Led) -> None:
    player.close()
    player.close()
    player.watch(turn_at("mnk"))
    player.close()
    player.close()
    assert led.is_closed
    assert threads() == 0


@pytest.mark.parametrize("at_once", [True, False])
def test_a_long_search_is_stopped_in_plain_python(at_once: bool) -> None:
    turn = turn_at("connect4")
    with plain_python():
        player = pondering("minimax:depth=30,ponder=yes", turn)
        player.watch(turn)
        if not at_once:
            until_computed(THINKING_S)
        assert does_return(player.close)


def test_a_long_search_is_stopped_in_compiled_code() -> None:
    """It runs beside Python: neither watching nor closing waits for the search to end."""
    turn = turn_at("othello")
    player = pondering("alphabeta:depth=40,eval=discs,ponder=yes", turn)
    player.then.prepare(turn)
    player.watch(turn)
    until_computed(THINKING_S)
    assert threads() == 1
    assert does_return(player.close)


# ------------------------------------------------------------------ time


def test_one_with_a_limit_of_time_may_ponder_too() -> None:
    turn = turn_at("connect4", **GAMES["connect4"])
    with plain_python():
        player = pondering("alphabeta:time=30ms,ponder=yes", turn)
        answers = play_out(turn, player, make_player("greedy", turn.game, turn.position.start))
    assert player.hits + player.misses == len(answers[2::2])
    assert sum(each.pondered for each in answers) == player.hits


def test_a_limit_of_time_ends_an_answer_and_does_not_spoil_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The time raises the same flag as a stop from outside does."""
    turn = replace(turn_at("othello"), time_s=0.2)
    begun, original = threading.Event(), SearchPlayer.choose

    def choose(player: SearchPlayer, turn: Turn, stop: Slab | None = None) -> Choice:
        begun.set()
        return original(player, turn, stop)

    monkeypatch.setattr(SearchPlayer, "choose", choose)
    with plain_python():
        player = pondering("minimax:ponder=yes", turn)
        player.watch(turn)
        assert begun.wait(PATIENCE_S)
        chosen = player.choose(turn.after(turn.game.legal(turn.state)[0]))
    assert chosen.pondered
    assert chosen.depth > 0
    assert player.hits == 1


# ------------------------------------------------------------------ errors


@pytest.fixture
def unhandled(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What a thread did not catch itself."""
    found: list[object] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: found.append(args.exc_value))
    return found


def test_an_error_while_pondering_comes_out_when_the_move_is_asked_for(
    unhandled: list[object],
) -> None:
    turn = turn_at("connect4")
    with plain_python():
        player = pondering("sss:depth=9,memory=1KB,eval=columns,ponder=yes", turn)
        player.watch(turn)
        until(lambda: threads() == 0)
        with pytest.raises(Unsupported, match="sss needs more memory"):
            player.choose(turn.after(0))
        player.close()


def test_an_error_while_pondering_a_reply_that_does_not_come_does_no_harm(
    player: Pondering, led: Led, unhandled: list[object]
) -> None:
    turn = turn_at("mnk")
    led.broken.add((0,))
    player.watch(turn)
    until(lambda: led.begun[:1] == [(0,)])
    chosen: list[Choice] = []
    assert does_return(lambda: chosen.append(player.choose(turn.after(3))))
    assert [each.depth for each in chosen] == [1]
    assert (player.hits, player.misses) == (0, 1)


def test_no_error_is_printed_by_the_thread(
    player: Pondering, led: Led, unhandled: list[object]
) -> None:
    """A traceback would appear in the middle of a board."""
    led.broken.add((0,))
    player.watch(turn_at("mnk"))
    until(lambda: led.begun[:1] == [(0,)])
    player.begin()
    assert unhandled == []
