"""Connect Four on drawn boards: lines in each direction, on every board, none round an edge."""

import itertools

import pytest

from plyground.bits import U64
from plyground.core.errors import IllegalMove, MalformedText, Unsupported
from plyground.games.connect_four import GAME, is_won
from plyground.games.rules import is_over, outcome, play, side
from references.grid import has_line

BOARDS = [(w, h) for w in range(2, 33) for h in range(1, 32) if w * (h + 1) <= 64]
SMALL_BOARDS = [(w, h) for w, h in BOARDS if w <= 9 and h <= 9]


def position(diagram, **chosen):
    return GAME.parse_position(GAME.initial(**chosen), diagram)


def texts(state):
    return [GAME.format_move(state, move) for move in GAME.legal(state)]


def after(moves, state=None, **chosen):
    state = GAME.initial(**chosen) if state is None else state
    return GAME.replay(state, GAME.parse_moves(state, moves))


# ------------------------------------------------------------------ dropping stones


def test_a_stone_falls_on_what_lies_in_its_column():
    state = after("44554")
    assert GAME.format_position(state) == "/".join(
        [
            "-------",
            "-------",
            "-------",
            "---X---",
            "---OO--",
            "---XX--",
        ]
    )
    assert side(state) == 1


def test_a_full_column_takes_no_stone():
    state = after("111111")
    assert texts(state) == ["2", "3", "4", "5", "6", "7"]
    with pytest.raises(IllegalMove, match="1 is illegal: the column is full"):
        GAME.parse_move(state, "1")


def test_the_cell_of_a_move_is_where_its_stone_lands():
    state = after("44")
    move = GAME.parse_move(state, "4")
    (cell,) = GAME.cells_of(state, move)
    assert divmod(cell, 7) == (3, 3)
    assert GAME.board_of(play(state, move)).cells[cell] == "first"


# ------------------------------------------------------------------ lines


@pytest.mark.parametrize(
    ("diagram", "winner"),
    [
        (
            """
            - - - - - - -
            - - - - - - -
            - - - - - - -
            - - - - - - -
            O O O - - - -
            X X X X - - -
            """,
            "first",
        ),
        (
            """
            - - - - - - -
            - - - - - - -
            - - - - - - O
            - - - - - - O
            X - - - - - O
            X X - X - - O
            """,
            "second",
        ),
        (
            """
            - - - - - - -
            - - - - - - -
            - - - X - - -
            - - X O - - -
            - X O O - - -
            X O X O X - -
            """,
            "first",
        ),
        (
            """
            - - - - - - -
            - - - - - - -
            - - - O - - -
            - - - X O - -
            - - - X X O -
            - - - O X X O
            """,
            "second",
        ),
    ],
    ids=["row", "column", "rising diagonal", "falling diagonal"],
)
def test_four_in_a_row_win_in_each_direction(diagram, winner):
    state = position(diagram)
    assert is_over(state)
    assert GAME.winner(state) == winner
    assert texts(state) == []


def test_three_in_a_row_do_not_win():
    state = position(
        """
        - - - - - - -
        - - - - - - -
        - - - - - - -
        - - - X - - -
        - - - X O - -
        - - - X O - -
        """
    )
    assert not is_over(state)


def test_the_shortest_game_takes_seven_moves():
    one_short = after("121212")
    assert not is_over(one_short)
    state = after("1212121")
    assert GAME.winner(state) == "first"
    assert outcome(state) == -1  # for the side that would be to move


def test_five_in_a_row_win_as_well():
    state = position(
        """
        - - - - - - -
        - - - - - - -
        - - - - - - -
        - - - - - - -
        O O - O O - -
        X X X X X - -
        """
    )
    assert GAME.winner(state) == "first"


def test_the_top_of_a_column_does_not_connect_with_the_bottom_of_the_next():
    state = position(
        """
        X - - - - - -
        X - - - - - -
        X - - - - - -
        O - - - - - -
        O - - - - - -
        O X - - - - O
        """
    )
    assert not is_over(state)


def test_the_end_of_a_row_does_not_connect_with_the_beginning_of_the_next():
    state = position(
        """
        - - - - - - -
        - - - - - - -
        - - - - - - -
        - - - - - - -
        X - - - - O O
        O - - - X X X
        """
    )
    assert not is_over(state)


def cell_word(cells, height):
    """Stones on (column, row from below) as the word of the engine."""
    return U64(sum(1 << (height + 1) * column + row for column, row in cells))


def lines(width, height, length):
    """All lines of a board, by brute force."""
    for column, row in itertools.product(range(width), range(height)):
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            line = [(column + i * right, row + i * up) for i in range(length)]
            if all(0 <= x < width and 0 <= y < height for x, y in line):
                yield line


@pytest.mark.parametrize(("width", "height"), BOARDS)
def test_every_line_of_every_board_wins_and_without_one_stone_does_not(width, height):
    for length in range(2, min(5, max(width, height)) + 1):
        for line in lines(width, height, length):
            assert is_won(cell_word(line, height), height, length)
            assert not is_won(cell_word(line[1:], height), height, length)


@pytest.mark.parametrize(("width", "height"), SMALL_BOARDS)
def test_stones_at_equal_steps_of_bits_win_only_if_they_are_a_line(width, height):
    cells = {(height + 1) * x + y: (x, y) for x in range(width) for y in range(height)}
    for first, step, length in itertools.product(cells, range(1, 2 * height + 4), (2, 3, 4)):
        bits = [first + i * step for i in range(length)]
        if set(bits) <= set(cells):
            stones = {cells[bit] for bit in bits}
            won = is_won(cell_word(stones, height), height, length)
            assert won == has_line(stones, length), sorted(stones)


# ------------------------------------------------------------------ endings


def test_a_full_board_without_a_line_is_a_draw():
    state = after("1212212134344343", width=4, height=4)
    assert GAME.format_position(state) == "/".join(
        [
            "OXOX",
            "OXOX",
            "XOXO",
            "XOXO",
        ]
    )
    assert is_over(state)
    assert GAME.winner(state) == "draw"


def test_a_line_made_by_the_very_last_stone_wins():
    # X O . X  becomes  X O O X
    assert not is_over(after("124", width=4, height=1, connect=2))
    assert GAME.winner(after("1243", width=4, height=1, connect=2)) == "second"


# ------------------------------------------------------------------ boards


def test_a_single_row_is_a_board():
    state = after("1 12 2 11 3 10 4", width=12, height=1)
    assert GAME.winner(state) == "first"


def test_a_board_that_needs_more_than_64_bits_is_refused():
    with pytest.raises(Unsupported, match=r"a board of 9x7 needs 72 bits of 64"):
        GAME.initial(width=9, height=7)


def test_a_line_longer_than_the_board_is_refused():
    with pytest.raises(Unsupported, match="connect=5 does not fit on a board of 4x4"):
        GAME.initial(width=4, height=4, connect=5)


def test_a_diagram_in_which_the_side_to_move_has_won_is_refused():
    with pytest.raises(MalformedText, match="X is to move but has 4 in a row already"):
        position(
            """
            - - - - - - -
            - - - - - - -
            - - - - - - -
            - - - - - - -
            O O O - - - -
            X X X X - - O
            """
        )
