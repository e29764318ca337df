"""Boards on pages and boards as SVG look the same: both are drawn in a browser, and compared.

Here and not beside `tests/drawing`, as a process may have one browser.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asking
import numpy as np
import pytest
from web_server import PATIENCE_MS, Server, settled

from plyground.core.board import Board
from plyground.drawing.look import LOOK
from plyground.drawing.notes import Mark
from plyground.drawing.places import places_of
from plyground.drawing.svg import board_svg
from plyground.games.catalogue import games, load_file, name_game
from plyground.games.position import BasePosition
from plyground.games.view import view
from plyground.web.pages import STATIC

EXAMPLES = Path(__file__).parents[2] / "examples"
HEXAPAWN = Path(__file__).parents[2] / "examples" / "hexapawn.py"
TALL = {"width": 820, "height": 1300}
PAGE, SOFT, PANEL, INK = "#f6f5f1", "#5b6460", "#ffffff", "#1d2321"  # the light theme of the pages
CELL_PX, OTHER_PX = 50, 480
LEAD = "0 5 E 1; 0 4 C 1; 0 6 A 1; 0 6 D 1; 0 4 A 3; 0 2 E 2; 0 6 E 4; 0 4 F 2; 0 8 D 3; 0 4 H 1"
POSITIONS = {
    "othello": ("othello", {}, "f5 d6 c3 d3 c4 f4 f6"),
    "othello-6": ("othello", {"size": 6}, ""),
    "connect4": ("connect4", {}, "4 3 4 3 4"),
    "connect4-won": ("connect4", {}, "4 3 4 3 4 3 4"),
    "tictactoe": ("mnk", {}, "b2 a1 c1"),
    "tictactoe-won": ("mnk", {}, "a1 b1 a2 b2 a3"),
    "gomoku": ("mnk", {"m": 8, "n": 8, "k": 5}, "d4 d8 e4 e8 f4"),
    "kalah": ("kalah", {}, "3 6"),
    "kalah-4": ("kalah", {"pits": 4}, ""),
    "cards": ("double-card", {}, LEAD),
    "cards-won": ("double-card", {}, f"{LEAD}; 0 4 B 1"),
    "synthetic": ("synthetic", {}, ""),
    "textbook": ("textbook", {"tree": "siew"}, ""),
}
SHOW = """async ([path, view, width, guides, marks, shares]) => {
    await import(path);
    const board = document.createElement("g-board");
    board.style.width = `${width}px`;
    document.body.style.display = "block";
    document.body.replaceChildren(board);
    board.show(view, { quick: true });
    for (const cell of guides) board.cell(cell).classList.add("legal");
    board.marks = new Map(marks);
    if (shares.length) board.picture = { name: "factor", cells: shares, players: view.players };
    for (const text of board.querySelectorAll("pre")) text.style.margin = "0";
    return [...board.querySelectorAll("[data-cell]")]
        .sort((one, other) => one.dataset.cell - other.dataset.cell)
        .map((cell) => cell.getBoundingClientRect())
        .map(({ x, y, width, height }) => [x, y, width, height]);
}"""
READ = """async (png) => {
    const answer = await fetch(`data:image/png;base64,${png}`);
    const picture = await createImageBitmap(await answer.blob());
    const pen = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    pen.drawImage(picture, 0, 0);
    const { data } = pen.getImageData(0, 0, picture.width, picture.height);
    const parts = [];
    for (let at = 0; at < data.length; at += 4096) parts.push(data.subarray(at, at + 4096));
    return btoa(parts.map((part) => String.fromCharCode(...part)).join(""));
}"""
# Of 255: half of what is found where something is changed. Words may lie a pixel beside each other,
# and widths of notes are guessed, as an SVG cannot measure a text.
MOST_OF_ALL = {"grid": 0.5, "columns": 0.5, "cards": 0.5, "pits": 4, "text": 8}
MOST_OF_A_CELL, MOST_IN_A_MIDDLE = 2, 3
MOST_OF_A_DASHED_CELL = 4  # dashes of a page begin elsewhere than those of an SVG
MOST_OF_ALL_NOTED, MOST_OF_A_NOTED_CELL = 2.5, 8


@dataclass
class Scene:
    """A board and what is said of it."""

    board: Board
    told: dict[str, Any]
    """The view of the pages."""
    guides: tuple[int, ...] = ()
    marks: dict[int, Mark] | None = None
    shares: tuple[tuple[int, float], ...] = ()

    @property
    def width(self) -> int:
        columns = self.board.columns
        has_squares = self.board.kind in ("grid", "columns", "cards")
        return int(LOOK.pixels["label-column"]) + CELL_PX * columns if has_squares else OTHER_PX

    def svg(self, **changes: Any) -> str:
        usual = {"guides": self.guides, "last": self.told["last"], "marks": self.marks}
        usual |= {"shares": self.shares, "width": self.width, **changes}
        return board_svg(self.board, tuple(self.told["players"]), **usual)


def scene(name: str, **more: Any) -> Scene:
    position = BasePosition.begin(POSITIONS[name][0], POSITIONS[name][1], None, POSITIONS[name][2])
    return Scene(position.board, view(position), **more)


class Easel:
    """A page with the board of the pages, and a page with nothing but an SVG."""

    def __init__(self, context: Any) -> None:
        self.web, self.plain = context.new_page(), context.new_page()
        settled(self.web, "settings")
        styles = self.web.locator("link[href$='app.css']").get_attribute("href")
        self.script = styles.replace("app.css", "elements/g-board.js")

    def of_pages(self, shown: Scene) -> tuple[np.ndarray, list[list[float]]]:
        kinds = {True: "proven", False: None}
        marks = [
            [cell, {**mark._asdict(), "kind": kinds[mark.proven]}]
            for cell, mark in (shown.marks or {}).items()
        ]
        asked = [shown.told, shown.width, shown.guides, marks, shown.shares]
        boxes = self.web.evaluate(SHOW, [self.script, *asked])
        return self._taken(self.web, shown), boxes

    def of_svg(self, shown: Scene, svg: str) -> np.ndarray:
        ground, ink = (PANEL, INK) if shown.board.kind == "text" else (PAGE, SOFT)
        style = f"margin:0;background:{ground};color:{ink}"
        self.plain.set_content(f"<!doctype html><body style='{style}'>{svg}</body>")
        return self._taken(self.plain, shown)

    def _taken(self, page: Any, shown: Scene) -> np.ndarray:
        places = places_of(shown.board, shown.width)
        width, height = round(places.width), round(places.height)
        png = page.screenshot(clip={"x": 0, "y": 0, "width": width, "height": height})
        data = base64.b64decode(self.plain.evaluate(READ, base64.b64encode(png).decode()))
        return np.frombuffer(data, np.uint8).reshape(height, width, 4)[..., :3].astype(float)


@pytest.fixture(scope="module")
def easel(browser: Any, server: Server) -> Iterator[Easel]:
    look = {"viewport": TALL, "color_scheme": "light", "reduced_motion": "reduce"}
    context = browser.new_context(base_url=server.address, **look)
    context.set_default_timeout(PATIENCE_MS)
    yield Easel(context)
    context.close()


def differences(
    one: np.ndarray, other: np.ndarray, board: Board, width: int
) -> tuple[float, float, float]:
    """The mean difference of all, the most of a cell's mean colour, and the most of a middle."""
    of_cells, of_middles = [0.0], [0.0]
    for x, y, wide, high in places_of(board, width).cells:
        part = np.s_[int(y) : int(y + high), int(x) : int(x + wide)]
        means = one[part].mean((0, 1)) - other[part].mean((0, 1))
        of_cells.append(float(np.abs(means).max()))
        middle = np.s_[int(y + high / 2), int(x + wide / 2)]
        of_middles.append(float(np.abs(one[middle] - other[middle]).max()))
    return float(np.abs(one - other).mean()), max(of_cells), max(of_middles)


def look_the_same(easel: Easel, shown: Scene, svg: str) -> bool:
    pages, _ = easel.of_pages(shown)
    found = differences(pages, easel.of_svg(shown, svg), shown.board, shown.width)
    print(found)
    kind, is_noted = shown.board.kind, bool(shown.marks or shown.shares)
    has_words = is_noted or kind == "pits" or shown.told["players"] == ["X", "O"]
    most = (
        MOST_OF_ALL_NOTED if is_noted else MOST_OF_ALL[kind],
        MOST_OF_A_NOTED_CELL if is_noted else MOST_OF_A_CELL,
        255 if has_words else MOST_IN_A_MIDDLE,
    )
    return all(each <= bound for each, bound in zip(found, most, strict=True))


def test_every_game_is_compared():
    assert {game for game, _, _ in POSITIONS.values()} == set(games())


@pytest.mark.parametrize("name", POSITIONS)
def test_a_position_looks_the_same(easel, name):
    shown = scene(name)
    assert look_the_same(easel, shown, shown.svg())


@pytest.mark.parametrize(
    ("name", "moves"), [("dots_and_boxes", "b1 a2 b3 c2 d1"), ("fox_and_hounds", "e1d2 b8a7")]
)
def test_signs_of_a_game_and_places_without_a_cell_look_the_same(easel, name, moves):
    path = str(EXAMPLES / f"{name}.py")
    name_game(path)
    position = BasePosition.begin(path, {}, None, moves)
    shown = Scene(position.board, view(position))
    pages, _ = easel.of_pages(shown)
    found = differences(pages, easel.of_svg(shown, shown.svg()), shown.board, shown.width)
    assert found[0] <= MOST_OF_ALL_NOTED
    assert found[1] <= MOST_OF_A_CELL


@pytest.mark.parametrize("name", POSITIONS)
def test_cells_lie_at_the_same_places(easel, name):
    shown = scene(name)
    _, boxes = easel.of_pages(shown)
    places = places_of(shown.board, shown.width)
    assert len(boxes) == len(places.cells)
    for box, cell in zip(boxes, places.cells, strict=True):
        assert box == pytest.approx(list(cell), abs=1)


@pytest.mark.parametrize("name", ["othello", "connect4", "tictactoe", "kalah", "cards"])
def test_guides_look_the_same(easel, name):
    cells = {move["cells"][0] for move in scene(name).told["legal"]}
    shown = scene(name, guides=(*cells, *((90, 91) if name == "cards" else ())))
    assert look_the_same(easel, shown, shown.svg())


def test_white_and_black_pieces_that_move_look_the_same(easel):
    position = BasePosition.begin(load_file(HEXAPAWN), None, None, "b1b2 a3b2")
    shown = Scene(position.board, view(position), guides=(3, 4, 5))
    pages, _ = easel.of_pages(shown)

    def most(svg: str) -> tuple[float, float]:
        return differences(pages, easel.of_svg(shown, svg), shown.board, shown.width)[1:]

    of_a_cell, of_a_middle = most(shown.svg())
    assert of_a_middle <= MOST_IN_A_MIDDLE
    assert of_a_cell <= MOST_OF_A_DASHED_CELL < most(shown.svg(guides=(3, 5)))[0]


@pytest.mark.parametrize("name", ["othello", "connect4", "kalah", "cards"])
def test_marks_look_the_same(easel, name):
    texts = ("+12", "-3", "-9", "-14", "-20")
    graded = {cell: Mark(text, cell == 1, cell - 1) for cell, text in enumerate(texts, 1)}
    plain = {8: Mark("+4", best=True), 9: Mark("0", proven=True)}
    shown = scene(name, marks=graded | plain)
    assert look_the_same(easel, shown, shown.svg())


@pytest.mark.parametrize("name", ["othello", "connect4", "tictactoe", "kalah", "cards"])
def test_shares_look_the_same(easel, name):
    shown = scene(name, shares=((0, 3.0), (1, -3.0), (2, 10.0), (2, -5.5), (5, -10.0)))
    assert look_the_same(easel, shown, shown.svg())


CHANGES = {
    "another shade of felt": ("othello", lambda shown: shown.svg().replace("#2c7a5b", "#347a5b")),
    "no last move": ("othello", lambda shown: shown.svg(last=())),
    "another last move": ("connect4", lambda shown: shown.svg(last=[0])),
    "one guide more": ("othello", lambda shown: shown.svg(guides=[0])),
    "the other colour of a disc": (
        "connect4",
        lambda shown: shown.svg().replace(LOOK.colours["disc-red"], LOOK.colours["disc-white"], 1),
    ),
    "no row that won": (
        "tictactoe-won",
        lambda shown: shown.svg().replace(f'stroke="{LOOK.colours["won"]}"', 'stroke="none"', 1),
    ),
    "no ring round a disc that won": (
        "connect4-won",
        lambda shown: shown.svg().replace('stroke="#ffffff"', 'stroke="none"', 1),
    ),
    "another number of seeds": ("kalah", lambda shown: shown.svg().replace(">4<", ">14<", 1)),
    "no dot on a card": ("cards", lambda shown: shown.svg().replace('r="9.54"', 'r="5"', 1)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_comparison_notices(easel, change):
    name, changed = CHANGES[change]
    shown = scene(name)
    assert changed(shown) != shown.svg()
    assert not look_the_same(easel, shown, changed(shown))


def test_the_server_tells_how_boards_look(server):
    answer = asking.get(f"{server.address}static/x/look.css")
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert answer.text == LOOK.css()


def test_pages_take_all_their_board_colours_from_the_look():
    styles = (STATIC / "app.css").read_text(encoding="utf-8")
    for name in (*LOOK.colours, *LOOK.of_cell, *LOOK.of_board, *LOOK.clamped, *LOOK.plain):
        assert f"var(--{name})" in styles, name
        assert not re.search(rf"--{name}:", styles), name
    shades = set(re.findall(r'\.disc\[data-shade="(\w+)"\] \{ background', styles))
    assert shades == {name.removeprefix("disc-") for name in LOOK.colours if name[:5] == "disc-"}
