"""The store of games."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord
from plyground.games.position import BasePosition
from plyground.public.frames import Row
from plyground.public.records import Games, RecordedGame
from plyground.store import store as stores
from plyground.store.queries import RESULTS, Filter
from plyground.store.shelter import open_store as open_steady

if TYPE_CHECKING:
    from plyground.public.runs import LabRuns


class Store:
    """Games in a database, found by players, dates and positions; see `open_store`.

    Close it when you are done, or use it in a `with` block.
    """

    def __init__(self, inside: stores.Store) -> None:
        self._store = inside

    @property
    def inside(self) -> stores.Store:
        """What the package itself works with."""
        return self._store

    @property
    def address(self) -> str:
        """The file or the address of the database."""
        return self._store.address

    def games(
        self,
        *,
        game: str | None = None,
        player: str | None = None,
        result: str | None = None,
        since: str | None = None,
        until: str | None = None,
        event: str | None = None,
        limit: int | None = None,
    ) -> Games:
        """The games that match all conditions, the newest first.

        `player` and `event` match any part of a name. `result` is `first`, `second`, `draw` or
        `unfinished`. `since` and `until` are dates, of which the year or the month is enough, as in
        `"2026-03"`. Raises InputError.
        """
        if result is not None and result not in RESULTS:
            raise Unsupported(f"result {result!r}: expected {', '.join(RESULTS)}")
        which = Filter(game, player, result, since, until, event)
        return Games(RecordedGame(each.record, each.id) for each in self._store.games(which, limit))

    def game(self, number: int) -> RecordedGame:
        """One game by its number, its `id`. Raises Unsupported if there is none."""
        found = self._store.game(number)
        return RecordedGame(found.record, found.id)

    def explore(self, position: BasePosition) -> list[Row]:
        """The moves played from a position, in all games that reached it, with their results.

        Each row has `moves` (several if they are the same by symmetry), the number of `games`, and
        the `wins`, `draws` and `losses` of the first player in them.
        """
        return [
            vars(each) | {"moves": [position.write_move(move) for move in each.moves]}
            for each in self._store.explore(position.game, position.state)
        ]

    def runs(self, experiment: str | None = None) -> LabRuns:
        """The runs of all experiments, or of one of them, the newest first."""
        from plyground.public.runs import runs_in

        return runs_in(self._store, experiment)

    def add(self, games: Games | RecordedGame) -> int:
        """Store games, and return how many were new; games already stored are left as they are."""
        each = [games] if isinstance(games, RecordedGame) else list(games)
        records = [one.record for one in each if isinstance(one.record, GameRecord)]
        return self._store.add(records).added

    def __len__(self) -> int:
        return self._store.count()

    def __repr__(self) -> str:
        return f"store of {len(self):,} games at {self.address}"

    def close(self) -> None:
        """Close the database."""
        self._store.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_store(name: str | os.PathLike[str] | None = None) -> Store:
    """Open the store of games: the default one, a SQLite file, or a PostgreSQL address.

    Raises PlygroundError if it cannot be opened.
    """
    return Store(open_steady(None if name is None else os.fspath(name)))
