"""Pasted text: whatever it is, it is taken for what it is and leads to the right position."""

from __future__ import annotations

import pytest

from plyground.core.errors import InputError
from plyground.core.records import GameRecord, MoveRecord
from plyground.formats.catalogue import find_format
from plyground.formats.pasting import recognised
from plyground.games.position import BasePosition
from plyground.games.view import view

START = "---------------------------OX------XO---------------------------"


def position_of(text, game=None):
    shown = view(recognised(text, game).position)
    return shown["game"], shown["position"], shown["moves"]


def test_a_transcript_is_a_game_with_its_moves():
    assert recognised("f5d6c3", "connect4").what == "Othello transcript, 3 moves"
    game, _, moves = position_of("f5d6c3", "connect4")
    assert (game, moves) == ("othello", ["f5", "d6", "c3"])


def test_a_diagram_is_a_position():
    game, position, moves = position_of(f"{START} O")
    assert (game, position, moves) == ("othello", f"{START} O", [])


@pytest.mark.parametrize(
    "text",
    [
        "0x0000000810000000 0x0000001008000000",
        "0000000810000000, 0000001008000000",
        "0x810000000/0x1008000000 X",
    ],
)
def test_two_words_are_bitboards(text):
    found = recognised(text, "connect4")
    assert found.what == "two bitboards of Othello, lowest bit a1"
    assert view(found.position)["position"] == f"{START} X"


def test_the_lowest_bit_is_a1_and_the_side_can_be_told():
    assert position_of("0x1 0x2 O")[1] == "XO" + 62 * "-" + " O"


def test_bitboards_belong_to_the_game_on_the_page_if_it_has_such():
    assert position_of("0x11 0x2", "tictactoe")[:2] == ("mnk", "XO-/-X-/---")


def test_a_saved_record_is_read_back():
    line = BasePosition.begin("connect4", None, None, "4 4 3")
    moves = [MoveRecord(name, side) for name, side in (("4", 0), ("4", 1), ("3", 0))]
    write = find_format("json").write
    assert write is not None
    text = write([GameRecord("connect4", ("", ""), moves)]).decode()
    assert position_of(text) == ("connect4", view(line)["position"], ["4", "4", "3"])


def test_the_games_own_moves_and_positions_are_read():
    assert position_of("3 6 2", "kalah")[2] == ["3", "6", "2"]
    position = view(BasePosition.begin("kalah", None, None, "3 6"))["position"]
    assert position_of(position, "kalah")[1] == position


@pytest.mark.parametrize("text", ["what is this?", "", "0x3 0x1", "0xffff 0x10000"])
def test_what_is_nothing_is_refused(text):
    with pytest.raises(InputError):
        recognised(text, "tictactoe")
