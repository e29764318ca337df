"""What holds for every page: it loads from this machine alone, and people get around by keys."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect
from web_server import web_server
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

PAGES = ["", "play", "analyse", "games", "settings"]


@pytest.mark.parametrize("path", PAGES)
def test_every_page_loads_with_one_heading(page, path):
    page.goto(path)
    expect(page.locator("h1")).to_have_count(1)
    expect(page.locator("main")).not_to_be_empty()


@pytest.mark.parametrize("path", PAGES)
def test_no_page_scrolls_sideways_on_a_phone(page, path):
    page.set_viewport_size({"width": 375, "height": 667})
    page.goto(path)
    expect(page.locator("h1")).to_have_count(1)
    page.wait_for_timeout(300)
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def test_the_board_fills_a_phone(page):
    page.set_viewport_size({"width": 375, "height": 667})
    page.goto("play?game=othello&first=human&second=human")
    box = page.locator("g-board").bounding_box()
    assert box["width"] >= 0.9 * 375


def luminance(page) -> float:
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    red, green, blue = (int(part) / 255 for part in re.findall(r"\d+", colour)[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_theme_follows_the_system_and_can_be_chosen(page):
    page.emulate_media(color_scheme="dark")
    page.goto("")
    assert luminance(page) < 0.2
    page.emulate_media(color_scheme="light")
    assert luminance(page) > 0.8
    button = page.get_by_role("button", name=re.compile("^Theme"))
    button.click()
    button.click()
    expect(button).to_have_accessible_name("Theme: dark")
    assert luminance(page) < 0.2
    page.reload()
    expect(page.get_by_role("button", name="Theme: dark")).to_be_visible()
    assert luminance(page) < 0.2


def test_the_sheet_of_keys_opens_and_gives_the_focus_back(page):
    page.goto("play?game=connect4&first=human&second=human")
    expect(page.get_by_role("gridcell")).to_have_count(42)
    page.get_by_role("link", name="Games").focus()
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet).to_be_visible()
    expect(sheet).to_contain_text("take back")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(page.get_by_role("link", name="Games")).to_be_focused()


def test_the_palette_goes_to_a_page(page):
    page.goto("")
    expect(page.locator("h1")).to_have_text("Plyground")
    page.keyboard.press("Control+k")
    page.keyboard.type("anal")
    page.keyboard.press("Enter")
    page.wait_for_url("**/analyse*")
    expect(page.locator("h1")).to_contain_text("analysis")


def test_a_lost_server_is_told_and_its_return_noticed(browser, tmp_path: Path):
    with web_server(tmp_path) as first:
        port = first.port
        context = browser.new_context(base_url=first.address)
        page = context.new_page()
        page.goto("analyse?game=tictactoe")
        page.get_by_role("switch", name="Engine").click()
        expect(page.get_by_test_id("engine-figures")).to_contain_text("depth", timeout=180_000)
        first.kill()
    expect(page.get_by_role("alert")).to_contain_text("Disconnected", timeout=10_000)
    with web_server(tmp_path, port):
        expect(page.get_by_role("alert")).to_be_hidden(timeout=20_000)
        page.get_by_role("gridcell").first.click()
        expect(page.locator(".tree-move")).to_have_text("1. a1")
        context.close()


def test_foreign_hosts_and_pages_are_refused(server):
    def status(method: str, path: str, **headers: str) -> int:
        url = f"http://127.0.0.1:{server.port}{path}"
        body = {"game": "othello"} if method == "POST" else None
        return httpx.request(method, url, headers=headers, json=body).status_code

    own = f"http://127.0.0.1:{server.port}"
    assert status("GET", "/") == 200
    assert status("GET", "/", host="evil.test") == 403
    assert status("POST", "/api/position", origin=own) == 200
    assert status("POST", "/api/position", origin="http://evil.test") == 403
    with (
        pytest.raises(InvalidStatus),
        connect(f"ws://127.0.0.1:{server.port}/ws/engine", origin="http://evil.test"),
    ):
        pass
    with connect(f"ws://127.0.0.1:{server.port}/ws/engine", origin=own) as socket:
        socket.send('{"type":"ping"}')
        assert socket.recv() == '{"type":"pong"}'


def test_scripts_are_scripts_and_the_policy_allows_nothing_foreign(server):
    page = httpx.get(server.address)
    script = re.search(r'src="(/static/[^"]+main.js)"', page.text)
    assert script
    answer = httpx.get(server.address.rstrip("/") + script[1])
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert page.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["../app.py", "%2e%2e/app.py", "lib/../../app.py", "nothing.js"])
def test_nothing_but_its_own_files_is_served(server, path):
    answer = httpx.get(f"{server.address}static/x/{path}", follow_redirects=True)
    assert answer.status_code == 404


@pytest.mark.parametrize(
    ("body", "status", "text"),
    [
        ({"game": "othelo"}, 400, "did you mean othello"),
        ({"game": "othello", "moves": ["a1"]}, 400, "a1 is illegal"),
        ({"game": "../../etc/passwd"}, 400, "unknown game"),
        ({"game": "os.path"}, 400, "unknown game"),
        ({"gam": "othello"}, 422, "game"),
        ({"game": "othello", "moves": ["x" * 100]}, 422, "moves.0"),
        ({"game": "othello", "moves": ["f5"] * 3000}, 422, "moves"),
    ],
)
def test_bad_questions_are_answered_in_one_line(server, body, status, text):
    answer = httpx.post(f"{server.address}api/position", json=body)
    assert answer.status_code == status
    assert text in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
