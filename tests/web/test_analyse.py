"""Analysing in a browser: the engine's stream, variations, pasting, sharing, a whole game."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect


def turn_on(page):
    page.get_by_role("switch", name="Engine").click()
    expect(page.get_by_test_id("engine-figures")).to_contain_text("depth", timeout=180_000)


def paste(page, text):
    page.evaluate(
        """text => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", text);
            const event = new ClipboardEvent("paste", { clipboardData, bubbles: true });
            document.body.dispatchEvent(event);
        }""",
        text,
    )


def test_the_engine_scores_every_move_and_the_board_keeps_its_place(page):
    page.goto("analyse?game=connect4&moves=4_4")
    expect(page.get_by_role("gridcell")).to_have_count(42)
    before = page.locator("g-board").bounding_box()
    turn_on(page)
    expect(page.locator("g-board .mark")).to_have_count(7)
    expect(page.locator("g-board .mark[data-best]")).to_have_count(1)
    best = page.locator("g-board .cell:has(.mark[data-best])")
    expect(best).to_have_accessible_description(re.compile("best"))
    expect(page.locator(".engine .line")).to_have_count(3)
    assert page.locator("g-board").bounding_box() == before
    page.keyboard.press("h")
    expect(page.locator("g-board .mark")).to_have_count(0)
    expect(page.locator(".eval-bar .figure")).not_to_be_empty()


def test_a_position_that_is_solved_says_so(page):
    page.goto("analyse?game=tictactoe&moves=b2_a1")
    turn_on(page)
    expect(page.get_by_test_id("engine-figures")).to_contain_text("solved", timeout=180_000)


def test_the_depth_never_falls(page):
    page.goto("analyse?game=connect4&moves=4_4_3")
    expect(page.get_by_role("gridcell")).to_have_count(42)
    page.evaluate(
        """() => {
            window.depths = [];
            const figures = document.querySelector("[data-testid=engine-figures]");
            const look = () => {
                const found = figures.textContent.match(/depth (\\d+)/);
                if (found) window.depths.push(Number(found[1]));
            };
            new MutationObserver(look).observe(figures, { childList: true, subtree: true });
        }"""
    )
    turn_on(page)
    page.wait_for_timeout(2000)
    depths = page.evaluate("window.depths")
    assert depths == sorted(depths)
    assert len(depths) > 1


def test_a_move_of_a_line_is_previewed_and_played(page):
    page.goto("analyse?game=connect4&moves=4_4")
    turn_on(page)
    page.get_by_role("switch", name="Engine").click()
    page.goto("analyse?game=connect4&moves=4_4")
    turn_on(page)
    expect(page.locator(".engine .line").first.locator(".in-line")).not_to_have_count(0)
    page.wait_for_timeout(1500)
    third = page.locator(".engine .line").first.locator(".in-line").nth(2)
    third.focus()
    expect(page.locator(".preview g-board")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".tree-move")).to_have_count(5)


def test_another_move_becomes_a_branch_and_nothing_is_overwritten(page):
    page.goto("analyse?game=connect4&moves=4_4_3")
    expect(page.locator(".tree-move")).to_have_count(3)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.locator("[data-cell='41']").click()
    expect(page.locator(".tree-move")).to_have_count(4)
    expect(page.locator(".variation .tree-move")).to_have_text(["2. 7"])
    page.get_by_role("button", name="Main line", exact=True).click()
    expect(page.locator(".variation .tree-move")).to_have_text(["2. 4", "3. 3"])
    page.get_by_role("button", name="Delete from here").click()
    expect(page.locator(".tree-move")).to_have_count(3)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".tree-move")).to_have_count(4)


def test_keys_step_and_choose_at_a_fork(page):
    page.goto("analyse?game=connect4&moves=4_4(7_7)_3")
    expect(page.locator("[aria-current=step]")).to_have_text("3. 3")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[aria-current=step]")).to_have_text("1. 4")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[aria-current=step]")).to_have_text("2. 7")
    page.keyboard.press("End")
    expect(page.locator("[aria-current=step]")).to_have_text("3. 7")


@pytest.mark.parametrize(
    ("text", "said", "title", "count"),
    [
        ("f5d6c3d3c4", "Othello transcript", "Othello", 5),
        (
            "---------------------------OX------XO--------------------------- X",
            "Othello",
            "Othello",
            0,
        ),
        (
            "http://127.0.0.1:1/analyse?game=connect4&moves=4_4_4",
            "a link of ours",
            "Connect Four",
            3,
        ),
    ],
)
def test_what_is_pasted_is_recognised(page, text, said, title, count):
    page.goto("analyse?game=tictactoe&moves=b2")
    expect(page.locator(".tree-move")).to_have_count(1)
    paste(page, text)
    expect(page.locator(".toast")).to_contain_text(said)
    expect(page.locator("h1")).to_have_text(f"{title}: analysis")
    expect(page.locator(".tree-move")).to_have_count(count)
    page.keyboard.press("Control+z")
    expect(page.locator("h1")).to_have_text("m,n,k game: analysis")
    expect(page.locator(".tree-move")).to_have_count(1)


def test_nonsense_that_is_pasted_changes_nothing(page):
    page.goto("analyse?game=connect4&moves=4_4")
    expect(page.locator(".tree-move")).to_have_count(2)
    with page.expect_event("console"):  # the browser's own line on the refusal
        paste(page, "what is this?")
    expect(page.locator(".toast.error")).to_be_visible()
    expect(page.locator(".tree-move")).to_have_count(2)
    page.watch.problems = [each for each in page.watch.problems if "400" not in each]


def test_a_link_restores_branch_ply_and_orientation(page, browser, server):
    page.goto("analyse?game=othello&moves=f5_d6(f4_e3)_c3")
    expect(page.locator(".tree-move")).to_have_count(5)
    page.locator(".variation .tree-move").first.click()
    page.get_by_role("button", name="Flip").click()
    expect(page.locator("[aria-current=step]")).to_have_text("2. f4")
    other = browser.new_context().new_page()
    other.goto(page.url)
    expect(other.locator("[aria-current=step]")).to_have_text("2. f4")
    expect(other.locator("g-board .cell").first).to_have_attribute("data-cell", "63")
    other.context.close()


def test_a_whole_game_is_analysed_and_drawn(page):
    page.goto("analyse?game=tictactoe&moves=b2_a1_c3")
    page.get_by_role("button", name="Analyse game").click()
    expect(page.locator(".eval-graph .point")).to_have_count(4, timeout=180_000)
    expect(page.locator(".eval-graph .point.proven")).not_to_have_count(0)


def test_the_factors_of_an_evaluation_are_shown(page):
    page.goto("analyse?game=othello&moves=f5_d6_c3")
    page.get_by_text("What the evaluation is made of").click()
    expect(page.locator(".factors tbody tr")).to_have_count(12)


def test_of_two_tabs_the_older_stops(page, browser):
    page.goto("analyse?game=connect4")
    turn_on(page)
    other = page.context.new_page()
    other.goto("analyse?game=connect4&moves=4")
    figures = page.get_by_test_id("engine-figures")
    expect(figures).to_have_text("stopped: another tab is analysing", timeout=30_000)
