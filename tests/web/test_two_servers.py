"""Servers that share a store: each answers with the state, whoever stored the moves before."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import asking
import httpx
import pytest
from patience import until
from postgres_server import RestartableServer, postgres_server, restartable_server
from sqlalchemy import make_url
from web_server import Server, web_server

from plyground.store.shelter import count_waiting
from plyground.store.store import Store

MOVES = ["b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"]  # nobody wins before the end


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def store_name(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path_factory.mktemp("store") / "games.db")
        return
    with postgres_server() as url:
        yield url


@pytest.fixture(scope="module")
def servers(
    store_name: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, Server]]:
    folder = tmp_path_factory.mktemp("servers")
    with web_server(folder, store=store_name) as one, web_server(folder, store=store_name) as two:
        yield one, two


class Page:
    """A game under its own name, told to one server or another."""

    def __init__(self) -> None:
        self.uid = secrets.token_hex(16)

    def put(self, server: Server, moves: list[str], **more: object) -> httpx.Response:
        line = {"game": "tictactoe", "moves": moves}
        told = {"line": line, "players": ["human", "human"], **more}
        return asking.put(f"{server.address}api/plays/{self.uid}", json=told)

    def keep(
        self, server: Server, moves: list[str], points: float | None = None, **more: object
    ) -> None:
        answer = self.put(server, moves, **more)
        assert answer.status_code == 200, answer.text
        assert answer.json() == {"uid": self.uid, "moves": moves, "points": points}

    def state(self, server: Server) -> list[str]:
        answer = asking.get(f"{server.address}api/plays/{self.uid}").json()
        return [move["move"] for move in answer["moves"]]


@pytest.fixture
def page() -> Page:
    return Page()


def test_servers_that_save_a_game_in_turn_answer_with_its_state(page, servers, store_name):
    for plies in range(1, len(MOVES)):
        server, other = servers if plies % 2 else servers[::-1]
        page.keep(server, MOVES[:plies])
        assert page.state(other) == MOVES[:plies]
    for server in servers:  # said again to either, it is over once
        page.keep(server, MOVES, 0.5)
    with Store(store_name) as store:
        found = store.find(page.uid)
    assert found is not None
    assert [move.move for move in found.record.moves] == MOVES


@pytest.mark.parametrize(
    ("by_one", "by_two", "then"),
    [
        (5, 2, MOVES[:6]),  # the other took moves back
        (2, 5, MOVES[:3]),  # it was further
        (3, 5, MOVES[:3]),  # and a page that has not heard says again what it said
        (4, 2, ["b2", "a1", "c3", "a2"]),
    ],
)
def test_what_a_page_says_is_stored_whatever_the_other_server_did(
    page, servers, by_one, by_two, then
):
    one, two = servers
    page.keep(one, MOVES[:by_one])
    page.keep(two, MOVES[:by_two])
    page.keep(one, then)
    assert page.state(one) == page.state(two) == then


def test_a_game_that_ended_at_the_other_server_stays_as_it_ended(page, servers):
    one, two = servers
    page.put(one, MOVES[:3])
    page.keep(two, MOVES[:3], 0.0, resigned=0)
    page.keep(one, MOVES[:3], 0.0, resigned=0)
    put_on = page.put(one, MOVES[:4])  # played on, it is another game
    assert put_on.status_code == 200
    assert put_on.json()["uid"] != page.uid
    assert put_on.json()["moves"] == MOVES[:4]
    assert page.state(two) == MOVES[:3]


def test_two_servers_at_the_same_time_never_mix_their_moves(page, servers):
    lines = [MOVES[:6], ["a1", "b2", "c3", "c2", "a3"]]

    def save(number: int) -> None:
        for plies in range(1, len(lines[number]) + 1):
            page.keep(servers[number], lines[number][:plies])

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(save, (0, 1)))
    assert any(page.state(servers[0]) == line[: len(page.state(servers[0]))] for line in lines)
    assert page.state(servers[0]) == page.state(servers[1]) != []


# ------------------------------------------------------------------ PostgreSQL


@pytest.fixture
def served() -> Iterator[RestartableServer]:
    with restartable_server(synchronous_commit="on") as server:
        yield server


def test_a_page_plays_on_while_the_database_is_away_and_its_game_gets_there(page, served, tmp_path):
    with web_server(tmp_path, store=served.url, PLYGROUND_STORE_WAIT="1ms") as server:
        page.keep(server, MOVES[:2])
        served.stop("SIGKILL")
        for plies in (3, 4):
            page.keep(server, MOVES[:plies])
        assert page.state(server) == MOVES[:4]
        answer = asking.get(f"{server.address}api/store/games")
        assert answer.status_code == 503
        assert re.match(r"store postgresql.* cannot be used: ", answer.json()["error"])
        served.start()
        url = make_url(served.url)
        until(lambda: count_waiting(url) == 0)  # without anybody asking for it
        until(lambda: asking.get(f"{server.address}api/store/games").status_code == 200)
        page.keep(server, MOVES, 0.5)
    with Store(served.url) as store:
        [game] = store.whole()
    assert (game.uid, [move.move for move in game.record.moves]) == (page.uid, MOVES)


def test_a_server_starts_without_its_database(page, served, tmp_path):
    served.stop()
    with web_server(tmp_path, store=served.url) as server:
        page.keep(server, MOVES[:2])
        served.start()
        until(lambda: asking.get(f"{server.address}api/store/games").status_code == 200)
        page.keep(server, MOVES[:3])
        assert page.state(server) == MOVES[:3]
    with Store(served.url) as store:
        assert [len(each.record.moves) for each in store.whole()] == [3]
