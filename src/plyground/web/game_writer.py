"""One thread that stores the games which pages play, and remembers those that are under way.

A store has one writer at a time. A hundred threads that wait for it also wait for each other, and
reading a game again for every move costs ten times what writing the move does: with both, a hundred
players waited a second for each move. What came while others were written is written next, and
waits for the disk once: where that takes 10 ms, the p99 of a hundred players fell from 667 ms to
77.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, TypeVar

from plyground.core.records import GameRecord
from plyground.store.durability import together
from plyground.store.game_copy import GameCopy
from plyground.store.positions import prepare_rows
from plyground.store.store import Store
from plyground.store.waiting import StoreError

MOST_REMEMBERED = 500
MOST_TOGETHER = 100  # a page waits until all of them are written
T = TypeVar("T")


class GameWriter:
    """Updates the stored copies of games; `write` and `forget` are for its thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(1, "storing")
        self._waiting: SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = SimpleQueue()
        self._games: OrderedDict[str, GameCopy] = OrderedDict()
        self._compiling = ThreadPoolExecutor(1, "getting ready to list")
        self._ready: dict[str, Future[Any]] = {}

    async def do(self, work: Callable[[], T]) -> T:
        """Have something done in the thread; what it stored is on disk when this returns."""
        answer: Future[T] = Future()
        self._waiting.put((work, answer))
        self._thread.submit(self._work_off)
        return await asyncio.wrap_future(answer)

    def _work_off(self) -> None:
        """Do all that waits, then answer."""
        done: list[tuple[Future[Any], Any, Exception | None]] = []
        lost: Exception | None = None
        try:
            with together():
                while not self._waiting.empty() and len(done) < MOST_TOGETHER:
                    work, answer = self._waiting.get()
                    if not answer.set_running_or_notify_cancel():
                        continue
                    try:
                        done.append((answer, work(), None))
                    except Exception as error:
                        done.append((answer, None, error))
        except StoreError as error:
            lost = error
        for answer, result, problem in done:
            if problem or lost:
                answer.set_exception(problem or lost)
            else:
                answer.set_result(result)

    def write(self, uid: str, game: GameRecord) -> str:
        """Make the copy what the game is now; the name under which it is stored."""
        kept = self._games.pop(uid, None)
        if kept is None or not kept.is_of(game):
            kept = GameCopy(self._store, uid, game, may_rewind=True)
        try:
            kept.update(game, plainly=not self._is_ready(game))
        finally:
            kept.rest()
        if game.points is None:
            self._games[kept.uid] = kept
        while len(self._games) > MOST_REMEMBERED:
            self._games.popitem(last=False)
        return kept.uid

    def _is_ready(self, game: GameRecord) -> bool:
        """Whether code for the positions of such games is at hand; if not, it is made meanwhile.

        A long game of Othello takes 20 ms to list without it, and all who move then wait for that.
        """
        kind = f"{game.game} {sorted(game.settings.items())}"
        if kind not in self._ready and len(self._ready) < MOST_REMEMBERED:
            self._ready[kind] = self._compiling.submit(prepare_rows, game)
        work = self._ready.get(kind)
        return work is not None and work.done() and not work.cancelled() and not work.exception()

    def forget(self, uid: str) -> None:
        """Read the stored copy again before the next move of this game."""
        self._games.pop(uid, None)

    def close(self) -> None:
        self._compiling.shutdown(wait=False, cancel_futures=True)
        self._thread.shutdown()
