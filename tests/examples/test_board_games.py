"""The example games keep the contract, and agree with naive references and published values."""

from __future__ import annotations

import json
import math
import random
import re
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from command_line import run
from hypothesis import given, settings
from hypothesis import strategies as st

import plyground as pg
from plyground.core.errors import MalformedText
from plyground.games.catalogue import load_file
from plyground.games.check import check_game
from plyground.games.perft import perft
from plyground.games.position import BasePosition
from plyground.games.rules import cells_left, is_over, key, play, side
from references.breakthrough import NaiveBreakthrough
from references.dots_and_boxes import NaiveDotsAndBoxes
from references.fox_and_hounds import NaiveFoxAndHounds
from references.perft import perft as naive_perft

EXAMPLES = Path(__file__).parents[2] / "examples"
BREAKTHROUGH, DOTS, FOX = (
    EXAMPLES / f"{name}.py" for name in ("breakthrough", "dots_and_boxes", "fox_and_hounds")
)
REFERENCES = {BREAKTHROUGH: NaiveBreakthrough, DOTS: NaiveDotsAndBoxes, FOX: NaiveFoxAndHounds}
EACH = pytest.mark.parametrize("path", REFERENCES, ids=lambda path: path.stem)
SIZES = {
    BREAKTHROUGH: st.fixed_dictionaries({"columns": st.integers(2, 8), "rows": st.integers(4, 8)}),
    DOTS: st.fixed_dictionaries({"rows": st.integers(1, 5), "columns": st.integers(1, 5)}),
    FOX: st.fixed_dictionaries({"size": st.sampled_from([4, 6, 8])}),
}


def leaves(path, depth, **chosen):
    game = load_file(path)
    return perft(game.initial(**chosen), depth, np.zeros(depth * game.max_moves, np.int32), 0)


def score(path, moves="", position=None, **chosen):
    """The value for the first player, by a search to the end."""
    start = pg.Position(str(path), moves, position=position, **chosen)
    found = start.search(
        depth=60, memory="256MB", symmetric=True, finish="margin", evaluator="zero"
    ).score
    assert found.kind == "proven"
    return found.value if side(start.state) == 0 else -found.value


def after(path, moves="", position=None, **chosen):
    game = load_file(path)
    start = game.initial(**chosen)
    state = start if position is None else game.parse_position(start, position)
    return game, game.replay(state, game.parse_moves(state, moves))


# ------------------------------------------------------------------ contract and references


@EACH
@settings(max_examples=12)
@given(data=st.data())
def test_an_example_keeps_the_contract_in_all_sizes(path, data):
    game = load_file(path)
    assert check_game(game, game.initial(**data.draw(SIZES[path])), games=1, seed=5) > 1


@EACH
@settings(max_examples=40)
@given(data=st.data())
def test_an_example_is_played_as_by_the_reference(path, data):
    game, chosen = load_file(path), data.draw(SIZES[path])
    state, naive = game.initial(**chosen), REFERENCES[path](**chosen)
    chance = random.Random(data.draw(st.integers(0, 2**16)))
    while True:
        legal = [game.format_move(state, move) for move in game.legal(state)]
        assert legal == naive.legal()
        assert side(state) == naive.side()
        assert is_over(state) == naive.over()
        assert game.board_of(state).cells == naive.cells()
        if naive.over():
            break
        text = chance.choice(legal)
        state = play(state, game.parse_move(state, text))
        naive.play(text)
    assert game.first_player_outcome(state) == naive.outcome()


@pytest.mark.parametrize(
    ("path", "depth", "chosen"),
    [
        (BREAKTHROUGH, 3, {}),
        (BREAKTHROUGH, 5, {"columns": 3, "rows": 5}),
        (BREAKTHROUGH, 9, {"columns": 2, "rows": 4}),
        (DOTS, 3, {}),
        (DOTS, 7, {"rows": 1, "columns": 2}),
        (FOX, 7, {}),
        (FOX, 30, {"size": 4}),
    ],
    ids=lambda value: value.stem if isinstance(value, Path) else str(value),
)
def test_compiled_code_counts_as_many_leaves_as_the_reference(path, depth, chosen):
    assert leaves(path, depth, **chosen) == naive_perft(REFERENCES[path](**chosen), depth)


def test_every_order_of_lines_is_a_game_of_dots_and_boxes():
    assert leaves(DOTS, 10, rows=1, columns=3) == math.factorial(10)
    assert leaves(DOTS, 5, rows=5, columns=5) == math.perm(60, 5)


# ------------------------------------------------------------------ OpenSpiel's rules of two games


def from_the_other_side(text, rows):
    """A move of OpenSpiel's black, who moves first and from above; captures have a star."""
    return re.sub("[0-9]", lambda row: str(rows + 1 - int(row[0])), text.rstrip("*"))


def place_of(text):
    """The name of OpenSpiel's line `P1(h,0,1)`: horizontal or vertical, its row and column."""
    kind, row, column = re.findall(r"[hv]|[0-9]+", text.partition("(")[2])
    across, down = 2 * int(column) + (kind == "h"), 2 * int(row) + (kind == "v")
    return f"{'abcdefghijk'[across]}{down + 1}"


@pytest.mark.parametrize(
    ("path", "chosen", "theirs", "name"),
    [
        (BREAKTHROUGH, {}, "breakthrough", lambda text: from_the_other_side(text, 8)),
        (
            BREAKTHROUGH,
            {"columns": 4, "rows": 6},
            "breakthrough(rows=6,columns=4)",
            lambda text: from_the_other_side(text, 6),
        ),
        (
            DOTS,
            {"rows": 2, "columns": 4},
            "dots_and_boxes(num_rows=2,num_cols=4,utility_margin=true)",
            place_of,
        ),
        (DOTS, {"rows": 3, "columns": 3}, "dots_and_boxes(num_rows=3,num_cols=3)", place_of),
    ],
    ids=["breakthrough 8x8", "breakthrough 4x6", "dots 2x4", "dots 3x3"],
)
@pytest.mark.parametrize("seed", range(10))
def test_an_example_is_played_as_in_open_spiel(path, chosen, theirs, name, seed):
    game, other, chance = load_file(path), pyspiel.load_game(theirs), random.Random(seed)
    state, peer = game.initial(**chosen), other.new_initial_state()
    while not peer.is_terminal():
        actions = {name(peer.action_to_string(action)): action for action in peer.legal_actions()}
        assert {game.format_move(state, move) for move in game.legal(state)} == actions.keys()
        assert side(state) == peer.current_player()
        text = chance.choice(sorted(actions))
        state = play(state, game.parse_move(state, text))
        peer.apply_action(actions[text])
    outcome = game.first_player_outcome(state)
    assert outcome == peer.returns()[0] * (abs(outcome) if "margin" not in theirs else 1)


# ------------------------------------------------------------------ published and solved values


@pytest.mark.parametrize(
    ("rows", "columns", "margin"),
    # D. Wilson, "Dots-and-Boxes Analysis Results", has 3x3; the first player wins 2x2 by 3 to 1
    # (Berlekamp, Conway & Guy 1982); one box goes to whoever does not begin.
    [(1, 1, -1), (2, 2, 2), pytest.param(3, 3, -3, marks=pytest.mark.full)],
)
def test_dots_and_boxes_has_its_published_value(rows, columns, margin):
    assert score(DOTS, rows=rows, columns=columns) == margin


def test_whoever_takes_all_boxes_of_a_chain_may_lose():
    """X takes one of three and gives away two; then O must open the chain of six."""
    chain = "a2 a4 a6 c2 c4 c6 e2 e4 g2 g4 g6 d7 f7 b1"
    assert score(DOTS, chain) == score(DOTS, f"{chain} b3 b7") == 7 - 2
    assert score(DOTS, f"{chain} b3 b5 b7") == 3 - 6


@pytest.mark.parametrize("column", "aceg")
def test_the_hounds_win_wherever_the_fox_begins(column):
    """Berlekamp, Conway & Guy 1982."""
    row = "".join("F" if each == column else "-" for each in "abcdefgh")
    assert score(FOX, position=f"-H-H-H-H/{'--------/' * 6}{row} F") == -1


@pytest.mark.parametrize(("size", "value"), [(4, -1), (6, 1), (8, -1)])
def test_the_fox_wins_on_the_middle_board_only(size, value):
    assert score(FOX, size=size) == value


def naive_value(naive, known):
    """The first player's result of perfect play by the reference, which remembers what it saw."""
    if naive.over():
        return naive.outcome()
    seen = naive.side(), naive.cells()
    if seen not in known:
        best = (max, min)[naive.side()]
        values = []
        for move in naive.legal():
            child = naive.copy()
            child.play(move)
            values.append(naive_value(child, known))
        known[seen] = best(values)
    return known[seen]


@pytest.mark.parametrize(
    ("path", "chosen"),
    [
        (BREAKTHROUGH, {"columns": 2, "rows": 5}),
        (BREAKTHROUGH, {"columns": 3, "rows": 4}),
        (DOTS, {"rows": 1, "columns": 3}),
        (FOX, {"size": 6}),
        pytest.param(BREAKTHROUGH, {"columns": 2, "rows": 6}, marks=pytest.mark.full),
        pytest.param(DOTS, {"rows": 2, "columns": 2}, marks=pytest.mark.full),
    ],
    ids=lambda value: value.stem if isinstance(value, Path) else str(value),
)
def test_a_search_to_the_end_finds_the_value_that_the_reference_has(path, chosen):
    assert score(path, **chosen) == naive_value(REFERENCES[path](**chosen), {})


@pytest.mark.parametrize(
    ("columns", "rows", "value"), [(2, 4, -1), (2, 5, -1), (2, 6, 1), (3, 5, -1), (4, 4, -1)]
)
def test_small_boards_of_breakthrough_are_won_by_who_is_said_to(columns, rows, value):
    assert score(BREAKTHROUGH, columns=columns, rows=rows) == value


# ------------------------------------------------------------------ rules in single positions


def test_the_last_piece_of_breakthrough_may_be_taken():
    game, state = after(BREAKTHROUGH, "b2a3", "---/B--/-W-/--- W", columns=3, rows=4)
    assert is_over(state)
    assert game.winner(state) == "first"


def test_a_piece_straight_ahead_blocks_and_is_not_taken():
    game, state = after(BREAKTHROUGH, "", "---/-B-/-W-/--- W", columns=3, rows=4)
    assert [game.format_move(state, move) for move in game.legal(state)] == ["b2a3", "b2c3"]


def test_hounds_that_cannot_move_have_lost():
    game, state = after(FOX, "b2c3", "----/----/-F--/H-H- F", size=4)
    assert game.winner(state) == "first"


def test_a_line_may_close_two_boxes_and_gives_one_more_move():
    game, state = after(DOTS, "b1 d1 a2 e2 b3 d3 c2", rows=1, columns=2)
    assert game.first_player_outcome(state) == 2
    _, before = after(DOTS, "b1 d1 a2 e2 b3 c2", rows=1, columns=2)
    assert (side(before), cells_left(before)) == (1, 1)


def test_who_closed_which_box_is_drawn_but_does_not_make_another_position():
    game, one = after(DOTS, "", "+-+-+.+/|X|O|../+-+-+.+ X", rows=1, columns=3)
    _, other = after(DOTS, "", "+-+-+.+/|O|X|../+-+-+.+ X", rows=1, columns=3)
    assert game.board_of(one).cells != game.board_of(other).cells
    assert key(one) == key(other)
    assert one != other


REFUSED = [
    (BREAKTHROUGH, "WW", "expected 64 squares, each W, B or -, then W or B to move"),
    (BREAKTHROUGH, "W" + 63 * "-" + " W", "W is to move but has a piece on the far row already"),
    (FOX, "", "expected 64 squares, each F, H or -, then F or H to move"),
    (FOX, "F" + 63 * "-" + "F", "expected one F and 4 H on the board"),
    (FOX, "HHHHF" + 59 * "-" + "H", "expected F and H on dark squares only; a1 is dark"),
    (FOX, "-F-H-H-HH" + 55 * "-" + "F", "the fox is to move but has won already"),
    (DOTS, "+-+", "expected 7 rows, +-+-+-+ and |.|.|.| in turn, then X or O to move"),
    (
        DOTS,
        "+.+.+.+/.X...../+.+.+.+/......./+.+.+.+/......./+.+.+.+ X",
        "a box has an owner, X or O, if and only if its four lines are drawn",
    ),
]


@pytest.mark.parametrize(("path", "text", "reason"), REFUSED)
def test_a_position_that_cannot_be_is_refused_with_what_is_wrong(path, text, reason):
    game = load_file(path)
    with pytest.raises(MalformedText, match=re.escape(reason)):
        game.parse_position(game.initial(), text)


# ------------------------------------------------------------------ faces


@EACH
def test_an_example_is_played_to_its_end_on_the_command_line(path):
    result = run("play", path, "--first", "random", "--second", "random", "--seed", "3")
    assert (result.status, result.err) == (0, "")
    assert re.search(r"(wins|Draw)( \(.*\))?$", result.out.rstrip())


@pytest.mark.usefixtures("plain")
@EACH
def test_an_example_is_searched_on_the_command_line(path):
    data = json.loads(run("search", path, "--depth", "3", "--json").out)
    game = load_file(path)
    assert game.parse_move(game.initial(), data["move"]) in game.legal(game.initial())


@EACH
def test_an_example_has_three_ready_positions_from_which_play_goes_on(path):
    ready = load_file(path).ready_positions
    assert len({each.title for each in ready}) == 3
    for each in ready:
        line = BasePosition.begin(str(path), each.settings, each.position, each.moves)
        assert not is_over(line.state)
        assert len(each.title) <= 30  # what fits a card of the first page


def test_ready_positions_are_what_their_titles_say():
    *_, seven = load_file(BREAKTHROUGH).ready_positions
    found = (
        pg.Position(str(BREAKTHROUGH), position=seven.position)
        .search(depth=9, evaluator="zero")
        .score
    )
    assert str(found) == "win in 7"
    *_, saving = load_file(FOX).ready_positions
    start = pg.Position(str(FOX), position=saving.position)
    won = [move for move in start.legal if score(FOX, move, saving.position) == -1]
    assert won == ["a7b6"]
    assert len(start.legal) == 7


DRAWN = {
    BREAKTHROUGH: (
        ("--set", "columns=3", "--set", "rows=5", "--moves", "a2b3 c4b3"),
        """\
Breakthrough
   a  b  c
5  ○  ○  ○
4  ○  ○  ·
3  + [○] +
2  +  ●  ●
1  ●  ●  ●
White to move
""",
    ),
    FOX: (
        ("--set", "size=4", "--moves", "c1b2"),
        """\
Fox and Hounds
   a  b  c  d
4     ○     ○
3  +     +
2    [●]    ·
1  ·     ·
Hounds to move
""",
    ),
    DOTS: (
        ("--set", "rows=1", "--set", "columns=2", "--moves", "b1 a2 b3 c2"),
        """\
Dots and Boxes
   a  b  c  d  e
1  •  —  •  +  •
2  |  O [|] ·  +
3  •  —  •  +  •
O to move (X 0, O 1)
""",
    ),
}


@EACH
def test_an_example_is_drawn_in_a_terminal(path):
    options, drawing = DRAWN[path]
    lines = run("show", path, *options).out.splitlines()
    expected = drawing.splitlines()
    assert [line.rstrip() for line in lines[: len(expected)]] == expected
