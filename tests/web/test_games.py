"""The store in a browser: import, filters, many games, preview, positions, delete, export."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from expecting import expect
from store_tools import random_game
from web_server import fresh_page, shared_profile, web_server

from plyground.core.records import GameRecord, MoveRecord
from plyground.games.catalogue import find_game
from plyground.games.rules import play, transform, transform_move
from plyground.kernel import plain_python
from plyground.store.store import Store

FILE = "f5d6c3d3c4\nf5f6e6f4e3\nf5z9\nf5d6c3d3c4\n"
MANY = 10_000


def played(game: str, text: str, **more: Any) -> GameRecord:
    spec = find_game(game)
    state, moves = spec.initial(), []
    for ply, move in enumerate(spec.parse_moves(state, text)):
        moves.append(MoveRecord(spec.format_move(state, move), ply % 2))
        state = play(state, move)
    return GameRecord(game, more.pop("players", ("", "")), moves, more.pop("points", 0.5), **more)


def filled(path: Path, games: list[GameRecord]) -> None:
    with plain_python(), Store(str(path / "games.db")) as store:
        store.add(games)


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server with some games of each kind."""
    folder = tmp_path_factory.mktemp("few")
    games = [
        played("othello", "f5d6c3d3c4f4", players=("Ann", "Bob"), date="2024-01-05", points=1.0),
        played("othello", "d3c5f6f5e6e3", players=("Cleo", "Ann"), date="2024-01-04", seed=2),
        played("othello", "f5f6e6f4e3", players=("Bob", "Dan"), date="2023-05-01", points=0.0),
        played("connect4", "4455", players=("Ann", "Eve"), date="2022", event="Cup"),
        played("connect4", "4433", players=("Fay", "Eve"), date="2021", event="Cup", seed=5),
    ]
    filled(folder, games)
    with web_server(folder) as server:
        yield server


@pytest.fixture(scope="module")
def few_profile(browser: Any, few: Any) -> Iterator[Any]:
    with shared_profile(browser, few) as shared:
        yield shared


@pytest.fixture
def games_page(few_profile: Any) -> Iterator[Any]:
    with fresh_page(few_profile) as fresh:
        yield fresh


def rows(page: Any) -> Any:
    return page.locator(".games tbody tr")


def names(page: Any) -> list[str]:
    return [" - ".join(row.locator("td").all_inner_texts()[2:4]) for row in rows(page).all()]


def show(page: Any, address: str, count: int) -> None:
    page.goto(address)
    expect(rows(page)).to_have_count(count)


# ------------------------------------------------------------------ import (G1)


def report_is_right(page: Any) -> None:
    report = page.get_by_role("status", name="Import")
    expect(report).to_contain_text("3 read")
    expect(report).to_contain_text("1 rejected")
    expect(report.get_by_role("listitem")).to_have_text(re.compile("^line 3: .*z9"))


def test_an_import_reports_what_was_read_and_why_the_rest_was_not(page):
    page.goto("games")
    page.locator("input[type=file]").set_input_files(
        {"name": "games.txt", "mimeType": "text/plain", "buffer": FILE.encode()}
    )
    report_is_right(page)
    page.get_by_role("button", name="Close the report").click()
    expect(page.get_by_role("status", name="Import")).to_be_hidden()
    page.locator("input[type=file]").set_input_files(
        {"name": "again.txt", "mimeType": "text/plain", "buffer": FILE.encode()}
    )
    expect(page.get_by_role("status", name="Import")).to_contain_text("0 new, 3 there already")


def test_a_file_that_is_dropped_is_imported(page):
    page.goto("games")
    expect(page.locator("h1")).to_be_visible()
    page.evaluate(
        """text => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], "games.txt"));
            const more = { dataTransfer, bubbles: true, cancelable: true };
            const at = document.querySelector("main h1");
            for (const type of ["dragover", "drop"]) at.dispatchEvent(new DragEvent(type, more));
        }""",
        FILE,
    )
    report_is_right(page)


def test_a_game_that_is_pasted_is_imported(page):
    page.goto("games")
    expect(page.locator("h1")).to_be_visible()
    page.evaluate(
        """text => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", text);
            const event = new ClipboardEvent("paste", { clipboardData, bubbles: true });
            document.body.dispatchEvent(event);
        }""",
        FILE,
    )
    report_is_right(page)


def test_a_file_that_is_nothing_is_refused(page):
    page.goto("games")
    with page.expect_event("console"):  # the browser's own line on the refusal
        page.locator("input[type=file]").set_input_files(
            {"name": "x.bin", "mimeType": "text/plain", "buffer": b"\x00\x01 what is this"}
        )
    expect(page.locator(".toast.error")).to_be_visible()
    page.watch.problems = [each for each in page.watch.problems if "400" not in each]


# ------------------------------------------------------------------ filters (G2)


def test_filters_are_in_the_address_and_back_restores_them(games_page):
    page = games_page
    show(page, "games", 5)
    page.get_by_label("Game", exact=True).select_option("othello")
    expect(rows(page)).to_have_count(3)
    assert page.url.endswith("?game=othello")
    page.get_by_label("Player").fill("ann")
    page.get_by_label("Player").press("Enter")
    expect(rows(page)).to_have_count(2)
    assert page.url.endswith("?game=othello&player=ann")
    page.go_back()
    expect(rows(page)).to_have_count(3)
    expect(page.get_by_label("Player")).to_have_value("")
    page.go_back()
    expect(rows(page)).to_have_count(5)
    expect(page.get_by_label("Game", exact=True)).to_have_value("")
    page.go_forward()
    expect(rows(page)).to_have_count(3)
    page.reload()
    expect(rows(page)).to_have_count(3)


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("result=first", 1),
        ("result=draw", 3),
        ("since=2023", 3),
        ("until=2022", 2),
        ("event=cup", 2),
    ],
)
def test_an_address_with_filters_shows_those_games(games_page, query, count):
    show(games_page, f"games?{query}", count)


def test_where_nothing_matches_one_click_shows_all(games_page):
    games_page.goto("games?player=nobody")
    expect(games_page.get_by_text("No game matches.")).to_be_visible()
    games_page.get_by_role("button", name="Show all games").click()
    expect(rows(games_page)).to_have_count(5)


def test_a_filter_that_is_wrong_is_told_in_one_line(games_page):
    with games_page.expect_event("console"):
        games_page.goto("games?since=yesterday")
    expect(games_page.get_by_test_id("count")).to_contain_text("since")
    games_page.watch.problems = [each for each in games_page.watch.problems if "422" not in each]


# ------------------------------------------------------------------ many games (G3)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("many")
    base = [played("mnk", "b2 a1", points=None, ended="unfinished")]
    base += [replace(random_game("mnk", seed), points=None, ended="length") for seed in range(9)]
    games = [
        replace(
            base[number % 10],
            players=(f"Player {number % 50:02}", f"Other {number % 7}"),
            date=f"{1900 + number // 100}",
        )
        for number in range(MANY)
    ]
    filled(folder, games)
    with web_server(folder) as server:
        yield server


@pytest.fixture
def many_page(browser: Any, many: Any) -> Iterator[Any]:
    with shared_profile(browser, many) as own, fresh_page(own) as fresh:
        yield fresh


def test_ten_thousand_games_are_shown_and_sorted_by_the_hundred(many_page):
    page = many_page
    with page.expect_response("**/api/store/games*") as first:
        page.goto("games")
    expect(rows(page)).to_have_count(100)
    expect(page.get_by_test_id("count")).to_have_text("10,000 games, 1 to 100")
    assert first.value.ok
    for heading, order, text in [
        ("First", "ascending", "Player 00"),
        ("First", "descending", "Player 49"),
        ("Moves", "descending", "9"),
        ("Date", "descending", "1999"),
        ("Date", "ascending", "1900"),
    ]:
        column = page.get_by_role("columnheader", name=heading)
        with page.expect_response("**/api/store/games*") as sorting:
            column.get_by_role("button").click()
        expect(column).to_have_attribute("aria-sort", order)
        expect(rows(page).first.locator(f".of-{heading.lower()}")).to_have_text(text)
        assert sorting.value.ok
        assert rows(page).count() <= 200
    page.get_by_role("button", name="Next page").click()
    expect(page.get_by_test_id("count")).to_have_text("10,000 games, 101 to 200")
    assert "page=1" in page.url
    expect(rows(page)).to_have_count(100)
    page.go_back()
    expect(page.get_by_test_id("count")).to_have_text("10,000 games, 1 to 100")


# ------------------------------------------------------------------ preview (G4)


def test_keys_change_the_preview_and_enter_opens_the_game_at_the_same_ply(games_page):
    page = games_page
    show(page, "games?game=othello", 3)
    pieces = page.locator(".preview-panel g-board .piece.disc")
    expect(pieces).to_have_count(10)  # four and six moves
    page.keyboard.press("ArrowDown")
    expect(rows(page).nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(rows(page).nth(2)).to_be_focused()
    expect(rows(page).nth(2)).to_have_attribute("aria-selected", "true")
    expect(page.locator(".games [aria-selected=true]")).to_have_count(1)
    expect(pieces).to_have_count(9)
    expect(page.get_by_test_id("preview-ply")).to_have_text("move 5 of 5 · Cow")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(pieces).to_have_count(7)
    expect(page.get_by_test_id("preview-ply")).to_have_text("move 3 of 5 · Diagonal")
    page.keyboard.press("Enter")
    page.wait_for_url("**/analyse?*")
    expect(page.locator(".tree-move")).to_have_count(5)
    expect(page.locator("[aria-current=step]")).to_have_text("3. e6")
    page.go_back()
    expect(rows(page)).to_have_count(3)


def test_the_opening_is_in_the_list(games_page):
    show(games_page, "games?game=othello", 3)
    expect(rows(games_page).locator(".of-opening")).to_have_text(["Tiger", "Tiger", "Cow"])


def test_a_link_to_one_game_opens_it(games_page):
    show(games_page, "games?event=cup&sort=number", 2)
    number = rows(games_page).first.get_attribute("data-id")
    games_page.goto(f"games/{number}?ply=2")
    expect(games_page.locator("[aria-current=step]")).to_have_text("2. 4")
    expect(games_page.locator(".tree-move")).to_have_count(4)


# ------------------------------------------------------------------ positions (G5)


def test_a_position_finds_exactly_its_games_and_images_when_ticked(games_page):
    page = games_page
    show(page, "games?game=othello&moves=f5_d6_c3_d3_c4", 1)
    assert names(page) == ["Ann - Bob"]
    expect(page.get_by_test_id("preview-ply")).to_have_text("move 5 of 6 · Tiger")
    page.get_by_label("turned and mirrored as well").check()
    expect(rows(page)).to_have_count(2)
    assert sorted(names(page)) == ["Ann - Bob", "Cleo - Ann"]
    assert page.url.endswith("&symmetric=1")
    page.get_by_label("Player").fill("cleo")
    page.get_by_label("Player").press("Enter")
    expect(rows(page)).to_have_count(1)
    page.go_back()
    expect(rows(page)).to_have_count(2)
    page.get_by_role("button", name="All positions").click()
    expect(rows(page)).to_have_count(3)


def test_another_way_to_the_same_position_counts(games_page):
    page = games_page
    show(page, "games?game=connect4&moves=4_4&symmetric=1", 2)
    show(page, "games?game=connect4&moves=4_4_5_5", 1)
    show(page, "games?game=connect4&moves=4_4_5_5&symmetric=1", 2)  # 3 mirrors 5
    state = find_game("connect4").initial()
    assert int(transform_move(state, 4, 1)) != 4
    assert transform(state, 1) == state


def test_analyse_leads_to_the_games_with_its_position(games_page):
    page = games_page
    page.goto("analyse?game=othello&moves=f5_d6_c3_d3_c4")
    expect(page.locator(".tree-move")).to_have_count(5)
    link = page.locator("a[href^='/games?']")
    link.click()
    page.wait_for_url("**/games?*")
    expect(rows(page)).to_have_count(2)
    expect(page.get_by_role("region", name="Position looked for")).to_be_visible()


# ------------------------------------------------------------------ delete (G6)


def test_a_deleted_game_comes_back_under_the_same_number(games_page):
    page = games_page
    show(page, "games?event=cup", 2)
    number = rows(page).first.get_attribute("data-id")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Delete")
    expect(rows(page)).to_have_count(1)
    assert rows(page).first.get_attribute("data-id") != number
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(rows(page)).to_have_count(2)
    chosen = page.locator(".games [aria-selected=true]")
    expect(chosen).to_have_attribute("data-id", number)


def test_a_deleted_game_can_be_restored_after_the_server_was_killed(browser, tmp_path):
    filled(tmp_path, [played("connect4", "44", players=("Ann", "Bob"))])
    with web_server(tmp_path) as server:
        page = browser.new_page()
        page.goto(f"{server.address}games")
        page.get_by_role("button", name="Delete").click()
        expect(page.get_by_test_id("count")).to_have_text("0 games")
        server.kill()
    with web_server(tmp_path, server.port):
        with Store(str(server.store)) as store:
            assert store.count() == 0
        page.locator(".toast").get_by_role("button", name="Undo").click()
        expect(rows(page)).to_have_count(1)
        expect(rows(page).first).to_have_attribute("data-id", "1")
        page.close()


# ------------------------------------------------------------------ export


def test_the_filtered_games_are_exported(games_page):
    page = games_page
    show(page, "games?game=othello&moves=f5_d6_c3_d3_c4&symmetric=1", 2)
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    written = json.loads(Path(download.value.path()).read_text())
    people = sorted(game["players"] for game in written)
    assert people == [["Ann", "Bob"], ["Cleo", "Ann"]]
    show(page, "games?event=cup", 2)
    expect(page.get_by_label("Format").locator("option")).to_have_text(["json", "jsonl"])
    show(page, "games?game=othello&player=dan", 1)
    page.get_by_label("Format").select_option("othello-transcript")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    assert Path(download.value.path()).read_text().strip() == "f5f6e6f4e3"


def test_a_row_is_dragged_out_as_a_file(games_page):
    page = games_page
    show(page, "games?game=othello&player=dan", 1)
    carried = page.evaluate(
        """() => {
            const dataTransfer = new DataTransfer();
            const row = document.querySelector(".games tbody tr");
            row.dispatchEvent(new DragEvent("dragstart", { dataTransfer, bubbles: true }));
            return [dataTransfer.getData("text/plain"), dataTransfer.getData("DownloadURL")];
        }"""
    )
    assert carried[0] == "f5 f6 e6 f4 e3"
    mime, name, address = carried[1].split(":", 2)
    assert (mime, name[:5]) == ("application/octet-stream", "game-")
    assert page.request.get(address).text().count('"f6"') == 1
