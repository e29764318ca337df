"""Players that search heed a flag, whatever is around them; and then still answer with a move."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from patience import PATIENCE_S, until_computed

from plyground.games.catalogue import find_game
from plyground.games.position import BasePosition
from plyground.kernel import Slab, plain_python
from plyground.players.catalogue import make_machine
from plyground.players.pondering import Pondering
from plyground.players.spec import Choice, Player, Turn, ask
from plyground.search.clock import STOP

THINKING_S = 0.05  # of computing; none of these searches would end within a lifetime
CONNECT_FOUR = find_game("connect4")
ENDLESS = [
    "alphabeta:depth=60",
    "alphabeta:depth=60,noise=1%",
    "alphabeta:depth=60,ponder=yes",
    "alphabeta:depth=60,ponder=yes,noise=1%",
    "alphabeta:depth=60,noise=1%,perfect=1",
    "random-start:moves=0,then=alphabeta(depth=60)",
    "random-start:moves=0,then=alphabeta(depth=60,noise=1%)",
    "uct:nodes=900M",
]


@pytest.fixture(autouse=True)
def uncompiled() -> Iterator[None]:
    with plain_python():
        yield


def opening() -> Turn:
    start = CONNECT_FOUR.initial()
    return Turn(BasePosition.at(CONNECT_FOUR, {}, start))


class Asked(threading.Thread):
    """A player that is asked, and thinks."""

    def __init__(self, player: Player, turn: Turn, stop: Slab) -> None:
        super().__init__(daemon=True)
        self.player, self.turn, self.stop = player, turn, stop
        self.answer: Choice | None = None
        self.start()

    def run(self) -> None:
        with plain_python():
            self.answer = ask(self.player, self.turn, self.stop)

    def ended(self) -> Choice:
        self.join(PATIENCE_S)
        assert self.answer is not None, "it goes on thinking"
        return self.answer


@pytest.mark.parametrize("text", ENDLESS)
@pytest.mark.parametrize("is_early", [True, False])
def test_whoever_is_stopped_answers_with_what_was_found(text: str, is_early: bool) -> None:
    player, stop = make_machine(text, CONNECT_FOUR, CONNECT_FOUR.initial()), Slab(1)
    if is_early:
        stop[STOP] = 1
    asked = Asked(player, opening(), stop)
    if not is_early:
        until_computed(THINKING_S)
        assert asked.is_alive()
        stop[STOP] = 1
    answer = asked.ended()
    assert answer.move in opening().legal
    assert answer.depth >= 1
    assert answer.score is not None
    player.close()


def test_a_search_that_was_stopped_at_once_has_looked_one_ply_ahead() -> None:
    """Not the first legal move, which here would not win."""
    turn = opening()
    for move in (3, 0, 3, 0, 3, 0):
        turn = turn.after(move)
    stop = Slab(1)
    stop[STOP] = 1
    answer = ask(make_machine("alphabeta:depth=60", CONNECT_FOUR, turn.position.start), turn, stop)
    assert (answer.move, str(answer.score)) == (3, "win in 1")


def test_an_answer_that_was_being_pondered_is_stopped_too() -> None:
    player, stop = (
        make_machine("alphabeta:depth=60,ponder=yes", CONNECT_FOUR, opening().position.start),
        Slab(1),
    )
    assert isinstance(player, Pondering)
    player.watch(opening())  # the first reply is being answered from here on, for ever
    asked = Asked(player, opening().after(0), stop)
    until_computed(THINKING_S)
    assert asked.is_alive()
    stop[STOP] = 1
    answer = asked.ended()
    assert answer.depth == 1
    assert answer.move in opening().legal
    player.close()
