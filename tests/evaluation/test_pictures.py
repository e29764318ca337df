"""Pictures: what a factor shows on the board is what it counts, cell by cell."""

from __future__ import annotations

import numpy as np
import pytest

from plyground.evaluation.catalogue import find_evaluator, suitable
from plyground.evaluation.pictures import lines, whole_lines
from plyground.games.catalogue import find_game
from plyground.games.rules import is_over, play

NOWHERE = {"parity", "won game"}  # no matter of cells
GAMES = [
    ("othello", {"size": 4}),
    ("othello", {"size": 6}),
    ("othello", {"size": 8}),
    ("othello", {"size": 10}),
    ("connect4", {}),
    ("connect4", {"width": 6, "height": 5, "connect": 3}),
    ("kalah", {}),
    ("kalah", {"pits": 4, "captures": False}),
    ("tictactoe", {}),
    ("mnk", {"m": 7, "n": 6, "k": 4}),
    ("double-card", {}),
]


def positions(game, settings, seed):
    """The positions of a random game."""
    generator, state = np.random.default_rng(seed), game.initial(**settings)
    while not is_over(state):
        yield state
        state = play(state, int(generator.choice(game.legal(state))))


def factors_of(name, evaluator, moves="", position=None, **settings):
    """The factors of a position by name."""
    game = find_game(name)
    start = game.initial(**settings)
    state = game.parse_position(start, position) if position else start
    state = game.replay(state, game.parse_moves(state, moves))
    spec = find_evaluator(evaluator, state)
    assert spec.factors is not None
    return {factor.name: factor for factor in spec.factors(spec.make(), state)}


def squares(factor, columns=8):
    """What speaks for the side to move, and what against it, by name."""
    names = [(f"{'abcdefgh'[cell % columns]}{cell // columns + 1}", n) for cell, n in factor.cells]
    return {name for name, n in names if n > 0}, {name for name, n in names if n < 0}


@pytest.mark.parametrize(("name", "settings"), GAMES)
def test_the_cells_of_a_factor_add_up_to_its_value(name, settings):
    game, drawn = find_game(name), 0
    for state in [*positions(game, settings, 1), *positions(game, settings, 2)]:
        count = len(game.board_of(state).cells)
        for spec in (each for each in suitable(state) if each.games and not each.version):
            for factor in spec.factors(spec.make(), state) if spec.factors else []:
                if factor.name in NOWHERE:
                    assert factor.cells == ()
                    continue
                assert sum(n for _, n in factor.cells) == pytest.approx(factor.value)
                assert all(0 <= cell < count for cell, _ in factor.cells)
                drawn += bool(factor.cells)
    assert drawn > 10


def test_moves_are_drawn_for_both_sides():
    factors = factors_of("othello", "mobility", "f5")
    assert squares(factors["legal moves"]) == ({"d6", "f4", "f6"}, {"c3", "c4", "d3"})


def test_a_square_that_counts_for_both_sides_is_drawn_for_both():
    mine, theirs = squares(factors_of("othello", "mobility", "f5")["potential moves"])
    assert theirs == {"c3", "c4", "c5", "d3", "e3"}
    assert mine & theirs == theirs - {"c3"}


# A corner, the edge beside it, and a row that hangs on both:
#     a b c d
#   1 X X X -
#   2 X O - -          only Black's discs on the edges are anchored to the corner
#   3 - - - -
STABLE = "XXX-----XO------" + 48 * "-" + " X"


def test_stable_discs_are_drawn_where_they_lie():
    factors = factors_of("othello", "stages", position=STABLE)
    [stability] = [each for name, each in factors.items() if name.startswith("stability")]
    assert squares(stability) == ({"a1", "b1", "c1", "a2"}, set())


def test_frontier_discs_count_for_the_other_side():
    factors = factors_of("othello", "stages", position=STABLE)
    [frontier] = [each for name, each in factors.items() if name.startswith("frontier")]
    assert squares(frontier) == ({"b2"}, set())


def test_squares_show_what_they_are_worth():
    factors = factors_of("othello", "factors", position=STABLE)
    worth = dict(factors["worth of squares"].cells)
    assert worth == {0: 99, 1: -18, 2: 8, 8: -18, 9: 24}


def test_discs_that_a_move_turns_are_unstable():
    factors = factors_of("othello", "factors", "f5")
    assert squares(factors["unstable discs"]) == ({"d4"}, {"d5", "e4", "e5"})


# Yellow needs the fourth cell of the lowest row, and Red is to move.
THREE = "......./......./......./......./OO...../XXX...."


def test_the_cell_that_completes_a_line_is_drawn():
    factors = factors_of("connect4", "threats", position=THREE)
    assert factors["cells that complete a line"].cells == ((38, -1),)
    assert factors["of these playable at once"].cells == ((38, -1),)


def test_a_segment_is_shared_by_its_cells():
    factors = factors_of("connect4", "segments", position=THREE)
    three = dict(factors["with three stones"].cells)
    assert three == {35: -0.25, 36: -0.25, 37: -0.25, 38: -0.25}


def test_a_capture_is_drawn_in_the_pit_that_is_sown():
    factors = factors_of("kalah", "rich", position="1,0,4,4,4,4,3/4,4,4,4,6,4,2 first")
    assert factors["seeds that the best capture takes"].cells[0] == (8, 6)
    assert dict(factors["seeds in the store"].cells) == {7: 3, 0: -2}


def test_three_in_a_row_of_cards_are_drawn_on_their_halves():
    cells = factors_of("double-card", "patterns", position="2A1 2B1 2C1")["dead three"].cells
    lower, upper = {88, 89, 90}, {80, 81, 82}  # A1 to C1, A2 to C2; three of a colour and of a dot
    assert {cell for cell, n in cells if n > 0} == lower | upper
    assert {n for _, n in cells} == {1 / 3, -1 / 3}


def test_lines_are_named_once_and_run_from_edge_to_edge():
    assert len(set(lines(6, 7, 4))) == len(list(lines(6, 7, 4))) == 69
    whole = [tuple(line) for line in whole_lines(6, 7)]
    assert len(set(whole)) == len(whole) == 6 + 7 + 2 * 12
    windows = {tuple(w[i : i + 4]) for w in whole for i in range(len(w) - 3)}
    assert windows == set(lines(6, 7, 4))
