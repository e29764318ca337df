"""The store: games written as they are played or all at once, and read back.

Every method is one transaction or none: what it has returned from is stored, whatever happens to
the process then, and several processes may write at once.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord
from plyground.store import schema
from plyground.store.database import queue_up
from plyground.store.live_game import LiveGame
from plyground.store.positions import COLUMNS, position_rows
from plyground.store.queries import GAMES, PLIES
from plyground.store.reading import StoreReader
from plyground.store.rows import Entry, StoredGame, game_values, is_annotated, move_values
from plyground.store.waiting import retried, sheltered

BATCH = 5000  # games in one transaction of an import
Numbered = Sequence[tuple[int, Entry]]


@dataclass
class Report:
    """What became of games that were to be added."""

    added: int = 0
    duplicates: int = 0

    def __iadd__(self, other: Report) -> Report:
        self.added += other.added
        self.duplicates += other.duplicates
        return self


@dataclass(frozen=True)
class Progress:
    """How far the game is that a store has under a name."""

    id: int
    is_finished: bool
    plies: int
    is_removed: bool = False

    def gives_way_to(self, is_finished: bool, plies: int, revive: bool) -> bool:
        """Whether a game of the same name takes its place."""
        if self.is_removed and revive:
            return True
        return not self.is_finished and (is_finished or plies > self.plies)


class Store(StoreReader):
    """An open store."""

    home: Store | None = None
    """Where its games belong, if this is a shelter."""

    def take_shelter(self) -> Store | None:
        """Where games go while the server is away; this store has no such place."""
        return None

    # ------------------------------------------------------------------ games under way

    @sheltered
    def find(self, uid: str) -> StoredGame | None:
        """The game of that name, with all that is known of its moves."""
        return self._first(GAMES.where(schema.games.c.uid == uid, schema.games.c.removed.is_(None)))

    @sheltered
    def begin(self, record: GameRecord, uid: str, repeatable: bool = False) -> LiveGame:
        """A game that is about to be played; an unfinished one of the same name goes.

        A `repeatable` one belongs to a run that plays again what it does not know to be played. So
        it takes the place of a finished one, too, which a killed run has left, and of its moves
        only the end waits for the disk. It has a number of its own: a worker that was given up for
        dead, and still plays the old one, gets an error instead of interfering.
        """
        with self.writing(durable=not repeatable) as connection:
            queue_up(connection)
            table = schema.games.c
            query = select(table.id, table.result, table.removed).where(table.uid == uid)
            there = connection.execute(query).first()
            is_finished = there and there.result is not None and there.removed is None
            if is_finished and not repeatable:
                raise Unsupported(f"game {uid} is stored already, and finished")
            empty = replace(record, moves=[], ended="unfinished", points=None, outcome=None)
            row = self._row(connection, uid, Entry.of(empty))
            if there is not None:
                if not repeatable:
                    row["id"] = there.id  # links to it stay valid
                elif self.engine.dialect.name == "sqlite":  # which gives the last number again
                    row["id"] = connection.execute(select(func.max(table.id) + 1)).scalar_one()
                self.drop(connection, [there.id])
            inserted = connection.execute(insert(schema.games), row).inserted_primary_key
            assert inserted is not None
        live = LiveGame(self, int(inserted[0]), uid, record, durable=not repeatable)
        if record.moves:
            live.add(*record.moves)
        return live

    def resume(self, unfinished: StoredGame) -> LiveGame:
        """A game that was left, to be continued; nobody else may write to it."""
        live = LiveGame(self, unfinished.id, unfinished.uid, unfinished.record)
        live.moves += unfinished.record.moves
        return live

    # ------------------------------------------------------------------ whole games

    def add(self, games: Iterable[GameRecord | Entry], seen: Counter[str] | None = None) -> Report:
        """Store games; those that are here already, by their content, are passed over.

        The second of two equal games of a file is a game of its own: archives hold such. Who adds
        a file in several calls gives them the same counter.
        """
        seen = Counter() if seen is None else seen

        def named() -> Iterator[tuple[str, Entry]]:
            for game in games:
                entry = game if isinstance(game, Entry) else Entry.of(game)
                uid = entry.content_uid
                seen[uid] += 1
                yield f"{uid}-{seen[uid]}", entry

        return self.add_named(named())

    def add_named(
        self, games: Iterable[tuple[str, Entry]], repeated: bool = False, revive: bool = True
    ) -> Report:
        """Store games under given names; those whose name is taken are passed over.

        A game that is unfinished here gives way to its finished self, or to one with more moves;
        any game does to one that was `repeated`, since a killed run left it. A deleted game does
        too, or, unless it is to `revive`, to one that was played on since.
        """
        report, source = Report(), iter(games)
        while batch := list(itertools.islice(source, BATCH)):
            written: set[str] = set()
            self._add_batch(batch, written, repeated, revive)
            report += Report(len(written), len(batch) - len(written))
        return report

    @sheltered
    def _add_batch(
        self,
        batch: Sequence[tuple[str, Entry]],
        written: set[str],
        repeated: bool,
        revive: bool,
    ) -> None:
        """Store games; `written` notes whose, over all attempts of which one may have succeeded."""
        with self.writing() as connection:
            queue_up(connection)
            known = self._progress(connection, [uid for uid, _ in batch])

            def is_wanted(uid: str, entry: Entry) -> bool:
                is_finished = entry.record.points is not None
                here = None if repeated else known.get(uid)
                return here is None or here.gives_way_to(is_finished, entry.plies, revive)

            fresh = {uid: entry for uid, entry in batch if is_wanted(uid, entry)}
            if outdated := [known[uid].id for uid in fresh if uid in known]:
                self.drop(connection, outdated)
            if fresh:
                self._insert(connection, fresh)
                written.update(fresh)

    def merge(self, other: Store) -> Report:
        """Take over the games of another store that are not here, unfinished ones included."""
        return self.add_named(stored.named for stored in other.whole())

    @retried
    def progress(self) -> dict[str, Progress]:
        """How far each game is, by its name, deleted games included."""
        with self.engine.connect() as connection:
            return self._progress(connection)

    @staticmethod
    def _progress(connection: Connection, uids: Sequence[str] | None = None) -> dict[str, Progress]:
        games = schema.games.c
        query = select(games.uid, games.id, games.result, games.removed, PLIES.label("plies"))
        rows = connection.execute(query if uids is None else query.where(games.uid.in_(uids)))
        return {
            row.uid: Progress(row.id, row.result is not None, row.plies, row.removed is not None)
            for row in rows
        }

    def _insert(self, connection: Connection, fresh: Mapping[str, Entry]) -> None:
        rows = [self._row(connection, uid, entry) for uid, entry in fresh.items()]
        connection.execute(insert(schema.games), rows)
        known = self._progress(connection, list(fresh))
        numbered = [(known[uid].id, entry) for uid, entry in fresh.items()]
        annotated = [
            move_values(number, ply, move)
            for number, entry in numbered
            if any(is_annotated(move) for move in entry.record.moves)
            for ply, move in enumerate(entry.record.moves)
        ]
        if annotated:
            connection.execute(insert(schema.moves), annotated)
        self.index(connection, numbered)

    def _row(self, connection: Connection, uid: str, entry: Entry) -> dict[str, Any]:
        first, second = entry.record.players
        event = entry.record.event
        return game_values(entry) | {
            "uid": uid,
            "first_id": self._id_of(connection, "players", first),
            "second_id": self._id_of(connection, "players", second),
            "event_id": self._id_of(connection, "events", event) if event else None,
        }

    def _id_of(self, connection: Connection, table: str, name: str) -> int:
        """The number of a player or event, new ones included."""
        if (known := self._ids.get((table, name))) is not None:
            return known
        rows = schema.metadata.tables[table]
        wanted = select(rows.c.id).where(rows.c.name == name)
        found = connection.execute(wanted).scalar()
        if found is None:
            connection.execute(self.insert_missing(rows).values(name=name))
            return int(connection.execute(wanted).scalar_one())  # not for certain yet
        self._ids[table, name] = int(found)
        return int(found)

    # ------------------------------------------------------------------ inside a transaction

    @staticmethod
    def index(connection: Connection, numbered: Numbered) -> None:
        """List the positions of games, so that they are found by them."""
        if rows := position_rows(numbered):
            # Past the toolkit, which would make a dictionary of every row of eight million.
            mark = "%s" if connection.dialect.name == "postgresql" else "?"
            marks = ", ".join([mark] * len(COLUMNS))
            connection.exec_driver_sql(
                f"INSERT INTO positions ({', '.join(COLUMNS)}) VALUES ({marks})", rows
            )

    @staticmethod
    def unlist(connection: Connection, numbered: Numbered) -> None:
        """The contrary: no position leads to these games any more."""
        table = schema.positions.c
        for key, move, game_id, ply, _ in position_rows(numbered):
            where = (table.key == key, table.move == move, table.game_id == game_id)
            connection.execute(delete(schema.positions).where(*where, table.ply == ply))

    def drop(self, connection: Connection, numbers: Collection[int]) -> None:
        """Let games go as if they had never been here."""
        games = schema.games.c
        listed = games.id.in_(numbers) & games.result.is_not(None) & games.removed.is_(None)
        rows = connection.execute(GAMES.where(listed)).mappings()
        self.unlist(connection, [(row["id"], Entry.of(StoredGame.of(row).record)) for row in rows])
        connection.execute(delete(schema.games).where(games.id.in_(numbers)))
