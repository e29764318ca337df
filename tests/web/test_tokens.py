"""The token: kept for its owner, given to the browser once, asked for where it is missing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import asking
import httpx
import pytest
from command_line import one_line, run
from expecting import expect
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import Response
from web_server import started, web_server

from plyground.web.tokens import FILE, Door, kept_token

TOKEN = "an-example-of-a-token"
ELSEWHERE = "http://elsewhere.test/"


# ------------------------------------------------------------------ where it is kept


def test_it_is_the_same_for_all_servers_of_a_folder(data_folder: Path):
    with ThreadPoolExecutor(8) as threads:
        tokens = list(threads.map(lambda _: kept_token(), range(40)))
    assert len(set(tokens)) == 1
    assert (data_folder / FILE).read_text() == tokens[0]


def test_nobody_else_can_read_it(data_folder: Path):
    before = os.umask(0)
    try:
        kept_token()
    finally:
        os.umask(before)
    assert (data_folder / FILE).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "text", ["", "half", "two words that are long enough", "ä" * 30, "\0" * 30]
)
def test_one_that_is_damaged_is_replaced(data_folder: Path, text: str):
    first = kept_token()
    (data_folder / FILE).write_text(text)
    second = kept_token()
    assert second not in (first, text)
    assert kept_token() == second


def test_one_that_others_could_read_is_replaced(data_folder: Path):
    first = kept_token()
    (data_folder / FILE).chmod(0o644)
    second = kept_token()
    assert second != first
    assert kept_token() == second
    assert (data_folder / FILE).stat().st_mode & 0o777 == 0o600


def test_where_nothing_can_be_kept_there_is_one_all_the_same(data_folder: Path):
    data_folder.write_text("this is no folder")
    assert len({kept_token(), kept_token()}) == 2


# ------------------------------------------------------------------ who is let in


def answer(path: str = "/", query: str = "", **headers: str) -> Response | None:
    given = {"host": "127.0.0.1:1", "accept": "text/html", **headers}
    pairs = [(name.replace("_", "-").encode(), text.encode()) for name, text in given.items()]
    scope = {"type": "http", "path": path, "query_string": query.encode(), "headers": pairs}
    return Door(TOKEN).answer(scope)


@pytest.mark.parametrize("path", ["/", "/play", "/api/about", "/nothing"])
def test_who_shows_it_comes_in_whatever_else_is_shown(path):
    """Other programs on this machine have cookies, which no standard holds them to."""
    mine = f"plyground_token_1={TOKEN}"
    for cookie in (mine, f'a={{"b": 1}}; {mine}', f"{mine}; c", f"plyground_token_1=x; {mine}"):
        assert answer(path, cookie=cookie) is None
    assert answer(path, x_plyground_token=TOKEN) is None
    for cookie in (f"plyground_token_2={TOKEN}", f"plyground_token={TOKEN}", mine + "x", ""):
        refused = answer(path, cookie=cookie)
        assert refused is not None
        assert refused.status_code == 403


@pytest.mark.parametrize(
    ("path", "query", "where"),
    [
        ("/", "token={}", "/"),
        ("/play", "game=othello&token={}&moves=f5_d6", "/play?game=othello&moves=f5_d6"),
        ("/", "token=http%3A//127.0.0.1%3A1/%3Ftoken%3D{}", "/"),
        ("//evil.test/", "token={}", "/evil.test/"),
        ("/\\evil.test", "token={}", "/%5Cevil.test"),
        ("/a\r\nb: c", "token={}", "/a%0D%0Ab%3A%20c"),
    ],
)
def test_the_printed_address_leads_to_the_bare_one(path, query, where):
    for site in ("none", "cross-site"):
        told = answer(path, query.format(TOKEN), sec_fetch_site=site)
        assert told is not None
        assert (told.status_code, told.headers["location"]) == (303, where)
        cookie = told.headers["set-cookie"]
        assert cookie.startswith(f"plyground_token_1={TOKEN}; ")
        assert "HttpOnly; SameSite=Strict; Path=/" in cookie
    assert answer("/api/about", f"token={TOKEN}") is None


@given(st.text(), st.text(st.characters(codec="latin-1", exclude_characters="\r\n;")))
def test_nothing_else_is_taken_for_it(address, cookie):
    refused = answer("/api/about", f"token={address}", cookie=f"plyground_token_1={cookie}")
    assert refused is not None
    assert refused.status_code == 403


def test_who_means_it_does_without(tmp_path):
    with started(tmp_path, "--no-token") as address:
        assert "token" not in address
        assert httpx.get(f"{address}api/about", timeout=asking.PATIENCE_S).status_code == 200
    message = one_line(run("web", "--no-browser", "--no-token", "--host", "0.0.0.0"))
    assert message == "without a token only 127.0.0.1 is served, not 0.0.0.0"


# ------------------------------------------------------------------ in a browser


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with started(tmp_path_factory.mktemp("token")) as address:
        yield address


@pytest.fixture
def stranger(browser: Any) -> Iterator[Any]:
    """A page of a browser that was never here."""
    context = browser.new_context()
    context.clear_cookies()
    yield context.new_page()
    context.close()


def test_a_browser_keeps_it_and_shows_it_nowhere(stranger, printed):
    bare = printed.partition("?")[0]
    stranger.goto(printed)
    expect(stranger.locator("h1")).to_have_text("Plyground")
    assert stranger.url == bare
    assert stranger.evaluate("[document.cookie, document.referrer, history.length]") == ["", "", 2]
    [cookie] = stranger.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    assert cookie["expires"] > 0  # it outlasts the window
    stranger.goto(f"{bare}analyse?game=tictactoe")
    stranger.get_by_role("switch", name="Engine").click()  # the socket has it as well
    expect(stranger.get_by_test_id("engine-figures")).to_contain_text("depth", timeout=180_000)


def test_a_bare_address_asks_for_it(stranger, printed):
    bare = printed.partition("?")[0]
    stranger.goto(f"{bare}learn?chapter=1")
    field = stranger.get_by_label("Address or token")
    expect(field).to_be_focused()
    field.fill("nonsense")
    stranger.keyboard.press("Enter")
    expect(stranger.get_by_role("alert")).to_have_text("That is not the token of this server.")
    field.fill(printed)
    stranger.get_by_role("button", name="Open").click()
    expect(stranger.locator("h1")).to_have_text("Learn")
    assert stranger.url == f"{bare}learn?chapter=1"


@pytest.mark.parametrize("knows", [True, False])
def test_a_link_from_elsewhere_opens_as_any_other(stranger, printed, knows):
    """Though with such a link the browser does not send the cookie."""
    bare = printed.partition("?")[0]
    if knows:
        stranger.goto(printed)
    link = f"{bare}settings" if knows else printed.replace("?", "settings?")
    page = f'<a href="{link}">Plyground</a>'
    stranger.route(ELSEWHERE, lambda route: route.fulfill(body=page, content_type="text/html"))
    stranger.goto(ELSEWHERE)
    stranger.get_by_role("link").click()
    expect(stranger.locator("h1")).to_have_text("Settings")
    assert stranger.url == f"{bare}settings"


def test_a_link_from_elsewhere_lets_no_stranger_in(stranger, printed):
    bare = printed.partition("?")[0]
    page = f'<a href="{bare}settings">Plyground</a>'
    stranger.route(ELSEWHERE, lambda route: route.fulfill(body=page, content_type="text/html"))
    stranger.goto(ELSEWHERE)
    stranger.get_by_role("link").click()
    expect(stranger.get_by_label("Address or token")).to_be_visible()


def test_two_servers_on_one_machine_leave_each_other_alone(stranger, printed, tmp_path):
    with started(tmp_path) as other:
        for address in (printed, other, printed, other):
            stranger.goto(address)
            expect(stranger.locator("h1")).to_have_text("Plyground")
        for address in (printed, other):
            stranger.goto(address.partition("?")[0])
            expect(stranger.locator("h1")).to_have_text("Plyground")


def test_it_stays_when_the_server_is_started_again(tmp_path):
    with web_server(tmp_path) as server:
        token = asking.token_for(server.address)
    with web_server(tmp_path) as server:
        assert asking.token_for(server.address) == token != {}
