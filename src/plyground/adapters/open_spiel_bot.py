"""A bot of OpenSpiel as a player of ours.

The bot is made anew for every move, from the move's own seed: a player keeps nothing between moves,
so that the same question has the same answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plyground.adapters.numbers import Numbers
from plyground.adapters.open_spiel import OpenSpielGame
from plyground.players.spec import Choice, Player, Turn

MakeBot = Callable[[OpenSpielGame, int, int], Any]
"""A `pyspiel.Bot` from the game, the player it is to be, 0 or 1, and a seed below 2**31."""


def bot_player(make_bot: MakeBot, *, margin: bool = True) -> Player:
    """A player for `plyground.matches.one_game.play_game` that moves as a bot does.

    With `margin`, the bot plays for the highest score where the game has one, else to win. A bot
    that answers with an illegal action loses the game; an error in its code is not caught.
    """
    return BotPlayer(make_bot, margin)


class BotPlayer(Player):
    """Makes a bot, shows it the game so far, and asks it."""

    def __init__(self, make_bot: MakeBot, margin: bool) -> None:
        self.make_bot, self.margin = make_bot, margin
        self._game: OpenSpielGame | None = None

    def choose(self, turn: Turn) -> Choice:
        root, game = turn.position.path[0], self._game
        if game is None or game.numbers.root != root:
            game = self._game = OpenSpielGame(Numbers(root, self.margin))
        state = game.new_initial_state()
        for code in turn.position.codes:  # one by one: bots may look at the history
            state.apply_action(game.numbers.action(state.position, code))
        bot = self.make_bot(game, turn.side, turn.chance % 2**31)
        return Choice(game.numbers.code(turn.position, bot.step(state)))
