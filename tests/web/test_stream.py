"""The engine's socket: the newest search wins, nothing piles up, and a page that goes stops it."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import socket
import threading
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
import uvicorn
from websockets.sync.client import ClientConnection, connect

from plyground.web import engine_socket
from plyground.web.app import Options, make_app
from plyground.web.engine_socket import SHORTEST_S, _Newest
from plyground.web.thinking import ThinkingRoom, Thought

T = TypeVar("T")
WAIT_S = 180.0  # the first search of a game may have to be compiled
LONG_S = 600.0
OPENING = {"game": "othello", "moves": ["f5", "d6"]}  # an analysis without end


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A real server with a place for one search at a time."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(make_app(Options(places=1)), log_level="warning", lifespan="on")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield listening.getsockname()[1]
    server.should_exit = True
    thread.join()
    listening.close()


def run_apart(coroutine: Coroutine[Any, Any, T], make_loop: Any = None) -> T:
    """In a thread of its own: this one may have the event loop of a browser."""

    def run() -> T:
        with asyncio.Runner(loop_factory=make_loop) as runner:
            return runner.run(coroutine)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run).result()


class Page:
    """One end of a socket, as a page has it."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def start(self, job: int, time_s: float = LONG_S, **more: Any) -> None:
        asked = {"type": "start", "job": job, "line": OPENING, "time_s": time_s, **more}
        self.connection.send(json.dumps(asked))

    def stop(self, job: int) -> None:
        self.connection.send(json.dumps({"type": "stop", "job": job}))

    def hear(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.connection.recv(WAIT_S))
        return told

    def has_begun(self) -> None:
        """Wait until its search has a place: the one before may not have ended yet."""
        while self.hear()["type"] not in ("accepted", "begun"):
            pass

    def hear_until(self, kind: str, job: int) -> list[dict[str, Any]]:
        """Everything up to the first message of a kind on a search."""
        heard = [self.hear()]
        while (heard[-1]["type"], heard[-1].get("job")) != (kind, job):
            heard.append(self.hear())
        return heard


@contextlib.contextmanager
def page_on(port: int) -> Iterator[Page]:
    address = f"ws://127.0.0.1:{port}/ws/engine"
    with connect(address, origin=f"http://127.0.0.1:{port}") as connection:
        yield Page(connection)


# ------------------------------------------------------------------ the newest wins


def test_a_new_search_ends_the_one_before(port):
    with page_on(port) as page:
        page.start(1)
        page.hear_until("info", 1)
        page.start(2)
        page.hear_until("info", 2)
        after = [page.hear() for _ in range(5)]
        assert {each["job"] for each in after} == {2}


def test_a_fault_of_ours_is_told_and_the_next_search_goes_on(port, monkeypatch):
    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    with page_on(port) as page:
        with monkeypatch.context() as patch:
            patch.setattr(engine_socket, "work_of", fail)
            page.start(1)
            assert "failed" in page.hear_until("error", 1)[-1]["text"]
        page.start(2)
        page.hear_until("info", 2)


def test_a_search_that_is_ended_says_that_it_was_stopped(port):
    with page_on(port) as page:
        page.start(1)
        page.hear_until("info", 1)
        page.stop(1)
        assert page.hear_until("done", 1)[-1]["reason"] == "stopped"


def test_of_many_searches_asked_for_at_once_the_last_is_made(port):
    with page_on(port) as page:
        for job in range(100):
            page.start(job)
        heard = page.hear_until("info", 99)
    jobs = [each["job"] for each in heard]
    assert jobs == sorted(jobs)
    assert [each["type"] for each in heard if each["job"] == 99][-1] == "info"


def test_to_stop_an_older_search_does_not_touch_the_newer(port):
    with page_on(port) as page:
        page.start(7)
        page.hear_until("info", 7)
        page.stop(6)
        assert [page.hear()["type"] for _ in range(3)] == ["info"] * 3


def test_a_page_is_heard_while_its_search_runs(port):
    with page_on(port) as page:
        page.start(1)
        page.hear_until("info", 1)
        page.connection.send('{"type":"ping"}')
        assert page.hear_until("pong", None)  # type: ignore[arg-type]


def test_what_cannot_be_searched_is_refused_in_one_line(port):
    with page_on(port) as page:
        page.start(1, line={"game": "othello", "moves": ["a1"]})
        told = page.hear_until("error", 1)[-1]
        assert "a1 is illegal" in told["text"]
        assert "\n" not in told["text"]
        page.start(2, time_s=0.01)
        page.hear_until("done", 2)


# ------------------------------------------------------------------ nothing piles up


class OwnTime(asyncio.SelectorEventLoop):
    """Time passes when everybody waits, and at once: a busy machine takes none of it."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0
        select = self._selector.select

        def pass_time(timeout: float | None = None) -> Any:
            self.now_s += timeout or 0.0
            return select(0 if timeout is not None else None)

        self._selector.select = pass_time

    def time(self) -> float:
        return self.now_s


def test_at_most_eight_things_are_told_in_a_second():
    async def tell() -> list[tuple[float, int, int]]:
        loop, newest, heard = asyncio.get_running_loop(), _Newest(), list[tuple[float, int, int]]()

        async def search() -> None:
            for depth in range(3000):
                newest.put("info", {"depth": depth})
                await asyncio.sleep(0.001)
            newest.close()

        searching = asyncio.create_task(search())
        async for _, data in newest:
            heard.append((loop.time(), data["seq"], data["depth"]))
        await searching
        return heard

    times, numbers, depths = zip(*run_apart(tell(), OwnTime), strict=True)
    pauses = [after - before for before, after in itertools.pairwise(times)]
    assert times[0] == 0.0  # the first at once
    assert all(pause > SHORTEST_S - 1e-6 for pause in pauses[:-1])  # and the last
    assert 3 / SHORTEST_S - 2 <= len(times) <= 3 / SHORTEST_S + 2
    assert numbers == tuple(range(1, len(times) + 1))
    assert depths[-1] == 2999


def test_what_a_search_tells_is_numbered_and_goes_deeper(port):
    with page_on(port) as page:
        page.start(1, time_s=1.0)
        told = [each for each in page.hear_until("done", 1) if each["type"] == "info"]
    assert told
    assert [each["seq"] for each in told] == list(range(1, len(told) + 1))
    depths = [each["depth"] for each in told]
    assert depths == sorted(depths)


def test_only_the_newest_of_each_kind_waits_to_be_told():
    async def tell() -> list[tuple[str, int]]:
        newest, heard = _Newest(), list[tuple[str, int]]()
        for number in range(1000):
            newest.put("info", {"number": number})
            newest.put("compiling", {"number": number})
        newest.close()
        async for kind, data in newest:
            heard.append((kind, data["number"]))
        return heard

    assert run_apart(tell()) == [("info", 999), ("compiling", 999)]


def test_between_two_things_told_there_is_a_pause():
    async def tell() -> list[float]:
        loop, newest, times = asyncio.get_running_loop(), _Newest(), list[float]()
        loop.call_soon(newest.put, "info", {})
        async for _ in newest:
            times.append(loop.time())
            newest.put("info", {})
            if len(times) == 3:
                return times
        raise AssertionError

    times = run_apart(tell())
    assert min(b - a for a, b in itertools.pairwise(times)) >= SHORTEST_S


def test_the_last_thing_told_waits_for_no_pause(monkeypatch):
    monkeypatch.setattr(engine_socket, "SHORTEST_S", 3600.0)

    async def tell() -> list[str]:
        loop, newest = asyncio.get_running_loop(), _Newest()
        newest.put("info", {"text": "first"})
        loop.call_later(0.01, newest.put, "info", {"text": "second"})
        loop.call_later(0.02, newest.put, "info", {"text": "third"})
        loop.call_later(0.03, newest.close)
        return [data["text"] async for _, data in newest]

    assert run_apart(tell()) == ["first", "third"]


# ------------------------------------------------------------------ pages that go


def test_a_page_that_goes_stops_its_search(port):
    with page_on(port) as waiting:
        with page_on(port) as busy:
            busy.start(1)
            busy.hear_until("info", 1)
            waiting.start(1)
            assert waiting.hear() == {"type": "waiting", "job": 1}
        assert waiting.hear_until("info", 1)  # the only place is free again


def test_a_connection_that_breaks_stops_its_search(port):
    with page_on(port) as waiting, page_on(port) as busy:
        busy.start(1)
        busy.hear_until("info", 1)
        waiting.start(1)
        assert waiting.hear()["type"] == "waiting"
        busy.connection.socket.shutdown(socket.SHUT_RDWR)  # without a word
        assert waiting.hear_until("info", 1)


def test_a_search_that_waits_can_be_taken_back(port):
    with page_on(port) as busy, page_on(port) as waiting:
        busy.start(1)
        busy.hear_until("info", 1)
        waiting.start(1)
        assert waiting.hear()["type"] == "waiting"
        waiting.stop(1)
        assert waiting.hear() == {"type": "done", "job": 1, "reason": "stopped"}
        assert busy.hear()["type"] == "info"


MOVE = {
    "kind": "move",
    "player": "alphabeta:time=300s",
    "line": {"game": "tictactoe", "moves": []},
}


def test_a_move_is_owed_even_if_the_stop_comes_before_the_beginning(port):
    with page_on(port) as page:
        page.start(1, **MOVE)
        page.stop(1)
        assert page.hear_until("move", 1)[-1]["move"]
        assert page.hear() == {"type": "done", "job": 1, "reason": "stopped"}


def test_a_move_is_owed_even_if_the_stop_comes_while_it_waits(port):
    with page_on(port) as busy, page_on(port) as waiting:
        busy.start(1)
        busy.hear_until("info", 1)
        waiting.start(1, **MOVE)
        assert waiting.hear()["type"] == "waiting"
        waiting.stop(1)
        busy.stop(1)
        assert waiting.hear_until("move", 1)[-1]["move"]


ENDLESS = [
    "alphabeta:depth=60",
    "alphabeta:depth=60,noise=1%",
    "alphabeta:depth=60,ponder=yes",
    "random-start:moves=0,then=alphabeta(depth=60)",
]


def endless(player: str) -> dict[str, Any]:
    """A question that nobody answers within a lifetime, unless told to."""
    return {"kind": "move", "player": player, "line": {"game": "connect4", "moves": ["4"]}}


@pytest.mark.parametrize("player", ENDLESS)
def test_any_player_that_searches_is_stopped(port, player):
    with page_on(port) as page:
        page.start(1, **endless(player))
        page.has_begun()
        page.stop(1)
        [move] = [each for each in page.hear_until("done", 1) if each["type"] == "move"]
        assert move["depth"] >= 1
        assert move["cut"] is False


@pytest.mark.parametrize("player", ENDLESS)
def test_any_player_that_searches_has_no_longer_than_was_said(port, player):
    with page_on(port) as page:
        page.start(1, time_s=0.3, **endless(player))
        move = page.hear_until("move", 1)[-1]
        assert move["cut"] is True
        assert move["depth"] >= 1


def test_a_move_that_took_less_time_was_not_cut(port):
    with page_on(port) as page:
        page.start(1, **endless("alphabeta:depth=2"))
        assert page.hear_until("move", 1)[-1]["cut"] is False


@pytest.mark.parametrize("player", ENDLESS)
def test_a_page_that_goes_stops_any_player(port, player):
    with page_on(port) as waiting:
        with page_on(port) as busy:
            busy.start(1, **endless(player))
            busy.has_begun()
            waiting.start(1)
            assert waiting.hear() == {"type": "waiting", "job": 1}
        assert waiting.hear_until("info", 1)  # the only place is free again


def test_whoever_waited_is_told_when_the_search_begins(port):
    with page_on(port) as busy, page_on(port) as waiting:
        busy.start(1)
        busy.hear_until("info", 1)
        waiting.start(1, **endless("alphabeta:depth=60"))
        assert waiting.hear() == {"type": "waiting", "job": 1}
        busy.stop(1)
        assert waiting.hear()["type"] == "begun"
        waiting.stop(1)
        assert "begun" not in {each["type"] for each in waiting.hear_until("move", 1)}


def test_whoever_need_not_wait_is_not_told_twice(port):
    with page_on(port) as page:
        page.start(1, **endless("alphabeta:depth=2"))
        page.hear_until("done", 1)  # and nobody else is left in the only place
        page.start(2, **endless("alphabeta:depth=2"))
        heard = [each["type"] for each in page.hear_until("done", 2)]
        assert heard == ["accepted", "move", "done"]


def test_what_is_cancelled_before_its_turn_is_not_begun():
    async def think() -> list[object]:
        room, begun = ThinkingRoom(1), threading.Event()
        first = Thought(lambda stop: begun.set() or _until(stop))
        second = Thought(lambda stop: "begun")
        running, queued = (asyncio.create_task(room.think(each)) for each in (first, second))
        await asyncio.to_thread(begun.wait)
        second.cancel()
        early = await queued
        first.cancel()
        results = [early, await running, await room.think(second), room.is_full]
        room.close()
        return results

    assert run_apart(think()) == [None, "stopped", None, False]


def _until(stop: Any) -> str:
    while not stop[0]:
        time.sleep(0.001)
    return "stopped"
