"""The factors of an evaluation: listed with what each adds, and drawn on the board."""

from __future__ import annotations

import re

import asking
import pytest
from expecting import expect

MINUS = "\N{MINUS SIGN}"

# A corner of Black's with the edge beside it, and a disc of White's inside:
#     a b c
#   1 X X X        stable: a1 b1 c1 a2
#   2 X O -
CORNER = "XXX-----XO------" + 48 * "-"


def open_factors(page, address, evaluator=None):
    page.goto(address)
    panel = page.locator("details").filter(has_text="What the evaluation is made of")
    panel.wait_for()
    if panel.get_attribute("open") is None:  # a page opens it if the one before it had
        panel.locator("summary").first.click()
    expect(page.locator(".factors tbody tr").first).to_be_visible()
    if evaluator:
        page.locator(".engine summary").click()
        page.get_by_label("Evaluator").select_option(evaluator)
        expect(page.locator(".factor-body")).to_contain_text(f"by {evaluator}")


def drawn(page, side):
    """The cells that are drawn for a side."""
    cells = page.locator(f"g-board .counts:has([data-for={side}])").all()
    return {int(cell.get_attribute("data-cell")) for cell in cells}


def squares(names):
    """Cells of an 8x8 board by their names."""
    return {8 * (int(name[1]) - 1) + "abcdefgh".index(name[0]) for name in names.split()}


def factor(page, name):
    return page.get_by_role("button", name=name, exact=True)


def test_each_factor_has_a_value_a_weight_and_a_share(page):
    open_factors(page, f"analyse?game=othello&position={CORNER} X")
    expect(page.locator(".factors tbody tr")).to_have_count(12)
    row = page.locator(".factors tbody tr").filter(has=factor(page, "stable discs"))
    expect(row.locator("td")).to_have_text(["+4", "30", "+120"])
    rows = page.locator(".factors tbody tr").all()
    shares = [int(row.locator("td").last.inner_text().replace(MINUS, "-")) for row in rows]
    value = page.locator(".factor-body strong").inner_text().replace(MINUS, "-")
    assert sum(shares) == int(value)


def test_pointing_at_a_factor_draws_it_and_going_away_removes_it(page):
    open_factors(page, f"analyse?game=othello&position={CORNER} X")
    expect(page.locator("g-board .amount")).to_have_count(0)
    factor(page, "stable discs").hover()
    expect(page.locator("g-board .amount")).to_have_text(["+30"] * 4)
    assert drawn(page, "first") == squares("a1 b1 c1 a2")
    assert drawn(page, "second") == set()
    page.locator("h1").hover()
    expect(page.locator("g-board .amount")).to_have_count(0)
    expect(page.locator("g-board .counts")).to_have_count(0)


def test_the_keyboard_draws_a_factor_and_keeps_it(page):
    open_factors(page, f"analyse?game=othello&position={CORNER} X")
    factor(page, "stable discs").focus()
    expect(page.locator("g-board .amount")).to_have_count(4)
    page.keyboard.press("Enter")
    expect(factor(page, "stable discs")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#speaker")).to_have_text("stable discs, +120; for Black: a1, b1, c1, a2.")
    page.keyboard.press("Tab")
    page.locator("h1").click()
    expect(page.locator("g-board .amount")).to_have_count(4)
    factor(page, "stable discs").click()
    expect(factor(page, "stable discs")).to_have_attribute("aria-pressed", "false")
    page.locator("h1").click()
    page.locator("h1").hover()
    expect(page.locator("g-board .amount")).to_have_count(0)


def test_a_cell_says_what_it_adds_and_for_whom(page):
    open_factors(page, f"analyse?game=othello&position={CORNER} X")
    factor(page, "worth of squares").click()
    described = page.locator("[data-cell='0']")
    expect(described).to_have_accessible_description("worth of squares: +99 for Black")
    expect(page.locator("[data-cell='1']")).to_have_accessible_description(
        "worth of squares: +18 for White"
    )
    expect(page.locator("[data-cell='9'] .chip")).to_have_text("+24")  # White's disc on an X square


def test_whom_a_cell_counts_for_shows_without_colour(page):
    open_factors(page, f"analyse?game=othello&position={CORNER} X")
    factor(page, "worth of squares").click()
    for side, sign in (("first", "+"), ("second", MINUS)):
        amounts = page.locator(f"g-board .amount[data-for={side}]")
        assert all(text.startswith(sign) for text in amounts.all_inner_texts())
        pattern = amounts.first.evaluate("e => getComputedStyle(e, '::before').backgroundImage")
        assert ("repeating" in pattern) == (side == "second")
    expect(page.locator(".legend")).to_have_text(f"+ for Black {MINUS} for White")


def test_what_is_kept_follows_the_position_and_is_seen_by_the_first_player(page):
    open_factors(page, "analyse?game=othello&moves=f5_f6", "mobility")
    factor(page, "legal moves").click()
    expect(page.locator("g-board .amount").first).to_be_visible()
    mine, theirs = drawn(page, "first"), drawn(page, "second")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".tree-move[aria-current]")).to_have_text("1. f5")
    expect(factor(page, "legal moves")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-cell='44'] .amount")).to_have_count(0)
    expect(page.locator("[data-cell='43'] .amount .chip")).to_have_text([f"{MINUS}8"])
    assert drawn(page, "second") == squares("d6 f4 f6")
    assert (mine, theirs) != (drawn(page, "first"), drawn(page, "second"))


def test_a_picture_survives_flipping_the_board(page):
    open_factors(page, f"analyse?game=othello&position={CORNER} X")
    factor(page, "stable discs").click()
    expect(page.locator("g-board .amount")).to_have_count(4)
    page.keyboard.press("f")
    expect(page.locator("g-board .cell").first).to_have_attribute("data-cell", "63")
    assert drawn(page, "first") == squares("a1 b1 c1 a2")


def test_closing_the_panel_removes_the_picture(page):
    open_factors(page, f"analyse?game=othello&position={CORNER} X")
    factor(page, "stable discs").click()
    expect(page.locator("g-board .amount")).to_have_count(4)
    page.get_by_text("What the evaluation is made of").click()
    expect(page.locator("g-board .amount")).to_have_count(0)


@pytest.mark.parametrize(
    ("address", "name", "first", "second"),
    [
        (
            "game=othello&position=" + CORNER + " X&evaluator=stages",
            "frontier, early game",
            squares("b2"),
            set(),
        ),
        (
            "game=connect4&moves=4_4_3_3_5_5",
            "of these playable at once",
            {36, 40},
            set(),
        ),
        ("game=kalah&moves=3_6", "moves that earn another turn", set(), {5}),
        ("game=tictactoe&moves=b2", "open lines with 1 of 3 marks", None, set()),
        ("game=double-card&position=2A1 2B1 2C1", "dead three", None, None),
    ],
)
def test_factors_of_every_game_are_drawn(page, address, name, first, second):
    address, _, evaluator = address.partition("&evaluator=")
    open_factors(page, f"analyse?{address}", evaluator)
    factor(page, name).click()
    expect(page.locator("g-board .amount").first).to_be_visible()
    assert first is None or drawn(page, "first") == first
    assert second is None or drawn(page, "second") == second


def test_a_drawn_factor_moves_nothing(page):
    open_factors(page, f"analyse?game=othello&position={CORNER} X")
    factor(page, "stable discs").scroll_into_view_if_needed()
    board, table = page.locator("g-board .cells"), page.locator(".factors")
    before = board.bounding_box(), table.bounding_box()
    factor(page, "stable discs").focus()
    expect(page.locator("g-board .amount")).to_have_count(4)
    assert (board.bounding_box(), table.bounding_box()) == before


def test_the_cells_that_are_told_add_up_to_the_value(server):
    asked = {"game": "othello", "moves": ["f5", "d6", "c3"]}
    told = asking.post(f"{server.address}api/explain", json=asked).json()
    for each in told["factors"]:
        if each["cells"]:
            assert sum(amount for _, amount in each["cells"]) == each["value"]
    assert sum(each["share"] for each in told["factors"]) == told["value"]


def test_weights_are_taken_as_in_players(server):
    asked = {"game": "othello", "moves": ["f5", "d6"], "evaluator": "stages(early_mobility=12)"}
    told = asking.post(f"{server.address}api/explain", json=asked).json()
    weights = {each["name"]: each["weight"] for each in told["factors"]}
    assert weights["mobility, early game"] == 12


def test_a_finished_game_has_no_factors(page):
    page.goto("analyse?game=tictactoe&moves=a1_a2_b1_b2_c1")
    page.get_by_text("What the evaluation is made of").click()
    expect(page.locator(".factor-body")).to_have_text(re.compile("over"))
