"""Every test of the store runs on both databases: SQLite, and a real PostgreSQL server."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy
from postgres_server import postgres_server
from sqlalchemy import make_url, text
from store_tools import Writers, wipe

from plyground.kernel import plain_python
from plyground.store.store import Store

DATABASES = ("sqlite", "postgresql")
Place = Callable[[str], str]


@pytest.fixture(autouse=True)
def in_plain_python() -> Iterator[None]:
    """So few games are indexed faster than the compiler is imported."""
    with plain_python():
        yield


class Server:
    """A server, and as many databases in it as tests ask for."""

    def __init__(self, url: str) -> None:
        self.url = make_url(url)
        self.numbers = itertools.count()
        self.engine = sqlalchemy.create_engine(url, isolation_level="AUTOCOMMIT")

    def empty_database(self) -> str:
        name = f"test{next(self.numbers)}"
        self.run(f"CREATE DATABASE {name}")
        return self.url.set(database=name).render_as_string(hide_password=False)

    def run(self, command: str) -> None:
        with self.engine.connect() as connection:
            connection.execute(text(command))


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with postgres_server() as url:
        opened = Server(url)
        yield opened
        opened.engine.dispose()


@pytest.fixture(scope="session")
def used_stores(server: Server) -> Iterator[list[Store]]:
    """Two stores, emptied for each test: cheaper than new ones."""
    with Store(server.empty_database()) as one, Store(server.empty_database()) as two:
        yield [one, two]


@pytest.fixture
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An address, on the database that is asked for, where nothing is yet."""
    numbers = itertools.count()

    def place(database: str) -> str:
        if database == "postgresql":
            server: Server = request.getfixturevalue("server")
            return server.empty_database()
        return f"sqlite:///{tmp_path}/store{next(numbers)}.db"

    return place


@pytest.fixture(params=DATABASES)
def store_url(request: pytest.FixtureRequest, new_place: Place) -> str:
    """Where nothing is yet."""
    return new_place(request.param)


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty store to be copied, which takes less than making one."""
    path = tmp_path_factory.mktemp("stores") / "empty.db"
    Store(str(path)).close()
    return path


@pytest.fixture
def empty_stores(
    request: pytest.FixtureRequest, empty_file: Path, tmp_path: Path
) -> Iterator[Callable[..., Store]]:
    """Makes empty stores: up to two on PostgreSQL."""
    opened: list[Store] = []
    numbers = itertools.count()

    def empty_store(database: str) -> Store:
        if database == "postgresql":
            used: list[Store] = request.getfixturevalue("used_stores")
            store = used[next(numbers)]
            wipe(store)
            return store
        copy = tmp_path / f"copy{len(opened)}.db"
        shutil.copy(empty_file, copy)
        opened.append(Store(str(copy)))
        return opened[-1]

    yield empty_store
    for store in opened:
        store.close()


@pytest.fixture(params=DATABASES)
def store(request: pytest.FixtureRequest, empty_stores: Callable[..., Store]) -> Store:
    """An empty store."""
    return empty_stores(request.param)


@pytest.fixture(scope="session")
def writers() -> Iterator[Writers]:
    """Processes that write, and that may be killed."""
    opened = Writers()
    yield opened
    opened.close()
