"""The store of games from Python."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord
from plyground.games.position import BasePosition
from plyground.public.frames import Row
from plyground.public.records import Games, RecordedGame
from plyground.store import store as stores
from plyground.store.queries import Filter
from plyground.store.shelter import open_store as open_steady

if TYPE_CHECKING:
    from plyground.public.runs import LabRuns

RESULTS = ("first", "second", "draw", "unfinished")


class Store:
    """Games in a database, found by players, dates and positions."""

    def __init__(self, inside: stores.Store) -> None:
        self._store = inside

    @property
    def address(self) -> str:
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
        """The games that fit, the newest first; a part of a name will do.

        `result` is `first`, `second`, `draw` or `unfinished`; dates are as much of YYYY-MM-DD as
        is meant.
        """
        if result is not None and result not in RESULTS:
            raise Unsupported(f"result {result!r}: expected {', '.join(RESULTS)}")
        which = Filter(game, player, result, since, until, event)
        return Games(RecordedGame(each.record, each.id) for each in self._store.games(which, limit))

    def game(self, number: int) -> RecordedGame:
        """One game, with all that is known of its moves. Raises Unsupported."""
        found = self._store.game(number)
        return RecordedGame(found.record, found.id)

    def explore(self, position: BasePosition) -> list[Row]:
        """What was played from a position in all games that reached it, and with what results."""
        return [
            {
                "moves": [position.write_move(move) for move in each.moves],
                "games": each.games,
                "wins": each.wins,
                "draws": each.draws,
                "losses": each.losses,
            }
            for each in self._store.explore(position.game, position.state)
        ]

    def runs(self, experiment: str | None = None) -> LabRuns:
        """The runs of the lab's experiments, or of one of them, the newest first."""
        from plyground.public.runs import LabRuns

        return LabRuns(self._store, experiment)

    def add(self, games: Games | RecordedGame) -> int:
        """Store games; those that are there already stay. Returns how many were new."""
        each = [games] if isinstance(games, RecordedGame) else list(games)
        records = [one.record for one in each if isinstance(one.record, GameRecord)]
        return self._store.add(records).added

    def __len__(self) -> int:
        return self._store.count()

    def __repr__(self) -> str:
        return f"store of {len(self):,} games at {self.address}"

    def close(self) -> None:
        self._store.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_store(name: str | os.PathLike[str] | None = None) -> Store:
    """The store of games: the usual one, a file of SQLite, or a PostgreSQL address."""
    return Store(open_steady(None if name is None else os.fspath(name)))
