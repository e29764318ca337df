"""Moves of pieces in a browser: origin and target by click, key, finger, and by dragging."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from expecting import expect
from web_server import Server, fresh_page, shared_profile, web_server

HEXAPAWN = Path(__file__).parents[2] / "examples" / "hexapawn.py"
A3, B3, C3, A2, B2, C2, A1, B1, C1 = range(9)
TWO_CAN_TAKE = "b1b2_a3b2"  # both white pawns that are left reach b2

# Moves of one cell and of two in one position, some with the same cells.
MIXED = """
from typing import NamedTuple

from plyground.core.board import Board
from plyground.games.spec import GameSpec

NAMES = ("stay", "put", "walk", "queen", "rook", "jump")
CELLS = ((4,), (0,), (4, 5), (4, 3), (4, 3), (4, 8, 7))
SHOWN = ((4,), (4, 0), (5,), (3,), (3,), (8,))


class Mixed(NamedTuple):
    made: int
    side: int

    def legal_moves(self, moves, start):
        for move in range(6):
            moves[start + move] = move
        return start + 6

    def play(self, move):
        return Mixed(move, 1 - self.side)

    def is_over(self):
        return self.made >= 0

    def outcome(self):
        return -1


def board(state):
    held = SHOWN[state.made] if state.made >= 0 else (4,)
    return Board("grid", 3, 3, tuple("first" if cell in held else "" for cell in range(9)))


GAME = GameSpec(
    name="mixed",
    title="Mixed",
    summary="One move of any kind.",
    start=lambda: Mixed(-1, 0),
    max_moves=6,
    write_move=lambda state, move: NAMES[move],
    board=board,
    move_cells=lambda state, move: CELLS[move],
)
"""


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("pieces")
    path = folder / "mixed.py"
    path.write_text(MIXED, encoding="utf-8")
    with web_server(folder, games=(str(HEXAPAWN), str(path))) as started:
        yield started


@pytest.fixture(scope="module")
def desk(browser: Any, pieces: Server) -> Iterator[Any]:
    with shared_profile(browser, pieces) as profile:
        yield profile


@pytest.fixture
def page(desk: Any) -> Iterator[Any]:
    with fresh_page(desk) as fresh:
        yield fresh


@pytest.fixture
def phone(browser: Any, pieces: Server) -> Iterator[Any]:
    small = {"width": 390, "height": 500}  # lower than the page, so that a finger could scroll it
    with (
        shared_profile(browser, pieces, has_touch=True, viewport=small) as profile,
        fresh_page(profile) as fresh,
    ):
        yield fresh


def begin(page: Any, game: str = "hexapawn", line: str = "", way: str = "play") -> None:
    page.goto(f"{way}?game={game}&first=human&second=human&moves={line}")
    expect(page.locator("g-board .movable")).not_to_have_count(0)


def cell(page: Any, index: int) -> Any:
    return page.locator(f"g-board [data-cell='{index}']")


def guided(page: Any) -> list[int]:
    """The cells that the board points at."""
    return page.locator("g-board .cell.legal").evaluate_all(
        "cells => cells.map((cell) => Number(cell.dataset.cell))"
    )


def expect_picked(page: Any, index: int | None) -> None:
    chosen = page.locator("g-board [aria-selected='true']")
    expect(chosen).to_have_count(0 if index is None else 1)
    if index is not None:
        expect(chosen).to_have_attribute("data-cell", str(index))


def expect_moves(page: Any, *moves: str) -> None:
    numbered = [f"{number}. {move}" for number, move in enumerate(moves, 1)]
    expect(page.locator(".move-list li")).to_have_text(numbered)


def middle(page: Any, index: int) -> tuple[float, float]:
    box = cell(page, index).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def press_and_drag(page: Any, start: int, end: int) -> None:
    page.mouse.move(*middle(page, start))
    page.mouse.down()
    page.mouse.move(*middle(page, end), steps=4)


def drag(page: Any, start: int, end: int) -> None:
    press_and_drag(page, start, end)
    page.mouse.up()


# ---------------------------------------------------------------- two clicks


def test_a_piece_is_picked_up_and_then_told_where_to_go(page):
    begin(page)
    assert guided(page) == [A1, B1, C1]
    cell(page, A1).click()
    expect_picked(page, A1)
    expect(page.locator("#speaker")).to_have_text("a1 is picked up. Choose where it goes.")
    assert guided(page) == [A2]
    cell(page, A2).click()
    expect_moves(page, "a1a2")
    expect_picked(page, None)
    assert page.locator("g-board .last").count() == 2
    expect(cell(page, A2)).to_have_accessible_name("a2, White, last move")
    expect(cell(page, A1)).to_have_accessible_name("a1, empty, last move")


@pytest.mark.parametrize(("origin", "move"), [(A1, "a1b2"), (C1, "c1b2")])
def test_two_pieces_that_reach_one_square_are_told_apart(page, origin, move):
    begin(page, line=TWO_CAN_TAKE)
    cell(page, origin).click()
    cell(page, B2).click()
    expect_moves(page, *TWO_CAN_TAKE.split("_"), move)
    expect(page.locator("#speaker")).to_have_text(f"White plays {move}. Black to move.")


def test_a_piece_that_is_picked_up_can_be_put_back(page):
    begin(page)
    for put_back in (cell(page, B1).click, cell(page, B3).click, cell(page, A2).click):
        cell(page, B1).click()
        expect_picked(page, B1)
        put_back()
        expect_picked(page, None)
        expect(page.locator("#speaker")).to_have_text("b1 is back in its place.")
        assert guided(page) == [A1, B1, C1]
    cell(page, B1).click()
    page.keyboard.press("Escape")
    expect_picked(page, None)
    expect_moves(page)


def test_another_piece_is_picked_up_instead(page):
    begin(page)
    cell(page, A1).click()
    cell(page, C1).click()
    expect_picked(page, C1)
    assert guided(page) == [C2]
    cell(page, C2).click()
    expect_moves(page, "c1c2")


def test_a_piece_that_cannot_move_is_not_picked_up(page):
    begin(page)
    cell(page, B3).click()
    expect(page.locator("#speaker")).to_have_text("b3 is not a legal move")
    expect_picked(page, None)


def test_without_guides_a_piece_that_is_picked_up_is_still_seen(page):
    page.goto("settings")
    page.get_by_label("Show legal moves").uncheck()
    begin(page)
    cell(page, A1).click()
    expect_picked(page, A1)
    ring = "(piece) => getComputedStyle(piece).outlineStyle"
    assert cell(page, A1).locator(".piece").evaluate(ring) == "solid"
    assert guided(page) == []
    cell(page, A2).click()
    expect_moves(page, "a1a2")


def test_a_target_shows_what_will_be_there_and_an_origin_shows_nothing(page):
    begin(page)
    cell(page, A1).hover()
    assert page.locator("g-board :is(.ghost, .will-change)").count() == 0
    cell(page, A1).click()
    cell(page, A2).hover()
    expect(cell(page, A2).locator(".ghost")).to_have_count(1)


def test_the_keyboard_alone_moves_a_piece(page):
    begin(page)
    page.locator("g-board [tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect_picked(page, B1)
    for key in ("Escape", " ", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect_moves(page, "b1b2")


def test_pieces_are_moved_on_the_board_of_an_analysis_as_well(page):
    begin(page, way="analyse")
    cell(page, A1).click()
    cell(page, A2).click()
    expect(page.locator(".tree-move")).to_have_text(["1. a1a2"])
    drag(page, B3, A2)
    expect(page.locator(".tree-move")).to_have_count(2)


# ---------------------------------------------------------------- dragging


def test_a_piece_is_dragged_to_its_target(page):
    begin(page, line=TWO_CAN_TAKE)
    press_and_drag(page, C1, B2)
    expect_picked(page, C1)
    x, y = middle(page, B2)
    box = cell(page, C1).locator(".piece").bounding_box()
    assert box["x"] < x < box["x"] + box["width"]
    assert box["y"] < y < box["y"] + box["height"]
    page.mouse.up()
    expect_moves(page, *TWO_CAN_TAKE.split("_"), "c1b2")


@pytest.mark.parametrize("place", [A2, C1, B1, None], ids=["far", "on its own", "home", "off"])
def test_a_piece_that_is_dropped_elsewhere_is_back_in_its_place(page, place):
    begin(page)
    before = cell(page, B1).locator(".piece").bounding_box()
    press_and_drag(page, B1, B2)
    page.mouse.move(*((5, 5) if place is None else middle(page, place)))
    page.mouse.up()
    expect_picked(page, None)
    assert cell(page, B1).locator(".piece").bounding_box() == before
    expect_moves(page)
    drag(page, B1, B2)
    expect_moves(page, "b1b2")


def test_a_piece_is_not_dragged_by_another_button_or_at_another_time(page):
    begin(page)
    page.mouse.move(*middle(page, A1))
    page.mouse.down(button="right")
    page.mouse.move(*middle(page, A2), steps=4)
    page.mouse.up(button="right")
    drag(page, A3, A2)
    expect_picked(page, None)
    expect_moves(page)


def test_escape_lets_go_of_a_piece_that_is_dragged(page):
    begin(page)
    press_and_drag(page, A1, A2)
    page.keyboard.press("Escape")
    page.mouse.up()
    expect_picked(page, None)
    expect_moves(page)


# ---------------------------------------------------------------- fingers


class Finger:
    """Touches as the screen tells them to the browser."""

    def __init__(self, page: Any) -> None:
        self.session = page.context.new_cdp_session(page)

    def tell(self, what: str, *points: tuple[float, float]) -> None:
        told = [{"x": x, "y": y} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": what, "touchPoints": told})


def test_two_taps_move_a_piece(phone):
    begin(phone)
    cell(phone, A1).tap()
    expect_picked(phone, A1)
    cell(phone, A2).tap()
    expect_moves(phone, "a1a2")


def test_a_finger_drags_a_piece_and_does_not_scroll(phone):
    begin(phone)
    phone.evaluate("scrollTo(0, 40)")
    (x, y), (to_x, to_y) = middle(phone, B1), middle(phone, B2)
    finger = Finger(phone)
    finger.tell("touchStart", (x, y))
    for step in range(1, 6):
        finger.tell("touchMove", (x + (to_x - x) * step / 5, y + (to_y - y) * step / 5))
    expect_picked(phone, B1)
    expect(cell(phone, B2).locator(".ghost")).to_have_count(1)
    finger.tell("touchEnd")
    expect_moves(phone, "b1b2")
    assert phone.evaluate("scrollY") == 40


def test_a_second_finger_does_not_drop_what_the_first_one_drags(page):
    begin(page)
    press_and_drag(page, B1, B2)
    page.evaluate("dispatchEvent(new PointerEvent('pointerup', { pointerId: 99 }))")
    expect_picked(page, B1)
    page.mouse.up()
    expect_moves(page, "b1b2")


def test_a_touch_that_is_cancelled_plays_nothing(phone):
    begin(phone)
    (x, y), (to_x, to_y) = middle(phone, B1), middle(phone, B2)
    finger = Finger(phone)
    finger.tell("touchStart", (x, y))
    finger.tell("touchMove", (x, y - 20))
    finger.tell("touchMove", (to_x, to_y))
    expect_picked(phone, B1)
    finger.tell("touchCancel")
    expect_picked(phone, None)
    expect_moves(phone)


# ---------------------------------------------------------------- moves of one cell and of two


def test_moves_of_one_cell_are_made_by_one_click_beside_moves_of_pieces(page):
    begin(page, "mixed")
    assert guided(page) == [0, 4]
    cell(page, 0).click()
    expect_moves(page, "put")


@pytest.mark.parametrize(("target", "move"), [(5, "walk"), (4, "stay"), (8, "jump")])
def test_what_a_picked_up_piece_can_do_is_told_by_its_target(page, target, move):
    begin(page, "mixed")
    cell(page, 4).click()
    assert guided(page) == [3, 4, 5, 8]
    cell(page, target).click()
    expect_moves(page, move)


def test_a_click_elsewhere_puts_a_piece_back_before_it_can_mean_a_move(page):
    begin(page, "mixed")
    cell(page, 4).click()
    cell(page, 0).click()
    expect_picked(page, None)
    expect_moves(page)


@pytest.mark.parametrize("is_dragged", [False, True])
def test_moves_with_the_same_cells_are_chosen_from_a_menu(page, is_dragged):
    begin(page, "mixed")
    if is_dragged:
        drag(page, 4, 3)
    else:
        cell(page, 4).click()
        cell(page, 3).click()
    menu = page.get_by_role("menu", name="Which move?")
    expect(menu.get_by_role("menuitem")).to_have_text(["queen", "rook"])
    menu.get_by_role("menuitem", name="rook").click()
    expect_moves(page, "rook")


# ---------------------------------------------------------------- what is drawn

SLIDES = """() => {
    document.querySelector("[data-cell='7']").click();
    document.querySelector("[data-cell='4']").click();
    return document.getAnimations().flatMap((each) => each.effect.getKeyframes()[0].transform);
}"""


def test_a_piece_slides_from_its_origin(page):
    begin(page)
    height = cell(page, B1).bounding_box()["height"]
    [first] = page.evaluate(SLIDES)
    right, down = (float(part.strip("px)")) for part in first.removeprefix("translate(").split(","))
    assert (right, down) == (pytest.approx(0, abs=0.5), pytest.approx(height, abs=1.5))


def test_a_piece_does_not_slide_for_people_who_want_no_motion(page):
    page.emulate_media(reduced_motion="reduce")
    begin(page)
    assert page.evaluate(SLIDES) == []
    expect_moves(page, "b1b2")


KNOWN = """async ({ found, view }) => {
    const [{ href }] = document.querySelectorAll("link[href$='app.css']");
    const { hintOf } = await import(href.replace("app.css", "elements/hints.js"));
    const { Findings } = await import(href.replace("app.css", "pages/analyse/findings.js"));
    const findings = new Findings();
    findings.add(view, { depth: 1, moves: found });
    const short = (all) => [...all].map(([cell, mark]) => [cell, mark.text, mark.best ?? false]);
    return [short(hintOf(2, found[0], view).marks), short(findings.marks(view, 1))];
}"""


def test_hints_and_scores_of_pieces_stand_on_targets(page):
    begin(page, line=TWO_CAN_TAKE)
    view = page.evaluate("() => document.querySelector('g-board').view")
    found = [
        {"move": move, "score": {"value": value, "kind": "heuristic", "text": str(value)}}
        for move, value in (("c1b2", 5), ("a1b2", 3), ("a1a2", -2))
    ]
    hints, scores = page.evaluate(KNOWN, {"found": found, "view": view})
    assert hints == [[C1, "from", False], [B2, "hint", True]]
    assert scores == [[A2, "-2", False], [B2, "5", True], [C2, "?", False]]
