"""The store in a browser: import, filters, preview, opening a game."""

from __future__ import annotations

import re

from playwright.sync_api import expect

GAMES = "f5d6c3d3c4\nf5f6e6f4e3\nf5z9\nf5d6c3d3c4\n"


def test_a_file_is_imported_with_a_report_and_found_by_filters(page):
    page.goto("games")
    page.locator("input[type=file]").set_input_files(
        {"name": "games.txt", "mimeType": "text/plain", "buffer": GAMES.encode()}
    )
    report = page.get_by_text("rejected.")
    expect(report).to_contain_text("3 read")
    expect(page.get_by_text(re.compile("line 3"))).to_be_visible()
    page.get_by_label("Game").select_option("othello")
    page.wait_for_url("**game=othello*")
    rows = page.locator(".games tbody tr")
    expect(rows.first).to_be_visible()
    rows.first.click()
    expect(page.locator("g-board .piece").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    page.wait_for_url("**/analyse*")
    expect(page.locator(".tree-move").first).to_be_visible()
    page.go_back()
    page.wait_for_url("**/games*")
