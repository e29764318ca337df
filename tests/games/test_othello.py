"""Othello on drawn boards: passes, endings, famous games, and runs that leave no board."""

import pytest

from plyground.core.errors import IllegalMove
from plyground.games.othello import GAME, disc_difference
from plyground.games.rules import is_over, outcome, play, side

SIZES = (4, 6, 8, 10)
DIRECTIONS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def position(diagram, mover, size):
    return GAME.parse_position(GAME.initial(size=size), f"{diagram} {mover}")


def texts(state):
    return [GAME.format_move(state, move) for move in GAME.legal(state)]


def after(moves, state=None, **chosen):
    state = GAME.initial(**chosen) if state is None else state
    return GAME.replay(state, GAME.parse_moves(state, moves))


def drawn(state):
    board = GAME.board_of(state)
    symbols = [{"": "-", "first": "X", "second": "O"}[cell] for cell in board.cells]
    starts = range(0, len(symbols), board.columns)
    return [" ".join(symbols[i : i + board.columns]) for i in starts]


# ------------------------------------------------------------------ the start


def test_the_first_board_has_white_on_the_falling_diagonal_and_black_to_move():
    start = GAME.initial(size=4)
    assert drawn(start) == [
        "- - - -",
        "- O X -",
        "- X O -",
        "- - - -",
    ]
    assert side(start) == 0


@pytest.mark.parametrize(
    ("size", "moves"),
    [
        (4, ["b1", "a2", "d3", "c4"]),
        (6, ["c2", "b3", "e4", "d5"]),
        (8, ["d3", "c4", "f5", "e6"]),
        (10, ["e4", "d5", "g6", "f7"]),
    ],
)
def test_black_opens_with_one_of_four_moves(size, moves):
    assert texts(GAME.initial(size=size)) == moves


# ------------------------------------------------------------------ turning discs over


def test_a_disc_turns_over_runs_in_all_eight_directions_at_once():
    state = position(
        """
        X - - X - - X -
        - O - O - O - -
        - - O O O - - -
        X O O - O O O X
        - - O O O - - -
        - O - O - O - -
        X - - O - - X -
        - - - X - - - -
        """,
        "X",
        8,
    )
    assert drawn(after("d4", state)) == [
        "X - - X - - X -",
        "- X - X - X - -",
        "- - X X X - - -",
        "X X X X X X X X",
        "- - X X X - - -",
        "- X - X - X - -",
        "X - - X - - X -",
        "- - - X - - - -",
    ]


def test_a_run_with_a_gap_in_it_stays():
    state = position(
        """
        - O X -
        - O - -
        - - - -
        - X - -
        """,
        "X",
        4,
    )
    assert drawn(after("a1", state)) == [
        "X X X -",
        "- O - -",
        "- - - -",
        "- X - -",
    ]


def squares_on(size, place, direction):
    """The squares from a place on, in a direction, as far as the board goes."""
    (x, y), (right, down) = place, direction
    while 0 <= x + right < size and 0 <= y + down < size:
        x, y = x + right, y + down
        yield y * size + x


@pytest.mark.parametrize("size", SIZES)
def test_a_run_that_reaches_the_edge_is_not_enclosed_from_any_square_in_any_direction(size):
    for square in range(size * size):
        for direction in DIRECTIONS:
            cells = ["-"] * (size * size)
            for other in squares_on(size, (square % size, square // size), direction):
                cells[other] = "O"
            cells[square] = "X"
            state = position("".join(cells), "X", size)
            assert is_over(state) or texts(state) == ["pass"], "".join(cells)


@pytest.mark.parametrize("size", SIZES)
def test_a_run_before_an_empty_square_is_enclosed_there_and_turns_over_whole(size):
    for square in range(size * size):
        for direction in DIRECTIONS:
            line = list(squares_on(size, (square % size, square // size), direction))
            for length in range(1, len(line)):
                cells = ["-"] * (size * size)
                cells[square] = "X"
                for other in line[:length]:
                    cells[other] = "O"
                state = position("".join(cells), "X", size)
                target = "abcdefghij"[line[length] % size] + str(line[length] // size + 1)
                assert texts(state) == [target], "".join(cells)
                assert disc_difference(after(target, state)) == -(length + 2)


# ------------------------------------------------------------------ passes


def one_sided(mover):
    """Black can enclose b1 from c1; White can enclose nothing."""
    return position(
        """
        X O - -
        - - - -
        - - - -
        - - - -
        """,
        mover,
        4,
    )


def test_a_side_without_a_move_has_the_pass_as_its_only_move():
    state = one_sided("O")
    assert texts(state) == ["pass"]
    assert not is_over(state)


def test_a_pass_changes_the_side_to_move_and_nothing_else():
    state = one_sided("O")
    after_pass = play(state, GAME.parse_move(state, "pass"))
    assert after_pass == one_sided("X")
    assert texts(after_pass) == ["c1"]


@pytest.mark.parametrize("size", SIZES)
def test_a_side_that_has_a_move_may_not_pass(size):
    with pytest.raises(IllegalMove, match="pass is illegal: a side that has a move may not pass"):
        GAME.parse_move(GAME.initial(size=size), "pass")


def test_a_side_that_must_pass_cannot_place_a_disc():
    with pytest.raises(IllegalMove, match="d4 is illegal: there is no move, only a pass"):
        GAME.parse_move(one_sided("O"), "d4")


def test_the_pass_of_a_wide_board_is_a_move_as_well():
    row = "XO--------"
    state = position(row + "-" * 90, "O", 10)
    assert texts(state) == ["pass"]
    assert texts(play(state, GAME.parse_move(state, "pass"))) == ["c1"]


# ------------------------------------------------------------------ endings


def test_the_game_is_over_when_neither_side_can_move_though_squares_are_empty():
    state = position(
        """
        X X X -
        X X - -
        - - - -
        - - O O
        """,
        "X",
        4,
    )
    assert is_over(state)
    assert texts(state) == []


def test_the_empty_squares_count_for_the_winner_and_not_in_the_disc_difference():
    state = position(
        """
        X X X -
        X X - -
        - - - -
        - - O O
        """,
        "X",
        4,
    )
    assert outcome(state) == 14 - 2
    assert disc_difference(state) == 5 - 2


def test_the_outcome_is_that_of_the_side_to_move():
    state = position(
        """
        X X X -
        X X - -
        - - - -
        - - O O
        """,
        "O",
        4,
    )
    assert outcome(state) == 2 - 14
    assert GAME.first_player_outcome(state) == 14 - 2
    assert disc_difference(state) == 2 - 5
    assert GAME.winner(state) == "first"


def test_equal_numbers_of_discs_are_a_draw_and_the_empty_squares_nobodys():
    state = position(
        """
        X X - -
        - - - -
        - - - -
        - - O O
        """,
        "X",
        4,
    )
    assert outcome(state) == 0
    assert GAME.winner(state) == "draw"


def test_a_full_board_is_over():
    state = position("XO" * 32, "X", 8)
    assert is_over(state)
    assert outcome(state) == 0


@pytest.mark.parametrize(
    ("size", "moves"),
    [
        (6, "d5 e3 d2 e5 f4 c5 d6 e4 b4"),
        (8, "e6 f4 e3 f6 g5 d6 e7 f5 c5"),
        (10, "f7 g5 f4 g7 h6 e7 f8 g6 d6"),
    ],
)
def test_nine_moves_can_wipe_white_out(size, moves):
    state = after(moves, size=size)
    assert GAME.board_of(state).counts == {"first": 13, "second": 0}
    assert is_over(state)
    assert GAME.first_player_outcome(state) == size * size
    assert disc_difference(state) == -13  # for White, who would be to move


# ------------------------------------------------------------------ famous games

SOLVED_4X4 = "b1 a1 a2 c1 d4 a3 d1 b4 a4 c4"
# Feinstein 1993, in the names of the 8x8 board whose b2-g7 it is.
FEINSTEIN = (
    "d3 c5 d6 e3 f5 f4 e2 d2 c2 e6 e7 g5 c4 c3 g4 g3 "
    "f3 c7 b5 d7 b7 b3 c6 b6 f7 f6 b4 b2 g6 g7 f2 g2"
)
TAKIZAWA = (
    "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1F7E2G3H4F1E1F2G1B1F8"
    "G8B3H3B2H5B7A3A4A1A2C1H2H1G2B8A8G7H8H7H6"
)


def test_perfect_play_on_4x4_ends_at_3_to_11_with_two_squares_empty():
    state = after(SOLVED_4X4, size=4)
    assert is_over(state)
    assert GAME.board_of(state).counts == {"first": 3, "second": 11}
    assert GAME.first_player_outcome(state) == -10


def test_perfect_play_on_6x6_ends_at_16_to_20():
    moves = " ".join(f"{chr(ord(move[0]) - 1)}{int(move[1]) - 1}" for move in FEINSTEIN.split())
    state = after(moves, size=6)
    assert is_over(state)
    assert GAME.board_of(state).counts == {"first": 16, "second": 20}
    assert GAME.first_player_outcome(state) == -4


def test_perfect_play_on_8x8_ends_in_a_draw():
    state = after(TAKIZAWA)
    assert is_over(state)
    assert GAME.board_of(state).counts == {"first": 32, "second": 32}
    assert GAME.winner(state) == "draw"


# ------------------------------------------------------------------ the board as data


def test_the_board_is_labelled_by_letters_and_by_rows_from_the_top():
    board = GAME.board_of(GAME.initial(size=10))
    assert "".join(board.column_labels) == "abcdefghij"
    assert board.row_labels == tuple(str(row) for row in range(1, 11))
    assert (board.kind, board.rows, board.columns) == ("grid", 10, 10)


@pytest.mark.parametrize("size", SIZES)
def test_a_move_touches_the_square_it_names(size):
    start = GAME.initial(size=size)
    for move in GAME.legal(start):
        (cell,) = GAME.cells_of(start, move)
        name = f"{'abcdefghij'[cell % size]}{cell // size + 1}"
        assert GAME.format_move(start, move) == name
        assert GAME.board_of(play(start, move)).cells[cell] == "first"


def test_a_pass_touches_no_square():
    state = one_sided("O")
    assert GAME.cells_of(state, GAME.parse_move(state, "pass")) == ()
