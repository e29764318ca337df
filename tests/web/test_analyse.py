"""Analysing in a browser: variations, pasting, sharing, and the course of a whole game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from analyse_tools import FIRST_SEARCH_MS, NO_CLIPBOARD, Puppet, clipboard, found, paste
from expecting import expect
from web_server import A_MOMENT

from plyground.core.records import GameRecord, MoveRecord
from plyground.formats.catalogue import find_format

FORKED = "analyse?game=connect4&moves=4_4(7_7_6(5)_5)_3_3"
VOICES = (Path(__file__).parent / "audit_voices.js").read_text(encoding="utf-8")


def here(page):
    return page.locator("[aria-current=step]")


def shown_moves(page):
    return page.locator(".tree-move")


# ------------------------------------------------------------------ going about


def test_keys_step_through_the_game(page):
    page.goto("analyse?game=connect4&moves=4_4_3_2")
    expect(here(page)).to_have_text("4. 2")
    page.keyboard.press("ArrowLeft")
    expect(here(page)).to_have_text("3. 3")
    page.keyboard.press("ArrowRight")
    expect(here(page)).to_have_text("4. 2")
    page.keyboard.press("Home")
    expect(here(page)).to_have_count(0)
    expect(page.locator("g-board .piece.disc")).to_have_count(0)
    page.keyboard.press("End")
    expect(here(page)).to_have_text("4. 2")
    expect(page.locator("g-board .piece.disc")).to_have_count(4)


def test_at_a_fork_down_chooses_and_right_enters(page):
    page.goto(FORKED)
    expect(here(page)).to_have_text("4. 3")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(here(page)).to_have_text("1. 4")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".tree-move.next")).to_have_text("2. 7")
    expect(page.locator("#speaker")).to_have_text("next: 7 (2 of 2)")
    page.keyboard.press("ArrowRight")
    expect(here(page)).to_have_text("2. 7")
    page.keyboard.press("ArrowDown")  # one move only follows: to the end of the line
    expect(here(page)).to_have_text("5. 5")
    page.keyboard.press("ArrowUp")
    expect(here(page)).to_have_count(0)


def test_shift_goes_from_fork_to_fork(page):
    page.goto(FORKED)
    expect(here(page)).to_have_text("4. 3")
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    expect(here(page)).to_have_text("1. 4")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    expect(here(page)).to_have_text("3. 7")
    page.keyboard.press("Shift+ArrowRight")  # no more forks: to the end
    expect(here(page)).to_have_text("5. 5")
    page.keyboard.press("Shift+ArrowLeft")
    expect(here(page)).to_have_text("3. 7")


def test_the_move_that_is_shown_is_in_view(page):
    page.goto("analyse?game=othello&moves=" + "_".join(["f5", "d6", "c3", "d3", "c4", "f4"]))
    expect(shown_moves(page)).to_have_count(6)
    page.locator(".move-tree").evaluate("e => { e.style.maxHeight = '40px' }")
    page.keyboard.press("Home")
    expect(here(page)).to_have_count(0)
    for number in range(1, 7):
        page.keyboard.press("ArrowRight")
        expect(here(page)).to_have_text(re.compile(rf"^{number}\."))
        expect(here(page)).to_be_in_viewport()


@pytest.mark.parametrize("address", ["moves=4_4_3", "moves=4_4_3&ply=0"])
def test_a_reload_returns_to_the_start(page, address):
    page.goto(f"analyse?game=connect4&{address}")
    expect(shown_moves(page)).to_have_count(3)
    page.keyboard.press("Home")
    expect(here(page)).to_have_count(0)
    page.reload()
    expect(shown_moves(page)).to_have_count(3)
    expect(here(page)).to_have_count(0)
    expect(page.locator("g-board .piece.disc")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(here(page)).to_have_text("1. 4")
    page.reload()
    expect(here(page)).to_have_text("1. 4")


def test_a_ply_beyond_the_end_is_the_end(page):
    page.goto("analyse?game=connect4&moves=4_4_3&ply=99")
    expect(here(page)).to_have_text("3. 3")


def test_every_step_is_told_exactly_once(page):
    page.add_init_script(VOICES)
    page.goto("analyse?game=tictactoe&moves=b2_a1_c3")
    expect(here(page)).to_have_text("3. c3")
    told = []
    for key, text in (
        ("ArrowLeft", "Move 2: a1. X to move."),
        ("Home", "The start. X to move."),
        ("ArrowRight", "Move 1: b2. O to move."),
        ("End", "Move 3: c3. O to move."),
    ):
        page.keyboard.press(key)
        expect(page.locator("#speaker")).to_have_text(text)
        told.append(text)
    page.locator("[data-cell='2']").click()
    expect(page.locator("#speaker")).to_have_text("O plays c1. X to move.")
    page.get_by_role("button", name="Main line", exact=True).click()  # goes nowhere
    paste(page, "http://127.0.0.1:1/analyse?game=tictactoe&moves=b2_a1_c3_a3_a2_c2_b1_b3_c1")
    expect(here(page)).to_have_text("9. c1")
    expect(page.locator("#speaker")).to_have_text("Move 9: c1. A draw.")
    expect(page.locator(".toast")).to_be_visible()
    page.evaluate(A_MOMENT)
    said = [each for each in page.evaluate("said") if not each.startswith("Recognised")]
    assert said == [*told, "O plays c1. X to move.", "Move 9: c1. A draw."]
    assert len(page.evaluate("said")) == len(said) + 1


# ------------------------------------------------------------------ a server that is slow or away


def test_without_a_server_no_move_is_lost(page):
    page.goto(FORKED)
    expect(shown_moves(page)).to_have_count(9)
    page.get_by_label("Note on this position").fill("The end.")
    page.route("**/api/position", lambda route: route.abort())
    page.locator(".variation .tree-move").first.click()
    expect(page.locator(".banner")).to_be_visible()
    expect(page.get_by_text("Waiting for the server")).to_be_visible()
    expect(here(page)).to_have_text("2. 7")
    expect(page.locator(".board-and-bar.behind")).to_have_count(1)
    expect(page.get_by_label("Note on this position")).to_have_value("")
    page.locator("[data-cell='35']").click()  # the board is still that of the end
    expect(shown_moves(page)).to_have_count(9)
    page.unroute("**/api/position")
    expect(page.locator("g-board .piece.disc")).to_have_count(2)
    expect(shown_moves(page)).to_have_count(9)
    expect(page.get_by_text("Waiting for the server")).to_have_count(0)
    expect(page.locator(".board-and-bar.behind")).to_have_count(0)
    expect(page.locator(".banner")).to_be_hidden()
    page.watch.problems = [each for each in page.watch.problems if "ERR_FAILED" not in each]


def test_a_click_before_the_position_is_there_is_meant_for_it(page):
    page.goto("analyse?game=othello")
    expect(page.get_by_role("gridcell")).to_have_count(64)
    held = []
    page.route("**/api/position", lambda route: held.append(route))
    page.get_by_role("gridcell", name="f5").dblclick()  # f5 cannot follow f5
    while not held:
        page.evaluate("0")
    for route in held:
        route.continue_()
    page.unroute("**/api/position")
    expect(page.locator("g-board .piece.disc")).to_have_count(5)
    page.get_by_role("gridcell", name="d6").click()
    expect(shown_moves(page)).to_have_text(["1. f5", "2. d6"])
    expect(page.locator(".toast")).to_have_count(0)


# ------------------------------------------------------------------ changing the tree


def test_another_move_becomes_a_branch_and_nothing_is_overwritten(page):
    page.goto("analyse?game=connect4&moves=4_4_3")
    expect(shown_moves(page)).to_have_count(3)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.locator("[data-cell='41']").click()
    expect(shown_moves(page)).to_have_count(4)
    expect(page.locator(".variation .tree-move")).to_have_text(["2. 7"])
    page.get_by_role("button", name="Main line", exact=True).click()
    expect(page.locator(".variation .tree-move")).to_have_text(["2. 4", "3. 3"])


def test_what_is_deleted_is_restored_exactly(page):
    page.goto(FORKED + "&path=0.1")
    expect(here(page)).to_have_text("2. 7")
    before = shown_moves(page).all_inner_texts()
    address = page.url
    page.get_by_role("button", name="Delete from here").click()
    expect(shown_moves(page)).to_have_count(len(before) - 5)
    page.get_by_role("button", name="Undo").click()
    expect(shown_moves(page)).to_have_text(before)
    expect(here(page)).to_have_text("2. 7")
    assert page.url == address


def press_undo(page, text):
    page.locator(".toast").filter(has_text=text).get_by_role("button", name="Undo").click()


def test_the_undo_of_a_note_undoes_what_the_note_tells(page):
    page.goto("analyse?game=connect4&moves=4_4(7_6)_3_3&path=0.1")
    expect(here(page)).to_have_text("2. 7")
    page.get_by_role("button", name="Delete from here").click()
    expect(shown_moves(page)).to_have_text(["1. 4", "2. 4", "3. 3", "4. 3"])
    page.locator("[data-cell='36']").click()
    expect(shown_moves(page)).to_have_text(["1. 4", "2. 4", "2. 2", "3. 3", "4. 3"])
    press_undo(page, "Deleted.")
    expect(shown_moves(page)).to_have_text(["1. 4", "2. 4", "2. 7", "3. 6", "2. 2", "3. 3", "4. 3"])
    expect(here(page)).to_have_text("2. 2")  # nobody is moved from where he is
    page.keyboard.press("Control+z")
    expect(shown_moves(page)).to_have_text(["1. 4", "2. 4", "2. 2", "3. 3", "4. 3"])
    page.keyboard.press("Control+z")
    expect(shown_moves(page)).to_have_text(["1. 4", "2. 4", "3. 3", "4. 3"])


def test_of_two_deletions_each_has_its_own_undo(page):
    page.goto("analyse?game=connect4&moves=4_4(7)(6)_3&path=0.1")
    expect(here(page)).to_have_text("2. 7")
    page.get_by_role("button", name="Delete from here").click()
    expect(shown_moves(page)).to_have_text(["1. 4", "2. 4", "2. 6", "3. 3"])
    page.get_by_role("button", name="Only main line").click()
    expect(shown_moves(page)).to_have_text(["1. 4", "2. 4", "3. 3"])
    press_undo(page, re.compile("^Deleted"))
    expect(shown_moves(page)).to_have_text(["1. 4", "2. 4", "2. 7", "3. 3"])
    press_undo(page, "Variations deleted.")
    expect(shown_moves(page)).to_have_text(["1. 4", "2. 4", "2. 6", "2. 7", "3. 3"])


def test_what_is_played_again_and_brought_back_is_there_once(page):
    page.goto("analyse?game=connect4&moves=4_4_3&path=0.0")
    expect(here(page)).to_have_text("2. 4")
    page.get_by_role("button", name="Delete from here").click()
    expect(shown_moves(page)).to_have_text(["1. 4"])
    page.locator("[data-cell='38']").click()
    expect(shown_moves(page)).to_have_text(["1. 4", "2. 4"])
    press_undo(page, "Deleted.")
    expect(shown_moves(page)).to_have_text(["1. 4", "2. 4", "3. 3"])


def test_the_undo_of_a_paste_brings_back_the_game_whatever_was_played_since(page):
    page.goto("analyse?game=connect4&moves=4_4")
    expect(shown_moves(page)).to_have_count(2)
    paste(page, "http://127.0.0.1:1/analyse?game=othello&moves=f5_d6&flip=1")
    expect(page.locator("h1")).to_have_text("Othello: analysis")
    page.keyboard.press("ArrowLeft")
    expect(here(page)).to_have_text("1. f5")
    page.get_by_role("gridcell", name="f4").click()
    expect(shown_moves(page)).to_have_count(3)
    press_undo(page, "Recognised")
    expect(page.locator("h1")).to_have_text("Connect Four: analysis")
    expect(shown_moves(page)).to_have_text(["1. 4", "2. 4"])
    assert "flip" not in page.url
    page.keyboard.press("Control+z")
    expect(shown_moves(page)).to_have_text(["1. f5", "2. d6", "2. f4"])


def test_ctrl_z_and_another_game_end_the_offer_to_undo(page):
    page.goto("analyse?game=connect4&moves=4_4")
    expect(shown_moves(page)).to_have_count(2)
    page.get_by_role("button", name="Delete from here").click()
    expect(page.locator(".toast")).to_have_count(1)
    page.keyboard.press("Control+z")
    expect(shown_moves(page)).to_have_count(2)
    expect(page.locator(".toast")).to_have_count(0)
    page.get_by_role("button", name="Delete from here").click()
    expect(page.locator(".toast")).to_contain_text("Deleted.")
    paste(page, "f5d6c3d3c4")
    expect(page.locator(".toast")).to_have_count(1)
    expect(page.locator(".toast")).to_contain_text("Recognised")


def test_moves_may_have_any_name(page):
    page.goto("analyse?game=tictactoe")
    names = page.evaluate(
        """async () => {
            const main = document.querySelector("script[type=module]").src;
            const { GameTree } = await import(main.replace("main.js", "lib/tree.js"));
            const tree = new GameTree();
            tree.play("a_b", "(c) 5%", "d");
            tree.back();
            tree.play("other");
            const read = new GameTree(tree.toString(), tree.path());
            const before = read.moves();
            read.keepMainLine();
            return [before, read.moves(), new GameTree(read.toString()).moves()];
        }"""
    )
    main = ["a_b", "(c) 5%", "d"]
    assert names == [["a_b", "(c) 5%", "other"], main, main]


def test_a_menu_does_the_same_for_any_move(page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(FORKED)
    page.locator(".variation .tree-move").nth(1).click(button="right")
    page.get_by_role("menuitem", name="Copy the moves to here").click()
    expect(page.locator(".toast")).to_contain_text("Copied: the moves.")
    assert clipboard(page) == "4 7 7"
    page.locator(".variation .tree-move").first.click(button="right")
    page.get_by_role("menuitem", name="Make main line").click()
    expect(page.locator(".variation .tree-move").first).to_have_text("2. 4")
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    expect(page.get_by_role("menuitem", name="Delete from here")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    expect(here(page)).to_be_focused()


def test_all_variations_go_and_come_back(page):
    page.goto(FORKED)
    expect(shown_moves(page)).to_have_count(9)
    page.get_by_role("button", name="Only main line").click()
    expect(shown_moves(page)).to_have_text(["1. 4", "2. 4", "3. 3", "4. 3"])
    page.keyboard.press("Control+z")
    expect(shown_moves(page)).to_have_count(9)


# ------------------------------------------------------------------ notes


def test_a_note_belongs_to_its_position_and_is_kept(page):
    page.goto("analyse?game=connect4&moves=4_4(7)_3")
    expect(here(page)).to_have_text("3. 3")
    note = page.get_by_label("Note on this position")
    note.fill("A threat on row two.")
    expect(here(page)).to_have_text(re.compile("with a note$"))
    page.get_by_role("button", name="Back").click()
    expect(note).to_have_value("")
    page.reload()
    expect(page.locator(".noted")).to_have_count(1)
    expect(note).to_have_value("")
    page.get_by_role("button", name="Forward").click()
    expect(note).to_have_value("A threat on row two.")
    page.get_by_role("button", name="Delete from here").click()
    expect(note).to_have_value("")
    page.get_by_role("button", name="Undo").click()
    expect(note).to_have_value("A threat on row two.")
    note.fill("")
    expect(here(page)).to_have_text("3. 3")


def test_what_is_typed_in_a_note_is_undone_there(page):
    page.goto("analyse?game=connect4&moves=4_4")
    expect(shown_moves(page)).to_have_count(2)
    page.locator("[data-cell='35']").click()
    expect(shown_moves(page)).to_have_count(3)
    note = page.get_by_label("Note on this position")
    note.press_sequentially("x")
    page.keyboard.press("Control+z")
    expect(note).to_have_value("")
    expect(shown_moves(page)).to_have_count(3)


# ------------------------------------------------------------------ in and out


def saved_record() -> str:
    moves = [MoveRecord(name, side) for name, side in (("4", 0), ("4", 1), ("3", 0))]
    write = find_format("json").write
    assert write is not None
    return write([GameRecord("connect4", ("", ""), moves)]).decode()


POSITION = "---------------------------OX------OXX-----O-------------------- X"  # after f5 d6
START = "---------------------------OX------XO---------------------------"


@pytest.mark.parametrize(
    ("text", "said", "title", "count", "discs"),
    [
        ("f5d6c3d3c4", "Othello transcript", "Othello", 5, 9),
        (f"{START} X", "Othello", "Othello", 0, 4),
        ("0x0000000810000000 0x0000001008000000", "two bitboards", "Othello", 0, 4),
        (saved_record(), "JSON", "Connect Four", 3, 3),
        (
            "http://127.0.0.1:1/analyse?game=connect4&moves=4_4_4",
            "a link of ours",
            "Connect Four",
            3,
            3,
        ),
    ],
    ids=["moves", "position", "bitboards", "record", "link"],
)
def test_what_is_pasted_is_recognised(page, text, said, title, count, discs):
    page.goto("analyse?game=kalah&moves=3_6")
    expect(shown_moves(page)).to_have_count(2)
    paste(page, text)
    expect(page.locator(".toast")).to_contain_text(re.compile(said, re.IGNORECASE))
    expect(page.locator("h1")).to_have_text(f"{title}: analysis")
    expect(shown_moves(page)).to_have_count(count)
    expect(page.locator("g-board .piece.disc")).to_have_count(discs)
    page.keyboard.press("Control+z")
    expect(page.locator("h1")).to_have_text("Kalah: analysis")
    expect(shown_moves(page)).to_have_text(["1. 3", "2. 6"])


@pytest.mark.parametrize(
    "text", ["what is this?", "http://127.0.0.1:1/analyse?game=connect4&moves=4_9"]
)
def test_nonsense_that_is_pasted_changes_nothing(page, text):
    page.goto("analyse?game=connect4&moves=4_4")
    expect(shown_moves(page)).to_have_count(2)
    address = page.url
    with page.expect_event("console"):  # the browser's own line on the refusal
        paste(page, text)
    expect(page.locator(".toast.error")).to_be_visible()
    expect(shown_moves(page)).to_have_text(["1. 4", "2. 4"])
    assert page.url == address
    page.watch.problems = [each for each in page.watch.problems if "400" not in each]


def test_an_address_with_an_illegal_move_shows_what_came_before(page):
    with page.expect_event("console"):
        page.goto("analyse?game=connect4&moves=4_4_9_4")
    expect(shown_moves(page)).to_have_text(["1. 4", "2. 4"])
    expect(here(page)).to_have_text("2. 4")
    expect(page.locator(".toast.error")).to_have_count(1)
    page.watch.problems = [each for each in page.watch.problems if "400" not in each]


def test_a_shared_link_restores_branch_ply_and_orientation(page, browser):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("analyse?game=othello&moves=f5_d6(f4_e3)_c3")
    expect(shown_moves(page)).to_have_count(5)
    page.locator(".variation .tree-move").first.click()
    page.get_by_role("button", name="Flip").click()
    expect(here(page)).to_have_text("2. f4")
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".toast")).to_contain_text("Copied")
    other = browser.new_context().new_page()
    other.goto(clipboard(page))
    expect(shown_moves(other)).to_have_count(5)
    expect(here(other)).to_have_text("2. f4")
    expect(other.locator("g-board .cell").first).to_have_attribute("data-cell", "63")
    expect(other.locator("g-board .piece.second")).to_have_count(3)
    other.context.close()


def test_a_shared_link_to_the_start_opens_the_start(page, browser):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("analyse?game=othello&moves=f5_d6")
    expect(shown_moves(page)).to_have_count(2)
    page.keyboard.press("Home")
    expect(here(page)).to_have_count(0)
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".toast")).to_contain_text("Copied")
    other = browser.new_context().new_page()
    other.goto(clipboard(page))
    expect(shown_moves(other)).to_have_count(2)
    expect(here(other)).to_have_count(0)
    other.context.close()


def test_a_pasted_link_keeps_ply_and_orientation(page):
    page.goto("analyse?game=othello")
    expect(page.get_by_role("gridcell")).to_have_count(64)
    paste(page, "http://127.0.0.1:1/analyse?game=othello&moves=f5_d6_c3&ply=1&flip=1")
    expect(shown_moves(page)).to_have_count(3)
    expect(here(page)).to_have_text("1. f5")
    expect(page.locator("g-board .cell").first).to_have_attribute("data-cell", "63")


def test_what_cannot_be_copied_is_shown_and_selected(page):
    page.add_init_script(NO_CLIPBOARD)
    page.goto("analyse?game=othello&moves=f5_d6")
    expect(shown_moves(page)).to_have_count(2)
    for button, text in (
        ("Share", page.url),
        ("Copy moves", "f5 d6"),
        ("Copy position", POSITION),
    ):
        page.get_by_role("button", name=button).click()
        dialog = page.get_by_role("dialog", name="Copy by hand")
        expect(dialog.get_by_role("textbox")).to_be_focused()
        expect(dialog.get_by_role("textbox")).to_have_value(text)
        assert page.evaluate("getSelection().toString()") == text
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(page.get_by_role("button", name=button)).to_be_focused()
    expect(page.locator(".toast")).to_have_count(0)


def test_another_game_is_opened_without_asking_who_plays(page):
    page.goto("analyse?game=connect4&moves=4_4")
    expect(shown_moves(page)).to_have_count(2)
    page.get_by_role("button", name="Another game …").click()
    dialog = page.get_by_role("dialog", name="Another game")
    expect(dialog).to_be_visible()
    expect(dialog.locator(".player-form")).to_have_count(0)
    dialog.get_by_label("Game").select_option("othello")
    dialog.get_by_role("button", name="Open").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("gridcell")).to_have_count(64)


def test_moves_and_positions_are_copied(page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("analyse?game=othello&moves=f5_d6_c3")
    expect(shown_moves(page)).to_have_count(3)
    page.keyboard.press("ArrowLeft")
    expect(here(page)).to_have_text("2. d6")
    page.keyboard.press("c")
    expect(page.locator(".toast")).to_contain_text("Copied: the moves.")
    assert clipboard(page) == "f5 d6"
    page.keyboard.press("Shift+C")
    expect(page.locator(".toast").filter(has_text="the position")).to_be_visible()
    assert clipboard(page) == POSITION


def test_a_link_leads_to_the_stored_games_with_this_position(page):
    page.goto("analyse?game=othello&set=size=6&moves=c2_b2(d2)_b3&path=0.0")
    link = page.get_by_role("link", name="Games with this position")
    expect(link).to_have_attribute("href", re.compile("moves=c2_b2&"))
    address = urlsplit(link.get_attribute("href"))
    assert address.path == "/games"
    given = {name: value for name, [value] in parse_qs(address.query).items()}
    assert given["game"] == "othello"
    assert "size=6" in given["set"].split(",")
    assert (given["moves"], given["symmetric"]) == ("c2_b2", "1")


# ------------------------------------------------------------------ the course of a game

TWENTY = "e6_f4_c3_c6_c4_e7_f5_b3_f3_g4_f6_g5_g7_e2_d8_c2_c5_b5_f2_g6"


def analyse_to(page, depth):
    page.get_by_label("Depth of every position").fill(str(depth))
    page.get_by_label("Depth of every position").press("Enter")


def test_a_whole_game_is_analysed_stopped_and_continued(page):
    page.goto("analyse?game=othello&moves=" + TWENTY)
    expect(shown_moves(page)).to_have_count(20)
    analyse_to(page, 1)
    page.get_by_role("button", name="Analyse game").click()
    points = page.locator(".eval-graph .point")
    expect(points).to_have_count(21, timeout=FIRST_SEARCH_MS)
    expect(page.get_by_role("button", name="Analyse game")).to_be_visible()
    page.locator(".engine summary").click()
    page.get_by_label("Seconds").fill("600")
    analyse_to(page, 30)  # which would take for ever
    expect(page.locator(".eval-graph .point.tentative")).to_have_count(21)
    page.get_by_role("button", name="Analyse game").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("region", name="Course")).to_contain_text("stopped after 0 of 21")
    analyse_to(page, 2)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Analyse game")).to_be_visible()
    expect(points).to_have_count(21)
    expect(page.locator(".eval-graph .point.tentative")).to_have_count(0)


def test_progress_is_told_with_the_time_that_is_left(page):
    page.goto("analyse?game=tictactoe&moves=b2_a1_c3")
    expect(shown_moves(page)).to_have_count(3)
    analyse_to(page, 10)
    page.evaluate(
        """() => {
            window.told = [];
            const status = document.querySelector("[aria-label=Course] [role=status]");
            const look = () => window.told.push(status.textContent);
            new MutationObserver(look).observe(status, { childList: true, subtree: true });
        }"""
    )
    page.get_by_role("button", name="Analyse game").click()
    expect(page.locator(".eval-graph .point.proven")).to_have_count(4, timeout=FIRST_SEARCH_MS)
    told = [text for text in page.evaluate("window.told") if "/4" in text]
    assert [text.split("/")[0] for text in told] == ["1", "2", "3"]
    assert all(re.search(r"\d+ s left$", text) for text in told)


def puppet_course(page):
    """A game whose every position the engine of the test judges: fair, until 3... loses."""
    puppet = Puppet(page)
    page.goto("analyse?game=connect4&moves=4_4_3_5_2")
    analyse_to(page, 5)
    page.get_by_role("button", name="Analyse game").click()
    for number, (depth, one) in enumerate(
        [
            (5, found("4", 3)),
            (5, found("4", -3)),
            (3, found("3", 3)),
            (5, found("5", -3)),
            (5, found("2 1 1", 3, "win")),
            (5, found("1", 2, "loss")),
        ],
        start=1,
    ):
        puppet.is_asked(number)
        puppet.tell(depth, one)
        puppet.say("done", reason="finished")
    expect(page.get_by_role("button", name="Analyse game")).to_be_visible()
    return puppet


def test_points_say_how_far_they_can_be_trusted(page):
    puppet_course(page)
    points = page.locator(".eval-graph .point")
    expect(points).to_have_count(6)
    classes = ["point", "point", "point tentative", "point", "point drop proven", "point proven"]
    assert [" ".join(sorted(each.get_attribute("class").split())) for each in points.all()] == [
        " ".join(sorted(each.split())) for each in classes
    ]


def test_the_largest_drop_is_marked_and_leads_to_its_move(page):
    puppet_course(page)
    expect(page.locator(".eval-graph .point.drop")).to_have_count(1)
    expect(page.locator(".eval-graph .point.drop")).to_have_attribute("data-ply", "4")
    page.locator(".eval-graph .point.drop").click()
    expect(here(page)).to_have_text("4. 5")
    page.keyboard.press("Home")
    page.get_by_role("button", name=re.compile("^Move 4, 5, lost")).click()
    expect(here(page)).to_have_text("4. 5")


def test_the_graph_is_a_slider_for_the_keyboard(page):
    page.goto("analyse?game=connect4&moves=4_4_3_2")
    slider = page.get_by_role("slider", name="Course of the game")
    expect(slider).to_have_attribute("aria-valuenow", "4")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(here(page)).to_have_text("3. 3")
    expect(slider).to_have_attribute("aria-valuenow", "3")
    expect(slider).to_have_attribute("aria-valuemax", "4")


def test_the_graph_is_dragged_along_the_line_that_is_shown(page):
    page.goto("analyse?game=connect4&moves=4_4(7_7_6)_3_3&path=0.1.0.0")
    expect(here(page)).to_have_text("4. 6")
    slider = page.get_by_role("slider", name="Course of the game")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    height = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 2, height)
    page.mouse.down()
    expect(here(page)).to_have_count(0)
    for ply, text in ((1, "1. 4"), (2, "2. 7"), (3, "3. 7"), (2, "2. 7")):
        page.mouse.move(box["x"] + box["width"] * ply / 4, height)
        expect(here(page)).to_have_text(text)
    expect(slider).to_have_attribute("aria-valuetext", "move 2, 7")
    page.mouse.move(box["x"] - 300, height)  # beyond the edge is at the edge
    expect(here(page)).to_have_count(0)
    page.mouse.up()
    page.mouse.move(box["x"] + box["width"] / 2, height)
    page.evaluate(A_MOMENT)
    expect(here(page)).to_have_count(0)
    expect(slider).to_have_attribute("aria-valuemax", "4")
    page.mouse.down()
    expect(here(page)).to_have_text("2. 4")  # from the start the main line leads on
    page.mouse.up()


def test_what_a_whole_game_needed_is_not_searched_again(page):
    puppet = puppet_course(page)
    asked = [len(each["line"]["moves"]) for each in puppet.starts]
    assert asked == [0, 1, 2, 3, 4, 5]
    assert {each["depth"] for each in puppet.starts} == {5}
    page.get_by_role("button", name="Analyse game").click()
    puppet.is_asked(7)  # the one that was not searched deep enough
    assert json.dumps(puppet.starts[6]["line"]["moves"]) == '["4", "4"]'


# ------------------------------------------------------------------ phones


def test_on_a_phone_the_board_is_wide_and_every_panel_within_reach(page):
    page.set_viewport_size({"width": 375, "height": 667})
    page.goto("analyse?game=othello&moves=f5_d6")
    expect(page.locator("g-board .cell")).to_have_count(64)
    assert page.locator("g-board").bounding_box()["width"] >= 0.9 * 375
    expect(page.locator(".eval-bar")).to_be_visible()
    tabs = page.get_by_role("group", name="Panels")
    for name, content in (
        ("Moves", shown_moves(page).first),
        ("Course", page.get_by_role("slider")),
        ("Factors", page.locator(".factors")),
        ("Position", page.get_by_role("button", name="Share")),
        ("Engine", page.get_by_role("switch", name="Engine")),
    ):
        tabs.get_by_role("button", name=name).click()
        expect(content).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_on_a_phone_the_bar_says_its_number(page):
    page.set_viewport_size({"width": 375, "height": 667})
    puppet = Puppet(page)
    page.goto("analyse?game=connect4")
    page.get_by_role("switch", name="Engine").click()
    puppet.is_asked()
    puppet.tell(5, found("4", 12))
    figure = page.locator(".eval-bar .figure")
    expect(figure).to_have_text("+12")
    bar, text = page.locator(".eval-bar").bounding_box(), figure.bounding_box()
    assert text["height"] >= 10
    assert bar["y"] <= text["y"]
    assert text["y"] + text["height"] <= bar["y"] + bar["height"]


def test_on_a_wide_page_board_moves_and_engine_need_no_scrolling(page):
    page.goto("analyse?game=othello&moves=f5_d6")
    expect(shown_moves(page)).to_have_count(2)
    for part in (page.locator("g-board .cells"), shown_moves(page).last, page.locator(".engine")):
        expect(part).to_be_in_viewport(ratio=1)
