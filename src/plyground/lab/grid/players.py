"""What is to be known of a player before it is measured: whether it may vary, and what it promises.

Players without chance and without a clock answer the same question in the same way, so asking them
twice is no evidence; exact searches of one depth find one value. Knows no experiment.
"""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.errors import Unsupported, shorten
from plyground.evaluation.remembered import Remembered
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.players.catalogue import canonical, make_machine
from plyground.players.chance import Wrapper
from plyground.players.engine import EnginePlayer
from plyground.players.pondering import Pondering
from plyground.players.searching import SearchPlayer
from plyground.players.spec import Player


@dataclass(frozen=True)
class Checked:
    """A player that can play."""

    text: str
    """The one true text."""
    varies: bool
    """Whether it may answer the same question differently: by chance, or by a clock."""
    is_clocked: bool
    """Whether what it answers depends on how fast it could think."""
    same_value: str | None
    """Players for which this is the same text must find the same value; None promises nothing."""


def check_player(text: str, game: GameSpec, start: State, must_search: bool) -> Checked:
    """The player that a text names. Raises InputError if there is none, or if it cannot play."""
    player = make_machine(text, game, start)
    try:
        if must_search and not isinstance(player, SearchPlayer):
            raise Unsupported(
                f"{shorten(text)} does not search; expected an algorithm, as in alphabeta:depth=4, "
                'or measure = "match"'
            )
        text = str(canonical(text))
        return Checked(text, _varies(player), _is_clocked(player), _same_value(player))
    finally:
        player.close()


def _varies(player: Player) -> bool:
    if isinstance(player, SearchPlayer):
        has_chance = player.random_ties or player.bare.algorithm.call == "uct"
        return has_chance or _is_clocked(player)
    return _varies(player.then) if isinstance(player, Pondering) else True


def _is_clocked(player: Player) -> bool:
    """By its own clock, by threads that race, or by an engine's, of which nothing is known."""
    if isinstance(player, SearchPlayer):
        return player.limits.time_s is not None or player.bare.threads > 1
    if isinstance(player, Wrapper):
        return _is_clocked(player.then)
    return isinstance(player, EnginePlayer)


def _same_value(player: Player) -> str | None:
    """Exact searches of the same depth with the same evaluator and finish agree on the value."""
    if not isinstance(player, SearchPlayer) or not player.bare.algorithm.equals_minimax:
        return None
    setup, limits = player.bare, player.limits
    if setup.pruning is not None or limits.iterates or limits.depth is None:
        return None
    judge = setup.evaluator.inner if isinstance(setup.evaluator, Remembered) else setup.evaluator
    told = repr(judge)
    if player.judge and not player.judge.is_at_hand:
        told = f"{player.judge.spec.name} {player.judge.weights}"
    return f"{told} {setup.finish!r} {limits.depth} {limits.endgame}"
