"""Othello boards in one line, in drawings, and as FEN."""

from __future__ import annotations

import pytest
from command_line import run
from format_tools import check_items, only_rejection, records_in
from hypothesis import given
from othello_format_tools import QUICKLY, START, positions, sample, wide, write

from plyground.core.errors import MalformedText, Unsupported
from plyground.core.records import GameRecord, PositionRecord
from plyground.formats.boards import FORMATS, find_board, format_fen, parse_fen
from plyground.formats.spec import Read, Rejected
from plyground.games.othello import GAME

BOARD, FEN = FORMATS
CELLS = START[:64]

# As the report with the board files prints it.
SCREEN = """
  A B C D E F G H
1 - - - - - - - -
2 - - - - - - - -
3 - - - - - - - -
4 - - - 0 X - - -
5 - - - X 0 - - -
6 - - - - - - - -
7 - - - - - - - -
8 - - - - - - - -
Score: 'X' = 2, '0' = 2
'0' player's turn.
Give your move (e.g. 'A5' or 'a5'), press 'q' or 'Q' to quit:
"""
FRAMED = """
   a   b   c   d
 +---+---+---+---+
1|   |   |   |   |1
 +---+---+---+---+
2|   | O | X |   |2
 +---+---+---+---+
3|   | X | O |   |3
 +---+---+---+---+
4|   |   |   |   |4
 +---+---+---+---+
Turn: white
"""


def only_board(text: str) -> PositionRecord:
    (record,) = records_in(BOARD.read(text.encode()))
    assert isinstance(record, PositionRecord)
    return record


def drawn(symbols: str) -> str:
    """The first position with other symbols for black, white and empty."""
    return CELLS.translate(str.maketrans("XO-", symbols))


# ------------------------------------------------------------------ one line


@pytest.mark.parametrize(
    "symbols, mover",
    [
        ("XO-", "O"),
        ("xo.", "o"),
        ("*O-", "O"),
        ("bw_", "w"),
        ("BW.", "W"),
        ("#o.", "white"),
        ("@O-", "White"),
        ("●○·", "○"),
        ("⚫⚪・", "⚪"),
        ("X0-", "0"),
        ("01.", "1"),
        ("120", "2"),
        (wide("XO-"), wide("O")),
    ],
)
@pytest.mark.parametrize("between", [" ", ""])
def test_boards_of_any_symbols(symbols, mover, between):
    record = only_board(drawn(symbols) + between + mover)
    assert record == PositionRecord("othello", f"{CELLS} O")


def test_rows_may_be_set_apart():
    rows = [CELLS[at : at + 8] for at in range(0, 64, 8)]
    for between in (" ", "/", "|", ", "):
        assert only_board(between.join(rows) + " X").position == START
    assert only_board(" ".join(CELLS) + " X").position == START


def test_next_to_crosses_a_star_is_a_square_where_one_may_play():
    assert only_board(f"{CELLS[:19]}*{CELLS[20:]} X").position == START


@pytest.mark.parametrize("text, score", [("X 12", 12), ("X +4.00", 4), ("-2", -2), ("0", 0)])
def test_a_number_is_the_score_for_the_side_to_move(text, score):
    assert only_board(f"{CELLS} {text}") == PositionRecord("othello", START, score=score)


def test_without_a_side_black_is_to_move_and_that_is_said():
    assert only_board(CELLS) == PositionRecord("othello", START, tags={"side": "not given"})


def test_the_number_of_squares_tells_the_size():
    for size in (4, 6, 10):
        text = GAME.format_position(GAME.initial(size=size))
        assert only_board(text) == PositionRecord("othello", text, {"size": size})


@pytest.mark.parametrize(
    "text, reason",
    [
        ("hello", "line 1: no board in 'hello': it begins with 0 squares; expected 64"),
        (CELLS[1:] + " X", "line 1: no board in"),
        (CELLS[1:], "it begins with 63 squares"),
        (CELLS + "---", "it begins with 67 squares"),
        (f"{CELLS} X f5", "line 1: after the board expected X or O, then perhaps a score; "),
        (f"{CELLS} Z", "found 'Z'"),
        ("01" * 8 + "X" * 48, "line 1: no board in"),
    ],
)
def test_what_is_not_a_board_is_rejected(text, reason):
    assert reason in only_rejection(BOARD.read(text.encode()))


def test_a_script_of_zebra():
    records = records_in(BOARD.read(sample("endgames.scr")))
    assert [record.position[-1] for record in records] == ["O", "O", "X", "X"]
    assert BOARD.recognises(sample("endgames.scr")) == 0.95


def test_one_bad_line_does_not_spoil_the_others():
    items = list(BOARD.read(f"{START}\nnonsense\n{START}\n".encode()))
    assert [type(item) for item in items] == [Read, Rejected, Read]
    assert [item.place for item in items] == ["line 1", "line 2", "line 3"]


def test_a_board_at_the_beginning_of_something_else():
    for text, mover, rest in [
        (f"{CELLS} X f5d6", 0, "f5d6"),
        (f"{CELLS}Of5d6", 1, "f5d6"),
        (f"{CELLS} b3", None, "b3"),
        (f"{CELLS} O; G8:+18;", 1, "G8:+18;"),
    ]:
        board = find_board(text)
        assert board is not None
        assert (board.cells, board.side, board.rest) == (CELLS, mover, rest)
    assert find_board("f5d6c3d3c4") is None


# ------------------------------------------------------------------ drawings


def test_the_screen_of_the_course():
    assert only_board(SCREEN).position == f"{CELLS} O"


def test_a_frame_with_empty_boxes():
    assert only_board(FRAMED) == PositionRecord("othello", "-----OX--XO----- O", {"size": 4})


def test_what_plyground_itself_shows():
    assert only_board(run("show", "othello").out).position == START


def test_several_drawings_with_lines_between():
    small = "----\n-OX-\n-XO-\n----\n{}\n\n"
    records = records_in(BOARD.read("".join(small.format(side) for side in "XO").encode()))
    assert [record.position for record in records] == ["-----OX--XO----- X", "-----OX--XO----- O"]


@pytest.mark.parametrize(
    "caption, mover",
    [
        ("X to move", "X"),
        ("White to play.", "O"),
        ("player: O", "O"),
        ("Turn: black", "X"),
        ("○", "O"),
        ("It is white's turn", "O"),
    ],
)
def test_whose_turn_it_is_stands_around_a_drawing(caption, mover):
    assert only_board(f"----\n-OX-\n-XO-\n----\n{caption}").position[-1] == mover


def test_a_drawing_without_some_rows_is_rejected():
    told = only_rejection(BOARD.read(b"----\n-OX-\n-XO-\nX to move"))
    assert told == "lines 1 to 4: the drawing has 3 rows of 4 squares; expected 4"


@pytest.mark.full
def test_blanks_without_end_are_read_soon():
    """The label behind a row could begin at each of them."""
    line = f"X{' ' * 9000}Y\n"
    assert check_items(BOARD.read((line * 300).encode())) == 300


def test_a_drawing_without_a_side_says_so():
    assert only_board("----\n-OX-\n-XO-\n----").tags == {"side": "not given"}


# ------------------------------------------------------------------ writing, recognising


@QUICKLY
@given(positions(), positions())
def test_boards_are_read_as_they_were_written(first, second):
    assert records_in(BOARD.read(write(BOARD, first, second))) == [first, second]
    assert records_in(FEN.read(write(FEN, first, second))) == [first, second]


def test_a_score_is_written_behind_the_board():
    record = PositionRecord("othello", START, score=-3)
    assert write(BOARD, record) == f"{START} -3\n".encode()
    assert records_in(BOARD.read(write(BOARD, record))) == [record]


@pytest.mark.parametrize("found", FORMATS, ids=lambda found: found.name)
def test_games_and_other_games_are_refused(found):
    with pytest.raises(Unsupported, match="holds positions, not games"):
        write(found, GameRecord("othello", ("", ""), []))
    with pytest.raises(Unsupported, match="holds Othello only"):
        write(found, PositionRecord("mnk", "---"))
    assert write(found) == b""


def test_recognising_boards():
    assert BOARD.recognises(START.encode()) == 0.95
    assert BOARD.recognises(SCREEN.encode()) == 0.7
    assert BOARD.recognises(b"-----OX--XO----- X") == 0.7  # might be of another game
    for other in (b"", b"f5d6c3", b"4453", b"hello", b"8/8/8/3pP3/3Pp3/8/8/8 b", bytes(range(256))):
        assert BOARD.recognises(other) == 0.0


# ------------------------------------------------------------------ FEN


def test_rows_of_a_fen_count_from_the_bottom():
    assert parse_fen("8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1") == GAME.initial()
    state = parse_fen("p7/8/8/8/8/8/8/7P w")
    assert GAME.format_position(state) == "-------O" + "-" * 48 + "X-------" + " O"
    assert format_fen(GAME.initial()) == "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1"
    assert parse_fen("10/10/10/10/4pP4/4Pp4/10/10/10/10 b") == GAME.initial(size=10)


@pytest.mark.parametrize(
    "text, reason",
    [
        ("8/8/8 b", "is not a FEN; expected rows such as 3pP3"),
        ("8/8/8/3pP3/3Pp3/8/8/8", "is not a FEN"),
        ("8/8/8/3pP3/3Pp4/8/8/8 b", "row '3Pp4' has 9 squares; expected 8"),
        ("5/5/5/5/5 b", "a board of 5x5"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "is not a FEN"),
    ],
)
def test_what_is_not_a_fen_is_rejected(text, reason):
    with pytest.raises(Exception, match=reason) as caught:
        parse_fen(text)
    assert isinstance(caught.value, MalformedText | Unsupported)
    assert only_rejection(FEN.read(text.encode())).startswith("line 1: ")
    assert FEN.recognises(text.encode()) == 0.0


def test_recognising_fen():
    assert FEN.recognises(b"% comment\n8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1\n") == 0.97
    assert FEN.recognises(b"f5d6c3") == FEN.recognises(b"") == 0.0
