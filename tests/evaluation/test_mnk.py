"""The m,n,k evaluator against a look at every line of the board."""

import pytest
from evaluation.positions import best_moves, random_state, two_ply, value_of
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.bits import U64
from plyground.core.scores import WIN
from plyground.evaluation.catalogue import find_evaluator, suitable
from plyground.evaluation.mnk import MOST_COUNTED, Lines
from plyground.games.mnk import GAME
from plyground.games.rules import count_symmetries, transform

SHAPES = (
    {},
    {"m": 8, "n": 8, "k": 5},
    {"m": 8, "n": 8, "k": 8},
    {"m": 5, "n": 3, "k": 3},
    {"m": 3, "n": 5, "k": 4},
    {"m": 1, "n": 9, "k": 4},
    {"m": 26, "n": 1, "k": 20},
    {"m": 2, "n": 26, "k": 26},
    {"m": 7, "n": 9, "k": 2},
    {"m": 1, "n": 1, "k": 1},
)


@st.composite
def positions(draw):
    """A position of a random game, at any stage, on boards of many shapes."""
    plies, seed = draw(st.integers(0, 64)), draw(st.integers(0, 2**32))
    return random_state(GAME, plies, seed, **draw(st.sampled_from(SHAPES)))


def count_lines(state, base):
    """The worth of the mover's open lines less the opponent's, line by line."""
    board = GAME.board_of(state)
    cells = {divmod(place, board.columns): owner for place, owner in enumerate(board.cells)}
    marks = sum(owner != "" for owner in board.cells)
    mover, opponent = ("second", "first") if marks % 2 else ("first", "second")
    total = 0
    for row, column in cells:
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = [(row + step * down, column + step * right) for step in range(state.k)]
            if any(cell not in cells for cell in line):
                continue
            owners = [cells[cell] for cell in line]
            for sign, mine, theirs in ((1, mover, opponent), (-1, opponent, mover)):
                number = owners.count(mine)
                if number and theirs not in owners:
                    total += sign * base ** (min(number, MOST_COUNTED) - 1)
    return total


@given(state=positions(), base=st.sampled_from([1, 2, 4, 7]))
@settings(max_examples=150)
def test_the_value_is_that_of_every_open_line(state, base):
    assert Lines(base=base).evaluate(state) == count_lines(state, base)
    assert Lines(weight=-3, base=base).evaluate(state) == -3 * count_lines(state, base)


@given(state=positions())
@settings(max_examples=80)
def test_plain_python_and_machine_code_agree(state):
    for evaluator in (Lines(), Lines(weight=5, base=7)):
        assert value_of(evaluator, state) == evaluator.evaluate(state)


@given(state=positions(), base=st.sampled_from([1, 4, 7]))
@settings(max_examples=80)
def test_the_factors_add_up_to_the_value(state, base):
    spec, evaluator = find_evaluator("lines", state), Lines(weight=3, base=base)
    assert spec.factors is not None
    assert sum(factor.share for factor in spec.factors(evaluator, state)) == evaluator.evaluate(
        state
    )


def test_the_factors_name_the_lines_by_their_marks():
    #    a b c
    #  1 X . O     X, to move, has column a with two marks;
    #  2 X O .     O has a diagonal with two, and columns b and c with one
    #  3 . . .
    state = GAME.replay(GAME.initial(), GAME.parse_moves(GAME.initial(), "a1 b2 a2 c1"))
    spec = find_evaluator(None, state)
    assert spec.factors is not None
    values = {factor.name: factor.value for factor in spec.factors(Lines(), state)}
    assert values == {
        "open lines with 1 of 3 marks": 0 - 2,
        "open lines with 2 of 3 marks": 1 - 1,
        "open lines with 3 of 3 marks": 0,
    }


@given(state=positions())
@settings(max_examples=80)
def test_symmetric_positions_have_equal_values(state):
    images = [transform(state, symmetry) for symmetry in range(count_symmetries(state))]
    assert {Lines().evaluate(image) for image in images} == {Lines().evaluate(state)}


@given(state=positions())
@settings(max_examples=80)
def test_with_the_marks_exchanged_the_value_changes_sign(state):
    exchanged = state._replace(me=state.opp, opp=state.me)
    assert Lines().evaluate(exchanged) == -Lines().evaluate(state)


@given(state=positions())
@settings(max_examples=80)
def test_values_stay_far_below_a_win(state):
    assert abs(value_of(Lines(), state)) < WIN // 2


def test_the_first_mark_of_tic_tac_toe_belongs_in_the_centre():
    values, _ = two_ply(GAME, Lines(), GAME.initial())
    assert best_moves(values) == ["b2"]


def test_lines_is_the_one_default():
    defaults = [spec.name for spec in suitable(GAME.initial()) if spec.is_default]
    assert defaults == ["lines"]


@pytest.mark.parametrize(
    ("marks", "worth"), [(1, 1), (2, 4), (3, 16), (4, 64), (5, 256), (6, 1024), (7, 1024)]
)
def test_a_mark_makes_a_line_four_times_as_valuable_up_to_six(marks, worth):
    only_line = GAME.initial(m=8, n=1, k=8)
    assert Lines().evaluate(only_line._replace(me=U64((1 << marks) - 1))) == worth
