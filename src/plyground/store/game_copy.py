"""A game under way and its copy in the store, which is brought to wherever the game is now.

Moves are added or taken back, and at the end the result is filled in. A game that was left is
resumed under its name with all that is known of its moves. Others may write to the copy in turn:
then it is read again, and brought to where this game is.
"""

from __future__ import annotations

import contextlib
import itertools
import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from plyground.core.records import GameRecord, MoveRecord
from plyground.kernel import plain_python
from plyground.store.live_game import LiveGame
from plyground.store.rows import now
from plyground.store.shelter import SHORT_WAIT_S, ShelteredStore
from plyground.store.store import Store
from plyground.store.waiting import StoreConflict, wait_s

ATTEMPTS = 8  # at a copy that somebody else changes at the same time


class GameCopy:
    """The stored copy of one game; belongs to the thread that made it."""

    def __init__(
        self, store: Store | str | None, uid: str, resumed: GameRecord, may_rewind: bool
    ) -> None:
        """With `may_rewind`, the copy may be further than the game where it is resumed.

        Otherwise what is further is another game: it stays, and this one gets a name of its own.
        A store that is given open stays open.
        """
        self.uid = uid
        self._last, self._may_rewind = resumed, may_rewind
        self._own = contextlib.ExitStack()
        if store is None or isinstance(store, str):
            store = self._own.enter_context(ShelteredStore(store, wait_s(SHORT_WAIT_S)))
        self._store: Store = store
        self._live: LiveGame | None = None
        self._is_finished = False

    def update(self, game: GameRecord, plainly: bool = True) -> None:
        """Make the copy what the game is now. Raises whatever the store may raise.

        The positions of a finished game are listed without a compiler, unless that is at hand.
        """
        if self._is_finished:
            return
        for attempts_left in reversed(range(ATTEMPTS)):
            try:
                return self._update(game, plainly)
            except StoreConflict:
                self._leave()
                if not attempts_left:
                    raise
            except BaseException:
                self._leave()  # the next time begins with what is really there
                raise

    def is_of(self, game: GameRecord) -> bool:
        """Whether this is the same game, with no more than other moves."""
        return not self._is_finished and _header(game) == _header(self._last)

    def rest(self) -> None:
        """Hold no connection until the next move."""
        if self._live is not None:
            self._live.close()

    def close(self) -> None:
        """Leave the copy as it is; may be repeated."""
        self._leave()
        self._own.close()

    def _update(self, game: GameRecord, plainly: bool) -> None:
        live = self._live = self._live or self._begin(game)
        if live is None:
            self._is_finished = True
            return
        shared = _count_shared(live.moves, game.moves)
        if shared < len(live.moves):
            live.take_back(shared)
        live.add(*game.moves[shared:])  # if there are none, that notices whether others wrote
        if game.points is not None:
            # So few positions are listed long before a compiler has been imported.
            with plain_python() if plainly else contextlib.nullcontext():
                live.finish(replace(game, opening=_count_given(live.moves)))
            self._is_finished = True
        self._last = game

    def _begin(self, game: GameRecord) -> LiveGame | None:
        """The copy to continue; None if it is there to its end already."""
        moves, date = game.moves, now()
        found = self._store.find(self.uid)
        if found and _is_ended_as(found.record, game):
            return None
        if found and self._is_resumable(found.record):
            there = found.record
            if _header(there) == _header(game):
                return self._store.resume(found)
            shared = _count_shared(there.moves, moves)
            moves, date = [*there.moves[:shared], *moves[shared:]], there.date
        elif found:
            self.uid = secrets.token_hex(16)
        begun = replace(game, moves=moves, date=date, opening=_count_given(moves))
        return self._store.begin(begun, self.uid)

    def _is_resumable(self, there: GameRecord) -> bool:
        """Whether the copy is of this game, and is not finished."""
        is_further = _count_shared(there.moves, self._last.moves) < len(there.moves)
        is_another = _start(there) != _start(self._last) or (is_further and not self._may_rewind)
        return there.points is None and not is_another

    def _leave(self) -> None:
        live, self._live = self._live, None
        if live is not None:
            live.close()


def _is_ended_as(there: GameRecord, game: GameRecord) -> bool:
    """Whether that is how the game ended: an answer may get lost, and a page repeat its request."""
    moves = [[move.move for move in each.moves] for each in (there, game)]
    return game.points is not None and (there.points, moves[0]) == (game.points, moves[1])


def _start(game: GameRecord) -> tuple[Any, ...]:
    return game.game, game.settings, game.position


def _header(game: GameRecord) -> tuple[Any, ...]:
    """What a copy says of a game besides its moves and its end."""
    return *_start(game), game.players, game.event, game.seed, game.tags


def _count_shared(stored: Sequence[MoveRecord], played: Sequence[MoveRecord]) -> int:
    """How many first moves are the same."""
    pairs = zip(stored, played, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: _is_same(*pair), pairs))


def _is_same(stored: MoveRecord, played: MoveRecord) -> bool:
    """Of a move made in an earlier sitting only its name is known; the store knows the rest."""
    is_of_this_name = (stored.move, stored.side) == (played.move, played.side)
    return is_of_this_name and played.time_s in (0.0, stored.time_s)


def _count_given(moves: Sequence[MoveRecord]) -> int:
    """How many first moves nobody chose: a choice takes time."""
    return sum(1 for _ in itertools.takewhile(lambda move: not move.time_s, moves))
