"""One thread that keeps the games which pages play, and remembers those that are under way.

A store has one writer at a time. A hundred threads that wait for it also wait for each other, and
reading a game again for every move costs ten times what writing the move does: with both, a hundred
players waited a second for each move. Knows no route.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from plyground.core.records import GameRecord
from plyground.services.keeping import KeptGame
from plyground.store.store import Store

MOST_REMEMBERED = 500
T = TypeVar("T")


class Keeper:
    """Brings stored copies to where their games are; `bring` and `forget` are for its thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(1, "keeping")
        self._games: OrderedDict[str, KeptGame] = OrderedDict()

    async def do(self, work: Callable[[], T]) -> T:
        """Have something done in the thread."""
        return await asyncio.wrap_future(self._thread.submit(work))

    def bring(self, uid: str, game: GameRecord) -> str:
        """Make the copy what the game is now; the name under which it is stored."""
        kept = self._games.pop(uid, None)
        if kept is None or not kept.goes_on_as(game):
            if self._is_stored(uid, game):
                return uid
            kept = KeptGame(self._store, uid, game, may_rewind=True)
        try:
            kept.bring(game)
        finally:
            kept.rest()
        if game.points is None:
            self._games[kept.uid] = kept
        while len(self._games) > MOST_REMEMBERED:
            self._games.popitem(last=False)
        return kept.uid

    def forget(self, uid: str) -> None:
        """Look at what is stored before the next move of this game."""
        self._games.pop(uid, None)

    def _is_stored(self, uid: str, game: GameRecord) -> bool:
        """Whether it is there to its end: an answer may get lost, and a page say it again."""
        found = self._store.find(uid)
        if found is None or found.record.points is None:
            return False
        there = found.record
        moves = [[move.move for move in each.moves] for each in (there, game)]
        return (there.points, moves[0]) == (game.points, moves[1])

    def close(self) -> None:
        self._thread.shutdown()
