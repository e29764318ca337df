"""Imports that take long: seen, stopped, fair to each other, and over when their sender leaves."""

from __future__ import annotations

import asyncio
import itertools
import json
import socket
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import asking
import pytest
from expecting import expect
from patience import PATIENCE_S, until
from web_server import Server, fresh_page, shared_profile, web_server

from plyground.core.errors import MalformedText, Unsupported
from plyground.store.store import Store
from plyground.web import attending, importing
from plyground.web.attending import Attention, attended
from plyground.web.game_writer import GameWriter
from plyground.web.importing import MOST_AT_ONCE, Import, ImportRoom

LONG = b"f5\n" * 2_000_000  # for many minutes


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with web_server(Path(tmp_path_factory.mktemp("importing"))) as started:
        yield started


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


def send(server: Server, data: bytes, **query: str) -> dict[str, Any]:
    answer = asking.post(f"{server.address}api/store/import", params=query, content=data)
    assert answer.status_code == 200, answer.text
    return answer.json()


def under_way(server: Server) -> dict[str, dict[str, Any]]:
    listed = asking.get(f"{server.address}api/store/imports").json()
    return {each["id"]: each for each in listed}


def until_read(server: Server, id: str, done: int) -> dict[str, Any]:
    """How far an import is, once it has read so many games."""

    def reached() -> dict[str, Any] | None:
        now = under_way(server).get(id)
        return now if now and now["done"] >= done else None

    found: dict[str, Any] = until(reached, f"{id} has read {done} games")
    return found


def until_none(server: Server) -> None:
    until(lambda: not under_way(server), "the end of all imports")


def stop(server: Server, id: str, sent: Future[dict[str, Any]]) -> dict[str, Any]:
    assert asking.delete(f"{server.address}api/store/imports/{id}").json()["id"] == id
    return sent.result(PATIENCE_S)


def stored(server: Server) -> int:
    return sum(asking.get(f"{server.address}api/store/stats").json()["games"].values())


def test_an_import_tells_how_far_it_is_and_keeps_what_it_stored_when_stopped(server, threads):
    before = stored(server)
    sent = threads.submit(send, server, LONG, id="long", name="long.txt")
    now = until_read(server, "long", 100)
    assert (now["name"], now["unit"], now["rejected"]) == ("long.txt", "games", 0)
    assert now["total"] == pytest.approx(2_000_000, rel=0.01)
    assert now["done"] >= max(100, now["added"])
    assert now["rate"] > 0
    report = stop(server, "long", sent)
    assert report["stopped"]
    assert report["added"] == report["read"] == stored(server) - before
    again = send(server, b"f5\n" * report["added"], name="long.txt")
    assert (again["added"], again["duplicates"]) == (0, report["added"])
    assert not again["stopped"]
    assert stored(server) - before == report["added"]


def test_an_import_ends_when_its_sender_leaves(server):
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as client:
        head = f"POST /api/store/import?id=left HTTP/1.1\r\nhost: 127.0.0.1:{server.port}\r\n"
        head += "".join(f"{k}: {v}\r\n" for k, v in asking.token_for(server.address).items())
        client.sendall(f"{head}content-length: {len(LONG)}\r\n\r\n".encode() + LONG)
        until_read(server, "left", 1)
    until_none(server)
    count = stored(server)
    assert send(server, b"f5d6\n")["read"] == 1  # nothing of the other comes in between
    assert stored(server) <= count + 1


def test_a_small_import_does_not_wait_for_a_large_one(server, threads):
    large = {id: threads.submit(send, server, LONG, id=id) for id in ("one", "two")}
    for id in large:
        until_read(server, id, 1)
    assert send(server, b"f5d6c3\n", name="small.txt")["read"] == 1
    now = under_way(server)
    assert now.keys() == large.keys()
    for id, sent in large.items():  # and both go on
        until_read(server, id, now[id]["done"] + 1)
        assert stop(server, id, sent)["stopped"]


def test_what_is_not_under_way_cannot_be_stopped(server):
    refused = asking.delete(f"{server.address}api/store/imports/nobody")
    assert (refused.status_code, refused.json()["error"]) == (404, "no such import is under way")


def test_a_number_that_no_database_holds_is_rejected_with_its_place(server):
    move = {"move": "a1", "side": 0, "nodes": 2**64 - 1}
    record = {"game": "tictactoe", "players": ["", ""], "moves": [move], "ended": "unfinished"}
    report = send(server, json.dumps(record).encode(), name="x.jsonl")
    assert (report["added"], report["rejected"]) == (0, 1)
    assert "more than a store can hold" in report["reasons"][0]["reason"]


# ------------------------------------------------------------------ in a browser


@pytest.fixture
def games_page(browser: Any, server: Server) -> Iterator[Any]:
    with shared_profile(browser, server) as own, fresh_page(own) as fresh:
        fresh.goto("games")
        fresh.locator("input[type=file]").set_input_files(
            {"name": "long.txt", "mimeType": "text/plain", "buffer": LONG}
        )
        yield fresh


def test_a_page_shows_how_far_an_import_is_and_stops_it(games_page):
    report = games_page.get_by_role("status", name="Import")
    expect(report).to_contain_text("long.txt: ")
    expect(report).to_contain_text("games read")
    games_page.get_by_role("link", name="Play").first.click()  # which does not stop it
    expect(games_page.locator("g-board").first).to_be_visible()
    games_page.go_back()
    expect(report).to_contain_text("of about 2,0")
    report.get_by_role("button", name="Stop").click()
    expect(report).to_contain_text("Stopped; the same file adds the rest.")


def test_a_page_that_is_closed_ends_its_import(games_page, server):
    expect(games_page.get_by_role("status", name="Import")).to_contain_text("games read")
    assert under_way(server)
    games_page.close()
    until_none(server)


# ------------------------------------------------------------------ without a server


class Client:
    """A request of somebody who stays, or leaves."""

    def __init__(self, body: bytes = b"", leaves: bool = False) -> None:
        self.body, self.leaves = body, leaves

    async def stream(self) -> Any:
        yield self.body

    async def receive(self) -> dict[str, str]:
        while not self.leaves:
            await asyncio.sleep(3600)
        return {"type": "http.disconnect"}


def finish(work: Coroutine[Any, Any, Any]) -> Any:
    """What comes of it in a thread: the browser's loop may run in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def for_ever(attention: Attention) -> None:
    for _ in attention.over(itertools.count()):
        pass


def test_work_ends_with_the_client_or_after_a_time(monkeypatch):
    with pytest.raises(Unsupported, match="ask for less"):
        finish(attended(Client(leaves=True), for_ever))
    monkeypatch.setattr(attending, "MOST_S", 0)
    with pytest.raises(Unsupported, match="this takes more than 0 s"):
        finish(attended(Client(), for_ever))


def test_work_that_is_done_is_answered():
    assert finish(attended(Client(), lambda attention: list(attention.over("ab")))) == [
        "a",
        "b",
    ]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[ImportRoom]:
    with Store(str(tmp_path / "games.db")) as store:
        writer = GameWriter(store)
        room = ImportRoom(store, writer)
        yield room
        room.close()
        writer.close()


def test_so_many_files_are_imported_at_a_time_and_each_has_its_own_name(room):
    async def crowd() -> None:
        takers = [asyncio.create_task(room.take(Silent(), f"{n}", "")) for n in range(MOST_AT_ONCE)]
        await asyncio.sleep(0)
        with pytest.raises(Unsupported, match="an import called 3 is under way already"):
            await room.take(Client(b"f5"), "3", "")
        with pytest.raises(Unsupported, match="8 files are being imported; wait for one"):
            await room.take(Client(b"f5"), None, "")
        for taker in takers:
            taker.cancel()
        await asyncio.gather(*takers, return_exceptions=True)
        work = await room.take(Client(b"f5"), "3", "")
        assert work.report().added == 1
        assert not list(room)

    class Silent(Client):
        async def stream(self) -> Any:
            await asyncio.sleep(3600)
            yield b""

    finish(crowd())


def test_a_file_has_at_most_so_many_bytes_and_games(room, monkeypatch):
    monkeypatch.setattr(importing, "MOST_FILE", 2**20)
    with pytest.raises(MalformedText, match="larger than 1 MB"):
        finish(room.take(Client(b" " * (2**20 + 1)), None, ""))
    monkeypatch.setattr(importing, "MOST_GAMES", 3)
    report = finish(room.take(Client(b"f5\n" * 9), None, "")).report()
    assert (report.added, report.stopped) == (3, True)
    assert "plyground store import" in report.reasons[-1].reason


def test_what_cannot_be_read_takes_its_turns_as_well(monkeypatch):
    monkeypatch.setattr(importing, "TURN_S", 0.0)
    work = Import("it", "x.txt", b"f5\nz9\n" * 5)
    turns = 0
    while not work.is_over:
        assert len(work.read()) <= 1
        turns += 1
    assert turns >= 10
    assert (work.report().read, work.report().rejected) == (5, 5)
