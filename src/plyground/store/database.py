"""Open a store's database: find it, make or migrate its tables, and refuse what is not one.

A store is named by a URL, by the path of an SQLite file, or by nothing: then `$PLYGROUND_STORE`, or
`games.db` in the user's data folder. Knows no game.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import sqlalchemy
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    ExceptionContext,
    event,
    exc,
    func,
    make_url,
    select,
    text,
)

from plyground.core.errors import Unsupported, shorten
from plyground.core.faults import is_watched, step
from plyground.core.places import data_folder
from plyground.store.durability import wait_for_disk
from plyground.store.waiting import Patience, StoreAway, StoreConflict
from plyground.store.waiting import StoreError as StoreError  # where everybody looks for it

VERSION = "0003"  # of the tables; the newest file in migrations/versions
VERSIONS = ("0001", "0002", "0003")
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


def open_database(name: str | None = None, patience: Patience | None = None) -> Engine:
    """A connection pool to a store whose tables are those of this version.

    A server that goes away later is waited for as patiently as that.
    """
    url = read_address(name)
    shown = shown_address(url)
    patience = patience or Patience()
    try:
        engine = _engine(url, patience)
    except ImportError:
        raise Unsupported(
            "PostgreSQL needs psycopg, which is not installed: pip install 'plyground[postgres]'"
        ) from None
    except OSError as error:
        raise Unsupported(f"store {shown}: {error.strerror}") from None

    if is_watched():
        do_commit = engine.dialect.do_commit
        setattr(engine.dialect, "do_commit", lambda each: step("commit", do_commit, each))  # noqa: B010

    @event.listens_for(engine, "handle_error")
    def tell(context: ExceptionContext) -> None:
        if isinstance(context.sqlalchemy_exception, exc.DBAPIError) and not context.is_pre_ping:
            error = context.original_exception
            raise failure(error, shown, context.is_disconnect, patience) from None

    try:
        with engine.connect() as connection:
            found = _version_of(connection, shown)
        if engine.dialect.name == "sqlite":
            _write_ahead(engine)
        _bring_up_to_date(engine, found, shown)
    except StoreError:
        engine.dispose()
        raise
    return engine


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
    """Tell a server that is away, and may come back, from one that does not let us in.

    Its words tell that in the server's language only; so it is asked whether it takes connections.
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
                        raise StoreAway(why(error, shown)) from None
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
    """Keep a log ahead from now on. The file remembers it, so only one that is ours is changed.

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
                raise StoreError(why(error, shown_address(engine.url))) from None
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


def failure(error: BaseException, shown: str, is_cut: bool, patience: Patience) -> StoreError:
    """What a database said, as one of our errors."""
    state = getattr(error, "sqlstate", None) or ""
    if is_cut or state.startswith(CUTS):
        return StoreAway(why(error, shown), was_cut=patience.limit_s > 0)
    is_conflict = "IntegrityError" in (each.__name__ for each in type(error).__mro__)
    return (StoreConflict if is_conflict else StoreError)(why(error, shown))


def why(error: BaseException, shown: str) -> str:
    """What a database said, as one line of ours."""
    reason = shorten(str(error).splitlines()[0] if str(error) else type(error).__name__, 120)
    if "not a database" in reason or "malformed" in reason:
        return f"store {shown} is damaged, or not a store ({reason}); nothing was changed"
    return f"store {shown} cannot be used: {reason}"
