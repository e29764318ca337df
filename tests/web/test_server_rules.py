"""Who may talk to the server, how much one may ask for, and that searches hold up nobody."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import asking
import httpx
import pytest
from command_line import one_line, run
from hypothesis import example, given
from hypothesis import strategies as st
from starlette.types import Message, Receive, Scope, Send
from terminal import Terminal
from web_server import started
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from plyground.web.bounds import LARGE, MOST_BODY, MOST_JSON, MOST_REQUESTS, MOST_SOCKETS, Bounds
from plyground.web.guard import LOOPBACK, POLICY, Guard
from plyground.web.server import EVERYWHERE, find_place

PATIENCE_S = 180  # a search is compiled first
POSITION = {"game": "tictactoe"}
OPENING = {"game": "othello", "moves": ["f5", "d6"]}  # an analysis without end


def engine(server: Any, **more: Any) -> ClientConnection:
    origin = server.address.rstrip("/")
    return asking.connect(f"ws://127.0.0.1:{server.port}/ws/engine", origin=origin, **more)


def hear(socket: ClientConnection, *kinds: str) -> dict[str, Any]:
    """The next message of one of these kinds."""
    while True:
        told = json.loads(socket.recv(timeout=PATIENCE_S))
        if told["type"] in kinds:
            return told


def start(socket: ClientConnection, job: int, **more: Any) -> None:
    socket.send(json.dumps({"type": "start", "job": job, "line": OPENING, "time_s": 600} | more))


# ------------------------------------------------------------------ the loopback and elsewhere


def test_without_options_only_this_machine_is_listened_to():
    place = find_place("127.0.0.1", 0)
    with place.listening:
        assert place.listening.getsockname()[0] == "127.0.0.1"
    help_text = run("web", "--help").out
    assert "127.0.0.1" in help_text


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "127.0.0.2"])
def test_every_address_demands_a_token_that_cannot_be_guessed(host):
    places = [find_place(host, 0), find_place(host, 0)]
    tokens = {place.token for place in places}
    for place in places:
        place.listening.close()
    assert len(tokens) == 2
    assert all(token and len(token) >= 20 for token in tokens)


def test_a_taken_port_is_told_in_one_line():
    place = find_place("127.0.0.1", 0)
    place.listening.listen()
    with place.listening:
        port = place.listening.getsockname()[1]
        message = one_line(run("web", "--no-browser", "--port", str(port)))
    assert message.startswith(f"cannot listen on 127.0.0.1, port {port}")


def test_with_a_token_nobody_comes_in_without_it(tmp_path):
    with started(tmp_path, "--host", "127.0.0.2") as address:
        base, token = address.split("/?token=")
        assert asking.get(f"{base}/api/about").status_code == 403
        assert asking.get(f"{base}/?token=wrong").status_code == 403
        assert asking.get(f"{base}/api/about", headers={"cookie": "a=b;;="}).status_code == 403
        refused = asking.get(base, headers={"accept": "text/html"})
        assert refused.status_code == 403
        assert refused.headers["content-type"].startswith("text/html")
        assert "Open the address that was printed" in refused.text
        assert "open the address that it printed" in asking.get(base).json()["error"]
        with httpx.Client(base_url=base, timeout=PATIENCE_S) as browser:
            first = browser.get("/", params={"token": token})
            assert first.status_code == 200
            assert "HttpOnly; SameSite=Strict" in first.headers["set-cookie"]
            assert browser.get("/api/about").status_code == 200  # by the cookie
        by_header = asking.get(f"{base}/api/about", headers={"x-plyground-token": token})
        assert by_header.status_code == 200
        where = base.replace("http", "ws") + "/ws/engine"
        with pytest.raises(InvalidStatus), asking.connect(where, origin=base):
            pass
        cookie = {"cookie": f"plyground_token_{urlsplit(base).port}={token}"}
        with asking.connect(where, origin=base, additional_headers=cookie) as socket:
            socket.send('{"type":"ping"}')
            assert json.loads(socket.recv(PATIENCE_S)) == {"type": "pong"}
        with (
            pytest.raises(InvalidStatus),
            asking.connect(where, origin="http://evil.test", additional_headers=cookie),
        ):
            pass


def run_apart(story: Callable[[], Awaitable[None]]) -> None:
    """In a thread of its own: where a browser was driven, the main thread has a loop already."""

    async def whole() -> None:
        await story()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(whole())).result()


def status_of(guard: Guard, host: str, *more: tuple[bytes, bytes], method: str = "GET") -> int:
    told: list[Message] = []

    async def send(message: Message) -> None:
        told.append(message)

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    headers = [(b"host", host.encode("latin-1")), *more]
    scope = {"type": "http", "method": method, "path": "/", "headers": headers, "query_string": b""}
    run_apart(lambda: guard(scope, receive, send))
    return int(told[0]["status"])


async def ok(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.mark.parametrize(
    ("host", "local", "everywhere"),
    [
        ("127.0.0.1:8000", 200, 200),
        ("LOCALHOST", 200, 200),
        ("[::1]:80", 200, 200),
        ("192.168.1.5:8377", 403, 200),
        ("[fe80::1]:8377", 403, 200),
        ("evil.test", 403, 403),
        ("127.0.0.1.evil.test", 403, 403),
        ("", 403, 403),
        ("[::1]evil.test", 403, 403),
        ("[::1]:80evil.test", 403, 403),
        ("[[::1]]", 403, 403),
        ("::1", 403, 403),
        ("localhost:80:80", 403, 403),
        ("localhost:", 403, 403),
        ("evil.test@localhost", 403, 403),
        ("localhost\n", 403, 403),
        ("localhost,evil.test", 403, 403),
    ],
)
def test_a_name_that_is_not_ours_is_refused_whatever_it_leads_to(host, local, everywhere):
    assert status_of(Guard(ok, frozenset(LOOPBACK)), host) == local
    assert status_of(Guard(ok, frozenset(LOOPBACK), None, True), host) == everywhere
    assert "0.0.0.0" in EVERYWHERE


OURS = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE)
LATIN = st.characters(max_codepoint=255)
NEAR = st.sampled_from([*LOOPBACK, ":", "8377", "@", "]", "[", ".", "evil.test", "//", "http:"])
NONSENSE = st.lists(NEAR | st.text(LATIN, max_size=3), max_size=5).map("".join)


@given(NONSENSE)
def test_whatever_is_sent_as_a_host_only_our_own_names_are_served(host):
    expected = 200 if OURS.fullmatch(host) else 403
    assert status_of(Guard(ok, frozenset(LOOPBACK)), host) == expected


# ------------------------------------------------------------------ pages from elsewhere

SCHEMES = ["chrome-extension://", "moz-extension://", "file://", "data:", "ws://", "http://x@", ""]


@given(NONSENSE | st.sampled_from(SCHEMES).map(lambda scheme: scheme + "localhost:1"))
@example("null")
@example("http://localhost:1/")
@example("http://localhost:1, http://localhost:1")
def test_whatever_is_sent_as_an_origin_only_our_own_pages_are_served(origin):
    guard = Guard(ok, frozenset(LOOPBACK))
    is_ours = origin in ("http://localhost:1", "https://localhost:1")
    for method in ("GET", "POST"):
        sent = (b"origin", origin.encode("latin-1"))
        assert status_of(guard, "localhost:1", sent, method=method) == (200 if is_ours else 403)


@pytest.mark.parametrize("name", ["origin", "host"])
@pytest.mark.parametrize("second", ["localhost:1", "http://localhost:1", "http://evil.test", ""])
def test_what_says_twice_where_it_comes_from_or_goes_is_refused(name, second):
    guard = Guard(ok, frozenset(LOOPBACK))
    ours = (b"origin", b"http://localhost:1")
    assert status_of(guard, "localhost:1", ours, method="POST") == 200
    again = (name.encode(), second.encode())
    assert status_of(guard, "localhost:1", ours, again, method="POST") == 403


@pytest.mark.parametrize("path", ["/", "/api/about", "/api/nothing", "/static/x/nothing.js"])
def test_every_answer_forbids_whatever_is_not_ours(server, path):
    headers = asking.get(f"http://127.0.0.1:{server.port}{path}").headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in POLICY
    assert "default-src 'none'" in POLICY
    refused = asking.get(f"http://127.0.0.1:{server.port}{path}", headers={"host": "evil.test"})
    assert refused.status_code == 403
    assert refused.headers["content-security-policy"] == POLICY


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_a_foreign_page_can_change_nothing(server, method):
    address = f"{server.address}api/store/games/1"
    elsewhere = f"https://127.0.0.1:{server.port + 1}"
    for origin in ("http://evil.test", "null", elsewhere, "http://[", "http://[x]", ""):
        assert asking.request(method, address, headers={"origin": origin}).status_code == 403
    silent = {"sec-fetch-site": "cross-site"}
    assert asking.request(method, address, headers=silent).status_code == 403


# ------------------------------------------------------------------ sizes

KINDS = ["application/json", "application/json; charset=utf-8", "application/octet-stream"]


@pytest.mark.parametrize("kind", [*KINDS, ""])
def test_what_is_too_large_is_refused_before_it_is_read_whatever_it_calls_itself(server, kind):
    body = b'{"game": "' + b"x" * MOST_JSON + b'"}'
    answer = asking.post(
        f"{server.address}api/position", content=body, headers={"content-type": kind}
    )
    assert (answer.status_code, answer.json()) == (413, {"error": "that is more than 2 MB"})


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_may_be_larger_whatever_it_calls_itself(server, kind):
    body = b"x" * (MOST_JSON + 1)
    answer = asking.post(
        f"{server.address}api/store/import", content=body, headers={"content-type": kind}
    )
    assert answer.status_code == 400
    assert "more than" not in answer.json()["error"]


def test_a_body_without_a_length_is_not_read_to_its_end():
    taken = 0

    async def endless() -> Message:
        nonlocal taken
        taken += 1
        return {"type": "http.request", "body": b"x" * 2**16, "more_body": True}

    async def read_all(scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive())["type"] == "http.request":
            pass

    async def send(message: Message) -> None:
        raise AssertionError

    headers = [(b"content-type", b"application/json; charset=utf-8")]
    for path, most in (("/api/position", MOST_JSON), (LARGE, MOST_BODY)):
        scope = {"type": "http", "headers": headers, "client": ("1.2.3.4", 5), "path": path}
        taken = 0
        run_apart(lambda scope=scope: Bounds(read_all)(scope, endless, send))
        assert taken == most // 2**16 + 1


@pytest.mark.parametrize(
    ("kind", "most", "refusal"),
    [("http", MOST_REQUESTS, 429), ("websocket", MOST_SOCKETS, 1013)],
)
def test_one_client_has_so_many_questions_at_a_time(kind, most, refusal):
    async def story() -> None:
        release = asyncio.Event()

        async def wait(scope: Scope, receive: Receive, send: Send) -> None:
            await release.wait()

        async def receive() -> Message:
            return {"type": "websocket.connect"}

        told: list[Message] = []

        async def send(message: Message) -> None:
            told.append(message)

        bounds = Bounds(wait)

        def ask(client: str) -> Any:
            scope = {"type": kind, "headers": [], "client": (client, 1), "path": "/"}
            return bounds(scope, receive, send)

        waiting = [asyncio.create_task(ask("1.1.1.1")) for _ in range(most)]
        await asyncio.sleep(0)
        await ask("1.1.1.1")
        # A socket is let in to be told why it is closed: of one that is not, no page hears more.
        assert (told[0]["type"] == "websocket.accept") == (kind == "websocket")
        refused = told[kind == "websocket"]
        assert refused.get("status", refused.get("code")) == refusal
        reason = refused.get("reason", told[-1].get("body", b"").decode())
        assert f"at most {most} " in reason
        another = asyncio.create_task(ask("2.2.2.2"))
        await asyncio.sleep(0)
        assert not another.done()
        release.set()
        await asyncio.gather(*waiting, another)
        await ask("1.1.1.1")  # there is room again
        assert not bounds.requests
        assert not bounds.sockets

    run_apart(story)


# ------------------------------------------------------------------ what a search may cost


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"depth": 61}, "less than or equal to 60"),
        ({"depth": 0}, "greater than or equal to 1"),
        ({"time_s": 601}, "less than or equal to 600"),
        ({"time_s": 0}, "greater than 0"),
        ({"job": -1}, "greater than or equal to 0"),
        ({"line": {"game": "connect4", "moves": ["4"] * 2001}}, "at most 2000 items"),
        ({"line": {"game": "/etc/passwd"}}, "unknown game"),
        ({"kind": "move", "player": 'gtp:command="touch x"'}, "runs a program"),
        ({"kind": "move", "player": 'random-start:then=nboard(command="x")'}, "runs a program"),
        ({"kind": "move", "player": "abmemory:memory=64GB"}, "256 MB at most"),
        ({"kind": "move", "player": "abmemory:threads=64"}, "4 at most"),
        ({"kind": "move", "player": "human"}, "cannot be asked"),
        ({"kind": "move", "player": "nobody"}, "unknown player"),
        ({"evaluator": "nothing"}, "unknown evaluator"),
    ],
)
def test_what_asks_for_too_much_is_refused_with_the_reason(server, asked, reason):
    with engine(server) as socket:
        start(socket, **({"job": 1} | asked))
        told = hear(socket, "error")
        assert reason in told["text"]
        assert "\n" not in told["text"]
        socket.send('{"type":"ping"}')  # and the page goes on
        hear(socket, "pong")


def test_a_message_that_is_too_long_is_refused(server):
    with engine(server) as socket:
        socket.send('{"type":"' + "x" * 300_000 + '"}')
        assert "too long" in hear(socket, "error")["text"]
    with engine(server) as socket, pytest.raises(ConnectionClosed):
        socket.send("x" * 3_000_000)
        socket.recv(timeout=PATIENCE_S)


@given(sent=st.lists(st.binary(max_size=50), max_size=4))
def test_a_binary_message_is_answered_and_the_page_goes_on(server, sent):
    with engine(server) as socket:
        for message in sent:
            socket.send(message)
            assert "not binary" in hear(socket, "error")["text"]
        socket.send('{"type":"ping"}')
        hear(socket, "pong")


def test_a_page_makes_the_server_run_no_file(server, tmp_path):
    marker = tmp_path / "was-run"
    game = tmp_path / "game.py"
    game.write_text(f"open({str(marker)!r}, 'w').close()\n")
    record = {"game": str(game), "players": ["", ""], "moves": [], "points": 1, "ended": "over"}
    text = json.dumps(record | {"seed": 0})
    report = asking.post(f"{server.address}api/store/import?name=x.jsonl", content=text).json()
    assert (report["read"], report["rejected"]) == (0, 1)
    assert "unknown game" in report["reasons"][0]["reason"]
    pasted = asking.post(f"{server.address}api/recognise", json={"text": text})
    assert pasted.status_code == 400
    short = tmp_path.parent / "g.py"  # a name that is not too long to be read
    short.write_text(game.read_text())
    here = {"text": "nonsense", "game": os.path.relpath(short, "/")[:60]}
    assert asking.post(f"{server.address}api/recognise", json=here).status_code == 400
    asked = asking.post(f"{server.address}api/position", json={"game": str(game)})
    assert asked.status_code in (400, 422)
    listed = asking.get(
        f"{server.address}api/store/games", params={"game": str(game), "moves": "1"}
    )
    assert listed.status_code in (400, 422)
    play = {"line": POSITION, "players": ["human", 'gtp:command="sh"']}
    kept = asking.put(f"{server.address}api/plays/{'a' * 32}", json=play)
    assert (kept.status_code, "runs a program" in kept.json()["error"]) == (400, True)
    assert not marker.exists()


# ------------------------------------------------------------------ searches and the rest


def test_a_page_has_one_search_and_the_newest_wins(server):
    with engine(server) as socket:
        start(socket, 1)
        hear(socket, "accepted", "waiting")
        start(socket, 2, line=POSITION)
        kinds = []
        while kinds[-1:] != [("done", 2)]:
            told = hear(socket, "done", "accepted", "waiting", "info")
            kinds.append((told["type"], told["job"]))
        assert ("done", 1) in kinds
        second = [i for i, (_, job) in enumerate(kinds) if job == 2]
        assert kinds.index(("done", 1)) < second[0]


def test_searches_wait_their_turn_hold_up_nobody_and_end_with_their_page(tmp_path):
    from web_server import web_server

    with web_server(tmp_path) as server, contextlib.ExitStack() as pages:
        busy = [pages.enter_context(engine(server)) for _ in range(_processors())]
        for number, socket in enumerate(busy):
            start(socket, number)
            hear(socket, "info")  # it is under way
        waiting = pages.enter_context(engine(server))
        start(waiting, 9)
        assert hear(waiting, "waiting", "accepted")["type"] == "waiting"
        for _ in range(5):  # all processors are busy, and the server answers
            assert asking.post(f"{server.address}api/position", json=POSITION).status_code == 200
        waiting.send('{"type":"ping"}')
        assert hear(waiting, "pong", "info")["type"] == "pong"
        busy[0].close()  # a closed page gives its place away
        assert hear(waiting, "info")["job"] == 9


def _processors() -> int:
    from plyground.web.thinking import ThinkingRoom

    room = ThinkingRoom()
    room.close()
    return room.places


# ------------------------------------------------------------------ starting


def test_the_program_alone_at_a_terminal_opens_the_web_app(tmp_path):
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n')
    browser.chmod(0o755)
    changes = {"PLYGROUND_DATA": str(tmp_path), "BROWSER": str(browser)}
    with Terminal(columns=200, **changes) as terminal:
        printed = terminal.wait_for("Ctrl-C ends it")
        shown = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", printed)
        assert shown
        address = asking.note_address(shown[0])
        while not opened.exists():
            asking.get(address)
        assert opened.read_text().strip() == shown[0]
        assert asking.get(f"{address}api/about").json()["program"] == "Plyground"
        terminal.interrupt()
        assert "Error" not in terminal.wait_for_end()
        assert terminal.process.returncode == 0
    assert (tmp_path / "games.db").exists()


def test_the_program_alone_where_nobody_looks_shows_its_help():
    alone, asked = run(), run("--help")
    assert (alone.status, alone.out) == (0, asked.out)
    assert "Without a command: play and analyse in a" in " ".join(alone.out.split())
