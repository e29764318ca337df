"""Pictures of every page, in both themes and at a phone's width, for people to look at.

They lie in the folder that PLYGROUND_SCREENS names, or in the tests' own one.
"""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path
from typing import Any

import asking
import pytest
from analyse_tools import NO_CLIPBOARD, Puppet, figures, found
from expecting import expect
from run_tools import learn_noughts, play_cup, take_run
from web_server import PATIENCE_MS, Server, settled

UID = "00112233445566778899aabbccddeeff"
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"},
    "phone": {
        "viewport": {"width": 375, "height": 667},
        "color_scheme": "light",
        "has_touch": True,
        "is_mobile": True,
    },
    "phone-dark": {
        "viewport": {"width": 375, "height": 667},
        "color_scheme": "dark",
        "has_touch": True,
        "is_mobile": True,
    },
}
HUMANS = "first=human&second=human"
CARDS = "0 4 E 1_0 5 A 1_0 6 D 1_0 3 G 1_0 7 G 2_0 3 D 3"
PAGES = {
    "home": "",
    "othello": f"play?game=othello&{HUMANS}&moves=f5_d6_c3_d3_c4_f4_f6",
    "connect4-won": f"play?game=connect4&{HUMANS}&moves=4_3_4_3_4_3_4",
    "tictactoe": f"play?game=mnk&{HUMANS}&moves=b2_a1_c1_a3_a2",
    "kalah": f"play?game=kalah&{HUMANS}&moves=3",
    "double-card": f"play?game=double-card&{HUMANS}&moves={CARDS}",
    "synthetic": f"play?game=synthetic&{HUMANS}",
    "set-up": "play?game=othello&first=human&second=alphabeta:depth=4,time=2s,ponder=yes",
    "keys": f"play?game=othello&{HUMANS}&moves=f5",
    "palette": "settings",
    "analyse": "analyse?game=othello&moves=f5_d6(f4_c3)_c3_d3",
    "tree": "tree?set=tree%3Ddeep-cut&node=3",
    "tree-large": "tree?game=connect4&depth=5&algo=abmemory&node=1000",
    "tree-two": "tree?set=tree%3Dsiew&algo=scout&with=alphabeta",
    "simulations": "tree?game=othello&algo=uct&sims=300",
    "learn": "learn",
    "chapter": "learn/alpha-beta",
    "lab": "lab",
    "lab-experiment": "lab/double-card",
    "lab-report": "lab/double-card",
    "tournaments": "tournaments",
    "tournament-form": "tournaments",
    "tournament": "tournaments",
    "train": "train",
    "course": "train/mnk.noughts",
    "games": "games",
    "settings": "settings",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    wanted = os.environ.get("PLYGROUND_SCREENS")
    path = Path(wanted) if wanted else tmp_path_factory.mktemp("screens")
    path.mkdir(parents=True, exist_ok=True)
    return path


@pytest.fixture(scope="module")
def game_in_store(server: Server) -> None:
    line = {"game": "othello", "moves": ["f5", "d6", "c3", "d3"]}
    game = {"line": line, "players": ["human", "medium"], "told": []}
    assert asking.put(f"{server.address}api/plays/{UID}", json=game).status_code == 200
    take_run(server.store, "double-card")
    play_cup(server.store.parent)
    learn_noughts(server.address)


def unfold(page: Any, name: str) -> None:
    if name == "set-up":
        page.get_by_role("button", name="New game …").click()
    if name == "keys":
        page.keyboard.press("?")
    if name == "palette":
        page.keyboard.press("Control+k")
    if name in ("set-up", "keys", "palette"):
        expect(page.get_by_role("dialog")).to_be_visible()
    if name == "lab-report":
        chart = page.frame_locator("iframe.report").locator("figure.chart svg").first
        chart.scroll_into_view_if_needed()
        expect(chart).to_be_in_viewport()
    if name == "tournament-form":
        page.get_by_role("button", name="New tournament").click()
    if name == "tournament":
        page.get_by_role("link", name="Cup").click()
        expect(page.get_by_role("table", name="Games").locator("tbody tr")).to_have_count(12)


def colours_in(picture: bytes) -> int:
    """How many different bytes the rows of a PNG have: one or two in an empty picture."""
    data, place = b"", 8
    while place < len(picture):
        [length] = struct.unpack(">I", picture[place : place + 4])
        if picture[place + 4 : place + 8] == b"IDAT":
            data += picture[place + 8 : place + 8 + length]
        place += length + 12
    return len(set(zlib.decompress(data)))


@pytest.mark.full
@pytest.mark.parametrize("look", LOOKS)
def test_every_page_has_its_picture(browser, server, game_in_store, folder, look):
    context = browser.new_context(base_url=server.address, reduced_motion="reduce", **LOOKS[look])
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    size = LOOKS[look]["viewport"]["width"], LOOKS[look]["viewport"]["height"]
    for name, path in PAGES.items():
        settled(page, path)
        unfold(page, name)
        picture = page.screenshot(path=str(folder / f"{name}-{look}.png"))
        assert struct.unpack(">II", picture[16:24]) == size
        assert colours_in(picture) > 100, name
    context.close()


FOUND = [
    *(found("c4 f4 c5 b3 c2 e3 d2 c6", 4), found("e3 f4", 2), found("c6 f4", -39)),
    *(found("c5 f4", -140), found("c7 c2", -300)),
]
PROVEN = [
    *(found("3 3 5", 9, "win"), found("5 3", 11, "win"), found("6 4", 0, "proven")),
    *(found("1 4", 12, "loss"), found("7 4", 4, "loss")),
]


def engine_on(page: Any, path: str = PAGES["analyse"]) -> Puppet:
    puppet = Puppet(page)
    settled(page, path)
    page.get_by_role("switch", name="Engine").click()
    puppet.is_asked()
    return puppet


def streaming(page: Any) -> None:
    puppet = engine_on(page)
    puppet.tell(9, *FOUND, nodes=1_234_567, nps=2_300_000)
    expect(page.locator("g-board .mark[data-best]")).to_be_visible()


def proven(page: Any) -> None:
    engine_on(page, "analyse?game=connect4&moves=4_4").tell(12, *PROVEN, complete=True)
    expect(page.locator(".eval-bar")).to_have_attribute("data-proven", "yes")


def stale(page: Any) -> None:
    streaming(page)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".eval-bar")).to_have_attribute("data-stale", "yes")
    expect(figures(page)).to_have_text("…")


def compiling(page: Any) -> None:
    engine_on(page).say("compiling", text="compiling the search of Othello, the first time only")
    expect(figures(page)).to_contain_text("compiling")


def failed(page: Any) -> None:
    engine_on(page).say("error", text="no such evaluator 'magic'")
    expect(figures(page)).to_contain_text("magic")


def disconnected(page: Any) -> None:
    streaming(page)
    page.route("**/api/**", lambda route: route.abort())
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".banner")).to_be_visible()
    expect(page.get_by_text("Waiting for the server")).to_be_attached()


def without_clipboard(page: Any) -> None:
    page.add_init_script(NO_CLIPBOARD)
    settled(page, PAGES["analyse"])
    page.keyboard.press("c")
    expect(page.get_by_role("dialog")).to_be_visible()


STATES = {
    "streaming": streaming,
    "proven": proven,
    "stale": stale,
    "compiling": compiling,
    "error": failed,
    "disconnected": disconnected,
    "by-hand": without_clipboard,
    "empty": lambda page: settled(page, "analyse?game=othello"),
}


@pytest.mark.full
@pytest.mark.parametrize("look", LOOKS)
def test_every_state_of_analyse_has_its_picture(browser, server, folder, look):
    seen = {}
    for name, bring_about in STATES.items():
        context = browser.new_context(
            base_url=server.address, reduced_motion="reduce", **LOOKS[look]
        )
        page = context.new_page()
        bring_about(page)
        seen[name] = page.screenshot(path=str(folder / f"analyse-{name}-{look}.png"))
        context.close()
    assert len(set(seen.values())) == len(STATES)  # each has its own look
    assert all(colours_in(picture) > 100 for picture in seen.values())


def test_an_empty_picture_is_told_from_a_full_one(browser):
    page = browser.new_page(viewport={"width": 375, "height": 667})
    empty = page.screenshot()
    page.close()
    assert colours_in(empty) < 10
