"""A store's database: found, opened, its tables made or migrated; what is none is refused.

A store is named by a URL, by the path of an SQLite file, or by nothing: then `$PLYGROUND_STORE`, or
`games.db` in the user's data folder.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Self

import sqlalchemy
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    ExceptionContext,
    Insert,
    RowMapping,
    Select,
    Table,
    event,
    exc,
    func,
    make_url,
    select,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite

from plyground.core.errors import Unsupported, shorten
from plyground.core.faults import is_watched, step
from plyground.core.places import data_folder
from plyground.store.durability import wait_for_disk
from plyground.store.waiting import Patience, StoreAway, StoreConflict, retried
from plyground.store.waiting import StoreError as StoreError  # where everybody looks for it

VERSIONS = ("0001", "0002", "0003")  # of the tables; the files in migrations/versions
VERSION = VERSIONS[-1]
DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}
EXPECTED = "a file, sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE"
BUSY_MS = 60_000  # how long a writer waits for others
CONNECT_S = 10  # how long a server may take to answer at first
QUEUE = 7_093_467  # any number nobody else's locks in the same database have
CACHE_KIB = 64 * 1024
CUTS = ("57P01", "57P02", "57P03", "08")  # a server that stops, crashes or starts; no connection


def store_url(name: str | None = None) -> str:
    """The address of a store, from what a person gave."""
    chosen = name or os.environ.get("PLYGROUND_STORE")
    if chosen and "://" in chosen:
        return chosen
    path = Path(chosen).expanduser().absolute() if chosen else data_folder() / "games.db"
    return URL.create("sqlite", database=str(path)).render_as_string(hide_password=False)


def shown_address(url: URL) -> str:
    """The address without its password."""
    secret = {name: "***" for name in url.query if "password" in name}
    return url.update_query_dict(secret).render_as_string(hide_password=True)


def read_address(name: str | None) -> URL:
    """What the name of a store says. Raises Unsupported, without showing what may be a password."""
    text = store_url(name)
    try:
        url = make_url(text)
    except (exc.ArgumentError, ValueError):
        raise Unsupported(
            f"store {text.split('://')[0]}://...: not an address; expected {EXPECTED}"
        ) from None
    if "@" in (url.host or ""):
        raise Unsupported("a store's password with @ in it: write %40 for each")
    if url.get_backend_name() not in DRIVERS:
        raise Unsupported(f"store {shown_address(url)}: expected {EXPECTED}")
    if url.get_backend_name() == "sqlite" and url.query:
        raise Unsupported(f"store {shown_address(url)}: a file has no options; leave out the '?'")
    return url.set(drivername=DRIVERS[url.get_backend_name()])


class Database:
    """An open database; a server that goes away is waited for up to a limit."""

    def __init__(self, name: str | None = None, wait_s: float = 0.0) -> None:
        self.url = read_address(name)
        self.address = shown_address(self.url)
        self.patience = Patience(wait_s)
        self.demands: list[Callable[[], None]] = []
        """What must hold before anything is written; raises if it does not."""
        self._opened: Engine | None = None
        self._ids: dict[tuple[str, str], int] = {}  # of players and events, by table and name
        self.engine  # noqa: B018 - complaints come now

    @property
    def engine(self) -> Engine:
        """A connection pool to tables of this version, opened when it is needed."""
        if self._opened is None:
            self._opened = self._open()
        return self._opened

    def close(self) -> None:
        if self._opened is not None:
            self._opened.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    @retried
    def read(self, query: Select[Any]) -> Sequence[RowMapping]:
        """All rows that a query finds."""
        with self.engine.connect() as connection:
            return connection.execute(query).mappings().all()

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

    def insert_missing(self, table: Table) -> Insert:
        """A statement that passes over rows which are there already."""
        dialect = postgresql if self.engine.dialect.name == "postgresql" else sqlite
        return dialect.insert(table).on_conflict_do_nothing()

    def failure(self, error: BaseException, is_cut: bool) -> StoreError:
        """What the database said, as one of our errors."""
        state = getattr(error, "sqlstate", None) or ""
        if is_cut or state.startswith(CUTS):
            return StoreAway(_why(error, self.address), was_cut=self.patience.limit_s > 0)
        is_conflict = "IntegrityError" in (each.__name__ for each in type(error).__mro__)
        return (StoreConflict if is_conflict else StoreError)(_why(error, self.address))

    def _open(self) -> Engine:
        try:
            engine = _engine(self.url, self.patience)
        except ImportError:
            raise Unsupported(
                "PostgreSQL needs psycopg, which is not installed: "
                "pip install 'plyground[postgres]'"
            ) from None
        except OSError as error:
            raise Unsupported(f"store {self.address}: {error.strerror}") from None

        if is_watched():
            do_commit = engine.dialect.do_commit
            setattr(engine.dialect, "do_commit", lambda each: step("commit", do_commit, each))  # noqa: B010

        @event.listens_for(engine, "handle_error")
        def translate(context: ExceptionContext) -> None:
            if isinstance(context.sqlalchemy_exception, exc.DBAPIError) and not context.is_pre_ping:
                raise self.failure(context.original_exception, context.is_disconnect) from None

        try:
            with engine.connect() as connection:
                found = _version_of(connection, self.address)
            if engine.dialect.name == "sqlite":
                _write_ahead(engine)
            _bring_up_to_date(engine, found, self.address)
        except StoreError:
            engine.dispose()
            raise
        return engine


# ------------------------------------------------------------------ the two kinds of databases


def _engine(url: URL, patience: Patience) -> Engine:
    if url.get_backend_name() == "postgresql":
        limit = {} if "connect_timeout" in url.query else {"connect_timeout": CONNECT_S}
        # Asked whether it is alive before each use: a server may have been started anew.
        engine = sqlalchemy.create_engine(url, connect_args=limit, pool_pre_ping=True)
        _wait_for_server(engine, patience)
        return engine
    if url.database not in (None, "", ":memory:"):
        Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
    engine = sqlalchemy.create_engine(url)
    _set_up_sqlite(engine)
    return engine


def _wait_for_server(engine: Engine, patience: Patience) -> None:
    """Distinguish a server that is away, and may come back, from one that does not let us in.

    Its message says so in the server's language only; so it is asked whether it takes connections.
    """
    from psycopg.conninfo import make_conninfo
    from psycopg.pq import PGconn, Ping

    shown = shown_address(engine.url)

    @event.listens_for(engine, "do_connect")
    def connect(dialect: Any, record: Any, args: Any, parameters: dict[str, Any]) -> Any:
        place = make_conninfo(**{k: v for k, v in parameters.items() if k != "context"}).encode()

        def attempt() -> Any:
            for _ in range(2):  # it may have come back between connecting and asking
                try:
                    return dialect.connect(*args, **parameters)
                except dialect.loaded_dbapi.OperationalError as error:
                    if PGconn.ping(place) != Ping.OK:
                        raise StoreAway(_why(error, shown)) from None
                    refusal = error
            raise refusal

        return patience.connect(shown, attempt)


def _set_up_sqlite(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def connect(connection: Any, record: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say
        # SQLite's own knows the letters of English only.
        connection.create_function("lower", 1, _lower, deterministic=True)
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A reader that turns writer while another writes is refused at once; writers queue up.
        wants = connection.get_execution_options().get("writes", False)
        if wants:
            connection.exec_driver_sql(wait_for_disk(engine, wants != "soon"))
        connection.exec_driver_sql("BEGIN IMMEDIATE" if wants else "BEGIN")


def _write_ahead(engine: Engine) -> None:
    """Use a write-ahead log. The file remembers it, so only one that is ours is changed.

    The change needs the file for itself, and SQLite refuses it at once where a transaction would
    wait: with six processes that open a new store together, one in some hundred was refused.
    """
    deadline = monotonic() + BUSY_MS / 1000
    while True:
        connection = engine.raw_connection()
        try:
            connection.cursor().execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or monotonic() > deadline:
                raise StoreError(_why(error, shown_address(engine.url))) from None
            sleep(0.01)
        finally:
            connection.close()


def _lower(text: Any) -> Any:
    return text.lower() if isinstance(text, str) else text


def queue_up(connection: Connection) -> None:
    """Wait until no other transaction that called this is under way; on SQLite none can be.

    Without it, PostgreSQL ends one of two that insert the same names in different orders.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(QUEUE)))


# ------------------------------------------------------------------ tables


def _version_of(connection: Connection, shown: str) -> str | None:
    """The version of the tables; None if there are none; raises StoreError if they are foreign."""
    names = sqlalchemy.inspect(connection).get_table_names()
    if not names:
        return None
    if not {"alembic_version", "games"} <= set(names):
        raise StoreError(
            f"store {shown}: this database holds other tables ({shorten(', '.join(names))}), "
            "not a store; nothing was changed"
        )
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _bring_up_to_date(engine: Engine, found: str | None, shown: str) -> None:
    if found == VERSION:
        return
    if found is not None and found not in VERSIONS:
        raise StoreError(
            f"store {shown} was written by a newer Plyground (its tables are version {found}, "
            f"this program knows up to {VERSION}); update Plyground, or choose another store"
        )
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        queue_up(connection)
        if _version_of(connection, shown) != VERSION:  # another process may have been first
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def _why(error: BaseException, shown: str) -> str:
    """What a database said, as one line of ours."""
    reason = shorten(str(error).splitlines()[0] if str(error) else type(error).__name__, 120)
    if "not a database" in reason or "malformed" in reason:
        return f"store {shown} is damaged, or not a store ({reason}); nothing was changed"
    return f"store {shown} cannot be used: {reason}"
