"""Games played while their server is away wait in a file, and get to their store once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from postgres_server import RestartableServer, restartable_server
from sqlalchemy import make_url
from store_tools import count_rows, named, random_game, told, unfinished, wipe

from plyground.core.records import GameRecord
from plyground.store import waiting
from plyground.store.game_copy import GameCopy
from plyground.store.live_game import LiveGame
from plyground.store.removing import remove
from plyground.store.rows import Entry
from plyground.store.shelter import (
    ShelteredStore,
    bring_over,
    count_waiting,
    open_store,
    shelter_file,
)
from plyground.store.store import Store
from plyground.store.waiting import StoreAway

GAME = told(random_game("connect4", 3))
OTHER = told(random_game("connect4", 5))
SOON_S = 0.01


@pytest.fixture(scope="module")
def restartable() -> Iterator[RestartableServer]:
    with restartable_server(synchronous_commit="on") as server:
        yield server


@pytest.fixture
def server(restartable: RestartableServer, monkeypatch: pytest.MonkeyPatch) -> RestartableServer:
    """A server with an empty store, which is asked again at once when it was away."""
    monkeypatch.setattr(waiting, "AGAIN_S", 0.0)
    monkeypatch.setattr(waiting, "SHARE", 0)
    restartable.start()  # a test that failed may have left it
    with Store(restartable.url) as store:
        wipe(store)
    return restartable


@pytest.fixture
def said() -> Iterator[list[str]]:
    lines: list[str] = []
    waiting.listeners.append(lines.append)
    yield lines
    waiting.listeners.remove(lines.append)


def stored(server: RestartableServer) -> dict[str, GameRecord]:
    """What is in the store itself, looked at without bringing anything."""
    with Store(server.url) as store:
        return named(store)


def waits(server: RestartableServer) -> int:
    return count_waiting(make_url(server.url))


def dateless(games: dict[str, GameRecord]) -> dict[str, GameRecord]:
    return {uid: replace(game, date="", opening=0) for uid, game in games.items()}


def play_on(live: LiveGame, start: int, end: int | None = None) -> None:
    for move in GAME.moves[start:end]:
        live.add(move)


def test_a_game_begun_in_the_store_goes_on_elsewhere_and_comes_back_whole(
    server: RestartableServer, said: list[str]
) -> None:
    with ShelteredStore(server.url, SOON_S) as store:
        live = store.begin(unfinished(GAME, 0), "uid")
        play_on(live, 0, 4)
        server.stop("SIGKILL")
        play_on(live, 4)
        live.finish(GAME)
        assert waits(server) == 1
        server.start()
        assert stored(server) == {"uid": unfinished(GAME, 4)}
        store.begin(unfinished(OTHER, 1), "next").close()  # a long run begins its next game
        assert stored(server) == {"uid": GAME, "next": unfinished(OTHER, 1)}
    assert waits(server) == 0
    with Store(server.url) as there:
        assert count_rows(there, "positions") == len(GAME.moves) + 1
    shown, path = store.address, shelter_file(store.url)
    assert said == [
        f"store {shown} does not answer; waiting up to 0.01 seconds",
        f"store {shown} cannot be reached; games are kept in {path} until it is",
        f"1 game that was kept here while store {shown} was away is there now",
    ]


def test_games_begun_while_it_is_away_are_brought_by_whoever_opens_it_next(
    server: RestartableServer, said: list[str]
) -> None:
    server.stop()
    with ShelteredStore(server.url, SOON_S) as store:
        for uid in ("one", "two"):
            live = store.begin(unfinished(GAME, 0), uid)
            play_on(live, 0)
            live.finish(GAME)
        store.add_named([("three", Entry.of(OTHER))])
        store.begin(unfinished(OTHER, 3), "left").close()
        found = store.find("one")
        assert found is not None
        assert found.record == GAME
    with pytest.raises(StoreAway, match=r"refused.*; 4 games wait for it here$"):
        open_store(server.url)
    server.start()
    with open_store(server.url) as store:
        everything = {"one": GAME, "two": GAME, "three": OTHER, "left": unfinished(OTHER, 3)}
        assert named(store) == everything
    assert waits(server) == 0
    assert said[-1].startswith("4 games that were kept here while store ")
    open_store(server.url).close()
    assert stored(server) == everything
    assert len(said) == 2


def test_a_game_under_way_that_somebody_else_has_brought_goes_home(
    server: RestartableServer, said: list[str]
) -> None:
    server.stop()
    store = ShelteredStore(server.url, SOON_S)
    live = store.begin(unfinished(GAME, 0), "uid")
    play_on(live, 0, 3)
    server.start()
    open_store(server.url).close()
    assert (stored(server), waits(server)) == ({"uid": unfinished(GAME, 3)}, 0)
    play_on(live, 3)
    assert stored(server) == {"uid": unfinished(GAME, len(GAME.moves))}
    live.finish(GAME)
    store.close()
    assert (stored(server), waits(server)) == ({"uid": GAME}, 0)


def test_bringing_that_is_killed_between_the_stores_brings_nothing_twice(
    server: RestartableServer, monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    server.stop()
    with ShelteredStore(server.url, SOON_S) as store:
        store.add_named([("one", Entry.of(GAME)), ("two", Entry.of(OTHER))])
    server.start()
    path = shelter_file(make_url(server.url))

    def killed(self: Store, *rest: object) -> None:
        raise KeyboardInterrupt

    with Store(str(path)) as here, Store(server.url) as there:
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(Store, "drop", killed)
            bring_over(here, there)
        assert (stored(server), here.count()) == ({"one": GAME, "two": OTHER}, 2)
        [number] = [each.id for each in there.games() if each.uid == "one"]
        remove(there, number)  # it does not come back, either
        assert (bring_over(here, there), here.count()) == (0, 0)
        assert named(there) == {"two": OTHER}


def test_a_move_that_is_made_while_its_game_is_brought_is_not_lost(
    server: RestartableServer, monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    server.stop()
    store = ShelteredStore(server.url, SOON_S)
    live = store.begin(unfinished(GAME, 2), "uid")
    server.start()
    path, add_named = shelter_file(make_url(server.url)), Store.add_named

    def meanwhile(self: Store, *args: object, **kwargs: object) -> object:
        report = add_named(self, *args, **kwargs)  # type: ignore[arg-type]
        live.add(GAME.moves[2])
        return report

    with Store(str(path)) as here, Store(server.url) as there:
        with monkeypatch.context() as patch:
            patch.setattr(Store, "add_named", meanwhile)
            assert bring_over(here, there) == 1
        assert here.count() == 1
        assert bring_over(here, there) == 1
        assert (here.count(), named(there)) == (0, {"uid": unfinished(GAME, 3)})
    live.close()
    store.close()


def test_a_game_of_a_person_or_a_page_is_kept_and_brought_as_well(
    server: RestartableServer, said: list[str]
) -> None:
    store = ShelteredStore(server.url, SOON_S)
    kept = GameCopy(store, "uid", unfinished(GAME, 0), may_rewind=True)
    kept.update(unfinished(GAME, 3))
    server.stop("SIGQUIT")
    kept.update(unfinished(GAME, 6))
    kept.update(unfinished(GAME, 5))
    kept.rest()
    server.start()
    store.bring()
    assert dateless(stored(server)) == dateless({"uid": unfinished(GAME, 5)})
    kept.update(GAME)
    kept.close()
    store.close()
    assert dateless(stored(server)) == dateless({"uid": GAME})
    assert waits(server) == 0


def test_what_cannot_be_brought_costs_a_line_and_stays(
    server: RestartableServer, said: list[str]
) -> None:
    path = shelter_file(make_url(server.url))
    path.parent.mkdir(parents=True)
    path.write_text("my notes, which are longer than the head of any database")
    with open_store(server.url) as store:
        assert store.count() == 0
    assert len(said) == 1
    assert said[0].startswith(f"what waits in {path} for store postgresql")
    assert "is damaged, or not a store" in said[0]
    assert path.read_text().startswith("my notes")


def test_a_file_waits_for_one_address_whatever_its_password(tmp_path: Path) -> None:
    urls = [f"postgresql://ann:{secret}@host/{name}" for secret in "xy" for name in ("a", "b")]
    files = [shelter_file(make_url(url)) for url in urls]
    assert files[0] == files[2] != files[1] == files[3]
    assert not any(secret in files[0].name for secret in ("ann", "host"))
    assert shelter_file(make_url("postgresql+psycopg://ann:z@host/a")) == files[0]


def test_a_store_in_a_file_needs_no_shelter(tmp_path: Path) -> None:
    with ShelteredStore(str(tmp_path / "games.db"), SOON_S) as store:
        store.begin(unfinished(GAME, 2), "uid").close()
    assert not shelter_file(store.url).parent.exists()
