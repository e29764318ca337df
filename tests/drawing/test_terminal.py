"""Which cells of a board in a terminal are those of the last move."""

from __future__ import annotations

import pytest

from plyground.core.board import Board
from plyground.drawing.terminal import ASCII, draw


@pytest.mark.parametrize(
    ("cells", "last", "drawn"),
    [
        (("first", ""), [0], "[X] ."),
        (("", "first"), [0, 1], ". [X]"),  # moved: where it is now
        (("", "first"), [0], "[.] X"),  # taken off: where it was
        (("first", "second"), [0, 1], "[X][O]"),
    ],
)
def test_brackets_stand_round_what_the_last_move_left(cells, last, drawn):
    board = Board("grid", 1, 2, cells)
    assert draw(board, ASCII, last=last).plain.splitlines()[1].strip() == drawn


def test_a_last_move_on_no_board_is_passed_over():
    assert draw(Board("text", text="7 0"), ASCII, last=[3]).plain == "7 0\n"
