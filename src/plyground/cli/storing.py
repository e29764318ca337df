"""The game under way, stored in the background: a store may be slow or fail, and the game goes on.

A thread opens the store when there is something to store; the imports alone take longer than a
prompt should. Once it is open, a move is stored before it is shown.
"""

from __future__ import annotations

import contextlib
import threading
from concurrent import futures
from typing import TYPE_CHECKING

from plyground.core.errors import PlygroundError
from plyground.core.records import GameRecord

if TYPE_CHECKING:
    from plyground.store.game_copy import GameCopy

# A store takes some milliseconds for a move. Nobody waits longer than this for others that write,
# or for a server that does not answer.
PATIENCE_S = 0.5
# Opening a store keeps Python busy for 0.3 s: as long as it may take to show the first prompt.
GIVE_WAY_S = 0.2


class Storing:
    """One game on its way into a store."""

    def __init__(
        self,
        store: str | None,
        uid: str,
        taken_up: GameRecord,
        may_rewind: bool,
        gives_way: bool = False,
    ) -> None:
        """As `GameCopy`; with `gives_way`, nobody ever waits while the store is opened."""
        self._given = store, uid, taken_up, may_rewind
        self._gives_way = gives_way
        self._is_awaited = threading.Event()
        self._thread = futures.ThreadPoolExecutor(1, "storing")
        self._last: futures.Future[None] | None = None
        self._kept: GameCopy | None = None
        self._has_failed = False
        self._closing = contextlib.ExitStack()
        self.news: list[str] = []
        """Messages of the store, for whoever shows them to take away."""
        self.complaints: list[str] = []
        """Why the game is not stored: one at most, to be taken away likewise."""

    @property
    def uid(self) -> str:
        """The game's name; not the given one if the store has that of another game."""
        return self._kept.uid if self._kept else self._given[1]

    def store(self, game: GameRecord) -> None:
        """Store the game as it is now; returns when that is done, or soon."""
        self._last = self._thread.submit(self._try, game)
        if self._kept or not self._gives_way:
            futures.wait([self._last], PATIENCE_S)

    def wait(self) -> None:
        """Wait until everything is stored."""
        self._is_awaited.set()
        if self._last is not None:
            self._last.result()

    def close(self) -> None:
        """Leave the game in the store as it is; may be repeated."""
        self._is_awaited.set()
        if self._last is not None:
            self._last = None
            self._thread.submit(lambda: self._closing.close())
        self._thread.shutdown()

    # ------------------------------------------------------------------ in the thread

    def _try(self, game: GameRecord) -> None:
        if self._has_failed and self._kept is None:
            return  # it could not be opened: a server may take ten seconds to say so again
        try:
            self._open().update(game)
        except Exception as error:  # whatever it is, the game is worth more
            if not self._has_failed:
                is_ours = isinstance(error, PlygroundError)
                self.complaints.append(
                    str(error) if is_ours else f"{type(error).__name__}: {error}"
                )
            self._has_failed = True

    def _open(self) -> GameCopy:
        if self._kept is None:
            if self._gives_way:
                self._is_awaited.wait(GIVE_WAY_S)
            from plyground.store import waiting
            from plyground.store.game_copy import GameCopy

            with contextlib.ExitStack() as opening:
                waiting.listeners.append(self.news.append)
                opening.callback(waiting.listeners.remove, self.news.append)
                self._kept = GameCopy(*self._given)
                opening.callback(self._kept.close)
                self._closing = opening.pop_all()
        return self._kept
