"""The store: games written as they are played, read back, counted and looked up.

Every method is one transaction or none: what it has returned from is kept, whatever happens to the
process then, and several processes may write at once. Knows no player and no search.
"""

from __future__ import annotations

import contextlib
import itertools
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any

import numpy as np
from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Connection,
    Engine,
    PoolProxiedConnection,
    RowMapping,
    Select,
    any_,
    case,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from plyground.core.errors import MalformedText, Unsupported
from plyground.core.faults import step
from plyground.core.records import GameRecord, MoveRecord
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.store import schema
from plyground.store.database import (
    StoreError,
    failure,
    open_database,
    queue_up,
    read_address,
    shown_address,
)
from plyground.store.durability import wait_for_disk
from plyground.store.indexing import NO_MOVE, moves_by_canonical, stored_key
from plyground.store.positions import COLUMNS, position_rows
from plyground.store.rows import (
    Entry,
    damaged_game,
    game_of,
    game_values,
    is_told,
    move_of,
    move_values,
    split_names,
    with_listed_moves,
)
from plyground.store.waiting import Patience, StoreConflict, outlasting, sheltered

BATCH = 5000  # games in one transaction of an import
AT_THE_END = ("moves", "sides", "plies", "opening", "result", "outcome", "ended", "reason", "tags")
CHUNK = 500  # games in one step of reading them all


@dataclass(frozen=True)
class Filter:
    """Which games; what is None does not matter."""

    game: str | None = None
    player: str | None = None
    """On either side; a part of the name will do."""
    result: str | None = None
    """first, second, draw or unfinished."""
    since: str | None = None
    until: str | None = None
    event: str | None = None
    numbers: Collection[int] | None = field(default=None, compare=False)
    """None but these."""

    def apply(self, query: Select[Any], dialect: str = "sqlite") -> Select[Any]:
        games, first, second = schema.games, _FIRST, _SECOND
        query = query.where(games.c.removed.is_(None))
        if self.numbers is not None:
            query = query.where(_is_among(games.c.id, self.numbers, dialect))
        if self.game:
            query = query.where(games.c.game == self.game)
        if self.player:
            part = self.player
            query = query.where(
                or_(
                    first.c.name.icontains(part, autoescape=True),
                    second.c.name.icontains(part, autoescape=True),
                )
            )
        if self.result == "unfinished":
            query = query.where(games.c.result.is_(None))
        elif self.result:
            query = query.where(games.c.result == {"first": 2, "draw": 1, "second": 0}[self.result])
        if self.since:
            query = query.where(games.c.date >= self.since)
        if self.until:  # the whole of that day or year
            start = func.substr(games.c.date, 1, len(self.until))
            query = query.where(games.c.date != "", start <= self.until)
        if self.event:
            query = query.where(schema.events.c.name.icontains(self.event, autoescape=True))
        return query


def _is_among(number: ColumnElement[int], numbers: Collection[int], dialect: str) -> Any:
    """In one parameter, however many there are: databases take only so many."""
    if dialect == "postgresql":
        return number == any_(literal(list(numbers), ARRAY(BigInteger)))
    listed = json.dumps(list(numbers))
    return number.in_(select(func.json_each(listed).table_valued("value").c.value))


EVERYTHING = Filter()
_FIRST, _SECOND = schema.players.alias("first"), schema.players.alias("second")
_JOINED = (
    schema.games.join(_FIRST, schema.games.c.first_id == _FIRST.c.id)
    .join(_SECOND, schema.games.c.second_id == _SECOND.c.id)
    .outerjoin(schema.events, schema.games.c.event_id == schema.events.c.id)
)

# A game that is being played has its moves in their own table only.
_LIVE = select(func.count()).where(schema.moves.c.game_id == schema.games.c.id).scalar_subquery()
_PLIES = case(
    (schema.games.c.result.is_(None) & (schema.games.c.plies == 0), _LIVE),
    else_=schema.games.c.plies,
)
ORDERS: Mapping[str, ColumnElement[Any]] = {
    "date": schema.games.c.date,
    "game": schema.games.c.game,
    "first": func.lower(_FIRST.c.name),
    "second": func.lower(_SECOND.c.name),
    "result": func.coalesce(schema.games.c.result, -1),
    "moves": _PLIES,
    "event": func.lower(func.coalesce(schema.events.c.name, "")),
    "number": schema.games.c.id,
}


@dataclass(frozen=True)
class Order:
    """How a list of games is sorted; games that are equal in it come newest first."""

    by: str = "date"
    """One of ORDERS."""
    descending: bool = True

    def apply(self, query: Select[Any]) -> Select[Any]:
        chosen = ORDERS[self.by]
        newest = (schema.games.c.date.desc(), schema.games.c.id.desc())
        return query.order_by(chosen.desc() if self.descending else chosen.asc(), *newest)


NEWEST_FIRST = Order()


@dataclass(frozen=True)
class StoredGame:
    """A game with its number in the store."""

    id: int
    uid: str
    record: GameRecord
    problem: str = ""
    """What is wrong with its row, if it is damaged; then its record says little."""


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
class Continuation:
    """What was played from a position, and how those games ended for the first player."""

    moves: tuple[int, ...]
    """Moves that are the same up to symmetry; none where games ended."""
    games: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class Stats:
    """How much there is."""

    games: Mapping[str, int]
    unfinished: int
    moves: int
    positions: int
    players: int
    events: int


@dataclass(frozen=True)
class Known:
    """What a store has under a name."""

    id: int
    is_finished: bool
    plies: int
    is_removed: bool = False

    def gives_way_to(self, is_finished: bool, plies: int, revive: bool) -> bool:
        if self.is_removed and revive:
            return True
        if self.is_finished:
            return False
        return is_finished or plies > self.plies


class LiveGame:
    """A game that is being played: each move is kept as soon as it is made.

    Moves are written on a connection of their own, past the toolkit's transactions, and only where
    the game is as far as it was left: what a call wrote whose answer got lost is not written twice,
    and nobody's moves are mixed with another's: 0.2 ms on SQLite, and the wait for the disk where
    it is `durable`. A live game belongs to the thread that began it.
    """

    def __init__(
        self, store: Store, number: int, uid: str, header: GameRecord, durable: bool = True
    ) -> None:
        self._durable = durable
        self.id, self.uid = number, uid
        self.moves: list[MoveRecord] = []
        self._header = header
        self._home, self._store = store.home, store
        self._connection: PoolProxiedConnection | None = None

    def add(self, *moves: MoveRecord) -> None:
        """Keep moves."""
        self._bring([*self.moves, *moves])

    def take_back(self, plies: int) -> None:
        """Forget all moves but the first `plies`."""
        self._bring(self.moves[:plies])

    @sheltered
    def finish(self, record: GameRecord, numbers: Sequence[int] | None = None) -> None:
        """Fill in how it ended. Its moves are those that were added, as numbers if known."""
        known = np.array(numbers, np.int32) if numbers is not None else None
        entry = replace(Entry.of(replace(record, moves=list(self.moves))), numbers=known)
        if not self._store.finish(self.id, self.uid, entry):
            self._come_home()
            self._store.finish(self.id, self.uid, entry)
        self.close()

    def close(self) -> None:
        """Leave it as it is; may be repeated."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def take_shelter(self) -> LiveGame | None:
        """Go on in the store's shelter."""
        shelter = self._store.take_shelter()
        if shelter is not None:
            self._begin_in(shelter)
        return self if shelter is not None else None

    def _come_home(self) -> None:
        """The shelter's games are brought to their store, even one that still goes on."""
        if self._store is self._home:
            raise StoreConflict(f"game {self.uid} is gone: another run has taken its name")
        self._begin_in(self._home)

    def _begin_in(self, store: Store) -> None:
        self.close()
        header = replace(self._header, moves=self.moves)
        again = store.begin(header, self.uid, repeatable=not self._durable)
        again.close()
        self.id, self._store = again.id, again._store

    @sheltered
    def _bring(self, moves: list[MoveRecord]) -> None:
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


_MOVE_COLUMNS = schema.moves.columns.keys()
_INSERT_MOVE = (
    f"INSERT INTO moves ({', '.join(_MOVE_COLUMNS)}) VALUES ({', '.join('?' * len(_MOVE_COLUMNS))})"
)


class Store:
    """An open store; a server that goes away is waited for up to a limit."""

    def __init__(self, name: str | None = None, wait_s: float = 0.0) -> None:
        self.url = read_address(name)
        self.patience = Patience(wait_s)
        self.demands: list[Callable[[], None]] = []
        """What must hold before anything is written; raises if it does not."""
        self._opened: Engine | None = None
        self._ids: dict[tuple[str, str], int] = {}
        self.engine  # noqa: B018 - complaints come now

    @property
    def engine(self) -> Engine:
        if self._opened is None:
            address = self.url.render_as_string(hide_password=False)
            self._opened = open_database(address, self.patience)
        return self._opened

    @property
    def address(self) -> str:
        return shown_address(self.url)

    def close(self) -> None:
        if self._opened is not None:
            self._opened.dispose()

    @property
    def home(self) -> Store:
        """Where its games belong: not here if this is a shelter."""
        return self

    def take_shelter(self) -> Store | None:
        """Where games go while the server is away; this store has no such place."""
        return None

    def failure(self, error: BaseException, is_cut: bool) -> StoreError:
        """What the database said to a live game."""
        return failure(error, self.address, is_cut, self.patience)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @contextlib.contextmanager
    def writing(self, durable: bool = True) -> Iterator[Connection]:
        """A transaction that writes; if it is not durable, a power cut may undo it."""
        for demand in self.demands:
            demand()
        connection = self.engine.connect().execution_options(writes="now" if durable else "soon")
        try:
            with connection, connection.begin():
                yield connection
        except BaseException:
            self._ids.clear()  # some may be of players who are not there after all
            raise

    # ------------------------------------------------------------------ writing

    @sheltered
    def begin(self, record: GameRecord, uid: str, repeatable: bool = False) -> LiveGame:
        """A game that is about to be played; one that was left unfinished under its name goes.

        A `repeatable` one belongs to a run that plays again what it does not know to be played. So
        it takes the place of a finished one, too, which a killed run has left, and of its moves
        only the end waits for the disk. It has a number of its own: a worker that was given up for
        dead, and still plays the old one, gets an error and not into its way.
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
                    row["id"] = there.id  # whoever looks at it finds it where it was
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
        """A game that was left, to be gone on with; nobody else may write to it."""
        live = LiveGame(self, unfinished.id, unfinished.uid, unfinished.record)
        live.moves += unfinished.record.moves
        return live

    def finish(self, game_id: int, uid: str, entry: Entry) -> bool:
        """Fill in how a game ended, and list its positions; whether it is there.

        It may have ended so already, in a call whose answer got lost. Raises StoreConflict if it
        has ended otherwise.
        """
        values, games = game_values(entry), schema.games.c
        with self.writing() as connection:
            which = (games.id == game_id) & (games.uid == uid)
            ended = update(schema.games).where(which, games.result.is_(None))
            chosen = ended.values({name: values[name] for name in AT_THE_END})
            if connection.execute(chosen).rowcount:
                self.index(connection, [(game_id, entry)])
                return True
            there = connection.execute(select(games.moves, games.result).where(which)).first()
        if there is not None and tuple(there) != (values["moves"], values["result"]):
            raise StoreConflict(f"game {uid} was ended by somebody else")
        return there is not None

    def add(self, games: Iterable[GameRecord | Entry], seen: Counter[str] | None = None) -> Report:
        """Keep games; those that are here already, by their content, are passed over.

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
        """Keep games under given names; those whose name is taken are passed over.

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
        """Keep games; `written` notes whose, over all attempts of which one may have succeeded."""
        with self.writing() as connection:
            queue_up(connection)
            known = self._known(connection, [uid for uid, _ in batch])

            def is_wanted(uid: str, entry: Entry) -> bool:
                told = entry.record.points is not None, entry.plies, revive
                return repeated or uid not in known or known[uid].gives_way_to(*told)

            fresh = {uid: entry for uid, entry in batch if is_wanted(uid, entry)}
            if outdated := [known[uid].id for uid in fresh if uid in known]:
                self.drop(connection, outdated)
            if fresh:
                self._insert(connection, fresh)
                written.update(fresh)

    @outlasting
    def known(self) -> dict[str, Known]:
        """All names, those of deleted games included, and how far each is."""
        with self.engine.connect() as connection:
            return self._known(connection)

    @staticmethod
    def _known(connection: Connection, uids: Sequence[str] | None = None) -> dict[str, Known]:
        games = schema.games.c
        query = select(games.uid, games.id, games.result, games.removed, _PLIES.label("plies"))
        rows = connection.execute(query if uids is None else query.where(games.uid.in_(uids)))
        return {
            row.uid: Known(row.id, row.result is not None, row.plies, row.removed is not None)
            for row in rows
        }

    def _insert(self, connection: Connection, fresh: Mapping[str, Entry]) -> None:
        rows = [self._row(connection, uid, entry) for uid, entry in fresh.items()]
        connection.execute(insert(schema.games), rows)
        ids = self._known(connection, list(fresh))
        told = [
            move_values(ids[uid].id, ply, move)
            for uid, entry in fresh.items()
            if any(is_told(move) for move in entry.record.moves)
            for ply, move in enumerate(entry.record.moves)
        ]
        if told:
            connection.execute(insert(schema.moves), told)
        self.index(connection, [(ids[uid].id, entry) for uid, entry in fresh.items()])

    @staticmethod
    def index(connection: Connection, numbered: Sequence[tuple[int, Entry]]) -> None:
        """List the positions of games, so that they are found by them."""
        if rows := position_rows(numbered):
            # Past the toolkit, which would make a dictionary of every row of eight million.
            mark = "%s" if connection.dialect.name == "postgresql" else "?"
            marks = ", ".join([mark] * len(COLUMNS))
            connection.exec_driver_sql(
                f"INSERT INTO positions ({', '.join(COLUMNS)}) VALUES ({marks})", rows
            )

    @staticmethod
    def unlist(connection: Connection, numbered: Sequence[tuple[int, Entry]]) -> None:
        """The contrary: no position leads to these games any more."""
        table = schema.positions.c
        for key, move, game_id, ply, _ in position_rows(numbered):
            where = (table.key == key, table.move == move, table.game_id == game_id)
            connection.execute(delete(schema.positions).where(*where, table.ply == ply))

    def drop(self, connection: Connection, numbers: Collection[int]) -> None:
        """Let games go as if they had never been here."""
        games = schema.games.c
        listed = games.id.in_(numbers) & games.result.is_not(None) & games.removed.is_(None)
        rows = connection.execute(_games_query().where(listed)).mappings()
        self.unlist(connection, [(row["id"], Entry.of(_stored(row).record)) for row in rows])
        connection.execute(delete(schema.games).where(games.id.in_(numbers)))

    def _row(self, connection: Connection, uid: str, entry: Entry) -> dict[str, Any]:
        values = game_values(entry)
        first, second = entry.record.players
        event = entry.record.event
        return values | {
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
            dialect = postgresql if self.engine.dialect.name == "postgresql" else sqlite
            connection.execute(dialect.insert(rows).values(name=name).on_conflict_do_nothing())
            return int(connection.execute(wanted).scalar_one())  # not for certain yet
        self._ids[table, name] = int(found)
        return int(found)

    # ------------------------------------------------------------------ reading

    def games(
        self,
        which: Filter = EVERYTHING,
        limit: int | None = None,
        skip: int = 0,
        order: Order = NEWEST_FIRST,
    ) -> Iterator[StoredGame]:
        """Games with the names of their moves, the newest first; `game` tells the rest."""
        query = order.apply(self._only(which, _games_query()))
        if limit is not None:
            query = query.limit(limit)
        if skip:
            query = query.offset(skip)
        with self._chunks(query) as chunks:
            for rows in chunks:
                # A game that is being played has its moves in their own table only.
                told = self._told([int(row["id"]) for row in rows if row["result"] is None])
                for row in rows:
                    yield self._with_told(_stored(row), told)

    def _only(self, which: Filter, query: Select[Any]) -> Select[Any]:
        return which.apply(query, self.engine.dialect.name)

    @outlasting
    def count(self, which: Filter = EVERYTHING) -> int:
        """How many games there are."""
        query = self._only(which, select(func.count()).select_from(_JOINED))
        with self.engine.connect() as connection:
            return int(connection.execute(query).scalar_one())

    @outlasting
    def game(self, number: int, even_removed: bool = False) -> StoredGame:
        """One game, with all that is known of its moves."""
        query = _games_query().where(schema.games.c.id == number)
        if not even_removed:
            query = query.where(schema.games.c.removed.is_(None))
        with self.engine.connect() as connection:
            row = connection.execute(query).mappings().first()
        if row is None:
            raise Unsupported(f"no game has number {number}; `plyground store games` lists them")
        return self._with_told(_stored(row), self._told([number]))

    @sheltered
    def find(self, uid: str) -> StoredGame | None:
        """The game of that name, with all that is known of its moves."""
        there = (schema.games.c.uid == uid) & schema.games.c.removed.is_(None)
        with self.engine.connect() as connection:
            row = connection.execute(_games_query().where(there)).mappings().first()
        return self._with_told(_stored(row), self._told([int(row["id"])])) if row else None

    @staticmethod
    def _with_told(stored: StoredGame, told: Mapping[int, list[MoveRecord]]) -> StoredGame:
        moves = told.get(stored.id)
        if not moves or stored.problem:
            return stored
        return replace(stored, record=replace(stored.record, moves=moves))

    @outlasting
    def explore(self, game: GameSpec, state: State) -> list[Continuation]:
        """What was played from a position, or from one symmetric to it, the most frequent first."""
        table = schema.positions
        query = (
            select(
                table.c.move,
                func.count().label("games"),
                func.count().filter(table.c.result == 2).label("wins"),
                func.count().filter(table.c.result == 1).label("draws"),
            )
            .where(table.c.key == stored_key(state))
            .group_by(table.c.move)
        )
        with self.engine.connect() as connection:
            rows = connection.execute(query).all()
        by_canonical = moves_by_canonical(state, game.legal(state))
        found = [
            Continuation(
                tuple(by_canonical.get(row.move, ())),
                row.games,
                row.wins,
                row.draws,
                row.games - row.wins - row.draws,
            )
            for row in rows
            if row.move == NO_MOVE or row.move in by_canonical
        ]
        return sorted(found, key=lambda each: -each.games)

    @outlasting
    def games_with(self, state: State, limit: int) -> list[StoredGame]:
        """Games that reached a position, or one symmetric to it, the newest first."""
        reached = (
            select(schema.positions.c.game_id)
            .where(schema.positions.c.key == stored_key(state))
            .order_by(schema.positions.c.game_id.desc())
            .limit(limit)
        )
        there = schema.games.c.id.in_(reached) & schema.games.c.removed.is_(None)
        query = _games_query().where(there)
        with self.engine.connect() as connection:
            rows = connection.execute(query.order_by(schema.games.c.id.desc())).mappings().all()
        return [_stored(row) for row in rows]

    @outlasting
    def stats(self) -> Stats:
        """How much there is."""
        is_there = schema.games.c.removed.is_(None)
        kinds = select(schema.games.c.game, func.count()).group_by(schema.games.c.game)
        kinds = kinds.where(is_there)
        unfinished = select(func.count()).where(schema.games.c.result.is_(None), is_there)
        listed = select(func.coalesce(func.sum(schema.games.c.plies), 0)).where(is_there)
        being_played = (schema.games.c.ended == "unfinished") & (schema.games.c.plies == 0)
        being_played &= is_there
        live = select(func.count()).select_from(schema.games.join(schema.moves)).where(being_played)
        with self.engine.connect() as connection:

            def number(table: Any) -> int:
                return int(connection.execute(select(func.count()).select_from(table)).scalar_one())

            return Stats(
                {game: int(count) for game, count in connection.execute(kinds)},
                int(connection.execute(unfinished).scalar_one()),
                sum(int(connection.execute(each).scalar_one()) for each in (listed, live)),
                number(schema.positions),
                number(schema.players),
                number(schema.events),
            )

    def merge(self, other: Store) -> Report:
        """Take over the games of another store that are not here, unfinished ones included."""
        return self.add_named((stored.uid, Entry.of(stored.record)) for stored in other.whole())

    def whole(self, which: Filter = EVERYTHING) -> Iterator[StoredGame]:
        """Games with all that is known of their moves, in the order they came; none damaged."""
        query = self._only(which, _games_query()).order_by(schema.games.c.id)
        with self._chunks(query) as chunks:
            for rows in chunks:
                told = self._told([int(row["id"]) for row in rows])
                sound = (stored for row in rows if not (stored := _stored(row)).problem)
                yield from (self._with_told(stored, told) for stored in sound)

    @contextlib.contextmanager
    def _chunks(self, query: Select[Any]) -> Iterator[Iterator[Sequence[RowMapping]]]:
        with (
            self.engine.connect() as connection,
            connection.execution_options(yield_per=CHUNK).execute(query) as result,
        ):
            yield result.mappings().partitions(CHUNK)

    @outlasting
    def _told(self, numbers: Sequence[int]) -> dict[int, list[MoveRecord]]:
        found: dict[int, list[MoveRecord]] = {}
        damaged: set[int] = set()  # of which the list of names is enough
        with self.engine.connect() as connection:
            for row in connection.execute(_moves_query(numbers)).mappings():
                try:
                    found.setdefault(int(row["game_id"]), []).append(move_of(row))
                except MalformedText:
                    damaged.add(int(row["game_id"]))
        return {number: moves for number, moves in found.items() if number not in damaged}


def _games_query() -> Select[Any]:
    return select(
        schema.games,
        _FIRST.c.name.label("first"),
        _SECOND.c.name.label("second"),
        schema.events.c.name.label("event"),
    ).select_from(_JOINED)


def with_names(which: Filter, store: Store) -> Select[Any]:
    """The rows of games in no order, for whoever needs not all that is in them."""
    return which.apply(_games_query(), store.engine.dialect.name)


def _moves_query(numbers: Sequence[int]) -> Select[Any]:
    table = schema.moves
    return select(table).where(table.c.game_id.in_(numbers)).order_by(table.c.game_id, table.c.ply)


def _stored(row: RowMapping) -> StoredGame:
    number, uid = int(row["id"]), row["uid"]
    try:
        return StoredGame(number, uid, with_listed_moves(game_of(row), row))
    except MalformedText as error:
        return StoredGame(number, uid, damaged_game(row, str(error)), str(error))
