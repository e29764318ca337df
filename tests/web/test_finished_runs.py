"""A fresh install on a phone: finished runs are read, filtered and saved before anything is run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import asking
import polars
import pytest
from command_line import run
from expecting import expect
from web_server import Server, fresh_page, shared_profile, web_server

NAME, TITLE = "reversi-weights", "Weights for Reversi, by stages of the game"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LEAST_PX = 24
# Asked of the frame from outside: a report runs no script, not even a test's.
INSIDE = "document.querySelector('iframe').contentDocument"
TOO_SMALL = f"""() => [...{INSIDE}.querySelectorAll(".data, nav a, .filter label")]
    .map((each) => each.getBoundingClientRect())
    .filter(({{ width, height }}) => Math.min(width, height) < {LEAST_PX}).length"""


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of somebody who has run nothing, and has compiled nothing."""
    folder = tmp_path_factory.mktemp("fresh")
    with web_server(folder, PLYGROUND_CACHE=str(folder / "cache")) as started:
        yield started


@pytest.fixture(scope="module")
def profile(browser: Any, fresh: Server) -> Iterator[Any]:
    with shared_profile(browser, fresh, **PHONE) as shared:
        yield shared


@pytest.fixture
def phone(profile: Any) -> Iterator[Any]:
    with fresh_page(profile) as page:
        yield page


def card(page: Any) -> Any:
    page.goto("lab")
    return page.locator("section.experiment-card", has=page.get_by_role("link", name=TITLE))


def open_report(page: Any) -> Any:
    """The report of the run that comes with the study, by one tap; what is inside its frame."""
    card(page).get_by_role("link", name="Read the report").tap()
    inside = page.get_by_role("region", name="Report", exact=True).frame_locator("iframe")
    expect(inside.get_by_role("heading", name="What the verdicts mean")).to_be_visible()
    return inside


def test_a_card_has_its_verdicts_and_how_long_a_run_takes(phone):
    shown = card(phone)
    expect(shown.locator(".verdict-bar")).to_be_visible()
    expect(shown.locator(".verdicts")).to_contain_text(re.compile(r"\d+ reproduced"))
    expect(shown).to_contain_text(re.compile(r"Quick about [\d.]+ .*, Full about \d+ min"))
    shown.get_by_role("link", name="Run it yourself").tap()
    form = phone.get_by_role("form", name="New run")
    expect(form.get_by_role("button", name="Quick")).to_be_visible()
    expect(form.get_by_role("button", name="Full")).to_be_visible()
    expect(phone.get_by_test_id("cells")).to_contain_text("cells to measure, about")


def test_a_report_is_read_before_anything_is_run_or_compiled(phone, fresh):
    inside = open_report(phone)
    expect(phone.locator("details.run-it")).to_contain_text("Quick takes about")
    expect(phone.get_by_role("form", name="New run")).to_be_hidden()
    for name in ("Contents", "Methods", "Limits"):
        expect(inside.get_by_role("heading", name=name, exact=True)).to_be_visible()
    claims = inside.locator(".claims li")
    everything = claims.count()
    inside.locator(".filter").get_by_text("contradicted").tap()
    contradicted = inside.locator(".claims li.contradicted").count()
    assert 0 < contradicted < everything
    expect(claims.locator("visible=true")).to_have_count(contradicted)
    inside.locator(".filter").get_by_text("all", exact=True).tap()
    expect(claims.locator("visible=true")).to_have_count(everything)
    inside.get_by_role("navigation").get_by_role("link", name="Limits").tap()
    expect(inside.get_by_role("heading", name="Limits")).to_be_in_viewport()
    assert not list((fresh.store.parent / "cache").rglob("*.*"))


def test_nothing_of_a_report_is_too_wide_or_too_small_for_a_phone(phone):
    open_report(phone)
    for page in ("document", INSIDE):
        wide, room = phone.evaluate(
            f"[{page}.documentElement.scrollWidth, {page}.documentElement.clientWidth]"
        )
        assert wide == room <= PHONE["viewport"]["width"]
    assert phone.evaluate(TOO_SMALL) == 0


def test_every_table_and_all_measurements_are_saved_as_csv_and_parquet(phone):
    inside = open_report(phone)
    tables = inside.locator("figure.table")
    for kind in ("CSV", "Parquet"):
        links = tables.get_by_role("link", name=kind, exact=True)
        expect(links).to_have_count(tables.count())
        with phone.expect_download() as saved:
            links.first.tap()
        assert Path(saved.value.path()).stat().st_size > 0
        expect(inside.locator(".run").get_by_role("link", name=kind)).to_be_visible()
    with phone.expect_download() as saved:
        phone.get_by_role("link", name="Parquet", exact=True).tap()
    assert len(polars.read_parquet(BytesIO(Path(saved.value.path()).read_bytes()))) > 100


def test_a_theme_that_was_chosen_is_the_theme_of_the_report_too(phone):
    open_report(phone)
    paper = f"getComputedStyle({INSIDE}.body).backgroundColor"
    seen = {}
    for theme in ("light", "dark", "high contrast", "as the system"):
        phone.get_by_role("button", name=re.compile("^Theme: ")).tap()
        expect(phone.get_by_role("button", name=f"Theme: {theme}")).to_be_visible()
        seen[theme] = phone.evaluate(paper)
    assert seen["light"] == seen["as the system"] != seen["dark"] == seen["high contrast"]


def test_the_page_has_the_very_report_that_the_command_writes(fresh, tmp_path):
    assert run("lab", "report", NAME, "--out", tmp_path).status == 0
    shown = asking.get(f"{fresh.address}api/lab/runs/{NAME}@shipped/page")
    assert shown.text == (tmp_path / f"{NAME}.html").read_text(encoding="utf-8")
