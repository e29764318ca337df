"""m,n,k games on drawn boards: lines on boards of every shape, and none round an edge."""

import itertools

import pytest

from plyground.bits import U64
from plyground.core.errors import IllegalMove, MalformedText, Unsupported
from plyground.games.mnk import GAME, is_won
from plyground.games.rules import count_symmetries, is_over, outcome
from references.grid import has_line

SHAPES = [(m, n) for m in range(1, 27) for n in range(1, 27) if m * n <= 64]


def position(diagram, **chosen):
    return GAME.parse_position(GAME.initial(**chosen), diagram)


def texts(state):
    return [GAME.format_move(state, move) for move in GAME.legal(state)]


def after(moves, **chosen):
    state = GAME.initial(**chosen)
    return GAME.replay(state, GAME.parse_moves(state, moves))


@pytest.mark.parametrize(
    "diagram",
    [
        """
        X X X
        O O -
        - - -
        """,
        """
        X O -
        X O -
        X - -
        """,
        """
        X O -
        O X -
        - - X
        """,
        """
        - O X
        O X -
        X - -
        """,
    ],
    ids=["row", "column", "falling diagonal", "rising diagonal"],
)
def test_three_in_a_row_win_in_each_direction(diagram):
    state = position(diagram)
    assert is_over(state)
    assert GAME.winner(state) == "first"
    assert outcome(state) == -1  # for O, who would be to move


def test_a_full_board_without_a_line_is_a_draw():
    state = position(
        """
        X O X
        X O O
        O X X
        """
    )
    assert is_over(state)
    assert GAME.winner(state) == "draw"


def test_a_line_made_by_the_very_last_mark_wins():
    assert GAME.winner(after("a1 a2 b1 b2 a3 b3 c2 c3 c1")) == "first"


def test_a_taken_cell_is_refused():
    with pytest.raises(IllegalMove, match="b2 is illegal: the cell is taken"):
        GAME.parse_move(after("b2"), "b2")


def test_the_end_of_a_row_does_not_connect_with_the_beginning_of_the_next():
    state = position(
        """
        - X X
        X O O
        O - -
        """
    )
    assert not is_over(state)


def test_a_diagonal_does_not_run_out_of_the_right_edge_and_in_again():
    state = position(
        """
        - - X -
        O O - X
        - - O -
        X - - -
        """,
        m=4,
        n=4,
        k=3,
    )
    assert not is_over(state)


@pytest.mark.parametrize(("m", "n"), SHAPES, ids=[f"{m}x{n}" for m, n in SHAPES])
def test_marks_at_equal_steps_of_bits_win_only_if_they_are_a_line(m, n):
    left = U64(sum(1 << m * row for row in range(n)))
    for first, step, k in itertools.product(range(m * n), range(1, m + 3), (2, 3, 4)):
        bits = [first + i * step for i in range(k)]
        if bits[-1] < m * n and k <= max(m, n):
            word = U64(sum(1 << bit for bit in bits))
            cells = {(bit % m, bit // m) for bit in bits}
            assert is_won(word, m, k, left) == has_line(cells, k), sorted(cells)


def test_one_in_a_row_wins_at_once():
    assert GAME.winner(after("b2", k=1)) == "first"


def test_a_single_row_and_a_single_column_are_boards():
    assert GAME.winner(after("a1 h1 b1 g1 c1", m=8, n=1)) == "first"
    assert GAME.winner(after("a1 a8 a2 a7 a3", m=1, n=8)) == "first"
    assert texts(after("a1 a8", m=1, n=8)) == ["a2", "a3", "a4", "a5", "a6", "a7"]


@pytest.mark.parametrize(("m", "n", "symmetries"), [(3, 3, 8), (4, 3, 4), (3, 4, 4), (1, 5, 4)])
def test_a_square_board_has_eight_symmetries_and_another_four(m, n, symmetries):
    assert count_symmetries(GAME.initial(m=m, n=n)) == symmetries


def test_the_presets_are_tic_tac_toe_and_five_in_a_row():
    assert GAME.settings({"preset": "tictactoe"}) == {"m": 3, "n": 3, "k": 3}
    assert GAME.settings({"preset": "gomoku"}) == {"m": 8, "n": 8, "k": 5}


def test_more_than_64_cells_are_refused():
    with pytest.raises(Unsupported, match="a board of 9x8 has 72 cells; expected at most 64"):
        GAME.initial(m=9, n=8)


def test_a_line_longer_than_the_board_is_refused():
    with pytest.raises(Unsupported, match="k=5 does not fit on a board of 4x4"):
        GAME.initial(m=4, n=4, k=5)


def test_a_diagram_in_which_the_side_to_move_has_won_is_refused():
    with pytest.raises(MalformedText, match="X is to move but has 3 in a row already"):
        position(
            """
            X X X
            O O -
            O - -
            """
        )
