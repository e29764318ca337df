"""The course's trace files, byte for byte, and as its checker reads them."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest
from format_tools import only_rejection
from hypothesis import given
from hypothesis import strategies as st

from plyground.core.errors import MalformedText
from plyground.evaluation.double_card import COLOUR, FIRST_PLAYER, SECOND_PLAYER, Naive
from plyground.formats.trace_file import (
    FORMAT,
    TracedMove,
    file_name,
    read,
    read_trace,
    recognises,
    traced_move,
    write_trace,
)
from plyground.games.double_card import GAME
from plyground.games.rules import side
from plyground.search.catalogue import find_algorithm
from plyground.search.run import search
from plyground.search.setup import FINISHES, Limits, Setup
from plyground.search.trace import make_trace
from plyground.search.traced_tree import read_tree

# A game with a public trace: the human's move, the machine's, how often minimax evaluates, the
# value of level 1, nodes of level 2 and their sum, and how often alpha-beta evaluates.
GAME_MM = [
    ("0 1 A 1", "0 8 B 2", 2832, -4.0, 56, -2257.0, 450),
    ("0 2 C 1", "0 8 B 4", 2112, 31.0, 48, -1260.0, 327),
    ("0 2 A 2", "0 8 B 6", 2112, 88.0, 48, 120.0, 303),
    ("0 6 A 4", "0 8 B 8", 2112, 237.5, 48, 5896.0, 303),
    ("0 2 H 1", "0 8 B 10", 1792, 418.5, 44, 9654.5, 294),
]
MINIMAX_FILE = "7ff7d9981114cec2bc10d002ddeab8884ee5028bd10ed7c36658e1febc2d3b0c"

# Another one, the machine first. Its file has the value of level 1 once more after level 2.
GAME_AB = ["0 8 H 1", "0 1 A 1", "0 8 H 3", "0 2 A 2", "0 8 H 5", "0 6 B 2", "0 8 H 7"]
ALPHABETA_FILE = "2d964a1b0c2d40f2939bf1b5066e0f399c6fdc1dee0318a946ce07d0bd58d355"

FILE = b"""\
12
-4.5

-52.0
-4.5

3
7.0

7.0

"""
MOVES = (TracedMove(12, -4.5, (-52.0, -4.5)), TracedMove(3, 7.0, (7.0,)))


def trace_of(state, algorithm, maximiser, maximises):
    """The machine's move and its trace. A line of twelve: the course's e(n) knows no wins."""
    trace = make_trace(4000)
    setup = Setup(find_algorithm(algorithm), Naive(maximiser=maximiser), finish=FINISHES["scored"])
    result = search(GAME, state, setup, Limits(depth=2), trace=trace)
    tree = read_tree(GAME, state, setup.algorithm, trace)
    values = [-int(value) for value in tree.value[tree.ply == 1]]
    move = GAME.format_move(state, result.move)
    return move, traced_move(result.counters["leaves"], values, maximises=maximises)


def trace_game(moves, machine, algorithm):
    """The traces of the machine's moves in a game, the machine maximising; and its choices."""
    state, traces, chosen = GAME.initial(line=12), [], []
    maximiser = (FIRST_PLAYER, SECOND_PLAYER)[machine]
    for text in moves:
        if side(state) == machine:
            move, trace = trace_of(state, algorithm, maximiser, maximises=True)
            chosen.append(move)
            traces.append(trace)
        state = GAME.replay(state, [GAME.parse_move(state, text)])
    return traces, chosen


MOVES_MM = [move for line in GAME_MM for move in line[:2]]


# ------------------------------------------------------------------ the course's own files


def test_minimax_reproduces_a_public_file_to_the_byte():
    traces, chosen = trace_game(MOVES_MM, machine=1, algorithm="minimax")
    assert chosen == MOVES_MM[1::2]
    assert hashlib.sha256(write_trace(traces)).hexdigest() == MINIMAX_FILE


@pytest.mark.parametrize("algorithm, column", [("minimax", 2), ("falphabeta", 6)])
def test_the_table_of_the_game_line_by_line(algorithm, column):
    traces, chosen = trace_game(MOVES_MM, machine=1, algorithm=algorithm)
    for line, trace, move in zip(GAME_MM, traces, chosen, strict=True):
        assert (trace.evaluations, trace.value, move) == (line[column], line[3], line[1])
        assert len(trace.level_two) == line[4]
        assert (sum(trace.level_two) == line[5]) == (algorithm == "minimax")
        assert trace.is_consistent


def test_alpha_beta_reproduces_a_public_file_to_the_byte():
    traces, chosen = trace_game(GAME_AB, machine=0, algorithm="falphabeta")
    assert chosen == GAME_AB[::2]
    with_root = [replace(t, level_two=(*t.level_two, t.value)) for t in traces]
    assert hashlib.sha256(write_trace(with_root)).hexdigest() == ALPHABETA_FILE


def test_failing_hard_tells_other_values_at_level_2_but_the_same_move():
    soft, soft_moves = trace_game(GAME_AB, machine=0, algorithm="falphabeta")
    hard, hard_moves = trace_game(GAME_AB, machine=0, algorithm="alphabeta")
    assert soft_moves == hard_moves
    assert [t.value for t in soft] == [t.value for t in hard]
    assert [t.evaluations for t in soft] == [t.evaluations for t in hard]
    assert soft != hard


def test_with_colour_as_maximiser_a_machine_that_plays_dots_minimises():
    state = GAME.replay(GAME.initial(line=12), GAME.parse_moves(GAME.initial(), "0 1 A 1"))
    as_max = trace_of(state, "minimax", SECOND_PLAYER, maximises=True)[1]
    as_min = trace_of(state, "minimax", COLOUR, maximises=False)[1]
    assert as_max.value == max(as_max.level_two)
    assert as_min.value == min(as_min.level_two)
    assert as_min.evaluations == as_max.evaluations
    assert as_min != as_max


# ------------------------------------------------------------------ numbers in, bytes out, and back


def test_the_layout_of_a_file():
    assert write_trace(MOVES) == FILE
    assert read_trace(FILE) == MOVES


def test_decimals_only_where_they_are_needed():
    assert write_trace(MOVES, decimals="needed") == FILE.replace(b".0\n", b"\n")
    assert write_trace([TracedMove(1, -0.0, (-0.0,))]) == b"1\n0.0\n\n0.0\n\n"


numbers = st.integers(-(10**6), 10**6).map(lambda tenths: tenths / 10)
moves = st.builds(
    TracedMove, st.integers(0, 10**9), numbers, st.lists(numbers, min_size=1, max_size=9).map(tuple)
)


@pytest.mark.parametrize("decimals", ["always", "needed"])
@given(traced=st.lists(moves, max_size=5).map(tuple))
def test_what_is_written_is_read_again(decimals, traced):
    assert read_trace(write_trace(traced, decimals)) == traced


@pytest.mark.parametrize(
    "text",
    [
        FILE.strip(),
        b"\n\n" + FILE + b"\n\n\n",
        FILE.replace(b"\n", b"\r\n"),
        FILE.replace(b"-4.5", b" -4.5 "),
        FILE.replace(b"7.0", b"+7."),
    ],
)
def test_what_the_checker_lets_pass(text):
    assert read_trace(text) == MOVES


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("12\n-4.5\n3\n\n1", "move 1, line 1: too many values at its beginning"),
        ("12\n\n1", "move 1, line 1: not enough values at its beginning"),
        ("12\n1\n\n1\n\n5\n\n1", "move 2, line 6: not enough values"),
        ("12\n1\n\none", "line 4, 'one': expected a number with at most one decimal"),
        ("12\n1\n\n1.25", "line 4, '1.25': expected a number with at most one decimal"),
        ("12\n1\n\n1e3", "line 4, '1e3'"),
        ("12\n1\n\nnan", "line 4, 'nan'"),
        ("12\n1\n\n1 2", "line 4, '1 2'"),
        ("12\n1\n\n\n1", "line 4: too many empty lines; expected one"),
        ("\n\n12\n1\n\n\n1", "line 6: too many empty lines; expected one"),
        ("12\n1\n \n1", "line 3: blanks; expected an empty line"),
        ("12\n1", "move 1: there are no values of level 2"),
        ("1.5\n1\n\n1", "line 1, '1.5': expected a number of evaluations"),
        ("-1\n1\n\n1", "line 1, '-1': expected a number of evaluations"),
        ("1\n1\n\n" + "1\n" * 1001, "line 1004: more than 1,000 values of level 2"),
    ],
)
def test_what_the_checker_refuses(text, complaint):
    with pytest.raises(MalformedText) as refused:
        read_trace(text.encode())
    assert complaint in str(refused.value)


def test_an_empty_file_has_no_moves():
    assert read_trace(b"") == read_trace(b"\n \n") == ()


def test_values_of_a_search_become_values_of_the_file():
    assert traced_move(5, [-9, 8, 3], maximises=True) == TracedMove(5, 4.0, (-4.5, 4.0, 1.5))
    assert traced_move(5, [-9, 8, 3], maximises=False) == TracedMove(5, -4.0, (4.5, -4.0, -1.5))
    assert traced_move(5, [1, 2], maximises=True, unit=1).level_two == (1.0, 2.0)


def test_names_of_files():
    assert file_name("minimax", 1) == "tracemm1.txt"
    assert file_name("alphabeta", 12) == "traceab12.txt"


# ------------------------------------------------------------------ among the formats


@pytest.mark.parametrize(
    "data, sure",
    [
        (FILE, 0.95),
        (FILE[:20], 0.95),
        (b"12\n1\n\n2\n3\n", 0.0),
        (b"12\n1\n", 0.0),
        (b"4453\n33\n", 0.0),
        (b"", 0.0),
        (b"f5d6", 0.0),
    ],
)
def test_recognising(data, sure):
    assert recognises(data) == sure


def test_a_trace_holds_no_games():
    assert FORMAT.write is None
    assert only_rejection(read(FILE)) == (
        "trace: 2 moves were searched, but a trace does not tell which"
    )
    assert "line 4, 'x'" in only_rejection(read(b"1\n1\n\nx"))
