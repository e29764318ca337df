"""A game that is stored move by move, while it is played."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import PoolProxiedConnection, select, update

from plyground.core.faults import step
from plyground.core.records import GameRecord, MoveRecord
from plyground.store import schema
from plyground.store.durability import wait_for_disk
from plyground.store.rows import Entry, game_values, move_values, split_names
from plyground.store.waiting import StoreConflict, sheltered

if TYPE_CHECKING:
    from plyground.store.store import Store

AT_THE_END = ("moves", "sides", "plies", "opening", "result", "outcome", "ended", "reason", "tags")
_MOVE_COLUMNS = schema.moves.columns.keys()
_INSERT_MOVE = (
    f"INSERT INTO moves ({', '.join(_MOVE_COLUMNS)}) VALUES ({', '.join('?' * len(_MOVE_COLUMNS))})"
)


class LiveGame:
    """A game that is being played: each move is stored as soon as it is made.

    Moves are written on a connection of their own, past the toolkit's transactions, and only where
    the game is as far as it was left: what a call wrote whose answer got lost is not written twice,
    and nobody's moves are mixed with another's: 0.2 ms on SQLite, and the wait for the disk where
    it is `durable`. A live game belongs to the thread that began it.
    """

    def __init__(
        self, store: Store, number: int, uid: str, header: GameRecord, durable: bool = True
    ) -> None:
        self.id, self.uid = number, uid
        self.moves: list[MoveRecord] = []
        self._header, self._durable = header, durable
        self._store = store  # where it is now: its home, or the shelter
        self._home = store.home or store
        self._connection: PoolProxiedConnection | None = None

    def add(self, *moves: MoveRecord) -> None:
        """Store moves."""
        self._update([*self.moves, *moves])

    def take_back(self, plies: int) -> None:
        """Forget all moves but the first `plies`."""
        self._update(self.moves[:plies])

    @sheltered
    def finish(self, record: GameRecord, numbers: Sequence[int] | None = None) -> None:
        """Fill in how it ended. Its moves are those that were added, as numbers if known."""
        known = np.array(numbers, np.int32) if numbers is not None else None
        entry = replace(Entry.of(replace(record, moves=list(self.moves))), numbers=known)
        if not self._fill_in(entry):
            self._come_home()
            self._fill_in(entry)
        self.close()

    def close(self) -> None:
        """Leave it as it is; may be repeated."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    # ------------------------------------------------------------------ where it is stored

    def take_shelter(self) -> LiveGame | None:
        """Continue in the store's shelter."""
        shelter = self._store.take_shelter()
        if shelter is None:
            return None
        self._begin_in(shelter)
        return self

    def _come_home(self) -> None:
        """Somebody has brought the games of the shelter to their store, even one under way."""
        if self._store is self._home:
            raise StoreConflict(f"game {self.uid} is gone: another run has taken its name")
        self._begin_in(self._home)

    def _begin_in(self, store: Store) -> None:
        self.close()
        header = replace(self._header, moves=self.moves)
        again = store.begin(header, self.uid, repeatable=not self._durable)
        again.close()
        self.id, self._store = again.id, again._store

    # ------------------------------------------------------------------ writing

    @sheltered
    def _update(self, moves: list[MoveRecord]) -> None:
        """Make the stored moves these, which begin as they do, or are the beginning of them."""
        try:
            if not step("store moves", self._write, moves):
                self._come_home()
                self._write(moves)
        except self._store.engine.dialect.loaded_dbapi.Error as error:
            raise self._store.failure(error, self._roll_back()) from None
        except BaseException:
            self._roll_back()
            raise
        self.moves = moves

    def _write(self, moves: list[MoveRecord]) -> bool:
        """Whether the game was there to be written to."""
        is_sqlite = self._store.engine.dialect.name == "sqlite"
        if self._connection is None:
            self._connection = self._store.engine.raw_connection()
        cursor = self._connection.cursor()

        def run(statement: str, *values: Any) -> Any:
            return cursor.execute(statement if is_sqlite else statement.replace("?", "%s"), values)

        if is_sqlite:
            cursor.execute(wait_for_disk(self._store.engine, self._durable))
            cursor.execute("BEGIN IMMEDIATE")
        which = "SELECT result, moves FROM games WHERE id = ? AND uid = ?"
        which += "" if is_sqlite else " FOR UPDATE"
        game = run(which, self.id, self.uid).fetchone()
        found = run("SELECT move FROM moves WHERE game_id = ? ORDER BY ply", self.id).fetchall()
        result, listed = game or (None, "")  # moves are listed if it came from another store
        there = [row[0] for row in found] or split_names(listed)
        if result is not None:
            raise StoreConflict(f"game {self.uid} was ended by somebody else")
        if game is not None and there != [move.move for move in moves]:
            if there != [move.move for move in self.moves]:
                raise StoreConflict(f"game {self.uid} was changed by somebody else")
            same = min(len(found), len(moves))
            if same < len(found):
                run("DELETE FROM moves WHERE game_id = ? AND ply >= ?", self.id, same)
            for ply, move in enumerate(moves[same:], start=same):
                run(_INSERT_MOVE, *move_values(self.id, ply, move).values())
            if listed:
                run("UPDATE games SET moves = '', sides = NULL, plies = 0 WHERE id = ?", self.id)
        cursor.close()
        self._connection.commit()
        return game is not None

    def _roll_back(self) -> bool:
        """Whether the connection is lost; then the next move will try another."""
        connection = self._connection
        if connection is None:
            return False
        driver = connection.dbapi_connection
        with contextlib.suppress(self._store.engine.dialect.loaded_dbapi.Error):
            connection.rollback()
            if not getattr(driver, "closed", False):
                return False
        connection.invalidate()
        self._connection = None
        return True

    def _fill_in(self, entry: Entry) -> bool:
        """Store how the game ended, and list its positions; whether it was there.

        It may have ended so already, in a call whose answer got lost. Raises StoreConflict if it
        has ended otherwise.
        """
        values, games = game_values(entry), schema.games.c
        which = (games.id == self.id) & (games.uid == self.uid)
        ended = update(schema.games).where(which, games.result.is_(None))
        with self._store.writing() as connection:
            chosen = ended.values({name: values[name] for name in AT_THE_END})
            if connection.execute(chosen).rowcount:
                self._store.index(connection, [(self.id, entry)])
                return True
            there = connection.execute(select(games.moves, games.result).where(which)).first()
        if there is not None and tuple(there) != (values["moves"], values["result"]):
            raise StoreConflict(f"game {self.uid} was ended by somebody else")
        return there is not None
