"""Playing in a browser: every game by click and by key, machines, undo, hints, and nothing lost."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from plyground.games.catalogue import games
from plyground.store.store import Store

PLACES = (0, -1, 1, 0, -1, 2)  # so far apart that nobody wins in six moves of any game


def legal_cells(page):
    return page.locator("g-board .cell.legal")


def moves(page):
    return page.locator(".move-list li")


@pytest.mark.parametrize("name", list(games()))
def test_six_moves_of_every_game_by_click(page, name):
    page.goto(f"play?game={name}&first=human&second=human")
    for number in range(6):
        button = page.get_by_role("button", name="Pass")
        if button.is_visible():
            button.click()
        elif games()[name].board_of(games()[name].initial()).kind == "text":
            page.locator("g-board .moves button").first.click()
        else:
            cells = legal_cells(page)
            expect(cells).not_to_have_count(0)
            cells.nth(PLACES[number] % cells.count()).click()
        expect(moves(page)).to_have_count(number + 1)


def test_a_disc_is_there_before_the_server_answers(page):
    page.goto("play?game=othello&first=human&second=human")
    expect(legal_cells(page)).to_have_count(4)
    waited = page.evaluate(
        """async () => {
            const cell = document.querySelector("[data-cell='19']");
            const before = performance.now();
            cell.click();
            return [cell.dataset.content, performance.now() - before];
        }"""
    )
    assert waited[0] == "first"
    assert waited[1] < 50
    expect(page.get_by_test_id("second")).to_have_class(re.compile("to-move"))


def test_an_illegal_cell_changes_nothing_and_says_why(page):
    page.goto("play?game=othello&first=human&second=human")
    page.locator("[data-cell='0']").click()
    expect(page.locator("#speaker")).to_have_text("a1 is not a legal move")
    expect(moves(page)).to_have_count(0)


def test_the_keyboard_alone_is_enough(page):
    page.goto("play?game=tictactoe&first=human&second=human")
    expect(legal_cells(page)).to_have_count(9)
    expect(page.locator("g-board [tabindex='0']")).to_have_count(1)
    page.locator("g-board [tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("[data-cell='4']")).to_have_accessible_name(re.compile("^b2, X"))
    expect(page.locator("g-board [tabindex='0']")).to_have_count(1)
    expect(page.locator("#speaker")).to_contain_text("X plays b2")


def test_a_machine_answers_and_undo_takes_back_two(page, server):
    page.goto("play?game=connect4&first=human&second=amateur")
    page.locator("[data-cell='38']").click()
    expect(moves(page)).to_have_count(2, timeout=180_000)
    page.get_by_role("button", name="Undo").click()
    expect(moves(page)).to_have_count(0)
    page.get_by_role("button", name="Redo").click()
    expect(moves(page)).to_have_count(2)


def test_two_machines_play_to_the_end_and_the_store_has_it(page, server):
    page.goto("play?game=tictactoe&first=random&second=random")
    expect(page.locator(".result")).to_be_visible(timeout=180_000)
    uid = re.search("id=([0-9a-f]{32})", page.url)[1]
    page.wait_for_timeout(500)
    with Store(str(server.store)) as store:
        [stored] = [each for each in store.games() if each.uid == uid]
        assert stored.record.points is not None
        assert stored.record.players == ("random", "random")
        assert len(stored.record.moves) == moves(page).count()


def test_a_reload_brings_everything_back(page):
    page.goto("play?game=othello&first=human&second=human")
    for number in range(3):
        legal_cells(page).first.click()
        expect(moves(page)).to_have_count(number + 1)
    page.wait_for_timeout(500)
    address = page.url.replace(re.search("moves=[^&]*", page.url)[0], "moves=")
    page.goto(address)  # what counts is what the store knows
    expect(moves(page)).to_have_count(3)


def test_a_hint_comes_in_three_steps_and_is_counted(page):
    page.goto("play?game=connect4&first=human&second=human&moves=4_4")
    hint = page.get_by_role("button", name="Hint")
    hint.click()
    expect(page.locator(".thinking")).to_contain_text("marked part", timeout=180_000)
    hint.click()
    expect(page.locator(".thinking")).to_contain_text(re.compile(r"^Hint: \d\. Ask"))
    hint.click()
    expect(page.locator(".thinking")).to_contain_text("expected")
    expect(page.get_by_text("3 hints")).to_be_visible()


def test_hovering_shows_where_a_disc_lands_and_what_it_turns(page):
    page.goto("play?game=connect4&first=human&second=human&moves=4_4")
    page.locator("[data-cell='3']").hover()
    expect(page.locator(".ghost")).to_have_count(1)
    expect(page.locator("[data-cell='24'] .ghost")).to_have_count(1)
    page.goto("play?game=othello&first=human&second=human&moves=f5")
    page.locator("[data-cell='45']").hover()
    expect(page.locator(".will-change")).to_have_count(1)
    expect(page.locator("[data-cell='36']")).to_have_class(re.compile("will-change"))


def test_a_won_game_says_so_and_offers_what_comes_next(page):
    page.goto("play?game=tictactoe&first=human&second=human&moves=a1_a2_b1_b2")
    page.locator("[data-cell='2']").click()
    expect(page.locator(".result")).to_have_text("X wins.")
    expect(page.get_by_role("button", name="Rematch, sides swapped")).to_be_visible()
    page.get_by_role("region", name="Result").get_by_role("link", name="Analyse").click()
    page.wait_for_url("**/analyse*")
    expect(page.locator(".tree-move")).to_have_count(5)


def test_a_card_is_turned_and_placed(page):
    page.goto("play?game=double-card&first=human&second=human")
    expect(page.get_by_role("radio")).to_have_count(8)
    expect(legal_cells(page)).to_have_count(7)
    page.keyboard.press("r")
    expect(page.get_by_role("radio", name="card 2")).to_be_checked()
    expect(legal_cells(page)).to_have_count(8)
    legal_cells(page).first.click()
    expect(moves(page)).to_have_text([re.compile("0 2 A 1")])


def test_a_new_game_is_set_up_in_the_dialog(page):
    page.goto("play?game=othello&first=human&second=human")
    page.get_by_role("button", name="New game …").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_label("Game").select_option("connect4")
    dialog.get_by_label("Player").nth(1).select_option("alphabeta")
    dialog.get_by_label("Depth").nth(1).fill("2")
    dialog.get_by_role("button", name="Start").click()
    expect(page.locator("h1")).to_have_text("Connect Four")
    expect(page.get_by_test_id("second")).to_contain_text("alphabeta:depth=2")


def test_a_forced_pass_is_announced(page):
    # White has no move here, and Black has: a short game that ends early for one side.
    moves_to_a_pass = "f5_f6_d3_g5_h5_h4_f7_h6"
    page.goto(f"play?game=othello&first=human&second=human&moves={moves_to_a_pass}")
    expect(page.get_by_role("button", name="Pass")).to_be_visible()
    page.get_by_role("button", name="Pass").click()
    expect(moves(page)).to_have_count(9)
