"""Texts of moves, positions and settings: read back as written, read liberally, refused.

What is peculiar to Double Card is in `test_double_card.py`; files and modules of games are in
`test_catalogue.py`.
"""

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from user_games import example_game

from plyground.core.errors import IllegalMove, MalformedText, Unsupported
from plyground.games import squares
from plyground.games.catalogue import find_game, games
from plyground.games.double_card import GAME as DOUBLE_CARD
from plyground.games.rules import play
from plyground.games.spec import Parameter

HEXAPAWN = example_game("hexapawn.py")
OTHELLO, CONNECT_FOUR, KALAH = find_game("othello"), find_game("connect4"), find_game("kalah")
MNK, TREE = find_game("mnk"), find_game("synthetic")


def full_width(text):
    """The text in the wide characters of East Asian keyboards."""
    return "".join(chr(ord(c) + 0xFEE0) if c.isalnum() else c for c in text)


def strict(game, state, moves):
    """Moves as the game itself writes them."""
    names = []
    for move in moves:
        names.append(game.format_move(state, move))
        state = play(state, move)
    return " ".join(names)


# ------------------------------------------------------------------ round trips: squares


@pytest.mark.parametrize(
    ("columns", "rows"), [(1, 1), (3, 3), (8, 8), (10, 10), (26, 2), (2, 26), (26, 26)]
)
def test_every_square_is_read_back_from_its_name(columns, rows):
    for square in range(columns * rows):
        name = squares.square_name(square, columns)
        assert squares.parse_square(name, columns, rows) == square
        assert squares.parse_square(f" {name.upper()} ", columns, rows) == square
        assert squares.parse_square(full_width(name), columns, rows) == square


def test_all_squares_of_a_board_have_different_names():
    assert len({squares.square_name(square, 26) for square in range(26 * 26)}) == 26 * 26


@given(st.integers(0, 3**20 - 1))
def test_every_diagram_is_read_back_as_written(number):
    digits = [number // 3**place % 3 for place in range(20)]
    first = sum(1 << place for place, digit in enumerate(digits) if digit == 1)
    second = sum(1 << place for place, digit in enumerate(digits) if digit == 2)
    text = squares.write_diagram(first, second, 20)
    assert len(text) == 20
    assert squares.read_diagram(text, 20) == (first, second, "")


def test_cell_owners_are_those_of_the_diagram():
    assert squares.cell_owners(0b001, 0b100, 3) == ("first", "", "second")


# ------------------------------------------------------------------ round trips: moves

CORNER = [8 * row + column for row in range(4) for column in range(4)]  # 4x4 on the 8x8 layout
ALL_MOVES = [
    ("othello", {"size": 4}, [*CORNER, 64]),
    ("othello", {"size": 8}, range(65)),
    ("othello", {"size": 10}, range(101)),
    ("connect4", {}, range(7)),
    ("connect4", {"width": 32, "height": 1}, range(32)),
    ("kalah", {"pits": 7}, range(7)),
    ("mnk", {"m": 26, "n": 2}, range(52)),
    ("mnk", {"m": 2, "n": 26}, range(52)),
    ("synthetic", {"branching": 64, "depth": 2}, range(64)),
]


@pytest.mark.parametrize(("name", "chosen", "moves"), ALL_MOVES)
def test_every_move_of_a_game_is_read_back_as_written(name, chosen, moves):
    game = find_game(name)
    start = game.initial(**chosen)
    names = [game.format_move(start, move) for move in moves]
    assert [game.read_move(start, name) for name in names] == list(moves)
    assert len(set(names)) == len(names)


def test_every_placement_of_double_card_is_read_back_as_written():
    start = DOUBLE_CARD.initial()
    texts = [
        f"0 {rotation} {column} {row}"
        for rotation, column, row in itertools.product(range(1, 9), "ABCDEFGH", range(1, 13))
    ]
    moves = [DOUBLE_CARD.read_move(start, text) for text in texts]
    assert [DOUBLE_CARD.format_move(start, move) for move in moves] == texts
    assert len(set(moves)) == len(texts)


# ------------------------------------------------------------------ round trips: lists, positions

SETTINGS = {
    "othello": st.sampled_from([{"size": size} for size in (4, 6, 8, 10)]),
    "connect4": st.sampled_from([{}, {"width": 9, "height": 6}, {"width": 3, "height": 4}]),
    "kalah": st.sampled_from([{}, {"pits": 7, "seeds": 18}, {"pits": 1, "seeds": 9}]),
    "mnk": st.sampled_from([{}, {"m": 8, "n": 8, "k": 5}, {"m": 1, "n": 9}]),
    "double-card": st.sampled_from([{}, {"cards": 2}, {"width": 4, "height": 2, "cards": 4}]),
    "synthetic": st.sampled_from([{}, {"branching": 64, "depth": 3}, {"branching": 1}]),
}
CHOICES = st.lists(st.integers(0, 2**16), max_size=40)


def random_game(game, start, choices):
    """The moves and the states of a game, the first state included."""
    moves, states = [], [start]
    for choice in choices:
        legal = game.legal(states[-1])
        if not legal:
            break
        moves.append(legal[choice % len(legal)])
        states.append(play(states[-1], moves[-1]))
    return moves, states


@pytest.mark.parametrize("name", games())
@settings(max_examples=40)
@given(data=st.data(), choices=CHOICES)
def test_a_list_of_moves_is_read_back_as_written(name, data, choices):
    game = games()[name]
    start = game.initial(**data.draw(SETTINGS.get(name, st.just({}))))
    moves, states = random_game(game, start, choices)
    separator = "; " if game is DOUBLE_CARD else " "
    names = [game.format_move(*pair) for pair in zip(states, moves, strict=False)]
    assert game.parse_moves(start, separator.join(names)) == moves


@pytest.mark.parametrize("name", games())
@settings(max_examples=40)
@given(data=st.data(), choices=CHOICES)
def test_a_position_is_read_back_as_written(name, data, choices):
    game = games()[name]
    start = game.initial(**data.draw(SETTINGS.get(name, st.just({}))))
    state = random_game(game, start, choices)[1][-1]
    assert game.parse_position(start, game.format_position(state)) == state


@given(
    cells=st.lists(st.sampled_from("XO-"), min_size=36, max_size=36), mover=st.sampled_from("XO")
)
def test_any_othello_diagram_is_written_as_it_was_read(cells, mover):
    text = f"{''.join(cells)} {mover}"
    assert OTHELLO.format_position(OTHELLO.parse_position(OTHELLO.initial(size=6), text)) == text


@given(rows=st.lists(st.integers(0, 10), min_size=14, max_size=14), mover=st.integers(0, 1))
def test_any_kalah_position_with_seeds_on_both_sides_is_written_as_it_was_read(rows, mover):
    rows[0], rows[7] = rows[0] + 1, rows[7] + 1
    first, second = (",".join(map(str, row)) for row in (rows[:7], rows[7:]))
    text = f"{first}/{second} {('first', 'second')[mover]}"
    assert KALAH.format_position(KALAH.parse_position(KALAH.initial(), text)) == text


def test_a_game_without_a_notation_of_its_own_writes_the_fields_of_the_state():
    start = HEXAPAWN.initial()
    state = HEXAPAWN.replay(start, HEXAPAWN.parse_moves(start, "a1a2"))
    assert HEXAPAWN.format_position(state) == "7 392 1"
    assert HEXAPAWN.parse_position(start, " 7,392;1 ") == state
    assert HEXAPAWN.board_of(start).kind == "grid"


# ------------------------------------------------------------------ round trips: settings

PARAMETERS = [(game.name, parameter) for game in games().values() for parameter in game.parameters]


def values_of(parameter):
    if isinstance(parameter.default, bool):
        return st.booleans()
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    if isinstance(parameter.default, str):
        return st.just(parameter.default)
    if isinstance(parameter.default, float):
        return st.floats(parameter.low, parameter.high)
    return st.integers(parameter.low, parameter.high)


@pytest.mark.parametrize(
    ("name", "parameter"), PARAMETERS, ids=[f"{name} {p.name}" for name, p in PARAMETERS]
)
@settings(max_examples=30)
@given(data=st.data())
def test_every_value_of_a_parameter_is_read_back_as_written(name, parameter, data):
    value = data.draw(values_of(parameter))
    chosen = find_game(name).settings({parameter.name: f" {value} "})
    assert chosen[parameter.name] == value
    assert type(chosen[parameter.name]) is type(parameter.default)


@pytest.mark.parametrize("name", games())
def test_settings_that_nobody_chose_have_their_defaults(name):
    game = games()[name]
    defaults = {parameter.name: parameter.default for parameter in game.parameters}
    assert game.settings({}) == defaults
    assert game.initial() == game.initial(**defaults)


@pytest.mark.parametrize("word", ["yes", "YES", "true", "on", "1", " Yes "])
def test_yes_is_read_in_many_words(word):
    assert KALAH.settings({"captures": word})["captures"] is True


@pytest.mark.parametrize("word", ["no", "NO", "false", "off", "0", " oFF "])
def test_no_is_read_in_many_words(word):
    assert KALAH.settings({"captures": word})["captures"] is False


# ------------------------------------------------------------------ liberal moves

BROUGHT = [
    ("othello", {}, "F5", "f5"),
    ("othello", {}, "  f5\t", "f5"),
    ("othello", {}, "f5d6c3", "f5 d6 c3"),
    ("othello", {}, "F5D6C3", "f5 d6 c3"),
    ("othello", {}, "f5 d6\nc3", "f5 d6 c3"),
    ("othello", {}, "f5,d6;c3", "f5 d6 c3"),
    ("othello", {}, "f5 d6 c3,", "f5 d6 c3"),
    ("othello", {}, "1. f5 d6 2. c3", "f5 d6 c3"),
    ("othello", {}, "1.f5 d6 2.c3 d3", "f5 d6 c3 d3"),
    ("othello", {}, "1. f5 1... d6 2. c3", "f5 d6 c3"),
    ("othello", {}, full_width("f5d6c3"), "f5 d6 c3"),
    ("othello", {"size": 10}, "g6E7", "g6 e7"),
    ("othello", {}, "", ""),
    ("connect4", {}, "4455", "4 4 5 5"),
    ("connect4", {}, "4 4 5 5", "4 4 5 5"),
    ("connect4", {}, " 4,4;5\n5 ", "4 4 5 5"),
    ("connect4", {}, "4 4 5 5,", "4 4 5 5"),
    ("connect4", {}, full_width("4455"), "4 4 5 5"),
    ("connect4", {"width": 12, "height": 4}, "10 9 12", "10 9 12"),
    ("connect4", {"width": 12, "height": 4}, "1212", "1 2 1 2"),
    ("connect4", {}, "", ""),
    ("kalah", {}, "3 6 1", "3 6 1"),
    ("kalah", {}, "361", "3 6 1"),
    ("kalah", {}, "36 1", "3 6 1"),
    ("kalah", {}, "3,6;1,", "3 6 1"),
    ("kalah", {}, full_width("361"), "3 6 1"),
    ("mnk", {}, "a1B2 c3", "a1 b2 c3"),
    ("mnk", {}, "1. a1 b2 2. c3", "a1 b2 c3"),
    ("mnk", {"m": 2, "n": 26}, "a26a2b13", "a26 a2 b13"),
    ("synthetic", {}, "2.1.3", "2 1 3"),
    ("synthetic", {}, "2 1,3;", "2 1 3"),
    ("synthetic", {"branching": 64, "depth": 3}, "64.10.1", "64 10 1"),
]


@pytest.mark.parametrize(
    ("name", "chosen", "text", "meant"),
    BROUGHT,
    ids=[f"{name} {text!r}" for name, _, text, _ in BROUGHT],
)
def test_moves_are_read_as_people_paste_them(name, chosen, text, meant):
    game = find_game(name)
    start = game.initial(**chosen)
    assert strict(game, start, game.parse_moves(start, text)) == meant


def test_moves_of_a_game_without_a_notation_of_its_own_are_read_in_any_case():
    start = HEXAPAWN.initial()
    moves = HEXAPAWN.parse_moves(start, "A1a2, b3A2,")
    assert strict(HEXAPAWN, start, moves) == "a1a2 b3a2"


@pytest.mark.parametrize("word", ["pass", "PASS", " pa ", "ps", "--", "@@", "@@@@"])
def test_a_pass_is_read_in_many_words(word):
    start = OTHELLO.initial(size=4)
    state = OTHELLO.replay(start, OTHELLO.parse_moves(start, "d3 d2 b1 d4"))
    assert OTHELLO.format_move(state, OTHELLO.parse_move(state, word)) == "pass"


@pytest.mark.parametrize(
    "text",
    ["d3 d2 b1 d4 pass b4", "d3 d2 b1 d4 b4", "d3d2b1d4b4", "d3d2b1d4--b4", "d3d2b1d4pab4"],
)
def test_a_forced_pass_may_be_left_out_of_a_transcript(text):
    start = OTHELLO.initial(size=4)
    moves = OTHELLO.parse_moves(start, text)
    assert strict(OTHELLO, start, moves) == "d3 d2 b1 d4 pass b4"


def test_several_forced_passes_may_be_left_out():
    start = OTHELLO.initial(size=4)
    moves = OTHELLO.parse_moves(start, "a2a3a4c1d4c4d3d2b4")
    assert strict(OTHELLO, start, moves) == "a2 a3 a4 c1 d4 c4 d3 pass d2 pass b4"


def test_a_pass_at_the_end_of_a_transcript_is_not_made_up():
    start = OTHELLO.initial(size=4)
    assert strict(OTHELLO, start, OTHELLO.parse_moves(start, "d3 d2 b1 d4")) == "d3 d2 b1 d4"


# ------------------------------------------------------------------ liberal positions


@pytest.mark.parametrize("symbol", squares.FIRST_SYMBOLS)
def test_a_first_player_s_cell_may_be_drawn_in_many_symbols(symbol):
    assert squares.read_diagram(f"-{symbol}-", 3) == (0b010, 0, "")


@pytest.mark.parametrize("symbol", squares.SECOND_SYMBOLS)
def test_a_second_player_s_cell_may_be_drawn_in_many_symbols(symbol):
    assert squares.read_diagram(f"-{symbol}-", 3) == (0, 0b010, "")


@pytest.mark.parametrize("symbol", squares.EMPTY_SYMBOLS)
def test_an_empty_cell_may_be_drawn_in_many_symbols(symbol):
    assert squares.read_diagram(f"X{symbol}O", 3) == (0b001, 0b100, "")


@pytest.mark.parametrize("separator", squares.IGNORED_SYMBOLS)
def test_cells_may_be_separated_by_many_symbols(separator):
    assert squares.read_diagram(f"X{separator}{separator}-{separator}O", 3) == (1, 4, "")


def test_the_symbols_for_the_two_players_and_for_nobody_are_all_different():
    symbols = (
        squares.FIRST_SYMBOLS
        + squares.SECOND_SYMBOLS
        + squares.EMPTY_SYMBOLS
        + squares.IGNORED_SYMBOLS
    )
    assert len(set(symbols)) == len(symbols)


@pytest.mark.parametrize(
    ("text", "player"),
    [
        *((symbol, 0) for symbol in squares.FIRST_SYMBOLS),
        *((symbol, 1) for symbol in squares.SECOND_SYMBOLS),
        ("black", 0),
        ("First", 0),
        (" WHITE\n", 1),
        ("second", 1),
    ],
)
def test_the_side_to_move_is_read_from_a_symbol_or_a_word(text, player):
    assert squares.read_side(text) == player


def test_a_board_may_be_drawn_over_many_lines_with_bars_and_blanks():
    start = OTHELLO.initial(size=4)
    drawn = """
        | . | . | . | . |
        | . | o | x | . |
        | . | x | o | . |
        | . | . | . | . |
        black
    """
    assert OTHELLO.parse_position(start, drawn) == start


def test_the_side_to_move_may_be_left_out_where_the_stones_tell_it():
    start = CONNECT_FOUR.initial(width=3, height=2, connect=3)
    state = CONNECT_FOUR.parse_position(start, "---/X--")
    assert state == CONNECT_FOUR.parse_position(start, "---/X-- O")
    assert CONNECT_FOUR.board_of(state).counts == {"first": 1, "second": 0}


def test_a_kalah_position_may_be_written_with_other_separators():
    start = KALAH.initial(pits=2, seeds=2)
    strictly = KALAH.parse_position(start, "1,2,3/4,5,6 second")
    assert KALAH.parse_position(start, "(1 2) 3 | (4; 5) 6 White") == strictly


@pytest.mark.parametrize("text", ["root", " ROOT "])
def test_the_root_of_a_tree_is_read_by_name(text):
    assert TREE.parse_position(TREE.initial(), text) == TREE.initial()


@pytest.mark.parametrize("text", ["2.1.3", "2 1 3", "2,1;3"])
def test_a_node_of_a_tree_is_read_by_its_path(text):
    state = TREE.parse_position(TREE.initial(), text)
    assert TREE.format_position(state) == "2.1.3"


# ------------------------------------------------------------------ refusals


def refused(error, message, function, *args, **chosen):
    """The function raises exactly this error, and the message says this."""
    with pytest.raises(error, match=re.escape(message)) as caught:
        function(*args, **chosen)
    assert type(caught.value) is error


@pytest.mark.parametrize(
    ("text", "culprit"),
    [
        ("f", "'f' is not a square"),
        ("", "'' is not a square"),
        ("55", "'55' is not a square"),
        ("f555", "'f555' is not a square"),
        ("f!", "unexpected '!' in 'f!'"),
        ("\u00e95", "unexpected '\u00e9' in '\u00e95'"),
        ("f\u0665", "unexpected '\u0665' in 'f\u0665'"),
        ("f" * 100, f"'{'f' * 37}...' is not a square"),
    ],
)
def test_what_is_no_square_is_refused_and_the_culprit_named(text, culprit):
    message = f"{culprit}; expected a square from a1 to h8"
    refused(MalformedText, message, OTHELLO.parse_move, OTHELLO.initial(), text)


def test_accents_without_end_are_refused_soon():
    """To put a hundred thousand of them in order, as a normal form does, takes minutes."""
    accents = "\u0315\u0300\u05ae\u0334" * 50_000
    start = CONNECT_FOUR.initial()
    refused(MalformedText, "is not a column", CONNECT_FOUR.parse_move, start, accents)
    refused(MalformedText, "unexpected", OTHELLO.parse_moves, OTHELLO.initial(), f"f5 d6{accents}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("j5", "column 'j' is off the board; expected a to h"),
        ("f0", "row 0 is off the board; expected 1 to 8"),
        ("f9", "row 9 is off the board; expected 1 to 8"),
    ],
)
def test_a_square_off_the_board_is_refused_and_the_edge_named(text, message):
    refused(MalformedText, message, OTHELLO.parse_move, OTHELLO.initial(), text)


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        (CONNECT_FOUR, "8", "'8' is not a column; expected a number from 1 to 7"),
        (CONNECT_FOUR, "0", "'0' is not a column; expected a number from 1 to 7"),
        (CONNECT_FOUR, "a", "'a' is not a column"),
        (CONNECT_FOUR, "", "'' is not a column"),
        (CONNECT_FOUR, "\u0664", "'\u0664' is not a column"),
        (KALAH, "7", "'7' is not a pit; expected a number from 1 to 6"),
        (KALAH, "0", "'0' is not a pit; expected a number from 1 to 6"),
        (KALAH, "x", "'x' is not a pit"),
        (MNK, "d1", "column 'd' is off the board; expected a to c"),
        (MNK, "a4", "row 4 is off the board; expected 1 to 3"),
        (TREE, "4", "'4' is not a branch; expected a number from 1 to 3"),
        (TREE, "0", "'0' is not a branch; expected a number from 1 to 3"),
        (TREE, "one", "'one' is not a branch"),
        (DOUBLE_CARD, "0 1 A! 1", "unexpected '!' in '0 1 A! 1'; expected 0 R C N to lay a card"),
    ],
)
def test_what_is_no_move_is_refused_and_the_culprit_named(game, text, message):
    refused(MalformedText, message, game.parse_move, game.initial(), text)


@pytest.mark.parametrize(
    ("game", "before", "text", "message"),
    [
        (OTHELLO, "", "a1", "a1 is illegal: it turns no disc over (legal: d3, c4, f5, e6)"),
        (OTHELLO, "", "d4", "d4 is illegal: the square is taken (legal: d3, c4, f5, e6)"),
        (OTHELLO, "", "pass", "pass is illegal: a side that has a move may not pass"),
        (CONNECT_FOUR, "111111", "1", "1 is illegal: the column is full (legal: 2, 3, 4, 5, 6, 7)"),
        (KALAH, "3", "3", "3 is illegal: the pit is empty (legal: 1, 2, 4, 5, 6)"),
        (MNK, "b2", "b2", "b2 is illegal: the cell is taken (legal: a1, b1, c1, a2"),
        (CONNECT_FOUR, "1212121", "1", "1 cannot be played: the game is over"),
        (MNK, "a1 b1 a2 b2 a3", "c3", "c3 cannot be played: the game is over"),
        (TREE, "1 1 1 1 1 1", "2", "2 cannot be played: the game is over"),
        (DOUBLE_CARD, "", "0 1 A 2", "0 4 A 1, 0 5 A 1, 0 6 A 1, 0 7 A 1, 0 8 A 1"),
        (HEXAPAWN, "", "a1a3", "'a1a3' is not a legal move (legal: a1a2, b1b2, c1c2)"),
        (HEXAPAWN, "", "", "'' is not a legal move (legal: a1a2, b1b2, c1c2)"),
    ],
)
def test_an_illegal_move_is_refused_with_the_reason_and_what_is_legal(game, before, text, message):
    start = game.initial()
    state = game.replay(start, game.parse_moves(start, before))
    refused(IllegalMove, message, game.parse_move, state, text)


@pytest.mark.parametrize(
    ("game", "text", "error", "message"),
    [
        (OTHELLO, "f5 d6 d6", IllegalMove, "move 3, 'd6': d6 is illegal: the square is taken"),
        (OTHELLO, "f5 z9", MalformedText, "move 2, 'z9': column 'z' is off the board"),
        (
            OTHELLO,
            "1. f5 d6 2. hello",
            MalformedText,
            "move 3, 'hello': 'hello' is not a square; expected",
        ),
        (CONNECT_FOUR, "1111111", IllegalMove, "move 7, '1': 1 is illegal: the column is full"),
        (CONNECT_FOUR, "449", MalformedText, "move 3, '9': '9' is not a column"),
        (KALAH, "33", IllegalMove, "move 2, '3': 3 is illegal: the pit is empty"),
        (KALAH, "3 x", MalformedText, "move 2, 'x': 'x' is not a pit"),
        (MNK, "a1 a1", IllegalMove, "move 2, 'a1': a1 is illegal: the cell is taken"),
        (TREE, "1.2.9", MalformedText, "move 3, '9': '9' is not a branch"),
        (HEXAPAWN, "a1a2 c3c1", IllegalMove, "move 2, 'c3c1': 'c3c1' is not a legal move"),
    ],
)
def test_a_wrong_move_in_a_list_is_refused_with_its_number(game, text, error, message):
    refused(error, message, game.parse_moves, game.initial(), text)


def test_a_long_list_of_legal_moves_is_cut_short():
    start = DOUBLE_CARD.initial()
    refused(IllegalMove, "0 4 B 1 and 48 more)", DOUBLE_CARD.parse_move, start, "0 1 A 2")


def test_a_wrong_move_after_an_implied_pass_is_refused():
    start = OTHELLO.initial(size=4)
    message = "move 5, 'b2': b2 is illegal: the square is taken"
    refused(IllegalMove, message, OTHELLO.parse_moves, start, "d3 d2 b1 d4 b2")


THREE, FLAT = MNK.initial(), CONNECT_FOUR.initial(width=3, height=2, connect=3)


@pytest.mark.parametrize(
    ("game", "start", "text", "message"),
    [
        (OTHELLO, OTHELLO.initial(size=4), "-" * 15, "the board has 15 cells; expected 16"),
        (OTHELLO, OTHELLO.initial(size=4), "", "the board has 0 cells; expected 16"),
        (OTHELLO, OTHELLO.initial(size=4), "-?" * 8, "unexpected '?' at character 2 of the board"),
        (OTHELLO, OTHELLO.initial(size=4), "-" * 16, "expected the side to move, X or O; found n"),
        (OTHELLO, OTHELLO.initial(size=4), "-" * 16 + " red", "X or O; found 'red'"),
        (OTHELLO, OTHELLO.initial(size=4), "-" * 17 + " X", "the board has 17 cells; expected 16"),
        (MNK, THREE, "XXX------", "3 marks X and 0 marks O; expected as many X as O"),
        (MNK, THREE, "OO-X-----", "1 marks X and 2 marks O; expected as many X as O"),
        (MNK, THREE, "X-------- X", "by the count of marks it is O who moves"),
        (MNK, THREE, "XO------- O", "by the count of marks it is X who moves"),
        (MNK, THREE, "XXXOOO---", "X is to move but has 3 in a row already"),
        (MNK, THREE, "OOOXX-X-X", "O is to move but has 3 in a row already"),
        (CONNECT_FOUR, FLAT, "---/XX-", "2 stones X and 0 stones O; expected as many X as O"),
        (CONNECT_FOUR, FLAT, "---/X-- X", "by the count of stones it is O who moves"),
        (
            CONNECT_FOUR,
            FLAT,
            "-X-/---",
            "the stone in column 2, row 2 from below, hangs in the air",
        ),
        (CONNECT_FOUR, FLAT, "OOO/XXX", "X is to move but has 3 in a row already"),
        (KALAH, KALAH.initial(), "hello!", "position 'hello!': expected 6 pits and a store"),
        (KALAH, KALAH.initial(), "1,2,3", "position '1,2,3': expected 6 pits and a store"),
        (KALAH, KALAH.initial(), "1,2,3/4 first", "the position has 4 numbers; expected 6 pits"),
        (KALAH, KALAH.initial(pits=1), "99,99/99,0 first", "the board has more than 255 seeds"),
        (KALAH, KALAH.initial(pits=1), "1,0/1,0 nobody", "X or O; found 'nobody'"),
        (TREE, TREE.initial(), "", "the position is empty; expected root or a path such as 2.1.3"),
        (TREE, TREE.initial(), "2.4", "move 2, '4': '4' is not a branch"),
        (HEXAPAWN, HEXAPAWN.initial(), "448 7", "position '448 7': expected mine theirs side"),
        (HEXAPAWN, HEXAPAWN.initial(), "448 7 0 0", "expected mine theirs side"),
        (HEXAPAWN, HEXAPAWN.initial(), "448 7 white", "expected mine theirs side"),
        (HEXAPAWN, HEXAPAWN.initial(), "9" * 30 + " 7 0", "expected mine theirs side"),
        (HEXAPAWN, HEXAPAWN.initial(), f"{2**63} 7 0", "expected mine theirs side"),
        (HEXAPAWN, HEXAPAWN.initial(), f"{-(2**63) - 1} 7 0", "expected mine theirs side"),
    ],
)
def test_a_position_that_cannot_be_is_refused_and_the_culprit_named(game, start, text, message):
    refused(MalformedText, message, game.parse_position, start, text)


def test_a_path_beyond_a_leaf_is_refused():
    start = TREE.initial(depth=1)
    refused(IllegalMove, "1 cannot be played: the game is over", TREE.parse_position, start, "1.1")


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (HEXAPAWN, "0" * 25 + "448 07 00"),
        (KALAH, "00004,4,4,4,4,4,0/4,4,4,4,4,4,000000 first"),
        (DOUBLE_CARD, "empty moves=0000"),
    ],
    ids=["fields of a state", "seeds", "moves made"],
)
def test_leading_zeros_do_not_change_a_number_of_a_position(game, text):
    assert game.parse_position(game.initial(), text) == game.initial()


@pytest.mark.parametrize(
    ("game", "chosen", "message"),
    [
        (OTHELLO, {"size": "9"}, "size=9: expected 4, 6, 8, 10"),
        (OTHELLO, {"size": "big"}, "size=big: expected 4, 6, 8, 10"),
        (KALAH, {"captures": "maybe"}, "captures=maybe: expected yes or no"),
        (KALAH, {"pits": "8"}, "pits=8: expected a whole number from 1 to 7"),
        (KALAH, {"pits": "2.5"}, "pits=2.5: expected a whole number from 1 to 7"),
        (TREE, {"quality": "2"}, "quality=2: expected a number from 0.0 to 1.0"),
        (TREE, {"quality": "nan"}, "quality=nan: expected a number from 0.0 to 1.0"),
        (TREE, {"seed": "-1"}, "seed=-1: expected a whole number from 0 to 9223372036854775807"),
        (DOUBLE_CARD, {"on_no_move": "win"}, "on_no_move=win: expected draw, pass, loss"),
    ],
)
def test_a_value_out_of_range_is_refused_and_the_range_named(game, chosen, message):
    refused(MalformedText, message, game.settings, chosen)


def test_a_parameter_without_a_range_takes_any_number_and_nothing_else():
    parameter = Parameter("depth", 1, "how deep")
    assert parameter.parse(" -7 ") == -7
    refused(MalformedText, "depth=deep: expected a whole number", parameter.parse, "deep")


def test_a_parameter_of_text_without_choices_takes_any_text():
    assert Parameter("title", "none", "what to print").parse(" Hello ") == "hello"


@pytest.mark.parametrize(
    ("game", "chosen", "message"),
    [
        (OTHELLO, {"sise": "8"}, "unknown parameter of othello 'sise'; did you mean size?"),
        (KALAH, {"zzz": "8"}, "unknown parameter of kalah 'zzz'; known: pits, seeds, captures"),
        (HEXAPAWN, {"size": "3"}, "hexapawn has no parameters, so 'size' cannot be set"),
        (MNK, {"preset": "go"}, "unknown preset of mnk 'go'"),
        (OTHELLO, {"preset": "go"}, "othello has no presets"),
        (MNK, {"preset": "gomok"}, "unknown preset of mnk 'gomok'; did you mean gomoku?"),
    ],
)
def test_an_unknown_setting_is_refused_and_the_known_ones_named(game, chosen, message):
    refused(Unsupported, message, game.settings, chosen)


@pytest.mark.parametrize(
    ("game", "chosen", "message"),
    [
        (CONNECT_FOUR, {"width": 9, "height": 7}, "a board of 9x7 needs 72 bits of 64"),
        (CONNECT_FOUR, {"connect": 8}, "connect=8 does not fit on a board of 7x6"),
        (KALAH, {"seeds": 22}, "6 pits of 22 seeds make 264 on the board; expected at most 255"),
        (MNK, {"m": 9, "n": 8}, "a board of 9x8 has 72 cells; expected at most 64"),
        (MNK, {"k": 4}, "k=4 does not fit on a board of 3x3"),
        (TREE, {"branching": 64, "depth": 11}, "branching=64 and depth=11 make more than 2**62"),
        (DOUBLE_CARD, {"cards": 49}, "49 cards do not fit on a board of 8x12; expected at most 48"),
        (DOUBLE_CARD, {"line": 13}, "line=13 does not fit on a board of 8x12"),
    ],
)
def test_settings_that_make_no_sense_together_are_refused(game, chosen, message):
    refused(Unsupported, message, game.initial, **chosen)
