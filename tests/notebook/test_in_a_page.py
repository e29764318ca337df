"""Widgets drawn in a real browser, in a page that gives them what a notebook gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from notebook_page import Shown, draw

import plyground as pg
from plyground.core.records import GameRecord, MoveRecord
from plyground.public.records import RecordedGame

HEXAPAWN = str(Path(__file__).parents[2] / "examples" / "hexapawn.py")
MOVES = "f5 d6 c3 d3 c4"
CLICKS = [  # a game, a cell, and the move that is meant
    ("othello", 19, "d3"),
    ("connect4", 3, "4"),
    ("kalah", 8, "1"),
    ("double-card", 90, "0 1 C 1"),
    ("tictactoe", 4, "b2"),
]
DARK = "document.body.style.color = '#eee'; document.body.style.background = '#111'"
LOOKS = """() => ["h1", "button"].map((each) =>
    JSON.stringify({ ...getComputedStyle(document.querySelector(each)) }))"""
PAPER = "(place) => getComputedStyle(place).backgroundColor"


def recorded(moves: str = MOVES) -> RecordedGame:
    made = [MoveRecord(move, ply % 2) for ply, move in enumerate(moves.split())]
    return RecordedGame(GameRecord("othello", ("Ann", "Bob"), made))


def focus_is_in(shown: Shown) -> bool:
    return bool(shown.find(":focus").count())


@pytest.mark.parametrize(("game", "cell", "move"), CLICKS)
def test_a_cell_that_is_clicked_is_a_move(page, game, cell, move):
    shown = draw(page, pg.board(game, opponent="random", seed=1))
    shown.cell(cell).click()
    assert shown.exchange() == [{"do": "play", "move": move, "ply": 0}]
    assert shown.widget.position.moves[0] == move
    assert shown.find(".move-list li").count() == shown.widget.position.ply > 1
    assert shown.line.startswith("Your move")


def test_pieces_are_moved_by_two_clicks_and_by_dragging(page):
    shown = draw(page, pg.board(HEXAPAWN, opponent=None))
    shown.cell(6).click()
    shown.cell(3).click()
    assert shown.exchange() == [{"do": "play", "move": "a1a2", "ply": 0}]
    shown.cell(1).drag_to(shown.cell(3))
    assert shown.exchange() == [{"do": "play", "move": "b3a2", "ply": 1}]
    assert shown.widget.position.moves == ("a1a2", "b3a2")


def test_keys_play_as_well(page):
    shown = draw(page, pg.board("othello", opponent=None))
    shown.cell(18).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    shown.exchange()
    assert shown.widget.position.moves == ("d3",)
    assert shown.line == "White to move."


def test_what_is_not_legal_is_answered_with_a_line(page):
    shown = draw(page, pg.board("othello", opponent="random"))
    shown.cell(0).click()
    assert shown.line == "a1 is not a legal move."
    assert shown.exchange() == []


def test_moves_are_taken_back_and_games_begun_anew(page):
    shown = draw(page, pg.board("connect4", opponent="random", seed=1))
    assert shown.button("Take back").is_disabled()
    for _ in range(2):
        shown.cell(3).click()
        shown.exchange()
    shown.button("Take back").click()
    shown.exchange()
    assert shown.widget.position.ply == 2
    shown.button("New game").click()
    shown.exchange()
    assert shown.widget.position.ply == 0
    assert shown.find(".piece").count() == 0


def test_a_board_that_thinks_takes_no_clicks(page):
    shown = draw(page, pg.board("othello", opponent=None))
    told = {**shown.widget.shown, "isMine": False, "isThinking": True, "told": "it is thinking …"}
    page.evaluate("(shown) => models.board.update({ shown })", told)
    assert shown.line == "it is thinking …"
    shown.cell(19).click()
    assert shown.line == "it is not your turn."
    assert shown.exchange() == []


def test_a_pass_has_a_button(page):
    shown = draw(page, pg.board(pg.Position("othello", "d3 c3 e6 d2 d1 e1 b2 c1"), opponent=None))
    assert "has no move and passes" in shown.line
    shown.button("Pass").click()
    shown.exchange()
    assert shown.widget.position.last_move == "pass"


def test_a_card_is_turned_on_the_board_that_has_the_focus(page):
    one = draw(page, pg.board("double-card", opponent=None), "one")
    other = draw(page, pg.board("double-card", opponent=None), "other")
    chosen = "[role=radio][aria-checked=true] .caption"
    one.cell(90).focus()
    page.keyboard.press("r")
    assert (one.find(chosen).inner_text(), other.find(chosen).inner_text()) == ("2", "1")


def test_several_boards_and_a_cell_that_is_run_again(page):
    boards = [draw(page, pg.board("othello", opponent=None), name) for name in ("one", "other")]
    draw(page, boards[0].widget, "again")
    boards[0].cell(19).click()
    for board in boards:
        board.exchange()
    assert [board.widget.position.ply for board in boards] == [1, 0]
    assert [board.find(".piece").count() for board in boards] == [5, 4]
    assert page.evaluate("globalThis[Symbol.for('plyground.modules')].size") < 20


def test_an_element_of_another_version_does_no_harm(page):
    page.evaluate("customElements.define('g-board', class extends HTMLElement { show() {} })")
    shown = draw(page, pg.board("othello", opponent=None))
    assert shown.line == "Black to move."


def test_two_views_of_one_board_show_the_same(page):
    widget = pg.board(recorded())
    one = draw(page, widget, "one")
    model = "(given) => { models.other = models.one; return drawWidget(...given); }"
    page.evaluate(model, ["other", widget._esm, {}])
    one.button("Forward").click()
    assert Shown(page, widget, "other").find(".move-list li").count() == 1


def test_a_game_is_stepped_through_by_buttons_and_keys(page):
    shown = draw(page, pg.board([recorded(), recorded("f5 f6")]))
    plies = []
    for name in ("Forward", "Forward", "Back", "Last", "Forward", "First"):
        shown.button(name).click()
        shown.exchange()
        plies.append(shown.widget.position.ply)
    assert plies == [1, 2, 1, 5, 5, 0]
    shown.cell(0).click()  # the board has the focus, and the keys still step
    plies = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "Home"):
        page.keyboard.press(key)
        shown.exchange()
        plies.append(shown.widget.position.ply)
    assert plies == [1, 2, 1, 5, 0]
    assert shown.line.startswith("move 0 of 5")


def test_another_game_is_chosen(page):
    shown = draw(page, pg.board([recorded(), recorded("f5 f6")]))
    shown.find("input").fill("2")
    shown.find("input").press("Tab")
    assert shown.exchange() == [{"do": "choose", "game": 1}]
    assert shown.line.startswith("move 0 of 2")
    shown.find("input").fill("7")
    shown.find("input").press("Tab")
    shown.exchange()
    assert shown.line == "there is no game 7; expected 1 to 2"


def test_a_page_steps_where_no_kernel_runs(page):
    shown = draw(page, pg.board(recorded()))
    shown.button("Last").click()
    assert shown.find(".move-list li").count() == len(MOVES.split())


@pytest.mark.usefixtures("plain")
def test_a_node_that_is_clicked_shows_its_position_and_its_sentence(page):
    tree = pg.Position("connect4", "4 4 3").tree("alphabeta", depth=2)
    shown = draw(page, pg.board(tree))
    shown.settle("[data-testid=sentence]", tree.root.sentence)
    shown.find(".tree-picture [data-node='3']").click()
    shown.settle("[data-testid=sentence]", tree[3].sentence)
    assert shown.find("g-board .piece").count() == tree[3].position.ply
    assert shown.find(".tree-picture .node.chosen").get_attribute("data-node") == "3"
    shown.exchange()
    assert shown.widget.node == tree[3]
    shown.widget.node = tree[1]
    shown.settle("[data-testid=sentence]", tree[1].sentence)


def test_a_large_tree_is_an_outline_that_keys_walk_through(page):
    tree = pg.Position("connect4", "4 4 3").tree("alphabeta", depth=5)
    assert len(tree) > 300
    shown = draw(page, pg.board(tree))
    shown.settle("[data-testid=sentence]")
    assert shown.find(".tree-picture").is_hidden()
    assert shown.find("canvas").is_visible()
    shown.settle("[role=treeitem][data-node='1']")
    shown.find("[role=treeitem][data-node='1']").click()
    shown.settle("[data-testid=sentence]", tree[1].sentence)
    page.keyboard.press("ArrowDown")
    assert focus_is_in(shown)  # rows are drawn anew, and keep the focus
    shown.until(lambda: shown.widget.node.number > 1, "the next node")
    page.keyboard.press("ArrowUp")
    shown.until(lambda: shown.widget.node.number == 1, "the node before")


def test_it_is_dark_where_the_page_is(page):
    shown = draw(page, pg.board("othello", opponent=None))
    light = shown.find(".widget").evaluate(PAPER)
    page.evaluate(DARK)
    dark = shown.find(".widget").evaluate(PAPER)
    assert (light, dark) == ("rgb(246, 245, 241)", "rgb(20, 23, 26)")
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")  # what JupyterLab says goes before
    assert shown.find(".widget").evaluate(PAPER) == light


def test_the_page_keeps_its_own_looks(page):
    before = page.evaluate(LOOKS)
    draw(page, pg.board("othello", opponent=None))
    assert page.evaluate(LOOKS) == before


def test_a_widget_that_is_taken_away_listens_no_longer(page):
    shown = draw(page, pg.board(recorded()))
    count = "() => Object.values(models.board.listeners).flat().length"
    assert page.evaluate(count) == 2
    page.evaluate("models.board.leave()")
    assert page.evaluate(count) == 0
    assert shown.find("g-board").count() == 1


@pytest.mark.parametrize("width", [360, 700, 1100])
def test_nothing_is_wider_than_its_place(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    for game in ("othello", "kalah", "double-card"):
        shown = draw(page, pg.board(game, opponent=None), game)
        wide = "(place) => place.scrollWidth - place.clientWidth"
        assert shown.find(".widget").evaluate(wide) <= 0, game
