"""Boards in a real JupyterLab: a kernel that thinks, pages that click, light and dark."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest
from notebook_lab import jupyter_lab, write_notebook
from playwright.sync_api import TimeoutError

pytestmark = pytest.mark.full
PATIENCE_MS = 120_000
CELLS = [
    "import plyground as pg\nmade = pg.board('othello', opponent='medium', seed=1)\nmade",
    "four = pg.board('connect4', opponent='random', seed=1)\nfour",
    "pg.board('kalah', opponent='random', seed=1)",
    "pg.board('double-card', opponent='random', seed=1)",
    "pg.board(pg.match('random', 'first', game='othello', games=2, seed=1).games)",
    "pg.board(pg.Position('textbook').tree('alphabeta', depth=2))",
    "print('played', made.position.moves, four.position.ply)",
]
CLICKS = [(0, 19), (1, 38), (2, 8), (3, 90)]  # a cell of the notebook, a cell of its board
PAPER = "(place) => getComputedStyle(place).backgroundColor"


@pytest.fixture(scope="module")
def notebook(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A notebook of which all cells but the last have been run."""
    folder = Path(tmp_path_factory.mktemp("lab"))
    write_notebook(folder / "boards.ipynb", CELLS)
    with jupyter_lab(folder) as address:
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        page.set_default_timeout(PATIENCE_MS)
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.goto(f"{address}lab/tree/boards.ipynb")
        for number in range(len(CELLS) - 1):
            run(page, number)
        yield page
        page.close()


def cell(page: Any, number: int) -> Any:
    return page.locator(".jp-Notebook .jp-Cell").nth(number)


def run(page: Any, number: int) -> None:
    """Run a cell. What is asked before JupyterLab has its kernel may be lost, so ask again."""
    prompt = cell(page, number).locator(".jp-InputPrompt")
    for _ in range(30):
        cell(page, number).locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        with contextlib.suppress(TimeoutError):
            prompt.filter(has_text=re.compile(r"\[[*\d]")).wait_for(timeout=4000)
            break
    prompt.filter(has_text=f"[{number + 1}]").wait_for()


def test_moves_are_played_and_answered(notebook):
    for number, place in CLICKS:
        board = cell(notebook, number)
        board.locator(f"g-board [data-cell='{place}']").click()
        board.locator(".move-list li").nth(1).wait_for()
        board.get_by_text("Your move").wait_for()
    run(notebook, len(CELLS) - 1)
    told = cell(notebook, len(CELLS) - 1).locator(".jp-OutputArea-output").inner_text()
    assert told.startswith("played ('d3', ")
    assert told.strip().endswith(" 2")
    assert notebook.problems == []


def test_a_game_is_stepped_through(notebook):
    board = cell(notebook, 4)
    board.get_by_role("button", name="Forward").click()
    board.locator("g-board [data-cell='0']").click()
    notebook.keyboard.press("ArrowRight")
    board.get_by_text("move 2 of").wait_for()
    notebook.keyboard.press("End")
    board.get_by_text("wins").wait_for()
    assert notebook.problems == []


def test_keys_that_are_pressed_on_a_board_are_no_commands_of_the_notebook(notebook):
    played = cell(notebook, 1).locator(".move-list li")
    before = played.count()
    cell(notebook, 1).locator("g-board [data-cell='40']").focus()
    for key in ("a", "b", "d", "d", "ArrowUp", "x"):
        notebook.keyboard.press(key)
    assert notebook.locator(".jp-Notebook .jp-Cell").count() == len(CELLS)
    notebook.keyboard.press("Enter")
    played.nth(before + 1).wait_for()


def test_a_node_is_clicked(notebook):
    board = cell(notebook, 5)
    board.locator(".tree-picture .node").nth(4).click()
    board.get_by_text("The game is over here: 8 for First.").wait_for()
    assert notebook.problems == []


def test_it_follows_the_theme(notebook):
    place = cell(notebook, 0).locator(".widget")
    light = place.evaluate(PAPER)
    notebook.click("text=Settings >> nth=0")
    notebook.hover("text=Theme >> nth=0")
    notebook.click("text=JupyterLab Dark >> nth=0")
    notebook.wait_for_selector("body[data-jp-theme-light=false]", state="attached")
    assert (light, place.evaluate(PAPER)) == ("rgb(246, 245, 241)", "rgb(20, 23, 26)")


def test_a_notebook_is_run_without_a_page(tmp_path, monkeypatch):
    write_notebook(tmp_path / "boards.ipynb", CELLS)
    read = nbformat.read(tmp_path / "boards.ipynb", as_version=4)
    nbclient.NotebookClient(read, timeout=300, kernel_name="python3").execute()
    outputs = [each.outputs[-1] for each in read.cells]
    shown = [each["data"] for each in outputs[:-1]]
    assert all("application/vnd.jupyter.widget-view+json" in each for each in shown)
    assert shown[0]["text/plain"] == "Othello, Your move, Black."
    assert len(read.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"]) > 5
