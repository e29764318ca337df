"""What a picture of a board says, and that it needs nothing else; `tests/web` sees how it looks."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.core.board import Board
from plyground.drawing.look import LOOK
from plyground.drawing.notes import Mark, short
from plyground.drawing.pictures import GREY, picture
from plyground.drawing.svg import board_svg, position_svg, title_of
from plyground.drawing.terminal import ASCII, UNICODE, draw
from plyground.games.catalogue import games, load_file
from plyground.games.position import BasePosition

HEXAPAWN = Path(__file__).parents[2] / "examples" / "hexapawn.py"
SVG = "{http://www.w3.org/2000/svg}"
PLAYERS = ("Black", "White")


def begin(game: str, moves: str = "") -> BasePosition:
    return BasePosition.begin(game, {}, None, moves)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("game", games())
def test_a_picture_of_every_game_needs_nothing_else(game):
    svg = position_svg(begin(game))
    root = ElementTree.fromstring(svg)
    assert root.attrib["role"] == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == title_of(begin(game))
    assert not re.search(r"<script|<style|<image|<foreignObject|href|@import|url\([^#]", svg)
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert set(re.findall(r"url\(#([^)]+)\)", svg)) == set(ids)


@pytest.mark.parametrize(
    ("game", "moves", "title"),
    [
        ("othello", "", "Othello: Black to move"),
        ("othello", "f5 d6", "Othello: Black to move after f5 d6"),
        ("connect4", "4 3 4 3 4 3 4", "Connect Four: Yellow has won after 4 3 4 3 4 3 4"),
        (
            "mnk",
            "b2 a1 c1 a3 a2 c2 b1 b3 c3",
            "m,n,k game: a draw after b2 a1 c1 a3 a2 c2 b1 b3 c3",
        ),
        ("connect4", "1 1 1 1 1 1 2 2 2 2 2 2 3", "Connect Four: Red to move after 13 moves"),
    ],
)
def test_a_title_is_a_sentence(game, moves, title):
    assert title_of(begin(game, moves)) == title


@given(st.text())
def test_any_text_makes_a_picture(text):
    board = Board("grid", 1, 1, ("first",), (text,), (text,))
    svg = board_svg(board, (text, text), title=text, marks={0: text})
    shown = "".join(character for character in text if character.isprintable())
    found = "".join(c for c in texts(svg)[-1] if c.isprintable() and c != "\ufffd")
    assert found == shown.replace("\ufffd", "")
    ElementTree.fromstring(board_svg(Board("text", text=text), PLAYERS, title=text))


def test_words_are_not_elements():
    svg = board_svg(Board("text", text="<script>&"), PLAYERS, title='"><script>')
    assert texts(svg) == ["<script>&"]
    assert "<script" not in svg


def test_pictures_of_different_things_share_no_ids():
    ids = [
        re.findall(r'id="([^"]+)"', position_svg(begin("othello", line))) for line in ("f5", "d3")
    ]
    assert all(ids)
    assert not set(ids[0]) & set(ids[1])
    assert position_svg(begin("othello", "f5")) == position_svg(begin("othello", "f5"))


def test_guides_can_be_left_out():
    guide = f'fill="{LOOK.colours["guide-grid"][:7]}"'
    assert position_svg(begin("othello")).count(guide) == 4
    assert position_svg(begin("othello"), guides=False).count(guide) == 0


def test_guides_to_moves_of_pieces_are_where_the_pieces_go():
    svg = position_svg(BasePosition.begin(load_file(HEXAPAWN), None, None, "b1b2 a3b2"))
    assert svg.count(f'fill="{LOOK.colours["guide-grid"][:7]}"') == 2  # a2 and c2 are empty
    assert svg.count("stroke-dasharray") == 1  # on b2 a piece is taken


def test_marks_are_written_into_their_cells():
    svg = position_svg(begin("othello"), marks={19: Mark("+3", best=True, grade=0), 26: "-2"})
    assert [text for text in texts(svg) if text[0] in "+-"] == ["+3", "-2"]


def test_shares_of_both_sides_are_written_and_hide_all_other_notes():
    svg = position_svg(
        begin("othello", "f5"), marks={1: "7"}, shares=[(0, 2), (0, 1), (0, -4), (9, 0)]
    )
    assert [text for text in texts(svg) if text not in "abcdefgh12345678"] == ["+3", "−4"]  # noqa: RUF001
    position, shares = begin("othello", "f5"), {0: 3.0}
    bare = board_svg(position.board, PLAYERS, title=title_of(position), shares=shares)
    assert position_svg(position, marks={1: "7"}, shares=shares) == bare


def test_cells_that_a_board_does_not_have_are_passed_over():
    board = begin("kalah").board
    far = {"guides": [99], "last": [-1], "marks": {14: "x"}}
    assert board_svg(board, PLAYERS, **far) == board_svg(board, PLAYERS)
    assert board_svg(board, PLAYERS, shares={14: 1.0}) == board_svg(board, PLAYERS)


def test_a_long_text_gets_the_width_it_needs():
    narrow, wide = (board_svg(Board("text", text="x" * size), PLAYERS) for size in (5, 500))
    assert 'width="360"' in narrow
    assert float(re.search(r'width="(\d+)', wide)[1]) > 500 * LOOK.pixels["text-size"] * 0.6


@pytest.mark.parametrize(
    ("share", "text"),
    [(30, "+30"), (-1.5, "−1.5"), (0.25, "+0.3"), (123.4, "+123"), (-10_400, "−10k")],  # noqa: RUF001
)
def test_shares_are_short(share, text):
    assert short(share) == text


def test_no_two_measures_share_a_name():
    names = re.findall(r"--([\w-]+):", LOOK.css())
    assert len(names) == len(set(names)) > 50


def test_measures_are_told_in_pixels():
    assert LOOK.size("disc", 400, 50) == 40
    assert LOOK.size("letter-size", 400) == 36
    assert LOOK.size("last-line", 400) == 2
    assert [LOOK.size("count-size", width) for width in (100, 500, 5000)] == [14, 17, 26]


def test_a_picture_is_an_image_with_its_words():
    position = BasePosition.begin("mnk", None, None, "a1 b2")
    shown = picture(position_svg(position))
    assert shown.startswith('<img alt="m,n,k game: X to move after a1 b2" src="data:image/svg+xml')
    data = base64.b64decode(shown.partition("base64,")[2].partition('"')[0]).decode()
    assert data.startswith(f'<svg color="{GREY}" ')
    assert ElementTree.fromstring(data).get("role") == "img"


def test_signs_are_written_and_places_without_a_cell_are_left_out():
    signs = board_svg(Board("grid", 1, 3, ("•", "", "second")), PLAYERS)
    assert texts(signs) == ["•"]
    whole, gap = (board_svg(Board("grid", 1, 2, ("", cell)), PLAYERS) for cell in ("", " "))
    assert [re.search(r'd="([^"]*)"', svg)[1].count("M") for svg in (whole, gap)] == [2, 1]


def test_a_terminal_without_unicode_shows_signs_as_it_can():
    board = Board("grid", 1, 5, ("•", "—", "first", " ", "♞"))
    assert draw(board, UNICODE).plain.split("\n")[1].split() == ["•", "—", "●", "♞"]
    assert draw(board, ASCII).plain.split("\n")[1].split() == ["*", "-", "X", "?"]
