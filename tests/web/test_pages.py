"""What holds for every page: it loads from this machine alone, and people get around by keys."""

from __future__ import annotations

import asyncio
import json
import mimetypes
import re
import socket
import struct
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

import asking
import httpx
import pytest
from expecting import expect
from hypothesis import given, settings
from hypothesis import strategies as st
from lab_tools import PLAIN
from web_server import A_MOMENT, CALM, Server, settled, started, web_server
from websockets.exceptions import InvalidStatus

from plyground.web.app import ROUTES, Options, make_app

PAGES = [
    *("", "play", "analyse", "tree", "lab", "lab/double-card", "tournaments", "train"),
    *("games", "learn", "learn/minimax", "settings"),
]
# What is pressed, and what else is there to press it on.
KEYS_ON = {
    "play": "play?game=othello&first=human&second=human&moves=f5_d6&lines=f5_d6_c3",
    "watching": "play?game=othello&first=random&second=random&moves=f5",
    "cards": "play?game=double-card&first=human&second=human",
    "analyse": "analyse?game=othello&moves=f5_d6(f4)_c3&path=0.0",
    "tree": "tree?visit=3",
    "games": "games",
    "settings": "settings",
}
PRESSED_BEFORE = {"games": ["ArrowDown", "ArrowDown", "ArrowLeft"]}  # not to be at any end
NOTE_COPIES = """
    window.copied = [];
    navigator.clipboard.writeText = async (text) => void copied.push(text);
"""
# All that a key may change for whoever looks or goes on: drawing the same again is nothing.
SEEN = """() => {
    const page = document.body.cloneNode(true);
    for (const clock of page.querySelectorAll(".clock")) clock.remove();
    const fields = [...document.querySelectorAll("input, select, textarea")];
    const values = fields.map((each) => [each.value, each.checked]);
    const all = [...document.querySelectorAll("*")];
    const scrolled = all.filter((each) => each.scrollTop).map((each) => each.scrollTop);
    const focus = all.indexOf(document.activeElement);
    return JSON.stringify([page.innerHTML, location.href, copied, values, focus, scrolled]);
}"""


@pytest.mark.parametrize("path", PAGES)
def test_every_page_loads_with_one_heading_and_fits_a_phone(page, path):
    page.set_viewport_size({"width": 375, "height": 667})
    settled(page, path)
    expect(page.locator("h1")).to_have_count(1)
    expect(page.locator("main")).not_to_be_empty()
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


@pytest.mark.parametrize("game", ["connect4", "double-card", "kalah", "mnk", "othello"])
def test_every_board_fills_a_phone_without_scrolling_sideways(page, game):
    page.set_viewport_size({"width": 375, "height": 667})
    page.goto(f"play?game={game}&first=human&second=human")
    expect(page.get_by_role("grid")).to_be_visible()
    assert page.get_by_role("grid").bounding_box()["width"] >= 0.9 * 375
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_bar_moves_and_engine_can_be_reached_on_a_phone(page):
    page.set_viewport_size({"width": 375, "height": 667})
    page.goto("analyse?game=othello&moves=f5")
    expect(page.locator(".eval-bar")).to_be_in_viewport()
    for name in ("Moves", "Engine"):
        page.get_by_role("group", name="Panels").get_by_role("button", name=name).click()
        region = page.get_by_role("region", name=name, exact=True)
        region.scroll_into_view_if_needed()
        expect(region).to_be_in_viewport()


@pytest.mark.parametrize("path", ["play?second=human", "analyse?moves=f5"])
def test_board_and_moves_are_seen_without_scrolling_on_a_desk(page, path):
    page.goto(path)
    expect(page.get_by_role("gridcell")).to_have_count(64)
    wanted = [page.get_by_role("grid"), page.get_by_role("region", name="Moves", exact=True)]
    if path.startswith("analyse"):
        wanted.append(page.get_by_role("region", name="Engine", exact=True))
    for each in wanted:
        box = each.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + min(box["height"], 100) <= 900
    grid = page.get_by_role("grid").bounding_box()
    assert grid["y"] + grid["height"] <= 900


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
    button.click()
    expect(button).to_have_accessible_name("Theme: high contrast")
    assert luminance(page) == 0
    button.click()
    expect(button).to_have_accessible_name("Theme: as the system")
    assert luminance(page) > 0.8


def test_a_system_that_asks_for_more_contrast_gets_it(page):
    page.emulate_media(contrast="more", color_scheme="light")
    page.goto("settings")
    expect(page.get_by_label("Theme").first).to_be_visible()
    assert luminance(page) == 0
    page.emulate_media(contrast="no-preference")
    expect(page.locator("html")).not_to_have_attribute("data-theme", "contrast")
    assert luminance(page) > 0.8


def test_settings_tell_where_things_are_kept_and_which_keys_there_are(page, server):
    page.goto("settings")
    store = page.locator("section", has=page.get_by_role("heading", name="Store"))
    expect(store).to_contain_text(str(server.store))
    expect(store).to_contain_text(str(server.store.parent))
    keys = page.locator("section", has=page.get_by_role("heading", name="Keys"))
    expect(keys.locator("dt")).to_have_text(["?", "Ctrl+k"])


def test_home_offers_ready_positions_that_open(page):
    page.goto("")
    lists = page.get_by_role("list", name=re.compile("^Positions of"))
    expect(lists).to_have_count(7)
    expect(lists.get_by_role("link")).to_have_count(21)
    page.get_by_role("link", name="Endgame: FFO 40").click()
    expect(page.locator("h1")).to_have_text("Othello: analysis")
    expect(page.get_by_role("gridcell", name=re.compile("empty"))).to_have_count(20)
    page.go_back()
    page.get_by_role("link", name="A line of dots").click()
    expect(page.locator("h1")).to_have_text("Double Card: analysis")
    expect(page.locator(".tree-move")).to_have_count(9)
    page.go_back()
    page.get_by_role("link", name="A deep cut").click()
    expect(page.get_by_label("Tree", exact=True)).to_have_value("deep-cut")


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


def keys_of(page) -> list[str]:
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet).to_be_visible()
    keys = sheet.locator("dt").all_inner_texts()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    return keys


def settle(page, name: str) -> str:
    """Open a page, and bring it to where every key has something to do; what is seen of it."""
    settled(page, KEYS_ON[name])
    if name == "watching":
        page.get_by_role("button", name="Pause").click()
    for key in PRESSED_BEFORE.get(name, ()):
        page.keyboard.press(key)
        page.wait_for_function(CALM)
    page.evaluate(A_MOMENT)
    return page.evaluate(SEEN)


@pytest.fixture(scope="module")
def games_in_store(server: Server) -> None:
    for number, moves in enumerate((["f5"], ["f5", "d6"], ["f5", "d6", "c3"], ["f5", "f6"])):
        game = {"line": {"game": "othello", "moves": moves}, "players": ["human", "human"]}
        kept = asking.put(f"{server.address}api/plays/{number:032x}", json=game)
        assert kept.status_code == 200


QUICK = ("play", "games", "settings")


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=[] if each in QUICK else pytest.mark.full) for each in KEYS_ON],
)
def test_every_key_on_the_sheet_does_something(page, games_in_store, name):
    page.add_init_script(NOTE_COPIES)
    page.add_init_script("localStorage.setItem('plyground.pace', '4000')")
    before = settle(page, name)
    page.keyboard.press("q")  # which is nobody's
    page.evaluate(A_MOMENT)
    assert page.evaluate(SEEN) == before
    keys = keys_of(page)
    everywhere = {"?", "Ctrl+k"}
    assert everywhere <= set(keys)
    for key in keys if name == "settings" else [each for each in keys if each not in everywhere]:
        before = settle(page, name)
        page.keyboard.press(key.replace("Ctrl", "Control"))
        page.wait_for_function(f"(before) => ({SEEN})() !== before", arg=before)


@pytest.mark.parametrize(
    ("opener", "name"),
    [
        ("Keyboard shortcuts", "Keyboard shortcuts"),
        ("Commands", "Commands"),
        ("New game …", "New game"),
    ],
)
def test_escape_closes_a_dialog_and_gives_the_focus_back(page, opener, name):
    page.goto("play?game=othello&first=human&second=human")
    button = page.get_by_role("button", name=opener)
    button.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name=name)
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(button).to_be_focused()


# Those of a report in its frame too, where one radio button is a stop for all of its group.
CONTROLS = """
() => {
    const kinds = "a[href], button, input, select, textarea, summary, [tabindex='0']";
    const isInGroup = (e) => e.type === "radio" && !e.checked;
    const canHaveFocus = (e) => !e.disabled && e.tabIndex >= 0 && !e.closest("[inert]");
    const inside = [...document.querySelectorAll("iframe")].map((e) => e.contentDocument);
    const all = [document, ...inside].flatMap((each) => [...each.querySelectorAll(kinds)]);
    const wanted = all.filter((e) => e.checkVisibility() && canHaveFocus(e) && !isInGroup(e));
    wanted.forEach((e, index) => (e.dataset.number = index));
    return wanted.map((e) => e.outerHTML.slice(0, 100));
}
"""
FOCUSED = """
() => {
    const outer = document.activeElement;
    const e = outer.contentDocument?.activeElement ?? outer;
    const { outlineStyle, outlineWidth } = getComputedStyle(e);
    const ring = outlineStyle === "none" ? 0 : parseFloat(outlineWidth);
    const html = e.outerHTML.slice(0, 100);
    const isFrame = e !== outer && e.tagName === "BODY";
    return { number: e.dataset.number, isBody: e === document.body, isFrame, ring, html };
}
"""


@pytest.mark.parametrize("path", [*PAGES, "play?game=double-card&second=human"])
def test_tab_reaches_every_control_and_the_focus_is_seen(page, path):
    settled(page, path)
    expect(page.get_by_text("Making the report …")).to_have_count(0)
    controls = page.evaluate(CONTROLS)
    reached = set()
    for _ in range(len(controls) + 20):  # a list that scrolls is a stop of its own, a frame too
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused["isBody"]:
            break
        assert focused["ring"] >= 2 or focused["isFrame"], focused["html"]
        if focused["number"] is not None:
            reached.add(int(focused["number"]))
    assert [html for number, html in enumerate(controls) if number not in reached] == []


def test_without_motion_a_move_is_done_in_one_frame(page):
    page.emulate_media(reduced_motion="reduce")
    page.goto("play?game=connect4&first=human&second=human")
    expect(page.get_by_role("gridcell")).to_have_count(42)
    content, running = page.evaluate(
        """async () => {
            document.querySelector("[data-cell='3']").click();
            await new Promise(requestAnimationFrame);
            const { content } = document.querySelector("[data-cell='38']").dataset;
            return [content, document.getAnimations().length];
        }"""
    )
    assert content == "first"
    assert running == 0


def test_with_motion_a_disc_falls(page):
    page.goto("play?game=connect4&first=human&second=human")
    expect(page.get_by_role("gridcell")).to_have_count(42)
    moving = page.evaluate(
        """() => {
            document.querySelector("[data-cell='3']").click();
            return document.getAnimations().length;
        }"""
    )
    assert moving == 1


def box_of_board(page) -> tuple[float, ...]:
    box = page.locator("g-board").bounding_box()
    return tuple(round(box[each]) for each in ("x", "y", "width", "height"))


@pytest.mark.parametrize("width", [1440, 375])
def test_the_board_stays_where_it_is_while_a_machine_thinks(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("play?game=connect4&first=human&second=alphabeta:time=300s")
    expect(page.get_by_role("gridcell")).to_have_count(42)
    before = box_of_board(page)
    players = page.get_by_role("region", name="Players")
    beside = players.bounding_box()
    page.locator("[data-cell='38']").click()
    expect(page.get_by_role("button", name="Move now")).to_be_visible()
    assert box_of_board(page) == before
    assert players.bounding_box() == beside
    page.get_by_role("button", name="Move now").click()
    expect(page.locator(".move-list li")).to_have_count(2, timeout=180_000)
    assert box_of_board(page) == before
    assert players.bounding_box() == beside


def test_the_board_stays_where_it_is_during_an_analysis(page):
    page.goto("analyse?game=tictactoe")
    expect(page.get_by_role("gridcell")).to_have_count(9)
    before = box_of_board(page)
    page.get_by_role("switch", name="Engine").click()
    expect(page.get_by_test_id("engine-figures")).to_contain_text("depth", timeout=180_000)
    assert box_of_board(page) == before
    page.get_by_role("switch", name="Engine").click()
    expect(page.get_by_test_id("engine-figures")).to_contain_text("off")
    assert box_of_board(page) == before


def test_the_app_can_be_installed(page):
    page.goto("")
    expect(page.locator("h1")).to_have_count(1)
    session = page.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("app.webmanifest")
    found = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each["errorId"] for each in found if each["errorId"] != "in-incognito"] == []


def test_the_app_can_be_installed_from_elsewhere_too(browser, tmp_path):
    with started(tmp_path, "--host", "127.0.0.2") as address:
        context = browser.new_context()
        page = context.new_page()
        page.goto(address)
        expect(page.locator("h1")).to_have_count(1)
        manifest = context.new_cdp_session(page).send("Page.getAppManifest")
        assert manifest["errors"] == []
        assert json.loads(manifest["data"])["name"] == "Plyground"
        context.close()


def test_the_icon_of_a_phone_is_a_picture_that_it_can_show(server):
    """A PNG without transparency, which would be black there."""
    link = re.search(r'rel="apple-touch-icon" href="/([^"]+)"', asking.get(server.address).text)
    assert link
    picture = asking.get(server.address + link[1])
    assert picture.headers["content-type"] == "image/png"
    signature, size, depth_and_kind = (
        picture.content[:8],
        struct.unpack(">II", picture.content[16:24]),
        tuple(picture.content[24:26]),
    )
    assert (signature, size) == (b"\x89PNG\r\n\x1a\n", (180, 180))
    assert depth_and_kind == (8, 2)  # three colours and nothing else


def test_a_late_page_does_not_take_the_place_of_the_next(page):
    page.goto("settings")
    expect(page.locator("h1")).to_have_text("Settings")
    held = []
    page.route("**/api/position", lambda route: held.append(route))
    page.get_by_role("link", name="Play").click()
    expect(page.locator("h1")).to_have_count(0)
    page.wait_for_url("**/play")
    page.get_by_role("link", name="Games").click()
    expect(page.locator("h1")).to_have_text("Games")
    with page.expect_response("**/api/position"):
        held[0].continue_()
    page.evaluate(A_MOMENT)
    expect(page.locator("h1")).to_have_text("Games")
    assert page.url.endswith("/games")


def test_the_palette_goes_to_a_page(page):
    page.goto("")
    expect(page.locator("h1")).to_have_text("Plyground")
    page.keyboard.press("Control+k")
    page.keyboard.type("tour")
    page.keyboard.press("Enter")
    page.wait_for_url("**/tournaments")
    expect(page.locator("h1")).to_have_text("Tournaments")


def test_a_lost_server_is_told_and_its_return_noticed(browser, tmp_path: Path):
    with web_server(tmp_path, **PLAIN) as first:
        port = first.port
        context = browser.new_context(base_url=first.address)
        page = context.new_page()
        page.goto("analyse?game=tictactoe")
        page.get_by_role("switch", name="Engine").click()
        expect(page.get_by_test_id("engine-figures")).to_contain_text("depth", timeout=180_000)
        first.kill()
    expect(page.get_by_role("alert")).to_contain_text("Disconnected")
    with web_server(tmp_path, port, **PLAIN):
        expect(page.get_by_role("alert")).to_be_hidden()
        page.get_by_role("gridcell").first.click()
        expect(page.locator(".tree-move")).to_have_text("1. a1")
        context.close()


def test_every_page_tells_of_a_lost_server_and_goes_on_when_it_is_back(browser, tmp_path: Path):
    with web_server(tmp_path, **PLAIN) as first:
        port = first.port
        context = browser.new_context(base_url=first.address)
        pages = {}
        for path in PAGES:
            pages[path] = context.new_page()
            settled(pages[path], path)
            expect(pages[path].locator(".banner")).to_be_hidden()
        first.kill()
    for page in pages.values():
        expect(page.locator(".banner")).to_have_text("Disconnected, retrying …")
        expect(page.locator(".banner")).to_be_visible()
    with web_server(tmp_path, port, **PLAIN):
        for path, page in pages.items():
            page.bring_to_front()  # or the browser takes its time to draw it
            expect(page.locator(".banner")).to_be_hidden()
            other = "Games" if path == "settings" else "Settings"
            page.get_by_role("navigation").get_by_role("link", name=other).click()
            expect(page.locator("h1")).to_have_text(other)
        context.close()


QUIET_PAGES = ["play?game=othello&first=human&second=human", "analyse", "games", "settings"]


@pytest.mark.parametrize("path", QUIET_PAGES)
def test_a_page_that_asks_nothing_itself_tells_of_a_lost_server_within_three_seconds(
    lone_page, path
):
    lone_page.clock.install()
    lone_page.goto(path)
    expect(lone_page.locator("h1")).to_have_count(1)
    expect(lone_page.locator(".banner")).to_be_hidden()
    lone_page.route("**/api/**", lambda route: route.abort())
    before = lone_page.locator("#main").bounding_box()
    lone_page.clock.run_for(3000)
    expect(lone_page.locator(".banner")).to_be_visible()
    assert lone_page.locator("#main").bounding_box() == before, "nothing jumps"
    lone_page.unroute("**/api/**")
    lone_page.clock.run_for(3000)
    expect(lone_page.locator(".banner")).to_be_hidden()
    lone_page.watch.problems.clear()  # a browser complains of every question that fails


def test_a_page_that_nobody_sees_does_not_ask_whether_the_server_is_there(lone_page):
    lone_page.clock.install()
    settled(lone_page, "settings")
    asked = []
    lone_page.on("request", lambda request: asked.append(request.url))
    see = """(isHidden) => {
        Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    lone_page.evaluate(see, True)
    lone_page.clock.run_for(60_000)
    assert asked == []
    with lone_page.expect_request("**/api/about"):
        lone_page.evaluate(see, False)


def test_a_page_for_which_there_is_no_room_is_told_so(page):
    reason = "at most 200 pages may ask for searches at a time; close some"
    page.route_web_socket("**/ws/engine", lambda asked: asked.close(code=1013, reason=reason))
    page.goto("analyse?game=tictactoe")
    page.get_by_role("switch", name="Engine").click()
    expect(page.locator(".toast.error")).to_contain_text(reason)
    expect(page.locator(".banner")).to_be_hidden()


def test_foreign_hosts_and_pages_are_refused(server):
    def status(method: str, path: str, **headers: str) -> int:
        url = f"http://127.0.0.1:{server.port}{path}"
        body = {"game": "othello"} if method == "POST" else None
        return asking.request(method, url, headers=headers, json=body).status_code

    own = f"http://127.0.0.1:{server.port}"
    assert status("GET", "/") == 200
    assert status("GET", "/", host="evil.test") == 403
    assert status("POST", "/api/position", origin=own) == 200
    assert status("POST", "/api/position", origin="http://evil.test") == 403


def test_sockets_of_foreign_hosts_and_pages_are_refused(server):
    own = f"http://127.0.0.1:{server.port}"

    def open_socket(host: str, origin: str) -> Any:
        line = socket.create_connection(("127.0.0.1", server.port), asking.PATIENCE_S)
        address = f"ws://{host}:{server.port}/ws/engine"
        return asking.connect(address, sock=line, origin=origin)

    evil = f"http://evil.test:{server.port}"
    for host, origin in (("127.0.0.1", evil), ("evil.test", evil), ("evil.test", own)):
        with pytest.raises(InvalidStatus) as refused:
            open_socket(host, origin)
        assert refused.value.response.status_code == 403
    with open_socket("127.0.0.1", own) as opened:
        opened.send('{"type":"ping"}')
        assert opened.recv(asking.PATIENCE_S) == '{"type":"pong"}'


def test_scripts_are_scripts_even_where_the_system_says_otherwise():
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(make_app(Options()))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.get("/static/any/main.js")

    mimetypes.add_type("text/plain", ".js")
    try:
        with ThreadPoolExecutor(1) as thread:  # the browser's driver has a loop in this one
            answer = thread.submit(lambda: asyncio.run(ask())).result()
    finally:
        mimetypes.init()
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/javascript")


def test_scripts_are_scripts_and_the_policy_allows_nothing_foreign(server):
    page = asking.get(server.address)
    script = re.search(r'src="(/static/[^"]+main.js)"', page.text)
    assert script
    answer = asking.get(server.address.rstrip("/") + script[1])
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert page.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["../app.py", "%2e%2e/app.py", "lib/../../app.py", "nothing.js"])
def test_nothing_but_its_own_files_is_served(server, path):
    answer = asking.get(f"{server.address}static/x/{path}", follow_redirects=True)
    assert answer.status_code == 404


API = [route.path for module in ROUTES for route in module.router.routes]
NAMED = sorted({re.sub(r"{[^}]+}", "{}", path) for path in [*API, "/{name}"] if "{" in path})
CRUEL = [
    *("\0", "a\0.js", "\n", "\ud7ff", "x" * 300, "x" * 5000, "9" * 400, "a" * 32 + "\0"),
    "../" * 20 + "etc/passwd",
]


@pytest.mark.parametrize("path", NAMED)
@settings(max_examples=10)
@given(names=st.lists(st.sampled_from(CRUEL) | st.text(max_size=20), min_size=1, max_size=10))
def test_no_name_in_an_address_makes_the_server_fail(server, path, names):
    with httpx.Client(base_url=server.address, headers=asking.token_for(server.address)) as client:
        for name in names:
            where = path.format(*[quote(name, safe="")] * path.count("{}"))
            answer = client.get(where, timeout=asking.PATIENCE_S)
            assert answer.status_code < 500
            if path.startswith("/static/"):
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
    answer = asking.post(f"{server.address}api/position", json=body)
    assert answer.status_code == status
    assert text in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
