"""Walls, quiet moves and what else a study of Reversi names, against counts disc by disc."""

from __future__ import annotations

import math

import numpy as np
import pytest
from evaluation.othello_kernels import value_of
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.check import check_evaluator
from plyground.evaluation.othello_stages import MIDDLE, Stages, stage_on, stage_values, weighted
from plyground.evaluation.othello_walls import NAMES, WALLS, Walls, walls_of
from plyground.games.catalogue import find_game
from plyground.games.othello import Othello
from plyground.games.rules import count_symmetries, is_over, play, transform
from references.othello import NaiveOthello
from references.othello_walls import factors

GAME = find_game("othello")
LEFT_OUT = Walls._fields[Walls._fields.index("walls") :]
ALONE = [Walls(*[0] * len(Walls._fields))._replace(**{name: 1}) for name in LEFT_OUT]


def position(text: str, size: int = 8) -> Othello:
    """A position from a drawing, X to move; rows that are not drawn are empty."""
    drawing = "".join(text.split())
    state = GAME.parse_position(GAME.initial(size=size), drawing.ljust(size**2, "-") + " X")
    assert isinstance(state, Othello)
    return state


def naive_of(state: Othello) -> NaiveOthello:
    text = GAME.format_position(state)
    size = math.isqrt(len(text) - 2)
    naive = NaiveOthello(size)
    naive.mover = "XO".index(text[-1])
    naive.discs = {
        (place % size, place // size): "XO".index(symbol)
        for place, symbol in enumerate(text[: size**2])
        if symbol != "-"
    }
    return naive


def values_of(state: Othello, evaluator: Walls | None = None) -> dict[str, float]:
    assert WALLS.factors is not None
    found = WALLS.factors(evaluator or Walls(), state)
    return {factor.name: factor.value for factor in found}


def diagram(symbols: str, size: int) -> st.SearchStrategy[Othello]:
    cells = st.lists(st.sampled_from(symbols), min_size=size**2, max_size=size**2)
    return cells.map(lambda drawn: position("".join(drawn), size))


@st.composite
def reached(draw: st.DrawFn, size: int) -> Othello:
    state = GAME.initial(size=size)
    for choice in draw(st.lists(st.integers(0, 2**16), max_size=size**2)):
        if is_over(state):
            break
        legal = GAME.legal(state)
        state = play(state, legal[choice % len(legal)])
    return state


POSITIONS = st.sampled_from((4, 6, 8)).flatmap(
    lambda size: st.one_of(
        reached(size), *(diagram(symbols, size) for symbols in ("-XO", "----XO", "-XXXO", "-XOOO"))
    )
)

# ------------------------------------------------------------------ by hand

TWO_WALLS = """
    --------
    --------
    --XXX---
    ------X-
    -O------
    ------OO
    --------
    --------
"""


def test_a_wall_is_two_or_more_connected_frontier_discs_and_those_on_the_edge_are_none():
    state = position(TWO_WALLS)
    assert walls_of(state.me, state.opp, state.cells) == (1, 3, 3)
    assert walls_of(state.opp, state.me, state.cells) == (0, 0, 0)  # b5 alone, g6 with the edge
    connected = position(TWO_WALLS.replace("------X-", "-----X--"))
    assert walls_of(connected.me, connected.opp, connected.cells) == (1, 4, 4)


def test_the_longest_wall_counts_once_more():
    state = position("-------- -XX--XXX -------- -XX-----")
    assert walls_of(state.me, state.opp, state.cells) == (3, 6, 2)  # h2 is on the edge
    values = values_of(state)
    assert (values["walls"], values["discs in walls"], values["longest wall"]) == (3, 6, 2)


def test_a_move_beside_an_empty_corner_is_not_safe_and_with_the_corner_taken_it_is():
    values = values_of(position("--OX---- -------- --------"))
    assert (values["mobility"], values["safe moves"]) == (1 - 1, 0 - 1)  # b1, a C square; e1
    values = values_of(position("X-OX---- -------- --------"))
    assert (values["mobility"], values["safe moves"]) == (1 - 1, 1 - 1)


def test_discs_beside_corners_count_while_the_corner_is_empty():
    values = values_of(position("-X------ XO------"))
    assert values["C squares by empty corners"] == 2
    assert values["X squares by empty corners"] == -1
    values = values_of(position("OX------ XO------"))
    assert values["C squares by empty corners"] == values["X squares by empty corners"] == 0


def test_the_first_moves_are_quiet_or_loud_by_what_becomes_a_frontier_disc():
    state = GAME.initial()  # each move makes two: the disc that is placed and the one that turns
    assert values_of(state)["quiet moves"] == 0
    quiet = position("-------- -------- XO------")  # the disc is placed on c3, and b3 turns
    assert values_of(quiet)["quiet moves"] == 0
    on_edge = position("XO------")  # c1
    assert values_of(on_edge)["quiet moves"] == 1
    loud = position("-------- XOOOOO--")  # g2, with five that turn
    assert (values_of(loud)["loud moves"], values_of(loud)["quiet moves"]) == (1, 0)


def test_what_the_study_does_not_weigh_counts_nothing_at_first():
    assert {getattr(Walls(), name) for name in (*LEFT_OUT, "full_lines")} == {0}


# ------------------------------------------------------------------ against the reference


@settings(max_examples=150)
@given(state=POSITIONS)
def test_every_factor_that_the_study_left_out_is_what_is_counted_disc_by_disc(state):
    expected = factors(naive_of(state))
    values = values_of(state)
    assert {name: values[name] for name in expected} == expected
    for evaluator, name in zip(ALONE, expected, strict=True):
        assert value_of(evaluator, state) == evaluator.evaluate(state) == expected[name]


@settings(max_examples=100)
@given(state=POSITIONS, weights=st.lists(st.integers(-50, 50), min_size=23, max_size=23))
def test_the_value_is_the_sum_of_the_factors_with_any_weights_compiled_and_plain(state, weights):
    evaluator = Walls(*weights)
    value = evaluator.evaluate(state)
    assert value == np.dot(list(values_of(state).values()), weights)
    assert value == value_of(evaluator, state)


@settings(max_examples=100)
@given(state=POSITIONS)
def test_each_factor_is_symmetric_and_changes_its_sign_with_the_sides(state):
    swapped = Othello(state.opp, state.me, state.cells, state.side)
    images = [transform(state, symmetry) for symmetry in range(count_symmetries(state))]
    for evaluator in ALONE:
        value = value_of(evaluator, state)
        assert {value_of(evaluator, image) for image in images} == {value}
        assert value_of(evaluator, swapped) == -value


@settings(max_examples=100)
@given(state=POSITIONS)
def test_pictures_add_up_to_the_factors(state):
    for factor in WALLS.factors(Walls(), state):
        assert math.isclose(sum(amount for _, amount in factor.cells), factor.value, abs_tol=1e-9)


@settings(max_examples=100)
@given(state=POSITIONS)
def test_with_its_usual_weights_it_is_the_study_s_evaluator_in_the_middle_game(state):
    values = stage_values(Stages(), state.me, state.opp, state.cells)
    assert Walls().evaluate(state) == weighted(Stages(), MIDDLE, values)
    if stage_on(state.me, state.opp, state.cells) == MIDDLE:
        assert Walls().evaluate(state) == Stages().evaluate(state)


# ------------------------------------------------------------------ in the catalogue


def test_it_is_found_by_name_on_boards_of_one_word_and_has_a_name_for_each_factor():
    assert len(NAMES) == len(Walls._fields) == 23
    for size in (4, 6, 8):
        assert find_evaluator("walls", GAME.initial(size=size)) is WALLS


@pytest.mark.parametrize("size", [6, 8])
def test_it_keeps_the_contract_with_all_weights_in_use(size):
    start = GAME.initial(size=size)
    weights = Walls(*range(1, 24))
    assert check_evaluator(WALLS, weights, GAME, start, 2, 1) > 20
