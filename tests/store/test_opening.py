"""A store is made, opened or migrated; what is not one is refused and left as it was."""

from __future__ import annotations

import os
import random
import re
import shutil
import socket
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy
from alembic.autogenerate import compare_metadata
from alembic.command import downgrade
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, make_url, text
from store_tools import Job, Writers, random_game, records

from plyground.core.errors import PlygroundError, Unsupported
from plyground.kernel import plain_python
from plyground.store import database, schema
from plyground.store.database import StoreError, store_url
from plyground.store.runs import Runs
from plyground.store.store import Store

GAME = random_game("mnk", 1)


def contents(folder: Path) -> dict[str, bytes | None]:
    """Everything in a folder, byte for byte."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def refusal(name: str | Path) -> str:
    """The one line with which a place is refused."""
    with pytest.raises(PlygroundError) as refused:
        Store(str(name)).close()
    assert isinstance(refused.value, StoreError | Unsupported)
    message = str(refused.value)
    assert "\n" not in message
    assert len(message) < 350
    return message


def refused_untouched(path: Path) -> str:
    """The same, and that nothing has changed there, nor appeared beside it."""
    before = contents(path.parent)
    message = refusal(path)
    assert contents(path.parent) == before
    assert str(path) in message
    return message


@pytest.fixture(scope="module")
def some_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stores") / "some.db"
    with plain_python(), Store(str(path)) as store:
        store.add([random_game("mnk", seed) for seed in range(50)])
    return path


@pytest.fixture
def old_store(some_store: Path, tmp_path: Path) -> Path:
    """A store with games, closed."""
    path = tmp_path / "old" / "games.db"
    path.parent.mkdir()
    return Path(shutil.copy(some_store, path))


def change(path: Path, *commands: str) -> None:
    connection = sqlite3.connect(path)
    for command in commands:
        connection.execute(command)
    connection.commit()
    connection.close()


# ------------------------------------------------------------------ places


def test_opening_where_nothing_is_makes_a_store_that_opens_again(store_url: str) -> None:
    for times in range(3):
        with Store(store_url) as store:
            assert store.count() == min(times, 1)
            store.add([GAME])


def test_a_path_is_made_with_its_folders_whatever_letters_are_in_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "100%41 what?x=1&y #2" / "jeux d'été;.db"
    with Store(str(path)) as store:
        store.add([GAME])
        address = store.address
    assert path.is_file()
    with Store(address) as store:
        assert records(store) == [GAME]
    assert contents(tmp_path) == {
        "new": None,
        str(path.parent.relative_to(tmp_path)): None,
        str(path.relative_to(tmp_path)): path.read_bytes(),
    }


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    with Store(str(path)) as store:
        store.add([GAME])
        assert records(store) == [GAME]


def test_without_a_name_the_store_is_the_users_own(
    tmp_path: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PLYGROUND_STORE", raising=False)
    assert store_url() == f"sqlite:///{data_folder}/games.db"
    Store().close()
    assert (data_folder / "games.db").is_file()
    monkeypatch.setenv("PLYGROUND_STORE", str(tmp_path / "mine.db"))
    assert store_url() == f"sqlite:///{tmp_path}/mine.db"
    assert store_url("") == store_url()
    assert store_url("other.db") == f"sqlite:///{Path.cwd()}/other.db"
    assert store_url("~/x.db") == f"sqlite:///{Path.home()}/x.db"


def test_the_log_ahead_is_on_and_leaves_one_file_behind(old_store: Path) -> None:
    assert list(contents(old_store.parent)) == ["games.db"]
    connection = sqlite3.connect(old_store)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_a_store_that_lost_its_log_mode_gets_it_back(old_store: Path) -> None:
    change(old_store, "PRAGMA journal_mode = DELETE")
    with Store(str(old_store)) as store:
        assert store.count() == 50
    connection = sqlite3.connect(old_store)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


# ------------------------------------------------------------------ what is not a store


def test_a_store_of_a_newer_version_is_refused_and_not_touched(old_store: Path) -> None:
    change(old_store, "UPDATE alembic_version SET version_num = '0999'")
    message = refused_untouched(old_store)
    assert "written by a newer Plyground (its tables are version 0999" in message
    assert f"this program knows up to {database.VERSION}); update Plyground" in message


def test_a_newer_store_in_postgresql_is_refused(server) -> None:
    url = server.empty_database()
    Store(url).close()
    engine = sqlalchemy.create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0999'"))
    assert "written by a newer Plyground (its tables are version 0999" in refusal(url)
    with engine.connect() as connection:
        query = text("SELECT version_num FROM alembic_version")
        assert connection.execute(query).scalar_one() == "0999"
    engine.dispose()


FOREIGN = {
    "another database": ["CREATE TABLE recipes (name)", "INSERT INTO recipes VALUES ('soup')"],
    "with a log ahead": ["PRAGMA journal_mode = WAL", "CREATE TABLE recipes (name)"],
    "with migrations": [
        "CREATE TABLE alembic_version (version_num VARCHAR(32))",
        f"INSERT INTO alembic_version VALUES ('{database.VERSION}')",
        "CREATE TABLE recipes (name)",
    ],
    "with games": ["CREATE TABLE games (id)"],
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_foreign_database_is_refused_and_not_touched(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "foreign.db"
    change(path, *FOREIGN[kind])
    assert "this database holds other tables (" in refused_untouched(path)


def test_a_foreign_database_in_postgresql_is_refused(server) -> None:
    url = server.empty_database()
    engine = sqlalchemy.create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE recipes (name text)"))
    assert "this database holds other tables (recipes), not a store" in refusal(url)
    assert inspect(engine).get_table_names() == ["recipes"]
    engine.dispose()


def test_files_that_are_no_databases_are_refused_and_not_touched(tmp_path: Path) -> None:
    dice = random.Random(1)
    header = b"SQLite format 3\0"
    files = {
        "text.txt": b"Dear diary,\n" * 500,
        "short.txt": b"xy",
        "random.bin": dice.randbytes(20_000),
        "almost.db": header + dice.randbytes(8_000),
        "header.db": header,
        "zeros.db": bytes(8_192),
        "picture.png": b"\x89PNG\r\n\x1a\n" + dice.randbytes(3_000),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    for name in files:
        assert "damaged, or not a store (" in refused_untouched(tmp_path / name)


def test_a_store_cut_off_anywhere_is_refused_and_not_touched(
    old_store: Path, tmp_path: Path
) -> None:
    data = old_store.read_bytes()
    cut = tmp_path / "cut" / "games.db"
    cut.parent.mkdir()
    # Inside the last page SQLite cannot tell: it takes what is missing for zeros.
    pages = range(4096, len(data) - 4096, 4096)
    lengths = {2, 99, 100, 511, 512, *(page + odd for page in pages for odd in (-1, 0, 1))}
    for length in sorted(lengths):
        cut.write_bytes(data[:length])
        assert "nothing was changed" in refused_untouched(cut)


def test_damage_inside_is_told_in_one_line_when_it_is_met(old_store: Path) -> None:
    """Most pages are overwritten: whatever is asked, a table or its index cannot be read."""
    data = bytearray(old_store.read_bytes())
    connection = sqlite3.connect(old_store)
    roots = connection.execute("SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0")
    kept = {1} | {page for name, page in roots if "alembic" in name}
    connection.close()
    for page in range(1, len(data) // 4096 + 1):
        if page not in kept:
            data[(page - 1) * 4096 : page * 4096] = random.Random(page).randbytes(4096)
    old_store.write_bytes(data)
    with Store(str(old_store)) as store:
        for ask in (store.count, store.stats, lambda: store.game(1), lambda: records(store)):
            with pytest.raises(StoreError, match=r"^store .* is damaged, or not a store \(.*$"):
                ask()
        with pytest.raises(StoreError, match="damaged"):
            store.add([GAME])


def test_a_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "folder.db"
    folder.mkdir()
    assert "unable to open database file" in refused_untouched(folder)


def test_a_place_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    before = contents(tmp_path)
    assert "file/games.db" in refusal(tmp_path / "file" / "games.db")
    assert contents(tmp_path) == before


@pytest.fixture
def for_everybody() -> Iterator[Path]:
    """A folder that anybody may look into, and only we may write to."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_an_unwritable_place_is_refused_and_not_touched(
    writers: Writers, for_everybody: Path, old_store: Path
) -> None:
    shutil.copy(old_store, for_everybody / "games.db")
    (for_everybody / "empty.db").touch()
    for path in for_everybody.iterdir():
        path.chmod(0o444)
    for_everybody.chmod(0o555)
    before = contents(for_everybody)
    for name in ("games.db", "empty.db", "new.db", "new/games.db"):
        outcome = writers.run(Job(f"sqlite:///{for_everybody}/{name}", as_nobody=True))
        assert outcome.statuses == [2]
        [message] = outcome.refusals
        kind, _, line = message.partition(": ")
        assert kind in ("StoreError", "Unsupported")
        assert line.startswith(f"store sqlite:///{for_everybody}/{name}")
        assert "\n" not in line
    assert contents(for_everybody) == before


# ------------------------------------------------------------------ addresses


@pytest.mark.parametrize(
    "address",
    [
        "mysql://ann:secret@host/games",
        "postgres://ann:secret@host/games",
        "oracle+thin://ann:secret@host/games",
        "nonsense://ann:secret@host/games",
        "://ann:secret@host",
        "postgresql://ann:secret@host:port/games",
        "postgresql://ann:secret@[::1/games",
        "postgresql://ann:not@secret@host/games",
        "sqlite:///games.db?password=secret",
        "postgresql+psycopg://ann:secret@127.0.0.1:{closed}/games",
        "postgresql+nonsense://ann:secret@127.0.0.1:{closed}/games",
        "postgresql://ann@127.0.0.1:{closed}/games?password=secret",
        "postgresql://ann:secret@127.0.0.1:{closed}/games?nonsense=1",
        "postgresql://ann:secret@no.such.host.invalid/games",
        "postgresql:///games?host=/nowhere&user=ann&password=secret",
    ],
)
def test_an_address_that_cannot_be_used_is_refused_without_its_password(
    address: str, closed_port: int
) -> None:
    message = refusal(address.replace("{closed}", str(closed_port)))
    assert "store" in message
    assert "secret" not in message


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port on which nobody listens, and nobody will as long as we hold it."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        yield int(holder.getsockname()[1])


def test_an_unreachable_server_is_named_with_the_reason(closed_port: int) -> None:
    message = refusal(f"postgresql://ann:secret@127.0.0.1:{closed_port}/games")
    assert message == (
        f"store postgresql+psycopg://ann:***@127.0.0.1:{closed_port}/games cannot be used: "
        f'connection failed: connection to server at "127.0.0.1", port {closed_port} failed: '
        "Connection refused"
    )


def test_a_wrong_password_or_database_is_named_with_the_reason(server) -> None:
    wrong = server.url.set(password="secret").render_as_string(hide_password=False)
    message = refusal(wrong)
    assert "password authentication failed" in message
    assert "secret" not in message
    missing = server.url.set(database="missing").render_as_string(hide_password=False)
    assert refusal(missing).endswith('database "missing" does not exist')


def test_the_address_of_an_open_store_hides_its_password(server) -> None:
    url = make_url(server.empty_database())
    in_query = url.set(password=None).update_query_dict({"password": str(url.password)})
    for form in (url, in_query, url.set(drivername="postgresql")):
        with Store(form.render_as_string(hide_password=False)) as store:
            assert str(url.password) not in store.address
            assert str(url.database) in store.address
            assert store.count() == 0


def test_without_psycopg_one_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise ImportError("No module named 'psycopg'")

    monkeypatch.setattr(sqlalchemy, "create_engine", missing)
    message = refusal("postgresql://ann:secret@host/games")
    assert message.endswith("pip install 'plyground[postgres]'")


# ------------------------------------------------------------------ tables and their versions


def test_migrations_lead_to_exactly_the_tables_of_the_schema(store_url: str) -> None:
    with Store(store_url) as store, store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []
        names = inspect(connection).get_table_names()
        assert sorted(names) == sorted([*schema.metadata.tables, "alembic_version"])
        assert context.get_current_revision() == database.VERSION


def test_made_by_migrations_or_by_the_schema_the_tables_are_the_same(tmp_path: Path) -> None:
    """Alembic does not compare everything; the words that made them are the rest."""
    Store(str(tmp_path / "migrated.db")).close()
    engine = sqlalchemy.create_engine(f"sqlite:///{tmp_path}/created.db")
    schema.metadata.create_all(engine)
    engine.dispose()
    words = []
    for name in ("migrated.db", "created.db"):
        connection = sqlite3.connect(tmp_path / name)
        query = "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE '%alembic%'"
        found = {key: " ".join((sql or "").split()) for key, sql in connection.execute(query)}
        connection.close()
        words.append({key: sorted(re.split(r" ?[(),] ?", sql)) for key, sql in found.items()})
    assert words[0] == words[1]
    assert set(words[0]) > set(schema.metadata.tables)


def test_the_versions_known_here_are_those_of_the_migrations() -> None:
    config = Config()
    folder = Path(database.__file__).parent / "migrations"
    config.set_main_option("script_location", str(folder))
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_heads() == [database.VERSION]
    revisions = [script.revision for script in scripts.walk_revisions()]
    assert tuple(reversed(revisions)) == database.VERSIONS


FIRST_TABLES = {"alembic_version", "events", "games", "moves", "players", "positions"}


@pytest.fixture
def first_store(store_url: str) -> str:
    """A store with games, as the first version of the tables has it."""
    with Store(store_url) as store:
        store.add([random_game("mnk", seed) for seed in range(20)])
    engine = sqlalchemy.create_engine(store_url)
    config = Config()
    config.set_main_option("script_location", str(Path(database.__file__).parent / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        downgrade(config, "0001")
    assert set(inspect(engine).get_table_names()) == FIRST_TABLES
    engine.dispose()
    return store_url


def test_a_store_of_the_first_version_is_migrated_with_all_its_games(first_store: str) -> None:
    with Store(first_store) as store:
        assert records(store) == [random_game("mnk", seed) for seed in range(20)]
        assert store.stats().positions > 0
        assert Runs(store).runs() == []
        with store.engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert context.get_current_revision() == database.VERSION
            assert compare_metadata(context, schema.metadata) == []
        store.add([random_game("mnk", 99)])
        assert store.count() == 21


def test_many_that_open_an_old_store_at_once_migrate_it_once(
    first_store: str, writers: Writers
) -> None:
    outcome = writers.run(*[Job(first_store, f"writer {number}") for number in range(6)])
    assert outcome.refusals == []
    assert outcome.statuses == [0] * 6
    with Store(first_store) as store:
        assert store.count() == 20
        assert Runs(store).runs() == []


def test_an_older_program_refuses_a_migrated_store(
    first_store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(first_store).close()
    monkeypatch.setattr(database, "VERSION", "0001")
    monkeypatch.setattr(database, "VERSIONS", ("0001",))
    assert "its tables are version 0003, this program knows up to 0001)" in refusal(first_store)


def test_opening_needs_no_migration_files_when_the_tables_are_there(
    old_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "alembic", None)
    with Store(str(old_store)) as store:
        assert store.count() == 50


def test_a_move_without_its_game_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="cannot be used"), store.writing() as connection:
        connection.execute(
            schema.moves.insert().values(
                game_id=999, ply=0, move="a1", side=0, time_s=0, depth=0, nodes=0, pondered=False
            )
        )
    assert store.stats().moves == 0


def test_nothing_of_a_failed_transaction_stays(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.writing() as connection:
        connection.execute(schema.players.insert().values(name="nobody"))
        raise ZeroDivisionError
    assert store.stats().players == 0


def test_opening_does_not_depend_on_the_working_folder(
    old_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(old_store.parent)
    with Store("games.db") as store:
        monkeypatch.chdir(tmp_path)
        assert store.count() == 50
    assert os.listdir(old_store.parent) == ["games.db"]
