"""Everybody can use every page: names, labels, landmarks, headings, sizes, contrast, one voice."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asking
import pytest
from expecting import expect
from run_tools import learn_noughts, play_cup, take_run
from web_server import A_MOMENT, Server, fresh_page, settled, shared_profile

UID = "0123456789abcdef0123456789abcdef"
PAGES = {
    "home": "",
    "play": "play?game=othello&first=human&second=human&moves=f5_d6",
    "kalah": "play?game=kalah&first=human&second=human",
    "cards": "play?game=double-card&first=human&second=human&moves=0 2 A 1",
    "watching": "play?game=othello&first=random&second=random&moves=f5",
    "set-up": "play?game=othello&first=human&second=alphabeta:depth=2",
    "analyse": "analyse?game=othello&moves=f5_d6",
    "tree": "tree?set=tree%3Ddeep-cut&node=3",
    "simulations": "tree?game=mnk&algo=uct&sims=100",
    "learn": "learn/alpha-beta",
    "lab": "lab",
    "experiment": "lab/double-card",
    "tournaments": "tournaments",
    "contest": "tournaments",
    "train": "train",
    "course": "train/mnk.noughts",
    "games": "games",
    "settings": "settings",
}
LAYOUTS = {
    "desktop": {"viewport": {"width": 1440, "height": 900}},
    "touch": {"viewport": {"width": 375, "height": 667}, "has_touch": True, "is_mobile": True},
}
LEAST_PX = {"desktop": 24, "touch": 44}
LEAST_CONTRAST = 4.5
SCRIPTS = Path(__file__).parent
AUDIT = (SCRIPTS / "audit_names.js").read_text(encoding="utf-8")
READABLE = (SCRIPTS / "audit_contrast.js").read_text(encoding="utf-8")
VOICES = (SCRIPTS / "audit_voices.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def game_in_store(server: Server) -> None:
    """So that no page is empty."""
    line = {"game": "othello", "moves": ["f5", "d6", "c3"]}
    game = {"line": line, "players": ["human", "random"], "told": []}
    assert asking.put(f"{server.address}api/plays/{UID}", json=game).status_code == 200
    take_run(server.store, "double-card")
    play_cup(server.store.parent)
    learn_noughts(server.address)


@pytest.fixture(scope="module")
def profiles(browser: Any, server: Server, game_in_store: None) -> Iterator[dict[str, Any]]:
    with contextlib.ExitStack() as opened:
        yield {
            name: opened.enter_context(shared_profile(browser, server, **look))
            for name, look in LAYOUTS.items()
        }


@pytest.fixture(params=LAYOUTS)
def layout(request: pytest.FixtureRequest, profiles: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    with fresh_page(profiles[request.param]) as page:
        yield request.param, page


def open_page(page: Any, name: str) -> None:
    page.add_init_script("localStorage.setItem('plyground.pace', '4000')")
    settled(page, PAGES[name])
    if name == "set-up":
        page.get_by_role("button", name="New game …").click()
        expect(page.get_by_role("dialog", name="New game")).to_be_visible()
    if name == "tournaments":
        page.get_by_role("button", name="New tournament").click()
    if name == "train":
        page.get_by_role("button", name="New course").click()
        page.get_by_text("Advanced").click()
    if name == "course":
        known = page.get_by_role("region", name="What it has learned")
        expect(known.get_by_role("img").first).to_be_visible()
    if name == "contest":
        page.get_by_role("link", name="Cup").click()
        expect(page.get_by_role("table", name="Cross-table")).to_be_visible()
        expect(page.get_by_role("table", name="Games").locator("tbody tr")).to_have_count(12)


@pytest.mark.parametrize("name", PAGES)
def test_everything_has_a_name_an_order_and_a_size_and_can_be_read(layout, name):
    which, page = layout
    open_page(page, name)
    assert page.evaluate(AUDIT, LEAST_PX[which]) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(READABLE, LEAST_CONTRAST) == []
    page.evaluate("document.documentElement.dataset.theme = 'contrast'")
    assert page.evaluate(READABLE, LEAST_CONTRAST) == []


def test_the_audit_sees_what_is_wrong(layout):
    which, page = layout
    page.goto("settings")
    expect(page.locator("h1")).to_have_count(1)
    page.evaluate(
        """() => {
            document.querySelector("main h2").outerHTML = "<h4>Deep</h4>";
            const main = document.querySelector("main");
            main.insertAdjacentHTML("beforeend", "<img><button>+</button><input tabindex='3'>");
            main.lastElementChild.id = "main";
        }"""
    )
    found = "\n".join(page.evaluate(AUDIT, LEAST_PX[which]))
    for problem in ("image", "without a name", "without a label", "heading 4", "tabindex", "twice"):
        assert problem in found


TEXTS = ("ink", "soft", "accent", "wrong", "good")
PAIRS = [
    *[(text, ground) for text in TEXTS for ground in ("page", "panel")],
    ("ink", "field"),
    ("on-accent", "accent"),
    ("page", "ink"),
    ("page", "wrong"),
]


@pytest.mark.parametrize(
    ("theme", "least"), [("light", LEAST_CONTRAST), ("dark", LEAST_CONTRAST), ("contrast", 9)]
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colours_of_every_theme_can_be_told_apart(page, scheme, theme, least):
    page.emulate_media(color_scheme=scheme)
    page.add_init_script(f"localStorage.setItem('plyground.theme', '\"{theme}\"')")
    page.goto("settings")
    expect(page.locator("html")).to_have_attribute("data-theme", theme)
    colours = page.evaluate(
        """(names) => names.map((name) => getComputedStyle(document.documentElement)
            .getPropertyValue(`--${name}`).trim())""",
        [name for pair in PAIRS for name in pair],
    )
    ratios = [contrast(*colours[i : i + 2]) for i in range(0, len(colours), 2)]
    told = zip(PAIRS, ratios, strict=True)
    assert [(pair, ratio) for pair, ratio in told if ratio < least] == []


def contrast(one: str, other: str) -> float:
    """By the formula of WCAG 2.2, of two colours written as #rrggbb."""
    dark, light = sorted(_luminance(each) for each in (one, other))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    assert re.fullmatch("#[0-9a-f]{6}", colour)
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_move_is_told_exactly_once(page):
    page.add_init_script(VOICES)
    page.goto("play?game=tictactoe&first=human&second=human")
    expect(page.get_by_role("gridcell")).to_have_count(9)
    page.locator("[data-cell='4']").click()
    expect(page.locator("#speaker")).to_have_text("X plays b2. O to move.")
    page.locator("[data-cell='0']").click()
    expect(page.locator("#speaker")).to_have_text("O plays a1. X to move.")
    assert page.evaluate("said") == ["X plays b2. O to move.", "O plays a1. X to move."]


def test_a_machines_move_is_told_exactly_once(page):
    page.add_init_script(VOICES)
    page.goto("play?game=tictactoe&first=human&second=first")
    page.locator("[data-cell='4']").click()
    expect(page.locator("#speaker")).to_have_text("O plays a1. X to move.", timeout=180_000)
    assert page.evaluate("said") == ["X plays b2. O to move.", "O plays a1. X to move."]


def test_a_move_in_an_analysis_is_told_exactly_once(page):
    page.add_init_script(VOICES)
    page.goto("analyse?game=tictactoe")
    expect(page.get_by_role("gridcell")).to_have_count(9)
    page.locator("[data-cell='4']").click()
    expect(page.locator(".tree-move")).to_have_count(1)
    expect(page.locator("#speaker")).to_contain_text("b2")
    page.evaluate(A_MOMENT)
    assert len([each for each in page.evaluate("said") if "b2" in each]) == 1


def test_whoever_listens_hears_of_places_that_come_later(page):
    page.add_init_script(VOICES)
    page.goto("settings")
    expect(page.locator("h1")).to_have_count(1)
    heard = page.evaluate(
        """async () => {
            said.length = 0;
            const place = document.createElement("p");
            place.setAttribute("role", "alert");
            document.querySelector("main").append(place);
            for (const text of ["One.", "Two."]) {
                place.textContent = text;
                await new Promise((done) => setTimeout(done));
            }
            place.hidden = true;
            return said;
        }"""
    )
    assert heard == ["One.", "Two."]


def test_the_audit_sees_what_cannot_be_read_on_a_board(page):
    settled(page, "play?game=othello&first=human&second=human")
    page.evaluate(
        "document.querySelector('[data-cell]').innerHTML = '<span class=\"mark\">9</span>'"
    )
    page.evaluate("document.querySelector('.mark').style.color = '#2c7a5b'")
    assert any('"9"' in each for each in page.evaluate(READABLE, LEAST_CONTRAST))
