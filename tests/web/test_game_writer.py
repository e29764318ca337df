"""Games that pages play, in the store: said twice they change nothing, and nothing is lost."""

from __future__ import annotations

import asyncio
import errno
import os
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import asking
import httpx
import pytest
from store_tools import random_game, told, unfinished

from plyground.core.records import GameRecord
from plyground.kernel import plain_python
from plyground.store.removing import remove
from plyground.store.store import Store
from plyground.web import game_writer as module
from plyground.web.game_writer import GameWriter

GAME = told(random_game("connect4", 1))
UID = "a" * 32


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with plain_python(), Store(str(tmp_path / "games.db")) as opened:
        yield opened


def run_apart(story: Callable[[], Awaitable[None]]) -> None:
    """In a thread of its own: where a browser was driven, the main thread has a loop already."""

    async def whole() -> None:
        await story()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(whole())).result()


def shown(store: Store) -> list[tuple[int, str, int]]:
    return [(each.id, each.uid, len(each.record.moves)) for each in store.games()]


def moves_of(record: GameRecord) -> list[str]:
    return [move.move for move in record.moves]


def test_a_game_keeps_its_number_from_the_first_move_to_the_last(store):
    writer = GameWriter(store)
    for plies in range(len(GAME.moves)):
        assert writer.write(UID, unfinished(GAME, plies)) == UID
        assert shown(store) == [(1, UID, plies)]
    writer.write(UID, GAME)
    [stored] = store.whole()
    assert (stored.id, stored.record.points, stored.record.moves) == (1, GAME.points, GAME.moves)
    writer.close()


def test_what_is_said_twice_changes_nothing(store):
    writer = GameWriter(store)
    for record in (unfinished(GAME, 3), unfinished(GAME, 3), GAME, GAME):
        assert writer.write(UID, record) == UID
    assert GameWriter(store).write(UID, GAME) == UID  # and after the server was killed
    assert shown(store) == [(1, UID, len(GAME.moves))]
    writer.close()


def test_a_new_keeper_goes_on_where_a_killed_one_was(store):
    GameWriter(store).write(UID, unfinished(GAME, 4))
    GameWriter(store).write(UID, unfinished(GAME, 6))
    assert shown(store) == [(1, UID, 6)]
    GameWriter(store).write(UID, unfinished(GAME, 2))  # taken back
    assert shown(store) == [(1, UID, 2)]


def test_other_players_or_hints_are_kept_too(store):
    writer = GameWriter(store)
    writer.write(UID, unfinished(GAME, 2))
    changed = replace(unfinished(GAME, 3), players=("human", "medium"), tags={"hints": "1"})
    assert writer.write(UID, changed) == UID
    [stored] = store.whole()
    assert (stored.id, stored.record.players) == (1, ("human", "medium"))
    assert stored.record.tags == {"hints": "1"}
    assert moves_of(stored.record) == moves_of(changed)


def test_a_finished_game_that_is_taken_back_becomes_another(store):
    writer = GameWriter(store)
    writer.write(UID, GAME)
    other = writer.write(UID, unfinished(GAME, 5))
    assert other != UID
    assert {(uid, plies) for _, uid, plies in shown(store)} == {(UID, len(GAME.moves)), (other, 5)}


def test_a_game_that_was_deleted_while_it_is_played_comes_back_whole(store):
    writer = GameWriter(store)
    writer.write(UID, unfinished(GAME, 4))
    remove(store, 1)
    writer.forget(UID)
    writer.write(UID, unfinished(GAME, 5))
    assert shown(store) == [(1, UID, 5)]


def test_only_so_many_games_are_remembered_and_all_are_kept(store, monkeypatch):
    monkeypatch.setattr(module, "MOST_REMEMBERED", 3)
    writer = GameWriter(store)
    uids = [f"{number:032x}" for number in range(8)]
    for plies in (1, 2, 3):
        for uid in uids:
            writer.write(uid, unfinished(GAME, plies))
    assert len(writer._games) == 3
    assert {(uid, plies) for _, uid, plies in shown(store)} == {(uid, 3) for uid in uids}


def test_work_is_done_in_one_thread_in_its_order(store):
    async def story() -> None:
        writer = GameWriter(store)
        done: list[int] = []
        names = set()

        def work(number: int) -> None:
            done.append(number)
            names.add(threading.current_thread().name)

        await asyncio.gather(*[writer.do(lambda i=i: work(i)) for i in range(50)])
        assert done == list(range(50))
        assert len(names) == 1
        assert threading.current_thread().name not in names
        with pytest.raises(ZeroDivisionError):
            await writer.do(lambda: 1 // 0)
        writer.close()

    run_apart(story)


def test_who_asks_meanwhile_is_answered_after_one_wait_for_the_disk(store, monkeypatch):
    async def story() -> None:
        writer, gate, waits = GameWriter(store), threading.Event(), []
        writer.write("f" * 32, unfinished(GAME, 1))
        told: list[asyncio.Task[str]] = []
        monkeypatch.setattr(
            os, "fsync", lambda handle: waits.append([task.done() for task in told])
        )
        held = asyncio.create_task(writer.do(gate.wait))
        told += [
            asyncio.create_task(writer.do(lambda uid=uid: writer.write(uid * 32, GAME)))
            for uid in "abcde"
        ]
        wrong = asyncio.create_task(writer.do(lambda: 1 // 0))
        await asyncio.sleep(0)  # all have asked
        gate.set()
        assert await asyncio.gather(held, *told) == [True, *(uid * 32 for uid in "abcde")]
        assert waits == [[False] * 5]
        with pytest.raises(ZeroDivisionError):
            await wrong
        writer.close()

    run_apart(story)


def test_a_disk_that_fails_is_told_to_everybody_who_asked(store, monkeypatch):
    async def story() -> None:
        writer = GameWriter(store)
        writer.write(UID, unfinished(GAME, 1))

        def fail(handle: int) -> None:
            raise OSError(errno.EIO, "broken")

        with monkeypatch.context() as disk:
            disk.setattr(os, "fsync", fail)
            works = [lambda uid=uid: writer.write(uid * 32, GAME) for uid in "bcd"]
            answers = await asyncio.gather(*map(writer.do, works), return_exceptions=True)
        assert [str(each) for each in answers] == [
            f"store {store.engine.url.database} cannot be used: broken"
        ] * 3
        assert await writer.do(lambda: writer.write(UID, GAME)) == UID
        writer.close()

    run_apart(story)


def test_the_server_tells_how_long_it_took_and_a_deleted_game_can_be_played_on(server):
    uid = "b" * 32
    address = f"{server.address}api/plays/{uid}"

    def put(*moves: str) -> httpx.Response:
        line = {"game": "tictactoe", "moves": list(moves)}
        return asking.put(address, json={"line": line, "players": ["human", "human"]})

    answer = put("b2")
    assert answer.json()["uid"] == uid
    assert answer.headers["server-timing"].startswith("app;dur=")
    games = asking.get(f"{server.address}api/store/games?result=unfinished&game=mnk").json()[
        "games"
    ]
    [number] = [game["id"] for game in games if game["uid"] == uid]
    assert asking.delete(f"{server.address}api/store/games/{number}").json()["uid"] == uid
    assert asking.get(address).status_code == 400
    put("b2", "a1")
    assert [move["move"] for move in asking.get(address).json()["moves"]] == ["b2", "a1"]
