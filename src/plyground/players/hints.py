"""Who gives hints, in every face: the perfect player where a proof takes no time, else a search."""

from __future__ import annotations

import contextlib

from plyground.core.errors import Unsupported
from plyground.games.position import BasePosition
from plyground.players.catalogue import make_machine
from plyground.players.levels import PERFECT
from plyground.players.perfect import Perfect

SEARCH = "abmemory:time=1s,nodes=500k,order=all"


def hint_player(position: BasePosition) -> str:
    """The player to ask for a hint, as text."""
    with contextlib.suppress(Unsupported):
        player = make_machine(PERFECT, position.game, position.start)
        if isinstance(player, Perfect) and player.can_prove(position.state):
            return PERFECT
    return SEARCH
