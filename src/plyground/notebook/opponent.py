"""A player that thinks in a thread of its own, so that the kernel stays free for other cells.

One question at a time: a new one, or `stop`, ends the one before, whose answer is then dropped.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from plyground.kernel import Slab
from plyground.players.catalogue import canonical, make_machine, name_engines
from plyground.players.spec import Turn, ask
from plyground.public.position import Position
from plyground.search.clock import STOP

Listener = Callable[[Position, str], None]
"""Called with the position after the move; or the one before it, and what went wrong."""


class Opponent:
    """A player as text, for games like that of a position. Raises InputError."""

    def __init__(self, text: str, position: Position, seed: int) -> None:
        name_engines(text)
        self.name = str(canonical(text))
        self._player = make_machine(text, position.game, position.start)
        self._seed = seed
        self._stop, self._has_begun = Slab(1), False
        self._talking = threading.Lock()

    def ask(self, position: Position, answered: Listener) -> None:
        """Let it think about a position; returns at once."""
        self.stop()
        self._stop = stop = Slab(1)
        thread = threading.Thread(
            target=self._think, args=(position, answered, stop), name=self.name, daemon=True
        )
        thread.start()

    def stop(self) -> None:
        """Drop the answer to the question under way."""
        self._stop[STOP] = 1

    def close(self) -> None:
        self.stop()
        self._player.close()

    def _think(self, position: Position, answered: Listener, stop: Slab) -> None:
        after, trouble = position, ""
        try:
            with self._talking:  # a player is asked one thing at a time
                if not self._has_begun:  # an engine is started when it is needed
                    self._player.begin()
                    self._has_begun = True
                move = ask(self._player, Turn(position, self._seed), stop).move
            if move in position.legal_codes:
                after = position.play_code(move)
            else:
                trouble = f"{self.name} made a move that is not legal; take back, or start anew"
        except Exception as error:  # whatever it is, nobody would see it in a thread
            trouble = f"{self.name} cannot go on: {error}"
        if not stop[STOP]:
            answered(after, trouble)
