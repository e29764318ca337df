"""Openings: random ones, ones from a file, and their texts.

How many random openings there are is counted by listing all positions, ply by ply.
"""

import dataclasses
import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from user_games import write_game

from plyground.core.errors import IllegalMove, InputError, MalformedText, Unsupported
from plyground.games.catalogue import find_game, load_file
from plyground.games.position import BasePosition
from plyground.games.rules import canonical, is_over, play
from plyground.matches import openings
from plyground.matches.openings import (
    MOST_PLIES,
    OpeningFile,
    OpeningText,
    RandomOpenings,
    in_rounds,
    parse_openings,
)

CONNECT_FOUR, OTHELLO, TICTACTOE = find_game("connect4"), find_game("othello"), find_game("mnk")
KALAH, DOUBLE_CARD = find_game("kalah"), find_game("double-card")
GAMES = {
    "connect4": (CONNECT_FOUR, CONNECT_FOUR.initial()),
    "othello": (OTHELLO, OTHELLO.initial()),
    "othello-4": (OTHELLO, OTHELLO.initial(size=4)),
    "othello-10": (OTHELLO, OTHELLO.initial(size=10)),
    "tictactoe": (TICTACTOE, TICTACTOE.initial()),
    "three-by-two": (TICTACTOE, TICTACTOE.initial(m=3, n=2)),
    "kalah": (KALAH, KALAH.initial()),
    "double-card": (DOUBLE_CARD, DOUBLE_CARD.initial()),
    "wide": (CONNECT_FOUR, CONNECT_FOUR.initial(width=12, height=4)),
}
SETTINGS = {
    OTHELLO.initial(size=4): {"size": 4},
    OTHELLO.initial(size=10): {"size": 10},
    TICTACTOE.initial(m=3, n=2): {"m": 3, "n": 2},
    CONNECT_FOUR.initial(width=12, height=4): {"width": 12, "height": 4},
}
every_game = pytest.mark.parametrize("name", GAMES)


def count_positions(game, start, plies):
    """How many positions, up to symmetry, are not over after so many moves."""
    layer = {canonical(start)}
    for _ in range(plies):
        going_on = [state for state in layer if not is_over(state)]
        layer = {canonical(play(state, move)) for state in going_on for move in game.legal(state)}
    return sum(not is_over(state) for state in layer)


class Opening(NamedTuple):
    """What tells openings apart: equal positions may be reached by different moves."""

    start: Any
    moves: tuple[int, ...] = ()

    @property
    def state(self):
        return functools.reduce(play, self.moves, self.start)


def begin(game, start):
    settings = SETTINGS.get(start, {})
    return BasePosition.at(game, game.settings({k: str(v) for k, v in settings.items()}), start)


def plain(positions):
    for each in positions:
        assert each.state == Opening(each.start, each.codes).state
    return [Opening(each.start, each.codes) for each in positions]


def random_openings(game, start, *terms, **more):
    return plain(openings.random_openings(begin(game, start), *terms, **more))


def read_openings(game, start, *terms, **more):
    return plain(openings.read_openings(begin(game, start), *terms, **more))


def take(kind, game, start, *terms):
    return plain(kind.take(begin(game, start), *terms))


def write_opening(game, start, opening):
    usual = begin(game, start)
    return OpeningText.of(BasePosition.at(game, usual.settings, opening.start, opening.moves))


def read_opening(game, start, text):
    """As a worker reads what was planned."""
    moves = text.moves.split("; ") if text.moves else []
    usual = begin(game, start)
    return plain([BasePosition.begin(game, usual.settings, text.position, moves)])[0]


def texts(game, start, openings):
    return [write_opening(game, start, opening).moves for opening in openings]


# ------------------------------------------------------------------ random openings


@every_game
@pytest.mark.parametrize("plies", [0, 1, 3, 5])
def test_random_openings_are_legal_and_the_game_goes_on(name, plies):
    game, start = GAMES[name]
    for opening in random_openings(game, start, plies, 12, seed=3):
        state = start
        assert len(opening.moves) == plies
        for move in opening.moves:
            assert move in game.legal(state)
            state = play(state, move)
        assert (opening.start, opening.state) == (start, state)
        assert not is_over(state)


@pytest.mark.parametrize("name", ["connect4", "othello", "kalah", "double-card"])
def test_random_openings_lead_to_different_positions_even_up_to_symmetry(name):
    game, start = GAMES[name]
    openings = random_openings(game, start, 5, 60, seed=1)
    assert len({canonical(opening.state) for opening in openings}) == 60


@pytest.mark.parametrize(
    ("name", "plies"),
    [
        ("connect4", 0),
        ("connect4", 1),
        ("connect4", 4),
        ("othello", 1),
        ("othello", 4),
        ("othello-4", 5),
        ("tictactoe", 1),
        ("tictactoe", 2),
        ("tictactoe", 4),
        ("three-by-two", 5),
        ("kalah", 3),
        ("double-card", 1),
    ],
)
def test_all_positions_are_used_before_any_is_used_again(name, plies):
    game, start = GAMES[name]
    distinct = count_positions(game, start, plies)
    openings = random_openings(game, start, plies, 2 * distinct + 1, seed=5)
    assert len({canonical(opening.state) for opening in openings[:distinct]}) == distinct
    assert openings[distinct : 2 * distinct] == openings[:distinct]
    assert openings[2 * distinct] == openings[0]


def test_the_last_of_many_openings_is_found_as_surely_as_the_first(monkeypatch):
    """Chance alone would need some 1,000 moves to come upon the last of these leaves."""
    monkeypatch.setattr(openings, "MOST_MISSES", 200)
    game = find_game("synthetic")
    found = random_openings(game, game.initial(branching=2, depth=9), 8, 2**8, seed=1)
    assert len({opening.state for opening in found}) == 2**8


def test_the_openings_of_noughts_and_crosses_are_few():
    game, start = GAMES["tictactoe"]
    assert len(set(random_openings(game, start, 1, 50, seed=1))) == 3  # corner, edge, centre
    assert len(set(random_openings(game, start, 2, 50, seed=1))) == 12


def test_an_opening_of_no_moves_is_the_start():
    game, start = GAMES["connect4"]
    after = play(start, 3)
    assert random_openings(game, after, 0, 3, seed=9) == [Opening(after)] * 3
    assert Opening(after).state == after


@settings(max_examples=30)
@given(
    st.sampled_from(["connect4", "tictactoe", "kalah", "othello-4"]),
    st.integers(0, 5),
    st.integers(0, 60),
    st.integers(0, 60),
    st.integers(0, 2**64 - 1),
)
def test_a_longer_list_begins_with_the_shorter_one(name, plies, shorter, more, seed):
    game, start = GAMES[name]
    longer = random_openings(game, start, plies, shorter + more, seed)
    assert len(longer) == shorter + more
    assert random_openings(game, start, plies, shorter, seed) == longer[:shorter]


def test_another_seed_gives_other_openings():
    game, start = GAMES["othello"]
    lists = {tuple(random_openings(game, start, 6, 10, seed)) for seed in range(20)}
    assert len(lists) == 20


def test_openings_are_the_same_on_every_machine():
    game, start = GAMES["connect4"]
    assert texts(game, start, random_openings(game, start, 4, 4, seed=1)) == [
        "4; 6; 7; 4",
        "4; 6; 7; 2",
        "6; 3; 5; 4",
        "4; 4; 2; 5",
    ]
    game, start = GAMES["othello"]
    assert texts(game, start, random_openings(game, start, 4, 4, seed=1)) == [
        "f5; f6; f7; c5",
        "c4; c5; f6; e3",
        "c4; c5; d6; c7",
        "c4; e3; f4; c3",
    ]


IN_ANOTHER_PROCESS = """
import json, sys
from plyground.games.position import BasePosition
from plyground.matches.openings import random_openings
openings = random_openings(BasePosition.begin(sys.argv[1]), 4, 100, seed=11)
print(json.dumps({"moves": [opening.codes for opening in openings],
                  "compiled": "numba" in sys.modules}))
"""


def test_another_process_finds_the_same_openings_and_compiles_nothing():
    game, start = GAMES["othello"]
    here = [list(opening.moves) for opening in random_openings(game, start, 4, 100, seed=11)]
    for hashing in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", IN_ANOTHER_PROCESS, "othello"],
            env=os.environ | {"PYTHONHASHSEED": hashing},
            capture_output=True,
            encoding="utf-8",
            check=True,
            timeout=120,
        )
        assert json.loads(done.stdout) == {"moves": here, "compiled": False}


def test_each_first_move_is_about_as_likely():
    game, start = GAMES["connect4"]
    first_moves = [opening.moves[0] for opening in random_openings(game, start, 8, 700, seed=2)]
    assert all(65 < first_moves.count(column) < 135 for column in range(7))


def test_long_openings_of_othello_have_passes_and_are_read_back():
    game, start = GAMES["othello-4"]
    openings = random_openings(game, start, 8, 200, seed=1)
    written = [write_opening(game, start, opening) for opening in openings]
    assert any("pass" in text.moves for text in written)
    assert [read_opening(game, start, text) for text in written] == openings


@pytest.mark.parametrize(("name", "plies", "longest"), [("connect4", 42, 41), ("tictactoe", 50, 8)])
def test_more_moves_than_a_game_lasts_are_refused(name, plies, longest):
    game, start = GAMES[name]
    reason = f"after {plies} random moves the game was always over; expected .* {longest} at most"
    with pytest.raises(Unsupported, match=reason):
        random_openings(game, start, plies, 1, seed=1)


def test_rare_long_openings_are_found():
    """A random game of Connect Four fills the whole board in about one of 400 cases."""
    game, start = GAMES["connect4"]
    openings = random_openings(game, start, 41, 5, seed=1)
    assert len({opening.state for opening in openings}) == 5
    assert all(len(game.legal(opening.state)) == 1 for opening in openings)


def test_no_openings_where_the_game_is_over():
    game, start = GAMES["tictactoe"]
    over = game.replay(start, game.parse_moves(start, "a1 b1 a2 b2 a3"))
    with pytest.raises(Unsupported, match="over already"):
        random_openings(game, over, 0, 1, seed=1)


@pytest.mark.parametrize("plies", [-1, MOST_PLIES + 1])
def test_the_length_of_a_random_opening_is_limited(plies):
    with pytest.raises(Unsupported, match=f"expected 0 to {MOST_PLIES}"):
        random_openings(*GAMES["othello"], plies, 1, seed=1)


def test_a_user_game_without_notation_has_openings(tmp_path):
    game = load_file(write_game(tmp_path / "heap.py"))
    start = game.initial()
    openings = random_openings(game, start, 3, 10, seed=1)
    assert {10 - sum(opening.moves) for opening in openings} == {4, 5, 6, 7}
    assert len(set(openings)) == 4
    for opening in openings:
        assert read_opening(game, start, write_opening(game, start, opening)) == opening


# ------------------------------------------------------------------ as text


@every_game
@pytest.mark.parametrize("plies", [0, 1, 5])
def test_an_opening_is_read_back_as_written(name, plies):
    game, start = GAMES[name]
    for opening in random_openings(game, start, plies, 12, seed=8):
        text = write_opening(game, start, opening)
        assert text.position is None
        sent = json.loads(json.dumps(dataclasses.asdict(text)))
        assert read_opening(game, start, OpeningText(**sent)) == opening


def test_a_column_of_two_digits_is_one_move():
    game, start = GAMES["wide"]
    assert write_opening(game, start, Opening(start, (9,))) == OpeningText(None, "10")
    assert read_opening(game, start, OpeningText(None, "10")).moves == (9,)


@every_game
def test_an_opening_from_a_position_is_read_back_as_written(name):
    game, start = GAMES[name]
    for before in random_openings(game, start, 4, 6, seed=8):
        opening = Opening(before.state, (game.legal(before.state)[0],))
        text = write_opening(game, start, opening)
        assert text.position == game.format_position(before.state)
        assert read_opening(game, start, text) == opening


@every_game
def test_the_text_of_an_opening_may_stand_in_a_file(name):
    game, start = GAMES[name]
    openings = random_openings(game, start, 4, 12, seed=4)
    lines = texts(game, start, openings)
    assert read_openings(game, start, lines) == openings


def test_what_cannot_be_played_is_no_opening():
    game, start = GAMES["connect4"]
    with pytest.raises(MalformedText, match="'9' is not a column"):
        read_opening(game, start, OpeningText(None, "4; 9"))
    with pytest.raises(IllegalMove, match="the column is full"):
        read_opening(game, start, OpeningText(None, "4; 4; 4; 4; 4; 4; 4"))


# ------------------------------------------------------------------ files

BOOK = """\
# openings of one and two moves

4
4 4
  # in the middle

position: -------/-------/-------/-------/-------/---X---
Position:  -------/-------/-------/-------/-------/---X--- moves: 4 3
"""


def write_book(folder, text):
    path = folder / "book.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_has_an_opening_on_each_line(tmp_path):
    game, start = GAMES["connect4"]
    after = play(start, 3)
    assert read_openings(game, start, write_book(tmp_path, BOOK)) == [
        Opening(start, (3,)),
        Opening(start, (3, 3)),
        Opening(after),
        Opening(after, (3, 2)),
    ]


def test_lines_are_as_good_as_a_file(tmp_path):
    game, start = GAMES["connect4"]
    path = write_book(tmp_path, BOOK)
    assert read_openings(game, start, BOOK.splitlines()) == read_openings(game, start, path)


@pytest.mark.parametrize("text", ["\ufeff44\r\n45\r\n", "44\n45", "\n\n44\n\n45\n\n"])
def test_the_ends_of_lines_do_not_matter(tmp_path, text):
    game, start = GAMES["connect4"]
    path = tmp_path / "book.txt"
    path.write_bytes(text.encode())
    openings = read_openings(game, start, path)
    assert [opening.moves for opening in openings] == [(3, 3), (3, 4)]


def test_transcripts_of_othello_may_leave_passes_out():
    game, start = GAMES["othello-4"]
    openings = random_openings(game, start, 8, 200, seed=1)
    skipping = next(
        text for text in texts(game, start, openings) if "; pass; " in text and text[-4:] != "pass"
    )
    line = skipping.replace("pass; ", "").replace("; ", "")
    assert "pass" not in line
    assert texts(game, start, read_openings(game, start, [line])) == [skipping]


def test_moves_of_double_card_and_kalah_are_read_in_their_notation():
    game, start = GAMES["double-card"]
    (opening,) = read_openings(game, start, ["0 5 A 1; 0 2 C 1"])
    assert texts(game, start, [opening]) == ["0 5 A 1; 0 2 C 1"]
    game, start = GAMES["kalah"]
    (opening,) = read_openings(game, start, ["361"])
    assert [game.format_move(start, move) for move in opening.moves] == ["3", "6", "1"]


def test_shuffling_keeps_the_openings_and_depends_on_the_seed():
    game, start = GAMES["connect4"]
    lines = [f"{a}{b}" for a in range(1, 8) for b in range(1, 8)]
    in_order = read_openings(game, start, lines)
    orders = [read_openings(game, start, lines, shuffle=True, seed=seed) for seed in range(5)]
    assert all(sorted(order, key=in_order.index) == in_order for order in orders)
    assert len({tuple(order) for order in [in_order, *orders]}) == 6
    assert orders[3] == read_openings(game, start, lines, shuffle=True, seed=3)


@pytest.mark.parametrize(
    ("line", "kind", "reason"),
    [
        ("4 x", MalformedText, "move 2, 'x': 'x' is not a column"),
        ("4444444", IllegalMove, "move 7, '4': 4 is illegal: the column is full"),
        ("1212121", Unsupported, "the game is over there"),
        ("12121213", IllegalMove, "move 8, '3': 3 cannot be played: the game is over"),
        (";;", MalformedText, "';;' has no moves"),
        ("position:", MalformedText, "the board has 0 cells; expected 42"),
        ("position: XO", MalformedText, "the board has 2 cells; expected 42"),
        ("position: " + "-" * 42 + " moves: 9", MalformedText, "move 1, '9'"),
        ("position: " + "-" * 42 + " moves: ,", MalformedText, "has no moves"),
        ("position: " + "-" * 35 + "XXXX---", MalformedText, "4 stones X and 0 stones O"),
        ("position: " + "-" * 35 + "XXXXOOO", Unsupported, "the game is over there"),
    ],
)
def test_a_wrong_line_is_named_with_its_reason(tmp_path, line, kind, reason):
    game, start = GAMES["connect4"]
    path = write_book(tmp_path, f"# a comment\n44\n\n{line}\n45\n")
    with pytest.raises(kind) as caught:
        read_openings(game, start, path)
    assert str(caught.value).startswith(f"{path}, line 4: ")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing but this\n"])
def test_a_file_without_openings_is_refused(tmp_path, text):
    path = write_book(tmp_path, text)
    with pytest.raises(MalformedText, match="there is no opening in it"):
        read_openings(*GAMES["connect4"], path)


@pytest.mark.parametrize("name", ["missing.txt", ".", "randm:4", "nul\0"])
def test_what_is_no_file_is_refused_with_both_forms(tmp_path, name):
    with pytest.raises(Unsupported, match=r"cannot read openings from .*random:4, or a file"):
        read_openings(*GAMES["connect4"], tmp_path / name)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "book.bin"
    path.write_bytes(b"44\n\xff\xfe\n")
    with pytest.raises(MalformedText, match=r"book\.bin is not text in UTF-8"):
        read_openings(*GAMES["connect4"], path)


@given(st.sampled_from(sorted(GAMES)), st.text(max_size=60))
@settings(max_examples=150)
def test_any_line_is_an_opening_or_an_error_in_words(name, line):
    game, start = GAMES[name]
    try:
        openings = read_openings(game, start, [line])
    except InputError as error:
        assert str(error).startswith("openings")
    else:
        assert not is_over(openings[0].state)


# ------------------------------------------------------------------ on the command line


@pytest.mark.parametrize(
    ("text", "plies"), [("random:4", 4), ("random:0", 0), (" Random: 12 ", 12), ("RANDOM:200", 200)]
)
def test_random_openings_are_named_by_their_length(text, plies):
    assert parse_openings(text) == RandomOpenings(plies)


@pytest.mark.parametrize("text", ["random:4", "book.txt", "folder/random", "randm:4"])
def test_what_is_parsed_is_written_the_same(text):
    assert str(parse_openings(text)) == str(Path(text))


@pytest.mark.parametrize(
    "text",
    ["", "  ", "random", *("random:" + k for k in ("", "x", "-1", "4.5", "²", "201", "9" * 5000))],
)
def test_what_is_neither_a_length_nor_a_file_is_explained(text):
    with pytest.raises(MalformedText, match=r"random:4, or a file") as caught:
        parse_openings(text)
    assert len(str(caught.value)) < 250


def test_both_kinds_give_as_many_openings_as_are_wanted(tmp_path):
    game, start = GAMES["connect4"]
    path = write_book(tmp_path, "1\n2\n3\n")
    wanted = take(parse_openings("random:3"), game, start, 5, 7)
    assert wanted == random_openings(game, start, 3, 5, seed=7)
    from_file = take(parse_openings(str(path)), game, start, 5, 7)
    assert [opening.moves for opening in from_file] == [(0,), (1,), (2,), (0,), (1,)]
    shuffled = take(OpeningFile(path, shuffle=True), game, start, 3, 7)
    assert shuffled == read_openings(game, start, path, shuffle=True, seed=7)


def test_rounds_use_each_opening_equally_often():
    game, start = GAMES["connect4"]
    openings = read_openings(game, start, ["1", "2", "3"])
    assert in_rounds(openings, 7) == [*openings, *openings, openings[0]]
    assert in_rounds(openings, 0) == []
