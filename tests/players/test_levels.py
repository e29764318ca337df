"""Levels: each is a player of its game, and stronger than the one below."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from plyground.core.errors import Unsupported
from plyground.games.catalogue import find_game, games
from plyground.games.position import BasePosition
from plyground.games.rules import is_over
from plyground.games.spec import GameSpec
from plyground.kernel import Slab, plain_python
from plyground.players.catalogue import make_machine, player_kinds
from plyground.players.chance import Wrapper
from plyground.players.levels import ANY_GAME, NAMES, PERFECT, SUMMARIES, level_text
from plyground.players.perfect import Perfect
from plyground.players.searching import SearchPlayer
from plyground.players.spec import Choice, Player, Turn, ask

SETTINGS: dict[str, list[dict[str, Any]]] = {
    "othello": [{}, {"size": 4}, {"size": 6}, {"size": 10}],
    "connect4": [{}, {"width": 4, "height": 4, "connect": 3}, {"width": 9, "height": 6}],
    "kalah": [{}, {"pits": 3, "seeds": 2}],
    "mnk": [{}, {"m": 8, "n": 8, "k": 5}],
    "double-card": [{}, {"width": 2, "height": 4, "cards": 3, "line": 3, "max_moves": 7}],
    "synthetic": [{}],
    "textbook": [{}],
}
ALL_SETTINGS = [(name, settings) for name in games() for settings in SETTINGS[name]]
each_level = pytest.mark.parametrize("level", NAMES)
each_game = pytest.mark.parametrize(
    ("name", "settings"), ALL_SETTINGS, ids=[f"{name}-{chosen}" for name, chosen in ALL_SETTINGS]
)


# ------------------------------------------------------------------ each is a player


def test_every_level_is_described_and_defined_for_every_game() -> None:
    assert list(SUMMARIES) == [*NAMES, PERFECT]
    assert list(ANY_GAME) == list(NAMES)
    for game in games().values():
        assert list(game.levels) in ([], list(NAMES))
    assert {name for name, kind in player_kinds().items() if kind.group == "level"} == set(
        SUMMARIES
    )


@each_level
@each_game
def test_a_level_is_a_player_of_its_game(name: str, settings: dict[str, Any], level: str) -> None:
    game = find_game(name)
    start = game.initial(**settings)
    text = level_text(level, game)
    if settings.get("size") == 10:  # which no solver knows
        text = text.replace(",perfect=14", "")
    player = make_machine(level, game, start)
    if isinstance(player, Perfect):
        assert player.reaches  # further than it is written, where the time allows
        player = replace(player, reaches=False)
    assert player == make_machine(text, game, start)


@each_level
@each_game
def test_a_level_makes_legal_moves(name: str, settings: dict[str, Any], level: str) -> None:
    """Not compiled, and with little time: what it finds does not matter here."""
    game = find_game(name)
    start = game.initial(**settings)
    player = make_machine(level, game, start)
    turn = Turn(BasePosition.at(game, {}, start), seed=3, time_s=0.02)
    with plain_python():
        for _ in range(2):
            move = player.choose(turn).move
            assert move in game.legal(turn.state)
            turn = turn.after(move)


def test_a_level_has_no_options() -> None:
    game = find_game("mnk")
    with pytest.raises(Unsupported, match="expert has no options, so 'depth' cannot be set"):
        make_machine("expert:depth=3", game, game.initial())


# ------------------------------------------------------------------ each is stronger


class Plain(Wrapper):
    """Somebody who looks at so few positions that compiling would take longer.

    No game of tic-tac-toe has more than nine moves: looking further does not make an expert better.
    """

    def __init__(self, then: Player) -> None:
        super().__init__(then)
        if isinstance(then, SearchPlayer):
            then.limits = replace(then.limits, depth=then.limits.depth or 9)

    def choose(self, turn: Turn, stop: Slab | None = None) -> Choice:
        with plain_python():
            return ask(self.then, turn, stop)


def opening(game: GameSpec, plies: int, seed: int) -> Turn:
    """Where a pair of games begins: after random moves, before the game is over."""
    chooser, start = random.Random(seed), game.initial()
    while True:
        turn = Turn(BasePosition.at(game, {}, start), seed)
        while len(turn.position.codes) < plies and not is_over(turn.state):
            turn = turn.after(chooser.choice(game.legal(turn.state)))
        if not is_over(turn.state):
            return turn


def points(turn: Turn, players: Sequence[Player]) -> float:
    """Of the first player."""
    while not is_over(turn.state):
        turn = turn.after(players[turn.side].choose(turn).move)
    return {"first": 1.0, "second": 0.0}.get(turn.game.winner(turn.state) or "", 0.5)


def share(weaker: str, stronger: str, name: str, pairs: int, plies: int, plain: str = "") -> float:
    """The share of points of the stronger one in pairs of games with the sides changed."""
    game = find_game(name)
    made = [make_machine(level, game, game.initial()) for level in (weaker, stronger)]
    players = [
        Plain(player) if level in plain.split() else player
        for level, player in zip((weaker, stronger), made, strict=True)
    ]
    total = 0.0
    for seed in range(pairs):
        turn = opening(game, plies, seed)
        total += points(turn, (players[1], players[0]))
        total += 1 - points(turn, (players[0], players[1]))
    return total / (2 * pairs)


def test_levels_are_ordered_on_tictactoe() -> None:
    """Perfect play draws: the difference is in the mistakes of the weaker one."""
    assert share("amateur", "medium", "mnk", 15, 2, plain="amateur medium") > 0.5
    assert share("medium", "expert", "mnk", 8, 2, plain="medium expert") > 0.5


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "pairs", "plies"),
    [("othello", 10, 6), ("kalah", 10, 4), ("double-card", 4, 4), ("connect4", 15, 4)],
)
@pytest.mark.parametrize(("weaker", "stronger"), [("amateur", "medium"), ("medium", "expert")])
def test_levels_are_ordered_on_every_game_of_their_own(
    weaker: str, stronger: str, name: str, pairs: int, plies: int
) -> None:
    assert share(weaker, stronger, name, pairs, plies) > 0.6
